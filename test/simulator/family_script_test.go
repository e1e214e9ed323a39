// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package simulator_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"mime/multipart"
	"net/http"
	"net/textproto"
	"slices"
	"strings"
	"testing"

	"github.com/provider-cloudflare/provider-cloudflare/test/simulator"
)

const esm = "application/javascript+module"

// scriptForm returns the form of an upload. The files have the names of their parts.
func scriptForm(t *testing.T, metadata any, files ...string) (body []byte, contentType string) {
	t.Helper()
	var out bytes.Buffer
	form := multipart.NewWriter(&out)
	raw, err := json.Marshal(metadata)
	if err != nil {
		t.Fatal(err)
	}
	part := func(name, file, media, content string) {
		about := `form-data; name="` + name + `"`
		if file != "" {
			about += `; filename="` + file + `"`
		}
		w, err := form.CreatePart(textproto.MIMEHeader{"Content-Disposition": {about}, "Content-Type": {media}})
		if err == nil {
			_, err = w.Write([]byte(content))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	part("metadata", "", "application/json", string(raw))
	for _, f := range files {
		name, content, _ := strings.Cut(f, "=")
		part(name, name, esm, content)
	}
	if err := form.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes(), form.FormDataContentType()
}

// uploadScript uploads a Worker.
func (w *world) uploadScript(path string, metadata any, files ...string) answer {
	w.Helper()
	body, contentType := scriptForm(w.T, metadata, files...)
	return w.request(http.MethodPut, path, http.Header{"Authorization": {"Bearer " + w.token}, "Content-Type": {contentType}}, body)
}

func TestScriptUpload(t *testing.T) {
	w := newResourceWorld(t)
	script := w.in("workers/scripts") + "/one"
	secret := object{"name": "KEY", "type": "secret_text", "text": "not-to-be-shown"}
	first := w.uploadScript(script, object{"main_module": "a.js", "bindings": []object{secret, {"name": "TEXT", "type": "plain_text", "text": "seen"}}}, "a.js=1")
	if first.status != http.StatusOK {
		t.Fatalf("an upload is answered %d %s", first.status, first.raw)
	}
	settings := w.do(http.MethodGet, script+"/settings", nil)
	if strings.Contains(settings.raw, "not-to-be-shown") || !strings.Contains(settings.raw, `"seen"`) || !strings.Contains(settings.raw, `"KEY"`) {
		t.Errorf("the settings are %s", settings.raw)
	}
	for _, name := range []string{`"etag"`, `"id"`, `"main_module"`} {
		if strings.Contains(settings.raw, name) {
			t.Errorf("the settings have %s: %s", name, settings.raw)
		}
	}
	list := w.do(http.MethodGet, w.in("workers/scripts"), nil)
	if !strings.Contains(list.raw, `"etag"`) || strings.Contains(list.raw, `"bindings"`) || strings.Contains(list.raw, "not-to-be-shown") {
		t.Errorf("the list is %s", list.raw)
	}
}

// TestScriptEtag verifies which uploads change the etag.
func TestScriptEtag(t *testing.T) {
	w := newResourceWorld(t)
	script := w.in("workers/scripts") + "/one"
	etag := func(metadata object, files ...string) any {
		t.Helper()
		if got := w.uploadScript(script, metadata, files...); got.status != http.StatusOK {
			t.Fatalf("an upload is answered %d %s", got.status, got.raw)
		}
		doc, err := w.sim.Resource(script)
		if err != nil {
			t.Fatal(err)
		}
		return doc["etag"]
	}
	first := etag(object{"main_module": "a.js"}, "a.js=1", "b.js=2")
	for reason, tc := range map[string]struct {
		same     bool
		metadata object
		files    []string
	}{
		"the same files in another order": {true, object{"main_module": "a.js"}, []string{"b.js=2", "a.js=1"}},
		"other settings":                  {true, object{"main_module": "a.js", "logpush": true}, []string{"a.js=1", "b.js=2"}},
		"other code":                      {false, object{"main_module": "a.js"}, []string{"a.js=3", "b.js=2"}},
		"a file less":                     {false, object{"main_module": "a.js"}, []string{"a.js=1"}},
	} {
		if got := etag(tc.metadata, tc.files...); (got == first) != tc.same {
			t.Errorf("%s: the etag is the same: %t", reason, got == first)
		}
	}
}

// TestScriptKeepsBindings verifies that an upload replaces all bindings except those that
// it asks to keep.
func TestScriptKeepsBindings(t *testing.T) {
	w := newResourceWorld(t)
	script := w.in("workers/scripts") + "/one"
	all := []object{{"name": "KEY", "type": "secret_text", "text": "k"}, {"name": "TEXT", "type": "plain_text", "text": "t"}}
	for reason, tc := range map[string]struct {
		metadata object
		want     string
	}{
		"nothing is kept":             {object{}, ""},
		"a type is kept":              {object{"keep_bindings": []string{"secret_text"}}, "KEY=k"},
		"one is inherited":            {object{"bindings": []object{{"name": "TEXT", "type": "inherit"}}}, "TEXT=t"},
		"one gets another name":       {object{"bindings": []object{{"name": "NEW", "type": "inherit", "old_name": "KEY"}}}, "NEW=k"},
		"one that is not there":       {object{"bindings": []object{{"name": "NONE", "type": "inherit"}}}, ""},
		"what is sent wins over both": {object{"keep_bindings": []string{"secret_text"}, "bindings": []object{{"name": "KEY", "type": "secret_text", "text": "new"}}}, "KEY=new"},
	} {
		w.uploadScript(script, object{"main_module": "a.js", "bindings": all}, "a.js=1")
		tc.metadata["main_module"] = "a.js"
		if got := w.uploadScript(script, tc.metadata, "a.js=1"); got.status != http.StatusOK {
			t.Fatalf("%s: answered %d %s", reason, got.status, got.raw)
		}
		doc, err := w.sim.Resource(script)
		if err != nil {
			t.Fatal(err)
		}
		var have []string
		list, _ := doc["bindings"].([]any)
		for _, e := range list {
			if b, ok := e.(map[string]any); ok {
				have = append(have, b["name"].(string)+"="+b["text"].(string))
			}
		}
		if got := strings.Join(have, " "); got != tc.want {
			t.Errorf("%s: the bindings are %q, want %q", reason, got, tc.want)
		}
	}
}

// TestScriptKeepsSecrets verifies that an upload keeps secrets that were set alone only if it asks for
// it, and that they are bindings in the order in which they were set.
func TestScriptKeepsSecrets(t *testing.T) {
	var names []string
	for i := range 12 {
		names = append(names, fmt.Sprintf("SECRET_%d", i))
	}
	for _, tc := range []struct {
		reason   string
		metadata object
		want     []string
	}{
		{"their type is kept", object{"keep_bindings": []string{"secret_text"}}, names},
		{"another type is kept", object{"keep_bindings": []string{"secret_key"}}, nil},
		{"nothing is kept", object{}, nil},
		{"one is inherited", object{"bindings": []object{{"name": names[1], "type": "inherit"}}}, names[1:2]},
	} {
		w := newResourceWorld(t)
		script := w.in("workers/scripts") + "/one"
		w.uploadScript(script, object{"main_module": "a.js"}, "a.js=1")
		for _, name := range names {
			w.must(http.MethodPut, script+"/secrets", object{"name": name, "type": "secret_text", "text": "s"})
		}
		w.uploadScript(script, with(tc.metadata, object{"main_module": "a.js"}), "a.js=1")
		var got []string
		list, _ := w.object(w.must(http.MethodGet, script+"/settings", nil))["bindings"].([]any)
		for _, b := range list {
			got = append(got, textOf(b.(object), "name"))
		}
		if !slices.Equal(got, tc.want) {
			t.Errorf("%s: the bindings are %v, want %v", tc.reason, got, tc.want)
		}
	}
}

func TestScriptRefusals(t *testing.T) {
	w := newResourceWorld(t)
	scripts := w.in("workers/scripts")
	nowhere := strings.Repeat("0", 32)
	bound := func(b object) object { return object{"main_module": "a.js", "bindings": []object{b}} }
	for reason, tc := range map[string]struct {
		metadata object
		code     int
	}{
		"no such main module":    {object{"main_module": "b.js"}, simulator.CodeScriptInvalid},
		"nothing runs":           {object{}, simulator.CodeScriptInvalid},
		"both syntaxes":          {object{"main_module": "a.js", "body_part": "a.js"}, simulator.CodeScriptInvalid},
		"no such KV namespace":   {bound(object{"name": "X", "type": "kv_namespace", "namespace_id": nowhere}), simulator.CodeBoundKVNotFound},
		"no such bucket":         {bound(object{"name": "X", "type": "r2_bucket", "bucket_name": "none"}), simulator.CodeBoundBucketNotFound},
		"no such database":       {bound(object{"name": "X", "type": "d1", "database_id": nowhere}), simulator.CodeBoundDatabaseNotFound},
		"no such queue":          {bound(object{"name": "X", "type": "queue", "queue_name": "none"}), simulator.CodeQueueNotFound},
		"no such Worker":         {bound(object{"name": "X", "type": "service", "service": "none"}), simulator.CodeBoundScriptNotFound},
		"a binding without name": {bound(object{"name": "", "type": "plain_text", "text": "x"}), simulator.CodeBindingInvalid},
		"a type without target":  {bound(object{"name": "X", "type": "kv_namespace"}), simulator.CodeScriptInvalid},
	} {
		got := w.uploadScript(scripts+"/one", tc.metadata, "a.js=1")
		if got.status != http.StatusBadRequest || got.code() != tc.code {
			t.Errorf("%s: answered %d %s, want the code %d", reason, got.status, got.raw, tc.code)
		}
	}
	if n := w.sim.CountResources(scripts); n != 0 {
		t.Errorf("%d Workers were made by refused uploads", n)
	}
	w.refused(http.MethodGet, scripts+"/none/settings", nil, http.StatusNotFound, simulator.CodeScriptNotFound)
	w.refused(http.MethodDelete, scripts+"/none", nil, http.StatusNotFound, simulator.CodeScriptNotFound)
}

// TestScriptInUse verifies that a Worker that another Worker or a queue uses cannot be
// deleted.
func TestScriptInUse(t *testing.T) {
	w := newResourceWorld(t)
	scripts := w.in("workers/scripts")
	w.uploadScript(scripts+"/one", object{"main_module": "a.js"}, "a.js=1")
	w.uploadScript(scripts+"/two", object{"main_module": "a.js", "bindings": []object{{"name": "ONE", "type": "service", "service": "one"}}}, "a.js=1")
	w.refused(http.MethodDelete, scripts+"/one", nil, http.StatusConflict, simulator.CodeScriptBound)
	for _, name := range []string{"/two", "/one"} {
		if got := w.do(http.MethodDelete, scripts+name, nil); got.status != http.StatusOK {
			t.Errorf("the deletion of %s is answered %d %s", name, got.status, got.raw)
		}
	}
}
