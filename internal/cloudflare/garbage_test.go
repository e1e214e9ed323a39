// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package cloudflare

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/provider-cloudflare/provider-cloudflare/test/simulator"
)

// garbled returns a client of a simulator with one zone.
func garbled(t *testing.T) (*Client, *simulator.Server, simulator.Zone, simulator.Account) {
	t.Helper()
	sim := simulator.New(simulator.Options{})
	account := sim.AddAccount("Example Inc")
	zone, err := sim.AddZone(account.ID, "example.com", simulator.ZoneOptions{Plan: simulator.PlanPro})
	if err != nil {
		t.Fatal(err)
	}
	token := sim.AddToken(simulator.TokenOptions{Grants: []simulator.Grant{
		{Account: account.ID, Permission: simulator.ZoneRead}, {Account: account.ID, Permission: simulator.ZoneWrite}, {Account: account.ID, Permission: simulator.DNSWrite},
	}})
	s := httptest.NewServer(sim)
	t.Cleanup(s.Close)
	return New(NewToken(token), Options{BaseURL: s.URL + simulator.BasePath}), sim, zone, account
}

// harmless reports whether a zone can still be recognized in garbage of that kind.
func harmless(kind simulator.FaultKind) bool {
	switch kind {
	case simulator.FaultContentType, simulator.FaultFewerCounted, simulator.FaultSamePage, simulator.FaultEndless:
		return true
	}
	return false
}

// TestGarbageIsNoZone reads zones while each kind of garbage is on. Garbage must pass neither for
// a zone nor for the absence of one.
func TestGarbageIsNoZone(t *testing.T) {
	for _, kind := range simulator.GarbageKinds() {
		t.Run(string(kind), func(t *testing.T) {
			c, sim, zone, account := garbled(t)
			sim.AddFault(simulator.Fault{Kind: kind, Times: -1})

			z, err := c.GetZone(t.Context(), zone.ID)
			one := harmless(kind) || kind == simulator.FaultEmptyList || kind == simulator.FaultMoreCounted // Both affect lists only.
			check(t, "GetZone", err, one)
			if (z.ID == zone.ID) != one {
				t.Errorf("GetZone gave %.300q", z.ID)
			}
			found, err := c.FindZones(t.Context(), "example.com", account.ID, false)
			listed := harmless(kind) || kind == simulator.FaultOtherObject // It may be another zone: its name is checked.
			check(t, "FindZones", err, listed)
			if (len(found) == 1) != listed {
				t.Errorf("FindZones gave %d zones", len(found))
			}
			made, err := c.CreateZone(t.Context(), "other.example", account.ID, "full")
			check(t, "CreateZone", err, one || kind == simulator.FaultOtherObject) // The ID of a new zone is not known before.
			if err != nil && (!IsAmbiguous(err) || made.ID != "") {
				t.Errorf("CreateZone gave %q and %v, want an outcome that nobody knows", made.ID, err)
			}
		})
	}
}

func check(t *testing.T, what string, err error, well bool) {
	t.Helper()
	if (err == nil) != well {
		t.Errorf("%s gave %v", what, err)
	}
	if err != nil && (len(err.Error()) > 1000 || strings.Contains(err.Error(), "<html>")) {
		t.Errorf("%s: the error is not fit for a condition: %.2000s", what, err)
	}
}

// TestGarbageIsNoList reads a zone's list of records. Null is not a list.
func TestGarbageIsNoList(t *testing.T) {
	for kind, want := range map[simulator.FaultKind]string{
		simulator.FaultNullResult:  "its result is null",
		simulator.FaultHTML200:     `not the API's JSON but 89 bytes of "text/html"`,
		simulator.FaultTruncated:   "unexpected end of JSON input",
		simulator.FaultHugeBody:    "longer than any answer of the API",
		simulator.FaultBareFailure: "without saying why",
	} {
		c, sim, zone, _ := garbled(t)
		sim.AddFault(simulator.Fault{Kind: kind})
		var out []json.RawMessage
		_, err := c.ListRecords(t.Context(), zone.ID, 1, 100, &out)
		if err == nil || !strings.Contains(err.Error(), want) || IsRecordGone(err) {
			t.Errorf("%s: got %v, want it to say %q", kind, err, want)
		}
	}
}

