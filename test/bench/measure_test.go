// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"net/http"
	"strings"
	"testing"
	"time"

	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"
	"github.com/google/go-cmp/cmp"

	"github.com/provider-cloudflare/provider-cloudflare/test/simulator"
)

const before = `
# TYPE cloudflare_reconciles_total counter
cloudflare_reconciles_total{controller="managed/record.dns.cloudflare.m.crossplane.io",result="success"} 10
# TYPE controller_runtime_reconcile_total counter
controller_runtime_reconcile_total{controller="managed",result="success"} 10
controller_runtime_reconcile_total{controller="managed/zone.zone.cloudflare.m.crossplane.io",result="success"} 5
# TYPE cloudflare_reconciles_queued gauge
cloudflare_reconciles_queued{controller="managed/record.dns.cloudflare.m.crossplane.io",priority="0"} 2
# TYPE controller_runtime_active_workers gauge
controller_runtime_active_workers{controller="managed/zone.zone.cloudflare.m.crossplane.io"} 0
# TYPE rest_client_requests_total counter
rest_client_requests_total{code="200",host="h",method="PUT"} 4
rest_client_requests_total{code="409",host="h",method="PUT"} 1
rest_client_requests_total{code="200",host="h",method="GET"} 3
# TYPE apiserver_request_total counter
apiserver_request_total{code="200",group="dns.cloudflare.m.crossplane.io",resource="records",subresource="status",verb="PUT"} 100
apiserver_request_total{code="201",group="dns.cloudflare.m.crossplane.io",resource="records",subresource="",verb="POST"} 7
apiserver_request_total{code="200",group="coordination.k8s.io",resource="leases",subresource="",verb="PUT"} 9
`

const after = `
# TYPE cloudflare_reconciles_total counter
cloudflare_reconciles_total{controller="managed/record.dns.cloudflare.m.crossplane.io",result="success"} 12
cloudflare_reconciles_total{controller="managed/record.dns.cloudflare.m.crossplane.io",result="error"} 1
# TYPE controller_runtime_reconcile_total counter
controller_runtime_reconcile_total{controller="managed",result="success"} 13
controller_runtime_reconcile_total{controller="managed/zone.zone.cloudflare.m.crossplane.io",result="success"} 9
# TYPE rest_client_requests_total counter
rest_client_requests_total{code="200",host="h",method="PUT"} 6
rest_client_requests_total{code="409",host="h",method="PUT"} 4
rest_client_requests_total{code="200",host="h",method="GET"} 10
# TYPE apiserver_request_total counter
apiserver_request_total{code="200",group="dns.cloudflare.m.crossplane.io",resource="records",subresource="status",verb="PUT"} 103
apiserver_request_total{code="409",group="dns.cloudflare.m.crossplane.io",resource="records",subresource="status",verb="PUT"} 2
apiserver_request_total{code="201",group="dns.cloudflare.m.crossplane.io",resource="records",subresource="",verb="POST"} 57
apiserver_request_total{code="0",group="dns.cloudflare.m.crossplane.io",resource="records",subresource="",verb="WATCH"} 4
apiserver_request_total{code="201",group="",resource="events",subresource="",verb="POST"} 6
apiserver_request_total{code="201",group="",resource="configmaps",subresource="",verb="POST"} 2
apiserver_request_total{code="200",group="",resource="configmaps",subresource="",verb="GET"} 4
apiserver_request_total{code="201",group="authorization.k8s.io",resource="selfsubjectaccessreviews",subresource="",verb="POST"} 3
apiserver_request_total{code="200",group="coordination.k8s.io",resource="leases",subresource="",verb="PUT"} 19
`

func probes(t *testing.T) (from, to probe) {
	t.Helper()
	names := []string{metricReconciles, metricDepth, metricActive, metricKube, metricServer}
	a, err := parseMetrics(strings.NewReader(before), names...)
	if err != nil {
		t.Fatal(err)
	}
	b, err := parseMetrics(strings.NewReader(after), names...)
	if err != nil {
		t.Fatal(err)
	}
	return probe{provider: a, server: a}, probe{provider: b, server: b}
}

