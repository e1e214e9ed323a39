// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package simulator_test

import (
	"fmt"
	"net/http"
	"testing"
	"time"

	"github.com/provider-cloudflare/provider-cloudflare/test/simulator"
)

// A copied is a resource that a copy can lack, or have in its former state.
type copied struct {
	reason string
	// change makes the last write. It returns the path and the member of a GET, and the values before and
	// after the write.
	change func(w *world) (path, member string, before, after any)
	// missing is the code of the response of a copy without the resource.
	missing int
}

func copies() map[string]copied {
	return map[string]copied{
		"Record": {"a record", func(w *world) (string, string, any, any) {
			id := w.id(object{"type": "A", "name": "a", "content": "192.0.2.1"})
			w.sim.Advance(time.Minute)
			w.must(http.MethodPatch, w.records(id), object{"content": "192.0.2.2"})
			return w.records(id), "content", "192.0.2.1", "192.0.2.2"
		}, simulator.CodeRecordNotFound},
		"Resource": {"a resource of a collection", func(w *world) (string, string, any, any) {
			_, item := w.tunnel("a")
			w.sim.Advance(time.Minute)
			w.must(http.MethodPatch, item, object{"name": "b"})
			w.sim.Advance(time.Minute)
			w.tunnel("later")
			return item, "name", "a", "b"
		}, simulator.CodeResourceNotFound},
		"Document": {"a document of many", func(w *world) (string, string, any, any) {
			w.must(http.MethodPut, w.entryPoint(), object{"description": "a", "rules": []any{aRule("x")}})
			w.sim.Advance(time.Minute)
			w.must(http.MethodPut, w.entryPoint(), object{"description": "b", "rules": []any{aRule("x")}})
			return w.entryPoint(), "description", "a", "b"
		}, simulator.CodeNoEntryPoint},
		"Single": {"what exists with its parent", func(w *world) (string, string, any, any) {
			w.must(http.MethodPut, w.path("url_normalization"), object{"type": "cloudflare", "scope": "both"})
			return w.path("url_normalization"), "scope", "incoming", "both"
		}, simulator.CodeBadIdentifier},
		"Setting": {"a setting", func(w *world) (string, string, any, any) {
			w.must(http.MethodPatch, w.path("settings", "brotli"), object{"value": "on"})
			return w.path("settings", "brotli"), "value", "off", "on"
		}, simulator.CodeBadIdentifier},
		"DNSSEC": {"the DNSSEC of a zone", func(w *world) (string, string, any, any) {
			w.must(http.MethodPatch, w.path("dnssec"), object{"dnssec_presigned": true})
			return w.path("dnssec"), "dnssec_presigned", nil, true
		}, simulator.CodeBadIdentifier},
	}
}

// TestCopyBehind verifies that a copy without the last write can answer one GET.
func TestCopyBehind(t *testing.T) {
	for name, tc := range copies() {
		t.Run(name, func(t *testing.T) {
			w := newResourceWorld(t)
			path, member, before, after := tc.change(w)
			id := w.sim.AddFault(simulator.Fault{Kind: simulator.FaultBehind, Method: http.MethodGet})
			shown := func() any { return w.object(w.must(http.MethodGet, path, nil))[member] }
			if got := shown(); got != before && (before != nil || got != false) {
				t.Errorf("%s: a copy that is behind shows %v, want %v", tc.reason, got, before)
			}
			if got := shown(); got != after || w.sim.Fired(id) != 1 {
				t.Errorf("%s: the next answer shows %v, want %v; the fault fired %d times", tc.reason, got, after, w.sim.Fired(id))
			}
		})
	}
}

