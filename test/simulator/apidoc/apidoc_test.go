// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package apidoc

import (
	"encoding/json"
	"strings"
	"testing"
)

type object = map[string]any

func decode[T any](t *testing.T, text string) T {
	t.Helper()
	var v T
	dec := json.NewDecoder(strings.NewReader(text))
	dec.UseNumber()
	if err := dec.Decode(&v); err != nil {
		t.Fatalf("cannot decode %s: %v", text, err)
	}
	return v
}

func encode(t *testing.T, v any) string {
	t.Helper()
	raw, err := json.Marshal(v)
	if err != nil {
		t.Fatalf("cannot encode: %v", err)
	}
	return string(raw)
}

func TestCheck(t *testing.T) {
	cases := map[string]struct {
		reason, schema, value, want string
	}{
		"Type":         {"a type", `{"type":"string"}`, `1`, "must be a string"},
		"Enum":         {"one of some", `{"enum":["a"]}`, `"b"`, "must be one of the documented values"},
		"EnumNumber":   {"numbers are equal by value", `{"enum":[7]}`, `7.0`, ""},
		"Null":         {"null is a value of its own", `{"type":"string"}`, `null`, "must not be null"},
		"Nullable":     {"unless it may be", `{"type":"string","nullable":true}`, `null`, ""},
		"Required":     {"what must be there", `{"required":["a"],"properties":{"a":{"type":"string"}}}`, `{}`, "a is required"},
		"ServersOwn":   {"is not asked for where it is the server's", `{"required":["a"],"properties":{"a":{"readOnly":true}}}`, `{}`, ""},
		"Ignored":      {"nor looked at", `{"properties":{"a":{"type":"string","readOnly":true}}}`, `{"a":1}`, ""},
		"Unknown":      {"what nobody knows is fine", `{"properties":{"a":{"type":"string"}}}`, `{"b":1}`, ""},
		"Nested":       {"the path is named", `{"properties":{"a":{"type":"array","items":{"type":"integer"}}}}`, `{"a":[1,"x"]}`, "a.1 must be a number"},
		"Whole":        {"an integer", `{"type":"integer"}`, `1.5`, "must be a whole number"},
		"Minimum":      {"a bound", `{"type":"number","minimum":1}`, `0`, "must not be below 1"},
		"Exclusive":    {"a bound that is out", `{"type":"number","minimum":1,"exclusiveMinimum":true}`, `1`, "must not be below 1"},
		"Maximum":      {"a bound", `{"type":"number","maximum":1}`, `2`, "must not be above 1"},
		"MinLength":    {"in characters", `{"type":"string","minLength":2}`, `"ü"`, "must have 2 characters or more"},
		"MaxLength":    {"in characters", `{"type":"string","maxLength":1}`, `"ü"`, ""},
		"Items":        {"a number of elements", `{"type":"array","maxItems":1}`, `[1,2]`, "must have 1 elements or fewer"},
		"Unique":       {"each once", `{"type":"array","uniqueItems":true}`, `[1,1.0]`, "must not have an element twice"},
		"Pattern":      {"a form", `{"type":"string","pattern":"^a$"}`, `"b"`, "must match ^a$"},
		"OtherPattern": {"a form that Go cannot read is not judged", `{"type":"string","pattern":"^(?!a)$"}`, `"b"`, ""},
		"Time":         {"a time", `{"type":"string","format":"date-time"}`, `"today"`, "must be a time of RFC 3339"},
		"UUID":         {"a UUID", `{"type":"string","format":"uuid"}`, `"x"`, "must be a UUID"},
		"All":          {"all parts", `{"allOf":[{"type":"string"},{"enum":["a"]}]}`, `"b"`, "must be one of the documented values"},
		"Any":          {"one alternative", `{"anyOf":[{"type":"string"},{"type":"boolean"}]}`, `true`, ""},
		"None":         {"no alternative", `{"anyOf":[{"type":"string"},{"type":"boolean"}]}`, `1`, "fits none of the 2 documented forms"},
		"Values":       {"members of any name", `{"type":"object","values":{"type":"string"}}`, `{"x":1}`, "x must be a string"},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			schema := decode[Schema](t, tc.schema)
			got := ""
			if wrong := schema.Check(decode[any](t, tc.value)); wrong != nil {
				got = wrong.String()
			}
			if got != tc.want {
				t.Errorf("%s: want %q, got %q", tc.reason, tc.want, got)
			}
		})
	}
	schema := decode[Schema](t, `{"required":["a"],"properties":{"a":{"type":"string"}}}`)
	if wrong := schema.CheckPart(object{}); wrong != nil {
		t.Errorf("a merge needs all that is required: %v", wrong)
	}
}

