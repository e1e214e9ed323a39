// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package kind_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/provider-cloudflare/provider-cloudflare/internal/kind"
)

func TestVariantsCheck(t *testing.T) {
	text := kind.Type{JSON: "string"}
	variants := kind.Variants{
		"ssl":         {"value": {JSON: "string", Enum: []string{"off", "full"}}},
		"challenge":   {"value": {JSON: "number", Enum: []string{"300", "900"}}},
		"ttl":         {"value": {JSON: "integer", Min: "0", Max: "100"}},
		"streams":     {"value": {JSON: "integer", Min: "1"}},
		"timeout":     {"value": {JSON: "number", Max: "6000"}},
		"packs":       {"value": {JSON: "string", MaxLen: 3}},
		"ciphers":     {"value": {JSON: "array", Elem: &text}},
		"header":      {"value": {JSON: "object", Members: map[string]kind.Type{"hsts": {JSON: "object", Members: map[string]kind.Type{"on": {JSON: "boolean"}}}}}},
		"recommender": {"enabled": {JSON: "boolean"}},
		"both":        {"value": text, "enabled": {JSON: "boolean"}},
	}
	names := map[string]string{"value": "value", "enabled": "isEnabled"}
	tests := []struct{ reason, of, want, err string }{
		{"a word that is allowed", "ssl", `{"value":"full"}`, ""},
		{"a word that the document does not have: the API may", "ssl", `{"value":"origin_pull"}`, ""},
		{"YAML makes a boolean of off", "ssl", `{"value":false}`, `is the boolean false, but ssl takes one of "off", "full"; put it in quotes`},
		{"YAML makes a number of 1.2", "ssl", `{"value":1.2}`, `is the number 1.2, but ssl takes one of "off", "full"; put it in quotes`},
		{"a list instead of a word", "ssl", `{"value":[]}`, `is an array, but ssl`},
		{"null is no value", "ssl", `{"value":null}`, `is null, but ssl`},
		{"a number that is allowed, written otherwise", "challenge", `{"value":3e2}`, ""},
		{"a number that the document does not have", "challenge", `{"value":301}`, ""},
		{"a number in quotes", "challenge", `{"value":"300"}`, "one of 300, 900; leave out the quotes"},
		{"the lower bound", "ttl", `{"value":0}`, ""},
		{"below it", "ttl", `{"value":-1}`, "an integer from 0 to 100"},
		{"the upper bound", "ttl", `{"value":100}`, ""},
		{"above it", "ttl", `{"value":101}`, "an integer from 0 to 100"},
		{"no integer", "ttl", `{"value":1.5}`, "an integer from 0 to 100"},
		{"a lower bound alone", "streams", `{"value":0}`, "an integer of at least 1"},
		{"an upper bound alone", "timeout", `{"value":6000.5}`, "a number of at most 6000"},
		{"characters are counted, and not bytes", "packs", `{"value":"äöü"}`, ""},
		{"too many characters", "packs", `{"value":"abcd"}`, "a string of at most 3 characters"},
		{"elements of the right type", "ciphers", `{"value":["a"]}`, ""},
		{"an element of another one", "ciphers", `{"value":["a",1]}`, "spec.forProvider.value[1] is the number 1, but ciphers takes a string; put it in quotes"},
		{"no array", "ciphers", `{"value":"a"}`, "an array, of each element a string"},
		{"a member of a member", "header", `{"value":{"hsts":{"on":true}}}`, ""},
		{"a part of an object", "header", `{"value":{}}`, ""},
		{"a member of another type", "header", `{"value":{"hsts":{"on":"true"}}}`, "spec.forProvider.value.hsts.on is the string \"true\", but header takes a boolean; leave out the quotes"},
		{"an unknown member", "header", `{"value":{"hsts":{"off":true}}}`, "spec.forProvider.value.hsts.off does not exist: header takes an object with on (a boolean)"},
		{"no object", "header", `{"value":1}`, "an object with hsts (an object with on (a boolean))"},
		{"a member that has no value", "recommender", `{"value":"on"}`, "spec.forProvider.value does not apply to recommender: set isEnabled instead"},
		{"a member that has one", "recommender", `{"isEnabled":true}`, ""},
		{"nothing", "recommender", `{}`, "spec.forProvider.isEnabled is required unless spec.managementPolicies only observe"},
		{"nothing of two", "both", `{}`, "spec.forProvider.isEnabled or value is required"},
		{"the API is newer than the document", "tomorrow", `{"value":{"x":1}}`, ""},
	}
	for _, tc := range tests {
		d := json.NewDecoder(strings.NewReader(strings.ReplaceAll(tc.want, "isEnabled", "enabled")))
		d.UseNumber()
		want := kind.Document{}
		if err := d.Decode(&want); err != nil {
			t.Fatal(err)
		}
		err := variants.Check(tc.of, want, names)
		if (err != nil) != (tc.err != "") || err != nil && !strings.Contains(err.Error(), tc.err) {
			t.Errorf("%s: the error is %v, want %q in it", tc.reason, err, tc.err)
		}
	}
}
