// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package external

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/crossplane/crossplane-runtime/v2/pkg/event"
	"github.com/crossplane/crossplane-runtime/v2/pkg/meta"
	"github.com/crossplane/crossplane-runtime/v2/pkg/reconciler/managed"
	"github.com/crossplane/crossplane-runtime/v2/pkg/resource"
	rfake "github.com/crossplane/crossplane-runtime/v2/pkg/resource/fake"
	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"
	kerrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/utils/ptr"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/fake"
	"sigs.k8s.io/controller-runtime/pkg/client/interceptor"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"github.com/provider-cloudflare/provider-cloudflare/apis/dns/v1alpha1"
	apisv1alpha1 "github.com/provider-cloudflare/provider-cloudflare/apis/v1alpha1"
	"github.com/provider-cloudflare/provider-cloudflare/internal/drift"
	"github.com/provider-cloudflare/provider-cloudflare/internal/external/claim"
	"github.com/provider-cloudflare/provider-cloudflare/internal/reconciler"
	"github.com/provider-cloudflare/provider-cloudflare/internal/reconciler/reconcilertest"
)

type rawSubject = json.RawMessage

// An asked is a request of a reconcile: to the API server, to the remote, or to the journal.
type asked struct{ of, verb string }

func (a asked) writes() bool {
	return a.of == "remote" && slices.Contains([]string{"create", "update", "delete"}, a.verb)
}

// A world is one object, its reconciler and the remote. The provider's cache shows the object as it
// was when the reconcile began. The provider's writes reach the API server.
type world struct {
	t      *testing.T
	server client.WithWatch // users write to it
	remote *remote
	notes  *journalOf
	inner  *managed.Reconciler
	events *events

	cached *v1alpha1.Record
	log    []asked
	// before is called before each request.
	before func(n int)
}

func key() client.ObjectKey { return client.ObjectKey{Namespace: "ns", Name: "one"} }

func newWorld(t *testing.T, scheme *runtime.Scheme, isNoted bool, o *v1alpha1.Record, things ...thing) *world {
	t.Helper()
	w := &world{t: t, remote: &remote{things: map[string]thing{}}, notes: &journalOf{}, events: &events{}}
	for _, l := range things {
		w.remote.things[l.id] = l
	}
	w.server = fake.NewClientBuilder().WithScheme(scheme).WithStatusSubresource(&v1alpha1.Record{}).
		WithIndex(&v1alpha1.Record{}, claim.Index, testKind(nil, false).ExternalNames).WithObjects(o).Build()
	w.remote.ask = func(verb, _ string) { w.request("remote", verb) }
	w.notes.ask = func(verb, _ string) { w.request("journal", verb) }
	kube := reconciler.NewClient(w.provider())
	c := &Connector[thing]{Kind: testKind(w.remote, isNoted), Deps: Deps{
		Sessions: sessions{}, Kube: kube, API: w.api(), Claims: claim.NewRegistry(w.server, testKind(w.remote, isNoted).Kind),
		Drift: drift.Reporter{Events: w.events}, Events: w.events, Journal: w.notes, Refused: &Refusals{},
		Now: time.Now, Settle: 0, Began: func() time.Time { return time.Now() },
	}}
	w.inner = managed.NewReconciler(reconciler.WithClient(&rfake.Manager{Client: kube, Scheme: scheme}, kube),
		resource.ManagedKind(v1alpha1.RecordGroupVersionKind),
		managed.WithInitializers(), managed.WithDeterministicExternalName(true), managed.WithManagementPolicies(),
		managed.WithFinalizer(reconciler.NewFinalizer(kube, forgetful{})),
		managed.WithReferenceResolver(managed.ReferenceResolverFn(func(context.Context, resource.Managed) error { return nil })),
		managed.WithCriticalAnnotationUpdater(reconciler.NewAnnotationUpdater(kube, w.api(), testNotes().all(), func(types.UID) {})),
		managed.WithCreationGracePeriod(0), managed.WithExternalConnector(c))
	return w
}

type forgetful struct{}

func (forgetful) Forget(context.Context, types.UID) error { return nil }

// events records the events of an object.
type events struct{ all []string }

func (e *events) Event(_ runtime.Object, ev event.Event) {
	e.all = append(e.all, string(ev.Reason)+": "+ev.Message)
}

