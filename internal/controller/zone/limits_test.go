// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package zone

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"k8s.io/utils/ptr"

	"github.com/provider-cloudflare/provider-cloudflare/apis/zone/v1alpha1"
	"github.com/provider-cloudflare/provider-cloudflare/internal/cloudflare"
	"github.com/provider-cloudflare/provider-cloudflare/internal/connect"
	"github.com/provider-cloudflare/provider-cloudflare/internal/connect/limits"
	"github.com/provider-cloudflare/provider-cloudflare/internal/external"
	"github.com/provider-cloudflare/provider-cloudflare/internal/external/decision"
	"github.com/provider-cloudflare/provider-cloudflare/internal/external/journal"
	"github.com/provider-cloudflare/provider-cloudflare/test/simulator"
)

// A limitedCloud has the zones mine.example and theirs.example, in two accounts, and a credential of both.
type limitedCloud struct {
	sim          *simulator.Server
	client       *cloudflare.Client
	mine, theirs simulator.Zone
	sent         []string
}

// RoundTrip carries out a call of the provider.
func (c *limitedCloud) RoundTrip(r *http.Request) (*http.Response, error) {
	c.sent = append(c.sent, r.Method+" "+strings.TrimPrefix(r.URL.Path, simulator.BasePath))
	w, in := httptest.NewRecorder(), r.Clone(r.Context())
	if in.Body == nil {
		in.Body = http.NoBody
	}
	c.sim.ServeHTTP(w, in)
	return w.Result(), nil
}

func newLimitedCloud(t *testing.T) *limitedCloud {
	t.Helper()
	c := &limitedCloud{sim: simulator.New(simulator.Options{})}
	var err error
	if c.mine, err = c.sim.AddZone(c.sim.AddAccount("one").ID, "mine.example", simulator.ZoneOptions{}); err != nil {
		t.Fatal(err)
	}
	if c.theirs, err = c.sim.AddZone(c.sim.AddAccount("two").ID, "theirs.example", simulator.ZoneOptions{}); err != nil {
		t.Fatal(err)
	}
	token := c.sim.AddToken(simulator.TokenOptions{Grants: []simulator.Grant{{Permission: simulator.Everything}}})
	c.client = cloudflare.New(cloudflare.NewToken(token), cloudflare.Options{BaseURL: "http://cloudflare.test" + simulator.BasePath, Transport: c})
	return c
}

// adapter returns the adapter of a Zone with that name and account, with a provider config of limits.
func (c *limitedCloud) adapter(t *testing.T, l limits.Limits, name, account string) external.Adapter[cloudflare.Zone] {
	t.Helper()
	mg := &v1alpha1.Zone{}
	mg.Spec.ForProvider.Name, mg.Spec.ForProvider.AccountID = ptr.To(name), ptr.To(account)
	s := connect.Limited(connect.Session{Client: c.client}, l, connect.NewNames(c.client, time.Now))
	a, err := kind(Deps{Deleted: func(string) {}}, allowedBy).Adapt(mg, s)
	if err != nil {
		t.Fatal(err)
	}
	if err := a.Prepare(t.Context()); err != nil {
		t.Fatal(err)
	}
	return a
}

