// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package external

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/crossplane/crossplane-runtime/v2/pkg/meta"
	"github.com/crossplane/crossplane-runtime/v2/pkg/reconciler/managed"
	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"
	"k8s.io/utils/ptr"
	"pgregory.net/rapid"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"github.com/provider-cloudflare/provider-cloudflare/apis/dns/v1alpha1"
	apisv1alpha1 "github.com/provider-cloudflare/provider-cloudflare/apis/v1alpha1"
	"github.com/provider-cloudflare/provider-cloudflare/internal/external/journal"
	"github.com/provider-cloudflare/provider-cloudflare/internal/reconciler"
	"github.com/provider-cloudflare/provider-cloudflare/internal/reconciler/reconcilertest"
)

// foreign returns things that belong to no object.
func foreign() []thing {
	old := time.Now().Add(-time.Hour)
	return []thing{
		{id: "live", name: "a", content: "wanted", ttl: 30, made: old},
		{id: "other", name: "b", content: "wanted", ttl: 30, made: old},
		{id: "third", name: "c", content: "other", ttl: 30, made: old},
	}
}

// anyAnnotations returns any values of the provider's annotations that a user may write.
func anyAnnotations(t *rapid.T) map[string]string {
	out := map[string]string{}
	value := rapid.SampledFrom([]string{"", "a", "b", "c", "live", "other", "third", "journal", "{}", `"b"`, "2026-01-02T03:04:05Z", time.Now().Format(time.RFC3339)})
	keys := append(testNotes().all(), meta.AnnotationKeyExternalName, meta.AnnotationKeyExternalCreatePending,
		meta.AnnotationKeyExternalCreateFailed, meta.AnnotationKeyExternalCreateSucceeded)
	for _, key := range keys {
		if rapid.Bool().Draw(t, key+" is set") {
			out[key] = value.Draw(t, key)
		}
	}
	return out
}

// TestAnyAnnotations checks that annotations do not make an object change or delete a thing that it leaves alone
// without them, for any spec and any policies.
func TestAnyAnnotations(t *testing.T) {
	scheme := reconcilertest.Scheme(t)
	rapid.Check(t, func(rt *rapid.T) {
		isNoted := rapid.Bool().Draw(rt, "noted")
		name := rapid.SampledFrom([]string{"", "a", "b", "c", "d"}).Draw(rt, "name")
		may := []xpv2.ManagementAction{xpv2.ManagementActionObserve}
		for _, a := range []xpv2.ManagementAction{xpv2.ManagementActionCreate, xpv2.ManagementActionUpdate, xpv2.ManagementActionDelete, xpv2.ManagementActionLateInitialize} {
			if rapid.Bool().Draw(rt, string(a)) {
				may = append(may, a)
			}
		}
		adoption := rapid.SampledFrom([]v1alpha1.AdoptionPolicy{v1alpha1.AdoptIdentical, v1alpha1.AdoptNever, v1alpha1.AdoptNameAndType}).Draw(rt, "adoption")
		declared := func(r *v1alpha1.Record) {
			r.Spec.ManagementPolicies, r.Spec.AdoptionPolicy = may, adoption
			if r.Spec.ForProvider.Name = ptr.To(name); name == "" {
				r.Spec.ForProvider.Name = nil
			}
		}
		annotations := anyAnnotations(rt)
		with := touched(t, newWorld(t, scheme, isNoted, object(declared, func(r *v1alpha1.Record) { meta.AddAnnotations(r, annotations) }), foreign()...))
		without := touched(t, newWorld(t, scheme, isNoted, object(declared), foreign()...))
		for id := range with {
			if !without[id] {
				rt.Errorf("with the annotations %v the object changes %s", annotations, id)
			}
		}
	})
}

