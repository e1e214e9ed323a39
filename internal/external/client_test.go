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

	"github.com/crossplane/crossplane-runtime/v2/pkg/event"
	"github.com/crossplane/crossplane-runtime/v2/pkg/meta"
	"github.com/crossplane/crossplane-runtime/v2/pkg/reconciler/managed"
	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"
	corev1 "k8s.io/api/core/v1"
	kerrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/ptr"
	"sigs.k8s.io/controller-runtime/pkg/client/fake"

	"github.com/provider-cloudflare/provider-cloudflare/apis/dns/v1alpha1"
	cfv1alpha1 "github.com/provider-cloudflare/provider-cloudflare/apis/v1alpha1"
	"github.com/provider-cloudflare/provider-cloudflare/internal/connect"
	"github.com/provider-cloudflare/provider-cloudflare/internal/drift"
	"github.com/provider-cloudflare/provider-cloudflare/internal/external/claim"
	"github.com/provider-cloudflare/provider-cloudflare/internal/external/decision"
	"github.com/provider-cloudflare/provider-cloudflare/internal/external/journal"
	"github.com/provider-cloudflare/provider-cloudflare/internal/reconciler"
	"github.com/provider-cloudflare/provider-cloudflare/internal/reconciler/reconcilertest"
)

// TestACreationThatFails checks what the object and the journal record of a failed creation.
func TestACreationThatFails(t *testing.T) {
	tried := func(r *v1alpha1.Record) {
		meta.AddAnnotations(r, map[string]string{testNotes().Pending: "a"})
		meta.SetExternalCreatePending(r, time.Now().Add(-time.Hour))
	}
	before := []journal.Entry{{UID: "first", Subject: rawSubject(`"a"`), Begun: time.Now().Add(-time.Second)}}
	tests := []struct {
		reason  string
		object  *v1alpha1.Record
		before  []journal.Entry
		err     error
		pending bool
		notes   []string
	}{
		{"it was refused: nothing is remembered", object(), nil, errRefused, false, []string{"void"}},
		{"its answer was lost: it may have been carried out", object(), nil, errLost, true, []string{"unanswered"}},
		{"the second attempt was refused, and has ended: the next look says what came of the first", object(tried), before, errRefused, true, []string{"void", "unanswered"}},
	}
	for _, tc := range tests {
		w := newWorld(t, reconcilertest.Scheme(t), false, tc.object)
		must(t, w.notes.Memory.Begin(t.Context(), tc.before...))
		w.remote.refusal = map[string]error{"create": tc.err}
		w.reconcile()
		if !slices.Contains(w.log, asked{"remote", "create"}) {
			t.Fatalf("%s: nothing was tried: %v", tc.reason, w.log)
		}
		if got := w.read().GetAnnotations()[testNotes().Pending] != ""; got != tc.pending {
			t.Errorf("%s: pending is %t, want %t", tc.reason, got, tc.pending)
		}
		if !slices.Equal(w.notes.notes, tc.notes) || len(w.notes.begun) != 1 {
			t.Errorf("%s: the journal has %v of %d creations, want %v", tc.reason, w.notes.notes, len(w.notes.begun), tc.notes)
		}
	}
}

// TestALostAnswerMakesNoSecond checks that the next reconcile finds the result of a creation whose
// answer was lost.
func TestALostAnswerMakesNoSecond(t *testing.T) {
	for _, isNoted := range []bool{false, true} {
		w := newWorld(t, reconcilertest.Scheme(t), isNoted, object())
		w.remote.refusal, w.remote.lost = map[string]error{"create": errLost}, true
		w.reconcile()
		w.remote.refusal = nil
		w.reconcile()
		if r := w.read(); len(w.remote.things) != 1 || meta.GetExternalName(r) != "made-1" || r.GetAnnotations()[testNotes().Pending] != "" {
			t.Errorf("noted %t: %d things, %v", isNoted, len(w.remote.things), r.GetAnnotations())
		}
		if !slices.ContainsFunc(w.events.all, func(e string) bool { return strings.Contains(e, "created by this object before") }) {
			t.Errorf("noted %t: no event says why it was adopted: %v", isNoted, w.events.all)
		}
	}
}

