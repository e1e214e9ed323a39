// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"time"

	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/rest"
	toolscache "k8s.io/client-go/tools/cache"
	"sigs.k8s.io/controller-runtime/pkg/cache"

	dnsv1alpha1 "github.com/provider-cloudflare/provider-cloudflare/apis/dns/v1alpha1"
)

// readiness watches Records. It records when each first became Ready, and the message of
// the Synced condition of the others.
type readiness struct {
	mu      sync.Mutex
	known   map[string]struct{} // the Records that were Ready
	groups  map[string]group
	refused map[string]string
}

// A group has the Records whose names have the same first word.
type group struct {
	ready int
	last  time.Time // when the last became Ready
}

func newReadiness() *readiness {
	return &readiness{known: map[string]struct{}{}, groups: map[string]group{}, refused: map[string]string{}}
}

// watchRecords watches until ctx ends.
func watchRecords(ctx context.Context, cfg *rest.Config) (*readiness, error) {
	r := newReadiness()
	s, err := newScheme()
	if err != nil {
		return nil, err
	}
	c, err := cache.New(cfg, cache.Options{Scheme: s, DefaultTransform: onlyConditions})
	if err != nil {
		return nil, fmt.Errorf("cannot watch Records: %w", err)
	}
	inf, err := c.GetInformer(ctx, &dnsv1alpha1.Record{}, cache.BlockUntilSynced(false))
	if err != nil {
		return nil, fmt.Errorf("cannot watch Records: %w", err)
	}
	if _, err := inf.AddEventHandler(toolscache.ResourceEventHandlerFuncs{
		AddFunc:    r.note,
		UpdateFunc: func(_, now any) { r.note(now) },
	}); err != nil {
		return nil, fmt.Errorf("cannot watch Records: %w", err)
	}
	go func() { _ = c.Start(ctx) }() // ends with ctx
	if !c.WaitForCacheSync(ctx) {
		return nil, fmt.Errorf("cannot watch Records: %w", context.Cause(ctx))
	}
	return r, nil
}

// onlyConditions drops what is not read from an object, because there are many objects.
func onlyConditions(o any) (any, error) {
	if r, ok := o.(*dnsv1alpha1.Record); ok {
		r.ManagedFields, r.Annotations = nil, nil
		r.Spec = dnsv1alpha1.RecordSpec{}
		r.Status.AtProvider = dnsv1alpha1.RecordObservation{}
	}
	return o, nil
}

func (r *readiness) note(o any) {
	rec, ok := o.(*dnsv1alpha1.Record)
	if !ok {
		return
	}
	now := time.Now()
	r.mu.Lock()
	defer r.mu.Unlock()
	if _, known := r.known[rec.Name]; !known && rec.GetCondition(xpv2.TypeReady).Status == corev1.ConditionTrue {
		r.known[rec.Name] = struct{}{}
		name, _, _ := strings.Cut(rec.Name, "-")
		r.groups[name] = group{ready: r.groups[name].ready + 1, last: now}
	}
	delete(r.refused, rec.Name)
	if c := rec.GetCondition(xpv2.TypeSynced); c.Status == corev1.ConditionFalse {
		r.refused[rec.Name] = c.Message
	}
}

// of returns the number of Ready Records of a group, and when the last became so.
func (r *readiness) of(name string) (n int, last time.Time) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.groups[name].ready, r.groups[name].last
}

// refusal returns the message of an object's Synced condition, "" if the condition is not
// False.
func (r *readiness) refusal(name string) string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.refused[name]
}
