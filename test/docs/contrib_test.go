// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package docs

import (
	"strings"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/utils/ptr"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// contribKind returns a CRD of crossplane-contrib's provider that has what the page needs: it
// is cluster-scoped, and takes fields of any type.
func contribKind(group, kind string) client.Object {
	plural := strings.ToLower(kind) + "s"
	return &apiextensionsv1.CustomResourceDefinition{
		ObjectMeta: metav1.ObjectMeta{Name: plural + "." + group},
		Spec: apiextensionsv1.CustomResourceDefinitionSpec{
			Group: group, Scope: apiextensionsv1.ClusterScoped,
			Names: apiextensionsv1.CustomResourceDefinitionNames{Plural: plural, Singular: strings.ToLower(kind), Kind: kind, ListKind: kind + "List"},
			Versions: []apiextensionsv1.CustomResourceDefinitionVersion{{
				Name: "v1alpha1", Served: true, Storage: true,
				Schema: &apiextensionsv1.CustomResourceValidation{OpenAPIV3Schema: &apiextensionsv1.JSONSchemaProps{
					Type: "object", XPreserveUnknownFields: ptr.To(true),
				}},
			}},
		},
	}
}

func contribKinds() []client.Object {
	return []client.Object{contribKind("dns.cloudflare.crossplane.io", "Record"), contribKind("zone.cloudflare.crossplane.io", "Zone")}
}

// contribObject returns an object of such a kind with the deletion policy Delete, and with a
// finalizer, which keeps it until the finalizer is removed.
func contribObject(group, kind, name, id string, parameters map[string]any) client.Object {
	o := &unstructured.Unstructured{Object: map[string]any{"spec": map[string]any{"deletionPolicy": "Delete", "forProvider": parameters}}}
	o.SetAPIVersion(group + "/v1alpha1")
	o.SetKind(kind)
	o.SetName(name)
	o.SetAnnotations(map[string]string{"crossplane.io/external-name": id})
	o.SetFinalizers([]string{"finalizer.managedresource.crossplane.io"})
	return o
}

// contribObjects returns the objects of the zone and its records.
func contribObjects(c *cloud) []client.Object {
	z := c.sim.Zones()[0]
	out := []client.Object{contribObject("zone.cloudflare.crossplane.io", "Zone", "example-com", z.ID, map[string]any{
		"accountId": z.AccountID, "type": "full", "jumpStart": false, "settings": map[string]any{"ssl": "strict"},
	})}
	for _, r := range c.sim.Records(z.ID) {
		name := "www"
		p := map[string]any{"zone": z.ID, "type": r.Type, "name": r.Name, "content": r.Content, "ttl": int64(r.TTL)}
		if r.Priority != nil {
			name, p["priority"] = "mail", int64(*r.Priority)
		}
		out = append(out, contribObject("dns.cloudflare.crossplane.io", "Record", name, r.ID, p))
	}
	return out
}
