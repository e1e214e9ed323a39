// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package operations

import (
	"log/slog"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/common/model"
	"github.com/prometheus/prometheus/model/labels"
	"github.com/prometheus/prometheus/model/rulefmt"
	"github.com/prometheus/prometheus/promql/parser"
	"github.com/prometheus/prometheus/promql/promqltest"
	"github.com/prometheus/prometheus/rules"
)

func monitoring(name string) string { return filepath.Join(repository, "cluster", "monitoring", name) }

// alerts returns the rules of the rules file, as Prometheus parses it.
func alerts(t *testing.T) []rulefmt.Rule {
	t.Helper()
	groups, errs := rulefmt.ParseFile(monitoring("alerts.yaml"), false, model.UTF8Validation, parser.NewParser(parser.Options{}), slog.New(slog.DiscardHandler))
	for _, err := range errs {
		t.Fatal(err)
	}
	var out []rulefmt.Rule
	for _, g := range groups.Groups {
		out = append(out, g.Rules...)
	}
	return out
}

// anchors returns the anchors of a page's headings, as GitHub makes them.
func anchors(t *testing.T, page string) map[string]bool {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join(repository, "docs", page))
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]bool{}
	for line := range strings.Lines(string(raw)) {
		if title, ok := strings.CutPrefix(strings.TrimLeft(line, "#"), " "); ok && strings.HasPrefix(line, "#") {
			title = regexp.MustCompile(`[^\w\- ]`).ReplaceAllString(strings.ToLower(strings.TrimSpace(title)), "")
			out[strings.ReplaceAll(title, " ", "-")] = true
		}
	}
	return out
}

func TestAlertsSayWhatTheyAre(t *testing.T) {
	const page = "https://github.com/provider-cloudflare/provider-cloudflare/blob/main/docs/how-to/alerts.md#"
	sections, metrics := anchors(t, "how-to/alerts.md"), known(t, shared.after)
	seen := map[string]bool{}
	for _, a := range alerts(t) {
		if a.Alert == "" || seen[a.Alert] {
			t.Errorf("%q: want an alert, and each once", a.Alert)
		}
		seen[a.Alert] = true
		if s := a.Labels["severity"]; s != "critical" && s != "warning" {
			t.Errorf("%s: its severity is %q", a.Alert, s)
		}
		for _, text := range []string{"summary", "description"} {
			if s := strings.TrimSpace(a.Annotations[text]); !strings.HasSuffix(s, ".") {
				t.Errorf("%s: its %s is no sentence: %q", a.Alert, text, s)
			}
		}
		anchor, ok := strings.CutPrefix(a.Annotations["runbook_url"], page)
		if !ok || anchor != strings.ToLower(a.Alert) || !sections[anchor] {
			t.Errorf("%s: docs/how-to/alerts.md has no section #%s", a.Alert, anchor)
		}
		check(t, a.Alert, a.Expr, metrics)
	}
}

const (
	recordGVK = `{gvk="dns.cloudflare.m.crossplane.io/v1alpha1, Kind=Record"}`
	otherGVK  = `{gvk="s3.aws.m.upbound.io/v1beta1, Kind=Bucket"}`
)

