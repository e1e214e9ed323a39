// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package described

import (
	"cmp"
	"context"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/crossplane/crossplane-runtime/v2/pkg/meta"
	"github.com/crossplane/crossplane-runtime/v2/pkg/reconciler/managed"
	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"
	"k8s.io/utils/ptr"

	"github.com/provider-cloudflare/provider-cloudflare/internal/connect"
	"github.com/provider-cloudflare/provider-cloudflare/internal/connect/limits"
	"github.com/provider-cloudflare/provider-cloudflare/internal/dnszone"
	"github.com/provider-cloudflare/provider-cloudflare/internal/kind"
	"github.com/provider-cloudflare/provider-cloudflare/test/simulator"
)

// elsewhereID is the ID of a zone and of an account that no stage has.
const elsewhereID = "eeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee"

// limit restarts the provider with a provider config of those limits.
func (s *stage) limit(zones, accounts []string) {
	s.t.Helper()
	l := limits.Limits{Config: "ClusterProviderConfig shared", Zones: zones, Accounts: accounts}
	s.session = sessionOf{connect.Limited(s.session.Session, l, connect.NewNames(s.session.Client, time.Now))}
	i := slices.IndexFunc(s.roster, func(e entry) bool { return e.GVK.Kind == s.kind })
	s.inner[s.kind] = s.reconciler(s.roster[i])
}

// calls returns the calls of the last reconcile.
func (s *stage) calls() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	var out []string
	for _, a := range s.log {
		if a.of == "cloudflare" {
			out = append(out, a.what)
		}
	}
	return out
}

// placeless reports whether the paths of a kind name no account and no zone.
func placeless(e entry) bool {
	_, path, _ := strings.Cut(cmp.Or(e.Description.List, e.Description.Read), " ")
	return !slices.ContainsFunc([]string{"/zones/", "/accounts/", "/{accounts_or_zones}/"}, func(p string) bool { return strings.HasPrefix(path, p) })
}

// TestLimitedElsewhere checks an object of each kind whose provider config allows another zone and another account.
// Nothing is sent for a new object, nor for one that has a resource, also when it is deleted. Its condition names the
// field.
func TestLimitedElsewhere(t *testing.T) {
	t.Parallel()
	for _, e := range roster() {
		t.Run(e.GVK.Kind, func(t *testing.T) {
			t.Parallel()
			refused := func(s *stage, when string) {
				for range 3 {
					s.reconcile(s.kind, s.key)
					if calls := s.calls(); len(calls) > 0 {
						t.Errorf("%s: %v are sent", when, calls)
					}
				}
				mg := s.read(s.kind, s.key)
				if mg == nil {
					t.Fatalf("%s: the object is gone", when)
				}
				if c := mg.GetCondition(xpv2.TypeSynced); c.Status != "False" || !strings.Contains(c.Message, "spec.allowed") || !strings.Contains(c.Message, "ClusterProviderConfig shared") {
					t.Errorf("%s: it says %s: %s", when, c.Status, c.Message)
				}
			}
			s := newStage(t, e)
			s.limit([]string{elsewhereID}, []string{elsewhereID})
			refused(s, "a new object")
			if id := meta.GetExternalName(s.read(s.kind, s.key)); id != "" {
				t.Errorf("a new object has the external name %s", id)
			}
			s = newStage(t, e)
			s.settle(s.kind, s.key)
			s.limit([]string{elsewhereID}, []string{elsewhereID})
			refused(s, "an object with a resource")
			if c := s.read(s.kind, s.key).GetCondition(xpv2.TypeUpToDate); c.Status != "Unknown" {
				t.Errorf("an object with a resource that nobody looks at says that UpToDate is %s", c.Status)
			}
			must(t, s.server.Delete(t.Context(), s.read(s.kind, s.key)))
			refused(s, "an object under deletion")
		})
	}
}

