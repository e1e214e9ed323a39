// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package controller

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	apimeta "k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/provider-cloudflare/provider-cloudflare/internal/controller/scope"
)

const (
	// syncTimeout is how long the initial list of a kind's cache may take.
	syncTimeout = 2 * time.Minute
	// verdictAge is how long the verdict that a kind cannot be read stays valid: all kinds ask for
	// provider configs.
	verdictAge = time.Second
)

// Kinds knows which kinds can be read, and which controllers run. It is a collector of metrics,
// and safe for concurrent use.
type Kinds struct {
	namespaces scope.Namespaces

	mu    sync.Mutex
	kinds map[schema.GroupVersionKind]*state
	// running has the kinds whose controllers are to run, and whether they run.
	running map[string]bool
}

// A state is the state of one kind. Kinds.mu guards all of it except probing.
type state struct {
	// probing has an element while the state is probed.
	probing chan struct{}
	// filled is true once the cache has the kind's objects. The cache keeps them from then on.
	filled bool
	// err is why the kind could not be read at the time at. reported is the error that was
	// reported last.
	err      error
	at       time.Time
	reported string
}

// NewKinds returns Kinds without any state. Objects are read in those namespaces.
func NewKinds(n scope.Namespaces) *Kinds {
	return &Kinds{namespaces: n, kinds: map[schema.GroupVersionKind]*state{}, running: map[string]bool{}}
}

// of returns the state of a kind. k.mu is held.
func (k *Kinds) of(gvk schema.GroupVersionKind) *state {
	s, ok := k.kinds[gvk]
	if !ok {
		s = &state{probing: make(chan struct{}, 1)}
		k.kinds[gvk] = s
	}
	return s
}

// await returns nil once the cache has all objects of a kind, and otherwise the reason why not. It
// asks for one object before it fills the cache, so that a cache that can never be filled is not
// begun.
func (k *Kinds) await(ctx context.Context, mgr ctrl.Manager, gvk schema.GroupVersionKind) error {
	k.mu.Lock()
	s := k.of(gvk)
	k.mu.Unlock()
	select {
	case s.probing <- struct{}{}:
		defer func() { <-s.probing }()
	case <-ctx.Done():
		return ctx.Err()
	}
	k.mu.Lock()
	known := s.filled || s.err != nil && time.Since(s.at) < verdictAge
	err := s.err
	k.mu.Unlock()
	if known {
		return err
	}
	err = k.probe(ctx, mgr, gvk)
	k.mu.Lock()
	defer k.mu.Unlock()
	s.filled, s.err, s.at = err == nil, err, time.Now()
	return err
}

// probe checks whether a kind is served and may be listed, and fills its cache.
func (k *Kinds) probe(ctx context.Context, mgr ctrl.Manager, gvk schema.GroupVersionKind) error {
	if _, err := mgr.GetRESTMapper().RESTMapping(gvk.GroupKind(), gvk.Version); err != nil {
		return fmt.Errorf("cannot find kind %s: %w", gvk.Kind, err)
	}
	namespaces := k.namespaces
	if namespaces.All() {
		namespaces = scope.Namespaces{""}
	}
	for _, n := range namespaces {
		l := &metav1.PartialObjectMetadataList{}
		l.SetGroupVersionKind(gvk.GroupVersion().WithKind(gvk.Kind + "List"))
		if err := mgr.GetAPIReader().List(ctx, l, client.InNamespace(n), client.Limit(1)); err != nil {
			return fmt.Errorf("cannot list objects of kind %s: %w", gvk.Kind, err)
		}
	}
	return fill(ctx, mgr, gvk)
}

// fill fills the cache of a kind. If that fails, it removes the kind's informer, because a reader
// of the kind would wait for an informer that keeps listing without success.
func fill(ctx context.Context, mgr ctrl.Manager, gvk schema.GroupVersionKind) error {
	made, err := mgr.GetScheme().New(gvk)
	if err != nil {
		return err
	}
	o, ok := made.(client.Object)
	if !ok {
		return fmt.Errorf("there is a %T where a %s belongs", made, gvk.Kind)
	}
	ctx, cancel := context.WithTimeout(ctx, syncTimeout)
	defer cancel()
	if _, err := mgr.GetCache().GetInformer(ctx, o); err != nil {
		_ = mgr.GetCache().RemoveInformer(ctx, o) // It has no errors but those of GetInformer.
		return fmt.Errorf("cannot fill the cache of kind %s: %w", gvk.Kind, err)
	}
	return nil
}

// unreadable returns the reason why objects of a kind cannot be read, or nil if they can be read
// or that is not known. It also returns nil for a kind that is not served: there are no objects of
// it, and the API server reports that to readers.
func (k *Kinds) unreadable(gvk schema.GroupVersionKind) error {
	k.mu.Lock()
	defer k.mu.Unlock()
	s, ok := k.kinds[gvk]
	if !ok || s.err == nil || apimeta.IsNoMatchError(s.err) {
		return nil
	}
	return fmt.Errorf("cannot read objects of kind %s for now: %w", gvk.Kind, s.err)
}

// tells reports whether an error of a kind was not reported yet, and records that it is.
func (k *Kinds) tells(gvk schema.GroupVersionKind, err error) bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	s := k.of(gvk)
	if s.reported == err.Error() {
		return false
	}
	s.reported = err.Error()
	return true
}

// run records whether the controller of a kind runs.
func (k *Kinds) run(gvk schema.GroupVersionKind, runs bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.running[gvk.Kind] = runs
}

func startedDesc() *prometheus.Desc {
	return prometheus.NewDesc("cloudflare_kind_started", "1 if the controller of a kind runs; 0 while it cannot be started.", []string{"kind"}, nil)
}

// Describe implements prometheus.Collector.
func (k *Kinds) Describe(ch chan<- *prometheus.Desc) { ch <- startedDesc() }

// Collect implements prometheus.Collector.
func (k *Kinds) Collect(ch chan<- prometheus.Metric) {
	k.mu.Lock()
	defer k.mu.Unlock()
	for kind, runs := range k.running {
		value := 0.0
		if runs {
			value = 1
		}
		ch <- prometheus.MustNewConstMetric(startedDesc(), prometheus.GaugeValue, value, kind)
	}
}
