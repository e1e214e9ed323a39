// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package provider

import (
	"runtime"

	"github.com/prometheus/client_golang/prometheus"
)

// buildInfo returns a metric that is always 1, and whose labels say what runs.
func buildInfo(version string) prometheus.Collector {
	g := prometheus.NewGauge(prometheus.GaugeOpts{
		Name: "cloudflare_provider_build_info", Help: "Always 1. The labels say which version of the provider runs, and with which version of Go it was built.",
		ConstLabels: prometheus.Labels{"version": version, "goversion": runtime.Version()},
	})
	g.Set(1)
	return g
}