// TestLimitedToItsOwn checks an object of each kind whose provider config allows its own zone and account. It works
// as without limits. A kind whose paths name neither is refused.
func TestLimitedToItsOwn(t *testing.T) {
	t.Parallel()
	var (
		mu      sync.Mutex
		outside []string
	)
	t.Cleanup(func() {
		slices.Sort(outside)
		if want := []string{"OriginCACertificate", "UserToken"}; !slices.Equal(outside, want) {
			t.Errorf("%v are of no zone and no account, want %v", outside, want)
		}
	})
	for _, e := range roster() {
		t.Run(e.GVK.Kind, func(t *testing.T) {
			t.Parallel()
			s, accounts := newStage(t, e), []string(nil)
			s.zones = findZones{}
			if e.Description.Scope != kind.Zone { // Otherwise the zone is enough.
				accounts = []string{s.session.AccountID}
			}
			s.limit([]string{"example.com"}, accounts)
			if placeless(e) {
				mu.Lock()
				outside = append(outside, e.GVK.Kind)
				mu.Unlock()
				s.reconcile(s.kind, s.key)
				if said := s.read(s.kind, s.key).GetCondition(xpv2.TypeSynced).Message; !strings.Contains(said, "names no zone and no account") {
					t.Errorf("it says %q", said)
				}
				return
			}
			s.settle(s.kind, s.key)
			must(t, s.server.Delete(t.Context(), s.read(s.kind, s.key)))
			for range 8 {
				s.reconcile(s.kind, s.key)
			}
			if mg := s.read(s.kind, s.key); mg != nil {
				t.Errorf("it is not gone: %s", mg.GetCondition(xpv2.TypeSynced).Message)
			}
		})
	}
}

// TestLimitedInTheBody checks the kinds of an account that name a zone in the body. The provider config has to allow
// that zone. Otherwise the object is refused before anything is written.
func TestLimitedInTheBody(t *testing.T) {
	t.Parallel()
	for name := range hostFields() {
		s := newStage(t, allKinds()[groupOf(t, name)+"."+name]())
		s.zones = findZones{}
		s.limit([]string{elsewhereID}, []string{s.session.AccountID})
		for range 3 {
			s.reconcile(s.kind, s.key)
			if i := slices.IndexFunc(s.log, asked.writes); i >= 0 {
				t.Errorf("%s: %s is sent", name, s.log[i].what)
			}
		}
		if said := s.read(s.kind, s.key).GetCondition(xpv2.TypeSynced).Message; !strings.Contains(said, "spec.allowedZones of the ClusterProviderConfig shared does not allow the zone") {
			t.Errorf("%s says %q", name, said)
		}
	}
}

// hostFields returns the kinds whose documents name a zone that their paths do not name. It returns the field of the
// host name, and a field that an update sends, if there is one.
func hostFields() map[string]struct{ host, field, value string } {
	return map[string]struct{ host, field, value string }{
		"WorkerDomain": {"Hostname", "Service", "other"}, "R2CustomDomain": {"Domain", "MinTLS", "1.3"}, "PagesDomain": {"Name", "", ""},
	}
}

// findZones looks up zones by their names.
type findZones struct{ noZones }

func (findZones) ByName(ctx context.Context, api dnszone.API, name, accountID string) (string, error) {
	found, err := api.FindZones(ctx, name, accountID, false)
	if err == nil && len(found) != 1 {
		err = &dnszone.NameError{Name: name}
	}
	if err != nil {
		return "", err
	}
	return found[0].ID, nil
}

// TestHostFields checks that hostFields has exactly the kinds whose documents name a zone that their paths do not
// name.
func TestHostFields(t *testing.T) {
	t.Parallel()
	for _, e := range roster() {
		if _, shown := hostFields()[e.GVK.Kind]; shown != (e.Description.ZoneField() != "") {
			t.Errorf("%s has a zone at %q", e.GVK.Kind, e.Description.ZoneField())
		}
	}
}

// TestHostOfNoZone checks that a host name in no zone of the account, or in an allowed one, gets its domain.
func TestHostOfNoZone(t *testing.T) {
	t.Parallel()
	for _, host := range []string{"site.example.org", "Site.Example.com"} {
		s := newStage(t, allKinds()["pages.PagesDomain"]())
		s.zones = findZones{}
		s.declare("Name", host)
		s.limit([]string{"example.com"}, []string{s.session.AccountID})
		s.settle(s.kind, s.key)
		want := strings.ToLower(host)
		if has := meta.GetExternalName(s.read(s.kind, s.key)); has != want {
			t.Errorf("the domain of %s is %q", host, has)
		}
	}
}

