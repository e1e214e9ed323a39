// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package described

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/crossplane/crossplane-runtime/v2/pkg/meta"
	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"

	cfv1alpha1 "github.com/provider-cloudflare/provider-cloudflare/apis/v1alpha1"
	"github.com/provider-cloudflare/provider-cloudflare/internal/external/claim"
	"github.com/provider-cloudflare/provider-cloudflare/internal/external/journal"
	"github.com/provider-cloudflare/provider-cloudflare/internal/kind"
)

// forgeries returns annotations that say that the object has the resource of that ID, and that it was noted before
// its creation. Each set says so in a way of the provider or of an earlier version.
func forgeries(id, note string) map[string]map[string]string {
	const then = "2026-01-02T03:04:05Z"
	pending := map[string]string{annotationPending: note, meta.AnnotationKeyExternalCreatePending: then, journal.Annotation: "journal"}
	failed := maps.Clone(pending)
	failed[meta.AnnotationKeyExternalCreateFailed] = then
	made := maps.Clone(pending)
	made[meta.AnnotationKeyExternalCreateSucceeded], made[meta.AnnotationKeyExternalName] = then, id
	out := map[string]map[string]string{
		"a creation without an answer": pending,
		"a creation that failed":       failed,
		"a creation of a lost journal": {annotationPending: note, meta.AnnotationKeyExternalCreatePending: then},
		"a creation":                   made,
		"an external name":             {meta.AnnotationKeyExternalName: id},
		"a replaced resource":          {annotationSuperseded: id + " " + then},
		"a deletion":                   {meta.AnnotationKeyExternalName: id, annotationDeleting: id},
		"a deletion that is done":      {meta.AnnotationKeyExternalName: id, annotationDeleted: id},
		"what it was before":           {meta.AnnotationKeyExternalName: id, annotationBefore: `{"value":"off"}`},
	}
	all := map[string]string{}
	for _, reason := range slices.Sorted(maps.Keys(out)) {
		maps.Copy(all, out[reason])
	}
	out["all at once"] = all
	return out
}

// TestForgedAnnotations checks, for each kind, that a resource without an object stays as it is, with any annotations
// on an object that may not adopt. A kind without an adoption policy adopts by ID what is as declared: for these
// kinds, the resource differs from that.
func TestForgedAnnotations(t *testing.T) {
	t.Parallel()
	var byID atomic.Int32
	t.Run("kinds", func(t *testing.T) {
		for _, e := range roster() {
			if e.Description.Shape == kind.Singleton {
				continue // Its identity follows from its spec: see TestForgedAnnotationsOfSingletons.
			}
			t.Run(e.GVK.Kind, func(t *testing.T) {
				t.Parallel()
				s := newSecond(t, e)
				named := s.own.GetAdoptionPolicy() != "" || s.differs()
				if named {
					byID.Add(1)
				}
				note, n := s.abandon(), 0
				for reason, annotations := range forgeries(s.id, note) {
					if !named {
						delete(annotations, meta.AnnotationKeyExternalName)
					}
					for _, policies := range []xpv2.ManagementPolicies{{xpv2.ManagementActionObserve, xpv2.ManagementActionDelete}, {xpv2.ManagementActionAll}} {
						n++
						s.forge(n, reason, annotations, policies)
					}
				}
			})
		}
	})
	if n := byID.Load(); n < 50 {
		t.Errorf("the IDs of %d kinds are fewer than there were", n)
	}
}

// differs changes a value of the resource, so that it is not as declared. It returns false if an answer shows no
// value that an object has.
func (s *second) differs() bool {
	s.t.Helper()
	want, err := kind.Encode(s.own.GetForProvider())
	must(s.t, err)
	changed := false
	err = s.sim.EditResource(s.made+"/"+s.id, func(doc map[string]any) {
		for _, name := range slices.Sorted(maps.Keys(want)) {
			f := s.e.Description.Fields[name]
			if changed || f.WriteOnly || f.Concealed || f.Secret || f.Answer != "" {
				continue
			}
			switch v := doc[name].(type) {
			case string:
				doc[name], changed = v+"-theirs", true
			case bool:
				doc[name], changed = !v, true
			case json.Number:
				doc[name], changed = v+"1", true
			case []any:
				doc[name], changed = append(v, v...), len(v) > 0
			}
		}
	})
	return err == nil && changed
}

