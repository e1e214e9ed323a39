// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package external

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/crossplane/crossplane-runtime/v2/pkg/meta"
	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"
	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/utils/ptr"

	"github.com/provider-cloudflare/provider-cloudflare/apis/dns/v1alpha1"
	"github.com/provider-cloudflare/provider-cloudflare/internal/cloudflare"
	"github.com/provider-cloudflare/provider-cloudflare/internal/reconciler/reconcilertest"
)

func answered(status int) error {
	return fmt.Errorf("cannot create the thing: %w", &cloudflare.Error{Method: "POST", Route: "/things", Status: status, Details: []cloudflare.Detail{{Code: 1234, Message: "no"}}})
}

// TestWhatIsRefusedIsNotSentAgain checks that a creation and an update that were refused permanently are sent again
// after a change, and otherwise at growing intervals.
func TestWhatIsRefusedIsNotSentAgain(t *testing.T) {
	edit := func(w *world, change func(r *v1alpha1.Record)) {
		r := w.read()
		change(r)
		must(w.t, w.server.Update(w.t.Context(), r))
	}
	for _, tc := range []struct {
		reason string
		status int
		// then is called before the next reconcile.
		then  func(w *world)
		again bool
	}{
		{"nothing is another", 400, func(*world) {}, false},
		{"an unprocessable body", 422, func(*world) {}, false},
		{"the pause is not over", 400, func(*world) { <-time.After(14 * time.Second) }, false},
		{"the pause is over", 400, func(*world) { <-time.After(16 * time.Second) }, true},
		{"the spec is another", 400, func(w *world) {
			edit(w, func(r *v1alpha1.Record) { r.Spec.ForProvider.Content = ptr.To("192.0.2.99") })
		}, true},
		{"the parent's list is another", 400, func(w *world) { w.remote.changes++ }, true},
		{"the user asks", 400, func(w *world) {
			edit(w, func(r *v1alpha1.Record) {
				meta.AddAnnotations(r, map[string]string{meta.AnnotationKeyReconcileRequestedAt: "1"})
			})
		}, true},
		{"the credential lacks a permission", 403, func(*world) {}, true},
		{"the credential is not known", 401, func(*world) {}, true},
		{"a conflict", 409, func(*world) {}, true},
		{"a throttle", 429, func(*world) {}, true},
		{"an outage", 502, func(*world) {}, true},
	} {
		for _, verb := range []string{"create", "update"} {
			synctest.Test(t, func(t *testing.T) {
				o, things := object(), []thing(nil)
				if verb == "update" {
					meta.SetExternalName(o, "one")
					o.SetOwnership("Own")
					o.Status.AtProvider.ID = "one"
					things = []thing{{id: "one", name: "a", content: "another"}}
				}
				w := newWorld(t, reconcilertest.Scheme(t), false, o, things...)
				w.remote.refusal = map[string]error{verb: answered(tc.status)}
				w.reconcile()
				first := count(w.log, verb)
				if first != 1 {
					t.Fatalf("%s, %s: it was sent %d times at first: %v", tc.reason, verb, first, w.log)
				}
				tc.then(w)
				said := w.read().GetCondition(xpv2.TypeSynced)
				w.log = nil
				w.reconcile()
				if again := count(w.log, verb) > 0; again != tc.again {
					t.Errorf("%s, %s: sent again %t: %v", tc.reason, verb, again, w.log)
				}
				says := w.read().GetCondition(xpv2.TypeSynced)
				if says.Status != "False" || !strings.Contains(says.Message, "no (code 1234)") {
					t.Errorf("%s, %s: the object says %+v", tc.reason, verb, says)
				}
				if !tc.again && !cmp.Equal(says, said) {
					t.Errorf("%s, %s: the condition changed though nothing was sent:\n%s", tc.reason, verb, cmp.Diff(said, says))
				}
				if written := slices.ContainsFunc(w.log, func(a asked) bool { return a == asked{"server", "update status"} }); written && !tc.again {
					t.Errorf("%s, %s: the same status was written again: %v", tc.reason, verb, w.log)
				}
			})
		}
	}
}

// TestARefusedCreationIsNoRefusedUpdate checks that an update is sent after the user names an existing resource,
// although the creation of it was refused.
func TestARefusedCreationIsNoRefusedUpdate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		o := object()
		o.Spec.AdoptionPolicy = v1alpha1.AdoptNameAndType
		w := newWorld(t, reconcilertest.Scheme(t), false, o)
		w.remote.refusal = map[string]error{"create": answered(400)}
		w.reconcile()
		w.remote.things["one"] = thing{id: "one", name: "a", content: "another"}
		r := w.read()
		meta.SetExternalName(r, "one")
		must(t, w.server.Update(t.Context(), r))
		w.log = nil
		w.reconcile()
		if count(w.log, "update") == 0 {
			t.Errorf("the update was not sent: %v, %v", w.log, w.read().GetCondition(xpv2.TypeSynced))
		}
	})
}

func count(log []asked, verb string) (n int) {
	for _, a := range log {
		if a == (asked{"remote", verb}) {
			n++
		}
	}
	return n
}

// TestRefusalsAreBounded checks that refusals take a bounded amount of memory, and expire.
func TestRefusalsAreBounded(t *testing.T) {
	r, now := &Refusals{}, time.Now()
	refused := answered(400)
	for i := range mostRefusals + 10 {
		r.note(types.UID(fmt.Sprint(i)), "x", refused, now)
	}
	if len(r.by) != mostRefusals {
		t.Errorf("%d are remembered", len(r.by))
	}
	later := now.Add(24 * time.Hour)
	r.note("new", "x", refused, later)
	if len(r.by) != 1 || !r.of("new").stands("x", later) {
		t.Errorf("%d are remembered a day later", len(r.by))
	}
	r.note("new", "", refused, later)
	if got := r.of("new"); got.times != 1 {
		t.Errorf("what nobody can tell from anything else is remembered: %+v", got)
	}
	r.note("new", "x", nil, later)
	if r.of("new").err != nil {
		t.Error("what was accepted is refused")
	}
	var none *Refusals
	none.note("a", "x", refused, now)
	none.Forget("a")
	if none.of("a").err != nil {
		t.Error("nobody remembers it")
	}
}
