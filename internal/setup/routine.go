// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package setup

import (
	"slices"

	"github.com/crossplane/crossplane-runtime/v2/pkg/event"
	"golang.org/x/time/rate"
	"k8s.io/apimachinery/pkg/runtime"
)

const (
	// routineBurst and routineRate bound the events about what went as it should:
	// each costs the API server as much as a change of the object it is about, which
	// tells the same on its status. A thousand objects that are created together do
	// not get a thousand of them.
	routineBurst = 50
	routineRate  = rate.Limit(1) // a second
)

// maxEvent is how much an event may say: the newer of the API's events take no more.
const maxEvent = 1024

// routine are the runtime's events about what went as it should.
func routine() []event.Reason {
	return []event.Reason{"CreatedExternalResource", "UpdatedExternalResource", "DeletedExternalResource"}
}

// sparing is a recorder that lets routine events through at a bounded rate, and
// all others always: what was adopted, what drifted, and whatever is wrong. (A
// filter of the runtime's recorder would be lost with the annotations that the
// reconciler adds.)
type sparing struct {
	event.Recorder

	limit *rate.Limiter
}

func newSparing(r event.Recorder) sparing {
	return sparing{Recorder: r, limit: rate.NewLimiter(routineRate, routineBurst)}
}

// Event records e, unless it is one of too many.
func (s sparing) Event(obj runtime.Object, e event.Event) {
	if e.Type == event.TypeNormal && slices.Contains(routine(), e.Reason) && !s.limit.Allow() {
		return
	}
	e.Message = shorten(e.Message, maxEvent)
	s.Recorder.Event(obj, e)
}

// WithAnnotations is a recorder that adds annotations and shares the bound.
func (s sparing) WithAnnotations(keysAndValues ...string) event.Recorder {
	return sparing{Recorder: s.Recorder.WithAnnotations(keysAndValues...), limit: s.limit}
}
