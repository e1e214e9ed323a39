// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"debug/buildinfo"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"maps"
	"net/url"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	cdx "github.com/CycloneDX/cyclonedx-go"
)

// origin is what a binary does not record: its version, and the commit unless git
// stamped it.
type origin struct {
	version, revision string
	created           time.Time
}

// stamp adds the commit as go build does with -buildvcs, unless it is there.
func (o origin) stamp(info *debug.BuildInfo) {
	stamped := slices.ContainsFunc(info.Settings, func(s debug.BuildSetting) bool { return s.Key == "vcs.revision" })
	if o.revision == "" || stamped {
		return
	}
	info.Settings = append(info.Settings,
		debug.BuildSetting{Key: "vcs.revision", Value: o.revision},
		debug.BuildSetting{Key: "vcs.time", Value: o.created.UTC().Format(time.RFC3339)})
}

// sbom writes the bill of materials of a binary to out. The same binary produces the
// same bytes.
func sbom(ctx context.Context, root, pkg, binary, out string, from origin) error {
	info, err := buildinfo.ReadFile(binary)
	if err != nil {
		return fmt.Errorf("cannot read what %s was built from: %w", binary, err)
	}
	from.stamp(info)
	raw, err := os.ReadFile(binary)
	if err != nil {
		return err
	}
	modules, err := linked(ctx, root, pkg)
	if err != nil {
		return err
	}
	parts, err := components(info, modules)
	if err != nil {
		return err
	}
	bom := describe(info, subject(info, filepath.Base(binary), from.version, sha256.Sum256(raw)), parts)
	var b bytes.Buffer
	if err := cdx.NewBOMEncoder(&b, cdx.BOMFileFormatJSON).SetPretty(true).EncodeVersion(bom, cdx.SpecVersion1_6); err != nil {
		return fmt.Errorf("cannot write the bill of materials: %w", err)
	}
	return write(out, b.Bytes())
}

// subject returns the component of the binary itself.
func subject(info *debug.BuildInfo, name, version string, sum [sha256.Size]byte) cdx.Component {
	properties := []cdx.Property{{Name: "go:version", Value: info.GoVersion}}
	for _, s := range info.Settings {
		switch s.Key {
		case "GOOS", "GOARCH", "GOAMD64", "GOARM64", "CGO_ENABLED", "vcs.revision", "vcs.time", "vcs.modified":
			properties = append(properties, cdx.Property{Name: "go:" + s.Key, Value: s.Value})
		}
	}
	return cdx.Component{
		BOMRef: purl(info.Main.Path, version), Type: cdx.ComponentTypeApplication,
		Name: name, Version: version, PackageURL: purl(info.Main.Path, version),
		Hashes:     &[]cdx.Hash{{Algorithm: cdx.HashAlgoSHA256, Value: hex.EncodeToString(sum[:])}},
		Licenses:   &cdx.Licenses{{License: &cdx.License{ID: "Apache-2.0"}}},
		Properties: &properties,
	}
}

// components returns the parts of the binary according to info, with the licences of
// the modules.
func components(info *debug.BuildInfo, modules []module) ([]cdx.Component, error) {
	known := map[string]module{}
	for _, m := range modules {
		known[m.path] = m
	}
	std := known["std"]
	parts := []cdx.Component{component("std", strings.TrimPrefix(info.GoVersion, "go"), "", std.ids())}
	var errs []error
	if std.version != info.GoVersion {
		errs = append(errs, fmt.Errorf("the binary is built with %s, and go here is %s", info.GoVersion, std.version))
	}
	for _, d := range info.Deps {
		m := known[d.Path]
		if d.Replace != nil || m.version != d.Version {
			errs = append(errs, fmt.Errorf("the binary has %s %s, and the module %q: build it from this checkout", d.Path, d.Version, m.version))
			continue
		}
		sum, err := moduleHash(d.Sum)
		if err != nil {
			errs = append(errs, fmt.Errorf("%s %s: %w", d.Path, d.Version, err))
			continue
		}
		parts = append(parts, component(d.Path, d.Version, sum, m.ids()))
	}
	return parts, errors.Join(errs...)
}

func component(path, version, sum string, ids []string) cdx.Component {
	c := cdx.Component{BOMRef: purl(path, version), Type: cdx.ComponentTypeLibrary, Name: path, Version: version, PackageURL: purl(path, version)}
	if sum != "" {
		c.Hashes = &[]cdx.Hash{{Algorithm: cdx.HashAlgoSHA256, Value: sum}}
	}
	if len(ids) > 0 {
		l := cdx.Licenses{}
		for _, id := range ids {
			l = append(l, cdx.LicenseChoice{License: &cdx.License{ID: id}})
		}
		c.Licenses = &l
	}
	return c
}

// moduleHash returns the SHA-256 of a line of go.sum in hexadecimal digits. It is the
// hash of the list of the module's files with the hash of each.
func moduleHash(sum string) (string, error) {
	encoded, ok := strings.CutPrefix(sum, "h1:")
	raw, err := base64.StdEncoding.DecodeString(encoded)
	if !ok || err != nil || len(raw) != sha256.Size {
		return "", fmt.Errorf("%q is no checksum of a module", sum)
	}
	return hex.EncodeToString(raw), nil
}

// purl returns a package URL.
func purl(path, version string) string {
	return "pkg:golang/" + path + "@" + url.QueryEscape(version)
}

// describe returns the document. Its serial number follows from its content, and its
// time is the commit's, so that it does not depend on the time of the build.
func describe(info *debug.BuildInfo, subject cdx.Component, parts []cdx.Component) *cdx.BOM {
	bom := cdx.NewBOM()
	refs, ids := make([]string, 0, len(parts)), map[string]string{}
	for _, p := range parts {
		refs = append(refs, p.BOMRef)
	}
	for _, s := range info.Settings {
		ids[s.Key] = s.Value
	}
	bom.SerialNumber = serial((*subject.Hashes)[0].Value, refs)
	bom.Metadata = &cdx.Metadata{Timestamp: ids["vcs.time"], Component: &subject}
	bom.Components = &parts
	dependencies := []cdx.Dependency{{Ref: subject.BOMRef, Dependencies: &refs}}
	bom.Dependencies = &dependencies
	return bom
}

// serial returns a UUID (version 8) that follows from the binary's hash and the parts.
func serial(sum string, refs []string) string {
	h := sha256.New()
	for _, s := range slices.Concat([]string{sum}, slices.Sorted(maps.Keys(set(refs)))) {
		fmt.Fprintln(h, s)
	}
	u := h.Sum(nil)[:16]
	u[6], u[8] = u[6]&0x0f|0x80, u[8]&0x3f|0x80
	return fmt.Sprintf("urn:uuid:%x-%x-%x-%x-%x", u[:4], u[4:6], u[6:8], u[8:10], u[10:])
}

func set(values []string) map[string]bool {
	out := map[string]bool{}
	for _, v := range values {
		out[v] = true
	}
	return out
}

func keys(m map[string]int) []string { return slices.Sorted(maps.Keys(m)) }
