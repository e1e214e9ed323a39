// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package parent

import (
	"slices"
	"testing"
)

func TestWaiting(t *testing.T) {
	var w Waiters[string]
	w.Remove("a")
	if w.Of("zone") != nil || w.Take("zone") != nil {
		t.Fatal("somebody waits before anybody was added")
	}
	w.Add("zone", "a")
	w.Add("zone", "a")
	w.Add("zone", "b")
	w.Add("third", "c")
	w.Add("other", "a")
	if got := w.Of("zone"); !slices.Equal(got, []string{"b"}) {
		t.Errorf("%v wait in the zone, want b alone: a waits in another", got)
	}
	w.Remove("a")
	if w.Of("other") != nil {
		t.Error("a still waits in the other zone")
	}
	if got := w.Take("zone"); !slices.Equal(got, []string{"b"}) {
		t.Errorf("%v are woken, want b", got)
	}
	if w.Of("zone") != nil {
		t.Error("b still waits after it was woken")
	}
	if !slices.Equal(w.Of("third"), []string{"c"}) {
		t.Error("c waits no more, and nobody woke it")
	}
}