// endless is a body without end. It counts what is read of it.
type endless struct{ read int64 }

func (e *endless) Read(p []byte) (int, error) {
	e.read += int64(len(p))
	return len(p), nil
}

func TestAnswersAreNotReadWithoutEnd(t *testing.T) {
	tests := []struct {
		reason string
		status int
		most   int64
		do     func(*Client) error
	}{
		{"a list may be long", 200, longAnswer, func(c *Client) error {
			_, err := c.ListRecords(t.Context(), zoneID, 1, 100, &[]json.RawMessage{})
			return err
		}},
		{"so may a batch", 200, longAnswer, func(c *Client) error {
			return c.BatchRecords(t.Context(), zoneID, Batch{Deletes: []string{recordID}}, &struct{}{})
		}},
		{"a record may not", 200, shortAnswer, func(c *Client) error { return c.GetRecord(t.Context(), zoneID, recordID, &struct{}{}) }},
		{"nor a refusal", 502, shortAnswer, func(c *Client) error { return c.DeleteRecord(t.Context(), zoneID, recordID) }},
	}
	for _, tc := range tests {
		body := &endless{}
		c := New(NewToken("t"), Options{Transport: roundTrip(func(*http.Request) (*http.Response, error) {
			return &http.Response{StatusCode: tc.status, Header: http.Header{"Content-Type": {"application/json"}}, Body: io.NopCloser(body), ContentLength: -1}, nil
		})})
		err := tc.do(c)
		if err == nil || !IsAmbiguous(err) {
			t.Errorf("%s: got %v, want an outcome that nobody knows", tc.reason, err)
		}
		if body.read <= tc.most/2 || body.read > tc.most+1 {
			t.Errorf("%s: %d bytes were read, want %d at most", tc.reason, body.read, tc.most)
		}
	}
}

type roundTrip func(*http.Request) (*http.Response, error)

func (f roundTrip) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// TestWhatTheAPISaysIsBounded has the API refuse with a longer text than a condition holds.
func TestWhatTheAPISaysIsBounded(t *testing.T) {
	long := strings.Repeat("é\n", 1<<20)
	many := strings.Repeat(`{"code":9005,"message":"`+strings.Repeat("x", 400)+`","error_chain":[{"code":1,"message":"y"}]},`, 1000)
	for reason, body := range map[string]string{
		"a long message":  refusal(9005, long),
		"many errors":     `{"success":false,"errors":[` + many + `{"code":1,"message":"z"}]}`,
		"a long literal":  success(`{"ttl":` + strings.Repeat("9", 1<<20) + `}`),
		"a long time":     success(`{"at":"` + strings.Repeat("9", 1<<20) + `"}`),
		"an odd envelope": `{"success":"` + strings.Repeat("9", 1<<20) + `"}`,
	} {
		status := 400
		if strings.Contains(body, "true") {
			status = 200
		}
		s := serve(t, answer(status, body))
		var out struct {
			TTL int     `json:"ttl"`
			At  *timeOf `json:"at"`
		}
		err := s.client(t, Options{}).GetRecord(t.Context(), zoneID, recordID, &out)
		if err == nil || len(err.Error()) > 5000 || strings.ContainsAny(err.Error(), "\n\r") {
			t.Errorf("%s: got %d bytes: %.200v", reason, len(err.Error()), err)
		}
	}
}

// timeOf fails to decode with an error that quotes its whole input, as time.Time does.
type timeOf struct{}

func (*timeOf) UnmarshalJSON(b []byte) error { return &IDError{What: "time", ID: string(b)} }
