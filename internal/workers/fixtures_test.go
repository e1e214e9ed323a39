// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package workers

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/go-logr/logr"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/utils/ptr"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/config"
	"sigs.k8s.io/controller-runtime/pkg/controller/priorityqueue"
	"sigs.k8s.io/controller-runtime/pkg/manager"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
	"sigs.k8s.io/controller-runtime/pkg/source"
)

// An operator is a manager without a cluster. Once it has been started, it runs what is
// added to it, and keeps the errors.
type operator struct {
	ctrl.Manager

	pool *Pool
	stop context.CancelFunc

	mu      sync.Mutex
	ctx     context.Context //nolint:containedctx // As a manager keeps it.
	added   []manager.Runnable
	failed  []error
	running sync.WaitGroup
}

func (*operator) GetLogger() logr.Logger { return logr.Discard() }
func (*operator) GetControllerOptions() config.Controller {
	return config.Controller{SkipNameValidation: ptr.To(true), Logger: logr.Discard()}
}

func (o *operator) Add(r manager.Runnable) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.ctx == nil {
		o.added = append(o.added, r)
		return nil
	}
	o.run(r)
	return nil
}

func (o *operator) run(r manager.Runnable) {
	ctx := o.ctx
	o.running.Go(func() {
		if err := r.Start(ctx); err != nil {
			o.mu.Lock()
			defer o.mu.Unlock()
			o.failed = append(o.failed, err)
		}
	})
}

func (o *operator) start(ctx context.Context) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.ctx, o.stop = context.WithCancel(ctx)
	for _, r := range o.added {
		o.run(r)
	}
}

// A kind is a kind of the tests. It records what was reconciled of it.
type kind struct {
	name string
	// reconcile reconciles an object. If it is nil, a reconcile takes 50 ms and
	// succeeds.
	reconcile func(ctx context.Context, key types.NamespacedName) (reconcile.Result, error)

	mu    sync.Mutex
	queue priorityqueue.PriorityQueue[Request]
	seen  []seen
}

type seen struct {
	types.NamespacedName

	at time.Time
}

func (k *kind) Reconcile(ctx context.Context, r reconcile.Request) (reconcile.Result, error) {
	k.mu.Lock()
	k.seen = append(k.seen, seen{r.NamespacedName, time.Now()})
	k.mu.Unlock()
	if k.reconcile != nil {
		return k.reconcile(ctx, r.NamespacedName)
	}
	<-time.After(50 * time.Millisecond)
	return reconcile.Result{}, nil
}

// reconciled returns the reconciles so far, when everything has come to rest.
func (k *kind) reconciled() []seen {
	synctest.Wait()
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.seen
}

// of returns the kind as the pool knows it. Each object uses the config named default
// of its namespace.
func (k *kind) of(tb testing.TB) Kind {
	tb.Helper()
	hand := source.TypedFunc[Request](func(_ context.Context, q Queue) error {
		k.mu.Lock()
		defer k.mu.Unlock()
		var ok bool
		if k.queue, ok = q.(priorityqueue.PriorityQueue[Request]); !ok {
			return fmt.Errorf("a %T has no priorities", q)
		}
		return nil
	})
	return Kind{
		GroupKind:  k.groupKind(),
		Name:       "managed/" + k.name + ".test",
		Reconciler: k,
		Config:     func(key types.NamespacedName) string { return "ProviderConfig " + key.Namespace + "/default" },
		Objects:    handing{hand},
	}
}

// handed returns the pool's queue, or nil before the pool has handed it to the kind.
func (k *kind) handed() priorityqueue.PriorityQueue[Request] {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.queue
}

func (k *kind) add(priority, n int, namespace string) {
	synctest.Wait() // The pool may be about to hand out its queue.
	for i := range n {
		k.handed().AddWithOpts(priorityqueue.AddOpts{Priority: ptr.To(priority)}, k.request(namespace, fmt.Sprint("r", i)))
	}
}

func (k *kind) groupKind() schema.GroupKind { return schema.GroupKind{Group: "test", Kind: k.name} }

func (k *kind) request(namespace, name string) Request {
	return Request{Kind: k.groupKind(), NamespacedName: types.NamespacedName{Namespace: namespace, Name: name}}
}

// A handing is a source that hands the queue to a test, and lists nothing.
type handing struct{ source.TypedFunc[Request] }

func (handing) WaitForSync(context.Context) error { return nil }

// operate runs f with a pool at a hundred reconciles a second, in virtual time.
func operate(t *testing.T, f func(t *testing.T, o *operator)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		o := &operator{stop: func() {}, pool: New(Options{
			PerSecond: 100, PerConfig: 64,
			Credential: func(config string) string { return "of " + config },
		})}
		f(t, o)
		o.stop()
		o.running.Wait()
	})
}

func (o *operator) manage(t *testing.T, kinds ...*kind) {
	t.Helper()
	for _, k := range kinds {
		if err := o.pool.Add(o, k.of(t)); err != nil {
			t.Fatal(err)
		}
	}
}
