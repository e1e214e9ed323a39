// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

// Package manifest reads files of Kubernetes objects, for tests of the published files. It also
// reads the examples of kinds with the objects to which they refer.
package manifest

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	utilyaml "k8s.io/apimachinery/pkg/util/yaml"
	"sigs.k8s.io/yaml"
)

// Read returns the objects in a file, in order.
func Read(path string) ([]*unstructured.Unstructured, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }() // for reading only
	out, err := parse(f)
	if err != nil {
		return nil, fmt.Errorf("cannot read %s: %w", path, err)
	}
	return out, nil
}

func parse(text io.Reader) ([]*unstructured.Unstructured, error) {
	var out []*unstructured.Unstructured
	for r := utilyaml.NewYAMLReader(bufio.NewReader(text)); ; {
		doc, err := r.Read()
		if errors.Is(err, io.EOF) {
			return out, nil
		}
		o := &unstructured.Unstructured{}
		if err := errors.Join(err, yaml.UnmarshalStrict(doc, &o.Object)); err != nil {
			return nil, err
		}
		if len(o.Object) > 0 {
			out = append(out, o)
		}
	}
}