// TestTheFinalizerIsThereBeforeTheCreation counts the writes before the creation: one for a kind
// whose objects get the finalizer late.
func TestTheFinalizerIsThereBeforeTheCreation(t *testing.T) {
	for isNoted, want := range map[bool]int{false: 1, true: 2} {
		w := newWorld(t, reconcilertest.Scheme(t), isNoted, object())
		writes := 0
		w.before = func(n int) {
			switch w.log[n] {
			case asked{"server", "update"}:
				writes++
			case asked{"remote", "create"}:
				if !meta.FinalizerExists(w.read(), managed.FinalizerName) || writes != want {
					t.Errorf("noted %t: it creates after %d writes, want %d and the finalizer: %v", isNoted, writes, want, w.read().Finalizers)
				}
			}
		}
		w.reconcile()
		if len(w.remote.things) != 1 {
			t.Errorf("noted %t: %d things, want 1: %v", isNoted, len(w.remote.things), w.log)
		}
	}
}

// TestADeletionThatFails checks the notes of a kind whose absence has to be proven.
func TestADeletionThatFails(t *testing.T) {
	as := thing{id: "live", name: "a", content: "wanted", ttl: 60}
	tests := []struct {
		reason string
		err    error
		noted  bool
	}{
		{"it was refused: that it is gone would be no work of ours", errRefused, false},
		{"its answer was lost: it may have been carried out", errLost, true},
	}
	for _, tc := range tests {
		w := newWorld(t, reconcilertest.Scheme(t), true, object(has("live"), leaving), as)
		w.remote.refusal = map[string]error{"delete": tc.err}
		w.reconcile()
		if got := w.read().GetAnnotations()[testNotes().Deleting] != ""; got != tc.noted {
			t.Errorf("%s: noted is %t, want %t", tc.reason, got, tc.noted)
		}
		delete(w.remote.things, "live")
		w.remote.refusal = nil
		w.reconcile()
		if gone := w.read() == nil; gone != tc.noted {
			t.Errorf("%s: it let the object go: %t, want %t", tc.reason, gone, tc.noted)
		}
	}
}

// TestAStepIsForItsObject checks that no step is carried out that was decided on another object.
func TestAStepIsForItsObject(t *testing.T) {
	decided := decidedOn(object(), decision.Step{Do: decision.Delete})
	for reason, tc := range map[string]struct {
		change func(*v1alpha1.Record)
		do     decision.Action
		holds  bool
	}{
		"the same":           {func(*v1alpha1.Record) {}, decision.Delete, true},
		"another step":       {func(*v1alpha1.Record) {}, decision.Update, false},
		"a newer spec":       {edited, decision.Delete, false},
		"a newer version":    {func(r *v1alpha1.Record) { r.ResourceVersion = "2" }, decision.Delete, false},
		"another's namesake": {func(r *v1alpha1.Record) { r.UID = "second" }, decision.Delete, false},
	} {
		err := decided.holds(object(tc.change), tc.do)
		if (err == nil) != tc.holds || err != nil && !kerrors.IsConflict(err) {
			t.Errorf("%s: got %v", reason, err)
		}
	}
	w := newWorld(t, reconcilertest.Scheme(t), false, object())
	for what, act := range map[string]func(*Client[thing]) error{
		"create": func(c *Client[thing]) error { _, err := c.Create(t.Context(), object()); return err },
		"update": func(c *Client[thing]) error { _, err := c.Update(t.Context(), object()); return err },
		"delete": func(c *Client[thing]) error { _, err := c.Delete(t.Context(), object()); return err },
	} {
		c := &Client[thing]{adapter: &plain{mg: object(), r: w.remote}}
		if err := act(c); !kerrors.IsConflict(err) {
			t.Errorf("%s without a decision: %v", what, err)
		}
	}
	if len(w.log) > 0 {
		t.Errorf("it asked for %v", w.log)
	}
}

