// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package cloudflare

import (
	"context"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestThrottleStopsTheCredentialForAsLongAsTheAPISays(t *testing.T) {
	start := newClock().Now()
	tests := []struct {
		reason string
		header string
		want   time.Duration
	}{
		{"seconds", "30", 30 * time.Second},
		{"the whole block", "300", 5 * time.Minute},
		{"a date", start.Add(90 * time.Second).Format(http.TimeFormat), 90 * time.Second},
		{"no header", "", defaultPause},
		{"at once", "0", defaultPause},
		{"a date in the past", start.Add(-time.Hour).Format(http.TimeFormat), defaultPause},
		{"a negative number", "-5", defaultPause},
		{"not a number", "soon", defaultPause},
		{"an hour is honoured", "3600", time.Hour},
		{"a day is more than is believed", "86400", maxPause},
		{"a date next year", start.AddDate(1, 0, 0).Format(http.TimeFormat), maxPause},
		{"more seconds than a Duration holds", "9999999999999", maxPause},
		{"seconds that would overflow into a short wait", "18446744074", maxPause},
		{"more digits than an integer holds", "99999999999999999999999", maxPause},
	}
	for _, tc := range tests {
		t.Run(tc.reason, func(t *testing.T) {
			clk := newClock()
			throttling := true
			s := serve(t, func(w http.ResponseWriter, r *http.Request) {
				if !throttling {
					answer(200, success("{}"))(w, r)
					return
				}
				if tc.header != "" {
					w.Header().Set("Retry-After", tc.header)
				}
				answer(429, refusal(971, "slow down"))(w, r)
			})
			c := s.client(t, Options{Now: clk.Now})
			if err := c.GetRecord(t.Context(), zoneID, recordID, nil); !IsThrottled(err) || RetryAfter(err) != tc.want {
				t.Fatalf("%s: got %v with RetryAfter %v, want a throttle of %v", tc.reason, err, RetryAfter(err), tc.want)
			}
			throttling = false

			clk.pass(tc.want - time.Nanosecond)
			err := c.DeleteRecord(t.Context(), zoneID, recordID)
			if !IsThrottled(err) || IsAmbiguous(err) || RetryAfter(err) != time.Nanosecond {
				t.Errorf("%s: within the pause got %v with RetryAfter %v, want a call not sent", tc.reason, err, RetryAfter(err))
			}
			if n := s.calls.Load(); n != 1 {
				t.Errorf("%s: %d calls arrived, want none during the pause", tc.reason, n)
			}

			clk.pass(time.Nanosecond)
			if err := c.GetRecord(t.Context(), zoneID, recordID, nil); err != nil {
				t.Errorf("%s: after the pause: %v", tc.reason, err)
			}
			if n := s.calls.Load(); n != 2 {
				t.Errorf("%s: %d calls arrived, want 2", tc.reason, n)
			}
		})
	}
}

func TestAThrottleNeverShortensAPause(t *testing.T) {
	clk := newClock()
	firstIn, secondIn := make(chan struct{}), make(chan struct{})
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		switch r.Method {
		case http.MethodGet:
			close(firstIn)
			<-secondIn
			w.Header().Set("Retry-After", "1")
		case http.MethodDelete:
			w.Header().Set("Retry-After", "300")
		}
		answer(429, refusal(971, "slow down"))(w, r)
	})
	c := s.client(t, Options{Now: clk.Now})
	short := make(chan error)
	go func() { short <- c.GetRecord(t.Context(), zoneID, recordID, nil) }()
	<-firstIn
	if err := c.DeleteRecord(t.Context(), zoneID, recordID); RetryAfter(err) != 5*time.Minute {
		t.Fatalf("got %v, want a throttle of five minutes", err)
	}
	close(secondIn)
	// This call was sent before the pause, and its answer asks to wait only for a second.
	if err := <-short; !IsThrottled(err) {
		t.Fatalf("got %v, want a throttle", err)
	}
	clk.pass(2 * time.Second)
	err := c.PatchRecord(t.Context(), zoneID, recordID, map[string]any{}, nil)
	if RetryAfter(err) != 298*time.Second || s.calls.Load() != 2 {
		t.Errorf("after two of 300 seconds: %v, RetryAfter %v, %d calls; want no third call", err, RetryAfter(err), s.calls.Load())
	}
}

