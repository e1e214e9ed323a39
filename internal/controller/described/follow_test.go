// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package described

import (
	"net/http"
	"reflect"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/crossplane/crossplane-runtime/v2/pkg/meta"
	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"
	"k8s.io/utils/ptr"
	"sigs.k8s.io/controller-runtime/pkg/client"

	lbv1alpha1 "github.com/provider-cloudflare/provider-cloudflare/apis/loadbalancer/v1alpha1"
	tunnelv1alpha1 "github.com/provider-cloudflare/provider-cloudflare/apis/tunnel/v1alpha1"
	zonev1alpha1 "github.com/provider-cloudflare/provider-cloudflare/apis/zone/v1alpha1"
	"github.com/provider-cloudflare/provider-cloudflare/internal/cloudflare"
	"github.com/provider-cloudflare/provider-cloudflare/internal/dnszone"
	"github.com/provider-cloudflare/provider-cloudflare/internal/kind"
	"github.com/provider-cloudflare/provider-cloudflare/internal/kind/kindapi"
	"github.com/provider-cloudflare/provider-cloudflare/internal/parent"
	"github.com/provider-cloudflare/provider-cloudflare/test/simulator"
)

// seeZones makes the stage's kinds look up zones, in a provider whose Zone objects show the zones that exist.
func (s *stage) seeZones() {
	pool := dnszone.NewPool(dnszone.Options{})
	for _, z := range s.sim.Zones() {
		pool.Seen(cloudflare.Zone{ID: z.ID, Name: z.Name, Account: cloudflare.Named{ID: z.AccountID}})
	}
	s.zones = pool
	for _, e := range s.roster {
		if s.inner[e.GVK.Kind] != nil {
			s.inner[e.GVK.Kind] = s.reconciler(e)
		}
	}
}

// nameZone makes the object name its zone. It returns false for an object that is in none.
func (s *stage) nameZone() bool {
	s.t.Helper()
	mg := s.read(s.kind, s.key)
	spec := reflect.ValueOf(mg.GetForProvider()).Elem()
	name, ref := spec.FieldByName("ZoneName"), spec.FieldByName("ZoneIDRef")
	if !name.IsValid() || ref.IsNil() {
		return false
	}
	name.Set(reflect.ValueOf(ptr.To("example.com")))
	ref.SetZero()
	must(s.t, s.server.Update(s.t.Context(), mg))
	return true
}

// always makes a reference of the object resolve each time.
func (s *stage) always(field string) {
	s.t.Helper()
	mg := s.read(s.kind, s.key)
	ref, ok := reflect.ValueOf(mg.GetForProvider()).Elem().FieldByName(field).Interface().(*xpv2.NamespacedReference)
	if ok && ref != nil {
		ref.Policy = &xpv2.Policy{Resolve: ptr.To(xpv2.ResolvePolicyAlways)}
		must(s.t, s.server.Update(s.t.Context(), mg))
	}
}

// remakeZone deletes the zone outside of the provider, and creates another one with its name.
func (s *stage) remakeZone() string {
	s.t.Helper()
	old := s.sim.Zones()[0]
	must(s.t, s.sim.DeleteZone(old.ID))
	made, err := s.sim.AddZone(s.session.AccountID, old.Name, simulator.ZoneOptions{Plan: simulator.PlanEnterprise})
	must(s.t, err)
	return made.ID
}

// forgetZone resets the status to that of versions that do not record where the zone is.
func (s *stage) forgetZone() {
	s.t.Helper()
	mg := s.read(s.kind, s.key)
	mg.GetSync().Zone = nil
	must(s.t, s.server.Status().Update(s.t.Context(), mg))
}

// leadTo makes the Zone objects name another zone, as their controller does once a user allows it to create that
// zone.
func (s *stage) leadTo(zone string) {
	s.t.Helper()
	all := &zonev1alpha1.ZoneList{}
	must(s.t, s.server.List(s.t.Context(), all))
	for i := range all.Items {
		meta.SetExternalName(&all.Items[i], zone)
		must(s.t, s.server.Update(s.t.Context(), &all.Items[i]))
	}
}

// pass reconciles all objects for some time.
func (s *stage) pass(times int, pause time.Duration) {
	s.t.Helper()
	for range times {
		for _, e := range s.roster {
			if s.inner[e.GVK.Kind] == nil {
				continue
			}
			list := e.NewList()
			must(s.t, s.server.List(s.t.Context(), list))
			for _, mg := range list.GetItems() {
				s.reconcile(e.GVK.Kind, client.ObjectKeyFromObject(mg))
			}
		}
		<-time.After(pause)
	}
}

