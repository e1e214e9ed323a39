// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package reconciler

import (
	"errors"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/crossplane/crossplane-runtime/v2/pkg/event"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
)

// recorded keeps the recorded events.
type recorded struct{ events *[]event.Event }

func (r recorded) Event(_ runtime.Object, e event.Event)    { *r.events = append(*r.events, e) }
func (r recorded) WithAnnotations(...string) event.Recorder { return r }

// TestEventsAreBounded: of each sort of event a burst is recorded and then a rate. Events about
// adoptions, drifts and conflicts have bounds for each namespace.
func TestEventsAreBounded(t *testing.T) {
	created := event.Normal("CreatedExternalResource", "Successfully requested creation of external resource")
	failed := event.Warning("CannotObserveExternalResource", errors.New("no answer"))
	drifted := event.Warning("DriftDetected", errors.New("content: live a, desired b"))
	synctest.Test(t, func(t *testing.T) {
		var events []event.Event
		r := newRateLimited(recorded{&events})
		count := func(namespace string, e event.Event) int {
			o := &corev1.Secret{}
			o.Namespace = namespace
			events = nil
			for range 500 {
				r.Event(o, e)
				r.WithAnnotations("external-name", "x").Event(o, e) // As the reconciler does it.
			}
			return len(events)
		}
		for _, tc := range []struct {
			reason    string
			namespace string
			after     time.Duration
			e         event.Event
			want      int
		}{
			{"what went as it should", "a", 0, created, routineBurst},
			{"failures, of which there is a bound of their own", "a", 0, failed, failureBurst},
			{"a failed creation is no routine", "a", 0, event.Warning("CreatedExternalResource", errors.New("no")), otherBurst},
			{"what drifted shares the bound of all that is neither", "a", 0, drifted, 0},
			{"another tenant's routine shares the bound", "b", 0, created, 0},
			{"another tenant's drift, whatever the first has", "b", 0, drifted, otherBurst},
			{"what was left behind for an object that is gone", "a", 0, event.Warning("LeftExternalResource", errors.New("in use")), 1000},
			{"that of an object without a namespace", "", 0, drifted, otherBurst},
			{"routine ten seconds later", "a", 10 * time.Second, created, 10},
			{"failures ten seconds later", "a", 0, failed, 50},
			{"drift ten seconds later", "a", 0, drifted, 50},
		} {
			<-time.After(tc.after) // On the bubble's clock.
			if n := count(tc.namespace, tc.e); n != tc.want {
				t.Errorf("%s: %d of a thousand are recorded, want %d", tc.reason, n, tc.want)
			}
		}
		events = nil
		r.Event(nil, event.Warning("ConflictingOwner", errors.New(strings.Repeat("x", 100_000))))
		if len(events) != 1 || len(events[0].Message) > maxEvent {
			t.Errorf("an event of 100,000 bytes gives %d, of which the first must say %d bytes at most", len(events), maxEvent)
		}
	})
}

// TestBoundsForgetNamespaces: the number of limiters does not grow with the namespaces over time,
// and a limiter that limits is not dropped.
func TestBoundsForgetNamespaces(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBounds(1, 2)
		for b.allow("busy") {
		}
		for i := range 10 * manyNamespaces {
			b.allow(strconv.Itoa(i))
			if b.allow("busy") {
				t.Fatalf("the bound of a namespace is forgotten after %d others", i)
			}
			if i%100 == 0 {
				<-time.After(2 * time.Second) // On the bubble's clock.
				for b.allow("busy") {
				}
			}
		}
		if n := len(b.byNamespace); n > manyNamespaces {
			t.Errorf("%d namespaces are kept, want %d at most", n, manyNamespaces)
		}
	})
}
