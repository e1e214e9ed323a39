// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package audit

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/provider-cloudflare/provider-cloudflare/internal/cloudflare"
)

// refusal returns an error of the API with that status.
func refusal(t *testing.T, status int, body string) error {
	t.Helper()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(status)
		_, _ = fmt.Fprint(w, body)
	}))
	defer s.Close()
	c := cloudflare.New(cloudflare.NewToken("a-token-of-this-test-0000000000000000000"), cloudflare.Options{BaseURL: s.URL})
	_, err := c.AuditLogs(t.Context(), cloudflare.AuditQuery{AccountID: account})
	if err == nil {
		t.Fatalf("status %d is no error", status)
	}
	return err
}

func refused(code int) string {
	return fmt.Sprintf(`{"success":false,"errors":[{"code":%d,"message":"no"}],"messages":[],"result":null}`, code)
}

// fakeAPI counts calls, and returns the same answer to each of them.
type fakeAPI struct {
	fingerprint string
	entries     []cloudflare.AuditEntry
	err         error
	zone        cloudflare.Zone
	zoneErr     error
	// zoneHeld holds up the calls about the zone until it is closed, unless it is nil.
	zoneHeld chan struct{}
	barred   error
	// entered gets each call, which then waits for leave. It may be nil.
	entered, leave chan struct{}

	mu      sync.Mutex
	queries []cloudflare.AuditQuery
	zones   int
	sweeps  int
}

func (f *fakeAPI) Fingerprint() string    { return f.fingerprint }
func (*fakeAPI) Own() (_, agentOf string) { return "", agent }

func (f *fakeAPI) AuditLogs(ctx context.Context, q cloudflare.AuditQuery) ([]cloudflare.AuditEntry, error) {
	f.mu.Lock()
	f.queries = append(f.queries, q)
	if cloudflare.IsSweep(ctx) {
		f.sweeps++
	}
	f.mu.Unlock()
	if f.entered != nil {
		f.entered <- struct{}{}
		<-f.leave
	}
	return f.entries, f.err
}

func (f *fakeAPI) Allows(_ context.Context, path string) error {
	if path != "/accounts/"+account+"/logs/audit" {
		return nil
	}
	return f.barred
}

func (f *fakeAPI) GetZone(context.Context, string) (cloudflare.Zone, error) {
	f.mu.Lock()
	f.zones++
	f.mu.Unlock()
	if f.zoneHeld != nil {
		<-f.zoneHeld
	}
	return f.zone, f.zoneErr
}

func (f *fakeAPI) calls() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return len(f.queries)
}

// drifted returns the record as a subject in a sweep.
func drifted(sweep uint64) Subject {
	return Subject{AccountID: account, ZoneID: zone, Parent: "records", ID: record, Path: records + "/" + record, Sweep: sweep}
}

// trail returns a Trail on a clock that the test moves.
func trail() (*Trail, *time.Time) {
	now := noon().Add(time.Minute)
	return NewTrail(func() time.Time { return now }), &now
}

const byJane = "changed by jane@example.com in the dashboard at 2026-11-23T12:00:00Z"

func TestOneCallAParentAndSweep(t *testing.T) {
	api := &fakeAPI{fingerprint: "f"}
	tr, _ := trail()
	who := func(s Subject) string { return tr.Who(t.Context(), api, s) }
	for range 3 {
		if got := who(drifted(1)); got != "" || api.calls() != 1 {
			t.Fatalf("nothing is logged: %q after %d calls, want nothing after 1", got, api.calls())
		}
	}
	api.entries = []cloudflare.AuditEntry{jane(), jane(bob, on(records+"/"+other, other))}
	if got := who(drifted(2)); got != byJane || api.calls() != 2 {
		t.Errorf("in the next sweep: %q after %d calls", got, api.calls())
	}
	// A change that the remembered answer explains needs no call, in any sweep.
	late := drifted(3)
	late.ID, late.Path = other, records+"/"+other
	if got := who(late); !strings.Contains(got, "bob@") || api.calls() != 2 {
		t.Errorf("another record of the same answer: %q after %d calls", got, api.calls())
	}
	beside := drifted(2)
	beside.Parent = "another"
	who(beside)
	if api.calls() != 3 {
		t.Errorf("another parent: %d calls, want one more", api.calls())
	}
	if api.sweeps != api.calls() {
		t.Errorf("%d of %d calls count as calls of a sweep", api.sweeps, api.calls())
	}
}

