// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package behaviour

import (
	"fmt"
	"net/http"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/crossplane/crossplane-runtime/v2/pkg/meta"
	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"
	"k8s.io/utils/ptr"

	dnsv1alpha1 "github.com/provider-cloudflare/provider-cloudflare/apis/dns/v1alpha1"
	zonev1alpha1 "github.com/provider-cloudflare/provider-cloudflare/apis/zone/v1alpha1"
	"github.com/provider-cloudflare/provider-cloudflare/test/simulator"
)

// reads and writes return the methods of the calls that a fault happens to.
func reads() []string  { return []string{http.MethodGet} }
func writes() []string { return []string{http.MethodPost, http.MethodPatch, http.MethodDelete} }

// misbehave adds a fault for the calls of the token of the world, and returns its ID for
// each method. The faults on reads have to fire before the test ends, and so have those
// on writes: see happening.
func (w *world) misbehave(f simulator.Fault, methods []string) []int {
	var ids []int
	f.Token = w.token
	for _, m := range methods {
		f.Method = m
		id := w.sim.AddFault(f)
		w.expectOneOf(f, id)
		ids = append(ids, id)
	}
	return ids
}

// behave removes the faults of the token of the world.
func (w *world) behave() {
	for id, f := range w.sim.Faults() {
		if f.Token == w.token {
			w.sim.RemoveFault(id)
		}
	}
}

// passing returns the temporary faults, each with the reason to test it.
func passing() map[simulator.FaultKind]string {
	return map[simulator.FaultKind]string{
		simulator.FaultHTML502:        "an error without the API's JSON, nothing carried out",
		simulator.Fault500AfterCommit: "an error after the change was made",
		simulator.Fault502AfterCommit: "the same, without the API's JSON",
		simulator.FaultThrottle:       "a refusal that says for how long",
		simulator.FaultThrottleBare:   "a refusal that does not say for how long",
		simulator.FaultFalseSuccess:   "200 is no success",
		simulator.FaultYoungZone:      "403 of a zone that is just being made",
		simulator.FaultNoRoute:        "a refusal that would be right for an ID that does not exist",
		simulator.FaultStaleList:      "lists that lag behind",
		simulator.FaultBehind:         "a copy that lacks the last write",
		simulator.FaultWrong404:       "a refusal by a copy that lacks what is asked for",
		simulator.FaultSlow:           "carried out at once, answered late",
		simulator.FaultSlowBefore:     "carried out late",
		simulator.FaultResetBefore:    "no answer, nothing carried out",
		simulator.FaultResetAfter:     "no answer, and yet carried out",
		simulator.FaultHTML200:        "a login page for an answer",
		simulator.FaultTruncated:      "half an answer",
		simulator.FaultWrongTypes:     "an answer in other types",
		simulator.FaultBareFailure:    "a failure without errors",
		simulator.FaultNullResult:     "nothing for a list: no empty zone",
		simulator.FaultEmptyList:      "an empty list that is counted as none: no empty zone",
		simulator.FaultEmptyObjects:   "an answer about nothing",
		simulator.FaultNoIDs:          "an answer about nobody knows which",
		simulator.FaultBadIDs:         "IDs that would leave their path",
		simulator.FaultContentType:    "right, but said to be text",
		simulator.FaultHugeBody:       "80 MB",
		simulator.FaultHugeTexts:      "texts that fit into no status",
		simulator.FaultMoreCounted:    "a list that lacks what it counts",
		simulator.FaultFewerCounted:   "a list that has more than it counts",
		simulator.FaultSamePage:       "a page that comes again",
		simulator.FaultEndless:        "a list that does not end",
	}
}

// scopes returns the methods that a fault happens to: all at once, which saves time, or
// reads and writes separately if FAULTS_ALONE is 1.
func scopes(t *testing.T) map[string][]string {
	if fromEnv(t, "FAULTS_ALONE", 0) == 0 {
		return map[string][]string{"all": append(reads(), writes()...)}
	}
	return map[string][]string{"reads": reads(), "writes": writes()}
}

// TestEveryFaultInPassing creates, changes and deletes records and a zone. In each step,
// each fault happens to the first calls of each method: to two, unless the fault needs
// another number.
func TestEveryFaultInPassing(t *testing.T) {
	t.Parallel()
	for kind, reason := range passing() {
		for what, methods := range scopes(t) {
			if what == "writes" && changesListsOnly(kind) {
				continue
			}
			t.Run(string(kind)+"/"+what, func(t *testing.T) {
				inParallel(t, func(t *testing.T) {
					f := simulator.Fault{Kind: kind, Times: 2, RetryAfter: time.Second}
					if strings.HasPrefix(string(kind), "slow") {
						f.Delay = time.Second
					}
					if kind == simulator.FaultHugeBody || kind == simulator.FaultWrong404 {
						f.Times = 1 // The first one takes long, and two of the second one are right together.
					}
					if kind == simulator.FaultSamePage || kind == simulator.FaultFewerCounted {
						f.Times = 8 // The calls have to include the second page of a list, or a list that is not empty.
					}
					t.Logf("%s, at the first %d %s", reason, f.Times, what)
					lifeUnder(t, f, methods)
				})
			})
		}
	}
	for _, kind := range simulator.FaultKinds() {
		if _, ok := passing()[kind]; !ok && !slices.Contains(renderings(), kind) && !slices.Contains(elsewhere(), kind) {
			t.Errorf("fault %s is not tested", kind)
		}
	}
}

