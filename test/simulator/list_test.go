// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package simulator_test

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/provider-cloudflare/provider-cloudflare/test/simulator"
)

// listing returns a zone with records to select from. Each is identified by its name.
func listing(t *testing.T) *world {
	w := newWorld(t, simulator.PlanPro)
	for _, body := range []object{
		with(a("alpha", "192.0.2.1"), object{"comment": "Web One", "tags": []string{"team:Web", "prod"}}),
		with(a("beta", "192.0.2.20"), object{"proxied": true, "comment": "Web Two", "tags": []string{"team:web-two"}}),
		with(a("gamma", "198.51.100.1"), object{"ttl": 60}),
		{"type": "TXT", "name": "delta", "content": "Hello World", "ttl": 120, "tags": []string{"team:mail"}},
		{"type": "CNAME", "name": "epsilon", "content": "alpha.example.com", "ttl": 600},
	} {
		w.create(body)
	}
	return w
}

func TestListFilters(t *testing.T) {
	w := listing(t)
	cases := map[string]struct {
		reason, query string
		want          []string
	}{
		"None":               {"all, by type and name", "", []string{"alpha", "beta", "gamma", "epsilon", "delta"}},
		"Name":               {"exact", "name=alpha.example.com", []string{"alpha"}},
		"NameCase":           {"case-insensitive", "name=ALPHA.example.com", []string{"alpha"}},
		"NameRelative":       {"no FQDN, no match", "name=alpha", nil},
		"NameExact":          {"the long form", "name.exact=beta.example.com", []string{"beta"}},
		"NameContains":       {"substring", "name.contains=MM", []string{"gamma"}},
		"NameStarts":         {"prefix", "name.startswith=al", []string{"alpha"}},
		"NameEnds":           {"suffix", "name.endswith=a.example.com", []string{"alpha", "beta", "gamma", "delta"}},
		"Content":            {"exact", "content=192.0.2.1", []string{"alpha"}},
		"ContentExactCase":   {"case-insensitive", "content.exact=hello+world", []string{"delta"}},
		"ContentContains":    {"substring", "content.contains=0.2.", []string{"alpha", "beta"}},
		"ContentStarts":      {"prefix", "content.startswith=198.", []string{"gamma"}},
		"ContentEnds":        {"suffix", "content.endswith=.1", []string{"alpha", "gamma"}},
		"Comment":            {"exact", "comment=web+one", []string{"alpha"}},
		"CommentExact":       {"exact", "comment.exact=web+two", []string{"beta"}},
		"CommentContains":    {"substring", "comment.contains=WEB", []string{"alpha", "beta"}},
		"CommentStarts":      {"prefix", "comment.startswith=web+t", []string{"beta"}},
		"CommentEnds":        {"suffix", "comment.endswith=one", []string{"alpha"}},
		"CommentPresent":     {"with any", "comment.present", []string{"alpha", "beta"}},
		"CommentAbsent":      {"without", "comment.absent=true", []string{"gamma", "epsilon", "delta"}},
		"Type":               {"exact", "type=TXT", []string{"delta"}},
		"Proxied":            {"on", "proxied=true", []string{"beta"}},
		"Unproxied":          {"off", "proxied=false", []string{"alpha", "gamma", "epsilon", "delta"}},
		"Tag":                {"by name", "tag=prod", []string{"alpha"}},
		"TagValue":           {"by name and value", "tag=TEAM:mail", []string{"delta"}},
		"TagPresent":         {"by name", "tag.present=team", []string{"alpha", "beta", "delta"}},
		"TagAbsent":          {"without the name", "tag.absent=team", []string{"gamma", "epsilon"}},
		"TagExact":           {"case-insensitive", "tag.exact=team:WEB", []string{"alpha"}},
		"TagContains":        {"in the value", "tag.contains=team:e", []string{"alpha", "beta"}},
		"TagStarts":          {"of the value", "tag.startswith=team:web", []string{"alpha", "beta"}},
		"TagEnds":            {"of the value", "tag.endswith=team:two", []string{"beta"}},
		"All":                {"AND is the default", "type=A&content.contains=192.0.2", []string{"alpha", "beta"}},
		"Any":                {"OR", "match=any&type=TXT&name=alpha.example.com", []string{"alpha", "delta"}},
		"AnyOfNothing":       {"no filters, all records", "match=any", []string{"alpha", "beta", "gamma", "epsilon", "delta"}},
		"TagsAll":            {"AND of tags", "tag=prod&tag.present=team", []string{"alpha"}},
		"TagsAny":            {"OR of tags", "tag_match=any&tag=prod&tag=team:mail", []string{"alpha", "delta"}},
		"TagsAnyAndType":     {"match combines tags and the rest", "tag_match=any&tag=prod&tag=team:mail&type=A", []string{"alpha"}},
		"TagsAllOrType":      {"in either way", "match=any&tag=prod&tag.present=team&type=TXT", []string{"alpha", "delta"}},
		"Search":             {"any text", "search=WEB", []string{"alpha", "beta"}},
		"SearchContent":      {"any text", "search=198.51", []string{"gamma"}},
		"SearchApartOfMatch": {"apart of match", "match=any&search=web&type=TXT&proxied=true", []string{"beta"}},
		"Nothing":            {"no match", "name=nowhere.example.com", nil},
		"OrderName":          {"by name", "order=name", []string{"alpha", "beta", "delta", "epsilon", "gamma"}},
		"OrderNameDesc":      {"backwards", "order=name&direction=desc", []string{"gamma", "epsilon", "delta", "beta", "alpha"}},
		"OrderTTL":           {"by ttl", "order=ttl&type=A", []string{"beta", "gamma", "alpha"}},
		"OrderContent":       {"by content", "order=content&type=A", []string{"alpha", "beta", "gamma"}},
		"OrderProxied":       {"by proxied", "order=proxied&direction=desc&type=A", []string{"beta", "alpha", "gamma"}},
		"OrderTypeDesc":      {"by type", "direction=desc", []string{"delta", "epsilon", "alpha", "beta", "gamma"}},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			got := w.must(http.MethodGet, w.records()+"?"+tc.query, nil)
			var names []string
			for _, r := range w.list(got) {
				names = append(names, r["name"].(string)[:len(r["name"].(string))-len(".example.com")])
			}
			if diff := cmp.Diff(tc.want, names); diff != "" {
				t.Errorf("%s: -want +got:\n%s", tc.reason, diff)
			}
			if got.ResultInfo.TotalCount != len(tc.want) || got.ResultInfo.Count != len(tc.want) {
				t.Errorf("%s: result_info %+v", tc.reason, *got.ResultInfo)
			}
		})
	}
}

