// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// A module is linked into the provider. The standard library is the module "std".
type module struct {
	path, version string
	files         []licenceFile
}

// A licenceFile is a file with licences that cover linked code.
type licenceFile struct {
	// name is relative to the module.
	name string
	text []byte
	// ids are SPDX identifiers, none for a notice.
	ids    []string
	notice bool
}

// ids returns the licences of all files, each once.
func (m module) ids() []string {
	var out []string
	for _, f := range m.files {
		out = append(out, f.ids...)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// platforms returns the architectures of the images: a package may be linked on one alone.
func platforms() []string { return []string{"amd64", "arm64"} }

// listed is what "go list" reports for a package.
type listed struct {
	Dir      string
	Standard bool
	Module   *struct {
		Path, Version, Dir string
		Main               bool
		Replace            *struct{ Path, Version string }
	}
}

// linked returns the modules of the command pkg, by path, without its own.
func linked(ctx context.Context, root, pkg string) ([]module, error) {
	found := map[string]*module{}
	dirs := map[string]map[string]bool{} // The folders with licences, by module.
	base := map[string]string{}
	for _, arch := range platforms() {
		packages, err := goList(ctx, root, pkg, arch)
		if err != nil {
			return nil, err
		}
		for _, p := range packages {
			path, version, dir := "std", "", ""
			switch {
			case p.Standard:
				if version, dir, err = goRoot(ctx, root); err != nil {
					return nil, err
				}
				// One licence covers it. The licences below it are of code that only an
				// experiment links (BoringSSL).
				p.Dir = dir
			case p.Module == nil || p.Module.Main:
				continue
			case p.Module.Replace != nil:
				return nil, fmt.Errorf("module %s is replaced by %s, of which nothing would be said", p.Module.Path, p.Module.Replace.Path)
			default:
				path, version, dir = p.Module.Path, p.Module.Version, p.Module.Dir
			}
			if found[path] == nil {
				found[path], dirs[path], base[path] = &module{path: path, version: version}, map[string]bool{}, dir
			}
			for d := p.Dir; strings.HasPrefix(d, dir); d = filepath.Dir(d) {
				dirs[path][d] = true
			}
		}
	}
	var out []module
	for _, path := range slices.Sorted(maps.Keys(found)) {
		m := found[path]
		for _, dir := range slices.Sorted(maps.Keys(dirs[path])) {
			files, err := licenceFiles(base[path], dir)
			if err != nil {
				return nil, fmt.Errorf("module %s: %w", path, err)
			}
			m.files = append(m.files, files...)
		}
		out = append(out, *m)
	}
	return out, nil
}

func goList(ctx context.Context, root, pkg, arch string) ([]listed, error) {
	raw, err := goTool(ctx, root, arch, "list", "-deps", "-json=Dir,Standard,Module", pkg)
	if err != nil {
		return nil, err
	}
	var out []listed
	for d := json.NewDecoder(bytes.NewReader(raw)); ; {
		var p listed
		err := d.Decode(&p)
		if errors.Is(err, io.EOF) {
			return out, nil
		}
		if err != nil {
			return nil, fmt.Errorf("cannot read the list of packages: %w", err)
		}
		out = append(out, p)
	}
}

// goRoot returns the version and the folder of the standard library.
func goRoot(ctx context.Context, root string) (version, dir string, err error) {
	raw, err := goTool(ctx, root, "", "env", "GOVERSION", "GOROOT")
	if err != nil {
		return "", "", err
	}
	version, dir, _ = strings.Cut(strings.TrimSpace(string(raw)), "\n")
	return version, dir, nil
}

// goTool runs go for Linux with the settings of the image's build.
func goTool(ctx context.Context, root, arch string, args ...string) ([]byte, error) {
	cmd := exec.CommandContext(ctx, "go", args...) //nolint:gosec // Our own arguments.
	cmd.Dir = root
	cmd.Env = append(os.Environ(), "GOWORK=off", "CGO_ENABLED=0", "GOOS=linux", "GOARCH="+arch)
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("cannot run go %s: %w", strings.Join(args, " "), err)
	}
	return out, nil
}
