// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package simulator_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/provider-cloudflare/provider-cloudflare/test/simulator"
)

// leadsTo returns the content of the DNS record of a name, or "" if there is none. The test fails if the
// record can be deleted.
func (w *world) leadsTo(name string) string {
	w.Helper()
	all := w.list(w.must(http.MethodGet, w.records()+"?name="+name, nil))
	if len(all) == 0 {
		return ""
	}
	if got := w.do(http.MethodDelete, w.records(textOf(all[0], "id")), nil); got.status == http.StatusOK {
		w.Errorf("the record of %s can be deleted", name)
	}
	return textOf(all[0], "content")
}

func TestWorkerDomain(t *testing.T) {
	w := newResourceWorld(t)
	domains := w.in("workers/domains")
	for _, name := range []string{"one", "two"} {
		w.uploadScript(w.in("workers/scripts")+"/"+name, object{"main_module": "a.js"}, "a.js=1")
	}
	body := object{"hostname": "app.example.com", "service": "one", "zone_id": w.zone.ID}
	made := w.object(w.must(http.MethodPut, domains, body))
	item := domains + "/" + textOf(made, "id")
	if made["environment"] != "production" || made["zone_name"] != "example.com" || textOf(made, "cert_id") == "" {
		t.Errorf("the answer is %v", made)
	}
	if got := w.leadsTo("app.example.com"); got != "100::" {
		t.Errorf("the record leads to %q", got)
	}
	moved := w.object(w.must(http.MethodPut, domains, with(body, object{"service": "two"})))
	if moved["id"] != made["id"] || moved["cert_id"] != made["cert_id"] || moved["service"] != "two" || w.sim.CountResources(domains) != 1 {
		t.Errorf("another Worker: the answer is %v", moved)
	}
	w.create(object{"type": "A", "name": "taken.example.com", "content": "192.0.2.1", "ttl": 1})
	for reason, tc := range map[string]struct {
		change       object
		status, code int
	}{
		"there is a record of that name": {object{"hostname": "taken.example.com"}, http.StatusConflict, simulator.CodeWorkerDomainHasDNS},
		"there is no such Worker":        {object{"service": "none"}, http.StatusNotFound, simulator.CodeScriptNotFound},
		"the zone is left out":           {object{"zone_id": ""}, http.StatusBadRequest, simulator.CodeWorkerDomainNoZone},
		"another zone's name":            {object{"hostname": "app.example.org"}, http.StatusBadRequest, simulator.CodeResourceInvalid},
	} {
		got := w.do(http.MethodPut, domains, with(body, tc.change))
		if got.status != tc.status || got.code() != tc.code {
			t.Errorf("%s: answered %d %s", reason, got.status, got.raw)
		}
	}
	if got := w.do(http.MethodDelete, item, nil); got.status != http.StatusOK || got.raw != "" {
		t.Errorf("the deletion is answered %d %q, want nothing", got.status, got.raw)
	}
	w.refused(http.MethodGet, item, nil, http.StatusNotFound, simulator.CodeWorkerDomainNotFound)
	if got := w.leadsTo("app.example.com"); got != "" {
		t.Errorf("there is a record that leads to %q after the deletion", got)
	}
}

