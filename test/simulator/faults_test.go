// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package simulator_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/provider-cloudflare/provider-cloudflare/test/simulator"
)

func TestFailures(t *testing.T) {
	cases := map[string]struct {
		reason       string
		fault        simulator.Fault
		status, code int
		committed    bool
		look         func(answer) bool
	}{
		"HTML502": {
			"a page instead of JSON",
			simulator.Fault{Kind: simulator.FaultHTML502},
			502, 0, false,
			func(a answer) bool {
				return strings.HasPrefix(a.raw, "<html>") && a.header.Get("Content-Type") == "text/html"
			},
		},
		"502AfterCommit": {"carried out, and yet a 502", simulator.Fault{Kind: simulator.Fault502AfterCommit}, 502, 0, true, nil},
		"Wrong404": {
			"a copy that does not have the zone",
			simulator.Fault{Kind: simulator.FaultWrong404},
			404, simulator.CodeBadIdentifier, false, nil,
		},
		"500": {"carried out, and yet a 500", simulator.Fault{Kind: simulator.Fault500AfterCommit}, 500, 1000, true, nil},
		"429": {
			"with Retry-After",
			simulator.Fault{Kind: simulator.FaultThrottle, RetryAfter: 30 * time.Second},
			429, simulator.CodeThrottled, false,
			func(a answer) bool { return a.header.Get("Retry-After") == "30" },
		},
		"429Bare": {
			"without Retry-After",
			simulator.Fault{Kind: simulator.FaultThrottleBare},
			429, simulator.CodeThrottled, false,
			func(a answer) bool { return a.header.Get("Retry-After") == "" },
		},
		"200False": {
			"200 is no success",
			simulator.Fault{Kind: simulator.FaultFalseSuccess},
			200, simulator.CodeDNSValidation, false,
			func(a answer) bool { return !a.Success && string(a.Result) == "null" },
		},
		"NoRoute": {
			"a route or an ID that does not exist",
			simulator.Fault{Kind: simulator.FaultNoRoute},
			404, simulator.CodeBadIdentifier, false,
			func(a answer) bool { return len(a.Errors) == 2 && a.Errors[1].Code == simulator.CodeNoRoute },
		},
		"Young": {"a young zone", simulator.Fault{Kind: simulator.FaultYoungZone}, 403, simulator.CodeAuthentication, false, nil},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, simulator.PlanPro)
			w.sim.AddFault(tc.fault)
			got := w.do(http.MethodPost, w.records(), a("x", "192.0.2.1"))
			if got.status != tc.status || got.code() != tc.code || (tc.look != nil && !tc.look(got)) {
				t.Errorf("%s: %d/%d: %v %s", tc.reason, got.status, got.code(), got.header, got.raw)
			}
			if got.header.Get(simulator.FaultHeader) != string(tc.fault.Kind) {
				t.Errorf("%s: header %q", tc.reason, got.header.Get(simulator.FaultHeader))
			}
			if committed := len(w.sim.Records(w.zone.ID)) == 1; committed != tc.committed {
				t.Errorf("%s: carried out: %v", tc.reason, committed)
			}
			if again := w.do(http.MethodGet, w.records(), nil); again.status != 200 || again.header.Get(simulator.FaultHeader) != "" {
				t.Errorf("%s: it happens once, but the next answer is %d", tc.reason, again.status)
			}
		})
	}
}

func TestErrorChain(t *testing.T) {
	w := newWorld(t, simulator.PlanPro)
	w.sim.AddFault(simulator.Fault{Kind: simulator.FaultErrorChain, Times: -1})
	got := w.do(http.MethodPost, w.records(), with(a("x", "192.0.2.1"), object{"ttl": 5}))
	if got.status != 400 || got.code() != simulator.CodeDNSValidation || len(got.Errors[0].Chain) != 1 || got.Errors[0].Chain[0].Code != simulator.CodeTTL {
		t.Errorf("%d: %s", got.status, got.raw)
	}
	if got := w.do(http.MethodGet, w.records("x"), nil); got.status != 400 || got.code() != simulator.CodeBadIdentifier {
		t.Errorf("a bad ID: %d: %s", got.status, got.raw)
	}
	w.create(a("y", "192.0.2.1"))
	if got := w.do(http.MethodPost, w.records(), a("y", "192.0.2.1")); got.status != 400 || got.code() != simulator.CodeRecordExists {
		t.Errorf("an identical record: %d: %s", got.status, got.raw)
	}
	if gone := w.do(http.MethodGet, w.records(strings.Repeat("0", 32)), nil); gone.code() != simulator.CodeRecordNotFound {
		t.Errorf("404 is not wrapped: %s", gone.raw)
	}
	w.create(a("x", "192.0.2.1"))
}