func TestThrottlesInARowPauseForLonger(t *testing.T) {
	clk := newClock()
	throttling := true
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if !throttling {
			answer(200, success("{}"))(w, r)
			return
		}
		w.Header().Set("Retry-After", "1")
		answer(429, refusal(971, "slow down"))(w, r)
	})
	c := s.client(t, Options{Now: clk.Now})
	try := func() time.Duration {
		err := c.GetRecord(t.Context(), zoneID, recordID, nil)
		clk.pass(RetryAfter(err))
		return RetryAfter(err)
	}
	for i, want := range []float64{1, 2, 4, 8, 16, 30, 30} {
		if got := try().Seconds(); got != want {
			t.Errorf("throttle %d: a pause of %g s, want %g", i+1, got, want)
		}
	}
	throttling = false
	if got := try(); got != 0 {
		t.Errorf("after the pause: %s", got)
	}
	throttling = true
	if got := try(); got != time.Second {
		t.Errorf("the first after an answer: a pause of %s, want what the API says", got)
	}
}

func TestPauseIsOfOneCredential(t *testing.T) {
	clk := newClock()
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") == "Bearer slow" {
			answer(429, refusal(971, "slow down"))(w, r)
			return
		}
		answer(200, success("{}"))(w, r)
	})
	slow := New(NewToken("slow"), Options{BaseURL: s.URL, Now: clk.Now})
	other := New(NewToken("other"), Options{BaseURL: s.URL, Now: clk.Now})
	if err := slow.GetRecord(t.Context(), zoneID, recordID, nil); !IsThrottled(err) {
		t.Fatalf("got %v, want a throttle", err)
	}
	if err := other.GetRecord(t.Context(), zoneID, recordID, nil); err != nil {
		t.Errorf("another credential must go on: %v", err)
	}
}

func TestBudget(t *testing.T) {
	clk := newClock()
	s := serve(t, answer(200, success("{}")))
	c := s.client(t, Options{Now: clk.Now})
	get := func() error { return c.GetRecord(t.Context(), zoneID, recordID, nil) }
	c.SetBudget(40)

	for i := range 10 {
		if err := get(); err != nil {
			t.Fatalf("call %d of a burst of 10: %v", i+1, err)
		}
	}
	err := get()
	if !IsThrottled(err) || IsAmbiguous(err) || RetryAfter(err) != 10*time.Second {
		t.Fatalf("beyond the burst got %v with RetryAfter %v, want a call not sent for 10s (5 min / 30)", err, RetryAfter(err))
	}
	if !strings.Contains(err.Error(), "budget") || s.calls.Load() != 10 {
		t.Errorf("%d calls arrived, want 10; error %q should tell of the budget", s.calls.Load(), err)
	}

	// A refused call costs nothing. Otherwise, waiting calls would have to wait longer and longer.
	for range 50 {
		_ = get()
	}
	clk.pass(10 * time.Second)
	if err := get(); err != nil {
		t.Errorf("after 10s one call is in the budget again: %v", err)
	}
	if err := get(); !IsThrottled(err) {
		t.Errorf("the budget gave two calls for one: %v", err)
	}

	// A quiet time fills the budget up to its size and no further.
	clk.pass(time.Hour)
	sent := 0
	for range 30 {
		if get() == nil {
			sent++
		}
	}
	if sent != 10 {
		t.Errorf("%d calls after a quiet hour, want 10", sent)
	}
}

func TestBudgetHoldsInAnyFiveMinutes(t *testing.T) {
	for _, budget := range []int{40, 100, DefaultRequests} {
		clk := newClock()
		s := serve(t, answer(200, success("{}")))
		c := s.client(t, Options{Now: clk.Now})
		c.SetBudget(budget)
		for range 299 {
			for c.GetRecord(t.Context(), zoneID, recordID, nil) == nil {
			}
			clk.pass(time.Second)
		}
		if n := int(s.calls.Load()); n > budget || n < budget*9/10 {
			t.Errorf("%d calls went out within five minutes under a budget of %d", n, budget)
		}
	}
}

