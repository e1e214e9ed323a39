// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package controller

import (
	"context"
	"fmt"
	"time"

	"github.com/crossplane/crossplane-runtime/v2/pkg/controller"
	"github.com/crossplane/crossplane-runtime/v2/pkg/event"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	apimeta "k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime/schema"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/manager"

	"github.com/provider-cloudflare/provider-cloudflare/internal/reconciler"
)

const (
	// firstTry and lastTry bound the time between two attempts to start a kind.
	firstTry = 250 * time.Millisecond
	lastTry  = 15 * time.Second
	// discovery is how long discovery may take to find a kind after its CRD was established, before
	// the kind is reported.
	discovery = 15 * time.Second

	// recorderName is the source of the events about kinds.
	recorderName = "kinds"
	// eventNotStarted is the reason of events about the CRD of a kind that cannot be started.
	eventNotStarted event.Reason = "CannotStartKind"
)

// Setup makes mgr start every controller of the roster while it leads. It starts them at once or, if o
// has a gate, each when the kinds that it needs are served.
//
// A kind may be unreadable: it is not served, its CRD is broken, or this process may not list it.
// Setup reports such a kind and tries again, and only the controllers that need it wait meanwhile.
// This is the same for the provider configs, although all other kinds need them: a restart would not
// start those sooner. When ctx has ended, mgr accepts no more controllers.
func Setup(ctx context.Context, mgr ctrl.Manager, o controller.Options, kinds *Kinds, roster []Entry) error {
	events := reconciler.NewRecorder(mgr, recorderName, o)
	for _, e := range roster {
		s := &starter{mgr: mgr, o: o, entry: e, kinds: kinds, events: events}
		if o.Gate == nil {
			if err := mgr.Add(s); err != nil {
				return fmt.Errorf("cannot add the controller of %s: %w", e.Kind.Kind, err)
			}
			continue
		}
		o.Gate.Register(func() {
			if err := mgr.Add(s); err != nil && ctx.Err() == nil {
				o.Logger.Info("the controllers are ending, so that no kind is started any more", "kind", e.Kind.Kind, "error", err)
			}
		}, e.Needs...)
	}
	return nil
}

// A starter starts the controller of one entry as soon as the kinds that it needs can be read.
type starter struct {
	mgr    ctrl.Manager
	o      controller.Options
	entry  Entry
	kinds  *Kinds
	events event.Recorder
}

// NeedLeaderElection returns true: only the leader needs controllers.
func (*starter) NeedLeaderElection() bool { return true }

// Start returns when the controller was added, or when ctx has ended. Its error ends the manager. Such
// an error is a fault of the program, and a process without the controller must not look healthy.
func (s *starter) Start(ctx context.Context) error {
	s.kinds.run(s.entry.Kind, false)
	began := time.Now()
	for wait := firstTry; !s.ready(ctx, time.Since(began)); wait = min(2*wait, lastTry) {
		again := time.NewTimer(wait)
		select {
		case <-again.C:
		case <-ctx.Done():
			again.Stop()
			return nil
		}
	}
	mgr := &withheld{Manager: s.mgr}
	err := s.entry.Setup(mgr, s.o)
	if err == nil {
		err = mgr.release()
	}
	if err != nil && ctx.Err() == nil { // A manager that is ending accepts no more controllers.
		return fmt.Errorf("cannot set up the controller of kind %s: %w", s.entry.Kind.Kind, err)
	}
	s.kinds.run(s.entry.Kind, err == nil)
	return nil
}

// ready reports whether all kinds that the controller needs can be read, and reports the first that
// cannot.
func (s *starter) ready(ctx context.Context, after time.Duration) bool {
	for _, gvk := range s.entry.Needs {
		err := s.kinds.await(ctx, s.mgr, gvk)
		if err == nil {
			continue
		}
		if ctx.Err() == nil && (after >= discovery || !apimeta.IsNoMatchError(err)) {
			s.tell(ctx, gvk, err)
		}
		return false
	}
	return true
}

// tell reports in the log and in an event on its CRD why a kind cannot be read. It logs each error
// once, but sends the event each time, because events expire after an hour.
func (s *starter) tell(ctx context.Context, gvk schema.GroupVersionKind, err error) {
	if s.kinds.tells(gvk, err) {
		s.o.Logger.Info("cannot start the controllers that need a kind, trying again", "kind", gvk.Kind, "error", err)
	}
	if s.o.Gate == nil {
		return // This process may not read CRDs.
	}
	l := &apiextensionsv1.CustomResourceDefinitionList{}
	if err := s.mgr.GetClient().List(ctx, l, client.UnsafeDisableDeepCopy); err != nil {
		return // The log has the error.
	}
	for i := range l.Items {
		if crd := &l.Items[i]; crd.Spec.Group == gvk.Group && crd.Spec.Names.Kind == gvk.Kind {
			s.events.Event(crd, event.Warning(eventNotStarted, err))
		}
	}
}

// withheld is a manager that adds its runnables only when release is called. A controller that starts
// before it has all of its watches makes the later watches wait for the caches of the first ones. And
// one whose setup fails halfway would run with some of its watches.
type withheld struct {
	ctrl.Manager
	runnables []manager.Runnable
}

// Add keeps r.
func (w *withheld) Add(r manager.Runnable) error {
	w.runnables = append(w.runnables, r)
	return nil
}

// release adds all kept runnables to the manager, in order.
func (w *withheld) release() error {
	for _, r := range w.runnables {
		if err := w.Manager.Add(r); err != nil {
			return err
		}
	}
	w.runnables = nil
	return nil
}
