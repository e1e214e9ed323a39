// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package model_test

import (
	"strings"
	"testing"

	"github.com/provider-cloudflare/provider-cloudflare/hack/kindgen/document"
	"github.com/provider-cloudflare/provider-cloudflare/hack/kindgen/model"
	"github.com/provider-cloudflare/provider-cloudflare/internal/kind"
)

// uploading returns a document with a collection whose bodies are forms.
func uploading(t *testing.T) *document.Document {
	t.Helper()
	const answer = `"responses": {"200": {"content": {"application/json": {"schema": {"properties": {"result": {"type": "object", "properties": {
		"id": {"type": "string", "description": "ID."}, "etag": {"type": "string", "description": "Etag."}}}}}}}}}`
	d, err := document.Parse([]byte(`{"paths": {
		"/accounts/{account_id}/scripts": {"get": {` + answer + `}},
		"/accounts/{account_id}/scripts/{script_name}": {"get": {` + answer + `}, "delete": {"x-api-token-group": ["Write"], ` + answer + `},
			"put": {"x-api-token-group": ["Write"], "parameters": [{"in": "path", "name": "script_name", "description": "Its name.", "schema": {"type": "string", "maxLength": 9}}],
				"requestBody": {"content": {"multipart/form-data": {"schema": {"type": "object", "properties": {
					"files": {"type": "array", "description": "Of the type text/plain.", "items": {"type": "string"}},
					"metadata": {"type": "object", "properties": {"main": {"type": "string", "description": "Main."}}}}}}}}, ` + answer + `}}
	}}`))
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func script() kind.Description {
	const one = "/accounts/{account_id}/scripts/{script_name}"
	return kind.Description{
		Group: "made", Name: "Script", Short: "cfs", Noun: "script", Scope: kind.Account, ID: "id", Natural: []string{"id"},
		List: "GET /accounts/{account_id}/scripts", Create: "PUT " + one, Read: "GET " + one, Update: "PUT " + one, Delete: "DELETE " + one,
		Upload: &kind.Upload{Metadata: "metadata", Files: "files", Types: map[string]string{"text": "text/plain"}, Entries: []string{"main"}, Digest: "etag"},
		Fields: map[string]kind.Field{
			"id":    {Name: "scriptName"},
			"files": {Name: "modules", Set: true, Key: "name", Required: true, WriteOnly: true},
		},
		Gone: []kind.Code{{Status: 404}}, Permissions: []string{"Write"}, Plan: "All plans",
	}
}

func TestUpload(t *testing.T) {
	k, err := model.Build(uploading(t), script())
	if err != nil {
		t.Fatal(err)
	}
	if id := k.Spec.At("id"); id == nil || id.Origin != model.Name || !id.Required || !id.Immutable || id.MaxLen != 9 {
		t.Errorf("the name is %+v, want a field that is required and never changes, with the bound of the path", id)
	}
	if main := k.Spec.At("main"); main == nil || k.Spec.At("metadata") != nil {
		t.Error("the fields are not those of the part with the metadata")
	}
	if content := k.Spec.At("files[].content"); content == nil || !content.Content || content.Required {
		t.Errorf("the content of a file is %+v", content)
	}
	if kinds := k.Spec.At("files[].type"); kinds == nil || strings.Join(kinds.Enum, " ") != "text" || !kinds.Required {
		t.Errorf("the type of a file is %+v", kinds)
	}
}

func TestUploadFaults(t *testing.T) {
	for reason, tc := range map[string]struct {
		change func(d *kind.Description)
		says   string
	}{
		"a name that no field has":          {func(d *kind.Description) { d.Fields["id"] = kind.Field{} }, "say the Name of id"},
		"a part that is not there":          {func(d *kind.Description) { d.Upload.Metadata = "settings" }, "has no part settings"},
		"a type that the document has not":  {func(d *kind.Description) { d.Upload.Types["odd"] = "text/odd" }, "no files of the type text/odd"},
		"an entry that is no field":         {func(d *kind.Description) { d.Upload.Entries = []string{"index"} }, "index is in Entries"},
		"a digest that no answer has":       {func(d *kind.Description) { d.Upload.Digest = "sum" }, "sum is the Digest"},
		"files that would be compared":      {func(d *kind.Description) { d.Fields["files"] = kind.Field{Set: true, Key: "name"} }, "say WriteOnly"},
		"a secret that is none":             {func(d *kind.Description) { d.Fields["main"] = kind.Field{PlainToo: []string{"x"}} }, "PlainToo says nothing"},
		"other people's elements of no set": {func(d *kind.Description) { d.Fields["main"] = kind.Field{Others: &kind.UnmanagedElements{}} }, "Others says nothing"},
		"a plan without a default":          {func(d *kind.Description) { d.Fields["main"] = kind.Field{Entitled: true} }, "Entitled says nothing"},
	} {
		d := script()
		tc.change(&d)
		if _, err := model.Build(uploading(t), d); err == nil || !strings.Contains(err.Error(), tc.says) {
			t.Errorf("%s: Build(...) = %v, want %q in it", reason, err, tc.says)
		}
	}
}
