// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package described

import (
	"context"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/crossplane/crossplane-runtime/v2/pkg/meta"
	"k8s.io/apimachinery/pkg/types"

	"github.com/provider-cloudflare/provider-cloudflare/internal/kind"
	"github.com/provider-cloudflare/provider-cloudflare/internal/parent"
)

// TestConvergingIsLookedAt checks that each reconcile reads a resource that converges, even if its kind is seldom
// swept. A resource that is ready is not read, and neither is one that waits for a person, such as a zone's DNSSEC
// for its DS record.
func TestConvergingIsLookedAt(t *testing.T) {
	t.Parallel()
	for name, read := range map[string]bool{"CustomHostnameFallbackOrigin": true, "DNSSEC": false, "KVNamespace": false} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newStage(t, entryOf(t, name))
			s.settle(s.kind, s.key)
			s.reconcile(s.kind, s.key)
			for range 3 {
				s.reconcile(s.kind, s.key)
				reads := 0
				for _, a := range s.log {
					if a.of == "cloudflare" && strings.HasPrefix(a.what, http.MethodGet) {
						reads++
					}
				}
				if (reads > 0) != read {
					t.Errorf("a reconcile of a %s made %d reads: %v", name, reads, s.log)
				}
			}
		})
	}
}

func TestConvergingIsPolled(t *testing.T) {
	t.Parallel()
	const hour = time.Hour
	at := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	for _, tc := range []struct {
		because    string
		interval   time.Duration
		converging time.Duration // since when, 0 for not at all
		unnamed    bool
		most       time.Duration
	}{
		{"it is ready", 10 * time.Minute, 0, false, hour},
		{"it has begun to converge", 10 * time.Minute, time.Second, false, 5 * time.Second},
		{"it has been converging for a while", 10 * time.Minute, 20 * time.Second, false, 20 * time.Second},
		{"it has been converging for minutes", 10 * time.Minute, 2 * time.Minute, false, time.Minute},
		{"it has been converging for longer than anybody waits", 10 * time.Minute, 30 * time.Minute, false, hour},
		{"the sweep sees it later", time.Minute, time.Second, false, 5 * time.Second},
		{"the sweep sees it as soon", time.Minute, time.Minute, false, hour},
		{"it has not found its resource", 10 * time.Minute, 0, true, 10 * time.Minute},
	} {
		k := &described{memory: newMemory(), terms: parent.CollectionOptions{Interval: tc.interval}, now: func() time.Time { return at }}
		mg := entryOf(t, "DNSSEC").New()
		mg.SetUID("uid")
		if !tc.unnamed {
			meta.SetExternalName(mg, "dnssec")
		}
		if tc.converging > 0 {
			k.memory.converges("uid", true, at.Add(-tc.converging))
			k.memory.converges("uid", true, at) // It has converged since then.
		}
		if got := k.poll(mg, hour); got > tc.most*11/10 || got < tc.most/2 {
			t.Errorf("%s: it is looked at after %s, want about %s", tc.because, got, tc.most)
		}
		k.memory.converges("uid", false, at)
		if _, does := k.memory.convergingSince("uid"); does {
			t.Errorf("%s: it still converges", tc.because)
		}
	}
}

func TestConverging(t *testing.T) {
	t.Parallel()
	d := kind.Description{Status: []kind.Status{{Path: "s", Converging: []string{"pending"}, Failed: []string{"failed"}, Human: map[string]string{"waiting": "do it"}}}}
	for status, want := range map[string]bool{"pending": true, "waiting": false, "failed": false, "active": false} {
		if _, got := readiness(d, kind.Document{"s": status}); got != want {
			t.Errorf("%s: converging is %t", status, got)
		}
	}
}

// A waitingList is an account whose resources all wait for a person. It counts the calls.
type waitingList struct {
	d           kind.Description
	n           int
	lists, gets int
}

func (*waitingList) Fingerprint() string { return "one" }
func (*waitingList) SweepRate() float64  { return 100 }

func (w *waitingList) row(id string) Live {
	return newLive(w.d, id, kind.Document{"id": id, "email": id})
}

func (w *waitingList) List(context.Context, string) (parent.Page[Live], error) {
	w.lists++
	p := parent.Page[Live]{Total: w.n}
	for i := range w.n {
		p.Rows = append(p.Rows, w.row(strconv.Itoa(i)))
	}
	return p, nil
}

func (w *waitingList) Get(_ context.Context, id string) (Live, error) {
	w.gets++
	return w.row(id), nil
}

// TestWhatWaitsForAPersonSharesItsList checks that a thousand objects that wait for a person cost the list that they
// share, at most twice an interval, and no look of their own.
func TestWhatWaitsForAPersonSharesItsList(t *testing.T) {
	const objects, intervals = 1000, 5
	synctest.Test(t, func(t *testing.T) {
		e := entryOf(t, "EmailRoutingAddress")
		account := &waitingList{d: e.Description, n: objects}
		k := &described{entry: e, memory: newMemory(), terms: terms(e.Description, 10*time.Minute), now: time.Now}
		k.terms.Interval = 10 * time.Minute
		coll := parent.NewPool[Live](parent.Options{}).Collection("key", account, k.terms)
		next := make([]time.Time, objects)
		for end := time.Now().Add(intervals * k.terms.Interval); time.Now().Before(end); <-time.After(5 * time.Second) {
			for i := range next {
				if time.Now().Before(next[i]) {
					continue
				}
				mg := e.New()
				mg.SetUID(types.UID(strconv.Itoa(i)))
				meta.SetExternalName(mg, strconv.Itoa(i))
				a := &adapter{described: k, mg: mg, coll: coll}
				l, err := a.get(t.Context(), strconv.Itoa(i))
				must(t, err)
				ready, converges := readiness(e.Description, l.doc)
				if ready.Status == "True" {
					t.Fatalf("it does not wait: %v", ready)
				}
				k.memory.converges(mg.GetUID(), converges, time.Now())
				next[i] = time.Now().Add(k.poll(mg, k.terms.Interval))
			}
		}
		if account.gets > 0 || account.lists > 2*intervals || account.lists == 0 {
			t.Errorf("%d objects cost %d lists and %d reads in %d intervals", objects, account.lists, account.gets, intervals)
		}
	})
}
