// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package cloudflare

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// auditAnswer has an entry as the official documentation shows it, an entry of Cloudflare itself,
// an entry of a refused change, and a batch.
const auditAnswer = `{"success":true,"errors":[],"result_info":{"count":"4","cursor":"next"},"result":[
{"account":{"id":"01a7362d577a6c3019a474fd6f485823","name":"Example Account"},
 "action":{"description":"Update record","result":"success","time":"2026-11-23T12:00:00Z","type":"update"},
 "actor":{"id":"f6b5de0326bb5182b8a4840ee01ec774","context":"dash","email":"alice@example.com","ip_address":"198.41.129.166","token_id":"t","token_name":"n","type":"user"},
 "id":"1","raw":{"cf_ray_id":"8e9b1c60ef9e1c9a","method":"PATCH","status_code":200,"uri":"/client/v4/zones/023e105f4ecef8ad9ca31a8372d0c353/dns_records/372e67954025e0ba6aaa6d586b9e0b59?x=1","user_agent":"Mozilla/5.0"},
 "resource":{"id":"372e67954025e0ba6aaa6d586b9e0b59","product":"dns","request":{},"response":{},"scope":{},"type":"dns_records"},
 "zone":{"id":"023e105f4ecef8ad9ca31a8372d0c353","name":"example.com"}},
{"action":{"result":"success","time":"2026-11-23T11:00:00Z","type":"delete"},"actor":{"type":"system"},"resource":{"id":"r"}},
{"action":{"result":"failure","time":"2026-11-23T10:00:00Z","type":"update"},"resource":{"id":"r"}},
{"action":{"result":"success","time":"2026-11-23T09:00:00Z","type":"create"},"actor":{"type":"account","context":"api_token"},
 "raw":{"uri":"https://dash.cloudflare.com/api/v4/zones/023e105f4ecef8ad9ca31a8372d0c353/dns_records/batch/","user_agent":"agent of TOKEN"},
 "resource":{"request":{"deletes":[{"id":"a"}],"patches":[{"id":"b","content":"x"}],"puts":[{"id":"c"}],"posts":[{"name":"d"}]}}}
]}`

func TestAuditLogs(t *testing.T) {
	var got url.Values
	var path string
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		path, got = r.URL.Path, r.URL.Query()
		answer(http.StatusOK, strings.ReplaceAll(auditAnswer, "TOKEN", secretToken))(w, r)
	})
	noon := time.Date(2026, 11, 23, 12, 0, 0, 0, time.UTC)
	entries, err := s.client(t, Options{}).AuditLogs(t.Context(), AuditQuery{
		AccountID: accountID, ZoneID: zoneID, Since: noon.Add(-time.Hour).In(time.FixedZone("", 3600)), Before: noon,
	})
	if err != nil {
		t.Fatal(err)
	}
	want := []AuditEntry{
		{
			Time: noon, Action: "update", Actor: AuditActor{Type: "user", Context: "dash", Email: "alice@example.com", TokenID: "t", TokenName: "n"},
			UserAgent: "Mozilla/5.0", Path: "/zones/" + zoneID + "/dns_records/" + recordID, ResourceID: recordID, ZoneID: zoneID,
		},
		{Time: noon.Add(-time.Hour), Action: "delete", Actor: AuditActor{Type: "system"}, ResourceID: "r"},
		{
			Time: noon.Add(-3 * time.Hour), Action: "create", Actor: AuditActor{Type: "account", Context: "api_token"},
			UserAgent: "agent of [redacted]", Path: "/zones/" + zoneID + "/dns_records/batch",
			Changed: []string{"b", "c"}, Deleted: []string{"a"},
		},
	}
	if diff := cmp.Diff(want, entries); diff != "" {
		t.Errorf("entries (-want +got):\n%s", diff)
	}
	query := url.Values{
		"since": {"2026-11-23T11:00:00Z"}, "before": {"2026-11-23T12:00:00Z"}, "zone_id": {zoneID}, "direction": {"desc"}, "limit": {"1000"},
		"action_result": {"success"}, "action_type": {"create", "update", "delete"},
	}
	if diff := cmp.Diff(query, got); diff != "" || path != "/accounts/"+accountID+"/logs/audit" {
		t.Errorf("asked %s (-want +got):\n%s", path, diff)
	}
}

// TestAuditLogsRefusedTellNobody expects that a refusal for a permission that no credential needs
// is not reported: the provider config stays as it is.
func TestAuditLogsRefusedTellNobody(t *testing.T) {
	for _, code := range []int{codeAuthentication, codeUnauthorizedResource} {
		s := serve(t, answer(http.StatusForbidden, refusal(code, "no")))
		c := s.client(t, Options{Refused: func(string) { t.Errorf("code %d was reported", code) }})
		if _, err := c.AuditLogs(t.Context(), AuditQuery{AccountID: accountID}); !IsForbidden(err) || s.calls.Load() != 1 {
			t.Errorf("code %d: got %v after %d calls", code, err, s.calls.Load())
		}
	}
}

func TestAuditLogsNeedAnAccount(t *testing.T) {
	s := serve(t, answer(http.StatusOK, auditAnswer))
	var bad *IDError
	if _, err := s.client(t, Options{}).AuditLogs(t.Context(), AuditQuery{AccountID: "../zones"}); !errors.As(err, &bad) || s.calls.Load() != 0 {
		t.Errorf("got %v after %d calls", err, s.calls.Load())
	}
}

func TestUnreadableAuditLogsAreAnError(t *testing.T) {
	for reason, body := range map[string]string{
		"no JSON":             "<html>",
		"null":                success("null"),
		"no list":             success(`{"id":"1"}`),
		"a time that is none": success(`[{"action":{"time":"yesterday"}}]`),
	} {
		s := serve(t, answer(http.StatusOK, body))
		if entries, err := s.client(t, Options{}).AuditLogs(t.Context(), AuditQuery{AccountID: accountID}); err == nil {
			t.Errorf("%s: got %v, want an error", reason, entries)
		}
	}
}

// TestOwn expects the ID of the token once verifying the token has shown it.
func TestOwn(t *testing.T) {
	s := serve(t, answer(http.StatusOK, success(fmt.Sprintf(`{"id":%q,"status":"active"}`, recordID))))
	c := s.client(t, Options{UserAgent: "test/1"})
	if id, agent := c.Own(); id != "" || agent != "test/1" {
		t.Errorf("before: %q, %q", id, agent)
	}
	if err := c.Verify(t.Context(), ""); err != nil {
		t.Fatal(err)
	}
	if id, _ := c.Own(); id != recordID {
		t.Errorf("the token's ID is %q", id)
	}
}