func TestStaleLists(t *testing.T) {
	w := newWorld(t, simulator.PlanPro)
	names := func() (list []string) {
		for _, r := range w.list(w.must(http.MethodGet, w.records(), nil)) {
			list = append(list, fmt.Sprint(r["name"], " ", r["content"]))
		}
		return list
	}
	one := w.id(a("one", "192.0.2.1"))
	w.sim.Advance(time.Minute)
	w.create(a("two", "192.0.2.1"))
	w.must(http.MethodPatch, w.records(one), object{"content": "192.0.2.9"})

	w.sim.AddFault(simulator.Fault{Kind: simulator.FaultStaleList})
	if diff := cmp.Diff([]string{"one.example.com 192.0.2.1", "two.example.com 192.0.2.1"}, names()); diff != "" {
		t.Errorf("before the last transaction: %s", diff)
	}
	w.sim.AddFault(simulator.Fault{Kind: simulator.FaultStaleList, Delay: 30 * time.Second})
	if diff := cmp.Diff([]string{"one.example.com 192.0.2.1"}, names()); diff != "" {
		t.Errorf("as of 30 s ago: %s", diff)
	}
	w.must(http.MethodDelete, w.records(one), nil)
	w.sim.AddFault(simulator.Fault{Kind: simulator.FaultStaleList})
	if diff := cmp.Diff([]string{"one.example.com 192.0.2.9", "two.example.com 192.0.2.1"}, names()); diff != "" {
		t.Errorf("a deleted record is back: %s", diff)
	}
	if diff := cmp.Diff([]string{"two.example.com 192.0.2.1"}, names()); diff != "" {
		t.Errorf("afterwards: %s", diff)
	}
}

// TestStaleGet verifies the GET of a record from a copy that is behind.
func TestStaleGet(t *testing.T) {
	w := newWorld(t, simulator.PlanFree)
	one := w.id(object{"type": "A", "name": "one", "content": "192.0.2.1"})
	w.sim.Advance(time.Minute)
	two := w.id(object{"type": "A", "name": "two", "content": "192.0.2.1"})
	w.must(http.MethodPatch, w.records(one), object{"content": "192.0.2.9"})
	tests := []struct {
		reason, id string
		delay      time.Duration
		content    string // "" for none.
		fired      int
	}{
		{"as it was before a change", one, 30 * time.Second, "192.0.2.1", 1},
		{"it was not there yet", two, 30 * time.Second, "", 1},
		{"it has not changed since", two, -1, "192.0.2.1", 0},
		{"a copy that does not have it", one, 0, "", 1},
	}
	for _, tc := range tests {
		id := 0
		if tc.delay >= 0 {
			id = w.sim.AddFault(simulator.Fault{Kind: simulator.FaultStaleGet, Delay: tc.delay})
		}
		a := w.do(http.MethodGet, w.records(tc.id), nil)
		if tc.content == "" && (a.status != http.StatusNotFound || a.code() != simulator.CodeRecordNotFound) || tc.content != "" && w.object(a)["content"] != tc.content {
			t.Errorf("%s: got status %d: %s", tc.reason, a.status, a.raw)
		}
		if n := w.sim.Fired(id); n != tc.fired {
			t.Errorf("%s: the fault has fired %d times, want %d", tc.reason, n, tc.fired)
		}
	}
}

// TestStaleSetting verifies the GET of a setting from a copy that is behind. Each copy has the setting.
func TestStaleSetting(t *testing.T) {
	w := newWorld(t, simulator.PlanFree)
	w.must(http.MethodPatch, w.path("settings", "brotli"), object{"value": "on"})
	w.sim.Advance(time.Minute)
	w.must(http.MethodPatch, w.path("settings", "brotli"), object{"value": "off"})
	for _, tc := range []struct {
		reason string
		delay  time.Duration
		want   any
		fired  int
	}{
		{"before the last change", 30 * time.Second, "on", 1},
		{"before all changes", time.Hour, "off", 1},
		{"a copy that has all", 0, "off", 0},
	} {
		id := w.sim.AddFault(simulator.Fault{Kind: simulator.FaultStaleGet, Delay: tc.delay})
		got := w.object(w.must(http.MethodGet, w.path("settings", "brotli"), nil))
		if got["value"] != tc.want || w.sim.Fired(id) != tc.fired || tc.delay == time.Hour && got["modified_on"] != nil {
			t.Errorf("%s: got %v, and the fault has fired %d times", tc.reason, got, w.sim.Fired(id))
		}
	}
}