func TestAlerts(t *testing.T) {
	tests := []struct {
		alert, reason string
		// series have one sample a minute.
		series []string
		// after is the time of the evaluation.
		after time.Duration
		// says is a part of the summary of the alert that fires, "" if none fires.
		says string
	}{
		{"CloudflareProviderAbsent", "no provider was ever scraped", []string{`up{job="x"} 1x60`}, 6 * time.Minute, "No provider-cloudflare is running."},
		{"CloudflareProviderAbsent", "it went ten minutes ago, and Prometheus looks back for five", []string{"cloudflare_provider_build_info 1x10 _x20"}, 22 * time.Minute, "No provider"},
		{"CloudflareProviderAbsent", "a restart is no absence", []string{"cloudflare_provider_build_info 1x10 _x2 1x20"}, 16 * time.Minute, ""},

		{"CloudflareProviderWithoutLeader", "two replicas wait", []string{
			`leader_election_master_status{name="crossplane-leader-election-provider-cloudflare",pod="a"} 0x30`,
			`leader_election_master_status{name="crossplane-leader-election-provider-cloudflare",pod="b"} 0x30`,
		}, 6 * time.Minute, "No replica"},
		{"CloudflareProviderWithoutLeader", "one of them leads", []string{
			`leader_election_master_status{name="crossplane-leader-election-provider-cloudflare",pod="a"} 0x30`,
			`leader_election_master_status{name="crossplane-leader-election-provider-cloudflare",pod="b"} 1x30`,
		}, 20 * time.Minute, ""},
		{"CloudflareProviderWithoutLeader", "another provider's standby is not ours", []string{`leader_election_master_status{name="crossplane-leader-election-provider-aws"} 0x30`}, 20 * time.Minute, ""},
		{"CloudflareProviderWithoutLeader", "a leader died, and another took over after its lease", []string{
			`leader_election_master_status{name="crossplane-leader-election-provider-cloudflare",pod="a"} 0x3 1x30`,
		}, 20 * time.Minute, ""},

		{"CloudflareKindNotStarted", "Zones may not be listed", []string{`cloudflare_kind_started{kind="Zone"} 0x30`, `cloudflare_kind_started{kind="Record"} 1x30`}, 6 * time.Minute, "The controller of Zone objects cannot be started."},
		{"CloudflareKindNotStarted", "the API server was away at the start", []string{`cloudflare_kind_started{kind="Zone"} 0x3 1x30`}, 20 * time.Minute, ""},

		{"CloudflareCredentialRefused", "a token was revoked", []string{`cloudflare_provider_config_ready{config="ProviderConfig/shop/default",reason="Refused"} 0x30`}, 6 * time.Minute, "The credential of ProviderConfig/shop/default is not good."},
		{"CloudflareCredentialRefused", "a Secret is missing", []string{`cloudflare_provider_config_ready{config="ProviderConfig/shop/default",reason="Unreadable"} 0x30`}, 6 * time.Minute, "is not good"},
		{"CloudflareCredentialRefused", "it was corrected within minutes", []string{
			`cloudflare_provider_config_ready{config="c",reason="Refused"} 0x2 stale`, `cloudflare_provider_config_ready{config="c",reason="Verified"} _x3 1x30`,
		}, 9 * time.Minute, ""},
		{"CloudflareCredentialRefused", "Cloudflare is down, which is not the credential's fault", []string{`cloudflare_provider_config_ready{config="c",reason="Unverified"} 0x30`}, 20 * time.Minute, ""},

		{"CloudflareCredentialUnverified", "Cloudflare is down for long", []string{`cloudflare_provider_config_ready{config="c",reason="Unverified"} 0x30`}, 16 * time.Minute, "cannot be asked about the credential of c"},
		{"CloudflareCredentialUnverified", "a good one", []string{`cloudflare_provider_config_ready{config="c",reason="Verified"} 1x30`}, 20 * time.Minute, ""},
		{"CloudflareCredentialUnverified", "Cloudflare was away for ten minutes", []string{
			`cloudflare_provider_config_ready{config="c",reason="Unverified"} 0x10 stale`,
		}, 20 * time.Minute, ""},

		{"CloudflareObjectsNotSynced", "three of ten fail", []string{"crossplane_managed_resource_exists" + recordGVK + " 10x30", "crossplane_managed_resource_synced" + recordGVK + " 7x30"}, 16 * time.Minute, "3 objects are not synced: dns.cloudflare"},
		{"CloudflareObjectsNotSynced", "a rollout has some that are not synced yet", []string{"crossplane_managed_resource_exists" + recordGVK + " 10x30", "crossplane_managed_resource_synced" + recordGVK + " 0x5 10x25"}, 16 * time.Minute, ""},
		{"CloudflareObjectsNotSynced", "another provider's objects are not ours", []string{"crossplane_managed_resource_exists" + otherGVK + " 10x30", "crossplane_managed_resource_synced" + otherGVK + " 7x30"}, 20 * time.Minute, ""},

		{"CloudflareObjectsNotReady", "a zone stays pending", []string{`crossplane_managed_resource_exists{gvk="zone.cloudflare.m.crossplane.io/v1alpha1, Kind=Zone"} 2x60`, `crossplane_managed_resource_ready{gvk="zone.cloudflare.m.crossplane.io/v1alpha1, Kind=Zone"} 1x60`}, 31 * time.Minute, "1 objects are not ready: zone.cloudflare"},
		{"CloudflareObjectsNotReady", "all are", []string{"crossplane_managed_resource_exists" + recordGVK + " 10x60", "crossplane_managed_resource_ready" + recordGVK + " 10x60"}, 50 * time.Minute, ""},
		{"CloudflareObjectsNotReady", "a zone whose registrar was quick", []string{"crossplane_managed_resource_exists" + recordGVK + " 10x60", "crossplane_managed_resource_ready" + recordGVK + " 9x25 10x60"}, 50 * time.Minute, ""},

		{"CloudflareDriftFrequent", "an external-dns fights for a name", []string{`cloudflare_drift_detected_total{kind="Record"} 0+1x60`}, time.Hour, "Somebody else keeps changing what Record objects declare."},
		{"CloudflareDriftFrequent", "a day's work in the dashboard", []string{`cloudflare_drift_detected_total{kind="Record"} 0x10 6x60`}, time.Hour, ""},
		{"CloudflareDriftFrequent", "just too many", []string{`cloudflare_drift_detected_total{kind="Record"} 0x10 22x60`}, time.Hour, "Somebody else"},
		{"CloudflareDriftFrequent", "just not too many", []string{`cloudflare_drift_detected_total{kind="Record"} 0x10 19x60`}, time.Hour, ""},

		{"CloudflareCallsFail", "half of the calls get no answer", []string{`cloudflare_api_requests_total{status="0"} 0+5x60`, `cloudflare_api_requests_total{status="200"} 0+5x60`}, 16 * time.Minute, "50% of the calls to Cloudflare fail."},
		{"CloudflareCallsFail", "refusals are no failures of Cloudflare's", []string{`cloudflare_api_requests_total{status="400"} 0+5x60`, `cloudflare_api_requests_total{status="502"} 0x60`, `cloudflare_api_requests_total{status="200"} 0+5x60`}, 30 * time.Minute, ""},
		{"CloudflareCallsFail", "a third", []string{`cloudflare_api_requests_total{status="503"} 0+5x60`, `cloudflare_api_requests_total{status="200"} 0+10x60`}, 16 * time.Minute, "33.33% of the calls"},
		{"CloudflareCallsFail", "one in ten", []string{`cloudflare_api_requests_total{status="503"} 0+1x60`, `cloudflare_api_requests_total{status="200"} 0+9x60`}, 30 * time.Minute, ""},
		{"CloudflareCallsFail", "three bad minutes", []string{`cloudflare_api_requests_total{status="503"} 0x5 5 10 15x40`, `cloudflare_api_requests_total{status="200"} 0+5x60`}, 30 * time.Minute, ""},

		{"CloudflareThrottles", "one 429", []string{`cloudflare_api_throttled_total{credential="0123456789ab",by="api"} 0x5 1x30`}, 7 * time.Minute, "Cloudflare throttles the credential 0123456789ab."},
		{"CloudflareThrottles", "sweeps that wait for their share are no throttle", []string{`cloudflare_api_throttled_total{credential="0123456789ab",by="sweep_share"} 0+9x30`, `cloudflare_api_throttled_total{credential="0123456789ab",by="api"} 1x30`}, 20 * time.Minute, ""},

		{"CloudflareBudgetNearlySpent", "twenty left of 1,200", []string{`cloudflare_api_budget_requests_left{credential="c"} 20x60`, `cloudflare_api_budget_requests_limit{credential="c"} 1200x60`}, 16 * time.Minute, "The budget of the credential c is nearly spent."},
		{"CloudflareBudgetNearlySpent", "one burst that is over", []string{`cloudflare_api_budget_requests_left{credential="c"} 300x10 0x3 300x60`, `cloudflare_api_budget_requests_limit{credential="c"} 1200x60`}, 16 * time.Minute, ""},
		{"CloudflareBudgetNearlySpent", "a small limit is judged by its size", []string{`cloudflare_api_budget_requests_left{credential="c"} 9x60`, `cloudflare_api_budget_requests_limit{credential="c"} 40x60`}, 30 * time.Minute, ""},
		{"CloudflareBudgetNearlySpent", "just above a tenth of what can be saved up", []string{`cloudflare_api_budget_requests_left{credential="c"} 31x60`, `cloudflare_api_budget_requests_limit{credential="c"} 1200x60`}, 30 * time.Minute, ""},

		{"CloudflareChangesWait", "calls are not sent without budget", []string{`cloudflare_api_throttled_total{credential="c",by="budget"} 0+2x60`, `cloudflare_api_throttled_total{credential="c",by="pause"} 0x60`}, 22 * time.Minute, "Changes with the credential c wait"},
		{"CloudflareChangesWait", "a pause of a minute", []string{`cloudflare_api_throttled_total{credential="c",by="pause"} 0x5 40x60`}, 15 * time.Minute, ""},

		{"CloudflareSweepsStretched", "too many zones", []string{`cloudflare_dns_sweep_interval_seconds{credential="c"} 100x60`, `cloudflare_dns_sweep_interval_wanted_seconds{credential="c"} 60x60`}, 31 * time.Minute, "are listed every 1m 40s only"},
		{"CloudflareSweepsStretched", "as asked for", []string{`cloudflare_dns_sweep_interval_seconds{credential="c"} 60x60`, `cloudflare_dns_sweep_interval_wanted_seconds{credential="c"} 60x60`}, 50 * time.Minute, ""},
		{"CloudflareSweepsStretched", "for twenty minutes", []string{`cloudflare_dns_sweep_interval_seconds{credential="c"} 100x20 60x60`, `cloudflare_dns_sweep_interval_wanted_seconds{credential="c"} 60x80`}, 50 * time.Minute, ""},

		{"CloudflareSweepsHeldUp", "users use up the budget", []string{`cloudflare_dns_sweep_held_up{credential="c"} 1x60`}, 16 * time.Minute, "Sweeps with the credential c do not come to an end."},
		{"CloudflareSweepsHeldUp", "users of other kinds use up the budget", []string{`cloudflare_resource_sweep_held_up{credential="c",wanted="1m0s"} 1x60`}, 16 * time.Minute, "Sweeps with the credential c do not come to an end."},
		{"CloudflareSweepsHeldUp", "a rush that passes", []string{`cloudflare_dns_sweep_held_up{credential="c"} 1x10 0x60`}, 16 * time.Minute, ""},

		{"CloudflareZoneNotListed", "a zone that may not be read any more", []string{`cloudflare_dns_snapshot_age_seconds{zone="z"} 0+60x60`, `cloudflare_dns_sweep_interval_seconds{credential="c"} 60x60`}, 20 * time.Minute, "The zone z has not been listed for 20m 0s."},
		{"CloudflareZoneNotListed", "old, but no older than a stretched interval makes it", []string{`cloudflare_dns_snapshot_age_seconds{zone="z"} 600x60`, `cloudflare_dns_sweep_interval_seconds{credential="c"} 600x60`}, 30 * time.Minute, ""},
		{"CloudflareZoneNotListed", "two lists were missed", []string{`cloudflare_dns_snapshot_age_seconds{zone="z"} 230x60`, `cloudflare_dns_sweep_interval_seconds{credential="c"} 60x60`}, 30 * time.Minute, ""},
		{"CloudflareZoneNotListed", "another credential's interval is short", []string{`cloudflare_dns_snapshot_age_seconds{zone="z"} 600x60`, `cloudflare_dns_sweep_interval_seconds{credential="c"} 600x60`, `cloudflare_dns_sweep_interval_seconds{credential="d"} 60x60`}, 30 * time.Minute, ""},

		{"CloudflareObjectsWaitForWorkers", "one tenant's calls hang", []string{`cloudflare_reconciles_waiting{controller="managed/record.dns.cloudflare.m.crossplane.io"} 12x60`}, 16 * time.Minute, "12 objects wait in managed/record"},
		{"CloudflareOrphansWait", "a token that may not delete", []string{`cloudflare_journal_orphans 2x60`}, 16 * time.Minute, "2 external resources of objects that do not exist any more"},
		{"CloudflareOrphansWait", "an outage that passes", []string{`cloudflare_journal_orphans 2x10 0x60`}, 16 * time.Minute, ""},

		{"CloudflareObjectsWaitForWorkers", "a rollout that gets on", []string{`cloudflare_reconciles_waiting{controller="managed/record.dns.cloudflare.m.crossplane.io"} 900-100x9 0x60`}, 16 * time.Minute, ""},
	}
	all := map[string]rulefmt.Rule{}
	fires, silent := map[string]bool{}, map[string]bool{}
	for _, a := range alerts(t) {
		all[a.Alert] = a
	}
	for _, tc := range tests {
		t.Run(tc.alert+": "+tc.reason, func(t *testing.T) {
			summaries := eval(t, all[tc.alert], tc.series, tc.after, tc.says == "")
			if tc.says == "" {
				silent[tc.alert] = true
				if len(summaries) > 0 {
					t.Errorf("it fires: %q", summaries)
				}
				return
			}
			fires[tc.alert] = true
			if len(summaries) != 1 || !strings.Contains(summaries[0], tc.says) {
				t.Errorf("it says %q, want one alert with %q", summaries, tc.says)
			}
		})
	}
	for name := range all {
		if !fires[name] || !silent[name] {
			t.Errorf("%s: want a row in which it fires, and one in which it does not", name)
		}
	}
}

