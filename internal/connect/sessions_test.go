// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package connect

import (
	"errors"
	"strings"
	"sync"
	"testing"

	"github.com/crossplane/crossplane-runtime/v2/pkg/meta"
	"github.com/crossplane/crossplane-runtime/v2/pkg/reconciler/managed"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	dnsv1alpha1 "github.com/provider-cloudflare/provider-cloudflare/apis/dns/v1alpha1"
	"github.com/provider-cloudflare/provider-cloudflare/apis/v1alpha1"
)

func own() ConfigRef {
	return ConfigRef{v1alpha1.ProviderConfigKind, types.NamespacedName{Namespace: "a", Name: "own"}}
}

// owning returns a Record that may have an external resource.
func owning(mg *dnsv1alpha1.Record) *dnsv1alpha1.Record {
	meta.AddFinalizer(mg, managed.FinalizerName)
	return mg
}

func (b *bench) config(t *testing.T) *v1alpha1.ProviderConfig {
	t.Helper()
	pc := &v1alpha1.ProviderConfig{}
	if err := b.kube.Get(t.Context(), own().NamespacedName, pc); err != nil {
		t.Fatal(err)
	}
	return pc
}

func TestMayOwn(t *testing.T) {
	for reason, tc := range map[string]struct {
		change func(*dnsv1alpha1.Record)
		want   bool
	}{
		"nothing":                      {func(*dnsv1alpha1.Record) {}, false},
		"the runtime's finalizer":      {func(r *dnsv1alpha1.Record) { owning(r) }, true},
		"the finalizer of another":     {func(r *dnsv1alpha1.Record) { r.Finalizers = []string{"foregroundDeletion"} }, false},
		"an external name":             {func(r *dnsv1alpha1.Record) { meta.SetExternalName(r, "id") }, true},
		"a creation that is not over":  {func(r *dnsv1alpha1.Record) { meta.SetExternalCreatePending(r, metav1.Now().Time) }, true},
		"the deletion of such a thing": {func(r *dnsv1alpha1.Record) { deleted(owning(r)) }, true},
	} {
		mg := record("a", "ProviderConfig", "own")
		tc.change(mg)
		if got := MayOwn(mg); got != tc.want {
			t.Errorf("%s: %t, want %t", reason, got, tc.want)
		}
	}
}