// TestStaleDNSSEC verifies the GET of the DNSSEC of a zone from a copy that is behind. Each copy has it. What
// changes by itself has a past, too.
func TestStaleDNSSEC(t *testing.T) {
	w := newWorld(t, simulator.PlanFree)
	w.must(http.MethodPatch, w.path("dnssec"), object{"status": "active"})
	w.sim.Advance(10 * time.Minute)
	w.sim.Advance(10 * time.Minute)
	w.must(http.MethodPatch, w.path("dnssec"), object{"status": "disabled"})
	for _, tc := range []struct {
		reason string
		delay  time.Duration
		want   any
		fired  int
	}{
		{"before all changes", time.Hour, "disabled", 1},
		{"before it was active", 15 * time.Minute, "pending", 1},
		{"before the last change", 5 * time.Minute, "active", 1},
		{"a copy that has all", 0, "pending-disabled", 0},
	} {
		id := w.sim.AddFault(simulator.Fault{Kind: simulator.FaultStaleGet, Delay: tc.delay})
		got := w.object(w.must(http.MethodGet, w.path("dnssec"), nil))
		if got["status"] != tc.want || w.sim.Fired(id) != tc.fired || tc.delay == time.Hour && got["modified_on"] != nil {
			t.Errorf("%s: got %v, want %v, and the fault has fired %d times", tc.reason, got, tc.want, w.sim.Fired(id))
		}
	}
}

// TestStaleGetOfAWrite verifies that the fault of a GET has no effect on a write of a document of a zone, and that
// the state before the write is not that of a copy.
func TestStaleGetOfAWrite(t *testing.T) {
	for _, tc := range []struct {
		reason, path, member string
		writes               []any
		want                 any
	}{
		{"a setting", "settings/brotli", "value", []any{"on", "off"}, "on"},
		{"DNSSEC", "dnssec", "dnssec_presigned", []any{true, false}, true},
	} {
		w := newWorld(t, simulator.PlanFree)
		w.must(http.MethodPatch, w.path(tc.path), object{tc.member: tc.writes[0]})
		w.sim.Advance(time.Minute)
		id := w.sim.AddFault(simulator.Fault{Kind: simulator.FaultStaleGet, Delay: time.Hour})
		w.must(http.MethodPatch, w.path(tc.path), object{tc.member: tc.writes[1]})
		w.sim.AddFault(simulator.Fault{Kind: simulator.FaultBehind})
		got := w.object(w.must(http.MethodGet, w.path(tc.path), nil))[tc.member]
		if n := w.sim.Fired(id); n != 0 || got != tc.want {
			t.Errorf("%s: the fault has fired %d times, and before the write it was %v, want %v", tc.reason, n, got, tc.want)
		}
	}
}

// TestSpared verifies that a fault does not happen twice on a path within the time of Apart, and that it happens on
// another path. It also verifies that the log has the faults that had an effect on a request.
func TestSpared(t *testing.T) {
	w := newWorld(t, simulator.PlanFree)
	one, two := w.id(a("one", "192.0.2.1")), w.id(a("two", "192.0.2.1"))
	add := func() {
		w.sim.AddFault(simulator.Fault{Kind: simulator.FaultStaleGet, Method: http.MethodGet, Times: -1, Apart: time.Minute})
	}
	add()
	for _, tc := range []struct {
		reason, id string
		before     func()
		want       int
	}{
		{"the first time", one, func() {}, http.StatusNotFound},
		{"it was not long ago", one, func() {}, http.StatusOK},
		{"another path", two, func() {}, http.StatusNotFound},
		{"another fault of that kind", one, func() { w.sim.ClearFaults(); add() }, http.StatusOK},
		{"it was long ago", one, func() { w.sim.Advance(time.Minute) }, http.StatusNotFound},
	} {
		tc.before()
		if got := w.do(http.MethodGet, w.records(tc.id), nil).status; got != tc.want {
			t.Errorf("%s: got status %d, want %d", tc.reason, got, tc.want)
		}
		all := w.sim.Requests()
		if last := all[len(all)-1]; slices.Contains(last.Fired, simulator.FaultStaleGet) != (tc.want == http.StatusNotFound) {
			t.Errorf("%s: the log has %v", tc.reason, last.Fired)
		}
	}
	if f, err := simulator.ParseFault("stale-get,apart=1m"); err != nil || f.Apart != time.Minute {
		t.Errorf("got %+v: %v", f, err)
	}
}