// TestLimits: a Zone changes no zone that its provider config does not allow, in no way that leads to one.
func TestLimits(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		reason string
		limits func(c *limitedCloud) limits.Limits
		name   string
		other  bool // It is in the other account.
		do     func(t *testing.T, c *limitedCloud, a external.Adapter[cloudflare.Zone]) error
		field  string // "" if it is allowed
	}{
		{"its own, by name", byName("mine.example"), "mine.example", false, found, ""},
		{"its own, by ID", byID, "mine.example", false, found, ""},
		{"another, found by its name", byName("mine.example"), "theirs.example", true, found, limits.FieldZones},
		{"another account's, found by its name", byAccount, "theirs.example", true, found, limits.FieldAccounts},
		{"another, by ID", byName("mine.example"), "theirs.example", true, read, limits.FieldZones},
		{"another's deletion", byID, "theirs.example", true, deletion, limits.FieldZones},
		{"another's edit", byAccount, "theirs.example", true, edited, limits.FieldAccounts},
		{"a new one of a name in the list, which is read at once", byName("mine.example", "new.example"), "new.example", false, made, ""},
		{"a new one of another name", byName("mine.example"), "new.example", false, made, limits.FieldZones},
		{"a new one where zones are listed by ID", byID, "new.example", false, made, limits.FieldZones},
		{"a new one in the account in the list", byAccount, "new.example", false, made, ""},
		{"a new one in another account", byAccount, "new.example", true, made, limits.FieldAccounts},
	} {
		c := newLimitedCloud(t)
		account := c.mine.AccountID
		if tc.other {
			account = c.theirs.AccountID
		}
		err := tc.do(t, c, c.adapter(t, tc.limits(c), tc.name, account))
		var refused *limits.Error
		switch {
		case tc.field == "" && err != nil:
			t.Errorf("%s: %v", tc.reason, err)
		case tc.field != "" && (!errors.As(err, &refused) || refused.Field != tc.field):
			t.Errorf("%s: got %v, want a refusal by %s", tc.reason, err, tc.field)
		}
		if i := slices.IndexFunc(c.sent, func(s string) bool { return !strings.HasPrefix(s, http.MethodGet) }); tc.field != "" && i >= 0 {
			t.Errorf("%s: %s is sent", tc.reason, c.sent[i])
		}
	}
}

// TestGoneWithLimits: if a provider config allows a zone by its name, the next process finds out that the
// zone is gone.
func TestGoneWithLimits(t *testing.T) {
	t.Parallel()
	for _, l := range []limits.Limits{{Zones: []string{"mine.example"}}, {Zones: []string{"mine.example"}, Accounts: []string{"one"}}} {
		c := newLimitedCloud(t)
		if err := c.sim.DeleteZone(c.mine.ID); err != nil {
			t.Fatal(err)
		}
		a := c.adapter(t, l, "mine.example", c.mine.AccountID)
		var gone *decision.MissingError
		if _, err := a.Get(t.Context(), c.mine.ID); !errors.As(err, &gone) || gone.Hidden != nil {
			t.Errorf("%v: got %v, want that the zone is gone", l, err)
		}
	}
}

func byName(names ...string) func(*limitedCloud) limits.Limits {
	return func(*limitedCloud) limits.Limits {
		return limits.Limits{Config: "ClusterProviderConfig shared", Zones: names}
	}
}

func byID(c *limitedCloud) limits.Limits { return limits.Limits{Zones: []string{c.mine.ID}} }

func byAccount(c *limitedCloud) limits.Limits {
	return limits.Limits{Accounts: []string{c.mine.AccountID}}
}

func found(t *testing.T, _ *limitedCloud, a external.Adapter[cloudflare.Zone]) error {
	t.Helper()
	all, err := a.Find(t.Context(), external.Window{})
	if err == nil && len(all) != 1 {
		t.Errorf("found %v", all)
	}
	return err
}

func read(t *testing.T, c *limitedCloud, a external.Adapter[cloudflare.Zone]) error {
	t.Helper()
	_, err := a.Get(t.Context(), c.theirs.ID)
	return err
}

func deletion(t *testing.T, c *limitedCloud, a external.Adapter[cloudflare.Zone]) error {
	t.Helper()
	return a.Delete(t.Context(), cloudflare.Zone{ID: c.theirs.ID})
}

func edited(t *testing.T, c *limitedCloud, _ external.Adapter[cloudflare.Zone]) error {
	t.Helper()
	l := byAccount(c)
	_, err := allowedBy(connect.Limited(connect.Session{Client: c.client}, l, connect.NewNames(c.client, time.Now))).EditZone(t.Context(), c.theirs.ID, "paused", true)
	return err
}

func made(t *testing.T, _ *limitedCloud, a external.Adapter[cloudflare.Zone]) error {
	t.Helper()
	if all, err := a.Find(t.Context(), external.Window{}); err != nil || len(all) > 0 {
		t.Fatalf("before it is made there are %v: %v", all, err)
	}
	z, err := a.Create(t.Context(), journal.Entry{})
	if err != nil {
		return err
	}
	_, err = a.Get(t.Context(), z.ID)
	return err
}
