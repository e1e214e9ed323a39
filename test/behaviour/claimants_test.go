// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package behaviour

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/crossplane/crossplane-runtime/v2/pkg/meta"
	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	dnsv1alpha1 "github.com/provider-cloudflare/provider-cloudflare/apis/dns/v1alpha1"
	zonev1alpha1 "github.com/provider-cloudflare/provider-cloudflare/apis/zone/v1alpha1"
	"github.com/provider-cloudflare/provider-cloudflare/test/simulator"
)

// neighbour returns a world with another namespace, which has a credential of its
// own for the same account.
func (w *world) neighbour() *world {
	w.t.Helper()
	n := *w
	ns := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{GenerateName: "t-"}}
	n.create(ns)
	n.ns = ns.Name
	var grants []simulator.Grant
	for _, p := range permissions() {
		grants = append(grants, simulator.Grant{Account: w.account.ID, Permission: p})
	}
	n.token = w.sim.AddToken(simulator.TokenOptions{Grants: grants})
	n.create(&corev1.Secret{
		ObjectMeta: metav1.ObjectMeta{Name: "cloudflare", Namespace: n.ns},
		StringData: map[string]string{"token": n.token},
	})
	n.create(n.providerConfig("default", "cloudflare", "token"))
	w.t.Cleanup(n.cleanUp)
	return &n
}

// contest waits until one of rs owns the record that they all declare. The others
// are refused, and their conditions name the owner. It returns the owner.
func (w *world) contest(rs []*dnsv1alpha1.Record) *dnsv1alpha1.Record {
	w.t.Helper()
	var winner *dnsv1alpha1.Record
	w.eventually(func() error {
		winner = nil
		for _, r := range rs {
			if err := w.get(r); err != nil {
				return err
			}
			if r.GetCondition(xpv2.TypeReady).Status != corev1.ConditionTrue || r.GetCondition(xpv2.TypeSynced).Status != corev1.ConditionTrue {
				continue
			}
			if winner != nil {
				return fmt.Errorf("%s and %s are both Ready", winner.Name, r.Name)
			}
			winner = r
		}
		if winner == nil {
			return errors.New("nobody is Ready")
		}
		for _, r := range rs {
			if m := r.GetCondition(xpv2.TypeSynced).Message; r != winner && !strings.Contains(m, "already managed by "+winner.Namespace+"/"+winner.Name) {
				return fmt.Errorf("%s/%s does not report that %s/%s was first: %s", r.Namespace, r.Name, winner.Namespace, winner.Name, conditions(r))
			}
		}
		return nil
	})
	return winner
}

func (w *world) createAtOnce(rs []*dnsv1alpha1.Record) {
	w.t.Helper()
	var wg sync.WaitGroup
	for _, r := range rs {
		wg.Go(func() { w.create(r) })
	}
	wg.Wait()
}

// TestClaimantsInARace has three objects in two namespaces, with two credentials,
// declare one record at the same time, in several rounds.
func TestClaimantsInARace(t *testing.T) {
	t.Parallel()
	const rounds = 5
	claims := map[string]struct {
		reason string
		// exists is true if the record exists before.
		exists bool
		byID   bool
	}{
		"Creating":       {"whoever creates it owns it", false, false},
		"ByKey":          {"whoever adopts it owns it", true, false},
		"ByExternalName": {"whoever names it first owns it", true, true},
	}
	for name, tc := range claims {
		t.Run(name, func(t *testing.T) {
			inParallel(t, func(t *testing.T) {
				w := newWorld(t)
				n := w.neighbour()
				for i := range rounds {
					host := fmt.Sprintf("r%d", i)
					var opts []recordOption
					if tc.exists {
						live := w.dashboard(map[string]any{"type": "A", "name": host, "content": wanted, "ttl": 1})
						if tc.byID {
							opts = append(opts, externalName(live.ID))
						}
					}
					rs := []*dnsv1alpha1.Record{}
					for _, in := range []*world{w, n, w} {
						rs = append(rs, in.record(host, "A", wanted, opts...))
					}
					w.createAtOnce(rs)
					w.succession(host, rs)
				}
			})
		})
	}
}

// succession deletes a loser, then the winner. The last object gets a record of its
// own.
func (w *world) succession(host string, rs []*dnsv1alpha1.Record) {
	w.t.Helper()
	winner := w.contest(rs)
	id := meta.GetExternalName(winner)
	losers := slices.DeleteFunc(slices.Clone(rs), func(r *dnsv1alpha1.Record) bool { return r == winner })
	w.delete(losers[0])
	w.gone(losers[0])
	if got := w.named(host); len(got) != 1 || got[0].ID != id {
		w.t.Fatalf("after a loser was deleted the records are %+v, want the winner's %s", got, id)
	}
	settled(w, winner)
	w.delete(winner)
	w.gone(winner)
	// Another credential may still show the record until the next sweep.
	w.eventually(func() error {
		if err := w.get(losers[1]); err != nil {
			return err
		}
		if got := w.named(host); len(got) != 1 || got[0].ID != meta.GetExternalName(losers[1]) || got[0].ID == id {
			return fmt.Errorf("after the winner was deleted the records are %+v, want a new one of the last: %s", got, conditions(losers[1]))
		}
		return nil
	})
	settled(w, losers[1])
	w.delete(losers[1])
	w.gone(losers[1])
	if got := w.named(host); len(got) > 0 {
		w.t.Errorf("after all were deleted there are %+v", got)
	}
}

