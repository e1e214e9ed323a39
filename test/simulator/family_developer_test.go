// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package simulator_test

import (
	"net/http"
	"testing"

	"github.com/provider-cloudflare/provider-cloudflare/test/simulator"
)

// TestProductCodes verifies the codes that differ per product.
func TestProductCodes(t *testing.T) {
	w := newResourceWorld(t)
	namespaces, routes, buckets := w.in("storage/kv/namespaces"), w.path("workers/routes"), w.in("r2/buckets")
	w.make(namespaces, object{"title": "a"})
	w.make(routes, object{"pattern": "example.com/a"})
	w.make(buckets, object{"name": "bucket-a"})
	const nobody = "/0123456789abcdef0123456789abcdef"
	cases := map[string]struct {
		reason, method, path string
		body                 any
		status, code         int
	}{
		"Title":         {"a title is there once", http.MethodPost, namespaces, object{"title": "a"}, http.StatusBadRequest, simulator.CodeNamespaceExists},
		"NoNamespace":   {"no such namespace", http.MethodGet, namespaces + nobody, nil, http.StatusNotFound, simulator.CodeNamespaceNotFound},
		"NamespaceID":   {"an ID of another shape", http.MethodGet, namespaces + "/x", nil, http.StatusNotFound, simulator.CodeBadIdentifier},
		"Route":         {"a pattern is there once", http.MethodPost, routes, object{"pattern": "example.com/a"}, http.StatusConflict, simulator.CodeWorkerRouteDuplicate},
		"NoRoute":       {"no such route", http.MethodDelete, routes + nobody, nil, http.StatusNotFound, simulator.CodeWorkerRouteNotFound},
		"ForeignRoute":  {"a pattern of another zone", http.MethodPost, routes, object{"pattern": "example.org/a"}, http.StatusBadRequest, simulator.CodeWorkerRoutePattern},
		"Bucket":        {"a name is there once", http.MethodPost, buckets, object{"name": "bucket-a"}, http.StatusConflict, simulator.CodeBucketExists},
		"BucketName":    {"no capitals", http.MethodPost, buckets, object{"name": "bucket-a-"}, http.StatusBadRequest, simulator.CodeBucketName},
		"NoBucket":      {"no such bucket", http.MethodGet, buckets + "/bucket-b", nil, http.StatusNotFound, simulator.CodeBucketNotFound},
		"NoTunnel":      {"an ID of another shape", http.MethodGet, w.in("cfd_tunnel") + nobody, nil, http.StatusNotFound, simulator.CodeBadIdentifier},
		"NoBucketClass": {"the class is a header", http.MethodPatch, buckets + "/bucket-a", nil, http.StatusBadRequest, simulator.CodeResourceInvalid},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			w.T = t
			w.refused(tc.method, tc.path, tc.body, tc.status, tc.code)
			if t.Failed() {
				t.Log(tc.reason)
			}
		})
	}
}

func (w *world) withHeader(method, path, name, value string, body []byte) answer {
	w.Helper()
	return w.request(method, path, http.Header{
		"Authorization": {"Bearer " + w.token}, "Content-Type": {"application/json"}, name: {value},
	}, body)
}

// TestBucketJurisdiction verifies that a bucket exists only in its jurisdiction.
func TestBucketJurisdiction(t *testing.T) {
	w := newResourceWorld(t)
	const header = "Cf-R2-Jurisdiction"
	buckets := w.in("r2/buckets")
	made := w.withHeader(http.MethodPost, buckets, header, "eu", []byte(`{"name":"bucket-a","locationHint":"weur"}`))
	if got := w.object(made); got["jurisdiction"] != "eu" || got["location"] != "WEUR" || got["storage_class"] != "Standard" || got["locationHint"] != nil {
		t.Errorf("want the bucket in the names of answers, got %v", got)
	}
	w.refused(http.MethodGet, buckets+"/bucket-a", nil, http.StatusNotFound, simulator.CodeBucketNotFound)
	if got := w.withHeader(http.MethodGet, buckets+"/bucket-a", header, "eu", nil); got.status != http.StatusOK {
		t.Errorf("want the bucket under its jurisdiction, got %s", got.raw)
	}
	if n := len(w.listed(buckets)); n != 0 {
		t.Errorf("want no bucket in the list of the default, got %d", n)
	}
	w.make(buckets, object{"name": "bucket-a"}) // Another bucket of the same name.
	if w.sim.CountResources(buckets) != 1 || w.sim.CountResources(buckets+";jurisdiction=eu") != 1 {
		t.Error("want a bucket under each jurisdiction")
	}
	if err := w.sim.DeleteResource(buckets + ";jurisdiction=eu/bucket-a"); err != nil || w.sim.CountResources(buckets+";jurisdiction=eu") != 0 {
		t.Errorf("the dashboard cannot delete it: %v", err)
	}
}

func TestBucketClassAndContent(t *testing.T) {
	w := newResourceWorld(t)
	item := w.in("r2/buckets/bucket-a")
	w.make(w.in("r2/buckets"), object{"name": "bucket-a"})
	patched := w.withHeader(http.MethodPatch, item, "Cf-R2-Storage-Class", "InfrequentAccess", nil)
	if got := w.object(patched); got["storage_class"] != "InfrequentAccess" {
		t.Errorf("want the class of the header, got %v", got)
	}
	if err := w.sim.FillBucket(item, 1); err != nil {
		t.Fatal(err)
	}
	w.refused(http.MethodDelete, item, nil, http.StatusConflict, simulator.CodeBucketNotEmpty)
}