// isIn fails the test unless the object is well in that zone, and its spec names no other.
func (s *stage) isIn(zone string) {
	s.t.Helper()
	mg := s.read(s.kind, s.key)
	declared := kind.Parameters(mg.GetForProvider())["zone_id"]
	if got := zoneIn(mg.GetSync().Parent); got != zone || mg.GetCondition(xpv2.TypeSynced).Status != "True" || declared != "" && declared != zone {
		s.t.Errorf("the object is in zone %s and names %s, want %s: %v", got, declared, zone, mg.GetCondition(xpv2.TypeSynced))
	}
}

// inZone reports whether the object's resource is in the zone, by its path.
func (s *stage) inZone() bool {
	s.t.Helper()
	return strings.Contains(s.read(s.kind, s.key).GetSync().Parent, "/zones/")
}

// TestFollowsItsZone checks a zone that is deleted outside of the provider and created again under its name. Each
// object in it is well in the new zone, with and without a restart.
func TestFollowsItsZone(t *testing.T) {
	t.Parallel()
	tried := 0
	for _, e := range roster() {
		if !e.Description.Scope.InZone() {
			continue
		}
		for _, way := range []string{"ByName", "ByRef", "ByRefAlways", "ByRefAfterRestart", "ByRefLimited"} {
			t.Run(e.GVK.Kind+"/"+way, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					s := newStage(t, e)
					s.seeZones()
					if way == "ByName" && !s.nameZone() {
						return
					}
					if way == "ByRefAlways" {
						s.always("ZoneIDRef")
					}
					s.settle(s.kind, s.key)
					if !s.inZone() {
						return
					}
					tried++
					<-time.After(time.Hour)
					zone := s.remakeZone()
					s.leadTo(zone)
					switch way {
					case "ByRefAfterRestart":
						s.seeZones()
					case "ByRefLimited":
						s.limit([]string{"example.com"}, []string{s.session.AccountID})
					}
					s.pass(12, 5*time.Minute)
					s.isIn(zone)
				})
			})
		}
	}
	if tried < 40 {
		t.Errorf("%d kinds and ways are fewer than there were", tried)
	}
}

// TestStaysInItsZone checks that an object stays in its zone unless it is proven that the zone is gone and was
// created again under its name.
func TestStaysInItsZone(t *testing.T) {
	t.Parallel()
	e := entryOf(t, "Healthcheck")
	for _, row := range []struct {
		reason string
		happen func(s *stage, old string) (other string)
	}{
		{"the user names another zone, and the first one is there", func(s *stage, _ string) string {
			made, err := s.sim.AddZone(s.session.AccountID, "example.org", simulator.ZoneOptions{Plan: simulator.PlanEnterprise})
			must(s.t, err)
			return made.ID
		}},
		{"the first one is gone, and the other one has another name", func(s *stage, old string) string {
			must(s.t, s.sim.DeleteZone(old))
			made, err := s.sim.AddZone(s.session.AccountID, "example.org", simulator.ZoneOptions{Plan: simulator.PlanEnterprise})
			must(s.t, err)
			return made.ID
		}},
		{"the first one is gone and made again, and nobody knows where it was: an earlier version recorded the object", func(s *stage, _ string) string {
			s.forgetZone()
			other := s.remakeZone()
			s.seeZones()
			return other
		}},
	} {
		t.Run(row.reason, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := newStage(t, e)
				s.seeZones()
				s.settle(s.kind, s.key)
				was := s.read(s.kind, s.key)
				old := zoneIn(was.GetSync().Parent)
				<-time.After(time.Hour)
				other := row.happen(s, old)
				was = s.read(s.kind, s.key)
				kind.SetParameter(was.GetForProvider(), "zone_id", other)
				must(t, s.server.Update(t.Context(), was))
				s.pass(6, 5*time.Minute)
				mg := s.read(s.kind, s.key)
				if zoneIn(mg.GetSync().Parent) != old || meta.GetExternalName(mg) != meta.GetExternalName(was) {
					t.Errorf("the object let go of what it has: %v", mg.GetCondition(xpv2.TypeSynced))
				}
				if said := mg.GetCondition(xpv2.TypeSynced); said.Status != "False" || !strings.Contains(said.Message, "it cannot move") {
					t.Errorf("the object says %v", said)
				}
				if n := s.sim.CountResources("/zones/" + other + "/healthchecks"); n != 0 {
					t.Errorf("%d were made in another zone", n)
				}
			})
		})
	}
}