// TestTakeBack checks that only what was created for an object that vanished is removed.
func TestTakeBack(t *testing.T) {
	begun := time.Now().Add(-time.Hour)
	made := thing{id: "made", name: "a", content: "wanted", made: begun.Add(time.Second)}
	change := func(f func(*thing)) thing { l := made; f(&l); return l }
	keeper := object(func(r *v1alpha1.Record) { r.Name = "keeper"; r.UID = "keeper" }, has("made"))
	tests := []struct {
		reason string
		there  []thing
		entry  journal.Entry
		holder *v1alpha1.Record
		settle time.Duration
		left   int
		open   bool
	}{
		{"by its ID", []thing{made}, journal.Entry{ResultID: "made"}, nil, 0, 0, false},
		{"by its name and age", []thing{made}, journal.Entry{}, nil, 0, 0, false},
		{"one that is older is somebody else's", []thing{change(func(l *thing) { l.made = begun.Add(-time.Hour) })}, journal.Entry{}, nil, 0, 1, false},
		{"one that is much younger is somebody else's", []thing{change(func(l *thing) { l.made = begun.Add(time.Hour) })}, journal.Entry{}, nil, 0, 1, false},
		{"one of another name is somebody else's", []thing{change(func(l *thing) { l.name = "b" })}, journal.Entry{}, nil, 0, 1, false},
		{"one of another ID is somebody else's", []thing{change(func(l *thing) { l.id = "other" })}, journal.Entry{ResultID: "made"}, nil, 0, 1, false},
		{"one that another controller may have made is left", []thing{change(func(l *thing) { l.content = "marked" })}, journal.Entry{}, nil, 0, 1, false},
		{"one that another controller marks, of an ID that only this creation was told", []thing{change(func(l *thing) { l.content = "marked" })}, journal.Entry{ResultID: "made"}, nil, 0, 0, false},
		{"one that serves is left", []thing{change(func(l *thing) { l.content = "serves" })}, journal.Entry{ResultID: "made"}, nil, 0, 1, false},
		{
			"one that served at once, of an attempt a moment ago",
			[]thing{change(func(l *thing) { l.content = "serves" })},
			journal.Entry{ResultID: "made", LastBegun: time.Now().Add(-time.Minute)},
			nil, 0, 0, false,
		},
		{"one that another object has taken over is its", []thing{made}, journal.Entry{ResultID: "made"}, keeper, 0, 1, false},
		{"none, which is believed when it has shown all", nil, journal.Entry{}, nil, 0, 0, false},
		{"none yet", nil, journal.Entry{}, nil, 24 * time.Hour, 0, true},
	}
	for _, tc := range tests {
		for _, isNoted := range []bool{false, true} {
			c, r, events := connectorTo(t, isNoted, tc.holder, tc.settle, tc.there...)
			e := tc.entry
			e.Namespace, e.Name, e.UID, e.Subject, e.Begun = "ns", "one", "first", rawSubject(`"a"`), begun
			err := c.TakesBack().TakeBack(t.Context(), e)
			var open *reconciler.CreatePendingError
			if errors.As(err, &open) != tc.open || err != nil && !tc.open {
				t.Errorf("%s (noted %t): %v", tc.reason, isNoted, err)
			}
			if len(r.things) != tc.left {
				t.Errorf("%s (noted %t): %v is left", tc.reason, isNoted, r.things)
			}
			if left := len(tc.there) > 0 && tc.left > 0 && strings.Contains(tc.reason, "is left"); left && len(events.all) != 1 {
				t.Errorf("%s (noted %t): nobody is told: %v", tc.reason, isNoted, events.all)
			}
			told := slices.ContainsFunc(events.all, func(e string) bool { return strings.HasPrefix(e, string(claim.EventTakenBack)) })
			if deleted := len(tc.there) > tc.left; deleted != told {
				t.Errorf("%s (noted %t): events are %v", tc.reason, isNoted, events.all)
			}
		}
	}
}

// TestTakesBackWhereTheNamespaceIsGone checks the case of a provider config that selects namespaces
// by a label: what a vanished object left is removed also after its namespace is gone.
func TestTakesBackWhereTheNamespaceIsGone(t *testing.T) {
	begun := time.Now().Add(-time.Hour)
	c, r, _ := connectorTo(t, false, nil, 0, thing{id: "made", name: "a", content: "wanted", made: begun.Add(time.Second)})
	s := reconcilertest.Scheme(t)
	if err := corev1.AddToScheme(s); err != nil {
		t.Fatal(err)
	}
	pc := &cfv1alpha1.ClusterProviderConfig{ObjectMeta: metav1.ObjectMeta{Name: "shared"}}
	pc.Spec.Credentials.SecretRef.Namespace, pc.Spec.Credentials.SecretRef.Name, pc.Spec.Credentials.SecretRef.Key = "system", "shared", "token"
	pc.Spec.AllowedNamespaces = &metav1.LabelSelector{MatchLabels: map[string]string{"team": "a"}}
	secret := &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Namespace: "system", Name: "shared"}, Data: map[string][]byte{"token": []byte("cfut_s3cretTokenThatNobodyMaySee00000000")}}
	kube := fake.NewClientBuilder().WithScheme(s).WithObjects(pc, secret).Build()
	c.Deps.Sessions = connect.New(connect.Options{Kube: kube, Secrets: kube})
	err := c.TakesBack().TakeBack(t.Context(), journal.Entry{
		Namespace: "gone", Name: "one", UID: "first", Subject: rawSubject(`"a"`), Begun: begun, ResultID: "made",
		Config: xpv2.ProviderConfigReference{Kind: cfv1alpha1.ClusterProviderConfigKind, Name: "shared"},
	})
	if err != nil || len(r.things) > 0 {
		t.Errorf("got %v, and %v is left", err, r.things)
	}
}

