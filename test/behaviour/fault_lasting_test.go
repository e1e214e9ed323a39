// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package behaviour

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"net/http"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/crossplane/crossplane-runtime/v2/pkg/meta"
	"k8s.io/utils/ptr"

	dnsv1alpha1 "github.com/provider-cloudflare/provider-cloudflare/apis/dns/v1alpha1"
	"github.com/provider-cloudflare/provider-cloudflare/test/simulator"
)

// created counts the calls about the zone of the world that would create a record.
func (w *world) created() int {
	n := 0
	for _, r := range w.sim.RequestsAbout(w.zone.ID) {
		if r.Method == http.MethodPost && (!strings.HasSuffix(r.Path, "/batch") || strings.Contains(r.RequestBody, `"posts"`)) {
			n++
		}
	}
	return n
}

// TestNothingIsMadeUnseen has each kind of read fail until the object reports it.
// Nothing is created meanwhile, and the object recovers soon afterwards.
func TestNothingIsMadeUnseen(t *testing.T) {
	t.Parallel()
	tests := []struct {
		kind   simulator.FaultKind
		says   string
		reason string
	}{
		{simulator.FaultHTML502, "502", "the API is down"},
		{simulator.Fault500AfterCommit, "Internal server error", "the API fails"},
		{simulator.FaultThrottle, "429", "the API throttles"},
		{simulator.FaultThrottleBare, "429", "without saying for how long"},
		{simulator.FaultFalseSuccess, "HTTP 200", "200 is no success"},
		{simulator.FaultYoungZone, "the credential cannot read the zone", "a token that may not see the zone proves nothing"},
		{simulator.FaultResetBefore, "no answer from the Cloudflare API", "nor does no answer"},
		{simulator.FaultHTML200, "not the API's JSON", "nor a page"},
		{simulator.FaultTruncated, "not the API's JSON", "nor half an answer"},
		{simulator.FaultWrongTypes, "cannot read the Cloudflare API's answer", "nor one in other types"},
		{simulator.FaultBareFailure, "without saying why", "nor a failure without errors"},
		{simulator.FaultNullResult, "result is null", "null is no empty zone"},
		{simulator.FaultEmptyList, "lists 0 records of the zone but counts 1", "an empty list that counts is none"},
		{simulator.FaultEmptyObjects, "cannot read", "{} is no zone and no record"},
		{simulator.FaultNoIDs, "without an ID", "things without an ID cannot be distinguished"},
		{simulator.FaultBadIDs, "without an ID", "an ID that is none must not become part of a path"},
		{simulator.FaultOtherObject, "another zone", "what was not asked for is no answer"},
		{simulator.FaultMoreCounted, "lists 1 records of the zone but counts 4", "what a list lacks may be what is looked for"},
		{simulator.FaultEndless, "does not come to an end", "pages that repeat are not read for ever"},
	}
	for _, tc := range tests {
		t.Run(string(tc.kind), func(t *testing.T) {
			inParallel(t, func(t *testing.T) {
				w := newWorld(t)
				w.dashboard(map[string]any{"type": "A", "name": "foreign", "content": "203.0.113.7", "ttl": 1})
				w.misbehave(simulator.Fault{Kind: tc.kind, Times: -1, RetryAfter: time.Second}, reads())
				r := w.record("www", "A", "192.0.2.1")
				w.create(r)
				refused(w, r, tc.says)
				if n := w.created(); n > 0 {
					t.Errorf("%s: %d creations were tried", tc.reason, n)
				}
				if m := conditions(r); len(m) > 3000 {
					t.Errorf("%s: the conditions have %d bytes: %.300s", tc.reason, len(m), m)
				}
				w.behave()
				settled(w, r)
				w.holds("the fault", []string{"A www." + w.zone.Name + " 192.0.2.1", "A foreign." + w.zone.Name + " 203.0.113.7"})
			})
		})
	}
}

// TestWritesThatFail has each kind of write fail until the edited object reports it. The
// record is as desired soon afterwards.
func TestWritesThatFail(t *testing.T) {
	t.Parallel()
	for kind, says := range map[simulator.FaultKind]string{
		simulator.FaultHTML502:      "502",
		simulator.FaultThrottle:     "429",
		simulator.FaultThrottleBare: "429",
		simulator.FaultFalseSuccess: "Something went wrong",
		simulator.FaultYoungZone:    "code 10000",
		simulator.FaultResetBefore:  "no answer from the Cloudflare API",
	} {
		t.Run(string(kind), func(t *testing.T) {
			inParallel(t, func(t *testing.T) {
				w := newWorld(t)
				r := w.made("www", "A", "192.0.2.1")
				w.misbehave(simulator.Fault{Kind: kind, Times: -1, RetryAfter: time.Second}, writes())
				edit(w, r, func(r *dnsv1alpha1.Record) { r.Spec.ForProvider.Content = ptr.To("192.0.2.2") })
				refused(w, r, says)
				if got := w.live("A").Content; got != "192.0.2.1" {
					t.Errorf("the content is %s, and no write succeeded", got)
				}
				w.behave()
				settled(w, r)
				w.holds("the fault", []string{"A www." + w.zone.Name + " 192.0.2.2"})
			})
		})
	}
}

