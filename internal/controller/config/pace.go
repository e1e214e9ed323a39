// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package config

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/util/workqueue"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
	"sigs.k8s.io/controller-runtime/pkg/source"
)

// TypeSweepsOnTime is the condition that says whether the zones of a config's credential
// are listed as often as intended. It is absent while no zones are listed.
const TypeSweepsOnTime xpv2.ConditionType = "SweepsOnTime"

// Reasons of TypeSweepsOnTime.
const (
	ReasonBudgetSufficient  xpv2.ConditionReason = "BudgetSufficient"
	ReasonIntervalStretched xpv2.ConditionReason = "IntervalStretched"
	ReasonHeldUp            xpv2.ConditionReason = "HeldUp"
)

// A Pacing is how often the zones of one credential are listed.
type Pacing struct {
	// Zones is the number of zones, which are listed with Calls requests in all.
	Zones, Calls int
	// Wanted is the intended interval. Actual is the interval that the credential's budget
	// allows.
	Wanted, Actual time.Duration
	// HeldUp is true if listing them takes much longer than Actual.
	HeldUp bool
}

func (p Pacing) condition() xpv2.Condition {
	c := xpv2.Condition{Type: TypeSweepsOnTime, Status: corev1.ConditionTrue, Reason: ReasonBudgetSufficient}
	zones := fmt.Sprintf("%d zones need", p.Zones)
	if p.Zones == 1 {
		zones = "1 zone needs"
	}
	switch {
	case p.HeldUp:
		c.Status, c.Reason = corev1.ConditionFalse, ReasonHeldUp
		c.Message = fmt.Sprintf("%s %d calls a sweep, which takes much longer than the %v in which it is to end: "+
			"users' changes go first and leave it too little of this credential's budget, or Cloudflare is slow",
			zones, p.Calls, p.Actual.Round(time.Second))
	case p.Actual > p.Wanted:
		c.Status, c.Reason = corev1.ConditionFalse, ReasonIntervalStretched
		c.Message = fmt.Sprintf("%s %d calls a sweep; this credential's budget lets them be listed every %v instead of every %v",
			zones, p.Calls, p.Actual.Round(time.Second), p.Wanted)
	}
	return c
}

// showPace sets the condition of the sweeps with the credential of that fingerprint ("":
// not known), or removes it if there are none.
func (r *configReconciler) showPace(s *xpv2.ConditionedStatus, fingerprint string, generation int64) {
	var (
		p  Pacing
		ok bool
	)
	if r.pace != nil && fingerprint != "" {
		p, ok = r.pace(fingerprint)
	}
	if !ok {
		s.Conditions = slices.DeleteFunc(s.Conditions, func(c xpv2.Condition) bool { return c.Type == TypeSweepsOnTime })
		return
	}
	c := p.condition()
	c.LastTransitionTime, c.ObservedGeneration = metav1.Now(), generation
	s.SetConditions(c)
}

// use records which credential a config uses, "" for none.
func (r *configReconciler) use(config types.NamespacedName, fingerprint string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if fingerprint == "" {
		delete(r.using, config)
		return
	}
	r.using[config] = fingerprint
}

// configsOf returns the configs that use the credential of that fingerprint.
func (r *configReconciler) configsOf(fingerprint string) []types.NamespacedName {
	r.mu.Lock()
	defer r.mu.Unlock()
	var out []types.NamespacedName
	for config, fp := range r.using {
		if fp == fingerprint {
			out = append(out, config)
		}
	}
	return out
}

// doubt forgets that the credential of that fingerprint is valid, and returns the configs
// to reconcile. It does not doubt a credential that was verified a moment ago, because a
// missing permission is refused over and over.
func (r *configReconciler) doubt(fingerprint string) []types.NamespacedName {
	r.mu.Lock()
	was := len(r.verdicts)
	maps.DeleteFunc(r.verdicts, func(key string, v verdict) bool {
		return strings.HasPrefix(key, fingerprint+"/") && v.err == nil && r.now().Sub(v.at) >= retryVerification
	})
	forgotten := len(r.verdicts) < was
	r.mu.Unlock()
	if !forgotten {
		return nil
	}
	return r.configsOf(fingerprint)
}

type queue = workqueue.TypedRateLimitingInterface[reconcile.Request]

// A Notifier enqueues the configs of a credential when its sweeps change their pace or
// Cloudflare refuses it. The zero value is ready for use, and safe for concurrent use.
type Notifier struct {
	mu        sync.Mutex
	listeners []listener
}

// A listener is a controller that is notified. It has its queue, a function that returns
// the configs of a credential, and one that returns those of a credential in doubt.
type listener struct {
	q            queue
	users, doubt func(fingerprint string) []types.NamespacedName
}

// SweepsChanged reports that the pace of the sweeps with the credential of that
// fingerprint changed. It does not block.
func (f *Notifier) SweepsChanged(fingerprint string) {
	f.wake(func(e listener) []types.NamespacedName { return e.users(fingerprint) })
}

// Refused reports that Cloudflare refused a call with the credential of that fingerprint,
// so the credential may not be valid any more. It does not block.
func (f *Notifier) Refused(fingerprint string) {
	f.wake(func(e listener) []types.NamespacedName { return e.doubt(fingerprint) })
}

func (f *Notifier) wake(configs func(listener) []types.NamespacedName) {
	f.mu.Lock()
	listeners := slices.Clone(f.listeners)
	f.mu.Unlock()
	for _, e := range listeners {
		for _, config := range configs(e) {
			e.q.Add(reconcile.Request{NamespacedName: config})
		}
	}
}

// source returns a source that subscribes a controller's queue to the Notifier.
func (f *Notifier) source(users, doubt func(fingerprint string) []types.NamespacedName) source.Source {
	return source.Func(func(_ context.Context, q queue) error {
		f.mu.Lock()
		defer f.mu.Unlock()
		f.listeners = append(f.listeners, listener{q, users, doubt})
		return nil
	})
}