// TestClaimantsOutliveARestart shows that the owner of a record does not change with
// a restart, nor by an object that has observed the record for longer than its
// owner.
func TestClaimantsOutliveARestart(t *testing.T) {
	undisturbed(t, func(t *testing.T) {
		w := newWorld(t)
		n := w.neighbour()
		live := w.dashboard(map[string]any{"type": "A", "name": "www", "content": wanted, "ttl": 300})
		observer := n.made("www", "A", wanted, policies(xpv2.ManagementActionObserve))
		owner := w.made("www", "A", wanted)
		edit(w, observer, func(r *dnsv1alpha1.Record) { r.Spec.ManagementPolicies = nil })
		z := w.zoneObject("zone", w.zone.Name)
		z.Spec.ManagementPolicies = xpv2.ManagementPolicies{xpv2.ManagementActionObserve}
		w.create(z)
		settled(w, z)
		theirs := n.zoneObject("zone", w.zone.Name)
		n.create(theirs)
		settled(w, theirs)
		edit(w, z, func(z *zonev1alpha1.Zone) { z.Spec.ManagementPolicies = nil })
		same := func() {
			t.Helper()
			w.sweeps(2)
			refused(w, observer, live.ID, w.ns+"/"+owner.Name)
			refused(w, z, w.zone.ID, n.ns+"/zone")
			settled(w, owner)
			settled(w, theirs)
			if observer.Status.AtProvider.ID != "" || z.Status.AtProvider.ID != "" {
				t.Errorf("who was refused still shows %q and %q", observer.Status.AtProvider.ID, z.Status.AtProvider.ID)
			}
		}
		refused(w, observer, live.ID, w.ns+"/"+owner.Name)
		same()
		w.restart(t, func() {})
		same()
		w.delete(observer)
		w.gone(observer)
		w.event(observer, "LeftExternalResource", live.ID)
		w.delete(z)
		w.gone(z)
		if w.writes() > 0 {
			t.Error("somebody wrote to Cloudflare")
		}
		settled(w, owner)
		settled(w, theirs)
	})
}

// TestNamingIsNoClaim has an object name the ID of a record that it cannot reach.
// This neither blocks other objects from the record, nor entitles the object later.
func TestNamingIsNoClaim(t *testing.T) {
	inParallel(t, func(t *testing.T) {
		w := newWorld(t)
		n := w.neighbour()
		live := w.dashboard(map[string]any{"type": "A", "name": "www", "content": wanted, "ttl": 300})
		names := n.record("www", "A", wanted, externalName(live.ID), func(r *dnsv1alpha1.Record) { r.Spec.ProviderConfigReference.Name = "later" })
		n.create(names)
		refused(n, names, "cannot get the ProviderConfig later")
		owner := w.made("www", "A", wanted)
		n.create(n.providerConfig("later", "cloudflare", "token"))
		refused(n, names, live.ID, w.ns+"/"+owner.Name)
		n.delete(names)
		n.gone(names)
		settled(w, owner)
		w.live("A")
	})
}

// TestAdoptionIsReported shows the event about an adoption: it names the adopted
// record, the reason, and what happens to the record.
func TestAdoptionIsReported(t *testing.T) {
	inParallel(t, func(t *testing.T) {
		w := newWorld(t)
		other := func(host string) string {
			return w.dashboard(map[string]any{"type": "A", "name": host, "content": otherwise, "ttl": 300}).ID
		}
		const differs = "content: live " + otherwise + ", desired " + wanted
		for host, tc := range map[string]struct {
			reason string
			id     string
			opts   []recordOption
			says   []string
		}{
			"identical": {
				"nothing is said of differences where there are none",
				w.dashboard(map[string]any{"type": "A", "name": "identical", "content": wanted, "ttl": 300}).ID, nil,
				[]string{"it existed before, with the same name, type and content"},
			},
			"only": {
				"other content is named, old and new",
				other("only"),
				[]recordOption{adoption(dnsv1alpha1.AdoptNameAndType)},
				[]string{"it existed before, as the only one of its name and type", "It is changed: " + differs},
			},
			"left": {
				"and what is left as it is",
				other("left"),
				[]recordOption{adoption(dnsv1alpha1.AdoptNameAndType), policies(xpv2.ManagementActionObserve, xpv2.ManagementActionCreate)},
				[]string{"It differs and is left as it is", differs},
			},
			"named": {
				"the user named it",
				other("named"),
				[]recordOption{adoption(dnsv1alpha1.AdoptNameAndType)},
				[]string{"annotation crossplane.io/external-name names it", "It is changed: " + differs},
			},
		} {
			opts := tc.opts
			if host == "named" {
				opts = append(opts, externalName(tc.id))
			}
			r := w.record(host, "A", wanted, opts...)
			w.create(r)
			for _, text := range append(tc.says, tc.id) {
				w.event(r, "AdoptedExternalResource", text)
			}
			if n := w.events(r, "AdoptedExternalResource"); n != 1 {
				t.Errorf("%s: it was reported %d times, want once", tc.reason, n)
			}
		}
		made := w.made("made", "A", wanted)
		w.sweeps(1)
		if n := w.events(made, "AdoptedExternalResource"); n > 0 {
			t.Errorf("a record that was created counts as adopted %d times", n)
		}
	})
}

// events counts the events about an object with that reason.
func (w *world) events(r *dnsv1alpha1.Record, reason string) int {
	w.t.Helper()
	n := 0
	for _, e := range w.eventsOf(r) {
		if e.Reason == reason {
			n += int(max(e.Count, 1))
		}
	}
	return n
}
