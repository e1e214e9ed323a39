// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

// Package workers runs the reconciles of all kinds with one pool of workers, which share one
// queue and one limit. A kind without objects costs its informer and nothing else.
package workers

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/go-logr/logr"
	"golang.org/x/time/rate"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/util/workqueue"
	"k8s.io/utils/ptr"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/controller"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
	"sigs.k8s.io/controller-runtime/pkg/source"

	"github.com/provider-cloudflare/provider-cloudflare/internal/cloudflare"
	"github.com/provider-cloudflare/provider-cloudflare/internal/workers/fairqueue"
)

const (
	// controllerName is the name of the pool in controller-runtime's metrics.
	controllerName = "managed"
	// workers is the maximum number of concurrent reconciles. A worker waits for calls to
	// Cloudflare most of its time, and an idle one costs some kilobytes.
	workers = 512
	// reserve is how many of them are kept for namespaces that have few.
	reserve = workers / 2
	// configsPerNamespace is the maximum number of workers of a namespace, in units of the
	// maximum of one provider config.
	configsPerNamespace = 2
	// burstSeconds is how many seconds' worth of reconciles may come at once after a quiet
	// time. A restart reconciles every object without a call or a write: ten thousand of them
	// must not wait for minutes. The budget of the credential bounds the reconciles that make
	// calls.
	burstSeconds = 100
	// minBackoff and maxBackoff bound the delay after which a failed object is reconciled
	// again.
	minBackoff = time.Second
	maxBackoff = time.Minute
	// syncTimeout is how long the initial list of a kind's informer may take.
	syncTimeout = 2 * time.Minute
)

// A Request is for an object of some kind.
type Request struct {
	Kind schema.GroupKind
	types.NamespacedName
}

// Options are the settings of a Pool.
type Options struct {
	// PerSecond is the sustained rate of reconciles of all kinds together.
	PerSecond int
	// PerConfig is the maximum number of concurrent reconciles of objects of a provider config,
	// or of a credential.
	PerConfig int
	// Credential returns the fingerprint of the credential that a provider config uses now, or
	// "" if it is not known. config is its name as ConfigOf returns it. Credential must return
	// at once.
	Credential func(config string) string
}

// A Pool reconciles the objects of all kinds. It is a collector of metrics.
type Pool struct {
	// Rate bounds the reconciles a second of all kinds together.
	Rate *rate.Limiter

	o       Options
	metrics *metrics

	mu    sync.RWMutex
	kinds map[schema.GroupKind]*Kind
	queue *fairqueue.Queue[Request]
	// begun is closed when the queue exists, which stays.
	begun chan struct{}
}

// New returns a Pool.
func New(o Options) *Pool {
	return &Pool{
		Rate:    rate.NewLimiter(rate.Limit(o.PerSecond), burstSeconds*o.PerSecond),
		o:       o,
		metrics: newMetrics(),
		kinds:   map[schema.GroupKind]*Kind{},
		begun:   make(chan struct{}),
	}
}

// A Kind is a kind whose objects the pool reconciles.
type Kind struct {
	schema.GroupKind

	// Name is the name of the kind's controller in the pool's metrics and logs.
	Name       string
	Reconciler reconcile.Reconciler
	// Config returns the name of the provider config that an object uses, or "" if that is not
	// known.
	Config func(types.NamespacedName) string
	// Objects is the source of the kind's own objects.
	Objects source.TypedSyncingSource[Request]
	// Wakes are sources of further requests, from the objects that the kind's objects depend
	// on. The pool does not wait for their lists, which need other rights than those to the
	// kind.
	Wakes []Source
}

// Add makes the pool reconcile objects of one more kind, from when mgr starts, or at once if it
// has started. All kinds are added to the same mgr.
func (p *Pool) Add(mgr ctrl.Manager, k Kind) error {
	if err := p.register(mgr, &k); err != nil {
		return err
	}
	if err := mgr.Add(p.feed(&k)); err != nil {
		return fmt.Errorf("cannot watch %s: %w", k.GroupKind, err)
	}
	return nil
}

// register records the kind, and creates the controller for the first one.
func (p *Pool) register(mgr ctrl.Manager, k *Kind) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.kinds) == 0 {
		_, err := controller.NewTyped(controllerName, mgr, controller.TypedOptions[Request]{
			MaxConcurrentReconciles: workers,
			Reconciler:              reconcile.TypedFunc[Request](p.reconcile),
			RecoverPanic:            ptr.To(true),
			RateLimiter:             workqueue.NewTypedItemExponentialFailureRateLimiter[Request](minBackoff, maxBackoff),
			NewQueue:                p.newQueue,
			LogConstructor:          p.logger(mgr.GetLogger()),
		})
		if err != nil {
			return fmt.Errorf("cannot make the controller of managed resources: %w", err)
		}
	}
	if _, ok := p.kinds[k.GroupKind]; ok {
		return fmt.Errorf("%s is reconciled already", k.GroupKind)
	}
	p.kinds[k.GroupKind] = k
	p.metrics.expect(k.Name)
	return nil
}

// newQueue returns the queue, for controller.TypedOptions.NewQueue.
func (p *Pool) newQueue(_ string, backoff workqueue.TypedRateLimiter[Request]) workqueue.TypedRateLimitingInterface[Request] {
	q := fairqueue.New(fairqueue.Options[Request]{
		Shares: fairqueue.Shares{
			Workers: workers,
			Reserve: reserve,
			Tenant:  configsPerNamespace * p.o.PerConfig,
			Each:    p.o.PerConfig,
		},
		Rate:       p.Rate,
		Backoff:    backoff,
		Owner:      p.owner,
		Credential: p.o.Credential,
		Taken:      func(r Request, waited time.Duration) { p.metrics.taken(p.name(r), waited) },
	})
	p.mu.Lock()
	defer p.mu.Unlock()
	p.queue = q
	close(p.begun)
	return q
}

// owner returns the owner of an object.
func (p *Pool) owner(r Request) fairqueue.Owner {
	o := fairqueue.Owner{Tenant: r.Namespace}
	if k := p.kind(r); k != nil {
		o.Config = k.Config(r.NamespacedName)
	}
	return o
}

func (p *Pool) kind(r Request) *Kind {
	p.mu.RLock()
	defer p.mu.RUnlock()
	return p.kinds[r.Kind]
}

func (p *Pool) name(r Request) string {
	if k := p.kind(r); k != nil {
		return k.Name
	}
	return ""
}

// reconcile reconciles an object with its kind's reconciler.
func (p *Pool) reconcile(ctx context.Context, r Request) (reconcile.Result, error) {
	k := p.kind(r)
	if k == nil {
		return reconcile.Result{}, reconcile.TerminalError(fmt.Errorf("there is no reconciler of %s", r.Kind))
	}
	end, result := p.metrics.begin(k.Name), resultError // Of one that panics, too.
	defer func() { end(result) }()
	res, err := k.Reconciler.Reconcile(cloudflare.ForTenant(ctx, r.Namespace), reconcile.Request{NamespacedName: r.NamespacedName})
	result = resultOf(res, err)
	return res, err
}

func (p *Pool) logger(log logr.Logger) func(*Request) logr.Logger {
	return func(r *Request) logr.Logger {
		if r == nil {
			return log.WithValues("controller", controllerName)
		}
		return log.WithValues("controller", p.name(*r), "namespace", r.Namespace, "name", r.Name)
	}
}
