// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package simulator_test

import (
	"net/http"
	"testing"

	"github.com/provider-cloudflare/provider-cloudflare/test/simulator"
)

// TestWaitingRoomAtOnePlace verifies that a host and a path have one waiting room, whatever the case of
// the host.
func TestWaitingRoomAtOnePlace(t *testing.T) {
	w := newResourceWorld(t)
	rooms := w.path("waiting_rooms")
	room := func(name, host, path string) object {
		return object{"name": name, "host": host, "path": path, "new_users_per_minute": 200, "total_active_users": 200}
	}
	first := w.make(rooms, room("first", "Shop.example.com", "/checkout"))
	item := rooms + "/" + textOf(first, "id")
	for _, tc := range []struct {
		reason, method, at string
		body               object
		code               int
	}{
		{"the same", http.MethodPost, rooms, room("a", "Shop.example.com", "/checkout"), simulator.CodeResourceConflict},
		{"the host in another case", http.MethodPost, rooms, room("b", "shop.EXAMPLE.com", "/checkout"), simulator.CodeResourceConflict},
		{"the name of another one", http.MethodPost, rooms, room("first", "shop.example.com", "/cart"), simulator.CodeResourceConflict},
		{"another path", http.MethodPost, rooms, room("c", "shop.example.com", "/cart"), 0},
		{"the path in another case", http.MethodPost, rooms, room("d", "shop.example.com", "/Checkout"), 0},
		{"its own place", http.MethodPut, item, room("first", "SHOP.example.com", "/checkout"), 0},
		{"the place of another one", http.MethodPut, item, room("first", "SHOP.example.com", "/cart"), simulator.CodeResourceConflict},
	} {
		if got := w.do(tc.method, tc.at, tc.body); got.code() != tc.code {
			t.Errorf("%s: answered %d %s, want the code %d", tc.reason, got.status, got.raw, tc.code)
		}
	}
}
