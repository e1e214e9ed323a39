// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package simulator_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/provider-cloudflare/provider-cloudflare/test/simulator"
)

func TestCustomHostnames(t *testing.T) {
	w := newResourceWorld(t)
	hostnames := w.path("custom_hostnames")
	made := w.make(hostnames, object{"hostname": "A.example.net", "ssl": object{"method": "txt", "type": "dv"}})
	ssl := made["ssl"].(object)
	if made["hostname"] != "a.example.net" || made["status"] != "pending" || ssl["status"] != "initializing" || ssl["bundle_method"] != "ubiquitous" {
		t.Errorf("want a pending host name with defaults, got %v", made)
	}
	if made["ownership_verification"] == nil || ssl["validation_records"] == nil {
		t.Errorf("want what the tenant has to publish, got %v", made)
	}
	item := hostnames + "/" + textOf(made, "id")
	other := w.object(w.must(http.MethodPatch, item, object{"custom_origin_server": "o.example.com"}))
	if other["ssl"].(object)["id"] != ssl["id"] {
		t.Errorf("a PATCH of something else makes a new certificate: %v", other)
	}
	again := w.object(w.must(http.MethodPatch, item, object{"ssl": object{"method": "http", "type": "dv"}}))
	if again["ssl"].(object)["id"] == ssl["id"] || again["custom_origin_server"] != "o.example.com" {
		t.Errorf("want a new certificate and the rest as it was, got %v", again)
	}
	for query, want := range map[string]int{"?hostname=a.ex": 1, "?hostname.exact=a.ex": 0, "?hostname.exact=a.example.net": 1} {
		if got := len(w.listed(hostnames + query)); got != want {
			t.Errorf("%s: want %d, got %d", query, want, got)
		}
	}
	w.refused(http.MethodPost, hostnames, object{"hostname": "a.example.net"}, http.StatusConflict, simulator.CodeResourceConflict)
	w.refused(http.MethodPost, hostnames, object{"hostname": "no name"}, http.StatusBadRequest, simulator.CodeResourceInvalid)
	w.make(hostnames, object{"hostname": "b.example.net"}) // Without ssl it has no certificate.
}

func TestWidgetSecrets(t *testing.T) {
	w := newResourceWorld(t)
	widgets := w.in("challenges/widgets")
	made := w.make(widgets, object{"name": "a", "mode": "managed", "domains": []any{"example.com"}})
	item, secret := widgets+"/"+textOf(made, "sitekey"), textOf(made, "secret")
	if secret == "" || made["region"] != "world" {
		t.Fatalf("want a secret and defaults, got %v", made)
	}
	if got := w.object(w.must(http.MethodGet, item, nil)); got["secret"] != secret {
		t.Errorf("want the secret in a single answer, got %v", got)
	}
	if raw := w.must(http.MethodGet, widgets, nil).raw; strings.Contains(raw, secret) {
		t.Error("a list has the secret")
	}
	rotated := w.object(w.must(http.MethodPost, item+"/rotate_secret", object{"invalidate_immediately": true}))
	if got := textOf(rotated, "secret"); got == secret || got == "" {
		t.Errorf("want another secret, got %q", got)
	}
	var domains []any
	for range 11 {
		domains = append(domains, "example.com")
	}
	w.refused(http.MethodPost, widgets, object{"name": "a", "mode": "managed", "domains": domains}, http.StatusBadRequest, simulator.CodeResourceInvalid)
}

func TestQueues(t *testing.T) {
	w := newResourceWorld(t)
	queues := w.in("queues")
	made := w.make(queues, object{"queue_name": "a"})
	settings := made["settings"].(object)
	if settings["message_retention_period"] != 345600.0 || made["consumers_total_count"] != 0.0 {
		t.Errorf("want a queue's defaults, got %v", made)
	}
	w.refused(http.MethodPost, queues, object{"queue_name": "a"}, http.StatusConflict, simulator.CodeQueueExists)
	w.refused(http.MethodGet, queues+"/0123456789abcdef0123456789abcdef", nil, http.StatusNotFound, simulator.CodeQueueNotFound)
}

func TestRulesLists(t *testing.T) {
	w := newResourceWorld(t)
	lists := w.in("rules/lists")
	made := w.make(lists, object{"name": "a", "kind": "ip", "description": "x"})
	put := w.object(w.must(http.MethodPut, lists+"/"+textOf(made, "id"), object{"description": "y"}))
	if put["name"] != "a" || put["kind"] != "ip" || put["description"] != "y" || put["num_items"] != 0.0 {
		t.Errorf("want another description alone, got %v", put)
	}
	w.refused(http.MethodPost, lists, object{"name": "a", "kind": "ip"}, http.StatusConflict, simulator.CodeResourceConflict)
}
