// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package document_test

import (
	"slices"
	"testing"

	"github.com/provider-cloudflare/provider-cloudflare/hack/kindgen/document"
)

// TestOfficial reads the document of the SDK in go.mod.
func TestOfficial(t *testing.T) {
	d, err := document.Official(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	op, err := d.Operation("PUT /accounts/{account_id}/r2/buckets/{bucket_name}/domains/custom/{domain}")
	if err != nil {
		t.Fatal(err)
	}
	if op.Body() == nil || op.Result() == nil {
		t.Errorf("the operation has body %v, answer %v", op.Body(), op.Result())
	}
	create, err := d.Operation("POST /accounts/{account_id}/tokens")
	if err != nil || !slices.Equal(create.Permissions, []string{"Account API Tokens Write"}) || !create.Plans["free"] {
		t.Errorf("the operation is %+v, %v: want its permission and its plans", create, err)
	}
	if h := op.Parameter("header", "cf-r2-jurisdiction"); h["type"] != "string" {
		t.Errorf("its header is %v", h)
	}
	if got := document.Parameters(op.Path); !slices.Equal(got, []string{"account_id", "bucket_name", "domain"}) {
		t.Errorf("its parameters are %q", got)
	}
	for _, name := range []string{"PUT /nowhere", "TRACE /zones/{zone_id}"} {
		if _, err := d.Operation(name); err == nil {
			t.Errorf("there is an operation %s", name)
		}
	}
}

// TestResolve follows references, whose siblings take precedence.
func TestResolve(t *testing.T) {
	d, err := document.Parse([]byte(`{"a~b": {"c/d": {"$ref": "#/e", "description": "near"}}, "e": {"type": "string", "description": "far"}}`))
	if err != nil {
		t.Fatal(err)
	}
	got := d.Resolve(map[string]any{"$ref": "#/a~0b/c~1d"})
	if got["type"] != "string" || got["description"] != "near" {
		t.Errorf("it is %v, want the type of what is referred to and the nearest text", got)
	}
	loop, err := document.Parse([]byte(`{"a": {"$ref": "#/a"}}`))
	if err != nil {
		t.Fatal(err)
	}
	if got := loop.Resolve(map[string]any{"$ref": "#/a"}); got["type"] != nil {
		t.Errorf("a reference to itself gives %v", got)
	}
	if _, err := document.FromModule(t.TempDir()); err == nil {
		t.Error("a folder without a document has one")
	}
}