// TestLyingAPI has changes answered with another object. The changes are made, and no
// foreign record is changed. (A wrong ID in the answer to a creation cannot be detected:
// no other answer has that ID.)
func TestLyingAPI(t *testing.T) {
	inParallel(t, func(t *testing.T) {
		w := newWorld(t)
		w.dashboard(map[string]any{"type": "A", "name": "foreign", "content": "203.0.113.7", "ttl": 1})
		r := w.made("www", "A", "192.0.2.1")
		w.misbehave(simulator.Fault{Kind: simulator.FaultOtherObject, Times: 2}, []string{http.MethodPatch, http.MethodDelete})
		edit(w, r, func(r *dnsv1alpha1.Record) { r.Spec.ForProvider.Content = ptr.To("192.0.2.2") })
		settled(w, r)
		w.holds("lies", []string{"A www." + w.zone.Name + " 192.0.2.2", "A foreign." + w.zone.Name + " 203.0.113.7"})
	})
}

// TestZoneDeletedUnderItsRecords deletes a zone, which the API then does not know any
// more.
func TestZoneDeletedUnderItsRecords(t *testing.T) {
	inParallel(t, func(t *testing.T) {
		w := newWorld(t)
		z := w.zoneObject("zone", w.zone.Name)
		w.create(z)
		settled(w, z)
		r := w.made("www", "A", "192.0.2.1")
		if err := w.sim.DeleteZone(w.zone.ID); err != nil {
			t.Fatal(err)
		}
		from := w.created()
		refused(w, z, w.zone.ID, "not created again")
		edit(w, r, func(r *dnsv1alpha1.Record) { r.Spec.ForProvider.Content = ptr.To("192.0.2.2") })
		refused(w, r, "it lacks a permission for this, or its resource does not exist")
		if n := w.created() - from; n > 0 {
			t.Errorf("%d creations were tried in a zone that is not there", n)
		}
		if _, ok := w.simZone(w.zone.Name); ok {
			t.Error("the zone was created again")
		}
	})
}

// TestRandomFaults creates, changes and deletes records at random during random faults.
// It does so for FAULTS_SECONDS with each of FAULTS_SEEDS seeds. Then it expects each
// record to become as desired without help.
func TestRandomFaults(t *testing.T) {
	t.Parallel()
	for seed := range fromEnv(t, "FAULTS_SEEDS", 2) {
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			inParallel(t, func(t *testing.T) {
				newMix(t, uint64(seed)).run(time.Duration(fromEnv(t, "FAULTS_SECONDS", 8)) * time.Second)
			})
		})
	}
}

// A mix is one run of random faults.
type mix struct {
	*world

	rng     *rand.Rand
	kinds   []simulator.FaultKind
	foreign simulator.Record
	// want is the desired content of each object. Deleted objects are in going.
	want    map[*dnsv1alpha1.Record]string
	going   []*dnsv1alpha1.Record
	n       int
	faulted int
}

func newMix(t *testing.T, seed uint64) *mix {
	w := newWorld(t)
	w.randomFaults = true // run has a minimum of its own.
	m := &mix{world: w, rng: rand.New(rand.NewPCG(seed, 0)), want: map[*dnsv1alpha1.Record]string{}}
	m.foreign = m.dashboard(map[string]any{"type": "A", "name": "foreign", "content": "203.0.113.7", "ttl": 1})
	for kind := range passing() {
		// These take long, and have tests of their own.
		if kind != simulator.FaultHugeBody && kind != simulator.FaultThrottleBare {
			m.kinds = append(m.kinds, kind)
		}
	}
	slices.Sort(m.kinds)
	return m
}

func (m *mix) run(d time.Duration) {
	m.t.Helper()
	steps := time.NewTicker(100 * time.Millisecond)
	defer steps.Stop()
	// A busy machine makes few calls in that time.
	for end, last := time.Now().Add(d), time.Now().Add(10*d); time.Now().Before(end) || time.Now().Before(last) && m.failed() == 0; <-steps.C {
		m.step()
	}
	m.behave()
	want := []string{"A foreign." + m.zone.Name + " 203.0.113.7"}
	for r, content := range m.want {
		settled(m.world, r)
		want = append(want, "A "+*r.Spec.ForProvider.Name+"."+m.zone.Name+" "+content)
	}
	for _, r := range m.going {
		m.gone(r)
	}
	m.holds("all faults", want)
	if now, ok := m.sim.Record(m.zone.ID, m.foreign.ID); !ok || !reflect.DeepEqual(now, m.foreign) {
		m.t.Errorf("the foreign record was touched: %+v", now)
	}
	failed := m.failed()
	m.t.Logf("%d operations, %d records left, %d faults switched on, %d calls met one", m.n, len(m.want), m.faulted, failed)
	if failed == 0 {
		m.t.Error("no call met a fault")
	}
}

