// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package reconciler

import (
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// version returns an object of the tests at that resource version.
func version(v string) *metav1.PartialObjectMetadata {
	return &metav1.PartialObjectMetadata{ObjectMeta: metav1.ObjectMeta{UID: "u", ResourceVersion: v}}
}

func TestWritesTellOwnEvents(t *testing.T) {
	type act func(w *Writes, woken *int)
	update := func(from, to string) act { return func(w *Writes, _ *int) { w.Begin("u", from)(to) } }
	var answers []func(string)
	send := func(from string) act {
		return func(w *Writes, _ *int) { answers = append(answers, w.Begin("u", from)) }
	}
	answer := func(to string) act {
		return func(*Writes, *int) {
			answers[0](to)
			answers = answers[1:]
		}
	}
	status := func(from, to string) act { return func(w *Writes, _ *int) { w.Wrote("u", from, to) } }
	look := func(cached string) act { return func(w *Writes, _ *int) { w.Behind("u", cached) } }
	event := func(from, to string) act {
		return func(w *Writes, woken *int) {
			wake := func() { *woken++ }
			if !w.IsOwn(version(from), version(to), wake) {
				wake()
			}
		}
	}
	tests := []struct {
		reason string
		acts   []act
		wakes  int
		// left is true if the cache is still expected to show a write.
		left bool
	}{
		{"an event without any write of ours is someone else's", []act{event("1", "2")}, 1, false},
		{"one update of ours is ours", []act{update("1", "2"), event("1", "2")}, 0, false},
		{"so are several, one after the other", []act{update("1", "2"), update("2", "3"), event("1", "2"), event("2", "3")}, 0, false},
		{"with statuses in between", []act{update("1", "2"), status("2", "3"), update("3", "4"), event("1", "2"), event("2", "3"), event("3", "4")}, 1, false},
		{"a user's edit after ours is not", []act{update("1", "2"), event("1", "2"), event("2", "3")}, 1, false},
		{"an edit that came in one event with ours is not", []act{update("1", "2"), event("1", "3")}, 1, true},
		{"two updates of ours in one event could be anything", []act{update("1", "2"), update("2", "3"), event("1", "3")}, 1, false},
		{"an edit before ours makes ours fail", []act{update("1", ""), event("1", "2")}, 1, false},
		{"an event may come before the answer", []act{send("1"), event("1", "2"), answer("2")}, 0, false},
		{"and turn out to be someone else's", []act{send("1"), event("1", "2"), answer("")}, 1, false},
		{"an update that changed nothing makes no event", []act{update("1", "1"), event("1", "2")}, 1, false},
		{"a resync is no change", []act{send("1"), event("1", "1"), answer("2"), event("1", "2")}, 1, false},
		{"what the cache never shows is still expected", []act{update("1", "2")}, 0, true},
		{"until the cache shows something based on it", []act{update("1", "2"), event("2", "3")}, 1, false},
		{"the cache shows a version before its event arrives", []act{update("1", "2"), look("2"), event("1", "2")}, 0, false},
		{"and an update that changed nothing may show it first", []act{update("1", "2"), update("2", "2"), event("1", "2")}, 0, false},
		{"an object that is gone is forgotten", []act{update("1", "2"), func(w *Writes, _ *int) { w.Forget("u") }}, 0, false},
		{"even where the answer comes after", []act{send("1"), func(w *Writes, _ *int) { w.Forget("u") }, answer("2")}, 0, false},
	}
	for _, tc := range tests {
		w, woken := newWrites(), 0
		answers = nil
		for _, a := range tc.acts {
			a(w, &woken)
		}
		if woken != tc.wakes {
			t.Errorf("%s: the object was woken %d times, want %d", tc.reason, woken, tc.wakes)
		}
		if left := len(w.objects) > 0; left != tc.left {
			t.Errorf("%s: something is kept: %t, want %t", tc.reason, left, tc.left)
		}
	}
}

func TestWritesTellWhetherTheCacheIsBehind(t *testing.T) {
	w := newWrites()
	check := func(reason, cached string, want bool) {
		t.Helper()
		if got := w.Behind("u", cached); got != want {
			t.Errorf("%s: behind is %t at version %s, want %t", reason, got, cached, want)
		}
	}
	check("nothing was written", "1", false)
	w.Wrote("u", "1", "2")
	check("the cache does not show the write yet", "1", true)
	check("it does now", "2", false)
	check("what it showed once is settled", "2", false)
	w.Wrote("u", "2", "3")
	check("it may show something newer than the write: the two cannot be distinguished", "4", true)
	w.Wrote("u", "4", "4")
	check("a write that changed nothing shows that the cache had the latest", "4", false)
}
