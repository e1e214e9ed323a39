// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package xpkg

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"time"

	"sigs.k8s.io/yaml"

	"github.com/provider-cloudflare/provider-cloudflare/hack/package/runtimeimage"
)

// Object is a Kubernetes object, as it is written in a file.
type Object struct {
	APIVersion string `json:"apiVersion"`
	Kind       string `json:"kind"`
	Metadata   struct {
		Name        string            `json:"name"`
		Annotations map[string]string `json:"annotations"`
	} `json:"metadata"`

	file string
	text []byte
}

// Package is the part of a package that Crossplane reads.
type Package struct {
	// Meta is the object of crossplane.yaml. Objects are the other objects of the
	// package.
	Meta    Object
	Objects []Object
}

// Read reads and checks the package at root, the package root of "crossplane xpkg
// build": a folder with a crossplane.yaml, and the other objects in YAML files of any
// name beside and below it. Objects in the files of more also belong to the package:
// those of a Configuration are where users read them.
func Read(root string, more ...string) (*Package, error) {
	all, err := objects(root)
	if err != nil {
		return nil, fmt.Errorf("cannot read the package: %w", err)
	}
	for _, file := range more {
		content, err := os.ReadFile(file)
		if err != nil {
			return nil, fmt.Errorf("cannot read the package: %w", err)
		}
		found, err := parse(file, content)
		if err != nil {
			return nil, fmt.Errorf("cannot read the package: %w", err)
		}
		all = append(all, found...)
	}
	p := &Package{}
	metas := 0
	for _, o := range all {
		if o.group() != metaGroup {
			p.Objects = append(p.Objects, o)
			continue
		}
		p.Meta = o
		metas++
	}
	if metas != 1 {
		return nil, fmt.Errorf("%s has %d objects of %s, and not one", root, metas, metaGroup)
	}
	if err := p.lint(); err != nil {
		return nil, fmt.Errorf("%s is no valid package: %w", root, err)
	}
	return p, nil
}

// Examples reads the objects in folders, which need not exist.
func Examples(folders ...string) ([]Object, error) {
	var out []Object
	for _, folder := range folders {
		found, err := objects(folder)
		if err != nil {
			return nil, fmt.Errorf("cannot read examples: %w", err)
		}
		out = append(out, found...)
	}
	return out, nil
}

// About returns what the package says about itself, for the annotations of its images.
func (p *Package) About(version, revision string, created time.Time) runtimeimage.About {
	said := p.Meta.Metadata.Annotations
	a := runtimeimage.About{
		Title:       p.Meta.Metadata.Name,
		Description: said["meta.crossplane.io/description"],
		Licences:    said["meta.crossplane.io/license"],
		Version:     version, Revision: revision, Created: created,
	}
	if source := said["meta.crossplane.io/source"]; source != "" {
		a.Source = address(source)
	}
	return a
}

// address returns the address of a source: many packages name it as Go names a module.
func address(source string) string {
	if regexp.MustCompile(`^[a-z+]+://`).MatchString(source) {
		return source
	}
	return "https://" + source
}

// objects returns the objects in the YAML files below root, in the order of their paths.
func objects(root string) ([]Object, error) {
	var out []Object
	files := os.DirFS(root)
	err := fs.WalkDir(files, ".", func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if ext := filepath.Ext(path); entry.IsDir() || ext != ".yaml" && ext != ".yml" {
			return nil
		}
		content, err := fs.ReadFile(files, path)
		if err != nil {
			return err
		}
		found, err := parse(filepath.Join(root, path), content)
		out = append(out, found...)
		return err
	})
	return out, err
}

// parse splits a stream of YAML documents. It skips documents that are empty or have
// only comments.
func parse(file string, content []byte) ([]Object, error) {
	var out []Object
	for _, text := range regexp.MustCompile(`(?m)^(---|\.{3})\s*(#.*)?$`).Split(string(content), -1) {
		o := Object{file: file, text: bytes.TrimSpace([]byte(text))}
		var whole map[string]any
		// Twice: strictly, to find duplicate fields, and then for the fields of Object.
		if err := errors.Join(yaml.UnmarshalStrict(o.text, &whole), yaml.Unmarshal(o.text, &o)); err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		if whole == nil {
			continue
		}
		if o.APIVersion == "" || o.Kind == "" || o.Metadata.Name == "" {
			return nil, fmt.Errorf("%s: an object without apiVersion, kind or name", file)
		}
		out = append(out, o)
	}
	return out, nil
}

// stream puts objects into one file, each as it is written.
func stream(objects []Object) []byte {
	var b bytes.Buffer
	for _, o := range objects {
		b.WriteString("---\n")
		b.Write(o.text)
		b.WriteByte('\n')
	}
	return b.Bytes()
}
