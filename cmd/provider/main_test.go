// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/alecthomas/kong"
	"github.com/crossplane/crossplane-runtime/v2/pkg/logging"
	"github.com/google/go-cmp/cmp"
	appsv1 "k8s.io/api/apps/v1"
	"k8s.io/klog/v2"
	"sigs.k8s.io/controller-runtime/pkg/log/zap"
	"sigs.k8s.io/yaml"

	"github.com/provider-cloudflare/provider-cloudflare/internal/controller/scope"
	"github.com/provider-cloudflare/provider-cloudflare/internal/drift"
	"github.com/provider-cloudflare/provider-cloudflare/internal/provider"
)

// parse reads args as the process does, without the environment of the test.
func parse(t *testing.T, env map[string]string, args ...string) (*flags, error) {
	t.Helper()
	for i := range reflect.TypeFor[flags]().NumField() {
		name := reflect.TypeFor[flags]().Field(i).Tag.Get("env")
		if name == "" {
			continue
		}
		t.Setenv(name, env[name]) // This also restores it.
		if _, set := env[name]; !set {
			_ = os.Unsetenv(name)
		}
	}
	t.Setenv("KUBERNETES_SERVICE_HOST", env["KUBERNETES_SERVICE_HOST"])
	f := &flags{}
	p, err := kong.New(f, kong.Name("provider"), vars(), kong.Exit(func(int) { t.Error("the parser ended the process") }))
	if err != nil {
		t.Fatal(err)
	}
	_, err = p.Parse(args)
	return f, err
}

func TestNoNamespaceIsNotAllNamespaces(t *testing.T) {
	for _, args := range []string{"--watch-namespaces=", "--watch-namespaces=a,"} {
		if f, err := parse(t, nil, args); err == nil {
			t.Errorf("%s watches %q", args, f.WatchNamespaces)
		}
	}
	if f, err := parse(t, map[string]string{"WATCH_NAMESPACES": ""}); err == nil {
		t.Errorf("an empty variable watches %q", f.WatchNamespaces)
	}
}

func TestFlagDefaults(t *testing.T) {
	f, err := parse(t, nil)
	if err != nil {
		t.Fatal(err)
	}
	// Users and tools rely on these.
	want := flags{
		CloudflareAPIURL: "https://api.cloudflare.com/client/v4", DriftInterval: time.Minute, ResourceInterval: 10 * time.Minute, Poll: time.Hour, MaxReconcileRate: 100, AuditLogs: true,
		MetricsBindAddress: ":8080", HealthProbeBindAddress: ":8081", ChangelogsSocket: "/var/run/changelogs/changelogs.sock",
		LeaseDuration: time.Minute, RenewDeadline: 50 * time.Second, RetryPeriod: 2 * time.Second,
	}
	if !reflect.DeepEqual(*f, want) {
		t.Errorf("defaults are %+v, want %+v", *f, want)
	}
	o := f.options(logging.NewNopLogger(), nil)
	if o.ChangeLogsSocket != "" || o.LeaderElection || o.DriftInterval != time.Minute || o.Poll != time.Hour || o.Version != version || o.Embedded || o.AllowCrossNamespaceReferences {
		t.Errorf("options are %+v", o)
	}
}