func TestCallersShareACall(t *testing.T) {
	api := &fakeAPI{fingerprint: "f", entries: []cloudflare.AuditEntry{jane()}, entered: make(chan struct{}), leave: make(chan struct{})}
	tr, _ := trail()
	ctx, cancel := context.WithCancel(t.Context())
	left := make(chan string)
	go func() { left <- tr.Who(ctx, api, drifted(1)) }()
	<-api.entered
	cancel()
	if got := <-left; got != "" {
		t.Errorf("whoever left got %q", got)
	}
	var all sync.WaitGroup
	for range 20 {
		all.Go(func() {
			if got := tr.Who(t.Context(), api, drifted(1)); got != byJane {
				t.Errorf("got %q", got)
			}
		})
	}
	close(api.leave)
	all.Wait()
	if api.calls() != 1 {
		t.Errorf("%d calls, want 1: it goes on when whoever began it leaves", api.calls())
	}
}

func TestARefusalIsRememberedPerCredentialAndAccount(t *testing.T) {
	for _, tc := range []struct {
		reason string
		err    error
		again  bool // the next sweep asks again
	}{
		{"no permission", refusal(t, http.StatusForbidden, refused(10000)), false},
		{"no permission, or an unknown token", refusal(t, http.StatusForbidden, refused(9109)), false},
		{"a query that is refused", refusal(t, http.StatusBadRequest, refused(11000)), false},
		{"the API fails", refusal(t, http.StatusInternalServerError, "down"), true},
		{"no answer", errors.New("reset"), true},
	} {
		api := &fakeAPI{fingerprint: "f", err: tc.err}
		tr, now := trail()
		for sweep := range uint64(5) {
			if got := tr.Who(t.Context(), api, drifted(sweep+1)); got != "" {
				t.Errorf("%s: got %q", tc.reason, got)
			}
		}
		if want := map[bool]int{false: 1, true: 5}[tc.again]; api.calls() != want {
			t.Errorf("%s: %d calls in 5 sweeps, want %d", tc.reason, api.calls(), want)
			continue
		}
		if tc.again {
			continue
		}
		allowed := &fakeAPI{fingerprint: "g", entries: []cloudflare.AuditEntry{jane()}}
		if got := tr.Who(t.Context(), allowed, drifted(6)); got != byJane {
			t.Errorf("%s: another credential gets %q", tc.reason, got)
		}
		elsewhere := drifted(6)
		elsewhere.AccountID = other
		tr.Who(t.Context(), api, elsewhere)
		if api.calls() != 2 {
			t.Errorf("%s: another account was not asked", tc.reason)
		}
		*now = now.Add(refusedFor)
		api.err, api.entries = nil, []cloudflare.AuditEntry{jane()}
		if got := tr.Who(t.Context(), api, drifted(7)); got != byJane {
			t.Errorf("%s: some hours later: %q", tc.reason, got)
		}
	}
}

func TestAThrottledCallMayFollowInTheSameSweep(t *testing.T) {
	api := &fakeAPI{fingerprint: "f", err: refusal(t, http.StatusTooManyRequests, refused(971))}
	tr, _ := trail()
	tr.Who(t.Context(), api, drifted(1))
	api.err, api.entries = nil, []cloudflare.AuditEntry{jane()}
	if got := tr.Who(t.Context(), api, drifted(1)); got != byJane {
		t.Errorf("got %q", got)
	}
}

func TestTwoCredentialsShareNoAnswer(t *testing.T) {
	tr, _ := trail()
	mayRead := &fakeAPI{fingerprint: "f", entries: []cloudflare.AuditEntry{jane()}}
	if got := tr.Who(t.Context(), mayRead, drifted(1)); got != byJane {
		t.Fatalf("got %q", got)
	}
	mayNot := &fakeAPI{fingerprint: "g", err: refusal(t, http.StatusForbidden, refused(10000))}
	if got := tr.Who(t.Context(), mayNot, drifted(1)); got != "" {
		t.Errorf("a credential that may not read the audit logs gets %q", got)
	}
}

func TestTheWindowIsBounded(t *testing.T) {
	tr, now := trail()
	for sweep, tc := range []struct {
		reason string
		looked time.Time
		since  time.Time
	}{
		{"the last look is known", now.Add(-time.Minute), now.Add(-time.Minute - margin)},
		{"the provider did not run", time.Time{}, now.Add(-lookback)},
		{"the last look was long ago", now.Add(-48 * time.Hour), now.Add(-lookback)},
	} {
		api := &fakeAPI{fingerprint: "f"}
		s := drifted(uint64(sweep + 1))
		s.Looked = tc.looked
		tr.Who(t.Context(), api, s)
		want := []cloudflare.AuditQuery{{AccountID: account, ZoneID: zone, Since: tc.since, Before: now.Add(margin)}}
		if diff := cmp.Diff(want, api.queries); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
		}
	}
}

