// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package described

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/crossplane/crossplane-runtime/v2/pkg/meta"
	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/provider-cloudflare/provider-cloudflare/internal/kind"
)

// A scene is one step that a reconcile takes. It begins with an object that was never reconciled.
type scene struct {
	step string
	// begin sets up the state in which the step begins. It returns false for a kind that has no such step.
	begin func(s *stage, e entry) bool
	// writes is true for a step that writes to Cloudflare.
	writes bool
}

func scenes() []scene {
	return []scene{
		{"create", func(*stage, entry) bool { return true }, true},
		{"adopt", func(s *stage, e entry) bool {
			_, never := e.Description.Excused["Adopted"]
			if never || e.Description.Shape != kind.Collection {
				return false
			}
			s.settle(s.kind, s.key)
			s.forgetful()
			return true
		}, false},
		{"undo a drift", func(s *stage, e entry) bool {
			s.settle(s.kind, s.key)
			return s.drifts(e)
		}, true},
		{"delete", func(s *stage, e entry) bool {
			s.settle(s.kind, s.key)
			s.delete()
			return e.Description.Delete != ""
		}, true},
	}
}

// forgetful removes the object without its resource, and creates it again.
func (s *stage) forgetful() { s.replace("again") }

// replace removes the object, also if it has finalizers, and creates another one.
func (s *stage) replace(uid types.UID) {
	s.t.Helper()
	mg := s.read(s.kind, s.key)
	if mg.GetFinalizers() != nil {
		mg.SetFinalizers(nil)
		must(s.t, s.server.Update(s.t.Context(), mg))
	}
	must(s.t, client.IgnoreNotFound(s.server.Delete(s.t.Context(), mg)))
	s.claims[s.kind].Forget(mg)
	next, _ := s.fresh.DeepCopyObject().(Object)
	next.SetUID(uid)
	must(s.t, s.server.Create(s.t.Context(), next))
	s.replaced++
	for range 20 * s.replaced { // Versions begin again with each object here. This makes them new.
		must(s.t, s.server.Update(s.t.Context(), next))
	}
}

// collectGarbage removes Secrets of objects that are gone.
func (s *stage) collectGarbage() {
	s.t.Helper()
	all, now := &corev1.SecretList{}, s.read(s.kind, s.key)
	must(s.t, s.server.List(s.t.Context(), all))
	for i := range all.Items {
		owned := metav1.GetControllerOf(&all.Items[i]) != nil
		if owned && (now == nil || !metav1.IsControlledBy(&all.Items[i], now)) {
			must(s.t, s.server.Delete(s.t.Context(), &all.Items[i]))
		}
	}
}

// delete deletes the object, as a user does.
func (s *stage) delete() {
	s.t.Helper()
	mg := s.read(s.kind, s.key)
	if len(mg.GetFinalizers()) > 0 && mg.GetDeletionTimestamp() == nil {
		mg.SetGeneration(mg.GetGeneration() + 1)
		must(s.t, s.server.Update(s.t.Context(), mg))
	}
	must(s.t, s.server.Delete(s.t.Context(), mg))
}

// edit makes the object leave its resource when it is deleted, as a user does.
func (s *stage) edit() {
	s.t.Helper()
	mg := s.read(s.kind, s.key)
	mg.SetGeneration(mg.GetGeneration() + 1)
	u, err := runtime.DefaultUnstructuredConverter.ToUnstructured(mg)
	must(s.t, err)
	must(s.t, unstructured.SetNestedField(u, string(xpv2.DeletionOrphan), "spec", "deletionPolicy"))
	must(s.t, runtime.DefaultUnstructuredConverter.FromUnstructured(u, mg))
	must(s.t, s.server.Update(s.t.Context(), mg))
}

// drifts changes all scalars at Cloudflare that the object declares and an update may set, and restarts the provider.
// It returns false for a kind that has none in a resource of its own.
func (s *stage) drifts(e entry) bool {
	s.t.Helper()
	d, mg := e.Description, s.read(s.kind, s.key)
	if d.Shape != kind.Collection || d.Update == "" {
		return false
	}
	want, err := kind.Encode(mg.GetForProvider())
	must(s.t, err)
	only, changed := kind.CreateOnly(mg.GetForProvider()), false
	err = s.sim.EditResource(s.made+"/"+meta.GetExternalName(mg), func(doc map[string]any) {
		for name := range want {
			f := d.Fields[name]
			if f.Immutable || f.WriteOnly || f.Concealed || f.Secret || f.Answer != "" || slices.Contains(only, name) {
				continue
			}
			switch v := doc[name].(type) {
			case string:
				doc[name], changed = v+"-drifted", true
			case bool:
				doc[name], changed = !v, true
			case json.Number: // Also a value that must be unique, such as a name.
				doc[name], changed = v+"1", true
			}
		}
	})
	s.inner[s.kind] = s.reconciler(e) // It does not remember what the one before saw.
	return err == nil && changed
}

