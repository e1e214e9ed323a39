// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package lifecycle

import (
	"fmt"
	"testing"

	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"

	dnsv1alpha1 "github.com/provider-cloudflare/provider-cloudflare/apis/dns/v1alpha1"
	cfv1alpha1 "github.com/provider-cloudflare/provider-cloudflare/apis/v1alpha1"
)

// TestSecretIsDeletedFirst deletes the Secret of objects that stay. The objects and
// the config report it, and the objects continue when the Secret is back.
func TestSecretIsDeletedFirst(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	r := w.made("www")
	w.delete(w.secret(w.ns))
	w.patch(r, `{"spec":{"forProvider":{"content":"192.0.2.2"}}}`)
	w.says(r, xpv2.TypeSynced, "cannot read the credentials Secret "+w.ns+"/cloudflare", "not found")
	w.says(w.config(), xpv2.TypeReady, "cannot read the credentials Secret "+w.ns+"/cloudflare", "not found")
	w.create(w.secret(w.ns))
	w.settled(r)
	if got := w.live(); len(got) != 1 || got[0].Content != "192.0.2.2" {
		t.Errorf("the live records are %+v", got)
	}
	w.delete(w.secret(w.ns))
	w.delete(r)
	w.gone(r)
	w.count(0)
	w.users(w.config(), 0)
}

// TestConfigIsDeletedFirst deletes the config of objects that stay. The config waits
// for its objects, serves them, and is gone with the last of them.
func TestConfigIsDeletedFirst(t *testing.T) {
	t.Parallel()
	for _, kind := range []string{cfv1alpha1.ProviderConfigKind, cfv1alpha1.ClusterProviderConfigKind} {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			var pc conditioned = w.config()
			ref := w.configRef()
			if kind == cfv1alpha1.ClusterProviderConfigKind {
				cluster := w.clusterConfig(w.ns)
				w.create(cluster)
				pc, ref = cluster, &xpv2.ProviderConfigReference{Kind: kind, Name: cluster.Name}
			}
			a, b := w.record("a"), w.record("b")
			for _, r := range []*dnsv1alpha1.Record{a, b} {
				r.Spec.ProviderConfigReference = ref
				w.create(r)
				w.settled(r)
			}
			w.delete(pc)
			w.says(pc, xpv2.TypeReady, "deletion waits for 2 managed resources", "delete them, or name another config")
			w.patch(a, `{"spec":{"forProvider":{"content":"192.0.2.2"}}}`)
			w.settled(a)
			w.delete(a)
			w.gone(a)
			w.says(pc, xpv2.TypeReady, "deletion waits for 1 managed resources", w.ns+"/b")
			other := w.config()
			other.Name = "other"
			w.create(other)
			w.patch(b, fmt.Sprintf(`{"spec":{"providerConfigRef":{"kind":%q,"name":"other"}}}`, cfv1alpha1.ProviderConfigKind))
			w.gone(pc)
			w.settled(b)
			w.users(other, 1)
			w.delete(b)
			w.gone(b)
			w.users(other, 0)
			w.count(0)
		})
	}
}

// TestCredentialNeverRead deletes an object whose Secret was deleted while no
// provider ran. The object reports what helps, and is gone when the Secret is back.
// It is not parallel.
func TestCredentialNeverRead(t *testing.T) {
	w := newWorld(t)
	r := w.made("www")
	w.without(t, func() {
		w.delete(w.secret(w.ns))
		w.delete(r)
	})
	w.says(r, xpv2.TypeSynced, "cannot read the credentials Secret", "bring it back")
	w.count(1)
	w.create(w.secret(w.ns))
	w.gone(r)
	w.count(0)
	w.users(w.config(), 0)
}
