// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

// Package recorder records Kubernetes events at bounded rates.
package recorder

import (
	"slices"
	"strings"

	"github.com/crossplane/crossplane-runtime/v2/pkg/controller"
	"github.com/crossplane/crossplane-runtime/v2/pkg/event"
	"golang.org/x/time/rate"
	"k8s.io/apimachinery/pkg/runtime"
	ctrl "sigs.k8s.io/controller-runtime"
)

const (
	// routineBurst and routineRate bound the events about what went as it should:
	// each costs the API server as much as a change of the object it is about, which
	// tells the same on its status. A thousand objects that are created together do
	// not get a thousand of them.
	routineBurst = 50
	routineRate  = rate.Limit(1) // a second
	// failureBurst and failureRate bound the events about objects that failed and will
	// be tried again, which their conditions tell, too. In an outage there is one for
	// each attempt of each object, and events are sent one after the other: what
	// drifted or was adopted would be reported minutes later, or dropped.
	failureBurst = 500
	failureRate  = rate.Limit(5) // a second
)

// maxEvent is how much an event may say: the newer of the API's events take no more.
const maxEvent = 1024

// routine are the runtime's events about what went as it should.
func routine() []event.Reason {
	return []event.Reason{"CreatedExternalResource", "UpdatedExternalResource", "DeletedExternalResource"}
}

// failures are the runtime's events about attempts that failed.
func failures() []event.Reason {
	return []event.Reason{
		"CannotConnectToProvider", "CannotResolveResourceReferences", "CannotObserveExternalResource", "CannotCreateExternalResource",
		"CannotUpdateExternalResource", "CannotDeleteExternalResource", "CannotUpdateManagedResource",
	}
}

// New makes the recorder of a controller's events. The RBAC manager grants
// core events, not those of events.k8s.io.
func New(mgr ctrl.Manager, name string, o controller.Options) event.Recorder {
	return newRateLimited(event.NewAPIRecorder(mgr.GetEventRecorderFor(name), o.EventFilterFunctions...))
}

// rateLimited is a recorder that lets routine events and those about failed attempts
// through at bounded rates, and all others always: what was adopted, what drifted,
// who is in conflict. (A filter of the runtime's recorder would be lost with the
// annotations that the reconciler adds.)
type rateLimited struct {
	event.Recorder

	routine, failed *rate.Limiter
}

func newRateLimited(r event.Recorder) rateLimited {
	return rateLimited{
		Recorder: r,
		routine:  rate.NewLimiter(routineRate, routineBurst),
		failed:   rate.NewLimiter(failureRate, failureBurst),
	}
}

// Event records e, unless it is one of too many.
func (r rateLimited) Event(obj runtime.Object, e event.Event) {
	e.Message = truncate(e.Message, maxEvent)
	switch {
	case e.Type == event.TypeNormal && slices.Contains(routine(), e.Reason) && !r.routine.Allow():
	case e.Type == event.TypeWarning && slices.Contains(failures(), e.Reason) && !r.failed.Allow():
	default:
		r.Recorder.Event(obj, e)
	}
}

// WithAnnotations is a recorder that adds annotations and shares the bounds.
func (r rateLimited) WithAnnotations(keysAndValues ...string) event.Recorder {
	r.Recorder = r.Recorder.WithAnnotations(keysAndValues...)
	return r
}

// truncate cuts s to n bytes, and shows that it did.
func truncate(s string, n int) string {
	const more = " ..."
	if len(s) <= n {
		return s
	}
	return strings.ToValidUTF8(s[:n-len(more)], "") + more
}