// TestNothingIsDecidedOnAnOlderObject lets a user edit, delete or replace the object before each request of each step
// of each kind. From then on the API server has a version that no decision is about. At most one write to Cloudflare
// follows, and none after a request about the object to the API server. Only a call that is being sent at that moment
// may delete anything.
func TestNothingIsDecidedOnAnOlderObject(t *testing.T) {
	acts := map[string]func(*stage){"edit": (*stage).edit, "delete": (*stage).delete, "replace": func(s *stage) { s.replace("second") }}
	var mu sync.Mutex // It guards the variables below: the kinds run in parallel.
	steps, tried := map[string]int{}, 0
	try := func(t *testing.T, e entry, sc scene) {
		t.Helper()
		s := newStage(t, e)
		if !sc.begin(s, e) {
			return
		}
		s.reconcile(s.kind, s.key)
		all := slices.Clone(s.log)
		// No answer has the files or the secrets that exist: an object that adopts them sends its own.
		unseen := e.Description.Update != "" && (e.Description.Upload != nil || len(kind.KeyFields(s.fresh.GetForProvider())) > 0)
		want := sc.writes || sc.step == "adopt" && unseen
		if writes := slices.ContainsFunc(all, asked.writes); writes != want {
			t.Errorf("%s writes: %t: %v", sc.step, writes, all)
		}
		for n := range all {
			for what, act := range acts {
				interleave(t, e, sc, n, what, act)
			}
		}
		mu.Lock()
		defer mu.Unlock()
		steps[sc.step]++
		tried += len(all) * len(acts)
	}
	t.Run("kinds", func(t *testing.T) {
		for _, e := range roster() {
			t.Run(e.GVK.Kind, func(t *testing.T) {
				t.Parallel()
				for _, sc := range scenes() {
					try(t, e, sc)
				}
			})
		}
	})
	if steps["create"] != len(roster()) || steps["adopt"] < 3 || steps["undo a drift"] < 6 || steps["delete"] < 10 {
		t.Errorf("some steps were of too few kinds: %v", steps)
	}
	if tried < 20*len(roster()) {
		t.Errorf("%d interleavings are fewer than there were", tried)
	}
	t.Logf("%d interleavings of %v", tried, steps)
}

func interleave(t *testing.T, e entry, sc scene, n int, what string, act func(*stage)) {
	t.Helper()
	s := newStage(t, e)
	sc.begin(s, e)
	s.before = func(i int) {
		if i == n {
			s.before = nil
			act(s)
		}
	}
	s.reconcile(s.kind, s.key)
	known, written := false, 0 // known: the API server could have reported the change.
	for i, a := range s.log[min(n, len(s.log)):] {
		if !a.writes() {
			known = known || a.of == "server"
			continue
		}
		written++
		if known || written > 1 || i > 0 && strings.Contains(a.what, http.MethodDelete) {
			t.Errorf("%s, %s before %d: %v was decided on the object before it: %v", sc.step, what, n, a, s.log)
		}
	}
	s.holdsTogether(fmt.Sprintf("%s, %s before %d", sc.step, what, n), e)
}

// holdsTogether checks that what the user did is still there, that nothing of another object was handed over, and
// that the next reconciles correct the rest.
func (s *stage) holdsTogether(when string, e entry) {
	s.t.Helper()
	now := s.read(s.kind, s.key)
	if now != nil && now.GetUID() == "second" && (meta.GetExternalName(now) != "" || !meta.GetExternalCreatePending(now).IsZero() || seenID(now) != "") {
		s.t.Errorf("%s: another object of the name has what was the first's: %v", when, now.GetAnnotations())
	}
	s.collectGarbage()
	for range 8 {
		s.reconcile(s.kind, s.key)
		if len(s.log) == 0 {
			break
		}
	}
	now = s.read(s.kind, s.key)
	switch {
	case now == nil:
	case now.GetDeletionTimestamp() != nil:
		s.t.Errorf("%s: the object does not go: %v", when, now.GetCondition(xpv2.TypeSynced))
	case now.GetCondition(xpv2.TypeSynced).Status != "True" || meta.GetExternalName(now) == "":
		s.t.Errorf("%s: the object is not well: %v", when, now.GetCondition(xpv2.TypeSynced))
	}
	left, ok := s.left(e)
	if ok && now != nil && left != 1 && now.GetUID() != "second" {
		s.t.Errorf("%s: it has %d resources", when, left)
	}
}

// left returns how many resources of the kind exist. It returns false if nothing was created.
func (s *stage) left(e entry) (int, bool) {
	s.t.Helper()
	switch {
	case e.Description.Bulk != "" && s.made != "":
		return s.sim.CountResources(s.made), true
	case e.Description.Shape == kind.Fragment && s.document != "":
		return len(s.fragments(e)), true
	case e.Description.Shape == kind.Collection && s.made != "":
		return s.sim.CountResources(s.made) - s.sim.Seeded(s.made), true
	}
	return 0, false
}

// fragments returns the keys of the elements of the document that contains the object's element.
func (s *stage) fragments(e entry) []string {
	s.t.Helper()
	w := httptest.NewRecorder()
	r := httptest.NewRequestWithContext(s.t.Context(), http.MethodGet, s.document, nil)
	r.Header.Set("Authorization", "Bearer "+s.token)
	s.sim.ServeHTTP(w, r)
	v, err := kind.Parse(w.Body.Bytes())
	must(s.t, err)
	doc, _ := v.(kind.Document)["result"].(kind.Document)
	var out []string
	for _, element := range e.Description.Elements(doc) {
		if key := e.Description.FragmentKey(element); key != "" {
			out = append(out, key)
		}
	}
	return out
}
