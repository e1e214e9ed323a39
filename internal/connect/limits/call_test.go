// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package limits

import (
	"context"
	"errors"
	"math/rand/v2"
	"net/http"
	"net/url"
	"path"
	"slices"
	"strings"
	"testing"
)

const (
	zoneA    = "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
	zoneB    = "bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb"
	zoneU    = "cccccccccccccccccccccccccccccccc"
	zoneGone = "dddddddddddddddddddddddddddddddd"
	accountA = "0000000000000000000000000000000a"
	accountB = "0000000000000000000000000000000b"
)

var errAway = errors.New("no answer")

// known are Names that resolve to what a test sets.
type known struct {
	zones    map[string]Zone
	accounts map[string][]string
	fail     bool
	// failing is the name of an account whose lookup fails.
	failing string
}

func (k known) Zone(_ context.Context, id string) (Zone, error) {
	z, ok := k.zones[id]
	if k.fail {
		return Zone{}, errAway
	}
	z.Unknown = !ok
	return z, nil
}

func (k known) Accounts(_ context.Context, name string) ([]string, error) {
	if k.fail || k.failing == name {
		return nil, errAway
	}
	return k.accounts[name], nil
}

func cloud() known {
	return known{
		zones: map[string]Zone{
			zoneA: {Name: "a.example", AccountID: accountA}, zoneB: {Name: "b.example", AccountID: accountB},
			zoneU: {Name: "bücher.example", AccountID: accountA},
		},
		accounts: map[string][]string{"Team A": {accountA}, "Team B": {accountB}},
	}
}

func body(s string) [][]byte { return [][]byte{[]byte(s)} }