// TestGoesWithItsZone checks that a deleted object is gone after its zone was deleted outside of the provider and
// created again. That also holds for a provider config that allows the zone by its name, although the deleted zone
// cannot be looked up by that name any more.
func TestGoesWithItsZone(t *testing.T) {
	t.Parallel()
	for _, way := range []string{"named", "referred", "named, limited", "referred, limited"} {
		for _, name := range []string{"Healthcheck", "RulesetRule", "DNSSEC"} {
			t.Run(name+"/"+way, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					s := newStage(t, entryOf(t, name))
					s.seeZones()
					if strings.HasPrefix(way, "named") {
						s.nameZone()
					}
					s.settle(s.kind, s.key)
					<-time.After(time.Hour)
					s.leadTo(s.remakeZone())
					if strings.HasSuffix(way, "limited") {
						s.limit([]string{"example.com"}, []string{s.session.AccountID})
					}
					s.delete()
					s.pass(8, 5*time.Minute)
					if mg := s.read(s.kind, s.key); mg != nil {
						t.Errorf("the object does not go: %v", mg.GetCondition(xpv2.TypeSynced))
					}
				})
			})
		}
	}
}

// TestGoesByNoOtherNamespace checks that after the zone of an object was created again, no decision rests on a
// reference to another namespace. The object is gone once the reference stays in its own namespace.
func TestGoesByNoOtherNamespace(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := newStage(t, entryOf(t, "Healthcheck"))
		s.seeZones()
		s.settle(s.kind, s.key)
		<-time.After(time.Hour)
		made := s.remakeZone()
		all := &zonev1alpha1.ZoneList{}
		must(t, s.server.List(t.Context(), all))
		theirs := all.Items[0].DeepCopy()
		theirs.SetNamespace("victim")
		theirs.SetResourceVersion("")
		meta.SetExternalName(theirs, made)
		must(t, s.server.Create(t.Context(), theirs))
		refer := func(namespace string) {
			mg, _ := s.read(s.kind, s.key).(*lbv1alpha1.Healthcheck)
			mg.Spec.ForProvider.ZoneIDRef.Namespace = namespace
			must(t, s.server.Update(t.Context(), mg))
		}
		refer("victim")
		s.delete()
		s.pass(4, 5*time.Minute)
		if s.read(s.kind, s.key) == nil {
			t.Fatal("the object has gone by what is in another namespace")
		}
		s.leadTo(made)
		refer("")
		s.pass(8, 5*time.Minute)
		if mg := s.read(s.kind, s.key); mg != nil {
			t.Errorf("the object does not go: %v", mg.GetCondition(xpv2.TypeSynced))
		}
	})
}

// tunnels returns the path of the stage's tunnels at the simulator.
func (s *stage) tunnels() string { return "/accounts/" + s.session.AccountID + "/cfd_tunnel" }

// theTunnel returns the object of the tunnel, and its ID.
func (s *stage) theTunnel() (*tunnelv1alpha1.Tunnel, string) {
	s.t.Helper()
	all := &tunnelv1alpha1.TunnelList{}
	must(s.t, s.server.List(s.t.Context(), all))
	if len(all.Items) != 1 {
		s.t.Fatalf("there are %d Tunnels", len(all.Items))
	}
	return &all.Items[0], meta.GetExternalName(&all.Items[0])
}

// deleteTunnel deletes a tunnel outside of the provider. It first deletes its route, if there is one: a tunnel with
// routes cannot be deleted.
func (s *stage) deleteTunnel(id string) {
	s.t.Helper()
	if strings.HasSuffix(s.kind, "Route") {
		must(s.t, s.sim.DeleteResource(s.made+"/"+meta.GetExternalName(s.read(s.kind, s.key))))
	}
	must(s.t, s.sim.DeleteResource(s.tunnels()+"/"+id))
}

// tunnelOf returns the tunnel that the object names.
func (s *stage) tunnelOf() string {
	s.t.Helper()
	f, _ := reflect.ValueOf(s.read(s.kind, s.key).GetForProvider()).Elem().FieldByName("TunnelID").Interface().(*string)
	return ptr.Deref(f, "")
}

// setTunnel makes the object name a tunnel by its ID alone.
func (s *stage) setTunnel(id string) {
	s.t.Helper()
	mg := s.read(s.kind, s.key)
	spec := reflect.ValueOf(mg.GetForProvider()).Elem()
	spec.FieldByName("TunnelID").Set(reflect.ValueOf(&id))
	spec.FieldByName("TunnelIDRef").SetZero()
	must(s.t, s.server.Update(s.t.Context(), mg))
}