// TestAConfigIsProtectedBeforeItIsUsed opens sessions of a config that has no finalizer yet.
func TestAConfigIsProtectedBeforeItIsUsed(t *testing.T) {
	b := newBench(t, providerConfig("a", "own"), secret("a", "own", token))
	stale := b.config(t)
	b.failWrite = errors.New("down")
	if _, err := b.For(t.Context(), record("a", "ProviderConfig", "own")); !errors.Is(err, b.failWrite) {
		t.Errorf("got %v, want no session of a config that is not protected", err)
	}
	b.failWrite = nil
	var wg sync.WaitGroup
	for range 20 {
		wg.Go(func() {
			if _, err := b.For(t.Context(), record("a", "ProviderConfig", "own")); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if !meta.FinalizerExists(b.config(t), Finalizer) || b.writes != 2 {
		t.Errorf("its finalizers are %v after %d updates, want one that was made", b.config(t).Finalizers, b.writes)
	}
	if err := b.Protect(t.Context(), own(), stale); err != nil || b.writes != 2 {
		t.Errorf("a cache that lags behind costs another update: %v", err)
	}

	// A user removes the finalizer.
	pc := b.config(t)
	pc.Finalizers = nil
	if err := b.kube.Update(t.Context(), pc); err != nil {
		t.Fatal(err)
	}
	if _, err := b.For(t.Context(), record("a", "ProviderConfig", "own")); err != nil || !meta.FinalizerExists(b.config(t), Finalizer) {
		t.Errorf("it is not put back: %v", err)
	}
}

func TestAConfigThatIsBeingDeletedServesItsUsersOnly(t *testing.T) {
	kept, others := providerConfig("a", "own"), providerConfig("a", "own")
	kept.Finalizers, others.Finalizers = []string{Finalizer}, []string{"foregroundDeletion"}
	for _, tc := range []struct {
		reason string
		pc     *v1alpha1.ProviderConfig
		mg     *dnsv1alpha1.Record
		served bool
	}{
		{"an object that has nothing at Cloudflare", kept, record("a", "ProviderConfig", "own"), false},
		{"one that may have", kept, owning(record("a", "ProviderConfig", "own")), true},
		{"one that is being deleted", kept, deleted(owning(record("a", "ProviderConfig", "own"))), true},
		{"one that comes when the config waits for nobody any more", others, owning(record("a", "ProviderConfig", "own")), false},
		{"one that cleans up at that time", others, deleted(owning(record("a", "ProviderConfig", "own"))), true},
	} {
		b := newBench(t, tc.pc.DeepCopy(), secret("a", "own", token))
		if err := b.kube.Delete(t.Context(), tc.pc.DeepCopy()); err != nil {
			t.Fatal(err)
		}
		_, err := b.For(t.Context(), tc.mg)
		var gone *ConfigDeletedError
		if got := errors.As(err, &gone); got == tc.served || tc.served && err != nil {
			t.Errorf("%s: %v, want that it is served: %t", tc.reason, err, tc.served)
		}
		if !tc.served && !strings.Contains(err.Error(), "ProviderConfig a/own is being deleted and serves no further object: name another config") {
			t.Errorf("%s: %v does not say what to do", tc.reason, err)
		}
	}
}

func TestAClosedConfigGivesNoSessions(t *testing.T) {
	pc := providerConfig("a", "own")
	pc.UID = "first"
	b := newBench(t, pc, secret("a", "own", token))
	refused := func(mg *dnsv1alpha1.Record) bool {
		t.Helper()
		_, err := b.For(t.Context(), mg)
		if err != nil && !errors.As(err, new(*ConfigDeletedError)) {
			t.Fatal(err)
		}
		return err != nil
	}
	ctx, end := Begin(t.Context())
	if _, err := b.Connections.For(ctx, record("a", "ProviderConfig", "own")); err != nil {
		t.Fatal(err)
	}
	if open := b.Close(own(), "first"); open != 1 {
		t.Errorf("%d sessions are open, want 1", open)
	}
	end()
	end() // A second call does nothing.
	if open := b.Close(own(), "first"); open != 0 {
		t.Errorf("%d sessions are open after their end", open)
	}
	for _, mg := range []*dnsv1alpha1.Record{record("a", "ProviderConfig", "own"), owning(record("a", "ProviderConfig", "own")), deleted(owning(record("a", "ProviderConfig", "own")))} {
		if !refused(mg) {
			t.Error("a config that is closed gives a session")
		}
	}
	b.Reopen(own())
	if refused(record("a", "ProviderConfig", "own")) {
		t.Error("a config that is open again gives no session")
	}

	// A config with the same name and another UID is another config.
	b.Close(own(), "first")
	if err := b.kube.Delete(t.Context(), b.config(t)); err != nil {
		t.Fatal(err)
	}
	gone := b.config(t)
	gone.Finalizers = nil
	if err := b.kube.Update(t.Context(), gone); err != nil {
		t.Fatal(err)
	}
	again := providerConfig("a", "own")
	again.UID = "second"
	if err := b.kube.Create(t.Context(), again); err != nil {
		t.Fatal(err)
	}
	if refused(record("a", "ProviderConfig", "own")) {
		t.Error("a config that was made again gives no session")
	}
	b.ForgetConfig(own())
	if len(b.sessions) != 0 || len(b.protected) != 0 {
		t.Errorf("%d configs are remembered", len(b.sessions)+len(b.protected))
	}
}

func TestASessionNeedsAReconcile(t *testing.T) {
	b := newBench(t, providerConfig("a", "own"), secret("a", "own", token))
	if _, err := b.Connections.For(t.Context(), record("a", "ProviderConfig", "own")); !errors.Is(err, errNoReconcile) {
		t.Errorf("got %v, want that nobody would know when it ends", err)
	}
}