func TestDecide(t *testing.T) {
	t.Parallel()
	get := func(path string) Call { return Call{Method: http.MethodGet, Path: path} }
	list := func(query string) Call {
		q, _ := url.ParseQuery(query)
		return Call{Method: http.MethodGet, Path: "/zones", Query: q}
	}
	post := func(path, json string) Call { return Call{Method: http.MethodPost, Path: path, Bodies: body(json)} }
	put := func(path, json string) Call { return Call{Method: http.MethodPut, Path: path, Bodies: body(json)} }
	none, zones, accounts := Limits{}, Limits{Zones: []string{zoneA}}, Limits{Accounts: []string{accountA}}
	both := Limits{Zones: []string{zoneA}, Accounts: []string{accountA}}
	for _, tc := range []struct {
		reason string
		limits Limits
		call   Call
		field  string // "" if it is allowed
	}{
		{"without limits everything goes", none, get("/user/tokens"), ""},
		{"kinds and namespaces are no limits on calls", Limits{Kinds: []string{"dns"}, Namespaces: true}, get("/user/tokens"), ""},
		{"a zone in the list", zones, get("/zones/" + zoneA + "/dns_records"), ""},
		{"the zone itself", zones, get("/zones/" + zoneA), ""},
		{"another zone", zones, get("/zones/" + zoneB + "/dns_records"), FieldZones},
		{"another zone below the name of one in the list", zones, get("/zones/" + zoneB + "/" + zoneA), FieldZones},
		{"a zone by name", Limits{Zones: []string{"a.example"}}, get("/zones/" + zoneA + "/settings"), ""},
		{"a zone by name, written otherwise", Limits{Zones: []string{"A.Example."}}, get("/zones/" + zoneA), ""},
		{"a zone by its Unicode name", Limits{Zones: []string{"bücher.example"}}, get("/zones/" + zoneU), ""},
		{"a zone by the ASCII form of its Unicode name", Limits{Zones: []string{"xn--bcher-kva.example"}}, get("/zones/" + zoneU), ""},
		{"a zone below the name", Limits{Zones: []string{"example"}}, get("/zones/" + zoneB), FieldZones},
		{"a zone that is gone, where names are listed", Limits{Zones: []string{"a.example"}}, get("/zones/" + zoneGone), ""},
		{"a zone that is gone, in nobody's account", Limits{Accounts: []string{accountA}}, get("/zones/" + zoneGone), ""},
		{"a zone that is gone, where IDs are listed", zones, get("/zones/" + zoneGone), FieldZones},
		{"another zone than the one of the name", Limits{Zones: []string{"a.example"}}, get("/zones/" + zoneB), FieldZones},
		{"no name is a pattern", Limits{Zones: []string{"*.example", "*"}}, get("/zones/" + zoneA), FieldZones},
		{"an account where zones are listed alone", zones, get("/accounts/" + accountA + "/cfd_tunnel"), FieldZones},
		{"an account in the list", accounts, get("/accounts/" + accountA + "/cfd_tunnel"), ""},
		{"an account by name", Limits{Accounts: []string{"Team A"}}, get("/accounts/" + accountA + "/cfd_tunnel"), ""},
		{"another account", accounts, get("/accounts/" + accountB + "/cfd_tunnel"), FieldAccounts},
		{"another account than the one of the name", Limits{Accounts: []string{"Team A"}}, get("/accounts/" + accountB + "/x"), FieldAccounts},
		{"names of accounts are exact", Limits{Accounts: []string{"team a"}}, get("/accounts/" + accountA + "/x"), FieldAccounts},
		{"a zone of an account in the list", accounts, get("/zones/" + zoneA + "/settings"), ""},
		{"a zone of another account", accounts, get("/zones/" + zoneB + "/settings"), FieldAccounts},
		{"a zone in the list, in an account in the list", both, get("/zones/" + zoneA), ""},
		{"a zone in the list that has moved to another account", Limits{Zones: []string{zoneB}, Accounts: []string{accountA}}, get("/zones/" + zoneB), FieldAccounts},
		{"a zone of an account in the list that is in no list of zones", Limits{Zones: []string{zoneB}, Accounts: []string{accountA}}, get("/zones/" + zoneA), FieldZones},
		{"the account itself where both are listed", both, get("/accounts/" + accountA + "/rules/lists"), ""},
		{"a user's own", zones, get("/user/tokens"), FieldZones},
		{"memberships", accounts, get("/memberships"), FieldAccounts},
		{"certificates, whose zone is in no path", both, post("/certificates", `{"hostnames":["a.example"]}`), FieldZones + " and " + FieldAccounts},
		{"the verification of a user's token", both, get("/user/tokens/verify"), ""},
		{"the verification of an account's token, of any account", both, get("/accounts/" + accountB + "/tokens/verify"), ""},
		{"a token of that name", both, Call{Method: http.MethodPut, Path: "/accounts/" + accountB + "/tokens/verify"}, FieldAccounts},
		{"tokens of another account", both, get("/accounts/" + accountB + "/tokens/verify/x"), FieldAccounts},
		{"the zones of a name", both, list("name=b.example"), ""},
		{"all zones", both, list("per_page=50"), FieldZones + " and " + FieldAccounts},
		{"zones by a part of their names", both, list("name=contains:example"), FieldZones + " and " + FieldAccounts},
		{"a new zone of a name in the list", Limits{Zones: []string{"new.example"}}, post("/zones", `{"name":"NEW.example","account":{"id":"`+accountB+`"}}`), ""},
		{"a new zone of another name", Limits{Zones: []string{"new.example", zoneA}}, post("/zones", `{"name":"b.example"}`), FieldZones},
		{"a new zone whose name is the ID in the list", zones, post("/zones", `{"name":"`+zoneA+`"}`), FieldZones},
		{"a new zone in an account in the list", accounts, post("/zones", `{"name":"b.example","account":{"id":"`+accountA+`"}}`), ""},
		{"a new zone in another account", accounts, post("/zones", `{"name":"b.example","account":{"id":"`+accountB+`"}}`), FieldAccounts},
		{"a new zone in no account", accounts, post("/zones", `{"name":"b.example"}`), FieldAccounts},
		{"a new zone without a name", zones, post("/zones", `{}`), FieldZones},
		{"a host name in another zone, in the body", both, post("/accounts/"+accountA+"/workers/domains", `{"zone_id":"`+zoneB+`"}`), FieldZones},
		{"the same, deeper and in the other spelling", both, post("/accounts/"+accountA+"/r2", `{"a":[{"zoneId":"`+zoneB+`"}]}`), FieldZones},
		{"a host name in a zone in the list", both, post("/accounts/"+accountA+"/workers/domains", `{"zone_id":"`+zoneA+`"}`), ""},
		{"another zone by its tag", both, put("/accounts/"+accountA+"/x", `{"zone_tag":"`+zoneB+`"}`), FieldZones},
		{"another zone, in a spelling of nobody's", both, put("/accounts/"+accountA+"/x", `{"Zone_ID":"`+zoneB+`"}`), FieldZones},
		{"a zone of the list by its tag", both, put("/accounts/"+accountA+"/x", `{"zoneTag":"`+zoneA+`"}`), ""},
		{"an ID in capitals in the body", both, put("/accounts/"+accountA+"/x", `{"zone_id":"`+strings.ToUpper(zoneB)+`"}`), FieldZones + " and " + FieldAccounts},
		{"an ID with a blank in the body", zones, put("/zones/"+zoneA+"/x", `{"zone_id":" `+zoneB+`"}`), FieldZones},
		{"a zone's name in the body", accounts, put("/accounts/"+accountA+"/x", `{"zoneId":"b.example"}`), FieldAccounts},
		{"a number in place of an ID", zones, put("/zones/"+zoneA+"/x", `{"zone_id":1}`), FieldZones},
		{"an object in place of an ID", zones, put("/zones/"+zoneA+"/x", `{"zone_id":{"id":"`+zoneB+`"}}`), FieldZones},
		{"no value for a zone", both, put("/accounts/"+accountA+"/x", `{"zone_id":null,"zoneId":"","zones":[]}`), ""},
		{"a list that has another zone", both, put("/accounts/"+accountA+"/x", `{"filters":{"zones":["`+zoneA+`","`+zoneB+`"]}}`), FieldZones},
		{"a list of zones of the list", both, put("/accounts/"+accountA+"/x", `{"filters":{"zones":["`+zoneA+`"]}}`), ""},
		{"a list that has a zone's name", both, put("/accounts/"+accountA+"/x", `{"filters":{"zones":["b.example"]}}`), FieldZones + " and " + FieldAccounts},
		{"a zone of another account in the body", accounts, post("/accounts/"+accountA+"/r2", `{"zoneId":"`+zoneB+`"}`), FieldAccounts},
		{"another zone by its name, where that is all that the API takes", Limits{Zones: []string{"a.example"}, Accounts: []string{accountA}}, post("/accounts/"+accountA+"/x", `{"probe_zone":"b.example"}`), FieldZones},
		{"the same in a list", Limits{Zones: []string{"a.example"}, Accounts: []string{accountA}}, post("/accounts/"+accountA+"/x", `{"filters":{"target_zone_name":["a.example","b.example"]}}`), FieldZones},
		{"a zone of the list by its name", Limits{Zones: []string{"a.example"}, Accounts: []string{accountA}}, post("/accounts/"+accountA+"/x", `{"probe_zone":"A.example.","filters":{"target_zone_name":["a.example"]}}`), ""},
		{"a zone by its name, where IDs are listed", both, post("/accounts/"+accountA+"/x", `{"probe_zone":"a.example"}`), FieldZones},
		{"a zone by its name in an account of the list", accounts, post("/accounts/"+accountA+"/x", `{"probe_zone":"b.example"}`), ""},
		{"a number in place of a zone's name", zones, put("/zones/"+zoneA+"/x", `{"probe_zone":1}`), FieldZones},
		{"no value for a zone's name", both, put("/accounts/"+accountA+"/x", `{"probe_zone":"","target_zone_name":null}`), ""},
		{"an ID in capitals is none", zones, get("/zones/" + strings.ToUpper(zoneA)), FieldZones},
		{"an account's ID as that of a zone", both, get("/zones/" + accountA), FieldZones},
		{"both in one path", both, get("/accounts/" + accountB + "/zones/" + zoneA), FieldAccounts},
		{"a step up", zones, get("/zones/" + zoneA + "/../" + zoneB), FieldZones},
		{"an escaped step up", zones, get("/zones/" + zoneA + "/%2e%2e/" + zoneB), FieldZones},
		{"a step up, escaped twice", zones, get("/zones/" + zoneA + "/%252e%252e/" + zoneB), FieldZones},
		{"an escaped separator", zones, get("/zones/" + zoneA + "/x%2f..%2f.." + zoneB), FieldZones},
		{"an empty part", zones, get("/zones//" + zoneA), FieldZones},
		{"a path that begins with two separators", zones, get("//zones/" + zoneA), FieldZones},
		{"a query in the path", zones, get("/zones/" + zoneA + "/x%3fy"), FieldZones},
		{"a name with a blank, a star and an at sign", accounts, get("/accounts/" + accountA + "/x/a%20b*@c.example"), ""},
	} {
		err := tc.limits.Judge(cloud()).Decide(t.Context(), tc.call)
		var refused *Error
		switch {
		case tc.field == "" && err != nil:
			t.Errorf("%s: %v", tc.reason, err)
		case tc.field != "" && (!errors.As(err, &refused) || refused.Field != tc.field):
			t.Errorf("%s: got %v, want a refusal by %s", tc.reason, err, tc.field)
		}
	}
}

