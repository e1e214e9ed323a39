// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/pflag"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/yaml"

	"github.com/provider-cloudflare/provider-cloudflare/internal/export"
)

// Formats of manifests.
const (
	formatYAML = "yaml"
	formatJSON = "json"
)

// An output is where manifests are written, and in which form.
type output struct {
	streams

	format, dir string
}

func (o *output) flags(f *pflag.FlagSet) {
	f.StringVarP(&o.format, "output", "o", formatYAML, "format: yaml or json")
	f.StringVar(&o.dir, "output-dir", "", "folder to write a file of each object to, instead of all to stdout")
}

// validate returns an error for an unknown format.
func (o *output) validate() error {
	if o.format != formatYAML && o.format != formatJSON {
		return fmt.Errorf("--output: %q is no format: use %s or %s", o.format, formatYAML, formatJSON)
	}
	return nil
}

// write writes the manifests of objects.
func (o *output) write(objects []client.Object) error {
	manifests := make([]map[string]any, 0, len(objects))
	for _, obj := range objects {
		m, err := export.Manifest(obj)
		if err != nil {
			return err
		}
		manifests = append(manifests, m)
	}
	if o.dir == "" {
		return o.stream(manifests)
	}
	if err := os.MkdirAll(o.dir, 0o750); err != nil {
		return fmt.Errorf("cannot make the folder: %w", err)
	}
	for i, obj := range objects {
		raw, err := o.encode(manifests[i])
		if err != nil {
			return err
		}
		file := strings.ToLower(obj.GetObjectKind().GroupVersionKind().Kind) + "-" + obj.GetName() + "." + o.format
		if err := os.WriteFile(filepath.Join(o.dir, file), raw, 0o600); err != nil {
			return fmt.Errorf("cannot write a manifest: %w", err)
		}
	}
	return nil
}

// stream writes all manifests to out: YAML documents, or one List in JSON.
func (o *output) stream(manifests []map[string]any) error {
	var all bytes.Buffer
	if o.format == formatJSON {
		raw, err := o.encode(map[string]any{"apiVersion": "v1", "kind": "List", "items": manifests})
		if err != nil {
			return err
		}
		all.Write(raw)
	} else {
		for i, m := range manifests {
			raw, err := o.encode(m)
			if err != nil {
				return err
			}
			if i > 0 {
				all.WriteString("---\n")
			}
			all.Write(raw)
		}
	}
	if _, err := o.out.Write(all.Bytes()); err != nil {
		return fmt.Errorf("cannot write the manifests: %w", err)
	}
	return nil
}

func (o *output) encode(v any) ([]byte, error) {
	if o.format == formatYAML {
		return yaml.Marshal(v)
	}
	raw, err := json.MarshalIndent(v, "", "  ")
	return append(raw, '\n'), err
}