func (e *events) WithAnnotations(...string) event.Recorder { return e }

func (w *world) request(of, verb string) {
	n := len(w.log)
	w.log = append(w.log, asked{of, verb})
	if w.before != nil {
		w.before(n)
	}
}

// provider returns the provider's client, whose reads show the cache.
func (w *world) provider() client.WithWatch {
	return interceptor.NewClient(w.server, interceptor.Funcs{
		Get: func(_ context.Context, _ client.WithWatch, _ client.ObjectKey, o client.Object, _ ...client.GetOption) error {
			r, ok := o.(*v1alpha1.Record)
			if !ok || w.cached == nil {
				return kerrors.NewNotFound(v1alpha1.SchemeGroupVersion.WithResource("records").GroupResource(), "one")
			}
			w.cached.DeepCopyInto(r)
			return nil
		},
		Update: func(ctx context.Context, k client.WithWatch, o client.Object, opts ...client.UpdateOption) error {
			w.request("server", "update")
			return keepingKind(o, func() error { return k.Update(ctx, o, opts...) })
		},
		Patch: func(ctx context.Context, k client.WithWatch, o client.Object, p client.Patch, opts ...client.PatchOption) error {
			w.request("server", "patch")
			if err := w.sameUID(ctx, o, p); err != nil {
				return err
			}
			return keepingKind(o, func() error { return k.Patch(ctx, o, p, opts...) })
		},
		SubResourceUpdate: func(ctx context.Context, k client.Client, sub string, o client.Object, opts ...client.SubResourceUpdateOption) error {
			w.request("server", "update "+sub)
			return keepingKind(o, func() error { return k.SubResource(sub).Update(ctx, o, opts...) })
		},
		SubResourcePatch: func(ctx context.Context, k client.Client, sub string, o client.Object, p client.Patch, opts ...client.SubResourcePatchOption) error {
			w.request("server", "patch "+sub)
			return keepingKind(o, func() error { return k.SubResource(sub).Patch(ctx, o, p, opts...) })
		},
	})
}

// keepingKind sends o like the real client, which leaves its kind on it.
func keepingKind(o client.Object, send func() error) error {
	kind := o.GetObjectKind().GroupVersionKind()
	defer o.GetObjectKind().SetGroupVersionKind(kind)
	return send()
}

// sameUID returns the API server's error for a patch that names another UID.
func (w *world) sameUID(ctx context.Context, o client.Object, p client.Patch) error {
	body, err := p.Data(o)
	sent, now := &metav1.PartialObjectMetadata{}, &v1alpha1.Record{}
	if err := errors.Join(err, json.Unmarshal(body, sent), w.server.Get(ctx, key(), now)); err != nil || sent.UID == "" || sent.UID == now.UID {
		return err
	}
	return kerrors.NewInvalid(v1alpha1.RecordGroupVersionKind.GroupKind(), o.GetName(), nil)
}

// api returns a reader that bypasses the cache.
func (w *world) api() client.Reader {
	return interceptor.NewClient(w.server, interceptor.Funcs{
		Get: func(ctx context.Context, k client.WithWatch, at client.ObjectKey, o client.Object, _ ...client.GetOption) error {
			w.request("server", "get")
			r := &v1alpha1.Record{}
			if err := k.Get(ctx, at, r); err != nil {
				return err
			}
			o.SetResourceVersion(r.GetResourceVersion())
			o.SetUID(r.GetUID())
			return nil
		},
	})
}

// reconcile fills the cache, and reconciles the object once.
func (w *world) reconcile() {
	w.t.Helper()
	if w.cached = w.read(); w.cached == nil {
		return
	}
	w.cached.SetGroupVersionKind(v1alpha1.RecordGroupVersionKind)
	w.log = nil
	ctx := reconciler.WithState(w.t.Context(), &reconciler.State{Object: key()})
	_, _ = w.inner.Reconcile(ctx, reconcile.Request{NamespacedName: key()}) // A failure shows on the object.
}

// read returns the object, nil if it is gone.
func (w *world) read() *v1alpha1.Record {
	w.t.Helper()
	r := &v1alpha1.Record{}
	err := w.server.Get(w.t.Context(), key(), r)
	if kerrors.IsNotFound(err) {
		return nil
	}
	must(w.t, err)
	return r
}

