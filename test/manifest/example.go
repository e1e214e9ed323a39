// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package manifest

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/provider-cloudflare/provider-cloudflare/internal/kinds"
)

// exampleZone is the zone in the examples.
const exampleZone = "example.com"

// Examples are the examples of all kinds, as one user applies them.
type Examples struct {
	// Folder has a subfolder for each kind.
	Folder string
	// Zone and Namespace replace those in the examples.
	Zone, Namespace string
}

// Of returns the objects of a kind's example, after those to which they refer.
func (e Examples) Of(kind string) ([]*unstructured.Unstructured, error) {
	return e.of(kind, map[string]bool{})
}

// All returns the objects of the examples of several kinds, each once and after those to which
// it refers.
func (e Examples) All(names []string) ([]*unstructured.Unstructured, error) {
	var out []*unstructured.Unstructured
	have := map[string]*unstructured.Unstructured{}
	for _, name := range names {
		example, err := e.Of(name)
		if err != nil {
			return nil, err
		}
		for _, o := range example {
			id := o.GroupVersionKind().GroupKind().String() + " " + o.GetName()
			before, ok := have[id]
			if ok && !reflect.DeepEqual(before.Object, o.Object) {
				return nil, fmt.Errorf("the example of %s has another %s than the examples before it", name, id)
			}
			if !ok {
				have[id] = o
				out = append(out, o)
			}
		}
	}
	return out, nil
}

// of returns the result of Of without the kinds in seen.
func (e Examples) of(kind string, seen map[string]bool) ([]*unstructured.Unstructured, error) {
	if seen[kind] {
		return nil, nil
	}
	file, err := e.file(kind)
	if err != nil {
		return nil, err
	}
	raw, err := os.ReadFile(file)
	if err != nil {
		return nil, fmt.Errorf("cannot read the example of %s: %w", kind, err)
	}
	text := strings.ReplaceAll(string(raw), exampleZone, e.Zone)
	own, err := parse(strings.NewReader(text))
	if err != nil {
		return nil, fmt.Errorf("cannot read %s: %w", file, err)
	}
	for _, o := range own {
		o.SetNamespace(e.Namespace)
		seen[o.GetKind()] = true
	}
	if !seen[kind] {
		return nil, fmt.Errorf("%s has no object of kind %s", file, kind)
	}
	var out []*unstructured.Unstructured
	for _, other := range refers(kind, text) {
		before, err := e.of(other, seen)
		if err != nil {
			return nil, err
		}
		out = append(out, before...)
	}
	return append(out, own...), nil
}

// file returns the file in a kind's folder with the kind's name, or else the first file.
func (e Examples) file(kind string) (string, error) {
	name := strings.ToLower(kind)
	all, err := filepath.Glob(filepath.Join(e.Folder, name, "*.yaml"))
	if err != nil || len(all) == 0 {
		return "", fmt.Errorf("there is no example of %s in %s: %w", kind, filepath.Join(e.Folder, name), os.ErrNotExist)
	}
	if own := filepath.Join(e.Folder, name, name+".yaml"); slices.Contains(all, own) {
		return own, nil
	}
	return all[0], nil
}

// refers returns the kinds to which the example of a kind refers.
func refers(kind, text string) []string {
	out := map[string]bool{}
	if strings.Contains(text, "zoneIdRef:") {
		out["Zone"] = true
	}
	for _, d := range kinds.All() {
		if d.Name != kind {
			continue
		}
		for _, f := range d.Fields {
			if f.Ref != "" && (strings.Contains(text, "Ref:") || strings.Contains(text, "Refs:")) {
				out[f.Ref[strings.LastIndex(f.Ref, ".")+1:]] = true
			}
		}
	}
	return slices.Sorted(maps.Keys(out))
}