func TestSetBudgetAgainKeepsWhatIsUsedUp(t *testing.T) {
	clk := newClock()
	s := serve(t, answer(200, success("{}")))
	c := s.client(t, Options{Now: clk.Now})
	c.SetBudget(20)
	for range 5 {
		if err := c.GetRecord(t.Context(), zoneID, recordID, nil); err != nil {
			t.Fatal(err)
		}
	}
	// Every session sets the budget. That must not fill it up again.
	c.SetBudget(20)
	if err := c.GetRecord(t.Context(), zoneID, recordID, nil); !IsThrottled(err) {
		t.Errorf("setting the same budget gave new calls: %v", err)
	}
	c.SetBudget(1200)
	if err := c.GetRecord(t.Context(), zoneID, recordID, nil); !IsThrottled(err) {
		t.Errorf("raising the budget must not give what the time before did not save: %v", err)
	}
	clk.pass(334 * time.Millisecond)
	if err := c.GetRecord(t.Context(), zoneID, recordID, nil); err != nil {
		t.Errorf("900 in five minutes beside the burst is one each third of a second: %v", err)
	}
}

func TestBudgetHoldsUnderConcurrency(t *testing.T) {
	clk := newClock()
	s := serve(t, answer(200, success("{}")))
	c := s.client(t, Options{Now: clk.Now})
	c.SetBudget(80)
	var wg sync.WaitGroup
	for range 50 {
		wg.Go(func() {
			c.SetBudget(80)
			_ = c.GetRecord(t.Context(), zoneID, recordID, nil)
		})
	}
	wg.Wait()
	if n := s.calls.Load(); n != 20 {
		t.Errorf("%d calls arrived in a burst of 20", n)
	}
}

func TestRedirectIsNotFollowed(t *testing.T) {
	elsewhere := serve(t, func(_ http.ResponseWriter, r *http.Request) {
		t.Errorf("the redirect was followed, with Authorization %t", r.Header.Get("Authorization") != "")
	})
	for _, status := range []int{301, 302, 303, 307, 308} {
		s := serve(t, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Location", elsewhere.URL+"/client/v4/zones")
			w.WriteHeader(status)
		})
		err := s.client(t, Options{}).GetRecord(t.Context(), zoneID, recordID, nil)
		var e *Error
		if !errors.As(err, &e) || e.Status != status {
			t.Errorf("redirect %d: got %v, want an *Error with that status", status, err)
		}
		if len(verdicts(err)) != 0 {
			t.Errorf("redirect %d: %v is taken for %v", status, err, verdicts(err))
		}
	}
}

// TestUnknownAuthority expects that nothing is sent to a server with a certificate that no authority of
// the system has signed.
func TestUnknownAuthority(t *testing.T) {
	asked := false
	s := httptest.NewTLSServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { asked = true }))
	s.Config.ErrorLog = log.New(io.Discard, "", 0)
	t.Cleanup(s.Close)
	err := New(NewToken(secretToken), Options{BaseURL: s.URL}).GetRecord(t.Context(), zoneID, recordID, nil)
	var unknown x509.UnknownAuthorityError
	if !errors.As(err, &unknown) || asked {
		t.Errorf("got %v, and it is asked: %t", err, asked)
	}
}

func TestCredentialState(t *testing.T) {
	users, sweep := context.Background(), ForSweep(context.Background())
	tests := []struct {
		reason string
		state  CredentialState
		ctx    context.Context
		want   error
	}{
		{"in use", InUse, users, nil},
		{"in use", InUse, sweep, nil},
		{"what its owner removed cleans up", Withdrawn, users, nil},
		{"but is not swept with", Withdrawn, sweep, ErrWithdrawn},
		{"what was replaced is not used", Replaced, users, ErrReplaced},
		{"nor swept with", Replaced, sweep, ErrReplaced},
	}
	for _, tc := range tests {
		s := serve(t, answer(200, success(`{"id":"`+recordID+`"}`)))
		c := s.client(t, Options{})
		c.SetCredentialState(tc.state)
		err := c.GetRecord(tc.ctx, zoneID, recordID, nil)
		if !errors.Is(err, tc.want) || (tc.want == nil) != (s.calls.Load() == 1) {
			t.Errorf("%s: got %v after %d calls, want %v", tc.reason, err, s.calls.Load(), tc.want)
		}
		if diff := cmp.Diff([]string{"invalid credential"}, verdicts(err)); tc.want != nil && diff != "" {
			t.Errorf("%s: it is taken for (-want +got):\n%s", tc.reason, diff)
		}
		c.SetCredentialState(InUse)
		if err := c.GetRecord(tc.ctx, zoneID, recordID, nil); err != nil {
			t.Errorf("%s: in use again, it gives %v", tc.reason, err)
		}
	}
}

