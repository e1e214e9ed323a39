// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package described

import (
	"context"
	"errors"
	"maps"
	"strings"
	"testing"
	"time"

	"github.com/crossplane/crossplane-runtime/v2/pkg/meta"
	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"

	iamv1alpha1 "github.com/provider-cloudflare/provider-cloudflare/apis/iam/v1alpha1"
	tunnelv1alpha1 "github.com/provider-cloudflare/provider-cloudflare/apis/tunnel/v1alpha1"
	cfv1alpha1 "github.com/provider-cloudflare/provider-cloudflare/apis/v1alpha1"
	"github.com/provider-cloudflare/provider-cloudflare/internal/controller/described/connectionsecret"
	"github.com/provider-cloudflare/provider-cloudflare/internal/kind"
	"github.com/provider-cloudflare/provider-cloudflare/internal/kinds/access"
	"github.com/provider-cloudflare/provider-cloudflare/internal/kinds/iam"
	"github.com/provider-cloudflare/provider-cloudflare/internal/kinds/tunnel"
)

// slots is a publisher that fails for as long as err is set.
type slots struct {
	err  error
	data map[string][]byte
}

func (s *slots) Publish(_ context.Context, _ client.Object, want connectionsecret.Secret) error {
	if s.err == nil {
		s.data = want.Data
	}
	return s.err
}

var errRefused = errors.New("the API server refuses it")

func TestValueThatCannotBePublishedIsKept(t *testing.T) {
	p := &slots{err: errRefused}
	mg := &iamv1alpha1.AccountToken{}
	mg.SetUID("uid")
	mg.SetManagementPolicies(xpv2.ManagementPolicies{xpv2.ManagementActionAll})
	a := &adapter{described: &described{entry: entry{Description: iam.AccountToken()}, publish: p, memory: newMemory(), key: testKey()}, mg: mg, published: map[string][]byte{}}
	l := newLive(a.Description, "id", kind.Document{"id": "id", "value": "shown-only-once"})
	err := a.publishOnce(t.Context(), l)
	if !errors.Is(err, errRefused) || strings.Contains(err.Error(), "shown-only-once") {
		t.Fatalf("got %v, want what the API server said", err)
	}
	p.err = nil
	later := &adapter{described: a.described, mg: mg, published: map[string][]byte{}}
	if err := later.PublishConnection(t.Context(), a.withoutSecrets(l), true); err != nil {
		t.Fatal(err)
	}
	if string(p.data["token"]) != "shown-only-once" {
		t.Error("the next look does not publish the value")
	}
	if len(a.memory.unpublished("uid")) > 0 {
		t.Error("the value is still in memory after it was published")
	}
}

func TestMemory(t *testing.T) {
	m := newMemory()
	shown := &cfv1alpha1.SyncStatus{Parent: "p", Salt: "shown"}
	if got := m.sync("a", shown); got.Salt != "shown" {
		t.Errorf("without a write the status counts: got the salt %q", got.Salt)
	}
	m.wrote("a", cfv1alpha1.SyncStatus{Salt: "written"})
	if got := m.sync("a", shown); got.Salt != "written" || got.Parent != "p" {
		t.Errorf("after a write got %+v, want its salt and the rest of the status", got)
	}
	if got := m.sync("b", shown); got.Salt != "shown" {
		t.Errorf("another object has the salt %q", got.Salt)
	}
	m.keep("a", map[string][]byte{"k": []byte("v")})
	m.forget(types.UID("a"))
	if got := m.sync("a", shown); got.Salt != "shown" || m.unpublished("a") != nil {
		t.Error("something is left of an object that is gone")
	}
}

func TestLookupLists(t *testing.T) {
	now := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	c := newLookups(func() time.Time { return now })
	calls := 0
	var fails error
	list := func() ([]any, error) { calls++; return []any{calls}, fails }
	for _, step := range []struct {
		reason string
		key    string
		after  time.Duration
		life   time.Duration
		fails  error
		calls  int
	}{
		{"the first question makes a call", "a", 0, lookupLife, nil, 1},
		{"the next one does not", "a", time.Second, lookupLife, nil, 1},
		{"another key has a list of its own", "b", 0, lookupLife, nil, 2},
		{"a name that is missing may be new, but not within a minute", "a", 0, lookupMiss, nil, 2},
		{"after a minute it may", "a", lookupMiss, lookupMiss, nil, 3},
		{"a failure is not remembered", "a", lookupLife, lookupLife, errRefused, 4},
		{"so the next question makes a call", "a", 0, lookupLife, nil, 5},
	} {
		now, fails = now.Add(step.after), step.fails
		if _, err := c.rows(step.key, step.life, list); !errors.Is(err, step.fails) || calls != step.calls {
			t.Errorf("%s: %d calls and %v, want %d", step.reason, calls, err, step.calls)
		}
	}
}

