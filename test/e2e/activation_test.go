// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package e2e

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// groups returns the API groups that the suite activates with the policies of
// examples/activation.
func groups() []string { return []string{"dns", "access", "loadbalancer", "r2"} }

// kinds returns the kinds that the suite's own policy names.
func kinds() []string {
	return []string{
		"zones.zone.cloudflare.m.crossplane.io", "tunnels.tunnel.cloudflare.m.crossplane.io", "tunnelingresses.tunnel.cloudflare.m.crossplane.io",
		"rulesetrules.ruleset.cloudflare.m.crossplane.io",
		"accounttokens.iam.cloudflare.m.crossplane.io", "origincacertificates.ssl.cloudflare.m.crossplane.io",
	}
}

// isActivated reports whether one of the suite's policies names a definition.
func isActivated(name string) bool {
	_, group, _ := strings.Cut(name, ".")
	short, _, _ := strings.Cut(group, ".")
	return slices.Contains(kinds(), name) || slices.Contains(groups(), short)
}

// activate activates kinds, upon which Crossplane starts the provider.
func activate(c *cluster) {
	began := time.Now()
	var names []any
	for _, name := range kinds() {
		names = append(names, name)
	}
	c.apply(map[string]any{
		"apiVersion": "apiextensions.crossplane.io/v1alpha1", "kind": "ManagedResourceActivationPolicy",
		"metadata": map[string]any{"name": "cloudflare"},
		"spec":     map[string]any{"activate": names},
	})
	for _, group := range groups() {
		c.kubectl("apply", "-f", example("activation", group+".yaml"))
	}
	c.eventually(func() error {
		if _, err := c.servedAsActivated(); err != nil {
			return err
		}
		return c.runs()
	})
	c.took("from activation to a running provider", began)
	c.scraped()
	c.follow("docs/tutorials/install.md")
}

// servedAsActivated returns an error if a kind that the policies name is not served, or if
// another kind is. It counts the kinds that are not served.
func (c *cluster) servedAsActivated() (inactive int, err error) {
	definitions, err := c.definitions()
	if err != nil {
		return 0, err
	}
	crds, err := c.list(crdKind)
	if err != nil {
		return 0, err
	}
	for i := range definitions {
		d := &definitions[i]
		at := slices.IndexFunc(crds, func(crd unstructured.Unstructured) bool { return crd.GetName() == d.GetName() })
		switch active := field(d, "spec", "state") == "Active"; {
		case active != isActivated(d.GetName()) || active != (at >= 0):
			return 0, fmt.Errorf("%s is active: %t, named by the policy: %t, has a CRD: %t", d.GetName(), active, isActivated(d.GetName()), at >= 0)
		case !active:
			inactive++
		default:
			if err := has(&crds[at], "Established", "NamesAccepted"); err != nil {
				return 0, err
			}
		}
	}
	return inactive, nil
}

// newKinds checks the kinds that are new in the version under test: the API server serves those
// that the policy names, and does not know the others.
func newKinds(c *cluster) {
	c.eventually(func() error {
		switch inactive, err := c.servedAsActivated(); {
		case err != nil:
			return err
		case inactive == 0:
			return errors.New("there are no kinds beyond those of the policy")
		}
		return nil
	})
	if out, err := c.run("kubectl", "get", "zonesettings.zone.cloudflare.m.crossplane.io", "-A"); err == nil {
		c.t.Errorf("an inactive kind is served: %s", out)
	}
}

// active returns the definitions of the kinds that are served.
func (c *cluster) active() ([]unstructured.Unstructured, error) {
	all, err := c.definitions()
	return slices.DeleteFunc(all, func(d unstructured.Unstructured) bool { return field(&d, "spec", "state") != "Active" }), err
}