func TestMetrics(t *testing.T) {
	from, to := probes(t)
	tests := []struct {
		reason    string
		got, want int
	}{
		{"a series that is new counts in full", to.provider.since(from.provider, metricReconciles, ofRecords), 3},
		{"all series", to.provider.since(from.provider, metricReconciles, nil), 7},
		{"all requests", kubeRequests(from, to, nil), 12},
		{"changes", kubeRequests(from, to, writes), 5},
		{"conflicts", kubeRequests(from, to, conflicts), 3},
		{"a metric that is not there", int(to.provider.sum(metricCalls, nil)), 0},
	}
	for _, tc := range tests {
		if tc.got != tc.want {
			t.Errorf("%s: got %d, want %d", tc.reason, tc.got, tc.want)
		}
	}
	if !busy(from.provider, ofRecords) || busy(to.provider, ofRecords) {
		t.Error("who has a queue is busy, who has none is not")
	}
	zones := func(l map[string]string) bool { return strings.Contains(l["controller"], "zone.zone.") }
	if !from.provider.has(metricActive, zones) || from.provider.has(metricActive, ofRecords) {
		t.Error("who has a series of workers runs, who has none does not")
	}
	if got, want := reconcilesBy(from, to), "4 x managed/zone.zone.cloudflare.m.crossplane.io; 3 x managed/record.dns.cloudflare.m.crossplane.io"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if _, err := parseMetrics(strings.NewReader("<html>")); err == nil {
		t.Error("what is no metrics is taken for some")
	}
}

func TestKubeKinds(t *testing.T) {
	from, to := probes(t)
	kinds := kubeKinds(from, to, map[string]int{"POST records": 50})
	want := map[string]int{"PUT records/status": 5, "POST events": 6, "POST configmaps": 2, "GET configmaps": 4, "POST selfsubjectaccessreviews": 3}
	if diff := cmp.Diff(want, kinds); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	// A review is a POST that changes nothing.
	if n := kubeWrites(kinds); n != 13 {
		t.Errorf("%d writes, want 13", n)
	}
	if n := journalWrites(kinds); n != 2 {
		t.Errorf("%d writes to the journal, want 2", n)
	}
}

// logged returns a line of the simulator's log.
func logged(t *testing.T, r simulator.LoggedRequest) string {
	t.Helper()
	raw, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	return string(raw) + "\n"
}

func TestRequestLog(t *testing.T) {
	at := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	lines := logged(t, simulator.LoggedRequest{Time: at, Method: http.MethodGet, Path: "/zones/z1/dns_records", Route: routeRecords, Status: 200}) +
		"cfsim: something else\n" +
		logged(t, simulator.LoggedRequest{Time: at.Add(time.Second), Method: http.MethodPost, Path: "/zones/z1/dns_records/batch", Route: routeRecords + "/batch", Status: 400, RequestBody: `{"posts":[{"content":"wanted"}]}`}) +
		logged(t, simulator.LoggedRequest{Time: at.Add(2 * time.Second), Method: http.MethodPost, Path: "/zones/z1/dns_records/batch", Route: routeRecords + "/batch", Status: 200, RequestBody: `{"patches":[{"id":"a"}],"posts":[{"content":"wanted"},{}]}`}) +
		logged(t, simulator.LoggedRequest{Time: at.Add(3 * time.Second), Method: http.MethodPatch, Path: "/zones/z2/dns_records/abc", Route: routeRecords + "/{dns_record_id}", Status: 429, Code: 971}) +
		logged(t, simulator.LoggedRequest{Time: at.Add(4 * time.Second), Method: http.MethodGet, Path: "/user/tokens/verify", Route: "/user/tokens/verify", Status: 200})
	var other bytes.Buffer
	l := newRequestLog(&other)
	made, stop := l.change("wanted")
	never, _ := l.change("abc")
	for _, part := range []string{lines[:20], lines[20:300], lines[300:]} {
		if _, err := l.Write([]byte(part)); err != nil {
			t.Fatal(err)
		}
	}
	stop()
	if got := <-made; !got.Equal(at.Add(2 * time.Second)) {
		t.Errorf("the change was made at %s: a refused one makes none", got)
	}
	if len(never) != 0 {
		t.Error("a throttled change counts as made")
	}
	if len(l.listeners) != 1 {
		t.Errorf("%d listeners are left, want 1", len(l.listeners))
	}
	if !strings.Contains(other.String(), "something else") {
		t.Errorf("the text has %q", other.String())
	}

	all := l.between(at, at.Add(4*time.Second)) // The end of the window is not part of it.
	if len(all) != 4 || all.throttled() != 1 || all.count(call.lists) != 1 || all.count(call.writes) != 3 || len(all.inZone("z1")) != 3 {
		t.Errorf("calls: %+v", all)
	}
	if got, want := all.batches(), "Changes in the batches, in their order: 1, 3."; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	want := "1 x GET /zones/{zone_id}/dns_records: 200; 1 x PATCH /zones/{zone_id}/dns_records/{dns_record_id}: 429; " +
		"1 x POST /zones/{zone_id}/dns_records/batch: 200; 1 x POST /zones/{zone_id}/dns_records/batch: 400"
	if got := all.byRoute(); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if got := (calls{}).byRoute() + (calls{}).batches(); got != "noneThere was no batch." {
		t.Errorf("nothing prints as %q", got)
	}
	if n := changesIn(`{"posts":[{"content":"wan...`); n != -1 {
		t.Errorf("a batch that was clipped has %d changes, want -1", n)
	}
}

