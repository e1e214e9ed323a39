// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package openapi_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/provider-cloudflare/provider-cloudflare/test/simulator/openapi"
)

// TestForms checks uploads of Workers against the document: the JSON part against its
// schema, and files by their names and types.
func TestForms(t *testing.T) {
	const (
		metadata = "Content-Disposition: form-data; name=\"metadata\"\r\nContent-Type: application/json\r\n\r\n"
		file     = "Content-Disposition: form-data; name=\"a.js\"; filename=\"a.js\"\r\nContent-Type: text/plain\r\n\r\nx"
	)
	doc, err := openapi.Load()
	if err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		reason string
		parts  []string
		says   string // "" for no report.
	}{
		{"a form as it should be", []string{metadata + `{"main_module":"a.js"}`, file}, ""},
		{"a part of the wrong type", []string{metadata + `{"main_module":7}`, file}, "main_module"},
		{"a binding of no kind", []string{metadata + `{"bindings":[{"name":"X","type":"kv_namespace"}]}`, file}, "/bindings/0"},
		{"no metadata", []string{file}, "metadata"},
		{"metadata that is no JSON", []string{metadata + `{`, file}, "is to be JSON"},
		{"metadata twice", []string{metadata + `{}`, metadata + `{}`}, "twice"},
		{"a file by the name of its part", []string{metadata + `{}`, "Content-Disposition: form-data; name=\"a.js\"\r\nContent-Type: text/plain\r\n\r\nx"}, ""},
		{"a file without a name", []string{metadata + `{}`, "Content-Disposition: form-data\r\nContent-Type: text/plain\r\n\r\nx"}, "without a name or a type"},
		{"a file without a type", []string{metadata + `{}`, "Content-Disposition: form-data; name=\"a.js\"; filename=\"a.js\"\r\n\r\nx"}, "without a name or a type"},
	}
	for _, tc := range tests {
		var found []string
		next := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			_, _ = io.Copy(io.Discard, r.Body)
			w.Header().Set("Content-Type", "application/json")
			_, _ = io.WriteString(w, `{"success":true,"errors":[],"messages":[],"result":{"id":"one","startup_time_ms":1}}`)
		})
		body := "--b\r\n" + strings.Join(tc.parts, "\r\n--b\r\n") + "\r\n--b--\r\n"
		r := httptest.NewRequestWithContext(t.Context(), http.MethodPut, "/client/v4/accounts/"+strings.Repeat("0", 32)+"/workers/scripts/one", strings.NewReader(body))
		r.Header.Set("Content-Type", "multipart/form-data; boundary=b")
		r.Header.Set("Authorization", "Bearer x")
		doc.Wrap(next, func(err error) { found = append(found, err.Error()) }).ServeHTTP(httptest.NewRecorder(), r)
		said := strings.Join(found, "; ")
		if (said == "") != (tc.says == "") || !strings.Contains(said, tc.says) {
			t.Errorf("%s: found %q, want %q in it", tc.reason, said, tc.says)
		}
	}
}
