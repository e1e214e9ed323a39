// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package reconciler

import (
	"slices"

	"github.com/crossplane/crossplane-runtime/v2/pkg/controller"
	"github.com/crossplane/crossplane-runtime/v2/pkg/event"
	"golang.org/x/time/rate"
	apimeta "k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime"
	ctrl "sigs.k8s.io/controller-runtime"
)

// Bounds of the events of a kind. Each event costs the API server as much as a change of the
// object it is about, whose conditions say the same. Events wait in one queue of the runtime, and
// those that do not fit are lost. Without bounds, an outage or a flood of one tenant's objects
// would hide the adoptions and drifts of another tenant.
const (
	// routineBurst and routineRate bound the events about successful operations. A thousand
	// objects that are created together do not get a thousand events.
	routineBurst = 50
	routineRate  = rate.Limit(1) // a second
	// failureBurst and failureRate bound the events about failures that are tried again: there is
	// one for each attempt of each object.
	failureBurst = 100
	failureRate  = rate.Limit(5) // a second
	// otherBurst and otherRate bound all other events about objects of one namespace: adoptions,
	// drifts and conflicts.
	otherBurst = 300
	otherRate  = rate.Limit(5) // a second
)

// maxEvent bounds the message of an event, in bytes: the newer API of events accepts no more.
const maxEvent = 1024

// routine returns the reasons of the runtime's events about successful operations.
func routine() []event.Reason {
	return []event.Reason{"CreatedExternalResource", "UpdatedExternalResource", "DeletedExternalResource"}
}

// failures returns the reasons of the runtime's events about failed attempts.
func failures() []event.Reason {
	return []event.Reason{
		"CannotConnectToProvider", "CannotResolveResourceReferences", "CannotObserveExternalResource", "CannotCreateExternalResource",
		"CannotUpdateExternalResource", "CannotDeleteExternalResource", "CannotUpdateManagedResource",
	}
}

// unbounded returns the reasons of events about external resources whose object does not exist
// any more. Nothing else reports those.
func unbounded() []event.Reason {
	return []event.Reason{"LeftExternalResource", "TookBackExternalResource"}
}

// NewRecorder returns the recorder of a controller's events. The RBAC manager grants core events,
// not those of events.k8s.io.
func NewRecorder(mgr ctrl.Manager, name string, o controller.Options) event.Recorder {
	return newRateLimited(event.NewAPIRecorder(mgr.GetEventRecorderFor(name), o.EventFilterFunctions...))
}

// rateLimited is a recorder that lets events through at bounded rates. (A filter of the runtime's
// recorder would be lost with the annotations that the reconciler adds.)
type rateLimited struct {
	event.Recorder

	routine, failed *rate.Limiter
	others          *bounds
}

func newRateLimited(r event.Recorder) rateLimited {
	return rateLimited{
		Recorder: r,
		routine:  rate.NewLimiter(routineRate, routineBurst),
		failed:   rate.NewLimiter(failureRate, failureBurst),
		others:   newBounds(otherRate, otherBurst),
	}
}

// Event records e, unless it exceeds the bounds.
func (r rateLimited) Event(obj runtime.Object, e event.Event) {
	if !r.allows(obj, e) {
		return
	}
	e.Message = truncate(e.Message, maxEvent)
	r.Recorder.Event(obj, e)
}

// allows reports whether one more such event may be recorded, and counts it.
func (r rateLimited) allows(obj runtime.Object, e event.Event) bool {
	switch {
	case slices.Contains(unbounded(), e.Reason):
		return true
	case e.Type == event.TypeNormal && slices.Contains(routine(), e.Reason):
		return r.routine.Allow()
	case e.Type == event.TypeWarning && slices.Contains(failures(), e.Reason):
		return r.failed.Allow()
	default:
		return r.others.allow(namespace(obj))
	}
}

// namespace returns the namespace of obj, or "" if it has none.
func namespace(obj runtime.Object) string {
	o, err := apimeta.Accessor(obj)
	if err != nil {
		return ""
	}
	return o.GetNamespace()
}

// WithAnnotations returns a recorder that adds annotations and shares the bounds.
func (r rateLimited) WithAnnotations(keysAndValues ...string) event.Recorder {
	r.Recorder = r.Recorder.WithAnnotations(keysAndValues...)
	return r
}
