// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package dnsrecord_test

import (
	"encoding/json"
	"errors"
	"os"
	"slices"
	"testing"

	"github.com/provider-cloudflare/provider-cloudflare/internal/dnsrecord"
)

// conformanceCase is a row of testdata/conformance.json. The same rows test the
// composition function in functions/dns, which is a module of its own.
type conformanceCase struct {
	Case   string `json:"case"`
	Reason string `json:"reason"`

	Zone     string         `json:"zone"`
	Name     string         `json:"name"`
	Type     string         `json:"type"`
	Content  *string        `json:"content"`
	Data     dnsrecord.Data `json:"data"`
	Priority *int64         `json:"priority"`
	TTL      *int64         `json:"ttl"`
	Proxied  *bool          `json:"proxied"`

	// Want is the canonical record. Refused is the field of the refusal.
	Want *struct {
		Name     string  `json:"name"`
		Content  string  `json:"content"`
		Priority *uint16 `json:"priority"`
	} `json:"want"`
	Refused string `json:"refused"`

	// FunctionRefuses says why the composition function refuses what the provider
	// accepts.
	FunctionRefuses string `json:"functionRefuses"`
}

func readConformance(t *testing.T) []conformanceCase {
	t.Helper()
	raw, err := os.Open("testdata/conformance.json")
	if err != nil {
		t.Fatal(err)
	}
	defer raw.Close()
	decoder := json.NewDecoder(raw)
	decoder.DisallowUnknownFields()
	var cases []conformanceCase
	if err := decoder.Decode(&cases); err != nil {
		t.Fatal(err)
	}
	return cases
}

func TestConformance(t *testing.T) {
	t.Parallel()
	cases := readConformance(t)
	seen := map[string]bool{}
	for _, tc := range cases {
		if seen[tc.Case] || tc.Reason == "" || (tc.Want == nil) != (tc.Refused != "") {
			t.Errorf("%s: a row has a name of its own, a reason, and either want or refused", tc.Case)
		}
		seen[tc.Case] = true
		t.Run(tc.Case, func(t *testing.T) {
			t.Parallel()
			tc.check(t)
		})
	}
	for _, typ := range dnsrecord.Types() {
		if !slices.ContainsFunc(cases, func(tc conformanceCase) bool { return tc.Type == typ && tc.Want != nil }) {
			t.Errorf("no row has a record of type %s", typ)
		}
	}
}

func (tc conformanceCase) check(t *testing.T) {
	t.Helper()
	got, err := dnsrecord.Parse(tc.Zone, dnsrecord.Input{
		Name: tc.Name, Type: tc.Type, Content: tc.Content, Data: tc.Data,
		Priority: tc.Priority, TTL: tc.TTL, Proxied: tc.Proxied,
	})
	if tc.Want == nil {
		var fe *dnsrecord.FieldError
		if !errors.As(err, &fe) || fe.Field != tc.Refused {
			t.Errorf("%s: got %+v and error %v, want a refusal of %s", tc.Reason, got, err, tc.Refused)
		}
		return
	}
	if err != nil {
		t.Fatalf("%s: %v", tc.Reason, err)
	}
	if got.Name != tc.Want.Name || got.Content != tc.Want.Content || !equal(got.Priority, tc.Want.Priority) {
		t.Errorf("%s: got %q, %q, priority %v; want %q, %q, priority %v", tc.Reason,
			got.Name, got.Content, show(got.Priority), tc.Want.Name, tc.Want.Content, show(tc.Want.Priority))
	}
}

func equal[T comparable](a, b *T) bool { return a == b || a != nil && b != nil && *a == *b }

func show[T any](p *T) any {
	if p == nil {
		return nil
	}
	return *p
}