func TestRenderings(t *testing.T) {
	loc := oneOfEachType()["LOC"]
	cases := map[string]struct {
		kind   simulator.FaultKind
		body   object
		member string
		want   any
	}{
		"TXT":       {simulator.FaultTXTQuoted, object{"type": "TXT", "name": "x", "content": `say "hi" \now`}, "content", `"say \"hi\" \\now"`},
		"TXTLong":   {simulator.FaultTXTQuoted, object{"type": "TXT", "name": "x", "content": strings.Repeat("x", 256)}, "content", `"` + strings.Repeat("x", 255) + `" "x"`},
		"TXTJoined": {simulator.FaultTXTQuoted, object{"type": "TXT", "name": "x", "content": `"a" "b"`}, "content", `"ab"`},
		"LOC":       {simulator.FaultLOCRendering, loc, "content", "1 2 3.500 N 4 5 6.000 E 7.00m 8.00m 9.00m 10.00m"},
		"URI":       {simulator.FaultPriorityInData, oneOfEachType()["URI"], "data", object{"priority": 11.0, "weight": 1.0, "target": "https://example.com/"}},
		"MX":        {simulator.FaultPriorityInData, oneOfEachType()["MX"], "data", object{"priority": 10.0, "target": "mx.example.net"}},
		"Numbers":   {simulator.FaultLooseNumbers, srvWith(nil), "data", object{"priority": "1", "weight": "2", "port": "3", "target": "sip.example.com"}},
		"Fraction":  {simulator.FaultLooseNumbers, object{"type": "LOC", "name": "x", "data": object{"lat_degrees": 1, "lat_direction": "N", "long_degrees": 2, "long_seconds": 1.5, "long_direction": "E"}}, "data", nil},
		"Unknown":   {simulator.FaultUnknownFields, a("x", "192.0.2.1"), "x_future", object{"tier": 2.0}},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, simulator.PlanPro)
			id := w.id(tc.body)
			plain := w.object(w.must(http.MethodGet, w.records(id), nil))
			w.sim.AddFault(simulator.Fault{Kind: tc.kind, Times: -1})
			got := w.object(w.must(http.MethodGet, w.records(id), nil))
			if tc.want == nil {
				tc.want = object{
					"lat_degrees": "1", "lat_minutes": "0", "lat_seconds": "0", "lat_direction": "N", "long_degrees": "2", "long_minutes": "0",
					"long_seconds": "1.5", "long_direction": "E", "altitude": "0", "size": "1", "precision_horz": "10000", "precision_vert": "10",
				}
			}
			if diff := cmp.Diff(tc.want, got[tc.member]); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
			w.sim.ClearFaults()
			if diff := cmp.Diff(plain, w.object(w.must(http.MethodGet, w.records(id), nil))); diff != "" {
				t.Errorf("a rendering changed the record:\n%s", diff)
			}
		})
	}
}

func TestUnknownType(t *testing.T) {
	w := newWorld(t, simulator.PlanPro)
	w.create(a("x", "192.0.2.1"))
	w.sim.AddFault(simulator.Fault{Kind: simulator.FaultUnknownType})
	list := w.list(w.must(http.MethodGet, w.records(), nil))
	if len(list) != 2 || list[1]["type"] != "ZONEMD" {
		t.Errorf("list: %v", list)
	}
}

func TestOddRecord(t *testing.T) {
	w := newWorld(t, simulator.PlanPro)
	w.create(a("x", "192.0.2.1"))
	w.sim.AddFault(simulator.Fault{Kind: simulator.FaultOddRecord})
	list := w.list(w.must(http.MethodGet, w.records(), nil))
	if len(list) != 2 || list[1]["id"] != simulator.OddRecordID || !cmp.Equal(list[1]["ttl"], []any{1.0}) {
		t.Errorf("list: %v", list)
	}
}