func TestListParameters(t *testing.T) {
	w := listing(t)
	for query, reason := range map[string]string{
		"page=0": "pages begin with 1", "page=x": "a number", "per_page=0": "at least one", "per_page=5000001": "at most 5,000,000",
		"order=id": "not an order", "direction=up": "not a direction", "match=some": "not a match", "tag_match=some": "not a match",
		"type=XYZ": "not a type", "proxied=maybe": "a boolean",
	} {
		if got := w.do(http.MethodGet, w.records()+"?"+query, nil); got.status != 400 || got.code() != simulator.CodeBadParameter {
			t.Errorf("%s (%s): %d/%d", query, reason, got.status, got.code())
		}
	}
}

func TestPaging(t *testing.T) {
	w := newWorld(t, simulator.PlanPro, func(o *simulator.Options) { o.MaxPerPage = 150 })
	for i := range 205 {
		if _, err := w.sim.CreateRecord(w.zone.ID, a(fmt.Sprintf("h%03d", i), "192.0.2.1")); err != nil {
			t.Fatal(err)
		}
	}
	cases := map[string]struct {
		reason, query                    string
		page, perPage, count, totalPages int
	}{
		"Default":  {"100 a page", "", 1, 100, 100, 3},
		"Second":   {"the next", "page=2", 2, 100, 100, 3},
		"Last":     {"the rest", "page=3", 3, 100, 5, 3},
		"Past":     {"past the end there is nothing", "page=4", 4, 100, 0, 3},
		"FarPast":  {"however far", "page=9000000000000000000", 9000000000000000000, 100, 0, 3},
		"Small":    {"as asked", "per_page=10&page=21", 21, 10, 5, 21},
		"Capped":   {"the server answers with less", "per_page=5000000", 1, 150, 150, 2},
		"CappedBy": {"and pages by that", "per_page=5000&page=2", 2, 150, 55, 2},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			got := w.must(http.MethodGet, w.records()+"?"+tc.query, nil)
			info := got.ResultInfo
			if info.Page != tc.page || info.PerPage != tc.perPage || info.Count != tc.count || info.TotalCount != 205 || info.TotalPages != tc.totalPages {
				t.Errorf("%s: %+v", tc.reason, *info)
			}
			if n := len(w.list(got)); n != tc.count {
				t.Errorf("%s: %d results", tc.reason, n)
			}
		})
	}

	var names []string
	for page := 1; page <= 3; page++ {
		for _, r := range w.list(w.must(http.MethodGet, w.records()+"?"+url.Values{"page": {fmt.Sprint(page)}}.Encode(), nil)) {
			names = append(names, r["name"].(string))
		}
	}
	slices.Sort(names)
	if n := len(slices.Compact(names)); n != 205 {
		t.Errorf("all pages together have %d different records, want 205", n)
	}
}