// TestRecordsAreAsTheAPIShowsThem keeps the comparison fair: the plain connector must
// find no difference in the records that it has created.
func TestRecordsAreAsTheAPIShowsThem(t *testing.T) {
	const n = 3000
	sim := simulator.New(simulator.Options{})
	zone, err := sim.AddZone(sim.AddAccount("x").ID, "bench.example", simulator.ZoneOptions{Plan: simulator.PlanPro})
	if err != nil {
		t.Fatal(err)
	}
	types := map[string]int{}
	for i := range n {
		d := record(i)
		raw, err := json.Marshal(d.body())
		if err != nil {
			t.Fatal(err)
		}
		var body map[string]any
		if err := json.Unmarshal(raw, &body); err != nil {
			t.Fatal(err)
		}
		live, err := sim.CreateRecord(zone.ID, body)
		if err != nil {
			t.Fatalf("record %d: %v", i, err)
		}
		if live.Content != d.content || live.TTL != ttl || live.Proxied || live.Comment != d.comment || live.Name != d.name+".bench.example" {
			t.Fatalf("record %d: declared %+v, live %+v", i, d, live)
		}
		types[d.typ]++
	}
	if diff := cmp.Diff(map[string]int{"A": n / 2, "CNAME": n / 5, "TXT": n / 5, "MX": n / 10}, types); diff != "" {
		t.Errorf("the mix is not what the document says (-want +got):\n%s", diff)
	}
	if got := withType("TXT", 20); !cmp.Equal(got, []int{7, 8, 17, 18}) {
		t.Errorf("TXT records: %v", got)
	}
}

func TestObjects(t *testing.T) {
	ids := map[string]string{}
	for i := range 12 {
		ids[record(i).name] = "id-" + record(i).name
	}
	got := identified("steady-03", "z", "main", ids)
	if len(got) != 12 {
		t.Fatalf("%d objects", len(got))
	}
	for i, r := range got {
		p := r.Spec.ForProvider
		if r.Name != objectName("steady-03", i) || r.Annotations["crossplane.io/external-name"] != ids[*p.Name] || *p.ZoneID != "z" ||
			r.Spec.ProviderConfigReference.Name != "main" || *p.Content != record(i).content || (p.Priority != nil) != (*p.Type == "MX") {
			t.Errorf("object %d is %+v", i, r)
		}
	}
}

func TestReadiness(t *testing.T) {
	r := newReadiness()
	bad := record(1).object("bad-00001", "z", "main")
	bad.SetConditions(xpv2.ReconcileError(errors.New("code 81053")))
	r.note(bad)
	if n, _ := r.of("bad"); n != 0 || r.refusal("bad-00001") != "code 81053" {
		t.Errorf("%d are Ready, the bad one says %q", n, r.refusal("bad-00001"))
	}
	good := record(2).object("steady-00-00002", "z", "main")
	good.SetConditions(xpv2.Available())
	r.note(good)
	r.note(good)
	if n, last := r.of("steady"); n != 1 || last.IsZero() {
		t.Errorf("%d are Ready, the last at %s: each counts once", n, last)
	}
	bad.SetConditions(xpv2.Available(), xpv2.ReconcileSuccess())
	r.note(bad)
	if n, _ := r.of("bad"); n != 1 || r.refusal("bad-00001") != "" {
		t.Errorf("%d are Ready, one says %q", n, r.refusal("bad-00001"))
	}
}