func TestBucketDomain(t *testing.T) {
	w := newResourceWorld(t)
	domains := w.in("r2/buckets/bucket-a/domains/custom")
	body := object{"domain": "files.example.com", "enabled": true, "zoneId": w.zone.ID}
	w.refused(http.MethodPost, domains, body, http.StatusNotFound, simulator.CodeBucketNotFound)
	w.refused(http.MethodGet, domains, nil, http.StatusNotFound, simulator.CodeBucketNotFound)
	w.make(w.in("r2/buckets"), object{"name": "bucket-a"})
	made := w.make(domains, body)
	if made["status"] != nil || made["zoneName"] != nil || made["zoneId"] == nil {
		t.Errorf("the answer to the creation is %v: want no status in it", made)
	}
	item := domains + "/files.example.com"
	read := func() string { return asJSON(t, w.object(w.must(http.MethodGet, item, nil))["status"]) }
	if got := read(); got != `{"ownership":"pending","ssl":"initializing"}` {
		t.Errorf("at first the status is %s", got)
	}
	w.clock.Advance(time.Minute)
	if got := read(); got != `{"ownership":"active","ssl":"active"}` {
		t.Errorf("later the status is %s", got)
	}
	if got := w.leadsTo("files.example.com"); got != "public.r2.dev" {
		t.Errorf("the record leads to %q", got)
	}
	changed := w.object(w.must(http.MethodPut, item, object{"minTLS": "1.2"}))
	if changed["minTLS"] != "1.2" || changed["enabled"] != true || changed["zoneId"] != nil {
		t.Errorf("the answer to a change of one member is %v", changed)
	}
	w.must(http.MethodPut, item, object{"enabled": false})
	if got := read(); got != `{"ownership":"deactivated","ssl":"active"}` {
		t.Errorf("of what is not enabled the status is %s", got)
	}
	listed := w.object(w.must(http.MethodGet, domains, nil))
	if rows, _ := listed["domains"].([]any); len(rows) != 1 {
		t.Errorf("the list is %v", listed)
	}
	w.refused(http.MethodPost, domains, body, http.StatusConflict, simulator.CodeResourceConflict)
	w.refused(http.MethodPost, domains, with(body, object{"domain": "files.example.org"}), http.StatusBadRequest, simulator.CodeResourceInvalid)
	w.must(http.MethodDelete, item, nil)
	w.refused(http.MethodGet, item, nil, http.StatusNotFound, simulator.CodeResourceNotFound)
	if got := w.leadsTo("files.example.com"); got != "" {
		t.Errorf("there is a record that leads to %q after the deletion", got)
	}
}

// TestBucketPolicies verifies that a new bucket has no CORS policy and one lifecycle rule, and that
// writes return an empty object.
func TestBucketPolicies(t *testing.T) {
	w := newResourceWorld(t)
	cors, lifecycle := w.in("r2/buckets/bucket-a/cors"), w.in("r2/buckets/bucket-a/lifecycle")
	for _, path := range []string{cors, lifecycle} {
		w.refused(http.MethodGet, path, nil, http.StatusNotFound, simulator.CodeBucketNotFound)
	}
	w.make(w.in("r2/buckets"), object{"name": "bucket-a"})
	w.refused(http.MethodGet, cors, nil, http.StatusNotFound, simulator.CodeNoCORS)
	rules := object{"rules": []any{object{"allowed": object{"methods": []any{"GET"}, "origins": []any{"https://example.com"}}}}}
	if got := w.object(w.must(http.MethodPut, cors, rules)); len(got) != 0 {
		t.Errorf("the answer to a write is %v", got)
	}
	if got := w.object(w.must(http.MethodGet, cors, nil)); asJSON(t, got["rules"]) != asJSON(t, rules["rules"]) {
		t.Errorf("the policy is %v", got)
	}
	w.must(http.MethodDelete, cors, nil)
	w.refused(http.MethodGet, cors, nil, http.StatusNotFound, simulator.CodeNoCORS)

	if got := asJSON(t, w.object(w.must(http.MethodGet, lifecycle, nil))); !strings.Contains(got, "Default Multipart Abort Rule") {
		t.Errorf("the lifecycle of a new bucket is %s", got)
	}
	w.must(http.MethodPut, lifecycle, object{"rules": []any{object{"id": "a", "enabled": true, "conditions": object{"prefix": ""}}}})
	if got := asJSON(t, w.object(w.must(http.MethodGet, lifecycle, nil))); !strings.Contains(got, `"deleteObjectsTransition":{}`) || strings.Contains(got, "Default") {
		t.Errorf("the lifecycle is %s", got)
	}
	w.must(http.MethodDelete, w.in("r2/buckets/bucket-a"), nil)
	w.make(w.in("r2/buckets"), object{"name": "bucket-a"})
	if got := asJSON(t, w.object(w.must(http.MethodGet, lifecycle, nil))); !strings.Contains(got, "Default Multipart Abort Rule") {
		t.Errorf("the lifecycle of a bucket of the same name is %s", got)
	}
}

