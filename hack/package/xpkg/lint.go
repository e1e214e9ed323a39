// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package xpkg

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/Masterminds/semver/v3"
	"sigs.k8s.io/yaml"
)

// metaGroup is the API group of crossplane.yaml.
const metaGroup = "meta.pkg.crossplane.io"

func (o Object) group() string {
	group, _, _ := strings.Cut(o.APIVersion, "/")
	return group
}

// groupKind is what kubectl would call the object's kind.
func (o Object) groupKind() string { return o.Kind + "." + o.group() }

// allowed are the kinds that a package may bring along: Crossplane refuses others. It
// is empty for a package of a kind that is not built here.
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
	}
	return nil
}

// lint reports everything for which Crossplane would refuse the package.
func (p *Package) lint() error {
	kinds := allowed(p.Meta.Kind)
	if kinds == nil {
		return fmt.Errorf("%s: it is a %s, and only a Provider or a Function is built here", p.Meta.file, p.Meta.Kind)
	}
	errs := []error{p.lintConstraint()}
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

// lintConstraint checks which versions of Crossplane the package says it is for.
func (p *Package) lintConstraint() error {
	var meta struct {
		Spec struct {
			Crossplane *struct {
				Version string `json:"version"`
			} `json:"crossplane"`
		} `json:"spec"`
	}
	if err := yaml.Unmarshal(p.Meta.text, &meta); err != nil {
		return fmt.Errorf("%s: %w", p.Meta.file, err)
	}
	if meta.Spec.Crossplane == nil {
		return nil
	}
	if _, err := semver.NewConstraint(meta.Spec.Crossplane.Version); err != nil {
		return fmt.Errorf("%s: cannot read spec.crossplane.version: %w", p.Meta.file, err)
	}
	return nil
}