func TestFetchedAgain(t *testing.T) {
	sent := []cfv1alpha1.FieldHash{{Path: "tunnel_secret", Hash: "first"}}
	for name, row := range map[string]struct {
		change func(a *adapter)
		id     string
		want   bool
		reason string
	}{
		"Same":     {func(*adapter) {}, "one", true, "nothing is asked for twice"},
		"Restart":  {func(a *adapter) { a.sync = *a.mg.GetSync() }, "one", true, "the status alone is enough"},
		"Another":  {func(*adapter) {}, "two", false, "it was created again"},
		"Input":    {func(a *adapter) { a.sync.Secrets = []cfv1alpha1.FieldHash{{Path: "tunnel_secret", Hash: "second"}} }, "one", false, "what is made of an input changes with it"},
		"NoInput":  {func(a *adapter) { a.sync.Secrets = nil }, "one", false, "the input is not sent any more"},
		"Edited":   {func(a *adapter) { a.published["token"] = []byte("theirs") }, "one", false, "somebody edited the secret"},
		"Emptied":  {func(a *adapter) { a.published["token"] = nil }, "one", false, "somebody emptied it"},
		"NoNote":   {func(a *adapter) { a.sync.Details = nil }, "one", false, "an older version, or a backup without status"},
		"NoSalt":   {func(a *adapter) { a.sync.Salt = "" }, "one", false, "the hash says nothing without its salt"},
		"Remember": {func(a *adapter) { a.inputs = nil; a.sync.Secrets = sent; a.salted() }, "one", true, "a salt is made once"},
	} {
		t.Run(name, func(t *testing.T) {
			a := &adapter{described: &described{entry: entry{Description: tunnel.Tunnel()}, memory: newMemory(), key: testKey(), fetches: newFetches(), now: time.Now}, mg: &tunnelv1alpha1.Tunnel{}}
			a.sync.Secrets = sent
			a.published = map[string][]byte{"token": []byte("secret-token")}
			a.rememberDetails(Live{id: "one"}, a.published)
			if note := a.mg.GetSync().Details; len(note) != 1 || strings.Contains(note[0].Hash, "secret-token") {
				t.Fatalf("the status has %v, want one hash", note)
			}
			row.change(a)
			if got := a.stored(Live{id: row.id}); got != row.want {
				t.Errorf("%s: got %t, want %t", row.reason, got, row.want)
			}
		})
	}
}

func TestSaltOfWhatWasFetched(t *testing.T) {
	a := &adapter{described: &described{entry: entry{Description: tunnel.Tunnel()}, memory: newMemory(), key: testKey(), fetches: newFetches(), now: time.Now}, mg: &tunnelv1alpha1.Tunnel{}}
	a.published = map[string][]byte{"token": []byte("secret-token")}
	a.rememberDetails(Live{id: "one"}, a.published)
	a.rememberInputs()
	if !a.stored(Live{id: "one"}) {
		t.Error("an update without a value of a Secret makes the provider ask again")
	}
}

