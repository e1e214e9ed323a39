// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package kindapi_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/provider-cloudflare/provider-cloudflare/internal/kind"
	"github.com/provider-cloudflare/provider-cloudflare/internal/kind/kindapi"
)

func TestCanonical(t *testing.T) {
	d := kind.Description{
		Group: "g", Name: "K", List: "GET /accounts/{account_id}/boxes/{box_name}/things", Read: "GET /accounts/{account_id}/boxes/{box_name}/things/{id}",
		Headers: map[string]string{"cf-place": "place"}, HeaderDefaults: map[string]string{"cf-place": "default"},
	}
	global := kind.Description{
		Group: "g", Name: "K", List: "GET /things", Read: "GET /things/{id}",
		ListQuery: map[string]string{"zone_id": "{zone_id}", "deleted": "false"},
	}
	below := global
	below.Read = "GET /zones/{zone_id}/things/{id}"
	const acc = "023e105f4ecef8ad9ca31a8372d0c353"
	for _, tc := range []struct {
		reason    string
		d         kind.Description
		key, want string
	}{
		{"it is canonical", d, "g K /accounts/" + acc + "/boxes/Box/things", "g K /accounts/" + acc + "/boxes/Box/things"},
		{"an ID in upper case, and a name that stays", d, "g K /accounts/023E105F4ECEF8AD9CA31A8372D0C353/boxes/Box/things", "g K /accounts/" + acc + "/boxes/Box/things"},
		{"what is escaped stays so", d, "g K /accounts/a/boxes/a%2FB%20c/things", "g K /accounts/a/boxes/a%2FB%20c/things"},
		{"a header that tells resources apart", d, "g K /accounts/a/boxes/b/things Cf-Place=eu", "g K /accounts/a/boxes/b/things Cf-Place=eu"},
		{"a header that says the same as none", d, "g K /accounts/a/boxes/b/things Cf-Place=default", "g K /accounts/a/boxes/b/things"},
		{"a header that the description does not know", d, "g K /accounts/a/boxes/b/things Cf-Other=default", "g K /accounts/a/boxes/b/things Cf-Other=default"},
		{"a scope that only the list has", global, "g K /things deleted=false zone_id=" + acc, "g K /things deleted=false"},
		{"a scope that the resource has as well", below, "g K /things deleted=false zone_id=" + acc, "g K /things deleted=false zone_id=" + acc},
		{"a path of another description", d, "g K /elsewhere/023E105F4ECEF8AD9CA31A8372D0C353", "g K /elsewhere/023E105F4ECEF8AD9CA31A8372D0C353"},
		{"no parent", d, "", ""},
	} {
		if got := kindapi.Canonical(tc.d, tc.key); got != tc.want {
			t.Errorf("%s: Canonical(%q) = %q, want %q", tc.reason, tc.key, got, tc.want)
		}
	}
}

// TestIdentity expects one identity for a resource that is visible below an account and its zone, if its ID is unique.
func TestIdentity(t *testing.T) {
	either := kind.Description{
		Group: "g", Name: "K", Scope: kind.Either, List: "GET /{accounts_or_zones}/{account_or_zone_id}/things",
		Read: "GET /{accounts_or_zones}/{account_or_zone_id}/things/{id}",
	}
	fragment := either
	fragment.Shape = kind.Fragment
	const acc, zone, id = "023e105f4ecef8ad9ca31a8372d0c353", "123e105f4ecef8ad9ca31a8372d0c353", "223e105f4ecef8ad9ca31a8372d0c353"
	for _, tc := range []struct {
		reason string
		d      kind.Description
		id     string
		one    bool
	}{
		{"Cloudflare gives no ID twice", either, id, true},
		{"also where it is spelled otherwise", either, strings.ToUpper(id), true},
		{"it is a UUID", either, "f174e90a-fafe-4643-bbbc-4a0ed4fc8415", true},
		{"a number counts below its parent", either, "1", false},
		{"the key of an element is its user's", fragment, id, false},
	} {
		a := kindapi.Identity(tc.d, "g K /accounts/"+acc+"/things", tc.id)
		b := kindapi.Identity(tc.d, "g K /zones/"+zone+"/things", tc.id)
		if (a == b) != tc.one {
			t.Errorf("%s: the identities are %q and %q, which are to be one: %t", tc.reason, a, b, tc.one)
		}
	}
}

// TestSpelling expects the right ID in the error of a resource that was requested by another spelling.
func TestSpelling(t *testing.T) {
	const id, asked = "023e105f4ecef8ad9ca31a8372d0c353", "023E105F4ECEF8AD9CA31A8372D0C353"
	beside := thing()
	beside.ReadLacks = []string{"id"}
	for _, tc := range []struct {
		reason  string
		d       kind.Description
		answers map[string]answer
		is      string
	}{
		{"the answer has the ID", thing(), map[string]answer{"GET /accounts/acc/things/" + asked: ok(`{"id":"`+id+`"}`, "")}, id},
		{"the answer is about another one", thing(), map[string]answer{"GET /accounts/acc/things/" + asked: ok(`{"id":"x"}`, "")}, ""},
		{"the list has the ID", beside, map[string]answer{
			"GET /accounts/acc/things/" + asked: ok(`{"name":"a"}`, ""), "GET /accounts/acc/things": ok(`[{"id":"`+id+`"},{"id":"x"}]`, ""),
		}, id},
	} {
		r, _ := resources(t, tc.d, tc.answers)
		_, err := r.Get(t.Context(), asked)
		var other *kindapi.NonCanonicalIDError
		if errors.As(err, &other) != (tc.is != "") || err == nil || other != nil && other.ID != tc.is {
			t.Errorf("%s: Get(...) = %v, want the ID %q", tc.reason, err, tc.is)
		}
	}
}