// TestCopyLacks verifies that a copy without the resource can answer one call of each method.
func TestCopyLacks(t *testing.T) {
	for name, tc := range copies() {
		t.Run(name, func(t *testing.T) {
			w := newResourceWorld(t)
			path, member, _, after := tc.change(w)
			lacked := 0
			for _, method := range []string{http.MethodGet, http.MethodPut, http.MethodPatch, http.MethodDelete} {
				id := w.sim.AddFault(simulator.Fault{Kind: simulator.FaultWrong404, Method: method})
				got := w.do(method, path, object{})
				if code := got.code(); got.status != http.StatusNotFound || code != tc.missing && method == http.MethodGet {
					t.Errorf("%s: %s is answered %d %d, want 404 %d", tc.reason, method, got.status, code, tc.missing)
				}
				lacked += w.sim.Fired(id) // Some methods are not operations of the resource.
			}
			if lacked < 2 {
				t.Errorf("%s: %d operations were answered by a copy", tc.reason, lacked)
			}
			if got := w.object(w.must(http.MethodGet, path, nil))[member]; got != after {
				t.Errorf("%s: there is %v now, want %v", tc.reason, got, after)
			}
		})
	}
}

// TestCopyOfAListBehind verifies that a list can lack the last created resource, or contain the last deleted
// one.
func TestCopyOfAListBehind(t *testing.T) {
	w := newResourceWorld(t)
	namespaces := w.in("storage", "kv", "namespaces")
	item := namespaces + "/" + textOf(w.make(namespaces, object{"title": "a"}), "id")
	count := func() int { return len(w.list(w.must(http.MethodGet, namespaces, nil))) }
	w.sim.AddFault(simulator.Fault{Kind: simulator.FaultBehind})
	if got := count(); got != 0 {
		t.Errorf("a copy that is behind lists %d namespaces", got)
	}
	w.sim.Advance(time.Minute)
	w.must(http.MethodDelete, item, nil)
	w.sim.AddFault(simulator.Fault{Kind: simulator.FaultBehind})
	if got := count(); got != 1 {
		t.Errorf("a copy that is behind lists %d namespaces after the deletion", got)
	}
	if got := count(); got != 0 {
		t.Errorf("the next list has %d namespaces", got)
	}
}

// TestBoundedPast verifies that the past of a resource has the same bound for all writes.
func TestBoundedPast(t *testing.T) {
	const versions = 64
	for _, tc := range []struct {
		reason, below string
		first         object
		// write makes the write of a number, the last of which has the number versions.
		write func(w *world, item string, n int)
	}{
		{"writes of the document", "storage/kv/namespaces", object{"title": "a"}, func(w *world, item string, n int) {
			w.must(http.MethodPut, item, object{"title": fmt.Sprint(n)})
		}},
		{"a deletion", "storage/kv/namespaces", object{"title": "a"}, func(w *world, item string, n int) {
			if n == versions {
				w.must(http.MethodDelete, item, nil)
				return
			}
			w.must(http.MethodPut, item, object{"title": fmt.Sprint(n)})
		}},
		{"writes of the private state", "cfd_tunnel", object{"name": "a"}, func(w *world, item string, n int) {
			ingress := []any{object{"service": fmt.Sprintf("http_status:%d", 400+n)}}
			w.must(http.MethodPut, item+"/configurations", object{"config": object{"ingress": ingress}})
		}},
	} {
		w := newResourceWorld(t)
		item := w.in(tc.below, textOf(w.make(w.in(tc.below), tc.first), "id"))
		for n := range versions {
			w.sim.Advance(time.Second)
			tc.write(w, item, n+1)
		}
		for ago, want := range map[time.Duration]int{(versions - 1) * time.Second: 1, versions * time.Second: 0} {
			id := w.sim.AddTrap(simulator.Trap{Kind: simulator.TrapLag, Path: w.in(tc.below), For: ago})
			if got := len(w.listed(w.in(tc.below))); got != want {
				t.Errorf("%s: a list as of %s ago has %d, want %d", tc.reason, ago, got, want)
			}
			w.sim.RemoveTrap(id)
		}
	}
}
