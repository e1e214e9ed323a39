// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package kinds

import (
	"testing"

	"github.com/provider-cloudflare/provider-cloudflare/internal/controller/described"
	"github.com/provider-cloudflare/provider-cloudflare/internal/kind"
	"github.com/provider-cloudflare/provider-cloudflare/internal/kinds"
)

// TestLife leads one object of each kind through its life: one world shows what several rows show in a world
// each. It is the test for every kind on a real API server.
func TestLife(t *testing.T) {
	for _, d := range kinds.All() {
		t.Run(d.Name, func(t *testing.T) {
			inParallel(t, func(t *testing.T) { live(newWorld(t, d)) }, kindsOf(t, d.Name)...)
		})
	}
}

// live applies the example. A change outside the provider follows, then a second object that observes, then
// an edit and the deletion of the object. A step is left out if the kind is excused from its row.
func live(w *world) {
	mg := w.apply()
	for _, step := range []struct {
		row  string
		show func(*world, described.Object)
	}{
		{"ForeignChangeReverted", revertsOneChange},
		{"OnlyObserved", changesNothing},
		{"FieldUpdated", updatesFields},
		{"Deleted", leavesNothing},
	} {
		if _, excused := w.d.Excused[step.row]; !excused {
			step.show(w, mg)
		}
	}
}

// revertsOneChange shows that the change of one declared value is found and reverted.
func revertsOneChange(w *world, mg described.Object) {
	w.T.Helper()
	leaves := w.leaves()
	revertsChanges(w, mg, leaves[:min(1, len(leaves))])
}

// shapes returns kinds that stand for all forms of kinds: their rows are shown on a real API server.
func shapes() []string {
	return []string{
		"Tunnel",              // It is a collection of an account, with a connection secret.
		"KVNamespace",         // Its natural key is its name.
		"LoadBalancer",        // It is in a zone, and has references.
		"ZoneSetting",         // It is a singleton of a zone.
		"R2BucketLifecycle",   // It is a singleton that can be unset.
		"RulesetRule",         // It is a fragment of a document with versions.
		"TunnelIngress",       // It is a fragment of a document without versions.
		"RulesListItem",       // It is written in bulk.
		"OriginCACertificate", // It is a certificate with its key.
		"WorkerScript",        // It is an upload.
	}
}

// TestShapes shows that these kinds exist and cover all shapes.
func TestShapes(t *testing.T) {
	names, shown := map[string]kind.Description{}, map[kind.Shape]bool{}
	for _, d := range kinds.All() {
		names[d.Name] = d
	}
	for _, name := range shapes() {
		d, ok := names[name]
		if !ok {
			t.Errorf("there is no kind %s", name)
		}
		shown[d.Shape] = true
	}
	for _, d := range names {
		if !shown[d.Shape] {
			t.Errorf("no kind of shape %v is among those that stand for all, such as %s", d.Shape, d.Name)
		}
	}
}
