// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package simulator_test

import (
	"errors"
	"net/http"
	"strings"
	"testing"

	"github.com/provider-cloudflare/provider-cloudflare/test/simulator"
)

// TestForeignEdits verifies edits of a dashboard user: they follow the API's rules, and are not in the
// log.
func TestForeignEdits(t *testing.T) {
	w := newResourceWorld(t)
	pools := w.in("load_balancers/pools")
	made, err := w.sim.PostResource(pools, aPool("a"))
	if err != nil {
		t.Fatal(err)
	}
	item := pools + "/" + textOf(made, "id")
	if _, err := w.sim.PatchResource(item, object{"description": "x"}); err != nil {
		t.Fatal(err)
	}
	if got := w.object(w.must(http.MethodGet, item, nil)); got["description"] != "x" {
		t.Errorf("the edit is not seen: %v", got)
	}
	if _, err := w.sim.PutResource(item, aPool("b")); err != nil {
		t.Fatal(err)
	}
	var refused *simulator.Error
	if _, err := w.sim.PutResource(item, object{}); !errors.As(err, &refused) || refused.Code() != simulator.CodeResourceInvalid {
		t.Errorf("want the API's refusal, got %v", err)
	}
	if err := w.sim.EditResource(item, func(doc map[string]any) { doc["disabled_at"] = "2026-03-01T12:00:00Z" }); err != nil {
		t.Fatal(err)
	}
	stored, err := w.sim.Resource(item)
	if err != nil || stored["name"] != "b" || stored["disabled_at"] == nil {
		t.Errorf("want what is stored, got %v, %v", stored, err)
	}
	stored["name"] = "changed"
	if again, _ := w.sim.Resource(item); again["name"] != "b" {
		t.Error("what is stored changes with a copy")
	}
	if n := len(w.sim.Requests()); n != 1 {
		t.Errorf("want the one request that was sent in the log, got %d", n)
	}
	if err := w.sim.DeleteResource(item); err != nil || w.sim.CountResources(pools) != 0 {
		t.Errorf("want no pool, got %d: %v", w.sim.CountResources(pools), err)
	}
	for reason, err := range map[string]error{
		"gone":         w.sim.EditResource(item, func(map[string]any) {}),
		"no operation": w.sim.DeleteResource("/zones"),
		"no tunnel":    w.sim.OpenConnections(item, 1),
	} {
		if !errors.Is(err, simulator.ErrUnknown) {
			t.Errorf("%s: want ErrUnknown, got %v", reason, err)
		}
	}
}

// TestZoneTakesItsResources verifies that the resources of a zone are deleted with it.
func TestZoneTakesItsResources(t *testing.T) {
	w := newResourceWorld(t)
	routes := w.path("workers/routes")
	w.make(routes, object{"pattern": "example.com/a"})
	w.must(http.MethodDelete, "/zones/"+w.zone.ID, nil)
	if n := w.sim.CountResources(routes); n != 0 {
		t.Errorf("want no route of a zone that is gone, got %d", n)
	}
}

// TestStoredSecrets verifies that tests can read secrets that the API never returns.
func TestStoredSecrets(t *testing.T) {
	w := newResourceWorld(t)
	_, item := w.tunnel("a")
	stored, err := w.sim.Resource(item)
	if err != nil || textOf(stored, "tunnel_secret") == "" {
		t.Errorf("want the secret that the server made, got %v, %v", stored, err)
	}
}

// TestForeignDocuments verifies edits of documents that are not members of a collection.
func TestForeignDocuments(t *testing.T) {
	w := newResourceWorld(t)
	if _, err := w.sim.PutResource(w.entryPoint(), object{"rules": []any{aRule("x")}}); err != nil {
		t.Fatal(err)
	}
	if got, err := w.sim.GetResource(w.entryPoint()); err != nil || len(refs(got)) != 1 {
		t.Errorf("want the rule of somebody else, got %v, %v", got, err)
	}
	_, item := w.tunnel("a")
	config := object{"ingress": []any{object{"service": "http_status:404"}}}
	if _, err := w.sim.PutResource(item+"/configurations", object{"config": config}); err != nil {
		t.Fatal(err)
	}
	got, err := w.sim.GetResource(item + "/configurations")
	if err != nil || asJSON(t, got["config"]) != asJSON(t, config) {
		t.Errorf("want the configuration of somebody else, got %v, %v", got, err)
	}
	err = w.sim.EditResource(item+"/configurations", func(doc map[string]any) { doc["config"].(object)["x_future"] = "y" })
	stored, storedErr := w.sim.Resource(item + "/configurations")
	if err != nil || storedErr != nil || stored["config"].(object)["x_future"] != "y" {
		t.Errorf("want what no document has in the stored configuration, got %v, %v, %v", stored, err, storedErr)
	}
	if err := w.sim.EditResource("/accounts/x/cfd_tunnel/y/configurations", func(map[string]any) {}); !errors.Is(err, simulator.ErrUnknown) {
		t.Errorf("the configuration of no tunnel: want ErrUnknown, got %v", err)
	}
}