// TestForgedAnnotationsOfSingletons checks, for each kind whose resources exist with their parent, that the
// annotations of an object make it send nothing that it does not send without them.
func TestForgedAnnotationsOfSingletons(t *testing.T) {
	t.Parallel()
	for _, e := range roster() {
		if e.Description.Shape != kind.Singleton {
			continue
		}
		t.Run(e.GVK.Kind, func(t *testing.T) {
			t.Parallel()
			for _, policies := range []xpv2.ManagementPolicies{{xpv2.ManagementActionObserve, xpv2.ManagementActionDelete}, {xpv2.ManagementActionAll}} {
				id, want := sentWith(t, e, policies, nil)
				for reason, annotations := range forgeries(id, "{}") {
					_, got := sentWith(t, e, policies, annotations)
					for _, call := range got {
						if !slices.Contains(want, call) {
							t.Errorf("%s, %v: the object sends %s; without the annotations it sends %v", reason, policies, call, want)
						}
					}
				}
			}
		})
	}
}

// sentWith returns what an object of a kind with those annotations sends to Cloudflare from its creation to its end,
// and the ID of its resource.
func sentWith(t *testing.T, e entry, policies xpv2.ManagementPolicies, annotations map[string]string) (id string, out []string) {
	t.Helper()
	s := newStage(t, e)
	note := func() {
		mg := s.read(s.kind, s.key)
		meta.AddAnnotations(mg, annotations)
		must(t, s.server.Update(t.Context(), mg))
	}
	look := func() {
		for range 4 {
			s.reconcile(s.kind, s.key)
			for _, a := range s.log {
				if a.writes() {
					call := strings.ReplaceAll(a.what+" "+s.sent, s.session.AccountID, "ACCOUNT")
					out = append(out, strings.ReplaceAll(call, s.sim.Zones()[0].ID, "ZONE"))
				}
			}
		}
	}
	mg := s.read(s.kind, s.key)
	if by := e.Description.OnDelete.By; by != "" {
		raw, err := json.Marshal(map[string]any{"spec": map[string]any{by: kind.Restore}})
		must(t, err)
		must(t, json.Unmarshal(raw, mg))
	}
	mg.SetManagementPolicies(policies)
	must(t, s.server.Update(t.Context(), mg))
	note()
	look()
	id = meta.GetExternalName(s.read(s.kind, s.key))
	note()
	s.delete()
	look()
	return id, out
}

// abandon removes the object past its finalizers, and all that the provider knows of it. It returns the note of its
// creation.
func (s *second) abandon() string {
	s.t.Helper()
	note := "{}"
	for _, entry := range s.journal.Entries() {
		var about struct{ Note string }
		if entry.UID == s.own.GetUID() {
			must(s.t, json.Unmarshal(entry.Subject, &about))
			note = about.Note
		}
	}
	s.vanish()
	s.journal.Reset()
	return note
}

// forge fails the test if an object with those annotations changes the resource.
func (s *second) forge(n int, reason string, annotations map[string]string, policies xpv2.ManagementPolicies) {
	s.t.Helper()
	s.inner[s.kind] = s.reconciler(s.e)
	s.begin(n, spelling{}, policies)
	mg := s.read(s.kind, s.key)
	meta.AddAnnotations(mg, annotations)
	setAdoption(s.t, mg, cfv1alpha1.AdoptNever)
	must(s.t, s.server.Update(s.t.Context(), mg))
	look := func(when string) {
		for range 4 {
			s.reconcile(s.kind, s.key)
			for _, a := range s.log {
				if a.writes() && (s.named() || strings.Contains(a.what, s.id)) {
					s.t.Errorf("%s, %v, %s: the object sends %s", reason, policies, when, a.what)
				}
			}
		}
	}
	look("while it is there")
	if mg = s.read(s.kind, s.key); mg != nil && mg.GetDeletionTimestamp() == nil {
		meta.AddAnnotations(mg, annotations)
		must(s.t, s.server.Update(s.t.Context(), mg))
		must(s.t, s.server.Delete(s.t.Context(), mg))
	}
	look("with its deletion")
	if mg = s.read(s.kind, s.key); mg != nil {
		mg.SetFinalizers(nil)
		must(s.t, s.server.Update(s.t.Context(), mg))
	}
}

