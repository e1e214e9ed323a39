// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package xpkg

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/Masterminds/semver/v3"
	"github.com/google/go-containerregistry/pkg/name"
	"sigs.k8s.io/yaml"
)

// metaGroup is the API group of crossplane.yaml.
const metaGroup = "meta.pkg.crossplane.io"

func (o Object) group() string {
	group, _, _ := strings.Cut(o.APIVersion, "/")
	return group
}

// groupKind returns the object's kind as kubectl names it.
func (o Object) groupKind() string { return o.Kind + "." + o.group() }

// allowed returns the kinds of objects that a package may contain: Crossplane refuses
// others. It is empty for a kind of package that is not built here.
func allowed(kind string) []string {
	const crd = "CustomResourceDefinition.apiextensions.k8s.io"
	switch kind {
	case "Provider":
		return []string{
			crd,
			"ManagedResourceDefinition.apiextensions.crossplane.io",
			"ValidatingWebhookConfiguration.admissionregistration.k8s.io",
			"MutatingWebhookConfiguration.admissionregistration.k8s.io",
		}
	case "Function":
		return []string{crd}
	case "Configuration":
		return []string{
			"CompositeResourceDefinition.apiextensions.crossplane.io",
			"Composition.apiextensions.crossplane.io",
		}
	}
	return nil
}

// lint reports each reason for which Crossplane would refuse the package.
func (p *Package) lint() error {
	kinds := allowed(p.Meta.Kind)
	if kinds == nil {
		return fmt.Errorf("%s: it is a %s, and only a Provider, a Function or a Configuration is built here", p.Meta.file, p.Meta.Kind)
	}
	errs := []error{p.lintSpec()}
	seen := map[string]string{}
	for _, o := range p.Objects {
		if !slices.Contains(kinds, o.groupKind()) {
			errs = append(errs, fmt.Errorf("%s: a %s may not bring a %s along", o.file, p.Meta.Kind, o.groupKind()))
		}
		id := o.groupKind() + " " + o.Metadata.Name
		if first, twice := seen[id]; twice {
			errs = append(errs, fmt.Errorf("%s: %s is in %s as well", o.file, id, first))
		}
		seen[id] = o.file
	}
	return errors.Join(errs...)
}

// A dependency is a package that has to be installed beside this one.
type dependency struct {
	APIVersion string `json:"apiVersion"`
	Kind       string `json:"kind"`
	Package    string `json:"package"`
	Version    string `json:"version"`
}

// lintSpec checks the versions of Crossplane and of other packages that the package
// requires.
func (p *Package) lintSpec() error {
	var meta struct {
		Spec struct {
			Crossplane *struct {
				Version string `json:"version"`
			} `json:"crossplane"`
			DependsOn []dependency `json:"dependsOn"`
		} `json:"spec"`
	}
	if err := yaml.Unmarshal(p.Meta.text, &meta); err != nil {
		return fmt.Errorf("%s: %w", p.Meta.file, err)
	}
	var errs []error
	if c := meta.Spec.Crossplane; c != nil {
		if _, err := semver.NewConstraint(c.Version); err != nil {
			errs = append(errs, fmt.Errorf("%s: cannot read spec.crossplane.version: %w", p.Meta.file, err))
		}
	}
	for i, d := range meta.Spec.DependsOn {
		if err := d.lint(); err != nil {
			errs = append(errs, fmt.Errorf("%s: cannot use spec.dependsOn[%d]: %w", p.Meta.file, i, err))
		}
	}
	return errors.Join(errs...)
}

// lint returns why the package manager could not install the dependency.
func (d dependency) lint() error {
	if d.APIVersion == "" || d.Kind == "" || d.Package == "" {
		return errors.New("it needs apiVersion, kind and package")
	}
	if _, err := name.NewRepository(d.Package, name.StrictValidation); err != nil {
		return fmt.Errorf("package: %w", err)
	}
	if _, err := semver.NewConstraint(d.Version); err != nil {
		return fmt.Errorf("version: %w", err)
	}
	return nil
}
