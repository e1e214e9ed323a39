// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

// Provider-cloudflare is a Crossplane provider for Cloudflare.
package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/alecthomas/kong"
	"github.com/crossplane/crossplane-runtime/v2/pkg/logging"
	"github.com/go-logr/logr"
	"go.uber.org/zap/zapcore"
	"k8s.io/apimachinery/pkg/util/validation"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/log/zap"
	"sigs.k8s.io/controller-runtime/pkg/metrics"

	"github.com/provider-cloudflare/provider-cloudflare/internal/cloudflare"
	"github.com/provider-cloudflare/provider-cloudflare/internal/controller/scope"
	"github.com/provider-cloudflare/provider-cloudflare/internal/drift"
	"github.com/provider-cloudflare/provider-cloudflare/internal/provider"
)

// version is set when the binary is built.
var version = "devel"

// exitTimeout is the longest time between a signal and the exit of the process.
const exitTimeout = 13 * time.Second

// flags are the flags of the process. Each can be set by an environment variable as well.
type flags struct {
	CloudflareAPIURL    string `name:"cloudflare-api-url" env:"CLOUDFLARE_API_URL" default:"https://api.cloudflare.com/client/v4" help:"Base URL of the Cloudflare API. By http only a loopback address is allowed."`
	AllowInsecureAPIURL bool   `name:"allow-insecure-api-url" env:"ALLOW_INSECURE_API_URL" default:"false" help:"Allow an API URL that sends credentials without TLS to another machine, such as a simulator in a test cluster."`

	DriftInterval    time.Duration `env:"DRIFT_INTERVAL" default:"60s" help:"How often each zone is listed to find what was changed outside the cluster."`
	ResourceInterval time.Duration `env:"RESOURCE_INTERVAL" default:"10m" help:"How often the resources of other kinds are listed to find what was changed outside the cluster, unless the page of a kind says more often."`
	Poll             time.Duration `env:"POLL" default:"1h" help:"How often each object is reconciled when nothing else asks for it."`
	MaxReconcileRate int           `env:"MAX_RECONCILE_RATE" default:"100" help:"The most reconciles a second."`
	MaxBatch         int           `env:"MAX_BATCH" default:"0" help:"The most DNS changes in one call to Cloudflare; 0 is what the zone's plan allows."`

	AuditLogs       bool       `env:"AUDIT_LOGS" default:"true" negatable:"" help:"Say who caused a drift, where the token may read the audit logs of the account. Conditions, events and the log then show email addresses."`
	WatchNamespaces namespaces `env:"WATCH_NAMESPACES" placeholder:"NAMESPACE" help:"The namespaces whose objects the provider looks after; all of them where none is named."`
	Shard           string     `env:"SHARD" help:"Name of this provider among several in its namespace that watch different namespaces."`

	AllowCrossNamespaceReferences bool `env:"ALLOW_CROSS_NAMESPACE_REFERENCES" default:"false" help:"Let references and selectors of objects lead to other namespaces. A user of one namespace then reads names and IDs of all of them."`

	LeaderElection bool   `env:"LEADER_ELECTION" default:"false" help:"Let one of several replicas act."`
	Namespace      string `name:"namespace" aliases:"leader-election-namespace" env:"POD_NAMESPACE" help:"Namespace of the process: of the leader election's lease, of the journal of creations, and of the claims of shards."`

	LeaseDuration time.Duration `name:"leader-election-lease-duration" env:"LEADER_ELECTION_LEASE_DURATION" default:"${lease_duration}" help:"How long a leader that died keeps the others waiting."`
	RenewDeadline time.Duration `name:"leader-election-renew-deadline" env:"LEADER_ELECTION_RENEW_DEADLINE" default:"${renew_deadline}" help:"How long a leader that cannot renew its lease goes on; then the process ends."`
	RetryPeriod   time.Duration `name:"leader-election-retry-period" env:"LEADER_ELECTION_RETRY_PERIOD" default:"${retry_period}" help:"How often the lease is renewed, or tried to get."`

	MetricsBindAddress     string `env:"METRICS_BIND_ADDRESS" default:":8080" help:"Address to serve metrics on; 0 is not to."`
	MetricsSecure          bool   `env:"METRICS_SECURE" default:"false" help:"Serve metrics by TLS, and only to those whom the API server lets get /metrics."`
	MetricsCertDir         string `env:"METRICS_CERT_DIR" help:"Folder with tls.crt and tls.key for metrics; without it, the certificate is self-signed."`
	HealthProbeBindAddress string `env:"HEALTH_PROBE_BIND_ADDRESS" default:":8081" help:"Address to serve probes on; 0 is not to."`

	EnableChangelogs bool   `env:"ENABLE_CHANGELOGS" default:"false" help:"Send change logs to the change log service."`
	ChangelogsSocket string `env:"CHANGELOGS_SOCKET_PATH" default:"/var/run/changelogs/changelogs.sock" help:"Unix socket of the change log service."`

	Debug   bool             `env:"DEBUG" default:"false" help:"Log more."`
	Version kong.VersionFlag `help:"Print the version and exit."`
}

