// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package simulator_test

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"fmt"
	"math/big"
	"net/http"
	"strings"
	"testing"

	"github.com/provider-cloudflare/provider-cloudflare/test/simulator"
)

func TestHyperdriveConfigs(t *testing.T) {
	w := newResourceWorld(t)
	configs := w.in("hyperdrive/configs")
	origin := func(more object) object {
		o := object{"scheme": "postgres", "host": "db.example.com", "port": 5432, "database": "a", "user": "u", "password": "secret-of-the-user"}
		for name, value := range more {
			o[name] = value
		}
		return o
	}
	made := w.make(configs, object{"name": "a", "origin": origin(nil)})
	if made["caching"].(object)["max_age"] != 60.0 || made["origin_connection_limit"] != 60.0 {
		t.Errorf("want a configuration's defaults, got %v", made)
	}
	item := configs + "/" + textOf(made, "id")
	for _, path := range []string{configs, item} {
		if raw := w.must(http.MethodGet, path, nil).raw; strings.Contains(raw, "secret-of-the-user") {
			t.Errorf("%s shows the password", path)
		}
	}
	put := w.object(w.must(http.MethodPut, item, object{"name": "a", "origin": origin(object{"host": "other.example.com"}), "caching": object{"disabled": true}}))
	if caching := put["caching"].(object); put["origin"].(object)["host"] != "other.example.com" || caching["max_age"] != nil {
		t.Errorf("want another host and no cache, got %v", put)
	}
	w.refused(http.MethodPost, configs, object{"name": "a", "origin": origin(nil)}, http.StatusConflict, simulator.CodeResourceConflict)
	w.refused(http.MethodPost, configs, object{"name": "b", "origin": origin(object{"host": "10.0.0.1"})}, http.StatusBadRequest, simulator.CodeHyperdrivePrivate)
	w.must(http.MethodDelete, item, nil)
	w.refused(http.MethodGet, item, nil, http.StatusNotFound, simulator.CodeHyperdriveNotFound)
}

func TestLogpushJobs(t *testing.T) {
	w := newResourceWorld(t)
	jobs := w.path("logpush/jobs")
	body := object{"name": "a", "dataset": "http_requests", "destination_conf": "r2://logs/{DATE}?secret-access-key=x"}
	made := w.make(jobs, body)
	id, whole := made["id"].(float64)
	if !whole || made["enabled"] != false {
		t.Fatalf("want an ID that is a number, and a job that is not enabled, got %v", made)
	}
	item := fmt.Sprintf("%s/%.0f", jobs, id)
	put := w.object(w.must(http.MethodPut, item, object{"enabled": true}))
	if put["enabled"] != true || put["dataset"] != "http_requests" || put["destination_conf"] != body["destination_conf"] {
		t.Errorf("want what was made, enabled, got %v", put)
	}
	if got := w.listed(jobs); len(got) != 1 {
		t.Errorf("want one job, got %v", got)
	}
	invalid := []struct {
		reason, path, dataset, destination string
	}{
		{"a bucket whose owner is not proven", jobs, "http_requests", "s3://logs?region=us-east-1"},
		{"no destination", jobs, "http_requests", "logs"},
		{"a dataset of accounts", jobs, "audit_logs", "r2://logs"},
		{"a dataset of zones", w.in("logpush/jobs"), "http_requests", "r2://logs"},
	}
	for _, tc := range invalid {
		t.Run(tc.reason, func(*testing.T) {
			w.refused(http.MethodPost, tc.path, object{"dataset": tc.dataset, "destination_conf": tc.destination}, http.StatusBadRequest, simulator.CodeResourceInvalid)
		})
	}
	w.make(w.in("logpush/jobs"), object{"dataset": "audit_logs", "destination_conf": "r2://logs"})
	w.must(http.MethodDelete, item, nil)
	w.refused(http.MethodGet, item, nil, http.StatusNotFound, simulator.CodeResourceNotFound)
}

func TestManagedTransforms(t *testing.T) {
	w := newResourceWorld(t)
	headers := w.path("managed_headers")
	of := func(member, id string, enabled bool) object {
		return object{member: []any{object{"id": id, "enabled": enabled}}}
	}
	on := func() map[string]bool {
		out := map[string]bool{}
		got := w.object(w.must(http.MethodGet, headers, nil))
		for _, member := range []string{"managed_request_headers", "managed_response_headers"} {
			for _, e := range got[member].([]any) {
				transform := e.(object)
				out[textOf(transform, "id")] = transform["enabled"] == true
			}
		}
		return out
	}
	offered := len(on())
	w.must(http.MethodPatch, headers, of("managed_request_headers", "add_true_client_ip_headers", true))
	w.must(http.MethodPatch, headers, of("managed_response_headers", "add_security_headers", true))
	if got := on(); len(got) != offered || !got["add_true_client_ip_headers"] || !got["add_security_headers"] || got["add_visitor_location_headers"] {
		t.Errorf("want all transforms, two of them on, got %v", got)
	}
	for _, id := range []string{"remove_visitor_ip_headers", "unknown"} {
		w.refused(http.MethodPatch, headers, of("managed_request_headers", id, true), http.StatusBadRequest, simulator.CodeResourceInvalid)
	}
	if got := on(); got["remove_visitor_ip_headers"] {
		t.Error("a transform with a conflict is on")
	}
}

