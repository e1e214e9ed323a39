// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"slices"
	"testing"

	"github.com/provider-cloudflare/provider-cloudflare/test/rig"
	"github.com/provider-cloudflare/provider-cloudflare/test/simulator"
)

// TestFamilies checks what users do in the dashboard, and how the oracle reads the resources,
// against the simulator.
func TestFamilies(t *testing.T) {
	w := &world{stage: newStage(), watch: newWatch(), foreign: map[string]json.RawMessage{}, strangers: map[string]json.RawMessage{}}
	server := simulator.New(simulator.Options{})
	seeded, err := server.Apply(w.seed())
	if err != nil {
		t.Fatal(err)
	}
	at := httptest.NewServer(server)
	defer at.Close()
	w.sim = &rig.Simulator{URL: at.URL + simulator.BasePath, AdminURL: at.URL + simulator.AdminPath, Seeded: seeded}
	ctx := t.Context()
	if err := w.settleTeams(ctx); err != nil {
		t.Fatal(err)
	}
	w.lies(t)
	u := newUsers(nil, w.sim)
	u.place = w.place
	for _, f := range families() {
		foreign := 0
		for id := range w.strangers {
			if len(id) > len(f.name()) && id[:len(f.name())+1] == f.name()+" " {
				foreign++
			}
		}
		if foreign < strangers {
			t.Errorf("%s: %d foreign resources, want %d", f.name(), foreign, strangers)
		}
		if f.edit == nil {
			continue
		}
		r := resource{Family: f.name(), Key: stranger(1), Value: 7}
		if f.keys != nil {
			r.Key = f.keys[0]
		}
		want := f.shown(f.params(w.place, r)[f.valueAt])
		did, err := u.dashResource(ctx, r, doKindDashEdit)
		l, found, lookErr := u.inDashboard(ctx, r)
		if !did || err != nil || !found || lookErr != nil || l.Value != want {
			t.Errorf("%s: the edit %t: %v; then there is %+v, want %q: %v", f.name(), did, err, l, want, lookErr)
		}
		if f.remove == nil {
			continue
		}
		did, err = u.dashResource(ctx, r, doKindDashDelete)
		if _, found, _ := u.inDashboard(ctx, r); !did || err != nil || found {
			t.Errorf("%s: the deletion %t: %v; then it is there: %t", f.name(), did, err, found)
		}
		r.Key, r.Value = stranger(0), 8
		did, err = u.doResource(ctx, step{Do: doStranger, Resource: &r})
		now, found, _ := u.inDashboard(ctx, r)
		expected := u.foreignResources(w.strangers)
		if !did || err != nil || !found || !slices.Equal(expected[now.id()], now.raw) || slices.Equal(w.strangers[now.id()], now.raw) {
			t.Errorf("%s: a foreign resource is edited %t: %v; then it is %s, and is to be %s", f.name(), did, err, now.raw, expected[now.id()])
		}
	}
}

// lies checks that the faults of singleReads make each read of one resource wrong.
func (w *world) lies(t *testing.T) {
	t.Helper()
	all, err := liveResources(t.Context(), w.sim, w.place)
	if err != nil {
		t.Fatal(err)
	}
	first := func(family string) string {
		return all[slices.IndexFunc(all, func(l liveResource) bool { return l.Family == family })].ID
	}
	account := "/accounts/" + w.place.account
	list := account + "/gateway/lists/" + first("GatewayList")
	for _, path := range []string{
		account + "/access/groups/" + first("AccessGroup"), list, list + "/items", configurationOf(w.place),
		rulesetsOf(w.place) + "/phases/" + rulesPhase + "/entrypoint",
	} {
		fault := absent(stream(1, "lies"), "")
		fault.Probability = 1
		for _, route := range singleReads() {
			fault.Path = route
			if err := w.sim.Admin(t.Context(), http.MethodPost, "/faults", fault, nil); err != nil {
				t.Fatal(err)
			}
		}
		for _, want := range []int{http.StatusNotFound, http.StatusOK} { // wrong once, for a while
			if got := w.get(t, path); got != want {
				t.Errorf("GET %s is answered with %d, want %d", path, got, want)
			}
		}
	}
	if err := w.sim.Admin(t.Context(), http.MethodDelete, "/faults", nil, nil); err != nil {
		t.Fatal(err)
	}
}

// get returns the status code of a GET at the API.
func (w *world) get(t *testing.T, path string) int {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, w.sim.URL+path, http.NoBody)
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+w.sim.Tokens[len(w.sim.Tokens)-1])
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	if err := resp.Body.Close(); err != nil {
		t.Fatal(err)
	}
	return resp.StatusCode
}
