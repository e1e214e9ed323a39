// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package cloudflare

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/testutil"
)

func TestMetricsOfCalls(t *testing.T) {
	reg := prometheus.NewPedanticRegistry()
	m := NewMetrics(reg)
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodDelete {
			answer(404, refusal(81044, "Record does not exist."))(w, r)
			return
		}
		answer(200, success("{}"))(w, r)
	})
	c := s.client(t, Options{Observe: m.Observe})
	for range 3 {
		_ = c.GetRecord(t.Context(), zoneID, recordID, nil)
	}
	_ = c.DeleteRecord(t.Context(), zoneID, recordID)
	_ = c.BatchRecords(t.Context(), zoneID, Batch{Deletes: []string{recordID}}, nil)
	_, _ = c.GetZone(t.Context(), zoneID)
	_, _ = c.CreateZone(t.Context(), "example.com", accountID, "full")
	_ = c.Verify(t.Context(), "")
	want := `
# HELP cloudflare_api_requests_total Requests sent to the Cloudflare API, by method, route, zone and HTTP status (0: no answer).
# TYPE cloudflare_api_requests_total counter
cloudflare_api_requests_total{method="DELETE",route="/zones/{zone}/dns_records/{record}",status="404",zone="023e105f4ecef8ad9ca31a8372d0c353"} 1
cloudflare_api_requests_total{method="GET",route="/user/tokens/verify",status="200",zone=""} 1
cloudflare_api_requests_total{method="GET",route="/zones/{zone}",status="200",zone="023e105f4ecef8ad9ca31a8372d0c353"} 1
cloudflare_api_requests_total{method="GET",route="/zones/{zone}/dns_records/{record}",status="200",zone="023e105f4ecef8ad9ca31a8372d0c353"} 3
cloudflare_api_requests_total{method="POST",route="/zones",status="200",zone=""} 1
cloudflare_api_requests_total{method="POST",route="/zones/{zone}/dns_records/batch",status="200",zone="023e105f4ecef8ad9ca31a8372d0c353"} 1
`
	if err := testutil.GatherAndCompare(reg, strings.NewReader(want), "cloudflare_api_requests_total"); err != nil {
		t.Error(err)
	}
	if n := testutil.CollectAndCount(m.took); n != 6 {
		t.Errorf("%d series of durations, want 6", n)
	}
}

func TestMetricsOfBudgets(t *testing.T) {
	clk := newClock()
	busy := New(NewToken("busy"), Options{Now: clk.Now})
	idle := New(NewToken(secretToken), Options{Now: clk.Now})
	busy.SetBudget(40)
	for range 7 {
		_, _ = busy.budget.admit(asking{sweep: true}) // Of ten calls at once, a sweep may make five.
	}
	for range 6 {
		_, _ = busy.budget.admit(asking{}) // The last call is beyond the budget.
	}
	busy.budget.answered(1, reply{status: 429, header: http.Header{"Retry-After": {"30"}}})
	for range 3 {
		_, _ = busy.budget.admit(asking{})
	}
	clk.pass(10 * time.Second)
	clients := []*Client{busy, idle}
	reg := prometheus.NewPedanticRegistry()
	reg.MustRegister(NewBudgetMetrics(func() []*Client { return clients }))

	b, i := busy.Fingerprint()[:12], idle.Fingerprint()[:12]
	for _, tc := range []struct {
		reason  string
		clients []*Client
		want    string
	}{
		{"two credentials", []*Client{busy, idle}, `
# HELP cloudflare_api_budget_requests_left Requests the credential may make at once; a quarter of the limit is saved up at most.
# TYPE cloudflare_api_budget_requests_left gauge
cloudflare_api_budget_requests_left{credential="` + b + `"} 1
cloudflare_api_budget_requests_left{credential="` + i + `"} 300
# HELP cloudflare_api_budget_requests_limit Requests the credential may make in a window (five minutes, unless the API says otherwise).
# TYPE cloudflare_api_budget_requests_limit gauge
cloudflare_api_budget_requests_limit{credential="` + b + `"} 40
cloudflare_api_budget_requests_limit{credential="` + i + `"} 1200
# HELP cloudflare_api_paused_seconds How long the credential still pauses because the API throttled it.
# TYPE cloudflare_api_paused_seconds gauge
cloudflare_api_paused_seconds{credential="` + b + `"} 20
cloudflare_api_paused_seconds{credential="` + i + `"} 0
# HELP cloudflare_api_throttled_total Calls refused for their rate, by what refused them: an answer of the API (api), the pause after it (pause), the budget (budget), or the share of it that sweeps may use (sweep_share).
# TYPE cloudflare_api_throttled_total counter
cloudflare_api_throttled_total{by="api",credential="` + b + `"} 1
cloudflare_api_throttled_total{by="budget",credential="` + b + `"} 1
cloudflare_api_throttled_total{by="pause",credential="` + b + `"} 3
cloudflare_api_throttled_total{by="sweep_share",credential="` + b + `"} 2
cloudflare_api_throttled_total{by="api",credential="` + i + `"} 0
cloudflare_api_throttled_total{by="budget",credential="` + i + `"} 0
cloudflare_api_throttled_total{by="pause",credential="` + i + `"} 0
cloudflare_api_throttled_total{by="sweep_share",credential="` + i + `"} 0
`},
		{"a client that was dropped is gone", nil, ""},
	} {
		clients = tc.clients
		if err := testutil.GatherAndCompare(reg, strings.NewReader(tc.want)); err != nil {
			t.Errorf("%s: %v", tc.reason, err)
		}
	}
}