// TestLimitsHoldForWhatIsKnown: a provider config that does not allow the account shows
// nothing of what another config with the same credential has read.
func TestLimitsHoldForWhatIsKnown(t *testing.T) {
	tr, _ := trail()
	open := &fakeAPI{fingerprint: "f", entries: []cloudflare.AuditEntry{jane()}}
	limited := &fakeAPI{fingerprint: "f", entries: []cloudflare.AuditEntry{jane()}, barred: errors.New("not allowed")}
	s := drifted(1)
	s.AccountID = account
	if tr.Who(t.Context(), open, s) == "" {
		t.Fatal("nobody knows who it was")
	}
	if who := tr.Who(t.Context(), limited, s); who != "" || len(limited.queries) > 0 {
		t.Errorf("it says %q after %d calls", who, len(limited.queries))
	}
}

func TestTheAccountOfAZone(t *testing.T) {
	for reason, tc := range map[string]struct {
		zone     cloudflare.Zone
		zoneErr  error
		fallback string
		want     string // account that is asked
		zones    int    // calls in two sweeps
	}{
		"as the zone's answer has it":               {cloudflare.Zone{Account: cloudflare.Named{ID: account}}, nil, other, account, 1},
		"the zone may not be read":                  {cloudflare.Zone{}, refusal(t, http.StatusForbidden, refused(10000)), other, other, 1},
		"the zone may not be read, and no fallback": {cloudflare.Zone{}, refusal(t, http.StatusForbidden, refused(10000)), "", "", 1},
		"no answer": {cloudflare.Zone{}, errors.New("reset"), other, other, 2},
	} {
		api := &fakeAPI{fingerprint: "f", zone: tc.zone, zoneErr: tc.zoneErr}
		tr, _ := trail()
		for sweep := range uint64(2) {
			s := drifted(sweep + 1)
			s.AccountID, s.Fallback = "", tc.fallback
			tr.Who(t.Context(), api, s)
		}
		asked := ""
		for _, q := range api.queries {
			asked = q.AccountID
		}
		if asked != tc.want || api.zones != tc.zones {
			t.Errorf("%s: asked account %q after %d calls about the zone, want %q after %d", reason, asked, api.zones, tc.want, tc.zones)
		}
	}
}

// TestAFallbackIsThatOfItsCaller has two callers with one credential share the call that finds no account.
func TestAFallbackIsThatOfItsCaller(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		api := &fakeAPI{fingerprint: "f", zoneErr: errors.New("reset"), zoneHeld: make(chan struct{})}
		tr, _ := trail()
		fallbacks := []string{account, other}
		got := make([]string, len(fallbacks))
		var all sync.WaitGroup
		for i, fallback := range fallbacks {
			all.Go(func() { got[i] = tr.account(t.Context(), api, Subject{ZoneID: zone, Fallback: fallback}) })
		}
		synctest.Wait()
		close(api.zoneHeld)
		all.Wait()
		if !slices.Equal(got, fallbacks) || api.zones != 1 {
			t.Errorf("after %d calls the accounts are %v, want one call and %v", api.zones, got, fallbacks)
		}
	})
}

func TestAnswersAreForgotten(t *testing.T) {
	tr, now := trail()
	api := &fakeAPI{fingerprint: "f", entries: []cloudflare.AuditEntry{jane()}}
	for i := range 3 {
		s := drifted(1)
		s.Parent = fmt.Sprint(i)
		tr.Who(t.Context(), api, s)
	}
	*now = now.Add(remembered)
	tr.Who(t.Context(), api, drifted(1))
	if len(tr.answers) != 1 {
		t.Errorf("%d answers are kept, want 1", len(tr.answers))
	}
}

func TestNoTrailAsksNobody(t *testing.T) {
	api := &fakeAPI{fingerprint: "f", entries: []cloudflare.AuditEntry{jane()}}
	if got := (*Trail)(nil).Who(t.Context(), api, drifted(1)); got != "" || api.calls() != 0 {
		t.Errorf("got %q after %d calls", got, api.calls())
	}
}
