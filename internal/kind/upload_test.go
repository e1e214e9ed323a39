// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package kind_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/provider-cloudflare/provider-cloudflare/internal/kind"
)

func script() kind.Upload {
	return kind.Upload{Metadata: "metadata", Files: "files", Entries: []string{"main", "body"}, Types: map[string]string{"esm": "text/esm"}, Digest: "etag"}
}

func scriptNames() map[string]string {
	return map[string]string{"files": "modules", "main": "mainModule", "body": "bodyPart"}
}

// written returns a document as JSON.
func written(t *testing.T, v any) string {
	t.Helper()
	raw, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}

func TestSplit(t *testing.T) {
	body := doc(t, `{"main":"a","files":[{"name":"a","type":"esm","content":"x"},{"name":"b","type":"odd","content":"y"}]}`)
	metadata, files := script().Split(body)
	if diff := cmp.Diff(kind.Document{"main": "a"}, metadata); diff != "" {
		t.Errorf("the metadata: -want, +got:\n%s", diff)
	}
	want := []kind.File{{Name: "a", MediaType: "text/esm", Content: "x"}, {Name: "b", Content: "y"}}
	if diff := cmp.Diff(want, files); diff != "" {
		t.Errorf("the files: -want, +got:\n%s", diff)
	}
	if body["files"] == nil {
		t.Error("the body itself was changed")
	}
}

func TestCheckFiles(t *testing.T) {
	ref := func(at string) kind.KeyField { return kind.KeyField{Path: at} }
	tests := []struct {
		reason, want string
		refs         []kind.KeyField
		says         string // "" for nothing
	}{
		{"a module with its content", `{"main":"a","files":[{"name":"a","content":"x"}]}`, nil, ""},
		{"one with its content elsewhere", `{"main":"a","files":[{"name":"a"}]}`, []kind.KeyField{ref("files[0].content")}, ""},
		{"the older syntax", `{"body":"a","files":[{"name":"a","content":"x"}]}`, nil, ""},
		{"nothing runs", `{"files":[{"name":"a","content":"x"}]}`, nil, "exactly one of spec.forProvider.mainModule and spec.forProvider.bodyPart"},
		{"two run", `{"main":"a","body":"a","files":[{"name":"a","content":"x"}]}`, nil, "exactly one of"},
		{"it is not there", `{"main":"c","files":[{"name":"a","content":"x"},{"name":"b","content":"x"}]}`, nil, `spec.forProvider.mainModule is "c", which is the name of none of spec.forProvider.modules: set it to one of a, b`},
		{"it is empty", `{"main":"a","files":[{"name":"a","content":""}]}`, nil, "spec.forProvider.modules[a] needs exactly one of"},
		{"it has two contents", `{"main":"a","files":[{"name":"a","content":"x"}]}`, []kind.KeyField{ref("files[0].content")}, "spec.forProvider.modules[a] needs exactly one of"},
		{"it names two keys", `{"main":"a","files":[{"name":"a"}]}`, []kind.KeyField{ref("files[0].content"), ref("files[0].content")}, "needs exactly one of"},
		{"the key is that of another", `{"main":"a","files":[{"name":"a"}]}`, []kind.KeyField{ref("files[1].content")}, "needs exactly one of"},
	}
	for _, tc := range tests {
		want := doc(t, tc.want)
		err := script().CheckEntry(want, scriptNames())
		if err == nil {
			err = script().CheckContent(want, tc.refs, scriptNames())
		}
		if (err == nil) != (tc.says == "") || err != nil && !strings.Contains(err.Error(), tc.says) {
			t.Errorf("%s: got %v, want %q in it", tc.reason, err, tc.says)
		}
	}
}

