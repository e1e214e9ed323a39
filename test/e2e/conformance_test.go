// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package e2e

import (
	"fmt"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

//nolint:gochecknoglobals // A constant but for its type.
var usageKind = schema.GroupVersionKind{Group: "cloudflare.m.crossplane.io", Version: "v1alpha1", Kind: "ProviderConfigUsage"}

// conformance checks the installed provider against the conventions of Crossplane providers.
// Package schemas checks what needs no cluster.
func conformance(c *cluster) {
	definitions, err := c.active()
	c.must(err)
	for _, d := range definitions {
		if err := has(&d, "Established"); err != nil {
			c.t.Error(err)
		}
	}
	c.categories()
	all, err := c.managed()
	c.must(err)
	kinds := map[string]int{}
	for i := range all {
		u := &all[i]
		kinds[u.GetKind()]++
		if u.GetAnnotations()["crossplane.io/external-name"] == "" {
			c.t.Errorf("%s %s has no external name", u.GetKind(), u.GetName())
		}
	}
	for _, d := range definitions {
		if kind := kindOf(&d).Kind; kinds[kind] == 0 {
			c.t.Errorf("no example shows a %s", kind)
		}
	}
	c.users(len(all))
}

// usages returns the names of the usages of provider configs.
func (c *cluster) usages() []string {
	all, err := c.list(usageKind)
	c.must(err)
	var out []string
	for i := range all {
		out = append(out, all[i].GetName())
	}
	return out
}

// users waits until the provider configs count every managed resource, and checks that they do
// so without usages: those of the previous version are deleted with the objects that own them.
func (c *cluster) users(want int) {
	for _, name := range c.usages() {
		if !slices.Contains(c.usagesBefore, name) {
			c.t.Errorf("this version made the usage %s", name)
		}
	}
	c.eventually(func() error {
		got := int64(0)
		for _, kind := range []string{"ProviderConfig", "ClusterProviderConfig"} {
			configs, err := c.list(usageKind.GroupVersion().WithKind(kind))
			if err != nil {
				return err
			}
			for i := range configs {
				n, _, err := unstructured.NestedInt64(configs[i].Object, "status", "users")
				if err != nil {
					return err
				}
				got += n
			}
		}
		if got != int64(want) {
			return fmt.Errorf("%d managed resources use a config, and the configs count %d", want, got)
		}
		return nil
	})
}

// categories checks the categories of CRDs, on which "kubectl get crossplane" and "kubectl get
// managed" depend.
func (c *cluster) categories() {
	crds, err := c.list(crdKind)
	c.must(err)
	found := 0
	for i := range crds {
		crd := &crds[i]
		if !strings.HasSuffix(crd.GetName(), "cloudflare.m.crossplane.io") {
			continue
		}
		found++
		categories, _, _ := unstructured.NestedStringSlice(crd.Object, "spec", "names", "categories")
		if !slices.Contains(categories, "crossplane") {
			c.t.Errorf("%s is in the categories %v, not in crossplane", crd.GetName(), categories)
		}
		config := field(crd, "spec", "group") == usageKind.Group
		if slices.Contains(categories, "managed") == config {
			c.t.Errorf("%s is in the categories %v", crd.GetName(), categories)
		}
	}
	if found < 5 {
		c.t.Errorf("%d CRDs are the provider's", found)
	}
}