// validateIntervals checks the intervals of sweeps and polls.
func (f *flags) validateIntervals() error {
	switch {
	case f.DriftInterval < time.Second:
		return errors.New("--drift-interval: must be one second or more")
	case f.ResourceInterval < time.Second:
		return errors.New("--resource-interval: must be one second or more")
	case f.Poll < f.DriftInterval:
		return errors.New("--poll: must not be shorter than --drift-interval")
	}
	return nil
}

// Validate checks what the parser cannot check. Kong calls it.
func (f *flags) Validate() error {
	switch {
	case f.MaxReconcileRate < 1:
		return errors.New("--max-reconcile-rate: must be 1 or more")
	case f.MaxBatch < 0:
		return errors.New("--max-batch: must not be negative")
	case f.LeaderElection && f.Namespace == "" && os.Getenv("KUBERNETES_SERVICE_HOST") == "":
		return errors.New("--namespace: is required outside a cluster with --leader-election")
	case f.RetryPeriod <= 0 || f.RenewDeadline <= f.RetryPeriod*6/5 || f.LeaseDuration <= f.RenewDeadline:
		// The retry period varies by a fifth.
		return errors.New("--leader-election-lease-duration must be longer than --leader-election-renew-deadline, and that 1.2 times longer than --leader-election-retry-period")
	}
	return errors.Join(f.validateAPIURL(), f.validateIntervals(), f.validateShard(), f.validateMetrics())
}

// validateAPIURL checks the URL to which credentials are sent.
func (f *flags) validateAPIURL() error {
	err := cloudflare.CheckBaseURL(f.CloudflareAPIURL)
	insecure := errors.As(err, new(*cloudflare.InsecureURLError))
	switch {
	case err == nil || insecure && f.AllowInsecureAPIURL:
		return nil
	case insecure:
		return fmt.Errorf("--cloudflare-api-url: %w, or set --allow-insecure-api-url", err)
	}
	return fmt.Errorf("--cloudflare-api-url: %w", err)
}

// validateMetrics checks how metrics are served. Without the certificate's files, the server would
// create a certificate of its own.
func (f *flags) validateMetrics() error {
	switch {
	case f.MetricsCertDir == "":
		return nil
	case !f.MetricsSecure:
		return errors.New("--metrics-cert-dir: needs --metrics-secure")
	}
	for _, name := range []string{"tls.crt", "tls.key"} {
		if _, err := os.Stat(filepath.Join(f.MetricsCertDir, name)); err != nil {
			return fmt.Errorf("--metrics-cert-dir: %w", err)
		}
	}
	return nil
}

// namespaces are names separated by commas. An empty text is an error: otherwise an empty variable
// would make the provider watch all namespaces.
type namespaces []string

func (n *namespaces) UnmarshalText(text []byte) error {
	if len(text) == 0 {
		return errors.New("is empty: name a namespace, or leave it out to look after all of them")
	}
	*n = strings.Split(string(text), ",")
	return nil
}

// validateShard checks which namespaces the provider watches.
func (f *flags) validateShard() error {
	for i, n := range f.WatchNamespaces {
		if problems := validation.IsDNS1123Label(n); len(problems) > 0 {
			return fmt.Errorf("--watch-namespaces: %q is not the name of a namespace", n)
		}
		if slices.Contains(f.WatchNamespaces[:i], n) {
			return fmt.Errorf("--watch-namespaces: %s is there twice", n)
		}
	}
	switch {
	case f.Shard != "" && len(f.WatchNamespaces) == 0:
		return errors.New("--shard: needs --watch-namespaces, for a provider that looks after all namespaces is the only one")
	case f.Shard != "" && len(validation.IsDNS1123Label(f.Shard)) > 0:
		return fmt.Errorf("--shard: %q is not made of lower-case letters, digits and hyphens", f.Shard)
	}
	return nil
}