func TestFillStripHide(t *testing.T) {
	const schema = `{"properties":{
		"a":{"type":"string","default":"x"},
		"b":{"type":"object","properties":{"c":{"type":"integer","default":1}}},
		"d":{"type":"object","computed":true,"properties":{"e":{"type":"boolean","default":true}}},
		"f":{"type":"string","readOnly":true,"default":"y"},
		"g":{"type":"array","items":{"properties":{"h":{"default":2},"i":{"readOnly":true}}}},
		"j":{"anyOf":[{"properties":{"k":{"type":"string"}}},{"properties":{"l":{"sensitive":true}}}]}}}`
	s := decode[Schema](t, schema)
	for reason, tc := range map[string]struct{ given, want string }{
		"defaults":             {`{}`, `{"a":"x","d":{"e":true}}`},
		"what is given":        {`{"a":"z","d":null}`, `{"a":"z","d":null}`},
		"within what is there": {`{"b":{},"g":[{}]}`, `{"a":"x","b":{"c":1},"d":{"e":true},"g":[{"h":2}]}`},
	} {
		given := decode[any](t, tc.given)
		if got := encode(t, s.Fill(given)); got != tc.want {
			t.Errorf("%s: want %s, got %s", reason, tc.want, got)
		}
		if encode(t, given) != tc.given {
			t.Errorf("%s: what was given has changed", reason)
		}
	}
	if got := encode(t, s.Strip(decode[any](t, `{"a":"1","f":"2","g":[{"h":1,"i":2}],"z":3}`))); got != `{"a":"1","g":[{"h":1}],"z":3}` {
		t.Errorf("want all but what is the server's, got %s", got)
	}
	shown := decode[object](t, `{"a":"1","j":{"k":"1","l":"2"}}`)
	s.Hide(shown)
	if encode(t, shown) != `{"a":"1","j":{"k":"1"}}` {
		t.Errorf("want all but secrets, of any alternative, got %v", shown)
	}
}

// TestExtract verifies that the extract is complete: every path has an operation, and every
// reference has a target.
func TestExtract(t *testing.T) {
	doc := Load()
	for _, path := range Paths() {
		if len(doc.Paths[path]) == 0 {
			t.Errorf("%s has no operation: run make generate", path)
		}
	}
	if len(doc.Paths) != len(Paths()) {
		t.Errorf("want %d paths, got %d: run make generate", len(Paths()), len(doc.Paths))
	}
	var walk func(where string, s *Schema)
	walk = func(where string, s *Schema) {
		if s == nil {
			return
		}
		if s.Ref != "" && s.target == nil {
			t.Errorf("%s refers to %s, which is not there", where, s.Ref)
		}
		for name, p := range s.Properties {
			walk(where+"."+name, p)
		}
		walk(where+"[]", s.Items)
	}
	for name, s := range doc.Schemas {
		walk(name, s)
	}
	if _, err := parse([]byte("{")); err == nil {
		t.Error("a broken extract is taken")
	}
}

// TestRequiredBesideReference verifies that a body that refers to a response does not need all
// members of the response.
func TestRequiredBesideReference(t *testing.T) {
	body := Load().Operation("PUT", "/accounts/{account_id}/workers/domains").Body
	if wrong := body.Check(map[string]any{"hostname": "a.example.com", "service": "a"}); wrong != nil {
		t.Errorf("a host name and a Worker are refused: %s", wrong)
	}
	if wrong := body.Check(map[string]any{"hostname": "a.example.com"}); wrong == nil || wrong.Path != "service" {
		t.Errorf("a host name alone: %v, want that service is missing", wrong)
	}
}
