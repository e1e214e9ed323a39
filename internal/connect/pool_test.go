// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package connect

import (
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/provider-cloudflare/provider-cloudflare/apis/v1alpha1"
	"github.com/provider-cloudflare/provider-cloudflare/internal/cloudflare"
)

const idle = 2 * time.Hour

// cloud has one answer for every call.
type cloud struct {
	status int
	body   string
	header http.Header
}

func (c cloud) RoundTrip(r *http.Request) (*http.Response, error) {
	return &http.Response{StatusCode: c.status, Header: c.header, Body: io.NopCloser(strings.NewReader(c.body)), Request: r}, nil
}

func limited(namespace, name string, requests int32) *v1alpha1.ProviderConfig {
	pc := providerConfig(namespace, name)
	pc.Spec.RateLimit = &v1alpha1.RateLimit{RequestsPerFiveMinutes: requests}
	return pc
}

func (b *bench) open(t *testing.T, pc *v1alpha1.ProviderConfig) *cloudflare.Client {
	t.Helper()
	s, err := b.Open(t.Context(), FromProviderConfig(pc))
	if err != nil {
		t.Fatal(err)
	}
	return s.Client
}

// keep calls each use once within each idle time, for a day.
func (b *bench) keep(use ...func()) {
	for range 24 {
		b.pass(idle / 2)
		for _, u := range use {
			u()
		}
		b.Clients()
	}
}

func (b *bench) size() (readings, clients int) {
	b.Connections.mu.Lock()
	defer b.Connections.mu.Unlock()
	return len(b.read), len(b.clients)
}

func TestTheConfigThatAllowsLeastDecides(t *testing.T) {
	same := []client.Object{secret("a", "one", token), secret("a", "two", token), secret("a", "free", token)}
	tests := []struct {
		reason string
		opened []*v1alpha1.ProviderConfig
		want   int
	}{
		{"none bounds it: what the API allows", []*v1alpha1.ProviderConfig{providerConfig("a", "free")}, cloudflare.DefaultRequests},
		{"one does", []*v1alpha1.ProviderConfig{limited("a", "one", 300)}, 300},
		{"two do", []*v1alpha1.ProviderConfig{limited("a", "one", 300), limited("a", "two", 80)}, 80},
		{"two do, the other way round", []*v1alpha1.ProviderConfig{limited("a", "two", 80), limited("a", "one", 300)}, 80},
		{"one does not", []*v1alpha1.ProviderConfig{limited("a", "one", 300), providerConfig("a", "free")}, 300},
		{"a bound that was lifted", []*v1alpha1.ProviderConfig{limited("a", "one", 300), providerConfig("a", "one")}, cloudflare.DefaultRequests},
		{"a bound that was lowered", []*v1alpha1.ProviderConfig{limited("a", "one", 300), limited("a", "one", 20)}, 20},
		{"a bound beyond what the API allows", []*v1alpha1.ProviderConfig{limited("a", "one", 5000)}, cloudflare.DefaultRequests},
	}
	for _, tc := range tests {
		b := newBench(t, same...)
		var c *cloudflare.Client
		for _, pc := range tc.opened {
			c = b.open(t, pc)
		}
		if got := c.Budget().Limit; got != tc.want {
			t.Errorf("%s: %d requests, want %d", tc.reason, got, tc.want)
		}
	}
}

func TestFingerprintOfAConfig(t *testing.T) {
	b := newBench(t, secret("a", "own", token), secret("a", "broken", " "))
	own, broken := FromProviderConfig(providerConfig("a", "own")), FromProviderConfig(providerConfig("a", "broken"))
	if got := b.Fingerprint(own.Name); got != "" {
		t.Errorf("a config that was never used uses %q", got)
	}
	c := b.open(t, providerConfig("a", "own"))
	if got := b.Fingerprint(own.Name); got != c.Fingerprint() {
		t.Errorf("the config uses %q, want %q", got, c.Fingerprint())
	}
	if _, err := b.Open(t.Context(), broken); err == nil || b.Fingerprint(broken.Name) != "" {
		t.Errorf("a config without a credential uses %q, %v", b.Fingerprint(broken.Name), err)
	}
	b.pass(idle)
	b.Clients()
	if got := b.Fingerprint(own.Name); got != "" {
		t.Errorf("a config that nobody used for two hours uses %q", got)
	}
}