// touched reconciles the object, deletes it, and returns the foreign things that it has changed or deleted.
func touched(t *testing.T, w *world) map[string]bool {
	t.Helper()
	out := map[string]bool{}
	for range 4 {
		w.reconcile()
	}
	if w.read() != nil {
		w.delete()
	}
	for range 4 {
		w.reconcile()
	}
	for _, l := range foreign() {
		now, there := w.remote.things[l.id]
		if now.made = l.made; !there || now != l {
			out[l.id] = true
		}
	}
	return out
}

// TestCreatedBeforeTheStatusSaysSo checks the case that a process ends after the ID of a new resource is recorded,
// and before the status has it. The next process finds it by the journal, with any adoption policy. Without the
// journal it takes over nothing.
func TestCreatedBeforeTheStatusSaysSo(t *testing.T) {
	begun := time.Now().Add(-time.Minute)
	for _, isNoted := range []bool{false, true} {
		for _, tc := range []struct {
			reason  string
			entries []journal.Entry
			leaving bool
			own     bool
		}{
			{"the journal knows", []journal.Entry{{UID: "first", Subject: rawSubject(`"a"`), Begun: begun}}, false, true},
			{"the journal knows, and the object is deleted", []journal.Entry{{UID: "first", Subject: rawSubject(`"a"`), Begun: begun}}, true, true},
			{"the journal knows of another object", []journal.Entry{{UID: "second", Subject: rawSubject(`"a"`), Begun: begun}}, false, false},
			{"the journal knows of another creation", []journal.Entry{{UID: "first", Subject: rawSubject(`"b"`), Begun: begun}}, false, false},
			{"the journal knows nothing", nil, false, false},
			{"the journal knows nothing, and the object is deleted", nil, true, false},
		} {
			made := thing{id: "live", name: "a", content: "wanted", ttl: 60, made: begun.Add(time.Second)}
			w := newWorld(t, reconcilertest.Scheme(t), isNoted, object(has("live"), func(r *v1alpha1.Record) {
				r.Status.AtProvider.ID, r.Status.Ownership = "", ""
				r.Spec.AdoptionPolicy = v1alpha1.AdoptNever
			}), made)
			must(t, w.notes.Memory.Begin(t.Context(), tc.entries...))
			if tc.leaving {
				w.delete()
			}
			for range 3 {
				w.reconcile()
			}
			r := w.read()
			_, there := w.remote.things["live"]
			switch {
			case tc.leaving && (r != nil || there == tc.own):
				t.Errorf("%s (noted %t): the object is gone: %t, and what it has created is left: %t", tc.reason, isNoted, r == nil, there)
			case !tc.leaving && (r.Status.Ownership == apisv1alpha1.OwnershipOwn) != tc.own:
				t.Errorf("%s (noted %t): the status says %q: %s", tc.reason, isNoted, r.Status.Ownership, r.GetCondition(xpv2.TypeSynced).Message)
			}
		}
	}
}

// TestAnOpenCreationIsLookedAtAgain checks an object that has its resource, and an entry of another creation whose
// outcome was lost with an earlier process. The object is looked at again once that creation has shown all that it
// will ever show.
func TestAnOpenCreationIsLookedAtAgain(t *testing.T) {
	for _, tc := range []struct {
		reason string
		begun  time.Duration
		again  time.Duration
		open   int
	}{
		{"it may still show", -time.Second, reconciler.Timeout, 1},
		{"it has shown nothing", time.Hour, 0, 0},
	} {
		made := thing{id: "live", name: "a", content: "wanted", ttl: 60, made: time.Now().Add(-time.Hour)}
		w := newWorld(t, reconcilertest.Scheme(t), false, object(has("live")), made)
		must(t, w.notes.Memory.Begin(t.Context(), journal.Entry{UID: "first", Subject: rawSubject(`"b"`), Begun: time.Now().Add(-tc.begun)}))
		state := &reconciler.State{Object: key()}
		w.cached = w.read()
		if _, err := w.inner.Reconcile(reconciler.WithState(t.Context(), state), reconcile.Request{NamespacedName: key()}); err != nil {
			t.Fatal(err)
		}
		if state.Again < tc.again-time.Second || state.Again > tc.again+2*time.Minute {
			t.Errorf("%s: the object is looked at again within %s, want %s", tc.reason, state.Again, tc.again)
		}
		if open, err := w.notes.Creations(t.Context(), "first"); err != nil || len(open) != tc.open {
			t.Errorf("%s: %d creations are open, want %d: %v", tc.reason, len(open), tc.open, err)
		}
	}
}

