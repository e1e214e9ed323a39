// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package openapi

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

const (
	zonePath          = basePath + "/zones/0123456789abcdef0123456789abcdef"
	accountPath       = basePath + "/accounts/0123456789abcdef0123456789abcdef"
	recordsPath       = zonePath + "/dns_records"
	recordPath        = recordsPath + "/fedcba9876543210fedcba9876543210"
	configurationPath = accountPath + "/cfd_tunnel/01234567-89ab-4def-8123-456789abcdef/configurations"
	resourceID        = "fedcba9876543210fedcba9876543210"
	addressPath       = accountPath + "/email/routing/addresses/" + resourceID
)

// body is a JSON object of a test.
type body = map[string]any

// with returns a copy of b with changes. The value absent removes a member.
func with(b, changes body) body {
	out := body{}
	for k, v := range b {
		out[k] = v
	}
	for k, v := range changes {
		if v == absent {
			delete(out, k)
			continue
		}
		out[k] = v
	}
	return out
}

// absentMember is a type of its own, so that no JSON value equals it.
type absentMember struct{}

// absent removes a member when it is a value of with.
var absent = absentMember{}

func success(result any) body {
	return body{"success": true, "errors": []any{}, "messages": []any{}, "result": result}
}

func failure(code int, message string) body {
	return body{"success": false, "errors": []any{body{"code": code, "message": message}}, "messages": []any{}, "result": nil}
}

func list(results ...any) body {
	if results == nil {
		results = []any{}
	}
	return with(success(results), body{"result_info": body{"page": 1, "per_page": 100, "count": len(results), "total_count": len(results), "total_pages": 1}})
}

func aRequest() body {
	return body{"type": "A", "name": "www.example.com", "content": "192.0.2.1", "ttl": 300, "proxied": false}
}

func aRecord() body {
	return with(aRequest(), body{
		"id": "fedcba9876543210fedcba9876543210", "proxiable": true, "settings": body{}, "meta": body{}, "comment": nil, "tags": []any{},
		"created_on": "2026-01-02T03:04:05.678901Z", "modified_on": "2026-01-02T03:04:05.678901Z",
	})
}

func srvRecord() body {
	return with(aRecord(), body{
		"type": "SRV", "name": "_sip._tcp.example.com", "proxiable": false, "content": "5 5060 sip.example.com",
		"data": body{"priority": 10, "weight": 5, "port": 5060, "target": "sip.example.com"},
	})
}

func srvRequest() body {
	return body{
		"type": "SRV", "name": "_sip._tcp.example.com", "ttl": 300,
		"data": body{"priority": 10, "weight": 5, "port": 5060, "target": "sip.example.com"},
	}
}

func aWorkerRoute() body { return body{"id": resourceID, "pattern": "example.com/*"} }

func mxRecord() body {
	return with(aRecord(), body{"type": "MX", "content": "mx.example.com", "priority": 10, "proxiable": false})
}

// talk is one exchange, as JSON values.
type talk struct {
	method string // "" means GET.
	path   string
	send   any
	status int // 0 means 200.
	answer any
	header http.Header // Of the response, in addition to its content type.
	noAuth bool
	noType bool // The request has no content type.
	strict bool // The client must not send a bad request.
}

// hold performs an exchange and returns the reports about it.
func (tk talk) hold(t *testing.T, doc *Document) []error {
	t.Helper()
	var reported []error
	wrap := doc.Wrap
	if tk.strict {
		wrap = doc.WrapStrict
	}
	handler := wrap(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if _, err := io.Copy(io.Discard, r.Body); err != nil {
			t.Errorf("cannot read the request: %v", err)
		}
		for name, values := range tk.header {
			w.Header()[name] = values
		}
		tk.write(t, w)
	}), func(err error) { reported = append(reported, err) })

	var sent io.Reader
	if tk.send != nil {
		sent = strings.NewReader(encode(t, tk.send))
	}
	method := tk.method
	if method == "" {
		method = http.MethodGet
	}
	r := httptest.NewRequest(method, tk.path, sent)
	if !tk.noType {
		r.Header.Set("Content-Type", "application/json")
	}
	if !tk.noAuth {
		r.Header.Set("Authorization", "Bearer x")
	}
	handler.ServeHTTP(httptest.NewRecorder(), r)
	return reported
}

func (tk talk) write(t *testing.T, w http.ResponseWriter) {
	t.Helper()
	status := tk.status
	if status == 0 {
		status = http.StatusOK
	}
	text, isText := tk.answer.(string)
	if !isText {
		w.Header().Set("Content-Type", "application/json")
		text = encode(t, tk.answer)
	}
	w.WriteHeader(status)
	if _, err := io.WriteString(w, text); err != nil {
		t.Errorf("cannot answer: %v", err)
	}
}

func encode(t *testing.T, v any) string {
	t.Helper()
	out, err := json.Marshal(v)
	if err != nil {
		t.Fatalf("json.Marshal(): %v", err)
	}
	return string(out)
}

// brief returns a violation without its reason: "request /ttl".
func brief(err error) string {
	var v *Violation
	if !errors.As(err, &v) {
		return fmt.Sprintf("no *Violation: %v", err)
	}
	return v.Part + " " + v.Pointer
}

func briefs(errs []error) []string {
	var out []string
	for _, err := range errs {
		out = append(out, brief(err))
	}
	return out
}

func load(t *testing.T) *Document {
	t.Helper()
	doc, err := Load()
	if err != nil {
		t.Fatalf("Load(): %v", err)
	}
	return doc
}