// TestFieldsThatNameAPlace checks each field of a spec whose name has a zone or an account in it. It is a parameter
// of a path, or the limits read it in a body, or it is about something else.
func TestFieldsThatNameAPlace(t *testing.T) {
	t.Parallel()
	others := map[string]string{
		"cloudflare_account_member":            "who passes is a member of an account, of which nothing is shown or changed",
		"cloudflare_account_member.account_id": "the same",
		"device_posture.account_id":            "who passes has a device that is well by the rules of an account, of which nothing is changed",
		"config.centrify_account":              "an account at another company",
		"config.okta_account":                  "an account at another company",
		"config.onelogin_account":              "an account at another company",
		"restrict_to_account_members":          "a switch",
		"time_zone":                            "a part of the world",
	}
	met, judged := map[string]bool{}, 0
	for _, e := range roster() {
		spec := e.New().GetForProvider()
		for path := range kind.Names(spec) {
			name := strings.TrimSuffix(path[strings.LastIndex(path, ".")+1:], "[]")
			_, inPath := kind.ParameterFields(spec)[path]
			if inPath || !strings.Contains(name, "zone") && !strings.Contains(name, "account") && !strings.HasSuffix(path, ".account_id") {
				continue
			}
			of := ""
			for other := range others {
				if path == other || strings.HasSuffix(path, "."+other) || strings.HasSuffix(path, "[]."+other) {
					of = other
				}
			}
			met[of] = true
			switch read := limits.NamesZones(name) || limits.CallsZones(name); {
			case read:
				judged++
			case of == "":
				t.Errorf("%s has the field %s, which no limit reads", e.GVK.Kind, path)
			}
		}
	}
	for other := range others {
		if !met[other] {
			t.Errorf("no kind has the field %s", other)
		}
	}
	if judged < 5 {
		t.Errorf("limits read %d fields: that is fewer than there were", judged)
	}
}

// declare makes the object declare a text.
func (s *stage) declare(field, value string) {
	s.t.Helper()
	mg := s.read(s.kind, s.key)
	spec := reflect.ValueOf(mg.GetForProvider()).Elem()
	spec.FieldByName(field).Set(reflect.ValueOf(ptr.To(value)))
	mg.SetGeneration(mg.GetGeneration() + 1)
	must(s.t, s.server.Update(s.t.Context(), mg))
}

// staysOut fails the test if the object writes, or does not say that its zone is not allowed.
func (s *stage) staysOut(when string) {
	s.t.Helper()
	for range 5 {
		s.reconcile(s.kind, s.key)
		if i := slices.IndexFunc(s.log, asked.writes); i >= 0 {
			s.t.Errorf("%s: %s is sent", when, s.log[i].what)
		}
	}
	mg := s.read(s.kind, s.key)
	if mg == nil {
		s.t.Errorf("%s: the object is gone", when)
		return
	}
	if said := mg.GetCondition(xpv2.TypeSynced).Message; !strings.Contains(said, "spec.allowedZones of the ClusterProviderConfig shared does not allow the zone") {
		s.t.Errorf("%s: it says %q", when, said)
	}
}

// goesAlone fails the test if the object, which has no resource of its own, stays, or writes before it is gone.
func (s *stage) goesAlone() {
	s.t.Helper()
	for range 5 {
		s.reconcile(s.kind, s.key)
		if i := slices.IndexFunc(s.log, asked.writes); i >= 0 {
			s.t.Errorf("%s is sent by an object that goes", s.log[i].what)
		}
	}
	if mg := s.read(s.kind, s.key); mg != nil {
		s.t.Errorf("an object with nothing of its own stays: %s", mg.GetCondition(xpv2.TypeSynced).Message)
	}
}