func (f *flags) options(log logging.Logger, warn drift.Warn) provider.Options {
	o := provider.Options{
		Version:                version,
		CloudflareAPIURL:       f.CloudflareAPIURL,
		DriftInterval:          f.DriftInterval,
		ResourceInterval:       f.ResourceInterval,
		Poll:                   f.Poll,
		MaxReconcileRate:       f.MaxReconcileRate,
		MaxBatch:               f.MaxBatch,
		AuditLogs:              f.AuditLogs,
		WatchNamespaces:        scope.Namespaces(f.WatchNamespaces),
		Shard:                  f.Shard,
		LeaderElection:         f.LeaderElection,
		Namespace:              cmp.Or(f.Namespace, podNamespace()),
		Lease:                  provider.Lease{Duration: f.LeaseDuration, RenewDeadline: f.RenewDeadline, RetryPeriod: f.RetryPeriod},
		MetricsBindAddress:     f.MetricsBindAddress,
		MetricsSecure:          f.MetricsSecure,
		MetricsCertDir:         f.MetricsCertDir,
		HealthProbeBindAddress: f.HealthProbeBindAddress,
		Log:                    log,
		Warn:                   warn,
		Registry:               metrics.Registry,

		AllowCrossNamespaceReferences: f.AllowCrossNamespaceReferences,
	}
	if f.EnableChangelogs {
		o.ChangeLogsSocket = f.ChangelogsSocket
	}
	return o
}

// podNamespace returns the namespace of the pod that this process runs in, or "" outside a cluster
// (Kubernetes' documentation: Accessing the Kubernetes API from a Pod).
func podNamespace() string {
	raw, err := os.ReadFile("/var/run/secrets/kubernetes.io/serviceaccount/namespace")
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(raw))
}

// vars returns the variables in the flags' tags.
func vars() kong.Vars {
	l := provider.DefaultLease()
	return kong.Vars{
		"version": version, "lease_duration": l.Duration.String(), "renew_deadline": l.RenewDeadline.String(), "retry_period": l.RetryPeriod.String(),
	}
}

func main() {
	collectOften(os.Getenv)
	f := &flags{}
	kong.Parse(f,
		kong.Name("provider"),
		kong.Description("A Crossplane provider that turns Cloudflare resources into Kubernetes objects."),
		vars(),
		kong.UsageOnError())

	zl := newLogger(f.Debug)
	ctrl.SetLogger(zl)
	logging.SetFilteredKlogLogger(zl)

	if err := run(f, logging.NewLogrLogger(zl), newWarn(f.Debug)); err != nil {
		zl.Error(err, "Cannot go on")
		os.Exit(1)
	}
}

// newLogger returns the logger. It has no level at which client-go would print the bodies of what it
// reads, because these include Secrets. That needs level 8, and debug sets 1.
func newLogger(debug bool) logr.Logger { return zap.New(zap.UseDevMode(debug)) }

// newWarn returns a function that logs at the level of warnings, which logr does not have. Its lines
// have the form of newLogger's and go to the same place. Nothing else logs there, so the level only
// switches off sampling: of a hundred drifts in a second, each one matters. It also leaves out the
// stack trace that a warning has in debug mode.
func newWarn(debug bool, opts ...zap.Opts) drift.Warn {
	opts = append(opts, zap.UseDevMode(debug), zap.Level(zapcore.Level(-2)), zap.StacktraceLevel(zapcore.ErrorLevel))
	return zap.NewRaw(opts...).Sugar().Warnw
}

func run(f *flags, log logging.Logger, warn drift.Warn) error {
	cfg, err := ctrl.GetConfig()
	if err != nil {
		return fmt.Errorf("cannot find a cluster: %w", err)
	}
	ctx := ctrl.SetupSignalHandler()
	context.AfterFunc(ctx, func() {
		// A call that hangs, for example to a Kubernetes API that does not answer, must not keep the
		// process.
		time.AfterFunc(exitTimeout, func() {
			log.Info("Exiting before everything has ended")
			os.Exit(1)
		})
	})
	return provider.Run(ctx, cfg, f.options(log, warn))
}
