// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/provider-cloudflare/provider-cloudflare/hack/kindgen/emit"
)

// An output writes files below a folder. It writes only files that differ, so that
// builds do not repeat without need.
type output struct {
	root    string
	written map[string]bool
}

func newOutput(root string) *output {
	return &output{root: root, written: map[string]bool{}}
}

func (o *output) exists(name string) bool {
	_, err := os.Stat(filepath.Join(o.root, name))
	return err == nil
}

// read returns the content of a file, or "" if there is none.
func (o *output) read(name string) string {
	content, err := os.ReadFile(filepath.Join(o.root, name))
	if err != nil {
		return ""
	}
	return string(content)
}

// file returns a function that writes the result of a generator to a file.
func (o *output) file(name string) func([]byte, error) error {
	return func(content []byte, err error) error {
		if err != nil {
			return fmt.Errorf("cannot write %s: %w", name, err)
		}
		path := filepath.Join(o.root, name)
		o.written[path] = true
		if old, err := os.ReadFile(path); err == nil && bytes.Equal(old, content) {
			return nil
		}
		if err := os.MkdirAll(filepath.Dir(path), 0o750); err != nil {
			return fmt.Errorf("cannot write %s: %w", name, err)
		}
		//nolint:gosec // A source file is for everybody to read.
		if err := os.WriteFile(path, content, 0o644); err != nil {
			return fmt.Errorf("cannot write %s: %w", name, err)
		}
		return nil
	}
}

// finish removes files that an earlier run wrote and this one did not.
func (o *output) finish() error {
	var files []string
	for _, pattern := range []string{"apis/*/v1alpha1/zz_*.go", "docs/kinds/*.md"} {
		found, err := filepath.Glob(filepath.Join(o.root, filepath.FromSlash(pattern)))
		if err != nil {
			return fmt.Errorf("cannot list what was generated: %w", err)
		}
		files = append(files, found...)
	}
	var problems []error
	for _, path := range slices.DeleteFunc(files, func(f string) bool { return o.written[f] }) {
		content, err := os.ReadFile(path)
		if err == nil && (bytes.Contains(content, []byte(emit.Mark)) || bytes.Contains(content, []byte(emit.Begin))) {
			err = os.Remove(path)
		}
		problems = append(problems, err)
	}
	return errors.Join(problems...)
}
