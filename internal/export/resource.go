// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package export

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/crossplane/crossplane-runtime/v2/pkg/meta"
	"github.com/crossplane/crossplane-runtime/v2/pkg/resource"
	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"

	"github.com/provider-cloudflare/provider-cloudflare/internal/kind"
)

// A Described object is of a kind that a description defines.
type Described interface {
	resource.ModernManaged
	// GetForProvider returns a pointer to spec.forProvider.
	GetForProvider() any
}

// Resource fills object, which must be new, with the manifest of a resource of the kind d. It
// leaves out what no answer shows, such as secrets.
func (o Options) Resource(d kind.Description, object Described, r kind.Resource) {
	o.resource(d, object, r, resourceName(d, r, newObjects()), newObjects())
}

func (o Options) resource(d kind.Description, object Described, r kind.Resource, name string, known objects) {
	spec := object.GetForProvider()
	d = d.Of(spec)
	kind.Decode(d.Declared(r.Live), spec)
	kind.SetParameters(spec, owner(r.Parameters))
	d.Refer(spec, known.name)
	object.SetName(name)
	object.SetNamespace(o.Namespace)
	meta.SetExternalName(object, r.ID)
	s := o.spec()
	object.SetProviderConfigReference(s.ProviderConfigReference)
	if !o.Manage || unmanageable(d) != "" {
		object.SetManagementPolicies(xpv2.ManagementPolicies{xpv2.ManagementActionObserve})
	}
}

// unmanageable says why a manifest cannot declare everything that managing the resource needs, "" if it can.
func unmanageable(d kind.Description) string {
	if d.Upload != nil {
		return "no answer of Cloudflare has its files: add them, and remove managementPolicies"
	}
	for _, path := range slices.Sorted(maps.Keys(d.Fields)) {
		if f := d.Fields[path]; f.Required && f.Secret {
			return "no manifest has its " + path + ": name the key of a Secret that has it in spec.forProvider, and remove managementPolicies"
		}
	}
	return ""
}

// owner returns params without the account if the resource belongs to a zone.
func owner(params map[string]string) map[string]string {
	if params["zone_id"] == "" {
		return params
	}
	out := map[string]string{}
	for name, v := range params {
		if name != "account_id" {
			out[name] = v
		}
	}
	return out
}

// resourceName returns the name of the object of a resource. It is the name that the resource has at
// Cloudflare, with the first characters of its ID. If the resource is a singleton, or its ID was not
// generated, the name is that of the kind with the ID. A part of the ID that is another resource's
// ID is replaced by the name of that resource's object.
func resourceName(d kind.Description, r kind.Resource, known objects) string {
	if d.Shape == kind.Singleton || !generated(r.ID) {
		var parts []string
		for part := range strings.SplitSeq(r.ID, "/") {
			parts = append(parts, cmp.Or(known.owner[part], part))
		}
		return subdomain(strings.ToLower(d.Name) + "-" + strings.Join(parts, "-"))
	}
	name := ""
	for _, path := range append(append([]string{}, d.Natural...), "name", "title", "description") {
		name = cmp.Or(name, kind.Text(r.Live, path))
	}
	name = strings.Join(strings.Fields(cmp.Or(name, d.Name)), "-")
	return subdomain(name) + "-" + r.ID[:idLength]
}

// distinct returns another name for a resource whose name is taken by another object.
func distinct(name string, r kind.Resource) string {
	h := sha256.New()
	for _, parameter := range slices.Sorted(maps.Keys(r.Parameters)) {
		_, _ = fmt.Fprintf(h, "%s=%s ", parameter, r.Parameters[parameter]) // Writing to a hash never fails.
	}
	_, _ = io.WriteString(h, r.ID)
	return name + "-" + hex.EncodeToString(h.Sum(nil))[:idLength]
}

// generated reports whether Cloudflare generated an ID: 32 hexadecimal digits, or a UUID.
func generated(id string) bool {
	digits := strings.ReplaceAll(id, "-", "")
	return len(digits) == 32 && strings.Trim(digits, "0123456789abcdef") == ""
}