// TestDecideUnknown shows that a call is not allowed if its zone or account cannot be looked up, and that the
// error is no refusal.
func TestDecideUnknown(t *testing.T) {
	t.Parallel()
	for _, l := range []Limits{{Zones: []string{"a.example"}}, {Accounts: []string{"Team A"}}, {Accounts: []string{accountA}}} {
		err := l.Judge(known{fail: true}).Decide(t.Context(), Call{Method: http.MethodGet, Path: "/zones/" + zoneA})
		if !errors.Is(err, errAway) || errors.As(err, new(*Error)) {
			t.Errorf("%v: got %v, want what could not be found out", l, err)
		}
	}
}

// TestUnknownZones shows that a zone that the API does not show may be read, but not written to, and that a Judge looks
// it up again: it may be visible to another credential, and shown later.
func TestUnknownZones(t *testing.T) {
	t.Parallel()
	names := cloud()
	for _, l := range []Limits{{Zones: []string{"a.example"}}, {Accounts: []string{accountA}}} {
		j := l.Judge(&names)
		for _, method := range []string{http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete} {
			err := j.Decide(t.Context(), Call{Method: method, Path: "/zones/" + zoneGone})
			if err == nil || errors.As(err, new(*Error)) {
				t.Errorf("%v, %s: got %v, want what could not be found out", l, method, err)
			}
		}
		see := Call{Method: http.MethodGet, Path: "/zones/" + zoneGone}
		if err := j.Decide(t.Context(), see); err != nil {
			t.Errorf("%v: it cannot be read: %v", l, err)
		}
		below := Call{Method: http.MethodGet, Path: see.Path + "/dns_records"} // The credential may see the records of a hidden zone.
		if err := j.Decide(t.Context(), below); err == nil || j.Admit(t.Context(), see.Path) == nil {
			t.Errorf("%v: what is in it can be read", l)
		}
		holder := l.Judge(&names)
		holder.Holds(zoneGone, Zone{Name: "a.example", AccountID: accountA})
		if err := holder.Decide(t.Context(), below); err != nil || holder.Admit(t.Context(), see.Path) != nil {
			t.Errorf("%v: an object that was in it cannot find out that it is gone: %v", l, err)
		}
		stranger := l.Judge(&names)
		stranger.Holds(zoneGone, Zone{Name: "b.example", AccountID: accountB})
		if err := stranger.Decide(t.Context(), below); !errors.As(err, new(*Error)) {
			t.Errorf("%v: got %v for an object that was in another zone, want a refusal", l, err)
		}
		names.zones[zoneGone] = Zone{Name: "b.example", AccountID: accountB}
		if err := j.Decide(t.Context(), see); !errors.As(err, new(*Error)) {
			t.Errorf("%v: got %v when it is shown, want a refusal", l, err)
		}
		delete(names.zones, zoneGone)
	}
}