func TestQueueConsumers(t *testing.T) {
	w := newResourceWorld(t)
	queue := w.in("queues/" + textOf(w.make(w.in("queues"), object{"queue_name": "a"}), "queue_id"))
	consumers := queue + "/consumers"
	pull := object{"type": "http_pull", "settings": object{"batch_size": 5}}
	made := w.make(consumers, pull)
	if settings := made["settings"].(object); settings["batch_size"] != 5.0 || settings["visibility_timeout_ms"] != 30000.0 || made["queue_name"] != "a" {
		t.Errorf("want a consumer's defaults, got %v", made)
	}
	if got := w.object(w.must(http.MethodGet, queue, nil)); got["consumers_total_count"] != 1.0 {
		t.Errorf("want a queue with one consumer, got %v", got)
	}
	w.refused(http.MethodPost, consumers, pull, http.StatusBadRequest, simulator.CodeConsumerExists)
	item := consumers + "/" + textOf(made, "consumer_id")
	w.refused(http.MethodPut, item, object{"type": "worker", "script_name": "a"}, http.StatusBadRequest, simulator.CodeResourceInvalid)
	w.must(http.MethodDelete, item, nil)
	if got := w.object(w.must(http.MethodGet, queue, nil)); got["consumers_total_count"] != 0.0 {
		t.Errorf("want a queue without consumers, got %v", got)
	}
	w.refused(http.MethodGet, w.in("queues/0123456789abcdef0123456789abcdef/consumers"), nil, http.StatusNotFound, simulator.CodeQueueNotFound)
	w.refused(http.MethodPost, consumers, object{"type": "worker", "script_name": "a"}, http.StatusNotFound, simulator.CodeScriptNotFound)
	script := w.in("workers/scripts") + "/a"
	w.uploadScript(script, object{"main_module": "a.js"}, "a.js=export default { fetch() {} }")
	w.refused(http.MethodPost, consumers, object{"type": "worker", "script_name": "a"}, http.StatusBadRequest, simulator.CodeQueueHandlerMissing)
	w.uploadScript(script, object{"main_module": "a.js"}, "a.js=export default { queue(batch) {} }")
	if worker := w.make(consumers, object{"type": "worker", "script_name": "a"}); worker["script"] != "a" || worker["script_name"] != nil {
		t.Errorf("want the Worker as script, got %v", worker)
	}
	w.refused(http.MethodDelete, script, nil, http.StatusConflict, simulator.CodeScriptConsumesQueue)
}

func TestSpectrumApplications(t *testing.T) {
	w := newResourceWorld(t)
	apps := w.path("spectrum/apps")
	app := func(more object) object {
		o := object{"dns": object{"name": "SSH.example.com", "type": "CNAME"}, "protocol": "tcp/22", "traffic_type": "direct", "origin_direct": []any{"tcp://192.0.2.1:22"}}
		for name, value := range more {
			o[name] = value
			if value == nil {
				delete(o, name)
			}
		}
		return o
	}
	made := w.make(apps, app(nil))
	if made["dns"].(object)["name"] != "ssh.example.com" || made["tls"] != "off" || made["proxy_protocol"] != "off" || made["edge_ips"].(object)["connectivity"] != "all" {
		t.Errorf("want a name in lower case, and defaults, got %v", made)
	}
	w.make(apps, app(object{"protocol": "tcp/1000-2000"}))
	w.refused(http.MethodPost, apps, app(nil), http.StatusConflict, simulator.CodeResourceConflict)
	named := object{"name": "origin.example.com"}
	for reason, more := range map[string]object{
		"another zone":              {"dns": object{"name": "ssh.example.net", "type": "CNAME"}},
		"no port":                   {"protocol": "tcp"},
		"two origins":               {"origin_dns": named, "origin_port": 22},
		"no origin":                 {"origin_direct": nil},
		"a host without a port":     {"origin_direct": nil, "origin_dns": named},
		"a port without a host":     {"origin_port": 22},
		"addresses of others alone": {"dns": object{"name": "ssh.example.com", "type": "ADDRESS"}},
	} {
		t.Run(reason, func(*testing.T) {
			w.refused(http.MethodPost, apps, app(more), http.StatusBadRequest, simulator.CodeResourceInvalid)
		})
	}
	item := apps + "/" + textOf(made, "id")
	put := w.object(w.must(http.MethodPut, item, app(object{"origin_direct": nil, "origin_dns": named, "origin_port": "22"})))
	if put["origin_direct"] != nil || put["origin_port"] != "22" {
		t.Errorf("want the other origin, got %v", put)
	}
	w.must(http.MethodDelete, item, nil)
	w.refused(http.MethodGet, item, nil, http.StatusNotFound, simulator.CodeResourceNotFound)
}

