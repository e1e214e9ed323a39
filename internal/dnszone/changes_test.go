// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package dnszone

import (
	"testing"
	"testing/synctest"
	"time"
)

// TestChanges checks that Changes counts each change of a zone's records that a list shows or that this process
// makes, and nothing else.
func TestChanges(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFake(a(1, "www.example.com", "192.0.2.1"))
		z := NewPool(Options{Interval: time.Minute}).Zone(f, id(0))
		find := func() {
			if _, err := z.Find(t.Context(), guarded(t)); err != nil {
				t.Fatal(err)
			}
		}
		find()
		for _, tc := range []struct {
			reason string
			do     func()
			moves  bool
		}{
			{"nothing changed", func() {}, false},
			{"somebody else made a record", func() { f.set(a(2, "ftp.example.com", "192.0.2.2")) }, true},
			{"somebody else deleted one", func() { f.remove(id(1)) }, true},
			{"this process made one", func() {
				if _, err := z.Apply(t.Context(), Create(wantA(t, "mail.example.com", "192.0.2.3"))); err != nil {
					t.Fatal(err)
				}
			}, true},
			{"nothing changed since", func() {}, false},
		} {
			before := z.Changes()
			tc.do()
			pass(5 * time.Minute) // The list is not fresh any more.
			find()
			if moved := z.Changes() != before; moved != tc.moves {
				t.Errorf("%s: counted %t", tc.reason, moved)
			}
		}
	})
}
