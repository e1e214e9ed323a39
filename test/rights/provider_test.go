// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package rights

import (
	"path/filepath"
	"strings"
	"testing"
)

const lease = "crossplane-leader-election-provider-cloudflare"

func minimum() string { return filepath.Join("..", "..", "cluster", "rbac", "provider.yaml") }

// TestMinimum runs the provider with the rights of cluster/rbac/provider.yaml and kinds.yaml, and
// with the policy of secrets.yaml. No request is refused, and no right is unused. The API server
// behaves like one before Kubernetes 1.32, in which a watch needs the right to list.
func TestMinimum(t *testing.T) {
	w := newWorld(t, setting{"feature-gates", "WatchList=false"})
	w.apply(minimum())
	w.apply(generatedKinds())
	w.apply(secretsPolicy())
	w.inForce(namespace, account)
	t.Cleanup(w.notRefused)
	w.live()
	did := audit(t, w.log, user)
	used, described := map[right]bool{}, rights(rules(t, generatedKinds())...)
	for _, m := range []map[right]int{did.used, did.asked} {
		for r := range m {
			used[byEngine(described, r)] = true
		}
	}
	for r := range rights(append(rules(t, minimum()), rules(t, generatedKinds())...)...) {
		if !used[byEngine(described, r)] {
			t.Errorf("not used: %s", r)
		}
	}
	if t.Failed() {
		t.Logf("used: %q", sorted(did.used))
	}
}

// TestCrossplanesGrant runs the provider with the rights that Crossplane's RBAC manager grants.
// They are broader than the minimum in some parts, and lack the right to delete objects of the
// provider's own kinds.
func TestCrossplanesGrant(t *testing.T) {
	w := newWorld(t)
	w.apply(filepath.Join("testdata", "crossplane.yaml"))
	w.grantPackage()
	t.Cleanup(w.notRefused)
	w.live()
}

// notRefused reports the refused requests of the provider, which are the reason for its failure.
func (w *world) notRefused() { w.notRefusedTo(user) }

// notRefusedTo reports the refused requests of a user.
func (w *world) notRefusedTo(user string) {
	for _, r := range audit(w.t, w.log, user).refused {
		w.t.Errorf("refused: %s", r)
	}
}

// TestMinimumIsWithinCrossplanesGrant compares the roles. A right of the minimum that Crossplane
// does not grant would be missing in every cluster.
func TestMinimumIsWithinCrossplanesGrant(t *testing.T) {
	granted := rights(append(rules(t, filepath.Join("testdata", "crossplane.yaml")), packageGrant(t)...)...)
	for r := range rights(append(rules(t, minimum()), rules(t, generatedKinds())...)...) {
		group, name, _ := strings.Cut(r.resource, "/")
		_, sub, _ := strings.Cut(name, "/")
		if !granted[r] && !granted[right{"*", r.resource}] && !granted[right{r.verb, kind(group, "*", sub)}] {
			t.Errorf("Crossplane does not grant: %s", r)
		}
	}
}
