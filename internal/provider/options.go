// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

// Package provider puts the provider together: options to a manager with its
// controllers. The process in cmd/provider is this package and its flags.
package provider

import (
	"net/http"
	"time"

	"github.com/crossplane/crossplane-runtime/v2/pkg/logging"
	"github.com/prometheus/client_golang/prometheus"

	"github.com/provider-cloudflare/provider-cloudflare/internal/controller/scope"
	"github.com/provider-cloudflare/provider-cloudflare/internal/drift"
)

// Options of the provider.
type Options struct {
	// Version of the provider, sent to Cloudflare as part of the user agent.
	Version string

	// CloudflareAPIURL is the base URL of the API. It belongs to the process: a
	// tenant who could set it could have credentials sent anywhere.
	CloudflareAPIURL string
	// CloudflareTransport carries the calls to it; nil is http.DefaultTransport.
	CloudflareTransport http.RoundTripper

	// DriftInterval is how often each zone is listed.
	DriftInterval time.Duration
	// ResourceInterval is how often drift of resources of other kinds than zones and records
	// is looked for; 0 is DefaultResourceInterval. A kind may have it looked for more often.
	ResourceInterval time.Duration
	// Poll is how often each object is looked at whatever the lists tell.
	Poll time.Duration
	// MaxReconcileRate is the most reconciles a second, over all kinds.
	MaxReconcileRate int
	// MaxBatch is the most DNS changes in one call; 0 is what the zone's plan
	// allows.
	MaxBatch int

	// AuditLogs has drift say who caused it, where a credential may read the audit logs of
	// the account. What it says may have the email addresses of people.
	AuditLogs bool

	// Settle is how long after a creation without an answer its absence is not
	// believed; 0 is reconciler.DefaultSettleTime. Tests need not wait that long.
	Settle time.Duration

	// WatchNamespaces are those whose objects the provider looks after. None are all. With
	// some, ClusterProviderConfigs are not offered, and the process needs no right beyond
	// these namespaces and its own.
	WatchNamespaces scope.Namespaces
	// Shard tells this provider from others in its namespace that watch other namespaces. Its
	// replicas have the same.
	Shard string

	// AllowCrossNamespaceReferences lets references and selectors lead to other namespaces than that of their object.
	AllowCrossNamespaceReferences bool

	// LeaderElection lets one of several replicas act.
	LeaderElection bool
	// Namespace of the leader election's lease, of the journal of creations and of the claims
	// that shards share; "" is the one of the pod for the lease and "default" for the others.
	Namespace string
	// JournalRetention is how long the journal keeps a creation at least; 0 is
	// journal.DefaultRetention.
	JournalRetention time.Duration
	// Lease is how the lease is kept; its zero value is the default.
	Lease Lease

	// ShutdownGrace is how long a process that ends waits for its controllers and for the
	// writes under way, while it keeps the lease; 0 is DefaultShutdownGrace. Slow tests need
	// more.
	ShutdownGrace time.Duration

	// MetricsBindAddress and HealthProbeBindAddress to listen on; "0" is not to.
	MetricsBindAddress     string
	HealthProbeBindAddress string
	// MetricsSecure serves metrics by TLS, and only to those who may get /metrics.
	// MetricsCertDir has tls.crt and tls.key; "" is a certificate of its own.
	MetricsSecure  bool
	MetricsCertDir string

	// ChangeLogsSocket is the Unix socket of the change log service; "" is not to
	// send change logs.
	ChangeLogsSocket string

	// Log is where the provider logs to.
	Log logging.Logger
	// Warn logs drifts; nil is Log, which does not have a level of warnings.
	Warn drift.Warn
	// Registry is where its metrics are registered.
	Registry prometheus.Registerer

	// Embedded allows more than one provider in a process, one after the other, as
	// tests need it.
	Embedded bool
}

// A Lease says how long a leader that dies keeps the others waiting (Duration), how
// long one that cannot renew its lease goes on (RenewDeadline, below that), and how
// often each tries (RetryPeriod, below that).
type Lease struct {
	Duration, RenewDeadline, RetryPeriod time.Duration
}

// DefaultLease outlasts an API server that is away for most of a minute.
func DefaultLease() Lease {
	return Lease{Duration: 60 * time.Second, RenewDeadline: 50 * time.Second, RetryPeriod: 2 * time.Second}
}

// DefaultResourceInterval is the ResourceInterval where none is set.
const DefaultResourceInterval = 10 * time.Minute

// DefaultShutdownGrace is the ShutdownGrace where none is set. With drainTimeout it stays below
// the 13 s after which the process exits in any case.
const DefaultShutdownGrace = 7 * time.Second

// warn is how drifts are logged.
func (o Options) warn() drift.Warn {
	if o.Warn == nil {
		return o.Log.Info
	}
	return o.Warn
}
