// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package cloudflare

import (
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"
)

func TestPolicyOf(t *testing.T) {
	none := quota{}
	tests := []struct {
		reason string
		lines  []string
		want   quota
	}{
		{"as documented", []string{`"default";q=1200;w=300`}, quota{1200, 5 * time.Minute}},
		{"spaces", []string{` "default" ; q=1200 ;  w=300 `}, quota{1200, 5 * time.Minute}},
		{"the order of parameters does not matter", []string{`"default";w=60;q=5`}, quota{5, time.Minute}},
		{"parameters of others", []string{`"default";q=1200;qu="requests";w=300;pk=:cHNlZw==:`}, quota{1200, 5 * time.Minute}},
		{"a parameter that looks like more", []string{`"default";q=1200;x="a;q=1,\"b\";w=1";w=300`}, quota{1200, 5 * time.Minute}},
		{"the last of two equal parameters", []string{`"default";q=1;q=2;w=300`}, quota{2, 5 * time.Minute}},
		{"a token for a name", []string{`default;q=1200;w=300`}, quota{1200, 5 * time.Minute}},
		{"the one named default", []string{`"burst";q=10;w=1, "default";q=1200;w=300`}, quota{1200, 5 * time.Minute}},
		{"the one named default, first", []string{`"default";q=1200;w=300,"burst";q=10;w=1`}, quota{1200, 5 * time.Minute}},
		{"in lines of their own", []string{`"burst";q=10;w=1`, `"default";q=1200;w=300`}, quota{1200, 5 * time.Minute}},
		{"else the first", []string{`"a";q=10;w=1, "b";q=1200;w=300`}, quota{10, time.Second}},
		{"the first that can be read", []string{`"a";q=x;w=1, "b";q=1200;w=300`}, quota{1200, 5 * time.Minute}},
		{"a name with a comma in it", []string{`"a,b";q=10;w=1`}, quota{10, time.Second}},
		{"no header", nil, none},
		{"empty", []string{""}, none},
		{"no window", []string{`"default";q=1200`}, none},
		{"no quota", []string{`"default";w=300`}, none},
		{"a drafts' older form", []string{`1200;w=300`}, none},
		{"a quote that does not end", []string{`"default;q=1200;w=300`}, none},
		{"no name", []string{`;q=1200;w=300`}, none},
		{"a fraction", []string{`"default";q=12.5;w=300`}, none},
		{"a sign", []string{`"default";q=-1200;w=300`}, none},
		{"a plus", []string{`"default";q=+1200;w=300`}, none},
		{"a text", []string{`"default";q="1200";w=300`}, none},
		{"a flag", []string{`"default";q;w=300`}, none},
		{"more digits than an integer has", []string{`"default";q=0000000000001200;w=300`}, none},
		{"more than any number holds", []string{`"default";q=99999999999999999999;w=300`}, none},
		{"digits beyond ASCII", []string{`"default";q=٣;w=300`}, none},
		{"none", []string{`"default";q=0;w=300`}, none},
		{"in no time", []string{`"default";q=1200;w=0`}, none},
		{"a day is the longest window", []string{`"default";q=1200;w=86400`}, quota{1200, 24 * time.Hour}},
		{"longer", []string{`"default";q=1200;w=86401`}, none},
		{"a million is the most", []string{`"default";q=1000000;w=300`}, quota{1_000_000, 5 * time.Minute}},
		{"more", []string{`"default";q=1000001;w=300`}, none},
	}
	for _, tc := range tests {
		got, ok := policyOf(http.Header{"Ratelimit-Policy": tc.lines})
		if got != tc.want || ok != (tc.want != none) {
			t.Errorf("%s: %q is read as %+v, %t, want %+v", tc.reason, tc.lines, got, ok, tc.want)
		}
	}
}

