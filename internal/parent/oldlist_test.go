// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package parent

import (
	"testing"
	"testing/synctest"
	"time"
)

// TestAListFromBeforeProvesNothing checks that one wrong 404 of a row that GETs have shown is not believed, if the
// only list began before the row was made.
func TestAListFromBeforeProvesNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newStage(t, newFake(row("b", "1")), CollectionOptions{Listing: Partial})
		_, _ = s.things().Find(t.Context(), Query{Key: "n-b"}) // A caller looked for another row by its name.
		pass(time.Hour)
		s.set("a", "1") // A user made it, and named its ID in an object.
		s.get("a")
		pass(time.Minute)
		s.sweep()
		if got := s.get("a"); got != "1" {
			t.Fatalf("it is not there: %s", got)
		}
		pass(time.Minute)
		s.lookWrong("a")
		if err := s.things().Prove(t.Context(), "a", true); err == nil {
			t.Fatal("one wrong 404 proves that a row is gone which GETs have shown for minutes")
		}
	})
}