// refer makes the object refer to the tunnel by its object.
func (s *stage) refer() {
	s.t.Helper()
	of, _ := s.theTunnel()
	mg := s.read(s.kind, s.key)
	spec := reflect.ValueOf(mg.GetForProvider()).Elem()
	spec.FieldByName("TunnelID").SetZero()
	spec.FieldByName("TunnelIDRef").Set(reflect.ValueOf(&xpv2.NamespacedReference{Name: of.GetName()}))
	must(s.t, s.server.Update(s.t.Context(), mg))
}

// says fails the test if the object's condition lacks the words.
func (s *stage) says(words ...string) {
	s.t.Helper()
	said := s.read(s.kind, s.key).GetCondition(xpv2.TypeSynced)
	for _, w := range words {
		if said.Status != "False" || !strings.Contains(said.Message, w) {
			s.t.Errorf("the object says %q, want %q in it", said.Message, w)
		}
	}
}

// TestGoesThoughItsReferenceIsEmpty checks a process that ended while it followed a reference. The object is deleted
// before the reference leads anywhere.
func TestGoesThoughItsReferenceIsEmpty(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := newStage(t, entryOf(t, "TunnelIngress"))
		s.settle(s.kind, s.key)
		mg := s.read(s.kind, s.key)
		reflect.ValueOf(mg.GetForProvider()).Elem().FieldByName("TunnelID").SetZero()
		must(t, s.server.Update(t.Context(), mg))
		s.delete()
		s.pass(4, time.Minute)
		if mg := s.read(s.kind, s.key); mg != nil {
			t.Errorf("the object does not go: %v", mg.GetCondition(xpv2.TypeSynced))
		}
	})
}

// TestFollowsItsTunnel checks a tunnel that is deleted outside of the provider and that its object creates again. The
// objects that refer to it are well in the new tunnel.
func TestFollowsItsTunnel(t *testing.T) {
	t.Parallel()
	tried := 0
	for _, e := range roster() {
		_, refers := reflect.TypeOf(e.New().GetForProvider()).Elem().FieldByName("TunnelIDRef")
		if !refers {
			continue
		}
		tried++
		for _, way := range []string{"", "Always"} {
			t.Run(e.GVK.Kind+way, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					s := newStage(t, e)
					if way != "" {
						s.always("TunnelIDRef")
					}
					s.settle(s.kind, s.key)
					s.followsTunnel(e)
				})
			})
		}
	}
	if tried < 4 {
		t.Errorf("%d kinds are fewer than there were", tried)
	}
}

// followsTunnel fails the test unless the object follows its tunnel, which is deleted outside of the provider.
func (s *stage) followsTunnel(e entry) {
	s.t.Helper()
	_, old := s.theTunnel()
	if got := s.tunnelOf(); got != old {
		s.t.Fatalf("the object names tunnel %q, want %q", got, old)
	}
	<-time.After(time.Hour)
	s.deleteTunnel(old)
	s.pass(8, time.Hour)
	_, now := s.theTunnel()
	if now == old || now == "" {
		s.t.Fatalf("the tunnel is not made again: %q", now)
	}
	mg := s.read(s.kind, s.key)
	if got := s.tunnelOf(); got != now || mg.GetCondition(xpv2.TypeSynced).Status != "True" || meta.GetExternalName(mg) == "" {
		s.t.Errorf("the object names tunnel %s, want %s: %v", got, now, mg.GetCondition(xpv2.TypeSynced))
	}
	if path := mg.GetSync().Parent; strings.Contains(path, old) {
		s.t.Errorf("its resource is still in %s", path)
	}
	if e.GVK.Kind == "TunnelIngress" && !slices.Contains(s.fragments(e), meta.GetExternalName(mg)) {
		s.t.Errorf("the rules are %v", s.fragments(e))
	}
}