// object returns a Record that may do anything, with changes.
func object(changes ...func(*v1alpha1.Record)) *v1alpha1.Record {
	r := &v1alpha1.Record{ObjectMeta: metav1.ObjectMeta{Namespace: "ns", Name: "one", UID: "first", Generation: 1}}
	r.Spec.ManagementPolicies = xpv2.ManagementPolicies{xpv2.ManagementActionAll}
	r.Spec.AdoptionPolicy = v1alpha1.AdoptIdentical
	r.Spec.ForProvider.Name, r.Spec.ForProvider.Content, r.Spec.ForProvider.TTL = ptr.To("a"), ptr.To("wanted"), ptr.To[int64](60)
	for _, change := range changes {
		change(r)
	}
	return r
}

// has returns a change that makes the object own that external resource, as of its last look.
func has(id string) func(*v1alpha1.Record) {
	return func(r *v1alpha1.Record) {
		meta.SetExternalName(r, id)
		meta.AddFinalizer(r, managed.FinalizerName)
		r.Status.AtProvider.ID, r.Status.Ownership = id, apisv1alpha1.OwnershipOwn
		r.SetConditions(drift.UpToDate(r, "Record"))
	}
}

func edited(r *v1alpha1.Record) { r.Generation++ }

func leaving(r *v1alpha1.Record) { r.DeletionTimestamp = ptr.To(metav1.Now()) }

// A scenario is one step of a reconcile.
type scenario struct {
	step    string
	object  *v1alpha1.Record
	things  []thing
	noted   bool
	request asked // only this step makes it
}

func scenarios() []scenario {
	as := thing{id: "live", name: "a", content: "wanted", ttl: 60}
	differs := thing{id: "live", name: "a", content: "other", ttl: 30}
	byPolicy := func(r *v1alpha1.Record) { r.Spec.AdoptionPolicy = v1alpha1.AdoptNameAndType }
	onlyObserved := func(r *v1alpha1.Record) { r.Status.Ownership = apisv1alpha1.OwnershipObserved }
	noTTL := func(r *v1alpha1.Record) { r.Spec.ForProvider.TTL = nil }
	var out []scenario
	for _, isNoted := range []bool{false, true} {
		out = append(
			out,
			scenario{"adopt", object(), []thing{as}, isNoted, asked{"server", "update"}},
			scenario{"adopt and change", object(byPolicy), []thing{differs}, isNoted, asked{"remote", "update"}},
			scenario{"begin to manage", object(has("live"), onlyObserved), []thing{as}, isNoted, asked{"server", "update status"}},
			scenario{"fill in", object(has("live"), noTTL), []thing{as}, isNoted, asked{"server", "patch"}},
			scenario{"create", object(), nil, isNoted, asked{"remote", "create"}},
			scenario{"undo a drift", object(has("live")), []thing{differs}, isNoted, asked{"server", "patch status"}},
			scenario{"carry out an edit", object(has("live"), edited), []thing{differs}, isNoted, asked{"remote", "update"}},
			scenario{"delete", object(has("live"), leaving), []thing{as}, isNoted, asked{"remote", "delete"}},
		)
	}
	return append(
		out,
		scenario{"make again what vanished", object(has("live")), nil, false, asked{"remote", "create"}},
		scenario{"note a deletion", object(has("live"), leaving), []thing{as}, true, asked{"server", "update"}},
	)
}

// TestNothingIsDecidedOnAnOlderObject makes a user edit, delete or replace the object before each
// request of each step. From then on the API server has a version on which no step was decided.
// Then nothing is deleted, except by a call that was about to be sent. A creation and a change can
// be undone by a later decision. At most one of these follows, and none after a request to the API
// server.
func TestNothingIsDecidedOnAnOlderObject(t *testing.T) {
	tried, scheme := 0, reconcilertest.Scheme(t)
	for _, s := range scenarios() {
		w := newWorld(t, scheme, s.noted, s.object.DeepCopy(), s.things...)
		w.reconcile()
		requests := slices.Clone(w.log)
		if !slices.Contains(requests, s.request) {
			t.Fatalf("%s (noted %t) does not ask for %v: %v", s.step, s.noted, s.request, requests)
		}
		for n := range requests {
			for what, act := range map[string]func(*world){"edit": (*world).edit, "delete": (*world).delete, "replace": (*world).replace} {
				t.Run(fmt.Sprintf("%s noted=%t %s before %d", s.step, s.noted, what, n), func(t *testing.T) { interleave(t, scheme, s, n, act) })
				tried++
			}
		}
	}
	if tried < 200 {
		t.Errorf("%d interleavings are fewer than there were", tried)
	}
}