// TestAccountsGoOn shows that a failed lookup of one account does not hide the others of the list.
func TestAccountsGoOn(t *testing.T) {
	t.Parallel()
	names := cloud()
	names.failing = "Team C"
	j := Limits{Accounts: []string{"Team C", "Team A"}}.Judge(names)
	if err := j.Decide(t.Context(), Call{Method: http.MethodGet, Path: "/accounts/" + accountA}); err != nil {
		t.Error(err)
	}
	err := j.Decide(t.Context(), Call{Method: http.MethodGet, Path: "/accounts/" + accountB})
	if !errors.Is(err, errAway) || errors.As(err, new(*Error)) {
		t.Errorf("got %v, want what could not be found out", err)
	}
}

// TestAllowedStays shows that a Judge goes on to allow what it has allowed, and nothing else, while lookups fail.
func TestAllowedStays(t *testing.T) {
	t.Parallel()
	names := cloud()
	j := Limits{Zones: []string{"a.example"}, Accounts: []string{"Team A"}}.Judge(&names)
	see := func(id string) error {
		return j.Decide(t.Context(), Call{Method: http.MethodGet, Path: "/zones/" + id})
	}
	if err := see(zoneA); err != nil {
		t.Fatal(err)
	}
	names.fail = true
	if err := see(zoneA); err != nil {
		t.Errorf("the zone that was allowed: %v", err)
	}
	if err := see(zoneB); err == nil {
		t.Error("another zone is allowed")
	}
}