func TestCheckPlain(t *testing.T) {
	d := kind.Description{Fields: map[string]kind.Field{
		"b": {Set: true, Key: "name"}, "b[]": {By: "b[].type"}, "b[].text": {PlainToo: []string{"plain"}},
		"m{}": {By: "m{}.type"}, "m{}.value": {PlainToo: []string{"plain"}},
	}}
	names := map[string]string{"b[].text": "bindings[].text", "m{}.value": "vars{}.value"}
	ref := []kind.KeyField{{Path: "b[0].text"}}
	tests := []struct {
		reason, want string
		refs         []kind.KeyField
		says         string
	}{
		{"a value that everybody may see", `{"b":[{"name":"x","type":"plain","text":"v"}]}`, nil, ""},
		{"a secret from a Secret", `{"b":[{"name":"x","type":"secret"}]}`, ref, ""},
		{"nothing of that kind", `{"b":[{"name":"x","type":"other"}]}`, nil, ""},
		{"a secret in the spec", `{"b":[{"name":"x","type":"secret","text":"v"}]}`, nil, "spec.forProvider.bindings[x].text is a secret where type is secret: set textSecretRef"},
		{"a value of a Secret that is shown", `{"b":[{"name":"x","type":"plain"}]}`, ref, "spec.forProvider.bindings[x].textSecretRef is set where type is plain"},
		{"a secret in a map", `{"m":{"X":{"type":"secret","value":"v"}}}`, nil, "spec.forProvider.vars.X.value is a secret where type is secret: set valueSecretRef"},
		{"a value of a Secret in a map", `{"m":{"X":{"type":"plain"}}}`, []kind.KeyField{{Path: "m{X}.value"}}, "spec.forProvider.vars.X.valueSecretRef is set where type is plain"},
	}
	for _, tc := range tests {
		err := d.CheckPlain(doc(t, tc.want), tc.refs, names)
		if (err == nil) != (tc.says == "") || err != nil && !strings.Contains(err.Error(), tc.says) {
			t.Errorf("%s: got %v, want %q in it", tc.reason, err, tc.says)
		}
		if err != nil && strings.Contains(err.Error(), `"v"`) {
			t.Errorf("%s: %v shows the value", tc.reason, err)
		}
	}
}

// bound returns a kind with a set of which some elements belong to other owners.
func bound() kind.Description {
	return kind.Description{ReadOnly: []string{"id"}, Fields: map[string]kind.Field{
		"b":       {Set: true, Key: "name", Others: &kind.UnmanagedElements{Are: func(e kind.Document) bool { return e["type"] == "secret" }, Keep: kind.Document{"keep": []any{"secret"}}, As: inherit}},
		"b[]":     {By: "b[].type"},
		"o.level": {Entitled: true, Default: "low"},
	}}
}

func inherit(e kind.Document) kind.Document {
	return kind.Document{"name": e["name"], "type": "inherit"}
}

func TestOthers(t *testing.T) {
	tests := []struct {
		reason           string
		want, live, body string
		differs          bool
	}{
		{"what others put there is no difference", `{"b":[{"name":"x","type":"kv","id":"1"}]}`, `{"b":[{"name":"x","type":"kv","id":"1"},{"name":"s","type":"secret"}]}`, `{"b":[{"id":"1","name":"x","type":"kv"}],"keep":["secret"]}`, false},
		{"what is theirs by no means is", `{"b":[]}`, `{"b":[{"name":"x","type":"kv"}]}`, `{"b":[],"keep":["secret"]}`, true},
		{"a secret of ours that is missing", `{"b":[{"name":"s","type":"secret"}]}`, `{"b":[]}`, `{"b":[{"name":"s","type":"secret"}],"keep":["secret"]}`, true},
		{"a set that nobody declares", `{"a":1}`, `{"a":2,"b":[{"name":"x","type":"kv","new":true},{"name":"s","type":"secret"}]}`, `{"a":1,"b":[{"name":"x","new":true,"type":"kv"}],"keep":["secret"]}`, true},
		{"another type leaves nothing of the old one", `{"b":[{"name":"x","type":"text","text":"v"}]}`, `{"b":[{"name":"x","type":"kv","id":"1"}]}`, `{"b":[{"name":"x","text":"v","type":"text"}],"keep":["secret"]}`, true},
		{"a default that the plan may lack", `{"a":1}`, `{"a":1,"o":{"level":"low","on":true}}`, `{"a":1,"keep":["secret"],"o":{"on":true}}`, false},
		{"no default, so that somebody could set it", `{"a":1}`, `{"a":1,"o":{"level":"high"}}`, `{"a":1,"keep":["secret"],"o":{"level":"high"}}`, false},
	}
	for _, tc := range tests {
		want, live := doc(t, tc.want), doc(t, tc.live)
		if diff := cmp.Diff(tc.body, written(t, bound().UpdateBody(want, live))); diff != "" {
			t.Errorf("%s: UpdateBody(...): -want, +got:\n%s", tc.reason, diff)
		}
		if got := bound().Differences(want, live); (len(got) > 0) != tc.differs {
			t.Errorf("%s: Differences(...) = %v", tc.reason, got)
		}
	}
}