// elsewhere returns the faults that have tests of their own. If the API always answers
// with another object, a test can only show that no foreign record is changed: see
// TestLyingAPI. The older form of refusals needs refused requests: see
// TestRefusalsInOlderForm. A stale GET needs a GET: see TestWrongAbsence.
func elsewhere() []simulator.FaultKind {
	return []simulator.FaultKind{simulator.FaultOtherObject, simulator.FaultErrorChain, simulator.FaultStaleGet}
}

// renderings returns the faults that are harmless: see TestRecordRenderings.
func renderings() []simulator.FaultKind {
	return []simulator.FaultKind{
		simulator.FaultTXTQuoted, simulator.FaultLOCRendering, simulator.FaultPriorityInData, simulator.FaultLooseNumbers,
		simulator.FaultUnknownFields, simulator.FaultUnknownType, simulator.FaultFloatNumbers, simulator.FaultOddRecord,
	}
}

// lifeUnder leads three records and a zone through their lives under a fault.
func lifeUnder(t *testing.T, f simulator.Fault, methods []string) {
	w := newWorld(t)
	foreign := w.dashboard(map[string]any{"type": "A", "name": "foreign", "content": "203.0.113.7", "ttl": 1})
	step := func(what string, do func(), want ...string) {
		t.Helper()
		w.misbehave(f, methods)
		do()
		w.behave()
		w.holds(what, append(want, "A foreign."+w.zone.Name+" 203.0.113.7"))
		if now, ok := w.sim.Record(w.zone.ID, foreign.ID); !ok || !reflect.DeepEqual(now, foreign) {
			t.Errorf("%s: the foreign record was touched: %+v", what, now)
		}
	}
	z := w.zoneObject("new", "new-"+w.ns+".example")
	z.Spec.DeletionPolicy = xpv2.DeletionDelete
	rs := []*dnsv1alpha1.Record{w.record("www", "A", "192.0.2.1"), w.record("www", "A", "192.0.2.2"), w.record("@", "TXT", "v=spf1 -all")}
	step("the creation", func() {
		w.create(z)
		for _, r := range rs {
			w.create(r)
		}
		w.zoneIsActive(z)
		for _, r := range rs {
			settled(w, r)
		}
	}, "A www."+w.zone.Name+" 192.0.2.1", "A www."+w.zone.Name+" 192.0.2.2", "TXT "+w.zone.Name+` "v=spf1 -all"`)
	step("the change", func() {
		edit(w, z, func(z *zonev1alpha1.Zone) { z.Spec.ForProvider.Paused = ptr.To(true) })
		edit(w, rs[0], func(r *dnsv1alpha1.Record) { r.Spec.ForProvider.Content = ptr.To("192.0.2.3") })
		edit(w, rs[2], func(r *dnsv1alpha1.Record) { r.Spec.ForProvider.Content = ptr.To("v=spf1 mx -all") })
		settled(w, z)
		settled(w, rs[0])
		settled(w, rs[2])
	}, "A www."+w.zone.Name+" 192.0.2.3", "A www."+w.zone.Name+" 192.0.2.2", "TXT "+w.zone.Name+` "v=spf1 mx -all"`)
	if live, ok := w.simZone("new-" + w.ns + ".example"); !ok || !live.Paused || live.ID != meta.GetExternalName(z) {
		t.Errorf("the zone is %+v, want %s, paused", live, meta.GetExternalName(z))
	}
	step("the deletion", func() {
		w.delete(z)
		w.delete(rs[0])
		w.delete(rs[1])
		w.gone(z)
		w.gone(rs[0])
		w.gone(rs[1])
	}, "TXT "+w.zone.Name+` "v=spf1 mx -all"`)
	if live, ok := w.simZone("new-" + w.ns + ".example"); ok {
		t.Errorf("the zone %+v is still there", live)
	}
}

// zoneIsActive waits for the zone of that object, activates it, and waits until the
// object shows it.
func (w *world) zoneIsActive(z *zonev1alpha1.Zone) {
	w.t.Helper()
	until(w, z, func(z *zonev1alpha1.Zone) error {
		live, ok := w.simZone(*z.Spec.ForProvider.Name)
		if !ok || live.ID != meta.GetExternalName(z) {
			return fmt.Errorf("the external name is %q, the zone %+v: %s", meta.GetExternalName(z), live, conditions(z))
		}
		return nil
	})
	if err := w.sim.ActivateZone(meta.GetExternalName(z)); err != nil {
		w.t.Fatal(err)
	}
	settled(w, z)
}

// holds expects the zone of the world to have exactly these records, each as "TYPE name
// content".
func (w *world) holds(when string, want []string) {
	w.t.Helper()
	var got []string
	for _, r := range w.sim.Records(w.zone.ID) {
		got = append(got, r.Type+" "+r.Name+" "+r.Content)
	}
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		w.t.Errorf("after %s the zone holds %q, want %q", when, got, want)
	}
}