// TestFallbackOrigin verifies that a zone has no fallback origin at first, and that a new one is pending
// for some time.
func TestFallbackOrigin(t *testing.T) {
	w := newResourceWorld(t)
	path := w.path("custom_hostnames/fallback_origin")
	w.refused(http.MethodGet, path, nil, http.StatusNotFound, simulator.CodeResourceNotFound)
	w.refused(http.MethodDelete, path, nil, http.StatusNotFound, simulator.CodeResourceNotFound)
	if got := w.object(w.must(http.MethodPut, path, object{"origin": "a.example.com"})); got["status"] != "pending_deployment" || got["origin"] != "a.example.com" {
		t.Errorf("at first it is %v", got)
	}
	w.clock.Advance(time.Minute)
	if got := w.object(w.must(http.MethodGet, path, nil)); got["status"] != "active" {
		t.Errorf("later it is %v", got)
	}
	w.must(http.MethodDelete, path, nil)
	if got := w.object(w.must(http.MethodGet, path, nil)); got["status"] != "pending_deletion" {
		t.Errorf("after its deletion it is %v", got)
	}
	w.clock.Advance(time.Minute)
	w.refused(http.MethodGet, path, nil, http.StatusNotFound, simulator.CodeResourceNotFound)
	w.must(http.MethodPut, path, object{"origin": "b.example.com"})
	w.must(http.MethodDelete, path, nil)
	w.must(http.MethodPut, path, object{"origin": "c.example.com"})
	w.clock.Advance(time.Minute)
	if got := w.object(w.must(http.MethodGet, path, nil)); got["status"] != "active" || got["origin"] != "c.example.com" {
		t.Errorf("set while its deletion was pending, it is %v", got)
	}
}

// TestHealthcheck verifies that the defaults of a check depend on its type.
func TestHealthcheck(t *testing.T) {
	w := newResourceWorld(t)
	made := w.make(w.path("healthchecks"), object{"name": "a", "address": "192.0.2.1", "http_config": object{"path": "/healthz"}})
	if got := made["http_config"].(object); got["path"] != "/healthz" || got["method"] != "GET" || made["tcp_config"] != nil || made["status"] != "healthy" {
		t.Errorf("the check is %v", made)
	}
	item := w.path("healthchecks") + "/" + textOf(made, "id")
	changed := w.object(w.must(http.MethodPut, item, object{"name": "a", "address": "192.0.2.1", "type": "TCP", "suspended": true}))
	if got := changed["tcp_config"].(object); got["method"] != "connection_established" || changed["http_config"] != nil || changed["status"] != "suspended" {
		t.Errorf("the check is %v", changed)
	}
}

// TestWebhook verifies that a webhook is tested when it is created, and that it cannot be deleted while
// a policy names it.
func TestWebhook(t *testing.T) {
	w := newResourceWorld(t)
	hooks := w.in("alerting/v3/destinations/webhooks")
	w.refused(http.MethodPost, hooks, object{"name": "a", "url": "http://example.com"}, http.StatusBadRequest, 0)
	made := w.make(hooks, object{"name": "a", "url": "https://hooks.slack.com/services/x", "secret": "s"})
	id := textOf(made, "id")
	if len(made) != 1 || id == "" {
		t.Errorf("the answer to the creation is %v", made)
	}
	if got := w.object(w.must(http.MethodGet, hooks+"/"+id, nil)); got["type"] != "slack" || got["secret"] != nil {
		t.Errorf("the webhook is %v", got)
	}
	policy := w.make(w.in("alerting/v3/policies"), object{
		"name": "p", "alert_type": "tunnel_health_event", "enabled": true, "mechanisms": object{"webhooks": []any{object{"id": id}}},
	})
	w.refused(http.MethodDelete, hooks+"/"+id, nil, http.StatusBadRequest, simulator.CodeWebhookInUse)
	w.must(http.MethodDelete, w.in("alerting/v3/policies")+"/"+textOf(policy, "id"), nil)
	w.must(http.MethodDelete, hooks+"/"+id, nil)
	w.refused(http.MethodGet, hooks+"/"+id, nil, http.StatusNotFound, 0)
}
