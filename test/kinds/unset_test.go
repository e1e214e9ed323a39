// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package kinds

import (
	"errors"
	"net/http"
	"strings"
	"testing"

	"github.com/crossplane/crossplane-runtime/v2/pkg/meta"
	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"

	"github.com/provider-cloudflare/provider-cloudflare/internal/external/claim"
	"github.com/provider-cloudflare/provider-cloudflare/internal/kind"
	"github.com/provider-cloudflare/provider-cloudflare/internal/kinds/r2"
	"github.com/provider-cloudflare/provider-cloudflare/internal/kinds/saas"
	"github.com/provider-cloudflare/provider-cloudflare/test/harness"
	"github.com/provider-cloudflare/provider-cloudflare/test/simulator"
)

// TestUnset is about singletons that do not exist until they are set.
func TestUnset(t *testing.T) {
	t.Parallel()
	for name, row := range map[string]struct {
		reason string
		do     func(w *world)
	}{
		"SetOnce": {"setting it is one write, and what it was before is no drift", func(w *world) {
			w.prepare()
			from := w.writes()
			w.Create(w.example)
			w.Settled(w.example)
			if n := w.writes() - from; n != 1 {
				w.T.Errorf("there are %d writes, want one", n)
			}
			w.lists(3)
			if n := w.writes() - from; n != 1 {
				w.T.Errorf("there are %d writes later, want one", n)
			}
		}},
		"NothingIsAdopted": {"there was nothing to take over, and no event says that there was", func(w *world) {
			mg := w.apply()
			w.lists(3)
			if err := w.event(mg, string(claim.EventAdopted), ""); !errors.Is(err, errNoEvent) {
				w.T.Errorf("it is adopted: %v", err)
			}
		}},
		"UnsetOutside": {"what somebody else deletes is set again", func(w *world) {
			mg := w.apply()
			op, _ := kind.ParseOperation(w.d.OnDelete.Verb)
			if _, err := w.call(op.Method, w.item(""), nil); err != nil {
				w.T.Fatal(err)
			}
			w.Eventually(func() error {
				if !w.isSet() {
					return errors.New("nothing is set")
				}
				return nil
			})
			w.Settled(mg)
		}},
		"LostAnswerOfTheDeletion": {"nothing is set any more, and that ends the deletion", func(w *world) {
			mg := w.apply()
			fault := w.sim.AddFault(simulator.Fault{Kind: simulator.FaultResetAfter, Method: http.MethodDelete, Path: w.item(""), Token: w.token})
			w.Delete(mg)
			w.Gone(mg, func() string { return harness.Conditions(mg) })
			if _, on := w.sim.Faults()[fault]; on {
				w.T.Error("the fault did not happen")
			}
			if w.isSet() {
				w.T.Errorf("it is still set: %v", w.answer(""))
			}
		}},
		"BucketFirst": {"what it belongs to is gone, and so is what was set", func(w *world) {
			if w.d.Scope != kind.Account {
				return // A zone is not deleted before its parts.
			}
			mg := w.apply()
			if _, err := w.call(http.MethodDelete, strings.TrimSuffix(w.item(""), "/cors"), nil); err != nil {
				w.T.Fatal(err)
			}
			w.Delete(mg)
			w.Gone(mg, func() string { return harness.Conditions(mg) })
		}},
		"SetAgain": {"the next object sets it at once", func(w *world) {
			mg := w.apply()
			again := copyOf(mg, "again")
			w.Delete(mg)
			w.Gone(mg, func() string { return harness.Conditions(mg) })
			w.Create(again)
			w.Settled(again)
		}},
		"Observed": {"what is not set is not ready, and looking at it sets nothing", func(w *world) {
			w.prepare()
			from := w.writes()
			w.example.SetManagementPolicies(xpv2.ManagementPolicies{xpv2.ManagementActionObserve})
			w.Create(w.example)
			w.Says(w.example, xpv2.TypeReady, "nobody has set one")
			if n := w.writes() - from; n > 0 {
				w.T.Errorf("there are %d writes", n)
			}
		}},
		"Orphaned": {"Orphan leaves what is set", func(w *world) {
			mg := w.apply()
			before := w.answer("")
			orphan(w, mg)
			if after := w.answer(""); !same(after, before) || after == nil {
				w.T.Errorf("it is %v, and was %v", after, before)
			}
		}},
		"NamedByItsParent": {"its ID is known before anything is set", func(w *world) {
			mg := w.apply()
			if id := meta.GetExternalName(mg); id != w.d.SingletonID(w.params()) {
				w.T.Errorf("its external name is %q", id)
			}
		}},
	} {
		for _, d := range []kind.Description{r2.R2BucketCORS(), saas.CustomHostnameFallbackOrigin()} {
			t.Run(d.Name+"/"+name, func(t *testing.T) {
				inParallel(t, func(t *testing.T) {
					w := newWorld(t, d)
					t.Log(row.reason)
					row.do(w)
				})
			})
		}
	}
}

// isSet reports whether a singleton is set and stays: Cloudflare removes some only after a
// while.
func (w *world) isSet() bool {
	w.T.Helper()
	live := w.answer("")
	return live != nil && live["status"] != "pending_deletion"
}
