// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package behaviour

import (
	"maps"
	"slices"
	"testing"

	"github.com/crossplane/crossplane-runtime/v2/pkg/meta"
	"k8s.io/utils/ptr"

	dnsv1alpha1 "github.com/provider-cloudflare/provider-cloudflare/apis/dns/v1alpha1"
)

const (
	records = "dns.cloudflare.m.crossplane.io/records"
	zones   = "zone.cloudflare.m.crossplane.io/zones"
)

// prints expects these cells in the row of an object.
func (w *world) prints(resource, name string, want map[string]string) {
	w.t.Helper()
	row := w.table(resource, name)
	for _, column := range slices.Sorted(maps.Keys(want)) {
		if row[column] != want[column] {
			w.t.Errorf("%s %s: column %s is %q, want %q", resource, name, column, row[column], want[column])
		}
	}
}

// nothing is the value of a cell for which kubectl prints nothing.
const nothing = "<nil>"

func TestColumns(t *testing.T) {
	t.Parallel()
	onReal(t)
	w := newWorld(t)
	r := w.made("@", "TXT", "hello world")
	w.prints(records, r.Name, map[string]string{
		"READY": "True", "SYNCED": "True", "UPTODATE": "True", "TYPE": "TXT", "FQDN": w.zone.Name, "CONTENT": r.Status.AtProvider.Content,
		"PROXIED": "false", "ZONE": w.zone.Name, "ZONE-ID": w.zone.ID, "EXTERNAL-NAME": r.Status.AtProvider.ID, "TTL": "1",
	})
	if got := w.table(records, r.Name)["LAST-WRITE"]; got == nothing || got == "" {
		t.Errorf("the column LAST-WRITE is %q: the record was created", got)
	}
	z := w.zoneObject("zone", w.zone.Name)
	w.create(z)
	settled(w, z)
	w.prints(zones, z.Name, map[string]string{"READY": "True", "SYNCED": "True", "UPTODATE": "True", "ZONE": w.zone.Name, "STATUS": "active"})
}

// TestColumnsBeforeTheFirstLook shows that the columns show what an object declares,
// even if the provider has not observed it. It is paused, or its credential does not
// work.
func TestColumnsBeforeTheFirstLook(t *testing.T) {
	t.Parallel()
	onReal(t)
	w := newWorld(t)
	paused := func(r *dnsv1alpha1.Record) {
		meta.AddAnnotations(r, map[string]string{meta.AnnotationKeyReconciliationPaused: "true"})
	}
	byName := parameters(func(p *dnsv1alpha1.RecordParameters) { p.ZoneID, p.ZoneName = nil, ptr.To(w.zone.Name) })
	noSuchZone := parameters(func(p *dnsv1alpha1.RecordParameters) { p.ZoneID, p.ZoneName = nil, ptr.To("Elsewhere.example.") })

	r := w.record("www", "A", "192.0.2.1", byName, paused)
	w.create(r)
	w.prints(records, r.Name, map[string]string{"TYPE": "A", "FQDN": "www", "CONTENT": nothing, "PROXIED": nothing, "ZONE": w.zone.Name, "UPTODATE": nothing})

	r = w.record("www", "CNAME", "target.example.net", noSuchZone)
	w.create(r)
	refused(w, r, "elsewhere.example")
	w.prints(records, r.Name, map[string]string{"SYNCED": "False", "TYPE": "CNAME", "FQDN": "www.elsewhere.example", "ZONE": "elsewhere.example", "CONTENT": nothing})

	z := w.zoneObject("zone", w.zone.Name)
	meta.AddAnnotations(z, map[string]string{meta.AnnotationKeyReconciliationPaused: "true"})
	w.create(z)
	w.prints(zones, z.Name, map[string]string{"ZONE": w.zone.Name, "STATUS": nothing})
}
