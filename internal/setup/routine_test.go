// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package setup

import (
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/crossplane/crossplane-runtime/v2/pkg/event"
	"k8s.io/apimachinery/pkg/runtime"
)

// heard keeps what it is told.
type heard struct{ events *[]event.Event }

func (h heard) Event(_ runtime.Object, e event.Event)    { *h.events = append(*h.events, e) }
func (h heard) WithAnnotations(...string) event.Recorder { return h }

func TestRoutineEventsAreSpared(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var events []event.Event
		r := newSparing(heard{&events})
		told := func(n int, e event.Event) int {
			events = nil
			for range n / 2 {
				r.Event(nil, e)
				r.WithAnnotations("external-name", "x").Event(nil, e) // As the reconciler does it.
			}
			return len(events)
		}
		created := event.Normal("CreatedExternalResource", "Successfully requested creation of external resource")
		if n := told(1000, created); n != routineBurst {
			t.Errorf("%d of a thousand creations are told, want %d", n, routineBurst)
		}
		for reason, e := range map[string]event.Event{
			"a failed creation":           event.Warning("CreatedExternalResource", errors.New("no")),
			"what happened to one object": event.Normal("DriftReverted", "Reverted: content"),
			"drift":                       event.Warning("DriftDetected", errors.New("content: live a, desired b")),
			"who is in conflict":          event.Warning("ConflictingOwner", errors.New("no")),
		} {
			if n := told(1000, e); n != 1000 {
				t.Errorf("%s: %d of a thousand are told, want all", reason, n)
			}
		}
		failed := event.Warning("CannotObserveExternalResource", errors.New("no answer"))
		if n := told(1000, failed); n != failureBurst {
			t.Errorf("%d of a thousand failures are told, want %d", n, failureBurst)
		}
		told(2, event.Warning("DriftDetected", errors.New(strings.Repeat("x", 100_000))))
		if len(events[0].Message) > maxEvent {
			t.Errorf("an event says %d bytes", len(events[0].Message))
		}
		<-time.After(10 * time.Second)
		if n := told(1000, created); n != 10 {
			t.Errorf("%d are told ten seconds later, want ten", n)
		}
		if n := told(1000, failed); n != 50 {
			t.Errorf("%d failures are told ten seconds later, want fifty", n)
		}
	})
}