func interleave(t *testing.T, scheme *runtime.Scheme, s scenario, n int, act func(*world)) {
	t.Helper()
	w := newWorld(t, scheme, s.noted, s.object.DeepCopy(), s.things...)
	w.before = func(i int) {
		if i == n {
			w.before = nil
			act(w)
		}
	}
	w.reconcile()
	known, written := false, 0 // known is true once the API server could have reported the user's change.
	for i, a := range w.log[n:] {
		if !a.writes() {
			known = known || a.of == "server"
			continue
		}
		written++
		second := written > 1
		if known || second || a.verb == "delete" && i > 0 {
			t.Errorf("%v was decided on the object before it: %v, the user acted before request %d", a, w.log, n)
		}
	}
	w.holdsTogether(s)
}

// holdsTogether checks that the user's change is kept, that another object of the name gets nothing
// of the first one, and that the next reconciles reach the declared state.
func (w *world) holdsTogether(s scenario) {
	w.t.Helper()
	now := w.read()
	if now != nil && now.UID == "second" {
		if meta.GetExternalName(now) != "" || now.Status.AtProvider.ID != "" || meta.GetExternalCreatePending(now) != (time.Time{}) {
			w.t.Errorf("another object of the name has what was the first's: %v, %v", now.Annotations, now.Status.AtProvider)
		}
	}
	if now != nil && now.Generation > s.object.Generation && *now.Spec.ForProvider.Content != "edited" && now.DeletionTimestamp.IsZero() {
		w.t.Errorf("the user's edit is gone: content is %s", *now.Spec.ForProvider.Content)
	}
	for range 6 {
		w.reconcile()
		if !slices.ContainsFunc(w.log, func(a asked) bool { return a.of == "server" || a.writes() }) {
			break
		}
	}
	switch now := w.read(); {
	case now == nil:
	case now.Status.Ownership == apisv1alpha1.OwnershipObserved: // The edit declares something else than it observed.
		if w.remote.things["live"] != s.things[0] {
			w.t.Errorf("what was only observed was changed: %+v", w.remote.things)
		}
	case now.Spec.DeletionPolicy == xpv2.DeletionOrphan && len(w.remote.things) == 0 && s.step != "create":
		w.t.Errorf("the user withdrew the deletion in time")
	case now.DeletionTimestamp.IsZero() && w.remote.things[meta.GetExternalName(now)].content != *now.Spec.ForProvider.Content:
		w.t.Errorf("the object declares %s and has %+v of %+v: %v", *now.Spec.ForProvider.Content, w.remote.things[meta.GetExternalName(now)], w.remote.things, w.events.all)
	}
}

// edit is a user's edit. On an object that is being deleted, it sets the deletion policy Orphan.
func (w *world) edit() {
	r := w.read()
	r.Generation++
	r.Spec.ForProvider.Content = ptr.To("edited")
	if !r.DeletionTimestamp.IsZero() {
		r.Spec.DeletionPolicy = xpv2.DeletionOrphan
	}
	must(w.t, w.server.Update(w.t.Context(), r))
}

func (w *world) delete() {
	r := w.read()
	if len(r.Finalizers) > 0 && r.DeletionTimestamp.IsZero() {
		r.Generation++
		must(w.t, w.server.Update(w.t.Context(), r))
	}
	must(w.t, w.server.Delete(w.t.Context(), r))
}

// replace removes the object in spite of its finalizers, and creates another one.
func (w *world) replace() {
	r := w.read()
	if r.Finalizers != nil {
		r.Finalizers = nil
		must(w.t, w.server.Update(w.t.Context(), r))
	}
	must(w.t, client.IgnoreNotFound(w.server.Delete(w.t.Context(), r)))
	must(w.t, w.server.Create(w.t.Context(), object(func(r *v1alpha1.Record) { r.UID, r.Spec.ForProvider.Content = "second", ptr.To("second") })))
}
