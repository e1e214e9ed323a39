// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package cloudflare

import (
	"context"
	"errors"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

var errGuarded = errors.New("not allowed")

// everyCall makes each call that a Client has, and ignores the outcomes.
func everyCall(ctx context.Context, c *Client) {
	_, _ = c.GetZone(ctx, zoneID)
	_, _ = c.FindZones(ctx, "a.example.", accountID, true)
	_, _ = c.CreateZone(ctx, "a.example", accountID, "full")
	_, _ = c.EditZone(ctx, zoneID, "paused", true)
	_ = c.DeleteZone(ctx, zoneID)
	_, _ = c.ListRecords(ctx, zoneID, 1, 100, nil)
	_ = c.GetRecord(ctx, zoneID, recordID, nil)
	_ = c.CreateRecord(ctx, zoneID, map[string]any{"name": "a"}, nil)
	_ = c.PatchRecord(ctx, zoneID, recordID, map[string]any{"name": "a"}, nil)
	_ = c.DeleteRecord(ctx, zoneID, recordID)
	_ = c.BatchRecords(ctx, zoneID, Batch{Deletes: []string{recordID}}, nil)
	_ = c.Verify(ctx, "")
	_, _ = c.AccountTokenID(ctx, accountID)
	_, _ = c.UserTokenID(ctx)
	_, _ = c.AuditLogs(ctx, AuditQuery{AccountID: accountID})
	_, _ = c.FindAccounts(ctx, "team")
	_, _ = c.Do(ctx, Request{Method: http.MethodPut, Path: "/zones/" + zoneID + "/a%20b", Route: "/zones/{zone}/x", Body: map[string]any{"zone_id": zoneID}})
	_, _ = c.Do(ctx, Request{Method: http.MethodPut, Path: "/accounts/" + accountID + "/x", Route: "/x", Parts: []Part{{Name: "a", Content: []byte(`{"a":1}`)}}})
}

// guardedCalls is the least number of calls that everyCall makes.
const guardedCalls = 18

// TestGuardSeesWhatIsSent shows that a Guard is asked before each call, with the path, the query and the body that are sent.
func TestGuardSeesWhatIsSent(t *testing.T) {
	t.Parallel()
	var (
		mu   sync.Mutex
		last Outgoing
		asks int
	)
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		path := strings.ReplaceAll(last.Path, "{record}", recordID)
		if r.Method != last.Method || r.URL.EscapedPath() != path {
			t.Errorf("%s %s is sent, and the guard saw %s %s", r.Method, r.URL.EscapedPath(), last.Method, path)
		}
		if r.Method == http.MethodGet && last.Query != nil && r.URL.RawQuery != last.Query.Encode() {
			t.Errorf("the query %s is sent, and the guard saw %s", r.URL.RawQuery, last.Query.Encode())
		}
		sent, _ := io.ReadAll(r.Body)
		for _, body := range last.Bodies {
			if !strings.Contains(string(sent), string(body)) {
				t.Errorf("%s is sent, and the guard saw %s", sent, body)
			}
		}
		http.Error(w, `{"success":false,"errors":[{"code":10000,"message":"no"}]}`, http.StatusForbidden)
	})
	everyCall(t.Context(), s.client(t, Options{}).Guarded(func(_ context.Context, o Outgoing) error {
		mu.Lock()
		defer mu.Unlock()
		asks++
		last = o
		return nil
	}))
	if n := int(s.calls.Load()); n != asks || n < guardedCalls {
		t.Errorf("%d calls are sent, and the guard saw %d, want both to be %d at least", n, asks, guardedCalls)
	}
}

// TestGuardSeesNoFiles shows that a Guard does not judge uploaded files: a zone_id in a file names no zone.
func TestGuardSeesNoFiles(t *testing.T) {
	t.Parallel()
	s := serve(t, func(http.ResponseWriter, *http.Request) {})
	var seen []string
	c := s.client(t, Options{}).Guarded(func(_ context.Context, o Outgoing) error {
		for _, b := range o.Bodies {
			seen = append(seen, string(b))
		}
		return errGuarded
	})
	_, err := c.Do(t.Context(), Request{Method: http.MethodPut, Path: "/accounts/" + accountID + "/x", Route: "/x", Parts: []Part{
		{Name: "metadata", Content: []byte(`{"main":"a.json"}`)}, {Name: "a.json", FileName: "a.json", Content: []byte(`{"zone_id":"any"}`)},
	}})
	if !errors.Is(err, errGuarded) || !slices.Equal(seen, []string{`{"main":"a.json"}`}) {
		t.Errorf("got %v after %v", err, seen)
	}
}

// TestGuardRefuses shows that a call that a Guard refuses is not sent, uses nothing of the budget, and has an
// error that IsGuarded knows.
func TestGuardRefuses(t *testing.T) {
	t.Parallel()
	s := serve(t, func(http.ResponseWriter, *http.Request) {})
	open := s.client(t, Options{Refused: func(string) { t.Error("a refusal of the guard is reported as one of the API") }})
	before := open.Budget()
	c := open.Guarded(func(context.Context, Outgoing) error { return errGuarded })
	everyCall(t.Context(), c)
	if n := s.calls.Load(); n != 0 {
		t.Errorf("%d calls were sent", n)
	}
	if after := open.Budget(); after != before {
		t.Errorf("the budget was %+v and is %+v", before, after)
	}
	if err := c.Allows(t.Context(), "/zones/"+zoneID); !errors.Is(err, errGuarded) || open.Allows(t.Context(), "/zones/"+zoneID) != nil {
		t.Errorf("it says %v of a read", err)
	}
	_, err := c.GetZone(t.Context(), zoneID)
	if !errors.Is(err, errGuarded) || !IsGuarded(err) || IsAmbiguous(err) || IsForbidden(err) || IsRejected(err) {
		t.Errorf("got %v, want an error of the guard, that is certain and none of the API's", err)
	}
	later := open.Guarded(func(context.Context, Outgoing) error {
		return &Error{Status: http.StatusTooManyRequests, RetryAfter: time.Minute}
	})
	if _, err := later.GetZone(t.Context(), zoneID); RetryAfter(err) != time.Minute {
		t.Errorf("%v does not say how long the guard cannot decide", err)
	}
	if c.Fingerprint() != open.Fingerprint() {
		t.Error("the guarded client has another fingerprint")
	}
}