// TestLimitedByWhatIsLive checks a host name in a zone that is not allowed. An object that names an allowed zone
// neither adopts, changes nor deletes it, and neither does an object that had it before the limits.
func TestLimitedByWhatIsLive(t *testing.T) {
	t.Parallel()
	for name, fields := range hostFields() {
		for _, reason := range []string{"adoption", "narrowed"} {
			t.Run(name+"/"+reason, func(t *testing.T) {
				t.Parallel()
				s := newStage(t, allKinds()[groupOf(t, name)+"."+name]())
				s.zones = findZones{}
				s.settle(s.kind, s.key)
				own, id := s.sim.Zones()[0].ID, meta.GetExternalName(s.read(s.kind, s.key))
				at := s.made
				if reason == "narrowed" {
					s.limit([]string{elsewhereID}, []string{s.session.AccountID})
					s.staysOut("unchanged")
					if fields.field != "" {
						s.declare(fields.field, fields.value)
						s.staysOut("edited")
					}
				} else {
					theirs, err := s.sim.AddZone(s.session.AccountID, "theirs.example", simulator.ZoneOptions{})
					must(t, err)
					doc, err := s.sim.GetResource(at + "/" + id)
					must(t, err)
					id = s.domainIn(at, doc, theirs.ID)
					s.replace("another")
					s.declare(fields.host, "www.theirs.example")
					s.limit([]string{own}, []string{s.session.AccountID})
					s.staysOut("new")
					if has := meta.GetExternalName(s.read(s.kind, s.key)); has != "" {
						t.Errorf("the object has the external name %s", has)
					}
					mg := s.read(s.kind, s.key) // The user names the domain.
					meta.SetExternalName(mg, id)
					meta.AddFinalizer(mg, managed.FinalizerName)
					must(t, s.server.Update(t.Context(), mg))
					s.staysOut("by its ID")
				}
				s.delete()
				if reason == "narrowed" {
					s.staysOut("deleted")
				} else {
					s.goesAlone()
				}
				if _, err := s.sim.GetResource(at + "/" + id); err != nil {
					t.Errorf("the domain is gone: %v", err)
				}
			})
		}
	}
}

// domainIn creates a domain like doc in another zone, and returns its ID.
func (s *stage) domainIn(at string, doc map[string]any, zone string) string {
	s.t.Helper()
	const host = "www.theirs.example"
	switch {
	case strings.HasSuffix(at, "/custom"):
		_, err := s.sim.PostResource(at, map[string]any{"domain": host, "zoneId": zone, "enabled": true})
		must(s.t, err)
		return host
	case strings.HasSuffix(at, "/domains") && strings.Contains(at, "/pages/"):
		_, err := s.sim.PostResource(at, map[string]any{"name": host})
		must(s.t, err)
		return host
	}
	made, err := s.sim.PutResource(at, map[string]any{"hostname": host, "zone_id": zone, "service": doc["service"]})
	must(s.t, err)
	id, _ := made["id"].(string)
	return id
}

// groupOf returns the group of a kind, as references name it.
func groupOf(t *testing.T, name string) string {
	t.Helper()
	for _, e := range roster() {
		if e.Description.Name == name {
			return e.Description.Group
		}
	}
	t.Fatalf("there is no kind %s", name)
	return ""
}

// TestLimitsAreNotShared checks two provider configs with one credential, which share what is known of a zone and an
// account. An object whose provider config does not allow them gets nothing of what the other one may see.
func TestLimitsAreNotShared(t *testing.T) {
	t.Parallel()
	for _, e := range roster() {
		t.Run(e.GVK.Kind, func(t *testing.T) {
			t.Parallel()
			s := newStage(t, e)
			s.settle(s.kind, s.key)
			k := s.described(e)
			one := s.adapterOf(k, s.session.Session)
			if err := one.Prepare(t.Context()); err != nil {
				t.Fatalf("without limits: %v", err)
			}
			l := limits.Limits{Config: "ClusterProviderConfig shared", Zones: []string{elsewhereID}, Accounts: []string{elsewhereID}}
			other := s.adapterOf(k, connect.Limited(s.session.Session, l, connect.NewNames(s.session.Client, time.Now)))
			if err := other.Prepare(t.Context()); err == nil || !strings.Contains(err.Error(), "spec.allowed") {
				t.Errorf("got %v from what another config has seen", err)
			}
		})
	}
}

// adapterOf returns an adapter of the object with a session.
func (s *stage) adapterOf(k *described, session connect.Session) interface {
	Prepare(ctx context.Context) error
} {
	s.t.Helper()
	a, err := k.externalKind().Adapt(s.read(s.kind, s.key), session)
	must(s.t, err)
	return a
}