func TestRefusalsAreReported(t *testing.T) {
	tests := []struct {
		reason string
		status int
		body   string
		call   func(context.Context, *Client) error
		want   int
	}{
		{"a good answer", 200, success(`{"id":"` + recordID + `"}`), getRecord, 0},
		{"a token that is not known", 401, refusal(1000, "Invalid API Token"), getRecord, 1},
		{"a token that is not known, or a permission that is missing", 403, refusal(9109, "Invalid access token"), getRecord, 1},
		{"a permission that is missing, or a token that lost it", 403, refusal(10000, "Authentication error"), getRecord, 1},
		{"a record that is gone", 404, refusal(81044, "Record does not exist."), getRecord, 0},
		{"an API that is down", 502, htmlPage, getRecord, 0},
		{"a throttle", 429, refusal(971, "slow down"), getRecord, 0},
		{"a call that is not made", 200, success(`{}`), func(ctx context.Context, c *Client) error {
			c.SetCredentialState(Replaced)
			return getRecord(ctx, c)
		}, 0},
		{"a verification is a question, and this its answer", 401, refusal(1000, "Invalid API Token"), func(ctx context.Context, c *Client) error { return c.Verify(ctx, accountID) }, 0},
		{"the list of zones that verifies an account's token is one, too", 403, refusal(10000, "Authentication error"), func(ctx context.Context, c *Client) error { return c.Verify(ctx, "") }, 0},
	}
	for _, tc := range tests {
		var reported []string
		s := serve(t, answer(tc.status, tc.body))
		c := s.client(t, Options{Refused: func(fp string) { reported = append(reported, fp) }})
		err := tc.call(t.Context(), c)
		if len(reported) != tc.want || (tc.want > 0 && reported[0] != c.Fingerprint()) {
			t.Errorf("%s (%v): reported %v, want %d times", tc.reason, err, reported, tc.want)
		}
	}
}

func getRecord(ctx context.Context, c *Client) error { return c.GetRecord(ctx, zoneID, recordID, nil) }

func TestEchoedSecretIsRedacted(t *testing.T) {
	for _, cred := range []Credential{NewToken(secretToken), NewKey(secretKey, "a@example.com")} {
		secret := cred.token.reveal() + cred.key.reveal()
		body := fmt.Sprintf(`{"success":false,"errors":[{"code":6003,"message":"bad header \"Bearer %s\"","error_chain":[{"code":6111,"message":"%s and %s"}]}]}`,
			secret, secret, secret)
		s := serve(t, answer(400, body))
		err := New(cred, Options{BaseURL: s.URL}).GetRecord(t.Context(), zoneID, recordID, nil)
		var e *Error
		if !errors.As(err, &e) {
			t.Fatalf("got %v, want an *Error", err)
		}
		shown := fmt.Sprintf("%v %+v %#v %v", err, err, err, e.Details)
		if strings.Contains(shown, secret) {
			t.Errorf("the error of a %s shows its secret", cred)
		}
		if strings.Count(err.Error(), "[redacted]") != 3 {
			t.Errorf("%q should show where the secret was", err)
		}
	}
}

func TestPrintedClientShowsNoSecret(t *testing.T) {
	c := New(NewToken(secretToken), Options{})
	for _, verb := range []string{"%v", "%+v", "%#v", "%s"} {
		if strings.Contains(fmt.Sprintf(verb, c), secretToken) {
			t.Errorf("a client printed with %s shows its secret", verb)
		}
	}
}

