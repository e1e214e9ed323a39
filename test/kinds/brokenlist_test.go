// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package kinds

import (
	"net/http"

	"github.com/provider-cloudflare/provider-cloudflare/internal/kind"
	"github.com/provider-cloudflare/provider-cloudflare/test/harness"
	"github.com/provider-cloudflare/provider-cloudflare/test/simulator"
)

// listBroken shows that a resource with an ID is still observed, edited and deleted while the list of a
// kind fails.
func listBroken(w *world) {
	mg := w.apply()
	list, ok := kind.ParseOperation(w.d.List)
	if !ok || w.d.Shape != kind.Collection || len(w.d.ReadLacks) > 0 {
		return // The kind has no list beside the resource itself, or an observation needs the list.
	}
	path, err := list.Expand(w.params())
	if err != nil {
		w.T.Fatal(err)
	}
	w.sim.AddFault(simulator.Fault{Kind: simulator.FaultHTML502, Method: http.MethodGet, Path: path, Token: w.token, Times: -1})
	w.lists(5) // The lists from before are too old to be used.
	if w.d.Update != "" && w.d.Excused["FieldUpdated"] == "" {
		updatesFields(w, mg)
	}
	w.Delete(mg)
	w.Gone(mg, func() string { return harness.Conditions(mg) })
	w.is(0)
}
