// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package dnszone

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"pgregory.net/rapid"
)

// A held call waits in the middle of the fake until the test releases it.
type held struct{ free chan struct{} }

// world is a Zone over a fake. Every call is held twice, before it is carried out and
// before it is answered. The test releases calls in any order.
type world struct {
	f    *fake
	z    *Zone
	wait []*held
	// acked is the result of the last write of a record that was answered: the content,
	// or "" for deleted.
	acked map[string]string
	// writing are the records with a write under way: a record has one writer.
	writing map[string]bool
	names   int
	left    int
}

func newWorld() *world {
	w := &world{f: newFake(), acked: map[string]string{}, writing: map[string]bool{}}
	for n := range 4 {
		w.f.set(a(n, fmt.Sprint("r", n), "192.0.2.0"))
		w.acked[id(n)] = "192.0.2.0"
	}
	w.z = NewPool(Options{CallTimeout: 1000 * time.Hour, Fresh: 1000 * time.Hour}).Zone(w.f, testZone)
	return w
}

func (w *world) holdAll() {
	for _, what := range []string{"list", "get", "create", "patch", "delete"} {
		hold := func(context.Context) error {
			h := &held{make(chan struct{})}
			w.f.mu.Lock()
			w.wait = append(w.wait, h)
			w.f.mu.Unlock()
			<-h.free
			return nil
		}
		w.f.hook(w.f.before, what, hold)
		w.f.hook(w.f.after, what, hold)
	}
}

// start begins f, which ends once all its calls have been released.
func (w *world) start(f func()) {
	w.f.mu.Lock()
	w.left++
	w.f.mu.Unlock()
	go func() {
		f()
		w.f.mu.Lock()
		w.left--
		w.f.mu.Unlock()
	}()
}

// write begins a write of the record of that ID, "" for a new one.
func (w *world) write(op Op, id string) {
	if id != "" {
		w.writing[id] = true
	}
	w.start(func() {
		e, err := w.z.Apply(context.Background(), op)
		if err != nil {
			panic(fmt.Sprintf("a write failed: %v", err))
		}
		w.f.mu.Lock()
		defer w.f.mu.Unlock()
		delete(w.writing, id)
		w.acked[e.Live.ID] = e.Record.Content
		if op.kind == opDelete {
			w.acked[id] = ""
		}
	})
}

// check compares what the Zone holds with what was acknowledged.
func (w *world) check(t *rapid.T) {
	for id, want := range w.acked {
		if w.writing[id] {
			continue // Either state may be seen while the write is under way.
		}
		e, ok, _ := w.z.view.get(id)
		switch {
		case want == "" && ok:
			t.Fatalf("record %s was deleted and is back: %v", id, e.Live)
		case want != "" && (!ok || e.Record.Content != want):
			t.Fatalf("record %s was acknowledged with %s, the snapshot has %t %s", id, want, ok, e.Record.Content)
		}
		if want == "" {
			continue
		}
		if found := w.z.view.find(e.nameType()); !slices.ContainsFunc(found, func(f Entry) bool { return f.Live.ID == id }) {
			t.Fatalf("record %s is not found by its name and type", id)
		}
	}
}

// free draws a record without a writer.
func (w *world) free(t *rapid.T) (Entry, bool) {
	ids := slices.Sorted(maps.Keys(w.acked))
	ids = slices.DeleteFunc(ids, func(id string) bool { return w.writing[id] || w.acked[id] == "" })
	if len(ids) == 0 {
		return Entry{}, false
	}
	e, ok, _ := w.z.view.get(rapid.SampledFrom(ids).Draw(t, "record"))
	return e, ok
}

func (w *world) actions(tb testing.TB) map[string]func(*rapid.T) {
	tb.Helper()
	settled := func(do func(*rapid.T)) func(*rapid.T) {
		return func(t *rapid.T) {
			do(t)
			synctest.Wait()
		}
	}
	return map[string]func(*rapid.T){
		"create": settled(func(*rapid.T) {
			w.names++
			w.write(Create(wantA(tb, fmt.Sprint("n", w.names), "192.0.2.1")), "")
		}),
		"update": settled(func(t *rapid.T) {
			if e, ok := w.free(t); ok {
				w.names++
				want := e.Record
				want.Content = fmt.Sprintf("198.51.100.%d", w.names%250)
				w.write(Update(e, want), e.Live.ID)
			}
		}),
		"delete": settled(func(t *rapid.T) {
			if e, ok := w.free(t); ok {
				w.write(Delete(e), e.Live.ID)
			}
		}),
		"list": settled(func(*rapid.T) {
			w.start(func() { _ = w.z.lists.Refresh(context.Background()) })
		}),
		"get": settled(func(t *rapid.T) {
			id := rapid.SampledFrom(slices.Sorted(maps.Keys(w.acked))).Draw(t, "record")
			w.start(func() {
				// Even if the snapshot has it: the GET may be older than that.
				if _, err := w.z.getOne(context.Background(), id); err != nil && !errors.Is(err, ErrNotFound) {
					panic(err)
				}
			})
		}),
		// It is there twice, so that calls go on as often as new ones begin.
		"go on":       settled(w.goOn),
		"go on again": settled(w.goOn),
		"":            w.check,
	}
}

// goOn releases any one of the held calls.
func (w *world) goOn(t *rapid.T) {
	if len(w.wait) == 0 {
		return
	}
	i := rapid.IntRange(0, len(w.wait)-1).Draw(t, "call")
	h := w.wait[i]
	w.wait = slices.Delete(w.wait, i, i+1)
	close(h.free)
}

func TestNoInterleavingLosesAnAcknowledgedWrite(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		// A deadline means nothing on the clock of a bubble, so it is hidden.
		rapid.Check(struct{ testing.TB }{t}, func(rt *rapid.T) {
			w := newWorld()
			if err := w.z.lists.Refresh(t.Context()); err != nil {
				rt.Fatal(err)
			}
			w.holdAll()
			defer w.finish()
			rt.Repeat(w.actions(t))
		})
	})
}

// finish releases every call, so that the bubble can end.
func (w *world) finish() {
	for synctest.Wait(); len(w.wait) > 0; synctest.Wait() {
		all := w.wait
		w.wait = nil
		for _, h := range all {
			close(h.free)
		}
	}
	if w.left != 0 {
		panic(fmt.Sprintf("%d calls never end", w.left))
	}
}