func TestCallsAreAuthenticatedAndNamed(t *testing.T) {
	tests := []struct {
		reason string
		cred   Credential
		want   map[string]string
	}{
		{"a token", NewToken(secretToken), map[string]string{"Authorization": "Bearer " + secretToken, "X-Auth-Key": "", "X-Auth-Email": ""}},
		{"a key", NewKey(secretKey, "a@example.com"), map[string]string{"Authorization": "", "X-Auth-Key": secretKey, "X-Auth-Email": "a@example.com"}},
	}
	for _, tc := range tests {
		t.Run(tc.reason, func(t *testing.T) {
			// Credentials of the process must not leak into those of a tenant.
			t.Setenv("CLOUDFLARE_API_TOKEN", "of-the-process")
			t.Setenv("CLOUDFLARE_API_KEY", "of-the-process")
			t.Setenv("CLOUDFLARE_EMAIL", "of-the-process")
			var got http.Header
			s := serve(t, func(w http.ResponseWriter, r *http.Request) {
				got = r.Header.Clone()
				answer(200, success("{}"))(w, r)
			})
			if err := New(tc.cred, Options{BaseURL: s.URL, UserAgent: "provider-cloudflare/1"}).GetRecord(t.Context(), zoneID, recordID, nil); err != nil {
				t.Fatal(err)
			}
			for name, want := range tc.want {
				if got.Get(name) != want {
					t.Errorf("%s: header %s is not as expected (set: %t)", tc.reason, name, got.Get(name) != "")
				}
			}
			if got.Get("User-Agent") != "provider-cloudflare/1" {
				t.Errorf("%s: User-Agent is %q", tc.reason, got.Get("User-Agent"))
			}
		})
	}
}

func TestEveryCallIsObserved(t *testing.T) {
	clk := newClock()
	var seen []string
	observe := func(c Call) {
		seen = append(seen, fmt.Sprintf("%s %s [%s] %d %s", c.Method, c.Route, c.Zone, c.Status, c.Took))
	}
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		clk.pass(2 * time.Second)
		if r.Method == http.MethodDelete {
			answer(429, refusal(971, "slow down"))(w, r)
			return
		}
		answer(200, success("{}"))(w, r)
	})
	c := s.client(t, Options{Now: clk.Now, Observe: observe})
	_ = c.GetRecord(t.Context(), zoneID, recordID, nil)
	_ = c.DeleteRecord(t.Context(), zoneID, recordID)
	_ = c.DeleteRecord(t.Context(), zoneID, recordID) // Not sent: the credential pauses.
	gone := httptest.NewServer(http.NotFoundHandler())
	gone.Close()
	_, _ = New(NewToken("x"), Options{BaseURL: gone.URL, Now: clk.Now, Observe: observe}).FindZones(t.Context(), "example.com", "", false)

	want := []string{
		"GET /zones/{zone}/dns_records/{record} [" + zoneID + "] 200 2s",
		"DELETE /zones/{zone}/dns_records/{record} [" + zoneID + "] 429 2s",
		"GET /zones [] 0 0s",
	}
	if strings.Join(seen, "\n") != strings.Join(want, "\n") {
		t.Errorf("observed\n%s\nwant\n%s", strings.Join(seen, "\n"), strings.Join(want, "\n"))
	}
}

func TestDefaults(t *testing.T) {
	c := New(NewToken("x"), Options{})
	if c.o.BaseURL != "https://api.cloudflare.com/client/v4" {
		t.Errorf("the default API is %q", c.o.BaseURL)
	}
	if d := time.Since(c.o.Now()); d < 0 || d > time.Minute {
		t.Errorf("the default clock is %v off", d)
	}
	if b := c.Budget(); b.Left != DefaultRequests/4 || b.Limit != DefaultRequests || b.Window != 5*time.Minute {
		t.Errorf("the default budget is %+v, want %d in five minutes and a quarter of them at once", b, DefaultRequests)
	}
	if c.Fingerprint() != NewToken("x").Fingerprint(nil) {
		t.Error("a client's fingerprint is not its credential's")
	}
}
