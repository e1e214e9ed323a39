// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package kindapi_test

import (
	"errors"
	"fmt"
	"io"
	"mime"
	"mime/multipart"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/provider-cloudflare/provider-cloudflare/internal/kind"
	"github.com/provider-cloudflare/provider-cloudflare/internal/kind/kindapi"
)

// worker returns a kind that is sent as a form, named by its user, and read by two operations.
func worker() kind.Description {
	const script = "/accounts/{account_id}/scripts/{script_name}"
	return kind.Description{
		Group: "test", Name: "Script", Noun: "script", ID: "id",
		List: "GET /accounts/{account_id}/scripts", Create: "PUT " + script, Update: "PUT " + script, Read: "GET " + script + "/settings", Delete: "DELETE " + script,
		ReadLacks: []string{"id", "etag"}, Gone: []kind.Code{{Status: 404, Code: 10007}},
		Upload: &kind.Upload{Metadata: "metadata", Files: "files", Types: map[string]string{"esm": "application/javascript+module"}, Digest: "etag"},
	}
}

// parts returns the parts of a form that the test API received.
func parts(t *testing.T, seen string) []string {
	t.Helper()
	_, body, found := strings.Cut(seen, "--")
	if !found {
		t.Fatalf("%q is no form", seen)
	}
	boundary, _, _ := strings.Cut(body, "\r\n")
	r := multipart.NewReader(strings.NewReader("--"+body+"\r\n"), boundary)
	var out []string
	for {
		p, err := r.NextPart()
		if errors.Is(err, io.EOF) {
			return out
		}
		if err != nil {
			t.Fatal(err)
		}
		content, err := io.ReadAll(p)
		if err != nil {
			t.Fatal(err)
		}
		_, about, err := mime.ParseMediaType(p.Header.Get("Content-Disposition"))
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, fmt.Sprintf("%s %s %s %s", about["name"], about["filename"], p.Header.Get("Content-Type"), content))
	}
}

func TestUpload(t *testing.T) {
	const put, read = "PUT /accounts/acc/scripts/mine", "GET /accounts/acc/scripts/mine/settings"
	r, a := resources(t, worker(), map[string]answer{
		put:  ok(`{"id":"mine","etag":"e1"}`, ""),
		read: ok(`{"bindings":[]}`, ""),
	})
	body := kind.Document{"id": "mine", "main": "a.js", "files": []any{
		kind.Document{"name": "a.js", "type": "esm", "content": "binary \x00 and\r\nlines"},
		kind.Document{"name": `b "quoted".js`, "type": "esm", "content": "b"},
	}}
	doc, err := r.Create(t.Context(), body, nil)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(kind.Document{"id": "mine", "etag": "e1", "bindings": []any{}}, doc); diff != "" {
		t.Errorf("Create(...): -want, +got:\n%s", diff)
	}
	want := []string{
		`metadata  application/json {"main":"a.js"}`,
		"a.js a.js application/javascript+module binary \x00 and\r\nlines",
		`b "quoted".js b "quoted".js application/javascript+module b`,
	}
	if diff := cmp.Diff(want, parts(t, a.seen[0])); diff != "" {
		t.Errorf("the form: -want, +got:\n%s", diff)
	}
	if body["id"] != "mine" || body["files"] == nil {
		t.Errorf("the body itself was changed: %v", body)
	}
}

func TestReadInTwoParts(t *testing.T) {
	const read, list = "GET /accounts/acc/scripts/mine/settings", "GET /accounts/acc/scripts"
	gone := answer{http.StatusNotFound, `{"success":false,"errors":[{"code":10007,"message":"no"}]}`}
	tests := []struct {
		reason     string
		read, list answer
		want       kind.Document // nil for an error
		gone       bool
	}{
		{"both", ok(`{"bindings":[]}`, ""), ok(`[{"id":"other","etag":"o"},{"id":"mine","etag":"e","bindings":"no"}]`, ""), kind.Document{"id": "mine", "etag": "e", "bindings": []any{}}, false},
		{"a list that lags says nothing", ok(`{"bindings":[]}`, ""), ok(`[]`, ""), kind.Document{"id": "mine", "bindings": []any{}}, false},
		{"it is gone", gone, ok(`[{"id":"mine","etag":"e"}]`, ""), nil, true},
		{"the list fails", ok(`{"bindings":[]}`, ""), no(500, "1"), nil, false},
	}
	for _, tc := range tests {
		r, _ := resources(t, worker(), map[string]answer{read: tc.read, list: tc.list})
		got, err := r.Get(t.Context(), "mine")
		var absent *kindapi.NotFoundError
		if (err != nil) != (tc.want == nil) || errors.As(err, &absent) != tc.gone {
			t.Errorf("%s: Get(...) = %v", tc.reason, err)
		}
		if diff := cmp.Diff(tc.want, got); err == nil && diff != "" {
			t.Errorf("%s: Get(...): -want, +got:\n%s", tc.reason, diff)
		}
	}
}

func TestWrittenAndUnseen(t *testing.T) {
	const put, read = "PUT /accounts/acc/scripts/mine", "GET /accounts/acc/scripts/mine/settings"
	r, _ := resources(t, worker(), map[string]answer{put: ok(`{"id":"mine"}`, ""), read: no(500, "1")})
	body := kind.Document{"id": "mine"}
	_, created := r.Create(t.Context(), body, nil)
	_, updated := r.Update(t.Context(), "mine", body, nil, nil)
	for what, err := range map[string]error{"Create": created, "Update": updated} {
		var unseen *kindapi.ReadAfterWriteError
		if !errors.As(err, &unseen) || !strings.Contains(err.Error(), "the script was written, and cannot be read") {
			t.Errorf("%s(...) = %v, want that nobody knows what it is now", what, err)
		}
	}
}