func TestIdleIsDropped(t *testing.T) {
	b := newBench(t, secret("a", "own", token), secret("a", "other", "other-token"))
	own, other := b.open(t, providerConfig("a", "own")), b.open(t, providerConfig("a", "other"))
	if got := b.Clients(); len(got) != 2 {
		t.Fatalf("%d clients in use, want 2", len(got))
	}
	b.pass(idle - 1)
	b.open(t, providerConfig("a", "own"))
	if readings, clients := b.size(); readings != 2 || clients != 2 {
		t.Errorf("%d credentials and %d clients just before two hours, want 2 and 2", readings, clients)
	}
	b.keep(func() {
		if b.open(t, providerConfig("a", "own")) != own {
			t.Fatal("a client in use was dropped")
		}
	})
	if readings, clients := b.size(); readings != 1 || clients != 1 || b.Clients()[0] != own {
		t.Errorf("%d credentials and %d clients, want those in use", readings, clients)
	}
	if b.open(t, providerConfig("a", "other")) == other {
		t.Error("a client that nobody used for a day is still there")
	}
	// If no caller asks any more, the collection of metrics drops the rest.
	b.pass(idle)
	if got := b.Clients(); len(got) != 0 {
		t.Errorf("%d clients are in use after nobody used any", len(got))
	}
}

// TestAReplacedCredentialIsDropped expects the client of a replaced credential to be dropped.
func TestAReplacedCredentialIsDropped(t *testing.T) {
	b := newBench(t, secret("a", "own", token))
	old := b.open(t, providerConfig("a", "own"))
	if err := b.kube.Update(t.Context(), secret("a", "own", "new-token")); err != nil {
		t.Fatal(err)
	}
	b.Forget(types.NamespacedName{Namespace: "a", Name: "own"})
	b.keep(func() { b.open(t, providerConfig("a", "own")) })
	got := b.Clients()
	if len(got) != 1 || got[0] == old {
		t.Errorf("%v are in use, want the new credential's client", got)
	}
}

func TestAClientThatIsCalledWithStays(t *testing.T) {
	b := newBench(t, secret("a", "own", token))
	b.o.Client.Transport = cloud{status: 200, body: `{"success":true,"result":[]}`}
	c := b.open(t, limited("a", "own", 300))
	b.keep(func() {
		if _, err := c.FindZones(t.Context(), "example.com", "", false); err != nil {
			t.Fatal(err)
		}
	})
	if b.open(t, limited("a", "own", 300)) != c {
		t.Error("a credential that is swept with got a second client, and so a second budget")
	}
	if got := c.Budget().Limit; got != 300 {
		t.Errorf("%d requests are allowed; the last that was said is 300", got)
	}
}

func TestAPauseUnderWayIsKept(t *testing.T) {
	b := newBench(t, secret("a", "own", token))
	b.o.Idle = time.Minute
	b.o.Client.Transport = cloud{status: 429, body: `{"success":false,"errors":[{"code":971}]}`, header: http.Header{"Retry-After": {"300"}}}
	c := b.open(t, providerConfig("a", "own"))
	_, _ = c.FindZones(t.Context(), "example.com", "", false)
	b.pass(5*time.Minute - 1)
	if got := b.Clients(); len(got) != 1 || b.open(t, providerConfig("a", "own")) != c {
		t.Error("a client was dropped with its pause, and a new one would call at once")
	}
	b.pass(5 * time.Minute)
	if got := b.Clients(); len(got) != 0 {
		t.Error("a client stays when its pause is over")
	}
}

func TestAConfigThatIsGoneBoundsNoMore(t *testing.T) {
	b := newBench(t, secret("a", "gone", token), secret("a", "own", token))
	c := b.open(t, limited("a", "gone", 20))
	b.open(t, limited("a", "own", 300))
	if got := c.Budget().Limit; got != 20 {
		t.Fatalf("%d requests, want the least", got)
	}
	b.keep(func() { b.open(t, limited("a", "own", 300)) })
	if got := c.Budget().Limit; got != 300 {
		t.Errorf("%d requests, want what the one config in use allows", got)
	}
}

func TestClientsUnderConcurrency(t *testing.T) {
	b := newBench(t, secret("a", "own", token))
	var wg sync.WaitGroup
	for i := range 64 {
		wg.Go(func() {
			if i%2 == 0 {
				b.pass(idle / 16)
				return
			}
			b.open(t, providerConfig("a", "own"))
			for _, c := range b.Clients() {
				_ = c.Budget()
			}
		})
	}
	wg.Wait()
	if readings, clients := b.size(); readings > 1 || clients > 1 {
		t.Errorf("one credential is there %d times, its client %d times", readings, clients)
	}
}