// TestStaysInItsTunnel checks that no object moves because of an edit of the Tunnel, a wrong answer, or another
// tunnel that the user names while the first one exists.
func TestStaysInItsTunnel(t *testing.T) {
	t.Parallel()
	e := entryOf(t, "TunnelIngress")
	for _, row := range []struct {
		reason string
		happen func(s *stage, old, other string)
		says   []string
	}{
		{"the Tunnel names another one, and the first one is there", func(s *stage, _, other string) {
			mg, _ := s.theTunnel()
			meta.SetExternalName(mg, other)
			must(s.t, s.server.Update(s.t.Context(), mg))
		}, nil},
		{"the same, and one read of the first one answers 404", func(s *stage, old, other string) {
			mg, _ := s.theTunnel()
			meta.SetExternalName(mg, other)
			must(s.t, s.server.Update(s.t.Context(), mg))
			s.lieAbout(old)
		}, nil},
		{"the Tunnel names another one, its user asks for that, and the first one is there", func(s *stage, _, other string) {
			s.always("TunnelIDRef")
			mg, _ := s.theTunnel()
			meta.SetExternalName(mg, other)
			must(s.t, s.server.Update(s.t.Context(), mg))
		}, []string{"it cannot move"}},
		{"the user names another one, and the first one is there", func(s *stage, _, other string) { s.setTunnel(other) }, []string{"it cannot move"}},
		{"the same, and one read of the first one answers 404", func(s *stage, old, other string) {
			s.setTunnel(other)
			s.lieAbout(old)
		}, []string{"it cannot move"}},
	} {
		t.Run(row.reason, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := newStage(t, e)
				s.settle(s.kind, s.key)
				_, old := s.theTunnel()
				made, err := s.sim.PostResource(s.tunnels(), map[string]any{"name": "other", "config_src": "cloudflare"})
				must(t, err)
				other := kind.Text(made, "id")
				was := s.read(s.kind, s.key).GetSync().Parent
				row.happen(s, old, other)
				for range 6 {
					s.reconcile(s.kind, s.key)
					<-time.After(5 * time.Minute)
				}
				if got := s.read(s.kind, s.key).GetSync().Parent; got != was {
					t.Errorf("the object is in %s, want %s", got, was)
				}
				s.says(row.says...)
				doc, err := s.sim.GetResource(s.tunnels() + "/" + other + "/configurations")
				if err == nil && len(e.Description.Elements(parsed(t, doc))) > 0 {
					t.Errorf("a rule was made in the other tunnel: %v", doc)
				}
			})
		})
	}
}

// lieAbout makes one read of a tunnel return that it does not exist.
func (s *stage) lieAbout(tunnel string) {
	lied := false
	s.answers = func(r *http.Request) *http.Response {
		if lied || r.Method != http.MethodGet || !strings.HasSuffix(r.URL.Path, s.tunnels()+"/"+tunnel) {
			return nil
		}
		lied = true
		return notThere(r)
	}
}

// TestNamesWhatItWouldBeIn checks that the error about a literal ID of a tunnel that does not exist names the ID and
// the way out. The test then takes that way.
func TestNamesWhatItWouldBeIn(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := newStage(t, entryOf(t, "TunnelIngress"))
		s.settle(s.kind, s.key)
		_, old := s.theTunnel()
		s.setTunnel(old)
		must(t, s.sim.DeleteResource(s.tunnels()+"/"+old))
		<-time.After(time.Hour)
		for range 6 {
			s.reconcile(s.kind, s.key)
			<-time.After(time.Minute)
		}
		s.says("tunnel "+old+", which does not exist (spec.forProvider.tunnelId)", "put spec.forProvider.tunnelIdRef in its place, or delete this object")
		s.refer()
		s.pass(8, parent.Lag)
		_, now := s.theTunnel()
		mg := s.read(s.kind, s.key)
		if now == old || !strings.Contains(mg.GetSync().Parent, now) || mg.GetCondition(xpv2.TypeSynced).Status != "True" {
			t.Errorf("the object is in %s: %v", mg.GetSync().Parent, mg.GetCondition(xpv2.TypeSynced))
		}
	})
}

func TestParametersOfAKey(t *testing.T) {
	t.Parallel()
	d := entryOf(t, "TunnelIngress").Description
	for _, row := range []struct {
		reason, key, account, tunnel string
	}{
		{"a key of the kind", "tunnel TunnelIngress /accounts/a/cfd_tunnel/t%2F1/configurations", "a", "t/1"},
		{"another path", "tunnel TunnelIngress /accounts/a/cfd_tunnel", "", ""},
		{"another word in it", "tunnel TunnelIngress /accounts/a/tunnels/t/configurations", "", ""},
		{"no key", "", "", ""},
	} {
		got, _ := kindapi.Parameters(d, row.key)
		if got["account_id"] != row.account || got["tunnel_id"] != row.tunnel {
			t.Errorf("%s: got %v", row.reason, got)
		}
	}
}
