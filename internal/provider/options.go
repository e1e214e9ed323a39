// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

// Package provider assembles the provider: it makes a manager with its controllers from options. The process in
// cmd/provider consists of this package and its flags.
package provider

import (
	"net/http"
	"time"

	"github.com/crossplane/crossplane-runtime/v2/pkg/logging"
	"github.com/prometheus/client_golang/prometheus"

	"github.com/provider-cloudflare/provider-cloudflare/internal/controller/scope"
	"github.com/provider-cloudflare/provider-cloudflare/internal/drift"
)

// Options are the settings of the provider.
type Options struct {
	// Version is the version of the provider, sent to Cloudflare as part of the user agent.
	Version string

	// CloudflareAPIURL is the base URL of the API. It is a setting of the process: a tenant that could set it could
	// have credentials sent anywhere.
	CloudflareAPIURL string
	// CloudflareTransport carries the calls to the API; nil is http.DefaultTransport.
	CloudflareTransport http.RoundTripper

	// DriftInterval is how often each zone is listed.
	DriftInterval time.Duration
	// ResourceInterval is how often the provider looks for drift of resources other than zones and records; 0 is
	// DefaultResourceInterval. A kind may require a shorter interval.
	ResourceInterval time.Duration
	// Poll is how often each object is reconciled regardless of what the lists show.
	Poll time.Duration
	// MaxReconcileRate is the maximum number of reconciles a second, over all kinds.
	MaxReconcileRate int
	// MaxBatch is the maximum number of DNS changes in one call; 0 is the limit of the zone's plan.
	MaxBatch int

	// AuditLogs has drift reports name the cause if a credential may read the audit logs of the account. Such a
	// report may contain email addresses.
	AuditLogs bool

	// Settle is how long the absence of a resource proves nothing after a creation without an answer; 0 is
	// reconciler.DefaultSettleTime. Tests need not wait that long.
	Settle time.Duration

	// WatchNamespaces are the namespaces whose objects the provider reconciles. An empty list means all. With a list,
	// ClusterProviderConfigs are not available, and the process needs no rights beyond these namespaces and its own.
	WatchNamespaces scope.Namespaces
	// Shard identifies this provider among others in its namespace that watch other namespaces. Its replicas have the
	// same shard.
	Shard string

	// AllowCrossNamespaceReferences allows references and selectors to lead to other namespaces than that of their
	// object.
	AllowCrossNamespaceReferences bool

	// LeaderElection lets one of several replicas act.
	LeaderElection bool
	// Namespace is the namespace of the leader election's lease, of the journal of creations and of the claims that
	// shards share. If it is "", the lease is in the namespace of the pod and the others are in "default".
	Namespace string
	// JournalRetention is the shortest time for which the journal keeps a creation; 0 is journal.DefaultRetention.
	JournalRetention time.Duration
	// Lease has the times of the lease. Its zero value is the default.
	Lease Lease

	// ShutdownGrace is how long a process that ends waits for its controllers and for the writes under way, while it
	// keeps the lease; 0 is DefaultShutdownGrace. Slow tests need more.
	ShutdownGrace time.Duration

	// MetricsBindAddress and HealthProbeBindAddress are the addresses to listen on; "0" is not to.
	MetricsBindAddress     string
	HealthProbeBindAddress string
	// MetricsSecure serves metrics by TLS, and only to clients that may get /metrics. MetricsCertDir has tls.crt and
	// tls.key; "" is a self-signed certificate.
	MetricsSecure  bool
	MetricsCertDir string

	// ChangeLogsSocket is the Unix socket of the change log service; "" is not to send change logs.
	ChangeLogsSocket string

	// Log is the provider's log.
	Log logging.Logger
	// Warn logs drifts; nil is Log, which does not have a level of warnings.
	Warn drift.Warn
	// Registry is where the provider registers its metrics.
	Registry prometheus.Registerer

	// Embedded allows more than one provider in a process, one after the other, as tests need it.
	Embedded bool
}

// A Lease has the times of the leader election. Duration is how long the other replicas wait after a leader died.
// RenewDeadline is how long a leader that cannot renew its lease continues, and is shorter than Duration. RetryPeriod
// is the time between two attempts, and is shorter than RenewDeadline.
type Lease struct {
	Duration, RenewDeadline, RetryPeriod time.Duration
}

// DefaultLease returns a lease that outlasts an API server that is away for most of a minute.
func DefaultLease() Lease {
	return Lease{Duration: 60 * time.Second, RenewDeadline: 50 * time.Second, RetryPeriod: 2 * time.Second}
}

// DefaultResourceInterval is the ResourceInterval if none is set.
const DefaultResourceInterval = 10 * time.Minute

// DefaultShutdownGrace is the ShutdownGrace if none is set. Together with drainTimeout it stays below the 13 s after
// which the process exits in any case.
const DefaultShutdownGrace = 7 * time.Second

// warn returns the function that logs drifts.
func (o Options) warn() drift.Warn {
	if o.Warn == nil {
		return o.Log.Info
	}
	return o.Warn
}