func TestFloatNumbers(t *testing.T) {
	w := newWorld(t, simulator.PlanPro)
	id := w.id(a("x", "192.0.2.1"))
	w.sim.AddFault(simulator.Fault{Kind: simulator.FaultFloatNumbers})
	if got := w.must(http.MethodGet, w.records(id), nil); !strings.Contains(got.raw, `"ttl":300.0`) {
		t.Errorf("the ttl is no fraction: %s", got.raw)
	}
}

func TestFaultSelection(t *testing.T) {
	w := newWorld(t, simulator.PlanPro)
	other, err := w.sim.AddZone(w.account.ID, "other.example", simulator.ZoneOptions{})
	if err != nil {
		t.Fatal(err)
	}
	const route = "/zones/{zone_id}/dns_records"
	cases := map[string]struct {
		reason string
		fault  simulator.Fault
		want   []int // The statuses of GET records, GET records, GET zone, and GET records of the other zone.
	}{
		"Once":   {"0 times is once", simulator.Fault{}, []int{502, 200, 200, 200}},
		"Twice":  {"counted", simulator.Fault{Times: 2}, []int{502, 502, 200, 200}},
		"Always": {"-1", simulator.Fault{Times: -1}, []int{502, 502, 502, 502}},
		"Skip":   {"first pass", simulator.Fault{Skip: 1}, []int{200, 502, 200, 200}},
		"Method": {"another method", simulator.Fault{Times: -1, Method: http.MethodPost}, []int{200, 200, 200, 200}},
		"Route":  {"by route", simulator.Fault{Times: -1, Path: route}, []int{502, 502, 200, 502}},
		"Glob":   {"by pattern", simulator.Fault{Times: -1, Path: "/zones/*"}, []int{200, 200, 502, 200}},
		"Zone":   {"by zone", simulator.Fault{Times: -1, Zone: other.ID}, []int{200, 200, 200, 502}},
		"Token":  {"by token", simulator.Fault{Times: -1, Token: w.token}, []int{502, 502, 502, 502}},
		"Others": {"by another token", simulator.Fault{Times: -1, Token: "another"}, []int{200, 200, 200, 200}},
		"Never":  {"by chance, hardly ever", simulator.Fault{Times: -1, Probability: 1e-12}, []int{200, 200, 200, 200}},
		"Surely": {"by chance, always", simulator.Fault{Times: -1, Probability: 1}, []int{502, 502, 502, 502}},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			w.sim.ClearFaults()
			tc.fault.Kind = simulator.FaultHTML502
			w.sim.AddFault(tc.fault)
			var got []int
			for _, path := range []string{w.records(), w.records(), w.path(), "/zones/" + other.ID + "/dns_records"} {
				got = append(got, w.do(http.MethodGet, path, nil).status)
			}
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("%s: %s", tc.reason, diff)
			}
		})
	}
	w.sim.ClearFaults()
	first, second := w.sim.AddFault(simulator.Fault{Kind: simulator.FaultHTML502, Times: 3}), w.sim.AddFault(simulator.Fault{Kind: simulator.FaultSlow})
	if !w.sim.RemoveFault(second) || w.sim.RemoveFault(second) {
		t.Error("a fault is not removed once")
	}
	w.do(http.MethodGet, w.path(), nil)
	if on := w.sim.Faults(); len(on) != 1 || on[first].Times != 2 {
		t.Errorf("faults: %v", on)
	}
}

func TestResets(t *testing.T) {
	for kind, committed := range map[simulator.FaultKind]bool{simulator.FaultResetBefore: false, simulator.FaultResetAfter: true} {
		w := newWorld(t, simulator.PlanPro)
		w.sim.AddFault(simulator.Fault{Kind: kind})
		url := server(w).URL + simulator.BasePath + w.records()
		r, err := http.NewRequest(http.MethodPost, url, strings.NewReader(`{"type":"A","name":"x","content":"192.0.2.1","ttl":1}`))
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Authorization", "Bearer "+w.token)
		r.Header.Set("Content-Type", "application/json")
		resp, err := http.DefaultClient.Do(r)
		if err == nil {
			t.Errorf("%s: answered %d", kind, resp.StatusCode)
			_ = resp.Body.Close()
		}
		if got := len(w.sim.Records(w.zone.ID)) == 1; got != committed {
			t.Errorf("%s: carried out: %v", kind, got)
		}
		log := w.sim.Requests()
		if len(log) != 1 || log[0].Fault != string(kind) {
			t.Errorf("%s: log %v", kind, log)
		}
	}
}

