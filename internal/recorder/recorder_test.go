// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package recorder

import (
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/crossplane/crossplane-runtime/v2/pkg/event"
	"k8s.io/apimachinery/pkg/runtime"
)

// recorded keeps the events that it is given.
type recorded struct{ events *[]event.Event }

func (r recorded) Event(_ runtime.Object, e event.Event)    { *r.events = append(*r.events, e) }
func (r recorded) WithAnnotations(...string) event.Recorder { return r }

func TestRoutineEventsAreRateLimited(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var events []event.Event
		r := newRateLimited(recorded{&events})
		count := func(n int, e event.Event) int {
			events = nil
			for range n / 2 {
				r.Event(nil, e)
				r.WithAnnotations("external-name", "x").Event(nil, e) // As the reconciler does it.
			}
			return len(events)
		}
		created := event.Normal("CreatedExternalResource", "Successfully requested creation of external resource")
		if n := count(1000, created); n != routineBurst {
			t.Errorf("%d of a thousand creations are recorded, want %d", n, routineBurst)
		}
		for reason, e := range map[string]event.Event{
			"a failed creation":           event.Warning("CreatedExternalResource", errors.New("no")),
			"what happened to one object": event.Normal("DriftReverted", "Reverted: content"),
			"drift":                       event.Warning("DriftDetected", errors.New("content: live a, desired b")),
			"who is in conflict":          event.Warning("ConflictingOwner", errors.New("no")),
		} {
			if n := count(1000, e); n != 1000 {
				t.Errorf("%s: %d of a thousand are recorded, want all", reason, n)
			}
		}
		failed := event.Warning("CannotObserveExternalResource", errors.New("no answer"))
		if n := count(1000, failed); n != failureBurst {
			t.Errorf("%d of a thousand failures are recorded, want %d", n, failureBurst)
		}
		count(2, event.Warning("DriftDetected", errors.New(strings.Repeat("x", 100_000))))
		if len(events[0].Message) > maxEvent {
			t.Errorf("an event says %d bytes", len(events[0].Message))
		}
		<-time.After(10 * time.Second)
		if n := count(1000, created); n != 10 {
			t.Errorf("%d are recorded ten seconds later, want ten", n)
		}
		if n := count(1000, failed); n != 50 {
			t.Errorf("%d failures are recorded ten seconds later, want fifty", n)
		}
	})
}
