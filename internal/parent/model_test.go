// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package parent

import (
	"context"
	"errors"
	"maps"
	"slices"
	"strconv"
	"testing"
	"testing/synctest"
	"time"

	"pgregory.net/rapid"
)

// A world is a collection that changes from outside, with reads that may be behind, and the objects
// that follow it. Each object looks at its row only when a change is reported, as a controller does.
type world struct {
	*stage

	t *rapid.T
	// seen is what each object saw last.
	seen map[string]string
	// again are the objects whose look failed. They look again by themselves.
	again map[string]bool
	n     int
}

func newWorld(t *testing.T, rt *rapid.T) *world {
	f := newFake()
	f.timed = rapid.Bool().Draw(rt, "timed")
	f.pageSize = rapid.IntRange(0, 3).Draw(rt, "page")
	terms := CollectionOptions{Listing: rapid.SampledFrom([]ListDetail{Complete, Partial, None}).Draw(rt, "listing"), Names: true}
	w := &world{stage: &stage{fake: f, t: t, pool: NewPool[*thing](Options{}), terms: terms}, t: rt, seen: map[string]string{}, again: map[string]bool{}}
	for _, id := range w.ids() {
		w.set(id, "0")
		w.look(id)
	}
	return w
}

func (w *world) ids() []string { return []string{"a", "b", "c", "d"} }

func (w *world) some() string { return rapid.SampledFrom(w.ids()).Draw(w.t, "row") }

func (w *world) text() string {
	w.n++
	return strconv.Itoa(w.n)
}

// look makes an object see its row.
func (w *world) look(id string) {
	r, err := w.things().Get(context.Background(), id)
	delete(w.again, id)
	switch {
	case err == nil:
		w.seen[id] = r.text
	case errors.Is(err, ErrNotFound):
		w.seen[id] = ""
	default:
		w.again[id] = true
	}
}

// sweepOnce sweeps, and makes the objects look whose rows the sweep reports.
func (w *world) sweepOnce() {
	ids := slices.Collect(maps.Keys(w.again))
	w.pool.Sweep(context.Background(), Handler{OnChange: func(c Change) { ids = append(ids, c.IDs...) }})
	for _, id := range ids {
		w.look(id)
	}
}

// truth returns the text of each row as it is.
func (w *world) truth() map[string]string {
	w.mu.Lock()
	defer w.mu.Unlock()
	out := map[string]string{}
	for _, id := range w.ids() {
		out[id] = ""
		if r, ok := w.rows[id]; ok {
			out[id] = r.text
		}
	}
	return out
}

func (w *world) actions() map[string]func(*rapid.T) {
	return map[string]func(*rapid.T){
		"others edit":   func(*rapid.T) { w.set(w.some(), w.text()) },
		"others delete": func(*rapid.T) { w.remove(w.some()) },
		"others undo":   func(*rapid.T) { w.set(w.some(), "0") },
		"own write": func(t *rapid.T) {
			id, text := w.some(), w.text()
			w.write(id, text)
			w.look(id)
			if w.seen[id] != text {
				t.Errorf("%s is %q right after %q was written", id, w.seen[id], text)
			}
		},
		"own deletion": func(t *rapid.T) {
			id := w.some()
			w.remove(id)
			w.things().Removed(id)
			w.look(id)
			if w.seen[id] != "" {
				t.Errorf("%s is %q right after it was deleted", id, w.seen[id])
			}
		},
		"reads lag": func(*rapid.T) {
			w.lag()
			time.AfterFunc(Lag-time.Millisecond, w.catchUp)
		},
		"question": func(*rapid.T) { _, _ = w.things().Find(context.Background(), Query{Key: "n-" + w.some()}) },
		"sweep":    func(*rapid.T) { w.sweepOnce() },
		"failure": func(t *rapid.T) {
			call := rapid.SampledFrom([]string{"list", "get"}).Draw(t, "call")
			w.hook(call, func(context.Context, string) error {
				w.hook(call, nil)
				return errLost
			})
		},
		"time": func(t *rapid.T) { pass(time.Duration(rapid.IntRange(1, 4000).Draw(t, "ms")) * time.Millisecond) },
	}
}

// TestEveryForeignChangeReachesItsObject does random actions on a collection. It then expects each
// object to have seen its row as it is, although it looked only when a change was reported.
func TestEveryForeignChangeReachesItsObject(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		var panicked any
		synctest.Test(t, func(t *testing.T) {
			defer func() { panicked = recover() }()
			w := newWorld(t, rt)
			defer pass(time.Minute)
			rt.Repeat(w.actions())
			w.hook("list", nil)
			w.hook("get", nil)
			for range 3 { // What failed is held for a while; copies catch up.
				pass(maxHold)
				w.catchUp()
				w.sweepOnce()
			}
			if want := w.truth(); !maps.Equal(w.seen, want) {
				rt.Errorf("objects saw %v, there is %v", w.seen, want)
			}
			if ids := w.sweep(); len(ids) != 0 {
				rt.Errorf("a sweep of nothing new reported %v", ids)
			}
		})
		if panicked != nil {
			panic(panicked)
		}
	})
}