// TestNothingIsChangedBeforeTheStatusSaysWhoseItIs checks that a resource is changed only after the status has it, at
// any end of the process. Until then the journal's entry identifies the resource by its original state.
func TestNothingIsChangedBeforeTheStatusSaysWhoseItIs(t *testing.T) {
	begun := time.Now().Add(-time.Minute)
	for _, isNoted := range []bool{false, true} {
		for _, tc := range []struct {
			reason string
			object *v1alpha1.Record
			things []thing
			entry  bool
		}{
			{"an earlier process created it", object(has("live"), func(r *v1alpha1.Record) {
				r.Status.AtProvider.ID, r.Status.Ownership = "", ""
			}), []thing{{id: "live", name: "a", content: "old", ttl: 60, made: begun.Add(time.Second)}}, true},
			{
				"an earlier process created it, and its name is not recorded", object(),
				[]thing{{id: "live", name: "a", content: "old", ttl: 60, made: begun.Add(time.Second)}},
				true,
			},
			{"it was created by this process", object(), nil, false},
		} {
			w := newWorld(t, reconcilertest.Scheme(t), isNoted, tc.object, tc.things...)
			if tc.entry {
				must(t, w.notes.Memory.Begin(t.Context(), journal.Entry{UID: "first", Subject: rawSubject(`"a"`), Begun: begun}))
			}
			changes := 0
			w.remote.ask = func(verb, id string) {
				if verb != "update" {
					return
				}
				changes++
				if r := w.read(); r.Status.Ownership != apisv1alpha1.OwnershipOwn || r.Status.AtProvider.ID != id {
					t.Errorf("%s (noted %t): %s is changed while the status says that %q is %q", tc.reason, isNoted, id, r.Status.AtProvider.ID, r.Status.Ownership)
				}
			}
			w.reconcile()
			w.edit()
			for range 4 {
				w.reconcile()
			}
			if r := w.read(); changes == 0 || r.GetCondition(xpv2.TypeSynced).Status != "True" {
				t.Errorf("%s (noted %t): there are %d changes: %s", tc.reason, isNoted, changes, r.GetCondition(xpv2.TypeSynced).Message)
			}
		}
	}
}

// TestACreationThatMadeWhatIsAnothers checks a creation whose only possible result belongs to another object. Once
// nothing else can show, the journal keeps no entry of it. That also holds if the object waits for the other one, or
// has another resource.
func TestACreationThatMadeWhatIsAnothers(t *testing.T) {
	begun := time.Now().Add(-time.Hour)
	for _, tc := range []struct {
		reason string
		object *v1alpha1.Record
		asked  string
	}{
		{"the object is refused what another has", object(), `"a"`},
		{"the object takes over nothing", object(func(r *v1alpha1.Record) { r.Spec.AdoptionPolicy = v1alpha1.AdoptNever }), `"a"`},
		{"the object has something else", object(has("own"), func(r *v1alpha1.Record) { r.Spec.ForProvider.Name = ptr.To("b") }), `"a"`},
	} {
		w := newWorld(t, reconcilertest.Scheme(t), false, tc.object,
			thing{id: "theirs", name: "a", content: "wanted", ttl: 60, made: begun.Add(time.Second)},
			thing{id: "own", name: "b", content: "wanted", ttl: 60, made: begun.Add(2 * time.Second)})
		must(t, w.server.Create(t.Context(), object(has("theirs"), func(r *v1alpha1.Record) { r.Name, r.UID = "other", "other" })))
		must(t, w.notes.Memory.Begin(t.Context(), journal.Entry{UID: "first", Subject: rawSubject(tc.asked), Begun: begun}))
		for range 2 {
			w.reconcile()
		}
		if open, err := w.notes.Creations(t.Context(), "first"); err != nil || len(open) != 0 {
			t.Errorf("%s: %d creations are open, want none: %v; %v", tc.reason, len(open), err, w.notes.notes)
		}
		if l := w.remote.things["theirs"]; l.content != "wanted" {
			t.Errorf("%s: what is another's is changed: %v", tc.reason, l)
		}
	}
}

