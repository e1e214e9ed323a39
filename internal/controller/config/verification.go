// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package config

import (
	"errors"
	"maps"
	"sync"

	"github.com/prometheus/client_golang/prometheus"
	"k8s.io/apimachinery/pkg/types"

	"github.com/provider-cloudflare/provider-cloudflare/internal/cloudflare"
)

// Results of the verification of a config's credential, as the metrics label them.
const (
	resultVerified = "Verified"
	// resultUnreadable: the Secret, its key or the form of its content is wrong.
	resultUnreadable = "Unreadable"
	// resultRefused: Cloudflare refuses the credential, and nothing shows that it is valid.
	resultRefused = "Refused"
	// resultUnverified: Cloudflare could not be reached, or did not answer.
	resultUnverified = "Unverified"
)

// resultOf returns the result of a verification that ended with err. session is false if
// there was no credential to verify.
func resultOf(err error, session bool) string {
	switch {
	case err == nil:
		return resultVerified
	case !session:
		return resultUnreadable
	case errors.Is(err, cloudflare.ErrTokenInactive), errors.Is(err, cloudflare.ErrTokenRefused), errors.Is(err, cloudflare.ErrTokenUnproven), isAccountID(err),
		cloudflare.IsInvalidCredential(err), cloudflare.IsForbidden(err) && !cloudflare.IsUnexplained(err):
		return resultRefused
	}
	return resultUnverified
}

func isAccountID(err error) bool {
	var e *cloudflare.IDError
	return errors.As(err, &e)
}

// Metrics show for each config whether Cloudflare accepts its credential. The zero value is
// ready for use, a collector, and safe for concurrent use.
type Metrics struct {
	mu      sync.Mutex
	configs map[configKey]verification
}

type configKey struct {
	kind string
	types.NamespacedName
}

// A verification is the result for a credential, which is named by its label in metrics.
type verification struct{ credential, result string }

// name returns the config's name as the label has it. No label is called namespace, because
// Prometheus takes that for the namespace of the process.
func (k configKey) name() string {
	if k.Namespace == "" {
		return k.kind + "/" + k.Name
	}
	return k.kind + "/" + k.String()
}

func (m *Metrics) set(k configKey, v verification) {
	if m == nil {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.configs == nil {
		m.configs = map[configKey]verification{}
	}
	m.configs[k] = v
}

func (m *Metrics) forget(k configKey) {
	if m == nil {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	delete(m.configs, k)
}

func readyDesc() *prometheus.Desc {
	return prometheus.NewDesc("cloudflare_provider_config_ready",
		"1 if Cloudflare takes the credential of a provider config. The label reason says why not: its Secret cannot be read (Unreadable), "+
			"Cloudflare refuses it (Refused), or cannot be asked (Unverified).", []string{"config", "credential", "reason"}, nil)
}

// Describe implements prometheus.Collector.
func (m *Metrics) Describe(ch chan<- *prometheus.Desc) { ch <- readyDesc() }

// Collect implements prometheus.Collector.
func (m *Metrics) Collect(ch chan<- prometheus.Metric) {
	m.mu.Lock()
	configs := maps.Clone(m.configs)
	m.mu.Unlock()
	for k, v := range configs {
		value := 0.0
		if v.result == resultVerified {
			value = 1
		}
		ch <- prometheus.MustNewConstMetric(readyDesc(), prometheus.GaugeValue, value, k.name(), v.credential, v.result)
	}
}
