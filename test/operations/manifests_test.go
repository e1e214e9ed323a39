// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package operations

import (
	"bytes"
	"flag"
	"os"
	"testing"

	monitoringv1 "github.com/prometheus-operator/prometheus-operator/pkg/apis/monitoring/v1"
	"sigs.k8s.io/yaml"
)

//nolint:gochecknoglobals // A flag of the test binary.
var update = flag.Bool("update", false, "write cluster/monitoring/prometheusrule.yaml")

const ruleHead = `# Made from alerts.yaml; after a change of that: make monitoring
apiVersion: monitoring.coreos.com/v1
kind: PrometheusRule
metadata:
  name: provider-cloudflare
  namespace: crossplane-system
  labels:
    app.kubernetes.io/name: provider-cloudflare
spec:
`

// TestThePrometheusRuleIsMadeFromTheAlerts writes the rule with -update. Otherwise it fails if
// the file differs from that.
func TestThePrometheusRuleIsMadeFromTheAlerts(t *testing.T) {
	alerts, err := os.ReadFile(monitoring("alerts.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	want := []byte(ruleHead)
	_, rules, ok := bytes.Cut(alerts, []byte("\ngroups:\n"))
	if !ok {
		t.Fatal("alerts.yaml has no groups")
	}
	for line := range bytes.Lines(append([]byte("groups:\n"), rules...)) {
		if len(bytes.TrimSpace(line)) > 0 {
			want = append(want, "  "...)
		}
		want = append(want, line...)
	}
	if *update {
		if err := os.WriteFile(monitoring("prometheusrule.yaml"), want, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(monitoring("prometheusrule.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(want, got) {
		t.Error("prometheusrule.yaml is not what alerts.yaml makes: run make monitoring")
	}
	var rule monitoringv1.PrometheusRule
	if err := yaml.UnmarshalStrict(got, &rule); err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, g := range rule.Spec.Groups {
		n += len(g.Rules)
	}
	if want := len(alertsOf(t)); n != want || n == 0 {
		t.Errorf("%d rules in prometheusrule.yaml, %d in alerts.yaml", n, want)
	}
}

func alertsOf(t *testing.T) []string {
	t.Helper()
	var out []string
	for _, a := range alerts(t) {
		out = append(out, a.Alert)
	}
	return out
}

func TestThePodMonitorFindsThePods(t *testing.T) {
	raw, err := os.ReadFile(monitoring("podmonitor.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	var m monitoringv1.PodMonitor
	if err := yaml.UnmarshalStrict(raw, &m); err != nil {
		t.Fatal(err)
	}
	// Crossplane creates such pods: the label is the Provider's name, and the port is metrics.
	if m.Spec.Selector.MatchLabels["pkg.crossplane.io/provider"] != "provider-cloudflare" || len(m.Spec.PodMetricsEndpoints) != 1 {
		t.Fatalf("it selects %v", m.Spec.Selector)
	}
	if e := m.Spec.PodMetricsEndpoints[0]; e.Port == nil || *e.Port != "metrics" || e.Path != "/metrics" {
		t.Errorf("it scrapes %+v", e)
	}
}
