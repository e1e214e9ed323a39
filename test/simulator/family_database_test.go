// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package simulator_test

import (
	"net/http"
	"testing"

	"github.com/provider-cloudflare/provider-cloudflare/test/simulator"
)

// TestDatabase verifies the responses of D1 that differ from other collections.
func TestDatabase(t *testing.T) {
	w := newResourceWorld(t)
	databases := w.in("d1/database")
	made := w.make(databases, object{"name": "a", "primary_location_hint": "weur"})
	item := databases + "/" + textOf(made, "uuid")
	if made["primary_location_hint"] != nil || asJSON(t, made["read_replication"]) != `{"mode":"disabled"}` {
		t.Errorf("the answer to the creation is %v", made)
	}
	w.must(http.MethodPatch, item, object{"name": "b", "read_replication": object{"mode": "auto"}})
	got := w.object(w.must(http.MethodGet, item, nil))
	if got["name"] != "a" || asJSON(t, got["read_replication"]) != `{"mode":"auto"}` {
		t.Errorf("after an update of all it is %v: want another replication alone", got)
	}
	if row := w.listed(databases)[0]; row["read_replication"] != nil || row["name"] != "a" {
		t.Errorf("the list shows %v: want no replication in it", row)
	}
	w.refused(http.MethodPatch, item, object{"read_replication": object{}}, http.StatusBadRequest, simulator.CodeResourceInvalid)
	w.refused(http.MethodPost, databases, object{"name": "a"}, http.StatusBadRequest, simulator.CodeDatabaseExists)
	w.must(http.MethodDelete, item, nil)
	w.refused(http.MethodGet, item, nil, http.StatusNotFound, simulator.CodeDatabaseNotFound)
}
