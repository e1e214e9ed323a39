// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package kinds

import (
	"testing"

	"github.com/provider-cloudflare/provider-cloudflare/internal/controller/described"
	"github.com/provider-cloudflare/provider-cloudflare/internal/kind"
	"github.com/provider-cloudflare/provider-cloudflare/internal/kinds"
)

// TestLife leads one object of each kind through what its user does with it: one world shows in turn what
// rows show in a world each. It is what a real API server is to show of every kind.
func TestLife(t *testing.T) {
	for _, d := range kinds.All() {
		t.Run(d.Name, func(t *testing.T) {
			inParallel(t, func(t *testing.T) { live(newWorld(t, d)) }, kindsOf(t, d.Name)...)
		})
	}
}

// live applies the example, and has its resource changed by somebody else and observed by another object, and
// its object edited and deleted. A step whose row the kind is excused from is left out.
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

// shapes are kinds that stand for all forms that a kind has: rows of these are shown on a real API server.
func shapes() []string {
	return []string{
		"Tunnel",              // A collection of an account, with a connection secret.
		"KVNamespace",         // One whose natural key is its name.
		"LoadBalancer",        // One of a zone, with references.
		"ZoneSetting",         // A singleton of a zone.
		"R2BucketLifecycle",   // A singleton that is unset.
		"RulesetRule",         // A fragment of a document with versions.
		"TunnelIngress",       // A fragment of one without.
		"RulesListItem",       // One that is written in bulk.
		"OriginCACertificate", // A certificate with its key.
		"WorkerScript",        // An upload.
	}
}

// TestShapes shows that these kinds exist, and have all shapes.
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