// TestNoWayOut tries paths with parts that servers read in several ways. After any decoding and cleaning, an allowed
// path leads to the zone or the account of the lists.
func TestNoWayOut(t *testing.T) {
	t.Parallel()
	parts := []string{
		"zones", "accounts", "user", "memberships", zoneA, zoneB, accountA, accountB, strings.ToUpper(zoneA), "", ".", "..", "%2e", "%2E%2e", ".%2e",
		"%2f", "%5c..", "%252e%252e", "%252f", "..%2f" + zoneB, "..%2f..%2fuser", "x", "x%00", "x;y", "x?y", "x#y", "dns_records", "tokens", "verify", "%7a%6fnes", "Zones",
		" zones", "zones%20",
	}
	l := Limits{Zones: []string{zoneA}, Accounts: []string{accountA}}
	judge, allowed := l.Judge(cloud()), 0
	random := rand.New(rand.NewPCG(1, 2))
	for range 200_000 {
		p := ""
		for range 1 + random.IntN(6) {
			p += "/" + parts[random.IntN(len(parts))]
		}
		if random.IntN(4) == 0 {
			p = "/" + []string{"zones/" + zoneA, "accounts/" + accountA}[random.IntN(2)] + p
		}
		if judge.Decide(t.Context(), Call{Method: http.MethodDelete, Path: p}) != nil {
			continue
		}
		allowed++
		for _, read := range readings(p) {
			if !strings.HasPrefix(read+"/", "/zones/"+zoneA+"/") && !strings.HasPrefix(read+"/", "/accounts/"+accountA+"/") {
				t.Fatalf("%s is allowed, and may be read as %s", p, read)
			}
		}
	}
	if allowed < 1000 {
		t.Errorf("only %d paths are allowed: this shows nothing", allowed)
	}
}

// readings returns the paths that servers may read p as.
func readings(p string) []string {
	out := []string{p}
	for range 3 {
		for _, q := range slices.Clone(out) {
			decoded, err := url.PathUnescape(q)
			if err == nil {
				out = append(out, decoded)
			}
			out = append(out, path.Clean(q), strings.ReplaceAll(q, `\`, "/"))
			if cut := strings.IndexAny(q, "?#;\x00"); cut >= 0 {
				out = append(out, q[:cut])
			}
		}
		slices.Sort(out)
		out = slices.Compact(out)
	}
	return out
}

func TestKind(t *testing.T) {
	t.Parallel()
	const dns, iam = "dns.cloudflare.m.crossplane.io", "iam.cloudflare.m.crossplane.io"
	for _, tc := range []struct {
		reason      string
		limits      Limits
		group, kind string
		want        bool
	}{
		{"without limits everything goes", Limits{}, iam, "AccountToken", true},
		{"no list of kinds", Limits{Zones: []string{zoneA}}, dns, "Record", true},
		{"named by its kind", Limits{Kinds: []string{"Record"}}, dns, "Record", true},
		{"named by its group", Limits{Kinds: []string{dns}}, dns, "Record", true},
		{"named by the first label of its group", Limits{Kinds: []string{"dns"}}, dns, "Record", true},
		{"another kind of the group", Limits{Kinds: []string{"DNSSEC"}}, dns, "Record", false},
		{"another group", Limits{Kinds: []string{"zone"}}, dns, "Record", false},
		{"a kind is no group", Limits{Kinds: []string{"Zone"}}, "zone.cloudflare.m.crossplane.io", "ZoneSetting", false},
		{"a token, where zones are limited", Limits{Zones: []string{zoneA}}, iam, "AccountToken", false},
		{"a token, where namespaces are limited", Limits{Namespaces: true}, iam, "UserToken", false},
		{"a token, where other kinds are named", Limits{Kinds: []string{"dns"}}, iam, "AccountMember", false},
		{"a token that is named", Limits{Kinds: []string{"AccountToken"}, Accounts: []string{accountA}}, iam, "AccountToken", true},
		{"another token than the one that is named", Limits{Kinds: []string{"AccountToken"}}, iam, "UserToken", false},
		{"tokens whose group is named", Limits{Kinds: []string{"iam"}}, iam, "UserToken", true},
	} {
		err := tc.limits.Kind(tc.group, tc.kind)
		var refused *Error
		if tc.want != (err == nil) || err != nil && (!errors.As(err, &refused) || refused.Field != FieldKinds) {
			t.Errorf("%s: got %v, want allowed: %t", tc.reason, err, tc.want)
		}
	}
}