func TestResetWithoutAConnection(t *testing.T) {
	w := newWorld(t, simulator.PlanPro)
	w.sim.AddFault(simulator.Fault{Kind: simulator.FaultResetAfter})
	defer func() {
		if r := recover(); r == nil || !errors.Is(r.(error), http.ErrAbortHandler) {
			t.Errorf("recovered %v", r)
		}
	}()
	w.do(http.MethodGet, w.records(), nil)
}

func TestSlowAnswers(t *testing.T) {
	for kind, committed := range map[simulator.FaultKind]bool{simulator.FaultSlow: true, simulator.FaultSlowBefore: false} {
		synctest.Test(t, func(t *testing.T) {
			sim := simulator.New(simulator.Options{})
			account := sim.AddAccount("Example Inc")
			zone, err := sim.AddZone(account.ID, "example.com", simulator.ZoneOptions{})
			if err != nil {
				t.Fatal(err)
			}
			token := sim.AddToken(simulator.TokenOptions{Grants: everything()})
			sim.AddFault(simulator.Fault{Kind: kind, Delay: time.Minute, Times: -1})

			// A client that waits gets its response after the delay. A client that does not wait disconnects either
			// before or after its request is executed.
			patient, begun := post(t.Context(), sim, token, zone.ID, "patient"), time.Now()
			<-patient
			if time.Since(begun) != time.Minute {
				t.Errorf("%s: answered after %s", kind, time.Since(begun))
			}
			ctx, cancel := context.WithTimeout(t.Context(), time.Second)
			defer cancel()
			begun = time.Now()
			<-post(ctx, sim, token, zone.ID, "hasty")
			if time.Since(begun) != time.Second {
				t.Errorf("%s: served a client that had left for %s", kind, time.Since(begun))
			}
			want := 1
			if committed {
				want = 2
			}
			if n := len(sim.Records(zone.ID)); n != want {
				t.Errorf("%s: %d records, want %d", kind, n, want)
			}
		})
	}
}

// post creates a record. It closes the channel after the request is served.
func post(ctx context.Context, sim *simulator.Server, token, zone, name string) <-chan struct{} {
	done := make(chan struct{})
	body := fmt.Sprintf(`{"type":"A","name":%q,"content":"192.0.2.1","ttl":1}`, name)
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, simulator.BasePath+"/zones/"+zone+"/dns_records", strings.NewReader(body))
	if err != nil {
		panic(err)
	}
	r.Header.Set("Authorization", "Bearer "+token)
	go func() {
		defer close(done)
		sim.ServeHTTP(&sink{}, r)
	}()
	return done
}

// sink is a ResponseWriter that drops the response.
type sink struct{ bytes.Buffer }

func (*sink) Header() http.Header { return http.Header{} }
func (*sink) WriteHeader(int)     {}

func TestParseFault(t *testing.T) {
	got, err := simulator.ParseFault("throttle,method=GET,path=/zones,zone=z,token=t,skip=1,times=-1,probability=0.5,delay=2s,retry-after=30s")
	want := simulator.Fault{
		Kind: simulator.FaultThrottle, Method: "GET", Path: "/zones", Zone: "z", Token: "t", Skip: 1, Times: -1, Probability: 0.5,
		Delay: 2 * time.Second, RetryAfter: 30 * time.Second,
	}
	if diff := cmp.Diff(want, got); diff != "" || err != nil {
		t.Errorf("%v %s", err, diff)
	}
	for _, bad := range []string{"", "nonsense", "slow,delay=x", "slow,speed=1", "slow,times=x", "slow,skip=x", "slow,probability=x", "throttle,retry-after=x"} {
		if _, err := simulator.ParseFault(bad); err == nil {
			t.Errorf("%q is no fault", bad)
		}
	}
	for _, kind := range simulator.FaultKinds() {
		if _, err := simulator.ParseFault(string(kind)); err != nil {
			t.Error(err)
		}
	}
}