// eval evaluates a rule once a minute, and returns the summaries of its alerts that fire at the
// end. If silent is set, an alert that fires at any time fails the test.
func eval(t *testing.T, r rulefmt.Rule, series []string, after time.Duration, silent bool) []string {
	t.Helper()
	expr, err := parser.NewParser(parser.Options{}).ParseExpr(r.Expr)
	if err != nil {
		t.Fatal(err)
	}
	rule := rules.NewAlertingRule(r.Alert, expr, time.Duration(r.For), time.Duration(r.KeepFiringFor),
		labels.FromMap(r.Labels), labels.FromMap(r.Annotations), labels.EmptyLabels(), "", true, slog.New(slog.DiscardHandler))
	query := rules.EngineQueryFunc(engine(t), promqltest.LoadedStorage(t, "load 1m\n  "+strings.Join(series, "\n  ")+"\n"))
	for at := time.Duration(0); at <= after; at += time.Minute {
		if _, err := rule.Eval(t.Context(), 0, time.Unix(0, 0).Add(at), query, &url.URL{}, 0); err != nil {
			t.Fatal(err)
		}
		for _, a := range rule.ActiveAlerts() {
			if silent && a.State == rules.StateFiring {
				t.Errorf("it fires after %s: %s", at, a.Annotations.Get("summary"))
			}
		}
	}
	var out []string
	for _, a := range rule.ActiveAlerts() {
		if a.State == rules.StateFiring {
			out = append(out, a.Annotations.Get("summary"))
			if d := a.Annotations.Get("description"); strings.Contains(d, "{{") || strings.Contains(d, "<no value>") {
				t.Errorf("the description is not filled in: %s", d)
			}
		}
	}
	return out
}