// TestLostJournal checks that an object waits if another journal had the entry of its creation, and continues if its
// journal never got the entry.
func TestLostJournal(t *testing.T) {
	for journalID, waits := range map[string]bool{"": false, "lost": true} {
		w := newWorld(t, reconcilertest.Scheme(t), false, object(func(r *v1alpha1.Record) {
			meta.AddAnnotations(r, map[string]string{testNotes().Pending: "a", journal.Annotation: journalID})
			meta.SetExternalCreatePending(r, time.Now())
		}))
		for range 2 {
			w.reconcile()
		}
		said := w.read().GetCondition(xpv2.TypeSynced).Message
		if got := strings.Contains(said, "the journal of creations that tells what came of it is lost"); got != waits || (w.remote.made == 0) != waits {
			t.Errorf("with the note of the journal %q the object says %q, and has created %d things", journalID, said, w.remote.made)
		}
	}
	lost := &LostJournalError{Noun: "thing", Notes: []string{"x"}}
	for _, want := range []string{"the annotations [x] say", "set the annotation " + meta.AnnotationKeyExternalName, "then remove the annotations"} {
		if !strings.Contains(lost.Error(), want) {
			t.Errorf("%q does not say %q", lost, want)
		}
	}
}

// TestAnsweredByALaterProcess checks the case that a process ends after a creation, and the next one finds the
// resource and makes it the object's own. The journal then drops the entry. If the object or its resource is deleted,
// the object does not take the runtime's annotation for a creation whose journal is lost.
func TestAnsweredByALaterProcess(t *testing.T) {
	begun := time.Now().Add(-time.Minute)
	made := thing{id: "live", name: "a", content: "wanted", ttl: 60, made: begun.Add(time.Second)}
	for _, deleted := range []bool{true, false} {
		w := newWorld(t, reconcilertest.Scheme(t), false, object(func(r *v1alpha1.Record) {
			meta.AddAnnotations(r, map[string]string{testNotes().Pending: "a", journal.Annotation: "journal"})
			meta.SetExternalCreatePending(r, begun)
		}), made)
		w.notes.Name = "journal"
		must(t, w.notes.Memory.Begin(t.Context(), journal.Entry{UID: "first", Subject: rawSubject(`"a"`), Begun: begun}))
		for range 3 {
			w.reconcile()
		}
		if r := w.read(); meta.GetExternalName(r) != "live" || r.Status.Ownership != apisv1alpha1.OwnershipOwn {
			t.Fatalf("it does not have what it has created: %v", r.GetCondition(xpv2.TypeSynced))
		}
		w.notes.Reset()
		if deleted {
			w.delete()
		} else {
			delete(w.remote.things, "live")
		}
		for range 4 {
			w.reconcile()
		}
		r := w.read()
		switch {
		case deleted && (r != nil || len(w.remote.things) > 0):
			t.Errorf("the object does not go: %s; there is %v", r.GetCondition(xpv2.TypeSynced).Message, w.remote.things)
		case !deleted && (len(w.remote.things) != 1 || meta.GetExternalName(r) == "live"):
			t.Errorf("what was deleted outside is not made again: %s; there is %v", r.GetCondition(xpv2.TypeSynced).Message, w.remote.things)
		}
	}
}

