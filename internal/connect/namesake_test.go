// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package connect

import (
	"errors"
	"net/http"
	"slices"
	"testing"
	"time"

	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"
	kerrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/types"

	"github.com/provider-cloudflare/provider-cloudflare/apis/v1alpha1"
	"github.com/provider-cloudflare/provider-cloudflare/internal/cloudflare"
)

// again removes the config a/own in spite of its finalizer and creates another one of its name, as the next owner of a
// namespace's name does.
func (b *bench) again(t *testing.T, edit func(*v1alpha1.ProviderConfig)) {
	t.Helper()
	pc := &v1alpha1.ProviderConfig{}
	if err := b.kube.Get(t.Context(), types.NamespacedName{Namespace: "a", Name: "own"}, pc); err != nil {
		t.Fatal(err)
	}
	pc.Finalizers = nil
	next := providerConfig("a", "own")
	next.UID = "new"
	edit(next)
	for _, err := range []error{b.kube.Update(t.Context(), pc), b.kube.Delete(t.Context(), pc), b.kube.Create(t.Context(), next)} {
		if err != nil {
			t.Fatal(err)
		}
	}
	b.ForgetConfig(ConfigRef{v1alpha1.ProviderConfigKind, types.NamespacedName{Namespace: "a", Name: "own"}})
}

// TestNamesake expects the last known credential to serve the config that used it, and no other that later has its name
// or names its Secret.
func TestNamesake(t *testing.T) {
	const wait = 90 * time.Minute
	same := func(*v1alpha1.ProviderConfig) {}
	for _, row := range []struct {
		reason string
		// next, unless nil, edits a config that is created under the name of the first.
		next   func(*v1alpha1.ProviderConfig)
		passes time.Duration
		// quiet is true if the deletion of the Secret is not reported.
		quiet, live, served bool
	}{
		{reason: "the config that used it", passes: wait, served: true},
		{reason: "another config of its name", next: same, passes: wait},
		{reason: "another config of its name, at once, before the deletion of the Secret is reported", next: same, quiet: true},
		{reason: "the same for an object that is not being deleted", next: same, quiet: true, live: true},
		{reason: "the config that used it, which names another Secret by now", next: func(pc *v1alpha1.ProviderConfig) {
			pc.UID, pc.Generation, pc.Spec.Credentials.SecretRef.Name = "old", 2, "next"
		}, passes: wait},
	} {
		old := providerConfig("a", "own")
		old.UID = "old"
		b := newBench(t, old, secret("a", "own", token))
		if _, err := b.For(t.Context(), record("a", "ProviderConfig", "own")); err != nil {
			t.Fatal(err)
		}
		if err := b.kube.Delete(t.Context(), secret("a", "own", "")); err != nil {
			t.Fatal(err)
		}
		if !row.quiet {
			b.Forget(ownSecret())
		}
		if row.next != nil {
			b.again(t, row.next)
		}
		b.pass(row.passes)
		mg := owning(record("a", "ProviderConfig", "own"))
		if !row.live {
			mg = deleted(mg)
		}
		s, err := b.For(t.Context(), mg)
		if served := err == nil && s.Client.Fingerprint() == cloudflare.NewToken(token).Fingerprint(nil); served != row.served || !served && !kerrors.IsNotFound(err) {
			t.Errorf("%s: served with the credential: %t, want %t (%v)", row.reason, served, row.served, err)
		}
		var stuck *DeletionBlockedError
		waits := mg.GetCondition(xpv2.TypeReady).Reason == ReasonDeletionBlocked && errors.As(err, &stuck)
		if want := !row.served && !row.live; waits != want {
			t.Errorf("%s: the object says that its deletion waits: %t, want %t (%v)", row.reason, waits, want, err)
		}
	}
}

// sentBy is the credential that each client sends.
type sentBy struct{ sent []string }

func (s *sentBy) RoundTrip(r *http.Request) (*http.Response, error) {
	s.sent = append(s.sent, r.Header.Get("Authorization"))
	return cloud{status: http.StatusOK, body: `{"success":true,"result":{"id":"0","status":"active"}}`}.RoundTrip(r)
}

// TestAlikeFingerprints expects that two tokens with the same fingerprint have different clients.
func TestAlikeFingerprints(t *testing.T) {
	b := newBench(t, providerConfig("a", "own"), secret("a", "own", token), providerConfig("b", "own"), secret("b", "own", "forged-token"))
	calls := &sentBy{}
	b.o.Client.Transport, b.o.Client.Fingerprint = calls, func(string) string { return "alike" }
	var clients []*cloudflare.Client
	for _, namespace := range []string{"a", "b"} {
		s, err := b.For(t.Context(), record(namespace, "ProviderConfig", "own"))
		if err != nil {
			t.Fatal(err)
		}
		if err := s.Client.Verify(t.Context(), ""); err != nil {
			t.Fatal(err)
		}
		clients = append(clients, s.Client)
	}
	if want := []string{"Bearer " + token, "Bearer forged-token"}; clients[0] == clients[1] || !slices.Equal(calls.sent, want) {
		t.Errorf("the objects of the namespaces sent %d credentials, with one client: %t", len(slices.Compact(calls.sent)), clients[0] == clients[1])
	}
}