func TestLeftOf(t *testing.T) {
	tests := []struct {
		reason string
		line   string
		left   int
		reset  time.Duration
		ok     bool
	}{
		{"as documented", `"default";r=1199;t=1`, 1199, time.Second, true},
		{"without a time", `"default";r=1199`, 1199, 0, true},
		{"nothing left", `"default";r=0;t=300`, 0, 5 * time.Minute, true},
		{"a time that is none", `"default";r=0;t=soon`, 0, 0, true},
		{"longer than a block", `"default";r=0;t=86400`, 0, 5 * time.Minute, true},
		{"several", `"a";r=1;t=1, "default";r=2;t=2`, 2, 2 * time.Second, true},
		{"no header", "", 0, 0, false},
		{"no number", `"default";t=1`, 0, 0, false},
		{"below nothing", `"default";r=-1;t=1`, 0, 0, false},
		{"a policy", `"default";q=1200;w=300`, 0, 0, false},
	}
	for _, tc := range tests {
		left, reset, ok := leftOf(http.Header{"Ratelimit": {tc.line}})
		if left != tc.left || reset != tc.reset || ok != tc.ok {
			t.Errorf("%s: %s is read as %d, %v, %t", tc.reason, tc.line, left, reset, ok)
		}
	}
}

// TestPolicyIsFoundAmongOthers expects that a limit in the form of the rules is read, regardless of what is beside it.
func TestPolicyIsFoundAmongOthers(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		name := rapid.StringMatching(`[a-z]{1,3}`) // Never "default".
		number := rapid.IntRange(1, 86400)
		other := rapid.Custom(func(t *rapid.T) string {
			return strconv.Quote(name.Draw(t, "name")) + rapid.SampledFrom([]string{"", ";q=1", ";w=1", ";q=1;w=1", `;x="\",;"`, ";q=x;w=1"}).Draw(t, "rest")
		})
		q, w := number.Draw(t, "q"), number.Draw(t, "w")
		items := rapid.SliceOfN(other, 0, 4).Draw(t, "before")
		items = append(items, policy(q, w))
		items = append(items, rapid.SliceOfN(other, 0, 4).Draw(t, "after")...)
		got, ok := policyOf(http.Header{"Ratelimit-Policy": {strings.Join(items, rapid.SampledFrom([]string{",", ", ", " ,\t"}).Draw(t, "comma"))}})
		if want := (quota{q, time.Duration(w) * time.Second}); !ok || got != want {
			t.Fatalf("%q is read as %+v, %t, want %+v", items, got, ok, want)
		}
	})
}

func FuzzRateLimitHeaders(f *testing.F) {
	for _, seed := range []string{
		`"default";q=1200;w=300`, `"default";r=1199;t=1`, `"a";q=1;w=1, "default";q=2;w=2;r=3`, `"a\",;";r=1`, `"`, `;`, `,`, `\`, `";q=1`, "",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, s string) {
		h := http.Header{"Ratelimit-Policy": {s}, "Ratelimit": {s}}
		if q, ok := policyOf(h); ok && (q.requests < 1 || q.requests > maxQuota || q.window < time.Second || q.window > maxWindow) {
			t.Errorf("%q is read as %+v", s, q)
		}
		if left, reset, ok := leftOf(h); ok && (left < 0 || reset < 0 || reset > longestReset) {
			t.Errorf("%q is read as %d left, %v", s, left, reset)
		}
		c := New(NewToken("x"), Options{Now: newClock().Now})
		number, _ := c.budget.admit(asking{})
		c.budget.answered(number, reply{status: 200, header: h})
		if b := c.Budget(); b.Left < 0 || b.Left > max(b.Limit/4, 1) {
			t.Errorf("after %q the budget is %+v", s, b)
		}
		if _, no := c.budget.admit(asking{}); no != nil && (no.wait <= 0 || no.wait > maxWindow+maxPause) {
			t.Errorf("after %q the next call is to wait for %v", s, no.wait)
		}
	})
}
