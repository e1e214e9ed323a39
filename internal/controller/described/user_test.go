// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package described

import (
	"errors"
	"testing"

	"github.com/crossplane/crossplane-runtime/v2/pkg/meta"

	iamv1alpha1 "github.com/provider-cloudflare/provider-cloudflare/apis/iam/v1alpha1"
	"github.com/provider-cloudflare/provider-cloudflare/internal/cloudflare"
	"github.com/provider-cloudflare/provider-cloudflare/internal/connect"
	"github.com/provider-cloudflare/provider-cloudflare/internal/external"
	"github.com/provider-cloudflare/provider-cloudflare/internal/kind/kindapi"
	"github.com/provider-cloudflare/provider-cloudflare/internal/kinds/iam"
	"github.com/provider-cloudflare/provider-cloudflare/test/simulator"
)

// ofUser returns an adapter of a UserToken, with a token that may do everything.
func ofUser(t *testing.T, sim *simulator.Server, o simulator.TokenOptions) *adapter {
	t.Helper()
	o.Grants = []simulator.Grant{{Permission: simulator.Everything}}
	c := cloudflare.New(cloudflare.NewToken(sim.AddToken(o)), cloudflare.Options{BaseURL: "http://cloudflare.test" + simulator.BasePath, Transport: &stage{sim: sim}})
	d := iam.UserToken()
	return &adapter{
		described: &described{entry: entry{Description: d}}, mg: &iamv1alpha1.UserToken{},
		session: connect.Session{Client: c}, all: kindapi.New(c, d, nil, nil),
	}
}

// TestStaysWithItsUser checks that another credential of the user may adopt a token. A credential of another user,
// which does not see the token, may not.
func TestStaysWithItsUser(t *testing.T) {
	sim := simulator.New(simulator.Options{})
	const one, two = "one@example.com", "two@example.com"
	first := ofUser(t, sim, simulator.TokenOptions{Email: one})
	groups, err := first.all.Call(t.Context(), "GET /user/tokens/permission_groups", "", nil)
	must(t, err)
	made, err := first.all.Create(t.Context(), map[string]any{"name": "a", "policies": []any{map[string]any{
		"effect": "allow", "resources": map[string]any{"com.cloudflare.api.account.*": "*"},
		"permission_groups": []any{groups.([]any)[0]},
	}}}, nil)
	must(t, err)
	key, err := first.all.Key()
	must(t, err)
	id := first.all.ID(made)
	for _, row := range []struct {
		reason, email, was, id string
		pending, moved         bool
	}{
		{"nothing is recorded", two, "", id, false, false},
		{"another credential of the same user", one, first.place(key), id, false, false},
		{"the credential of another user", two, first.place(key), id, false, true},
		{"it was deleted as well: nobody can know whose it was", one, first.place(key), "0123456789abcdef0123456789abcdef", false, true},
		{"there is no resource yet", two, first.place(key), "", false, false},
		{"there may be a resource of the other user", two, first.place(key), "", true, true},
	} {
		a := ofUser(t, sim, simulator.TokenOptions{Email: row.email})
		a.mg.GetSync().Parent = row.was
		if row.id != "" {
			meta.SetExternalName(a.mg, row.id)
		}
		if row.pending {
			must(t, a.ResumeCreate([]byte(`{"note":"{}"}`), sim.Now()))
		}
		err := a.stays(t.Context(), a.place(key))
		var moved *external.MovedError
		if errors.As(err, &moved) != row.moved || !row.moved && err != nil {
			t.Errorf("%s: got %v", row.reason, err)
		}
	}
}

// TestPlaceOfAUser checks that claims and lists are the same for all credentials.
func TestPlaceOfAUser(t *testing.T) {
	sim := simulator.New(simulator.Options{})
	a, b := ofUser(t, sim, simulator.TokenOptions{}), ofUser(t, sim, simulator.TokenOptions{})
	a.mg.GetSync().Parent, b.mg.GetSync().Parent = a.place("k"), b.place("k")
	if a.place("k") == b.place("k") || qualified(a.Description, a.mg, "id") != qualified(b.Description, b.mg, "id") || parentsOf(a.mg)[0] != "k" {
		t.Errorf("places are %q and %q, held as %q and %q", a.place("k"), b.place("k"), qualified(a.Description, a.mg, "id"), qualified(b.Description, b.mg, "id"))
	}
}

// TestSameCredential checks that a place that was recorded with the credential needs no look, even if the resource is
// gone. A place of an earlier version is recognized by the label of that version.
func TestSameCredential(t *testing.T) {
	sim := simulator.New(simulator.Options{})
	a, b := ofUser(t, sim, simulator.TokenOptions{}), ofUser(t, sim, simulator.TokenOptions{})
	meta.SetExternalName(a.mg, "0123456789abcdef0123456789abcdef")
	earlier := "k" + ofCredential + a.session.Client.Fingerprint()[:16] // Without a key the hash is as it was.
	for place, want := range map[string]bool{a.place("k"): true, earlier: true, b.place("k"): false, "k": false, "k" + ofCredential: false} {
		if got := a.sameCredential(place); got != want {
			t.Errorf("%q was recorded with the credential: %t, want %t", place, got, want)
		}
	}
	a.mg.GetSync().Parent = earlier
	if err := a.stays(t.Context(), a.place("k")); err != nil {
		t.Errorf("after an upgrade: %v", err)
	}
}

// TestActsForNoUser checks that the token of an account is refused before anything else.
func TestActsForNoUser(t *testing.T) {
	sim := simulator.New(simulator.Options{})
	a := ofUser(t, sim, simulator.TokenOptions{Account: sim.AddAccount("one").ID})
	if err := a.Prepare(t.Context()); !errors.Is(err, cloudflare.ErrNotUsersToken) {
		t.Errorf("got %v", err)
	}
	if err := ofUser(t, sim, simulator.TokenOptions{}).actsForUser(t.Context()); err != nil {
		t.Errorf("the token of a user: %v", err)
	}
}