func TestFlagsAndTheirEnvironment(t *testing.T) {
	want := flags{
		CloudflareAPIURL: "http://127.0.0.1:8787/client/v4", DriftInterval: 5 * time.Second, ResourceInterval: 7 * time.Minute, Poll: 10 * time.Minute, MaxReconcileRate: 7, MaxBatch: 50,
		LeaderElection: true, Namespace: "crossplane-system", MetricsBindAddress: "0", MetricsSecure: true, HealthProbeBindAddress: "127.0.0.1:1",
		EnableChangelogs: true, ChangelogsSocket: "/tmp/s", Debug: true, WatchNamespaces: []string{"team-a", "team-b"}, Shard: "one", AllowCrossNamespaceReferences: true,
		LeaseDuration: 15 * time.Second, RenewDeadline: 10 * time.Second, RetryPeriod: time.Second,
	}
	byFlag, err := parse(
		t, nil,
		"--cloudflare-api-url=http://127.0.0.1:8787/client/v4", "--drift-interval=5s", "--resource-interval=7m", "--poll=10m", "--max-reconcile-rate=7", "--max-batch=50", "--no-audit-logs",
		"--leader-election", "--namespace=crossplane-system", "--metrics-bind-address=0", "--metrics-secure", "--health-probe-bind-address=127.0.0.1:1",
		"--enable-changelogs", "--changelogs-socket=/tmp/s", "--debug", "--watch-namespaces=team-a,team-b", "--shard=one", "--allow-cross-namespace-references",
		"--leader-election-lease-duration=15s", "--leader-election-renew-deadline=10s", "--leader-election-retry-period=1s",
	)
	if err != nil || !reflect.DeepEqual(*byFlag, want) {
		t.Errorf("by flags: %+v, %v, want %+v", *byFlag, err, want)
	}
	byEnv, err := parse(t, map[string]string{
		"CLOUDFLARE_API_URL": "http://127.0.0.1:8787/client/v4", "DRIFT_INTERVAL": "5s", "RESOURCE_INTERVAL": "7m", "POLL": "10m", "MAX_RECONCILE_RATE": "7", "MAX_BATCH": "50", "AUDIT_LOGS": "false",
		"LEADER_ELECTION": "true", "POD_NAMESPACE": "crossplane-system", "METRICS_BIND_ADDRESS": "0", "METRICS_SECURE": "true", "HEALTH_PROBE_BIND_ADDRESS": "127.0.0.1:1",
		"ENABLE_CHANGELOGS": "true", "CHANGELOGS_SOCKET_PATH": "/tmp/s", "DEBUG": "true", "WATCH_NAMESPACES": "team-a,team-b", "SHARD": "one", "ALLOW_CROSS_NAMESPACE_REFERENCES": "true",
		"LEADER_ELECTION_LEASE_DURATION": "15s", "LEADER_ELECTION_RENEW_DEADLINE": "10s", "LEADER_ELECTION_RETRY_PERIOD": "1s",
	})
	if err != nil || !reflect.DeepEqual(*byEnv, want) {
		t.Errorf("by environment: %+v, %v, want %+v", *byEnv, err, want)
	}
	both, err := parse(t, map[string]string{"POLL": "10m"}, "--poll=20m")
	if err != nil || both.Poll != 20*time.Minute {
		t.Errorf("a flag must win over its environment: %v, %v", both.Poll, err)
	}
	o := byFlag.options(logging.NewNopLogger(), nil)
	if o.ChangeLogsSocket != "/tmp/s" || o.MaxBatch != 50 || !o.LeaderElection || o.Namespace != "crossplane-system" || o.CloudflareAPIURL != want.CloudflareAPIURL ||
		o.MetricsBindAddress != "0" || !o.MetricsSecure || o.HealthProbeBindAddress != "127.0.0.1:1" || o.MaxReconcileRate != 7 ||
		!slices.Equal(o.WatchNamespaces, scope.Namespaces(want.WatchNamespaces)) || o.Shard != "one" || !o.AllowCrossNamespaceReferences ||
		o.Lease != (provider.Lease{Duration: 15 * time.Second, RenewDeadline: 10 * time.Second, RetryPeriod: time.Second}) {
		t.Errorf("options are %+v", o)
	}
}

func TestFlagValidation(t *testing.T) {
	tests := []struct {
		reason string
		env    map[string]string
		args   string
		says   string
	}{
		{"a URL without a scheme", nil, "--cloudflare-api-url=api.cloudflare.com", "--cloudflare-api-url"},
		{"another scheme would carry no TLS and no HTTP", nil, "--cloudflare-api-url=ftp://api.cloudflare.com", "--cloudflare-api-url"},
		{"a URL without a host", nil, "--cloudflare-api-url=https:///client/v4", "--cloudflare-api-url"},
		{"what is no URL", nil, "--cloudflare-api-url=https://%zz", "--cloudflare-api-url"},
		{"credentials would go to another machine without TLS", nil, "--cloudflare-api-url=http://api.cloudflare.com/client/v4", "--allow-insecure-api-url"},
		{"what is no URL, whatever is allowed", nil, "--cloudflare-api-url=ftp://localhost --allow-insecure-api-url", "--cloudflare-api-url"},
		{"a bad URL of the environment", map[string]string{"CLOUDFLARE_API_URL": "x"}, "", "--cloudflare-api-url"},
		{"no interval", nil, "--drift-interval=0s", "--drift-interval"},
		{"an interval back in time", nil, "--drift-interval=-60s", "--drift-interval"},
		{"an interval that would use up the budget", nil, "--drift-interval=10ms", "--drift-interval"},
		{"what is no duration", nil, "--drift-interval=60", "--drift-interval"},
		{"polls more often than sweeps", nil, "--poll=30s", "--poll"},
		{"no rate", nil, "--max-reconcile-rate=0", "--max-reconcile-rate"},
		{"a negative rate", nil, "--max-reconcile-rate=-1", "--max-reconcile-rate"},
		{"a negative batch", nil, "--max-batch=-1", "--max-batch"},
		{"leader election without a namespace, outside a cluster", nil, "--leader-election", "--namespace"},
		{"a leader that goes on after its lease has ended", nil, "--leader-election-renew-deadline=60s", "--leader-election-renew-deadline"},
		{"a lease renewed too late", nil, "--leader-election-retry-period=45s", "--leader-election-retry-period"},
		{"a lease that is never renewed", nil, "--leader-election-retry-period=0s", "--leader-election-retry-period"},
		{"what cannot be a namespace", nil, "--watch-namespaces=team/a", "--watch-namespaces"},
		{"an empty name, which would be all namespaces", nil, "--watch-namespaces=a,,b", "--watch-namespaces"},
		{"a namespace that is there twice", nil, "--watch-namespaces=a,b,a", "--watch-namespaces"},
		{"a shard of everything", nil, "--shard=one", "--shard"},
		{"a shard whose name cannot be part of a lease's", nil, "--watch-namespaces=a --shard=One", "--shard"},
		{"a certificate for plain HTTP", nil, "--metrics-cert-dir=/tmp", "--metrics-secure"},
		{"a folder without a certificate, where one of its own would be made", nil, "--metrics-secure --metrics-cert-dir=/nonexistent", "--metrics-cert-dir"},
		{"an unknown flag", nil, "--dry-run", "dry-run"},

		{"the shortest interval", nil, "--drift-interval=1s", ""},
		{"polls as often as sweeps", nil, "--poll=60s", ""},
		{"one namespace", nil, "--watch-namespaces=a", ""},
		{"a shard", nil, "--watch-namespaces=a,b --shard=one", ""},
		{"a simulator in a test cluster", nil, "--cloudflare-api-url=http://10.99.0.1:8443/client/v4 --allow-insecure-api-url", ""},
		{"the same of the environment", map[string]string{"ALLOW_INSECURE_API_URL": "true"}, "--cloudflare-api-url=http://10.99.0.1:8443/client/v4", ""},
		{"a simulator on loopback", nil, "--cloudflare-api-url=http://127.0.0.1:1/client/v4", ""},
		{"leader election in a cluster finds its namespace", map[string]string{"KUBERNETES_SERVICE_HOST": "10.0.0.1"}, "--leader-election", ""},
		{"leader election with the pod's namespace", map[string]string{"POD_NAMESPACE": "ns"}, "--leader-election", ""},
	}
	for _, tc := range tests {
		t.Run(tc.reason, func(t *testing.T) {
			_, err := parse(t, tc.env, strings.Fields(tc.args)...)
			switch {
			case tc.says == "" && err != nil:
				t.Errorf("%s: refused: %v", tc.reason, err)
			case tc.says != "" && (err == nil || !strings.Contains(err.Error(), tc.says)):
				t.Errorf("%s: got %v, want an error that names %s", tc.reason, err, tc.says)
			}
		})
	}
}