// TestEndsWhileItAdopts checks the case that a process ends at any moment after the object has the ID of what it
// adopts, and a user then edits or deletes the object. The next process knows that the object has taken the resource
// over.
func TestEndsWhileItAdopts(t *testing.T) {
	found := thing{id: "live", name: "a", content: "wanted", ttl: 60}
	scheme, moments := reconcilertest.Scheme(t), 0
	for _, deleted := range []bool{false, true} {
		for moment := range 10 {
			w := newWorld(t, scheme, false, object(), found)
			var left *v1alpha1.Record
			w.before = func(n int) {
				if r := w.read(); n == moment && r != nil && meta.GetExternalName(r) != "" {
					left = r
				}
			}
			w.reconcile()
			if left == nil {
				continue
			}
			moments++
			left.ResourceVersion = ""
			next := newWorld(t, scheme, false, left, w.remote.things["live"])
			if deleted {
				next.delete()
			} else {
				next.edit()
			}
			for range 4 {
				next.reconcile()
			}
			r, now := next.read(), next.remote.things
			switch {
			case deleted && (r != nil || len(now) > 0):
				t.Errorf("deleted before request %d: the object is there: %t, and there is %v", moment, r != nil, now)
			case !deleted && (len(now) != 1 || now["live"].content != "edited"):
				t.Errorf("edited before request %d: there is %v: %s", moment, now, r.GetCondition(xpv2.TypeSynced).Message)
			}
		}
	}
	if moments == 0 {
		t.Error("nothing was adopted")
	}
}

// TestAnEditBeforeTheNameOfWhatIsAdopted checks the case that a process ends when the status shows what the object is
// about to take over, and the object does not name it yet. An edit that removes the reason takes effect, and a
// deletion leaves the resource.
func TestAnEditBeforeTheNameOfWhatIsAdopted(t *testing.T) {
	found := thing{id: "live", name: "a", content: "wanted", ttl: 60}
	for _, tc := range []struct {
		reason string
		change func(w *world, left *v1alpha1.Record)
		takes  bool
	}{
		{"nothing happens meanwhile", func(*world, *v1alpha1.Record) {}, true},
		{"the object may adopt nothing any more", func(w *world, left *v1alpha1.Record) {
			left.Spec.AdoptionPolicy = v1alpha1.AdoptNever
			must(w.t, w.server.Update(w.t.Context(), left))
		}, false},
		{"the object is deleted", func(w *world, _ *v1alpha1.Record) { w.delete() }, false},
		{"the object is deleted, and has a finalizer", func(w *world, left *v1alpha1.Record) {
			meta.AddFinalizer(left, managed.FinalizerName)
			must(w.t, w.server.Update(w.t.Context(), left))
			w.delete()
		}, false},
	} {
		scheme, moments := reconcilertest.Scheme(t), 0
		for moment := range 10 {
			w := newWorld(t, scheme, false, object(), found)
			var left *v1alpha1.Record
			w.before = func(n int) {
				if r := w.read(); n == moment && r != nil && r.Status.AtProvider.ID == "live" && meta.GetExternalName(r) == "" {
					left = r
				}
			}
			w.reconcile()
			if left == nil {
				continue
			}
			moments++
			left.ResourceVersion = ""
			next := newWorld(t, scheme, false, left, found)
			tc.change(next, next.read())
			for range 4 {
				next.reconcile()
			}
			r, now := next.read(), next.remote.things["live"]
			if took := r != nil && meta.GetExternalName(r) == "live"; took != tc.takes || now != found {
				t.Errorf("%s, before request %d: taken over %t, and there is %v", tc.reason, moment, took, now)
			}
		}
		if moments == 0 {
			t.Errorf("%s: no moment was tried", tc.reason)
		}
	}
}

// TestAnUnknownJournalIsWaitedFor checks that nothing is decided while the journal cannot say what the object has
// created.
func TestAnUnknownJournalIsWaitedFor(t *testing.T) {
	w := newWorld(t, reconcilertest.Scheme(t), false, object())
	w.notes.unknown = errors.New("not loaded")
	w.reconcile()
	if slices.ContainsFunc(w.log, asked.writes) || !strings.Contains(w.read().GetCondition(xpv2.TypeSynced).Message, "not loaded") {
		t.Errorf("it asked for %v and says %v", w.log, w.read().GetCondition(xpv2.TypeSynced))
	}
}