func TestDrop(t *testing.T) {
	want := doc(t, `{"b":[{"name":"x","type":"kv"},{"name":"declared","type":"secret"}]}`)
	live := doc(t, `{"b":[{"name":"ours","type":"secret"},{"name":"theirs","type":"secret"},{"name":"declared","type":"secret"},{"name":"x","type":"kv"}]}`)
	d := bound()
	if diff := cmp.Diff([]string{"ours", "theirs"}, d.OthersAt("b", want, live)); diff != "" {
		t.Errorf("OthersAt(...): -want, +got:\n%s", diff)
	}
	body := d.UpdateBody(want, live)
	d.Drop(body, want, live, "b", []string{"ours"})
	if diff := cmp.Diff(`{"b":[{"name":"x","type":"kv"},{"name":"declared","type":"secret"},{"name":"theirs","type":"inherit"}]}`, written(t, body)); diff != "" {
		t.Errorf("Drop(...): -want, +got:\n%s", diff)
	}
}

func TestKeyed(t *testing.T) {
	d := bound()
	body := doc(t, `{"b":[{"name":"x"},{"name":"y","inner":{"text":"v"}}],"l":[{"a":1}]}`)
	for path, want := range map[string]string{
		"b[1].inner.text": "b[y].inner.text", "b[0].name": "b[x].name", "l[0].a": "l[0].a", "b[7].name": "b[7].name", "a.b": "a.b",
	} {
		if got := d.Keyed(path, body); got != want {
			t.Errorf("Keyed(%s) = %s, want %s", path, got, want)
		}
	}
	kind.Put(body, "b[1].inner.text", "w")
	kind.Without(body, "b[0].name")
	if diff := cmp.Diff(`{"b":[{},{"inner":{"text":"w"},"name":"y"}],"l":[{"a":1}]}`, written(t, body)); diff != "" {
		t.Errorf("Put and Without at positions: -want, +got:\n%s", diff)
	}
	body = kind.Document{"m": kind.FreeFormMap{"a.b": kind.Document{"v": "x"}, "c": kind.Document{"v": "y", "w": "z"}, "d": "e"}}
	if path := "m{a.b}.v"; d.Keyed(path, body) != path {
		t.Errorf("Keyed(%s) = %s", path, d.Keyed(path, body))
	}
	kind.Put(body, "m{a.b}.v", "w")
	kind.Without(body, "m{c}.v")
	kind.Without(body, "m{d}")
	if diff := cmp.Diff(`{"m":{"a.b":{"v":"w"},"c":{"w":"z"}}}`, written(t, body)); diff != "" {
		t.Errorf("Put and Without at names: -want, +got:\n%s", diff)
	}
}

func TestNamed(t *testing.T) {
	d := kind.Description{Read: "GET /a/{account_id}/things/{thing_name}/settings", Create: "PUT /a/{account_id}/things/{thing_name}"}
	if !d.Named() {
		t.Error("a resource whose creation has its name in the path is not named by its user")
	}
	d.Create = "POST /a/{account_id}/things"
	if d.Named() {
		t.Error("a resource that gets its ID from the API is named by its user")
	}
}
