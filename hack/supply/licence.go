// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/google/licensecheck"
)

// A verdict is whether code under a licence may be linked.
type verdict string

const (
	free verdict = "permitted"
	// flagged is permitted, with a duty that a release has to meet.
	flagged verdict = "permitted; offer the source of changed files"
)

// policy returns all licences that may be linked. People have to decide about any other.
func policy() map[string]verdict {
	return map[string]verdict{
		"Apache-2.0":   free,
		"BSD-2-Clause": free,
		"BSD-3-Clause": free,
		"ISC":          free,
		"MIT":          free,
		"MPL-2.0":      flagged,
	}
}

// enough is how much of a file, in percent, has to be the text of known licences. The rest is
// names, years and headings.
const enough = 75

// named matches the names of files with licences, and notice those of files that have to be
// distributed with them.
//
//nolint:gochecknoglobals // Compiled once.
var (
	named  = regexp.MustCompile(`(?i)^(un)?(licen[cs]e|copying)([-.].*)?$`)
	notice = regexp.MustCompile(`(?i)^(notice|patents)([-.].*)?$`)
)

// licenceFiles returns the files of licences in dir, which is in the module at base.
func licenceFiles(base, dir string) ([]licenceFile, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	var out []licenceFile
	for _, e := range entries {
		isNotice := notice.MatchString(e.Name())
		if !e.Type().IsRegular() || !(named.MatchString(e.Name()) || isNotice) || strings.HasSuffix(e.Name(), ".go") {
			continue
		}
		path := filepath.Join(dir, e.Name())
		text, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		name, err := filepath.Rel(base, path)
		if err != nil {
			return nil, err
		}
		f := licenceFile{name: filepath.ToSlash(name), text: text, notice: isNotice}
		if !isNotice {
			f.ids = identify(text)
		}
		out = append(out, f)
	}
	return out, nil
}

// identify returns the SPDX identifiers of the licences in text, or none if too much of it is other
// text.
func identify(text []byte) []string {
	c := licensecheck.Scan(text)
	if c.Percent < enough {
		return nil
	}
	var out []string
	for _, m := range c.Match {
		out = append(out, m.ID)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// permitted returns an error for every module whose licence is not known or not permitted.
func permitted(modules []module) error {
	var errs []error
	for _, m := range modules {
		if !slices.ContainsFunc(m.files, func(f licenceFile) bool { return !f.notice }) {
			errs = append(errs, fmt.Errorf("%s has no licence", m.path))
		}
		for _, f := range m.files {
			if len(f.ids) == 0 && !f.notice {
				errs = append(errs, fmt.Errorf("%s: %s is no licence that is known", m.path, f.name))
			}
			for _, id := range f.ids {
				if policy()[id] == "" {
					errs = append(errs, fmt.Errorf("%s: %s is %s, which is not among the permitted licences", m.path, f.name, id))
				}
			}
		}
	}
	return errors.Join(errs...)
}

// heading is the beginning of docs/reference/licences.md. Its arguments are the program, the path
// of its module, and the target that writes its bill of materials.
const heading = "# Licences%[4]s\n\n" +
	"This file is written by `make licences` from what is linked into the %[1]s; `make verify` fails where it is\n" +
	"out of date. The %[1]s itself is under the [Apache Licence 2.0](../../LICENSE). Versions and checksums are in\n" +
	"[go.mod](../../%[2]sgo.mod), [go.sum](../../%[2]sgo.sum) and the bill of materials (`make %[3]s`).\n\n" +
	"| licence | modules | |\n|---|---|---|\n"

// licenceTable returns docs/reference/licences.md, or the same for the composition function in the
// folder of.
func licenceTable(modules []module, of string) []byte {
	var b bytes.Buffer
	if of == "" {
		fmt.Fprintf(&b, heading, "provider", "", "sbom", "")
	} else {
		fmt.Fprintf(&b, heading, "composition function", of+"/", "function-xpkg", " of the composition function")
	}
	counts := map[string]int{}
	for _, m := range modules {
		for _, id := range m.ids() {
			counts[id]++
		}
	}
	for _, id := range keys(counts) {
		fmt.Fprintf(&b, "| %s | %d | %s |\n", id, counts[id], policy()[id])
	}
	b.WriteString("\nAny other licence makes `make licences` fail. Where a module has more than one file, each covers a part of it that is linked.\n\n" +
		"| module | licence | files |\n|---|---|---|\n")
	for _, m := range modules {
		var files []string
		for _, f := range m.files {
			files = append(files, f.name)
		}
		fmt.Fprintf(&b, "| %s | %s | %s |\n", m.path, strings.Join(m.ids(), ", "), strings.Join(files, ", "))
	}
	return b.Bytes()
}

// licenceTexts returns the texts that have to be distributed with the binary.
func licenceTexts(modules []module) []byte {
	var b bytes.Buffer
	for _, m := range modules {
		for _, f := range m.files {
			fmt.Fprintf(&b, "==== %s %s: %s\n\n%s\n\n", m.path, m.version, f.name, bytes.TrimSpace(f.text))
		}
	}
	return b.Bytes()
}
