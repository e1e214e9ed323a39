// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package apiserver

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	structuralschema "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/defaulting"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/validation"
	"k8s.io/apimachinery/pkg/runtime/schema"
	celconfig "k8s.io/apiserver/pkg/apis/cel"
	"sigs.k8s.io/yaml"
)

// Definitions are CustomResourceDefinitions. Their schemas are compiled once, when the first object of
// the kind is written. Any number of servers can share them.
type Definitions struct{ all []*definition }

// A definition is one CustomResourceDefinition.
type definition struct {
	crd     *apiextensionsv1.CustomResourceDefinition
	version apiextensionsv1.CustomResourceDefinitionVersion
	rules   func() (*customRules, error)
}

// Load reads the CustomResourceDefinitions of a folder, one from each file.
func Load(folder string) (*Definitions, error) {
	files, err := filepath.Glob(filepath.Join(folder, "*.yaml"))
	if err != nil || len(files) == 0 {
		return nil, fmt.Errorf("cannot find a CustomResourceDefinition in %s: %w", folder, err)
	}
	out := &Definitions{}
	for _, file := range files {
		d, err := loadDefinition(file)
		if err != nil {
			return nil, fmt.Errorf("cannot load %s: %w", file, err)
		}
		out.all = append(out.all, d)
	}
	return out, nil
}

// Of returns the definitions of the kinds for which wanted returns true.
func (d *Definitions) Of(wanted func(schema.GroupKind) bool) *Definitions {
	return &Definitions{all: slices.DeleteFunc(slices.Clone(d.all), func(d *definition) bool { return !wanted(d.kind().GroupKind()) })}
}

func loadDefinition(file string) (*definition, error) {
	raw, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	crd := &apiextensionsv1.CustomResourceDefinition{}
	if err := yaml.UnmarshalStrict(raw, crd); err != nil {
		return nil, err
	}
	if len(crd.Spec.Versions) != 1 || crd.Spec.Versions[0].Schema == nil {
		return nil, fmt.Errorf("%s has %d versions, and this server takes kinds with one that has a schema", crd.Name, len(crd.Spec.Versions))
	}
	d := &definition{crd: crd, version: crd.Spec.Versions[0]}
	d.rules = sync.OnceValues(d.compile)
	return d, nil
}

func (d *definition) kind() schema.GroupVersionKind {
	return schema.GroupVersionKind{Group: d.crd.Spec.Group, Version: d.version.Name, Kind: d.crd.Spec.Names.Kind}
}

// compile compiles the rules, as the real API server does when it serves a kind for the first time.
func (d *definition) compile() (*customRules, error) {
	internal := &apiextensions.JSONSchemaProps{}
	if err := apiextensionsv1.Convert_v1_JSONSchemaProps_To_apiextensions_JSONSchemaProps(d.version.Schema.OpenAPIV3Schema, internal, nil); err != nil {
		return nil, fmt.Errorf("cannot convert the schema of %s: %w", d.crd.Name, err)
	}
	s, err := structuralschema.NewStructural(internal)
	if err != nil {
		return nil, fmt.Errorf("the schema of %s is not structural: %w", d.crd.Name, err)
	}
	s = s.DeepCopy() // Pruning changes it.
	if err := defaulting.PruneDefaults(s); err != nil {
		return nil, fmt.Errorf("cannot prune the defaults of %s: %w", d.crd.Name, err)
	}
	whole, _, err := validation.NewSchemaValidator(internal)
	if err != nil {
		return nil, fmt.Errorf("cannot compile the schema of %s: %w", d.crd.Name, err)
	}
	r := &customRules{schema: s, whole: whole, status: d.hasStatus(), cel: cel.NewValidator(s, true, celconfig.PerCallLimit)}
	if part, ok := internal.Properties["status"]; ok {
		if r.statusPart, _, err = validation.NewSchemaValidator(&part); err != nil {
			return nil, fmt.Errorf("cannot compile the schema of the status of %s: %w", d.crd.Name, err)
		}
	}
	return r, nil
}

func (d *definition) hasStatus() bool {
	return d.version.Subresources != nil && d.version.Subresources.Status != nil
}

// established returns the definition as it is served: with the conditions of an established definition,
// and without its schema, which no client needs.
func (d *definition) established() *apiextensionsv1.CustomResourceDefinition {
	out := &apiextensionsv1.CustomResourceDefinition{TypeMeta: d.crd.TypeMeta, ObjectMeta: d.crd.ObjectMeta, Spec: d.crd.Spec}
	out.Spec.Versions = []apiextensionsv1.CustomResourceDefinitionVersion{d.version}
	out.Spec.Versions[0].Schema = nil
	out.Status.AcceptedNames = out.Spec.Names
	out.Status.StoredVersions = []string{d.version.Name}
	for _, t := range []apiextensionsv1.CustomResourceDefinitionConditionType{apiextensionsv1.NamesAccepted, apiextensionsv1.Established} {
		out.Status.Conditions = append(out.Status.Conditions, apiextensionsv1.CustomResourceDefinitionCondition{Type: t, Status: apiextensionsv1.ConditionTrue})
	}
	return out
}
