// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"os"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/alecthomas/kong"
	"github.com/crossplane/crossplane-runtime/v2/pkg/logging"
	"k8s.io/klog/v2"

	"github.com/provider-cloudflare/provider-cloudflare/internal/provider"
)

// parse reads args as the process does, with none of the environment of whoever
// runs the test.
func parse(t *testing.T, env map[string]string, args ...string) (*flags, error) {
	t.Helper()
	for i := range reflect.TypeFor[flags]().NumField() {
		name := reflect.TypeFor[flags]().Field(i).Tag.Get("env")
		if name == "" {
			continue
		}
		t.Setenv(name, env[name]) // Which also restores it.
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

func TestFlagDefaults(t *testing.T) {
	f, err := parse(t, nil)
	if err != nil {
		t.Fatal(err)
	}
	// Users and tools rely on these.
	want := flags{
		CloudflareAPIURL: "https://api.cloudflare.com/client/v4", DriftInterval: time.Minute, Poll: time.Hour, MaxReconcileRate: 100,
		MetricsBindAddress: ":8080", HealthProbeBindAddress: ":8081", ChangelogsSocket: "/var/run/changelogs/changelogs.sock",
		LeaseDuration: time.Minute, RenewDeadline: 50 * time.Second, RetryPeriod: 2 * time.Second,
	}
	if *f != want {
		t.Errorf("defaults are %+v, want %+v", *f, want)
	}
	o := f.options(logging.NewNopLogger())
	if o.ChangeLogsSocket != "" || o.LeaderElection || o.DriftInterval != time.Minute || o.Poll != time.Hour || o.Version != version || o.Embedded {
		t.Errorf("options are %+v", o)
	}
}

func TestFlagsAndTheirEnvironment(t *testing.T) {
	want := flags{
		CloudflareAPIURL: "http://127.0.0.1:8787/client/v4", DriftInterval: 5 * time.Second, Poll: 10 * time.Minute, MaxReconcileRate: 7, MaxBatch: 50,
		LeaderElection: true, Namespace: "crossplane-system", MetricsBindAddress: "0", HealthProbeBindAddress: "127.0.0.1:1",
		EnableChangelogs: true, ChangelogsSocket: "/tmp/s", Debug: true,
		LeaseDuration: 15 * time.Second, RenewDeadline: 10 * time.Second, RetryPeriod: time.Second,
	}
	byFlag, err := parse(
		t, nil,
		"--cloudflare-api-url=http://127.0.0.1:8787/client/v4", "--drift-interval=5s", "--poll=10m", "--max-reconcile-rate=7", "--max-batch=50",
		"--leader-election", "--namespace=crossplane-system", "--metrics-bind-address=0", "--health-probe-bind-address=127.0.0.1:1",
		"--enable-changelogs", "--changelogs-socket=/tmp/s", "--debug",
		"--leader-election-lease-duration=15s", "--leader-election-renew-deadline=10s", "--leader-election-retry-period=1s",
	)
	if err != nil || *byFlag != want {
		t.Errorf("by flags: %+v, %v, want %+v", *byFlag, err, want)
	}
	byEnv, err := parse(t, map[string]string{
		"CLOUDFLARE_API_URL": "http://127.0.0.1:8787/client/v4", "DRIFT_INTERVAL": "5s", "POLL": "10m", "MAX_RECONCILE_RATE": "7", "MAX_BATCH": "50",
		"LEADER_ELECTION": "true", "POD_NAMESPACE": "crossplane-system", "METRICS_BIND_ADDRESS": "0", "HEALTH_PROBE_BIND_ADDRESS": "127.0.0.1:1",
		"ENABLE_CHANGELOGS": "true", "CHANGELOGS_SOCKET_PATH": "/tmp/s", "DEBUG": "true",
		"LEADER_ELECTION_LEASE_DURATION": "15s", "LEADER_ELECTION_RENEW_DEADLINE": "10s", "LEADER_ELECTION_RETRY_PERIOD": "1s",
	})
	if err != nil || *byEnv != want {
		t.Errorf("by environment: %+v, %v, want %+v", *byEnv, err, want)
	}
	both, err := parse(t, map[string]string{"POLL": "10m"}, "--poll=20m")
	if err != nil || both.Poll != 20*time.Minute {
		t.Errorf("a flag must win over its environment: %v, %v", both.Poll, err)
	}
	o := byFlag.options(logging.NewNopLogger())
	if o.ChangeLogsSocket != "/tmp/s" || o.MaxBatch != 50 || !o.LeaderElection || o.Namespace != "crossplane-system" || o.CloudflareAPIURL != want.CloudflareAPIURL ||
		o.MetricsBindAddress != "0" || o.HealthProbeBindAddress != "127.0.0.1:1" || o.MaxReconcileRate != 7 ||
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
		{"an unknown flag", nil, "--dry-run", "dry-run"},

		{"the shortest interval", nil, "--drift-interval=1s", ""},
		{"polls as often as sweeps", nil, "--poll=60s", ""},
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

// TestNoLogLevelShowsBodies keeps the levels out of reach at which client-go prints
// what it reads, Secrets among it.
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
