// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package setup

import (
	"context"
	"sync"

	"github.com/crossplane/crossplane-runtime/v2/pkg/resource"
	"github.com/prometheus/client_golang/prometheus"
	"golang.org/x/time/rate"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"github.com/provider-cloudflare/provider-cloudflare/internal/connect"
)

const (
	// burstSeconds is how many seconds' worth of reconciles may come at once after a
	// quiet time. A restart reconciles every object without a call or a write: ten
	// thousand of them are not to wait for minutes. What costs calls is bounded by the
	// budget of the credential.
	burstSeconds = 100
	// spareWorkers is how many times the workers that one provider config may have a
	// controller has. Workers that have nothing to do cost some kilobytes each.
	spareWorkers = 4
)

// Limits bound what the controllers of all managed resources do at a time. They
// are a collector of metrics.
type Limits struct {
	// Rate bounds the reconciles a second of all kinds together.
	Rate *rate.Limiter

	waiting *prometheus.Desc
	mu      sync.Mutex
	shares  map[string]*shares // by controller
}

// NewLimits makes the Limits for so many reconciles a second.
func NewLimits(perSecond int) *Limits {
	return &Limits{
		Rate: rate.NewLimiter(rate.Limit(perSecond), burstSeconds*perSecond),
		waiting: prometheus.NewDesc("cloudflare_reconciles_waiting",
			"Objects that wait because as many others of their provider config are being reconciled as may be.", []string{"controller"}, nil),
		shares: map[string]*shares{},
	}
}

// divide divides the workers of a controller, and gives how many it needs for a
// provider config to have most of them.
func (l *Limits) divide(controller string, most int, owner func(reconcile.Request) string) (s *shares, workers int) {
	workers = spareWorkers * most
	s = newShares(workers, most, owner)
	l.mu.Lock()
	defer l.mu.Unlock()
	l.shares[controller] = s
	return s, workers
}

// Describe implements prometheus.Collector.
func (l *Limits) Describe(ch chan<- *prometheus.Desc) { ch <- l.waiting }

// Collect implements prometheus.Collector.
func (l *Limits) Collect(ch chan<- prometheus.Metric) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for controller, s := range l.shares {
		ch <- prometheus.MustNewConstMetric(l.waiting, prometheus.GaugeValue, float64(s.waiting()), controller)
	}
}

// configOf gives the provider config of each object, as kube's cache shows it: "" for
// one that is not there.
func configOf(kube client.Reader, empty func() resource.Managed) func(reconcile.Request) string {
	return func(r reconcile.Request) string {
		mg, ok := empty().(resource.ModernManaged)
		// It is only read, so the cache's own copy will do.
		if !ok || kube.Get(context.Background(), r.NamespacedName, mg, client.UnsafeDisableDeepCopy) != nil {
			return ""
		}
		return connect.RefOf(mg).String()
	}
}