// named reports whether nothing may be sent for an object that may not adopt, because a resource with its name
// exists. Objects without a name create one of their own.
func (s *second) named() bool {
	want, err := kind.Encode(s.own.GetForProvider())
	must(s.t, err)
	_, named := s.e.Description.NaturalKey(want)
	return named || s.e.Description.Shape != kind.Collection && s.e.Description.Mark == ""
}

// setAdoption sets the adoption policy of an object, if its kind has one.
func setAdoption(t *testing.T, mg Object, to cfv1alpha1.AdoptionPolicy) {
	t.Helper()
	raw, err := json.Marshal(map[string]any{"spec": map[string]any{"adoptionPolicy": to}})
	must(t, err)
	must(t, json.Unmarshal(raw, mg))
}

// TestForgeriesCoverTheNotes checks that each annotation that the provider writes is among the forgeries.
func TestForgeriesCoverTheNotes(t *testing.T) {
	t.Parallel()
	forged := forgeries("id", "{}")["all at once"]
	for _, e := range roster() {
		n := notes(e.Description)
		for _, key := range []string{n.Pending, n.Deleting, n.Deleted, journal.Annotation, annotationSuperseded, annotationBefore} {
			if _, has := forged[key]; key != "" && !has {
				t.Errorf("%s of %s is not forged", key, e.GVK.Kind)
			}
		}
	}
}

// TestObservedOnlyIsNotOwned checks, for each kind whose resources have names, that a resource that an object only
// observed is not its own once it manages. Its deletion leaves the resource.
func TestObservedOnlyIsNotOwned(t *testing.T) {
	t.Parallel()
	for _, e := range roster() {
		if e.Description.Shape == kind.Singleton || len(e.Description.Natural) == 0 {
			continue // A resource without a name is found by its ID alone.
		}
		t.Run(e.GVK.Kind, func(t *testing.T) {
			t.Parallel()
			s := newSecond(t, e)
			if s.own.GetAdoptionPolicy() == "" {
				return // It adopts by ID what is as declared.
			}
			s.abandon()
			s.inner[s.kind] = s.reconciler(s.e)
			s.begin(1, spelling{name: s.id}, xpv2.ManagementPolicies{xpv2.ManagementActionObserve})
			for range 3 {
				s.reconcileWithoutWrites()
			}
			mg := s.read(s.kind, s.key)
			if got := mg.GetOwnership(); got != claim.Observed {
				t.Fatalf("the status of who only observes says %q: %v", got, mg.GetCondition(xpv2.TypeSynced))
			}
			s.inner[s.kind] = s.reconciler(s.e) // The provider remembers only what the status says.
			setAdoption(t, mg, cfv1alpha1.AdoptNever)
			mg.SetManagementPolicies(xpv2.ManagementPolicies{xpv2.ManagementActionAll})
			must(t, s.server.Update(t.Context(), mg))
			s.reconcileWithoutWrites()
			must(t, s.server.Delete(t.Context(), s.read(s.kind, s.key)))
			for range 3 {
				s.reconcileWithoutWrites()
			}
			if left := s.read(s.kind, s.key); left != nil {
				t.Errorf("the object does not go: %v", left.GetCondition(xpv2.TypeSynced))
			}
		})
	}
}

// TestDeletedBetweenAdoptionAndStatus checks an object that adopts a resource and is deleted before its status says
// so. The resource is deleted with it.
func TestDeletedBetweenAdoptionAndStatus(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"VirtualNetwork", "KVNamespace", "WaitingRoom"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newSecond(t, entryOf(t, name))
			s.abandon()
			s.inner[s.kind] = s.reconciler(s.e)
			s.begin(1, spelling{}, []xpv2.ManagementAction{xpv2.ManagementActionAll})
			done, deleted := false, false
			s.before = func(int) {
				if mg := s.read(s.kind, s.key); !done && mg != nil && meta.GetExternalName(mg) != "" {
					done = true
					s.delete()
				}
			}
			for range 6 {
				s.reconcile(s.kind, s.key)
				deleted = deleted || slices.ContainsFunc(s.log, func(a asked) bool { return a.writes() && strings.HasPrefix(a.what, "DELETE") })
			}
			if !done || !deleted || s.read(s.kind, s.key) != nil {
				t.Errorf("what it adopted is deleted: %t (the object was deleted in between: %t)", deleted, done)
			}
		})
	}
}