func TestEmptyList(t *testing.T) {
	w := newWorld(t, simulator.PlanFree)
	got := w.must(http.MethodGet, w.records(), nil)
	if string(got.Result) != "[]" || got.ResultInfo.TotalCount != 0 || got.ResultInfo.TotalPages != 0 {
		t.Errorf("an empty zone: %s", got.raw)
	}
}

func TestShadowedRecords(t *testing.T) {
	w := newWorld(t, simulator.PlanPro)
	ns := w.id(object{"type": "NS", "name": "sub", "content": "ns1.sub.example.com", "ttl": 60})
	w.create(object{"type": "DS", "name": "sub", "ttl": 60, "data": oneOfEachType()["DS"]["data"]})
	w.create(a("ns1.sub", "192.0.2.53"))
	w.create(a("www.sub", "192.0.2.1"))
	w.create(a("subway", "192.0.2.1"))
	meta := func(query string) object {
		found := object{}
		for _, r := range w.list(w.must(http.MethodGet, w.records()+"?"+query, nil)) {
			found[fmt.Sprint(r["type"], " ", r["name"])] = r["meta"]
		}
		return found
	}
	cases := map[string]struct {
		reason, query string
		want          object
	}{
		"Off": {"not asked for", "type=A", object{"A ns1.sub.example.com": object{}, "A www.sub.example.com": object{}, "A subway.example.com": object{}}},
		"On": {"asked for", "include_shadow_metadata=true", object{
			"NS sub.example.com": object{"shadowed_records_count": 1.0}, "DS sub.example.com": object{},
			"A ns1.sub.example.com": object{"is_glue": true}, "A www.sub.example.com": object{"shadowed_by": []any{ns}}, "A subway.example.com": object{},
		}},
		"ByName": {"at and below a delegation", "include_shadow_metadata=true&shadowed_by_name=sub.example.com", object{
			"DS sub.example.com": object{}, "A ns1.sub.example.com": object{"is_glue": true}, "A www.sub.example.com": object{"shadowed_by": []any{ns}},
		}},
		"Shadowing": {"what shadows a name", "shadowing_name=a.b.sub.example.com", object{"NS sub.example.com": object{}}},
		"Nothing":   {"nothing shadows it", "shadowing_name=subway.example.com", object{}},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(tc.want, meta(tc.query)); diff != "" {
				t.Errorf("%s: -want +got:\n%s", tc.reason, diff)
			}
		})
	}
	for query, reason := range map[string]string{
		"include_shadow_metadata=x": "a boolean", "shadowing_name=example.com": "not the apex",
		"shadowed_by_name=sub.example.com": "only with metadata", "include_shadow_metadata=true&shadowed_by_name=other.example": "inside of the zone",
	} {
		if got := w.do(http.MethodGet, w.records()+"?"+query, nil); got.status != 400 || got.code() != simulator.CodeBadParameter {
			t.Errorf("%s (%s): %d/%d", query, reason, got.status, got.code())
		}
	}
}
