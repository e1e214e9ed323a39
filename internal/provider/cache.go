// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package provider

import (
	"maps"
	"sync"
	"unique"

	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/provider-cloudflare/provider-cloudflare/apis/v1alpha1"
)

// stripMetadata keeps out of the cache what no controller reads. Of Secrets only
// metadata is cached, and kubectl's last-applied annotation would hold the
// Secret's content. Managed resources keep that annotation: their reconciler
// updates whole objects, and would remove it.
func stripMetadata(obj any) (any, error) {
	o, ok := obj.(metav1.Object)
	if !ok {
		return obj, nil
	}
	o.SetManagedFields(nil)
	if _, partial := obj.(*metav1.PartialObjectMetadata); partial {
		o.SetAnnotations(nil)
	}
	return obj, nil
}

// usages are what the cache keeps once of ProviderConfigUsages, of which there is
// one for each managed resource. What is read of one is its name, its labels, its
// controller, and the config it is about. The rest goes, and what all have alike
// is kept once. They are never updated from the cache, so nothing is lost.
type usages struct {
	mu     sync.Mutex
	labels map[xpv2.ProviderConfigReference]map[string]string
}

func newUsages() *usages {
	return &usages{labels: map[xpv2.ProviderConfigReference]map[string]string{}}
}

// strip is the cache's transform, for objects of every kind: one by kind needs the
// kind to be served when the process starts.
func (c *usages) strip(obj any) (any, error) {
	u, ok := obj.(*v1alpha1.ProviderConfigUsage)
	if !ok {
		return stripMetadata(obj)
	}
	u.ManagedFields, u.Annotations = nil, nil
	u.ResourceReference = xpv2.TypedReference{}
	u.TypeMeta = metav1.TypeMeta{}
	u.Namespace = shared(u.Namespace)
	u.ProviderConfigReference.Name = shared(u.ProviderConfigReference.Name)
	u.ProviderConfigReference.Kind = shared(u.ProviderConfigReference.Kind)
	for i := range u.OwnerReferences {
		r := &u.OwnerReferences[i]
		r.APIVersion, r.Kind = shared(r.APIVersion), shared(r.Kind)
	}
	u.Labels = c.shareLabels(u.ProviderConfigReference, u.Labels)
	return u, nil
}

// shareLabels gives one map for all usages of a config, if their labels are alike.
// Objects in the cache are copied before they are changed.
func (c *usages) shareLabels(ref xpv2.ProviderConfigReference, labels map[string]string) map[string]string {
	c.mu.Lock()
	defer c.mu.Unlock()
	known, ok := c.labels[ref]
	switch {
	case !ok:
		c.labels[ref] = labels
	case maps.Equal(known, labels):
		return known
	}
	return labels
}

// shared is s in memory that equal strings share.
func shared(s string) string { return unique.Make(s).Value() }
