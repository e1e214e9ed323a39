// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"

	"github.com/prometheus/common/expfmt"
	"github.com/prometheus/common/model"
)

// A sample is one series of a counter or gauge.
type sample struct {
	labels map[string]string
	value  float64
}

// samples are those of a scrape, by the metric's name.
type samples map[string][]sample

// parseMetrics reads the counters and gauges of those names, and those that
// controller-runtime has in their place.
func parseMetrics(r io.Reader, names ...string) (samples, error) {
	parser := expfmt.NewTextParser(model.UTF8Validation)
	families, err := parser.TextToMetricFamilies(r)
	if err != nil {
		return nil, fmt.Errorf("cannot understand the metrics: %w", err)
	}
	out := samples{}
	for _, name := range names {
		for _, m := range slices.Concat(families[name].GetMetric(), families[plain(name)].GetMetric()) {
			s := sample{labels: map[string]string{}, value: m.GetCounter().GetValue() + m.GetGauge().GetValue()}
			for _, l := range m.GetLabel() {
				s.labels[l.GetName()] = l.GetValue()
			}
			if s.labels["controller"] != wholePool {
				out[name] = append(out[name], s)
			}
		}
	}
	return out, nil
}

// sum adds up the series of a metric that match; nil matches all.
func (s samples) sum(name string, match func(labels map[string]string) bool) float64 {
	var n float64
	for _, x := range s[name] {
		if match == nil || match(x.labels) {
			n += x.value
		}
	}
	return n
}

// since returns the growth of the series that match since an earlier scrape of the same
// process.
func (s samples) since(earlier samples, name string, match func(labels map[string]string) bool) int {
	return int(s.sum(name, match) - earlier.sum(name, match))
}

// has reports whether a series of the metric matches.
func (s samples) has(name string, match func(labels map[string]string) bool) bool {
	return slices.ContainsFunc(s[name], func(x sample) bool { return match(x.labels) })
}

// Metrics of the provider and of the API server.
const (
	metricReconciles = "cloudflare_reconciles_total"
	metricActive     = "cloudflare_reconciles_active"
	metricDepth      = "cloudflare_reconciles_queued"
	metricKube       = "rest_client_requests_total"
	metricCalls      = "cloudflare_api_requests_total"
	metricServer     = "apiserver_request_total"
)

// wholePool is controller-runtime's name for the workers that all kinds of the provider
// share. The provider's own metrics tell the kinds apart.
const wholePool = "managed"

// plain returns controller-runtime's name of the same metric. The plain connector and the
// controllers of the provider configs have only those.
func plain(name string) string {
	switch name {
	case metricReconciles:
		return "controller_runtime_reconcile_total"
	case metricActive:
		return "controller_runtime_active_workers"
	case metricDepth:
		return "workqueue_depth"
	}
	return ""
}

// ofRecords matches the controller of Records.
func ofRecords(l map[string]string) bool {
	return strings.Contains(l["controller"], "record.dns.") || strings.Contains(l["name"], "record.dns.")
}

func conflicts(l map[string]string) bool { return l["code"] == "409" }

// writes matches requests for a change, by verb or method.
func writes(l map[string]string) bool {
	switch l["verb"] + l["method"] {
	case "POST", "PUT", "PATCH", "DELETE", "APPLY", "DELETECOLLECTION":
		return true
	}
	return false
}

// get returns the body of a URL. It fails unless the status is 200.
func get(ctx context.Context, c *http.Client, url string) (io.ReadCloser, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, http.NoBody)
	if err != nil {
		return nil, fmt.Errorf("cannot ask %s: %w", url, err)
	}
	resp, err := c.Do(req)
	if err != nil {
		return nil, fmt.Errorf("cannot ask %s: %w", url, err)
	}
	if resp.StatusCode != http.StatusOK {
		_ = resp.Body.Close() // unread
		return nil, fmt.Errorf("cannot ask %s: it says %s", url, resp.Status)
	}
	return resp.Body, nil
}

// scrape reads the metrics of those names at a URL.
func scrape(ctx context.Context, c *http.Client, url string, names ...string) (samples, error) {
	body, err := get(ctx, c, url)
	if err != nil {
		return nil, err
	}
	defer func() { _ = body.Close() }() // for reading only
	return parseMetrics(body, names...)
}