func connectorTo(t *testing.T, isNoted bool, holder *v1alpha1.Record, settle time.Duration, there ...thing) (*Connector[thing], *remote, *events) {
	t.Helper()
	r, ev := &remote{things: map[string]thing{}}, &events{}
	for _, l := range there {
		r.things[l.id] = l
	}
	b := fake.NewClientBuilder().WithScheme(reconcilertest.Scheme(t)).WithIndex(&v1alpha1.Record{}, claim.Index, testKind(nil, false).ExternalNames)
	if holder != nil {
		b = b.WithObjects(holder.DeepCopy())
	}
	kube, k := b.Build(), testKind(r, isNoted)
	return &Connector[thing]{Kind: k, Deps: Deps{
		Sessions: sessions{}, Kube: kube, API: kube, Claims: claim.NewRegistry(kube, k.Kind), Drift: drift.Reporter{}, Events: ev,
		Journal: &journalOf{}, Now: time.Now, Settle: settle, Began: func() time.Time { return time.Now() },
	}}, r, ev
}

// TestWhatARefusalMeans checks the conditions after an observation that failed.
func TestWhatARefusalMeans(t *testing.T) {
	down := errors.New("down")
	status := func(r *v1alpha1.Record, c xpv2.ConditionType) string {
		return fmt.Sprintf("%s %s", r.GetCondition(c).Status, r.GetCondition(c).Reason)
	}
	const unknown = "Unknown "
	tests := []struct {
		reason          string
		object          *v1alpha1.Record
		err             error
		ready, upToDate string
	}{
		{"nothing was ever there", object(), down, "False Unavailable", unknown},
		{"all is well but for the look", object(has("live")), down, unknown, "True RecordSynced"},
		{"an edit is not carried out", object(has("live"), edited), down, unknown, "False UpdatePending"},
		{"it is gone, and not made again", object(has("live")), &decision.MissingError{Noun: testNoun(), ID: "live"}, "False Unavailable", "Unknown NotObserved"},
		{"another object has it", object(has("live")), &claim.ConflictError{ID: "live"}, "False Unavailable", "False UpdatePending"},
		{"another object has what it wants", object(has("live")), &claim.ConflictError{ID: "else"}, unknown, "True RecordSynced"},
		{"a conflict is nobody's business", object(), kerrors.NewConflict(v1alpha1.SchemeGroupVersion.WithResource("records").GroupResource(), "one", down), unknown, unknown},
		{"what is being deleted is the runtime's to tell", object(has("live"), leaving), down, unknown, "True RecordSynced"},
	}
	for _, tc := range tests {
		c := &Client[thing]{kind: ptr.To(testKind(&remote{}, false)), deps: &Deps{Events: event.NewNopRecorder()}, adapter: &plain{mg: tc.object}}
		if err := c.refused(t.Context(), tc.object, tc.err); !errors.Is(err, tc.err) {
			t.Errorf("%s: got %v", tc.reason, err)
		}
		if ready, upToDate := status(tc.object, xpv2.TypeReady), status(tc.object, xpv2.TypeUpToDate); ready != tc.ready || upToDate != tc.upToDate {
			t.Errorf("%s: Ready is %q, UpToDate is %q, want %q and %q", tc.reason, ready, upToDate, tc.ready, tc.upToDate)
		}
	}
}

// TestNothingIsAskedForTheUntouched checks that an object without a resource is let go without a
// credential.
func TestNothingIsAskedForTheUntouched(t *testing.T) {
	gone := object(func(r *v1alpha1.Record) { r.DeletionTimestamp = ptr.To(metav1.Now()) })
	c := &Connector[thing]{Kind: testKind(&remote{}, false), Deps: Deps{Journal: &journalOf{}}} // There are no Sessions to ask.
	e, err := c.Connect(t.Context(), gone)
	if err != nil {
		t.Fatal(err)
	}
	if o, err := e.Observe(t.Context(), gone); o.ResourceExists || err != nil {
		t.Errorf("Observe(...) = %+v, %v, want that there is nothing", o, err)
	}
}