// failed counts the calls that met a fault.
func (m *mix) failed() int {
	n := 0
	for _, r := range m.sim.RequestsAbout(m.zone.ID) {
		if r.Fault != "" {
			n++
		}
	}
	return n
}

// step changes one object, and adds a fault every other time.
func (m *mix) step() {
	m.n++
	content := fmt.Sprintf("198.51.%d.%d", m.n/250, m.n%250+1)
	objects := slices.SortedFunc(maps.Keys(m.want), func(a, b *dnsv1alpha1.Record) int {
		return strings.Compare(*a.Spec.ForProvider.Name, *b.Spec.ForProvider.Name)
	})
	switch what := m.rng.IntN(4); {
	case len(objects) < 5 || what == 0:
		r := m.record(fmt.Sprint("r", m.n), "A", content)
		m.create(r)
		m.want[r] = content
	case what == 1 && len(objects) > 8:
		r := objects[m.rng.IntN(len(objects))]
		m.delete(r)
		delete(m.want, r)
		m.going = append(m.going, r)
	default:
		r := objects[m.rng.IntN(len(objects))]
		edit(m.world, r, func(r *dnsv1alpha1.Record) { r.Spec.ForProvider.Content = ptr.To(content) })
		m.want[r] = content
	}
	if m.rng.IntN(2) == 0 {
		methods := [][]string{reads(), writes()}[m.rng.IntN(2)]
		m.misbehave(simulator.Fault{
			Kind: m.kinds[m.rng.IntN(len(m.kinds))], Times: 1 + m.rng.IntN(3), Probability: 0.2 + 0.8*m.rng.Float64(),
			RetryAfter: time.Second, Delay: time.Duration(m.rng.IntN(1500)) * time.Millisecond,
		}, methods)
		m.faulted++
	}
}

// TestRefusalsInOlderForm has refusals answered in the form of older servers. The
// provider has to understand them: it reports what is wrong, finds what exists already,
// and creates again what is gone.
func TestRefusalsInOlderForm(t *testing.T) {
	t.Parallel()
	older := func(w *world, methods ...string) {
		w.misbehave(simulator.Fault{Kind: simulator.FaultErrorChain, Times: -1}, methods)
	}
	t.Run("Refused", func(t *testing.T) {
		inParallel(t, func(t *testing.T) {
			w := newWorld(t, onPlan(simulator.PlanFree))
			older(w, http.MethodPost)
			r := w.record("www", "A", "192.0.2.1", parameters(func(p *dnsv1alpha1.RecordParameters) { p.Tags = &[]string{"a:1"} }))
			w.create(r)
			refused(w, r, "9300")
			w.noRecords()
			w.behave()
			edit(w, r, func(r *dnsv1alpha1.Record) { r.Spec.ForProvider.Tags = nil })
			settled(w, r)
			w.holds("the refusal", []string{"A www." + w.zone.Name + " 192.0.2.1"})
		})
	})
	// 81057 is the older form of 81058: the record exists already, and lists do not show
	// it yet.
	t.Run("ExistsAlready", func(t *testing.T) {
		inParallel(t, func(t *testing.T) {
			w := newWorld(t)
			w.made("other", "A", "192.0.2.9")
			older(w, http.MethodPost)
			stale := w.sim.AddFault(simulator.Fault{Kind: simulator.FaultStaleList, Zone: w.zone.ID, Times: -1, Delay: time.Hour})
			w.dashboard(map[string]any{"type": "A", "name": "www", "content": "192.0.2.1", "ttl": 1})
			r := w.record("www", "A", "192.0.2.1")
			w.create(r)
			w.eventually(func() error {
				if refused := w.created() - 1; refused < 1 || w.sim.Fired(stale) == 0 {
					return fmt.Errorf("%d creations were refused, %d lists did not show what is there", refused, w.sim.Fired(stale))
				}
				return nil
			})
			w.sim.RemoveFault(stale)
			settled(w, r)
			w.holds("the refusal", []string{"A other." + w.zone.Name + " 192.0.2.9", "A www." + w.zone.Name + " 192.0.2.1"})
			if _, ok := w.sim.Record(w.zone.ID, meta.GetExternalName(r)); !ok {
				t.Errorf("the external name is %s, which is no record's ID", meta.GetExternalName(r))
			}
		})
	})
}