func TestResourceAdmin(t *testing.T) {
	w := newResourceWorld(t)
	_, item := w.tunnel("a")
	admin := func(method, path string, body any) answer {
		t.Helper()
		status, raw := w.admin(method, path, asJSON(t, body))
		return answer{status: status, raw: raw}
	}
	if got := admin(http.MethodGet, "/resources"+item, nil); got.status != http.StatusOK {
		t.Errorf("want the tunnel, got %s", got.raw)
	}
	if got := admin(http.MethodPut, "/connections"+item, object{"connections": 1}); got.status != http.StatusNoContent {
		t.Errorf("want a connection, got %s", got.raw)
	}
	if got := admin(http.MethodDelete, "/resources"+item, nil); got.status != http.StatusBadRequest {
		t.Errorf("want a refusal while it is connected, got %s", got.raw)
	}
	if got := admin(http.MethodPatch, "/resources"+item, object{"name": "b"}); got.status != http.StatusOK {
		t.Errorf("want another name, got %s", got.raw)
	}
	trap := object{"kind": simulator.TrapBusyDeletion, "path": tunnelsTemplate}
	if got := admin(http.MethodPost, "/traps", trap); got.status != http.StatusOK || len(w.sim.Traps()) != 1 {
		t.Errorf("want a trap, got %s", got.raw)
	}
	if got := admin(http.MethodPost, "/traps", with(trap, object{"kind": "x"})); got.status != http.StatusBadRequest {
		t.Errorf("want no such trap, got %s", got.raw)
	}
	if got := admin(http.MethodDelete, "/traps/1", nil); got.status != http.StatusNoContent || len(w.sim.Traps()) != 0 {
		t.Errorf("want no trap, got %s", got.raw)
	}
	if got := admin(http.MethodDelete, "/traps/1", nil); got.status != http.StatusNotFound {
		t.Errorf("want no such trap, got %s", got.raw)
	}
}

// TestPlantedResource verifies that a resource can be copied into a collection, as if it had always
// existed.
func TestPlantedResource(t *testing.T) {
	w := newResourceWorld(t)
	_, item := w.tunnel("a")
	stored, err := w.sim.StoredResource(item)
	if err != nil {
		t.Fatal(err)
	}
	planted := w.sim.PlantResource(w.in("cfd_tunnel"), stored, func(doc map[string]any) { doc["name"] = "b" })
	if got := w.object(w.must(http.MethodGet, planted, nil)); got["name"] != "b" || planted == item || !strings.HasSuffix(planted, textOf(got, "id")) {
		t.Errorf("%s is %v", planted, got)
	}
	w.sim.AddFault(simulator.Fault{Kind: simulator.FaultBehind})
	if got := w.object(w.must(http.MethodGet, planted, nil)); got["name"] != "b" {
		t.Errorf("a copy that is behind has %v", got)
	}
	namespaces := w.in("storage/kv/namespaces")
	kv, err := w.sim.StoredResource(namespaces + "/" + textOf(w.make(namespaces, object{"title": "a"}), "id"))
	if err != nil {
		t.Fatal(err)
	}
	w.sim.PlantResource(namespaces, kv, func(doc map[string]any) { doc["title"] = "b" })
	all := w.sim.AllResources()
	if got := len(w.list(w.must(http.MethodGet, namespaces, nil))); got != 2 || all[planted]["name"] != "b" || all[item]["name"] != "a" {
		t.Errorf("there are %d namespaces, and %v and %v", got, all[item], all[planted])
	}
	if _, err := w.sim.StoredResource(item + "x"); !errors.Is(err, simulator.ErrUnknown) {
		t.Errorf("what is stored of nothing: want ErrUnknown, got %v", err)
	}
}
