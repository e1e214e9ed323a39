// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package described

import (
	"net/http"
	"slices"
	"testing"
	"time"

	"github.com/provider-cloudflare/provider-cloudflare/internal/kind"
	"github.com/provider-cloudflare/provider-cloudflare/internal/kind/kindapi"
	"github.com/provider-cloudflare/provider-cloudflare/internal/parent"
	"github.com/provider-cloudflare/provider-cloudflare/test/simulator"
)

// TestOneListOfRulesets checks that a sweep of rulesets is one list and the reads of those with a new version. A list
// of rulesets has their versions, but no rules.
func TestOneListOfRulesets(t *testing.T) {
	t.Parallel()
	s := newStage(t, entryOf(t, "Ruleset"))
	zone := s.sim.Zones()[0].ID
	at := "/zones/" + zone + "/rulesets"
	var ids []string
	for _, phase := range []string{"http_request_dynamic_redirect", "http_request_transform", "http_request_firewall_custom"} {
		doc, err := s.sim.PostResource(at, map[string]any{"kind": "zone", "phase": phase, "name": phase, "rules": []any{}})
		must(t, err)
		ids = append(ids, kind.Text(doc, "id"))
	}
	d := entryOf(t, "Ruleset").Description
	params := map[string]string{"accounts_or_zones": "zones", "account_or_zone_id": zone}
	c := calls{caller: s.session.Client, d: d, all: kindapi.New(s.session.Client, d, params, http.Header{})}
	pool := parent.NewPool[Live](parent.Options{})
	rulesets := pool.Collection(zone, c, terms(d, time.Minute))
	for _, id := range ids {
		_, err := rulesets.Get(t.Context(), id)
		must(t, err)
	}
	list := asked{"cloudflare", "GET " + simulator.BasePath + at}
	for _, tc := range []struct {
		reason string
		moved  []string
	}{
		{"nothing changed", nil},
		{"one was changed outside", ids[1:2]},
		{"nothing changed since", nil},
	} {
		want := []asked{list}
		for _, id := range tc.moved {
			must(t, s.sim.EditResource(at+"/"+id, func(doc map[string]any) { doc["description"] = "foreign" }))
			want = append(want, asked{"cloudflare", "GET " + simulator.BasePath + at + "/" + id})
		}
		s.log = nil
		var changed []string
		pool.Sweep(t.Context(), parent.Handler{OnChange: func(ch parent.Change) { changed = append(changed, ch.IDs...) }})
		if !slices.Equal(s.log, want) || !slices.Equal(changed, tc.moved) {
			t.Errorf("%s: the sweep called %v and found changes of %v, want %v and %v", tc.reason, s.log, changed, want, tc.moved)
		}
	}
}
