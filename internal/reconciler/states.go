// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package reconciler

import (
	"context"
	"fmt"
	"time"

	"github.com/crossplane/crossplane-runtime/v2/pkg/controller"
	"github.com/crossplane/crossplane-runtime/v2/pkg/logging"
	"github.com/crossplane/crossplane-runtime/v2/pkg/resource"
	"github.com/crossplane/crossplane-runtime/v2/pkg/statemetrics"
	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// A stateCounter sets the runtime's metrics of objects by their state. The runtime's
// own counter copies every object out of the cache each time, and keeps the copies
// until the next count. That would hold ten thousand objects in memory a second time.
type stateCounter struct {
	kube     client.Reader
	kind     schema.GroupVersionKind
	newList  func() resource.ManagedList
	metrics  *statemetrics.MRStateMetrics
	interval time.Duration
	log      logging.Logger
}

// CountStates counts the objects of a kind by their state.
func CountStates(mgr ctrl.Manager, o controller.Options, kind schema.GroupVersionKind, newList func() resource.ManagedList) error {
	if o.MetricOptions == nil || o.MetricOptions.MRStateMetrics == nil {
		return nil
	}
	c := &stateCounter{
		kube: mgr.GetClient(), kind: kind, newList: newList, metrics: o.MetricOptions.MRStateMetrics,
		interval: o.MetricOptions.PollStateMetricInterval, log: o.Logger,
	}
	if err := mgr.Add(c); err != nil {
		return fmt.Errorf("cannot add state metrics of %s: %w", kind.Kind, err)
	}
	return nil
}

// Start counts at once, and then once an interval, until ctx ends. The runtime's
// counter begins after an interval, so that an alert on its metrics would resolve for
// that long after each restart.
func (c *stateCounter) Start(ctx context.Context) error {
	t := time.NewTicker(c.interval)
	defer t.Stop()
	for {
		if err := c.count(ctx); err != nil && ctx.Err() == nil {
			c.log.Info("cannot count objects by their state", "kind", c.kind.Kind, "error", err)
		}
		select {
		case <-ctx.Done():
			return nil
		case <-t.C:
		}
	}
}

func (c *stateCounter) count(ctx context.Context) error {
	l := c.newList()
	if err := c.kube.List(ctx, l, client.UnsafeDisableDeepCopy); err != nil {
		return fmt.Errorf("cannot list them: %w", err)
	}
	var ready, synced float64
	all := l.GetItems()
	for _, mg := range all {
		if mg.GetCondition(xpv2.TypeReady).Status == corev1.ConditionTrue {
			ready++
		}
		if mg.GetCondition(xpv2.TypeSynced).Status == corev1.ConditionTrue {
			synced++
		}
	}
	gvk := c.kind.String()
	c.metrics.Exists.WithLabelValues(gvk).Set(float64(len(all)))
	c.metrics.Ready.WithLabelValues(gvk).Set(ready)
	c.metrics.Synced.WithLabelValues(gvk).Set(synced)
	return nil
}