// TestOwnershipIsOfWhatTheStatusShows checks an object that only observed one resource. It then names another one,
// which is as declared, and at any moment of that the first one again. The first one does not become its own.
func TestOwnershipIsOfWhatTheStatusShows(t *testing.T) {
	for _, end := range []string{"update", "delete"} {
		for moment := range 8 {
			t.Run(fmt.Sprintf("%s/%d", end, moment), func(t *testing.T) {
				w := newWorld(t, reconcilertest.Scheme(t), false, object(func(r *v1alpha1.Record) {
					meta.SetExternalName(r, "live")
					meta.AddFinalizer(r, managed.FinalizerName)
					r.Status.AtProvider.ID, r.Status.Ownership = "other", apisv1alpha1.OwnershipObserved
				}), foreign()...)
				before := w.remote.things["other"]
				w.before = func(n int) {
					if n != moment {
						return
					}
					r := w.read()
					meta.SetExternalName(r, "other")
					must(t, w.server.Update(t.Context(), r))
				}
				w.reconcile()
				w.before = nil
				if end == "delete" {
					w.delete()
				}
				for range 3 {
					w.reconcile()
				}
				if now, there := w.remote.things["other"]; !there || now != before {
					t.Errorf("what was only observed was %+v, and is %+v (there: %t); the requests were %v", before, now, there, w.log)
				}
			})
		}
	}
}

// TestALostName checks that an object that lost its external name finds its own resource by its status, with any
// adoption policy, and reports that. Its deletion deletes an own resource, and leaves one that it only observed.
func TestALostName(t *testing.T) {
	observed := func(r *v1alpha1.Record) { r.Status.Ownership = apisv1alpha1.OwnershipObserved }
	for _, isNoted := range []bool{false, true} {
		for _, tc := range []struct {
			reason   string
			change   func(*v1alpha1.Record)
			deletes  bool
			vanished bool
			things   []string
			name     string
		}{
			{"it is found again", func(*v1alpha1.Record) {}, false, false, []string{"live"}, "live"},
			{"it is deleted with the object", func(*v1alpha1.Record) {}, true, false, nil, ""},
			{"what was only observed is left", observed, true, false, []string{"live"}, ""},
			{"it is gone, so another one is made", func(*v1alpha1.Record) {}, false, true, []string{"made-1"}, "made-1"},
			{"it is gone, and so the object goes", func(*v1alpha1.Record) {}, true, true, nil, ""},
		} {
			live := thing{id: "live", name: "a", content: "wanted", ttl: 60, made: time.Now().Add(-time.Hour)}
			w := newWorld(t, reconcilertest.Scheme(t), isNoted, object(has("live"), func(r *v1alpha1.Record) {
				meta.RemoveAnnotations(r, meta.AnnotationKeyExternalName)
				r.Spec.AdoptionPolicy = v1alpha1.AdoptNever
			}, tc.change), live)
			if tc.vanished {
				delete(w.remote.things, "live")
			}
			if tc.deletes {
				w.delete()
			}
			for range 4 {
				w.reconcile()
			}
			var left []string
			for id := range w.remote.things {
				left = append(left, id)
			}
			name, r := "", w.read()
			if r != nil {
				name = meta.GetExternalName(r)
			}
			if !slices.Equal(left, tc.things) || name != tc.name || (r == nil) != tc.deletes {
				t.Errorf("%s (noted %t): there are %v, and the object names %q (it is there: %t); %v", tc.reason, isNoted, left, name, r != nil, w.events.all)
			}
			if said := strings.Contains(fmt.Sprint(w.events.all), "its status says that it is this object's"); said != (name == "live" || tc.deletes && len(left) == 0 && !tc.vanished) {
				t.Errorf("%s (noted %t): the events are %v", tc.reason, isNoted, w.events.all)
			}
		}
	}
}
