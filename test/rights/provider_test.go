// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package rights

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/crossplane/crossplane-runtime/v2/pkg/meta"
	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"
	rbacv1 "k8s.io/api/rbac/v1"
	kerrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	dnsv1alpha1 "github.com/provider-cloudflare/provider-cloudflare/apis/dns/v1alpha1"
	cfv1alpha1 "github.com/provider-cloudflare/provider-cloudflare/apis/v1alpha1"
	"github.com/provider-cloudflare/provider-cloudflare/internal/cfsim"
)

const lease = "crossplane-leader-election-provider-cloudflare"

func minimum() string { return filepath.Join("..", "..", "cluster", "rbac", "provider.yaml") }

// TestMinimum runs the provider with the rights of cluster/rbac/provider.yaml: no
// request is refused, and no right is unused. The API server is as one before
// Kubernetes 1.32, where what is watched has to be listed first.
func TestMinimum(t *testing.T) {
	w := newWorld(t, setting{"feature-gates", "WatchList=false"})
	w.apply(minimum())
	t.Cleanup(w.notRefused)
	w.live()
	did := audit(t, w.log, user)
	granted := rights(rules(t, minimum())...)
	for r := range granted {
		// TestFinalizers shows what the rights on finalizers are for: the API server asks
		// for them itself.
		if did.used[r] == 0 && did.asked[r] == 0 && !strings.HasSuffix(r.resource, "/finalizers") {
			t.Errorf("not used: %s", r)
		}
	}
	if t.Failed() {
		t.Logf("used: %q", sorted(did.used))
	}
}

// TestCrossplanesGrant runs the provider with what Crossplane's RBAC manager grants
// it, which is more in some and less in others than one would think: nothing of its
// own may be deleted.
func TestCrossplanesGrant(t *testing.T) {
	w := newWorld(t)
	w.apply(filepath.Join("testdata", "crossplane.yaml"))
	t.Cleanup(w.notRefused)
	w.live()
}

// notRefused says what the provider was refused, which is what it failed for if it did.
func (w *world) notRefused() {
	for _, r := range audit(w.t, w.log, user).refused {
		w.t.Errorf("refused: %s", r)
	}
}

// TestMinimumIsWithinCrossplanesGrant compares the roles: a right of the minimum that
// Crossplane does not grant would be missing in every cluster.
func TestMinimumIsWithinCrossplanesGrant(t *testing.T) {
	granted := rights(rules(t, filepath.Join("testdata", "crossplane.yaml"))...)
	for r := range rights(rules(t, minimum())...) {
		group, name, _ := strings.Cut(r.resource, "/")
		_, sub, _ := strings.Cut(name, "/")
		if !granted[r] && !granted[right{"*", r.resource}] && !granted[right{r.verb, kind(group, "*", sub)}] {
			t.Errorf("Crossplane does not grant: %s", r)
		}
	}
}

// TestFinalizers shows that the rights on finalizers are needed where the API server
// checks who may block deletions.
func TestFinalizers(t *testing.T) {
	w := newWorld(t, setting{"enable-admission-plugins", "OwnerReferencesPermissionEnforcement"})
	w.serve()
	w.apply(minimum())
	provider, err := client.New(w.serviceAccount(), client.Options{Scheme: w.kube.Scheme()})
	if err != nil {
		t.Fatal(err)
	}
	owner := w.record(cfsim.Zone{ID: strings.Repeat("0", 32)}, "www", "A", "192.0.2.1")
	w.create(owner)
	use := func() error {
		mg := meta.AsController(meta.TypedReferenceTo(owner, dnsv1alpha1.RecordGroupVersionKind))
		u := &cfv1alpha1.ProviderConfigUsage{ObjectMeta: in(tenant, string(owner.UID))}
		u.OwnerReferences = []metav1.OwnerReference{mg}
		u.SetProviderConfigReference(xpv2.ProviderConfigReference{Kind: "ProviderConfig", Name: "default"})
		u.SetResourceReference(xpv2.TypedReference{APIVersion: mg.APIVersion, Kind: mg.Kind, Name: mg.Name})
		return provider.Create(t.Context(), u)
	}
	// The API server takes a moment to find a kind that is new, and refuses until then.
	w.eventually(use)

	w.delete(&cfv1alpha1.ProviderConfigUsage{ObjectMeta: in(tenant, string(owner.UID))})
	edit(w, &rbacv1.ClusterRole{ObjectMeta: metav1.ObjectMeta{Name: account}}, func(r *rbacv1.ClusterRole) {
		r.Rules = slices.DeleteFunc(r.Rules, func(p rbacv1.PolicyRule) bool { return strings.HasSuffix(p.Resources[0], "/finalizers") })
	})
	w.eventually(func() error {
		err := use()
		if kerrors.IsForbidden(err) && strings.Contains(err.Error(), "blockOwnerDeletion") {
			return nil
		}
		if err == nil {
			w.delete(&cfv1alpha1.ProviderConfigUsage{ObjectMeta: in(tenant, string(owner.UID))})
		}
		return fmt.Errorf("without the right, a usage that blocks the deletion of its owner is not refused: %w", err)
	})
}