func TestCronTriggers(t *testing.T) {
	w := newResourceWorld(t)
	script := w.in("workers/scripts") + "/a"
	schedules := script + "/schedules"
	w.refused(http.MethodGet, schedules, nil, http.StatusNotFound, simulator.CodeScriptNotFound)
	w.uploadScript(script, object{"main_module": "a.js"}, "a.js=export default { scheduled() {} }")
	put := func(crons ...string) []any {
		body := []any{}
		for _, c := range crons {
			body = append(body, object{"cron": c})
		}
		w.must(http.MethodPut, schedules, body)
		return w.object(w.must(http.MethodGet, schedules, nil))["schedules"].([]any)
	}
	if got := put("* * * * *", "0 9 * * MON"); len(got) != 2 || got[0].(object)["created_on"] == nil {
		t.Errorf("want two schedules with their times, got %v", got)
	}
	for reason, body := range map[string]any{
		"no array":           object{"schedules": []any{}},
		"four fields":        []any{object{"cron": "* * * *"}},
		"no expression":      []any{object{}},
		"the same one twice": []any{object{"cron": "* * * * *"}, object{"cron": "* * * * *"}},
	} {
		t.Run(reason, func(t *testing.T) {
			if got := w.do(http.MethodPut, schedules, body); got.status != http.StatusBadRequest {
				t.Errorf("got %v", got)
			}
		})
	}
	if got := put(); len(got) != 0 {
		t.Errorf("want no schedules, got %v", got)
	}
}

func TestMTLSCertificates(t *testing.T) {
	w := newResourceWorld(t)
	certificates := w.in("mtls_certificates")
	authority, key := selfSigned(t, true)
	leaf, _ := selfSigned(t, false)
	made := w.make(certificates, object{"name": "a", "ca": true, "certificates": authority, "private_key": key})
	if made["certificates"] != strings.TrimSpace(authority) || made["type"] != "custom" || made["issuer"] != "CN=a" || made["private_key"] != nil {
		t.Errorf("want what is in the certificate, without its key, got %v", made)
	}
	for reason, body := range map[string]object{
		"no PEM":                          {"ca": false, "certificates": "x"},
		"no certificate":                  {"ca": false, "certificates": key},
		"no authority":                    {"ca": true, "certificates": leaf},
		"the key of another":              {"ca": false, "certificates": leaf, "private_key": key},
		"a certificate that is not whole": {"ca": false, "certificates": "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----"},
	} {
		t.Run(reason, func(*testing.T) {
			w.refused(http.MethodPost, certificates, body, http.StatusBadRequest, simulator.CodeResourceInvalid)
		})
	}
	w.make(certificates, object{"ca": false, "certificates": leaf})
	if got := w.listed(certificates); len(got) != 2 {
		t.Errorf("want two certificates, got %v", got)
	}
	item := certificates + "/" + textOf(made, "id")
	w.must(http.MethodDelete, item, nil)
	w.refused(http.MethodGet, item, nil, http.StatusNotFound, simulator.CodeResourceNotFound)
}

func TestOriginPullCertificates(t *testing.T) {
	w := newResourceWorld(t)
	certificates := w.path("origin_tls_client_auth")
	certificate, key := selfSigned(t, false)
	_, another := selfSigned(t, false)
	made := w.make(certificates, object{"certificate": certificate, "private_key": key})
	if made["certificate"] != strings.TrimSpace(certificate) || made["status"] != "active" || made["private_key"] != nil {
		t.Errorf("want what is in the certificate, without its key, got %v", made)
	}
	w.refused(http.MethodPost, certificates, object{"certificate": certificate, "private_key": another}, http.StatusBadRequest, simulator.CodeResourceInvalid)
	w.refused(http.MethodPost, certificates, object{"certificate": certificate, "private_key": key}, http.StatusBadRequest, simulator.CodeOriginPullExists)
	settings := certificates + "/settings"
	if got := w.object(w.must(http.MethodGet, settings, nil)); got["enabled"] != false {
		t.Errorf("want that a zone shows none at first, got %v", got)
	}
	if got := w.object(w.must(http.MethodPut, settings, object{"enabled": true})); got["enabled"] != true {
		t.Errorf("want that the zone shows it, got %v", got)
	}
	if got := w.listed(certificates); len(got) != 1 {
		t.Errorf("want one certificate, got %v", got)
	}
	item := certificates + "/" + textOf(made, "id")
	if got := w.object(w.must(http.MethodDelete, item, nil)); got["status"] != "pending_deletion" {
		t.Errorf("want a certificate that is leaving, got %v", got)
	}
	w.refused(http.MethodGet, item, nil, http.StatusNotFound, simulator.CodeResourceNotFound)
}

// selfSigned returns a certificate and its private key, both in PEM form.
func selfSigned(t *testing.T, authority bool) (certificate, key string) {
	t.Helper()
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "a"}, IsCA: authority, BasicConstraintsValid: true}
	der, err := x509.CreateCertificate(rand.Reader, template, template, private.Public(), private)
	if err != nil {
		t.Fatal(err)
	}
	pkcs8, err := x509.MarshalPKCS8PrivateKey(private)
	if err != nil {
		t.Fatal(err)
	}
	return string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})), string(pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: pkcs8}))
}