// TestOfAnother checks a value that was shown once, and its resource.
func TestOfAnother(t *testing.T) {
	d := iam.AccountToken()
	token := d.Details[0]
	for name, row := range map[string]struct {
		change func(a *adapter)
		id     string
		want   bool
		reason string
	}{
		"Same":    {func(*adapter) {}, "one", false, "it is the resource's own"},
		"Another": {func(*adapter) {}, "two", true, "the resource was created again, and nobody got its value"},
		"Restart": {func(a *adapter) { a.sync = *a.mg.GetSync() }, "two", true, "the status alone is enough"},
		"Pasted":  {func(a *adapter) { a.published["token"] = []byte("pasted") }, "two", false, "somebody put the new value there"},
		"NoNote":  {func(a *adapter) { a.sync.Details = nil }, "two", false, "nothing is known: a backup without status"},
		"Lost":    {func(a *adapter) { a.rememberDetails(Live{id: "two"}, nil) }, "two", true, "a look without the value forgets nothing"},
		"Anew":    {func(a *adapter) { a.rememberDetails(Live{id: "two"}, a.published) }, "two", false, "it was rolled"},
	} {
		t.Run(name, func(t *testing.T) {
			a := &adapter{described: &described{entry: entry{Description: d}, memory: newMemory(), key: testKey()}, mg: &iamv1alpha1.AccountToken{}}
			a.published = map[string][]byte{"token": []byte("secret-token")}
			a.rememberDetails(Live{id: "one"}, a.published)
			row.change(a)
			if got := a.ofAnother(Live{id: row.id}, token); got != row.want {
				t.Errorf("%s: got %t, want %t", row.reason, got, row.want)
			}
		})
	}
}

func TestLost(t *testing.T) {
	for name, row := range map[string]struct {
		d      kind.Description
		doc    kind.Document
		have   map[string][]byte
		want   []string
		reason string
	}{
		"NoClient":  {access.AccessApplication(), kind.Document{"type": "self_hosted"}, nil, nil, "there is no such value"},
		"SAML":      {access.AccessApplication(), kind.Document{"saas_app": kind.Document{"auth_type": "saml"}}, nil, nil, "nor for SAML"},
		"OIDC":      {access.AccessApplication(), kind.Document{"saas_app": kind.Document{"auth_type": "oidc"}}, nil, []string{"clientSecret", "delete this object and create another"}, "nothing makes another"},
		"OIDCThere": {access.AccessApplication(), kind.Document{"saas_app": kind.Document{"auth_type": "oidc"}}, map[string][]byte{"clientSecret": []byte("x")}, nil, "it is there"},
		"Token":     {iam.AccountToken(), kind.Document{}, nil, []string{"token", "spec.secretPolicy"}, "a roll makes another"},
	} {
		t.Run(name, func(t *testing.T) {
			mg := &iamv1alpha1.AccountToken{}
			mg.SetManagementPolicies(xpv2.ManagementPolicies{xpv2.ManagementActionAll})
			meta.SetExternalName(mg, "id")
			a := &adapter{described: &described{entry: entry{Description: row.d}, memory: newMemory(), key: testKey()}, mg: mg, published: map[string][]byte{}}
			maps.Copy(a.published, row.have)
			got := a.lostSays(newLive(row.d, "id", row.doc))
			if len(row.want) == 0 && got != "" {
				t.Errorf("%s: got %q", row.reason, got)
			}
			for _, want := range row.want {
				if !strings.Contains(got, want) {
					t.Errorf("%s: got %q, want %q in it", row.reason, got, want)
				}
			}
			if strings.Contains(got, "secretPolicy") && !row.d.Rolls() {
				t.Errorf("%s: got %q, which the kind does not have", row.reason, got)
			}
		})
	}
}

func TestPartOfANaturalKey(t *testing.T) {
	ingress := kind.Description{Shape: kind.Fragment, Natural: []string{"hostname", "path"}}
	for name, row := range map[string]struct {
		d      kind.Description
		want   kind.Document
		path   string
		reason string
	}{
		"All":      {access.AccessApplication(), kind.Document{"domain": "a.example", "type": "self_hosted"}, "", "it has a name"},
		"NoDomain": {access.AccessApplication(), kind.Document{"type": "saas"}, "", "a SaaS application has none"},
		"NoType":   {access.AccessApplication(), kind.Document{"domain": "a.example"}, "type", "it is required whatever it is"},
		"NoName":   {tunnel.Tunnel(), kind.Document{"config_src": "local"}, "name", "nothing of the key is there"},
		"Fragment": {ingress, kind.Document{"hostname": "a.example"}, "path", "it is found in its document by the whole key alone"},
	} {
		t.Run(name, func(t *testing.T) {
			a := &adapter{described: &described{entry: entry{Description: row.d}}, want: row.want}
			if got := a.unnamedBy(); got != row.path {
				t.Errorf("%s: got %q, want %q", row.reason, got, row.path)
			}
		})
	}
}