// TestStandaloneArguments reads the arguments of the process in cluster/standalone.
func TestStandaloneArguments(t *testing.T) {
	raw, err := os.ReadFile(filepath.Join("..", "..", "cluster", "standalone", "base", "deployment.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	var d appsv1.Deployment
	if err := yaml.UnmarshalStrict(raw, &d); err != nil {
		t.Fatal(err)
	}
	c := d.Spec.Template.Spec.Containers[0]
	env := map[string]string{}
	for _, e := range c.Env {
		env[e.Name] = e.Value
		if e.Value == "" {
			env[e.Name] = "of-the-pod"
		}
	}
	f, err := parse(t, env, c.Args...)
	if err != nil || !f.LeaderElection || f.Namespace != "of-the-pod" || len(f.WatchNamespaces) > 0 {
		t.Errorf("%q with %v is %+v, %v", c.Args, env, f, err)
	}
}

// TestNoLogLevelShowsBodies checks that no setting reaches the levels at which
// client-go prints bodies, including those of Secrets.
func TestNoLogLevelShowsBodies(t *testing.T) {
	const bodies = 8
	for _, debug := range []bool{false, true} {
		log := newLogger(debug)
		logging.SetFilteredKlogLogger(log)
		if log.V(bodies).Enabled() || klog.V(bodies).Enabled() {
			t.Errorf("with debug %t, bodies would be logged", debug)
		}
	}
	if !newLogger(true).V(1).Enabled() {
		t.Error("--debug logs no more than nothing does")
	}
}

// TestDriftIsLoggedAsAWarning reads the lines as collectors of logs do.
func TestDriftIsLoggedAsAWarning(t *testing.T) {
	var out bytes.Buffer
	warn := newWarn(false, zap.WriteTo(&out))
	const drifts = 500 // More than a sampled log keeps of a second.
	for range drifts {
		warn("DriftDetected", "kind", "Record", "undone", true,
			"differences", []drift.Difference{{Field: "content", Live: "1.0.0.1", Desired: "1.1.1.1"}, {Field: "secretRef", Says: "it changed"}})
	}
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	if len(lines) != drifts {
		t.Errorf("%d lines for %d drifts", len(lines), drifts)
	}
	var got map[string]any
	if err := json.Unmarshal([]byte(lines[0]), &got); err != nil {
		t.Fatalf("%s: %v", lines[0], err)
	}
	delete(got, "ts")
	want := map[string]any{
		"level": "warn", "msg": "DriftDetected", "kind": "Record", "undone": true,
		"differences": []any{
			map[string]any{"field": "content", "live": "1.0.0.1", "desired": "1.1.1.1"},
			map[string]any{"field": "secretRef", "says": "it changed"},
		},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("the line (-want +got):\n%s", diff)
	}
}

// TestAWarningHasNoStackTrace checks this also in the human-readable form of --debug.
func TestAWarningHasNoStackTrace(t *testing.T) {
	var out bytes.Buffer
	newWarn(true, zap.WriteTo(&out))("DriftDetected", "kind", "Record")
	if line := out.String(); strings.Count(line, "\n") != 1 || !strings.Contains(line, "WARN\tDriftDetected\t{\"kind\": \"Record\"}") {
		t.Errorf("logged %q", line)
	}
}
