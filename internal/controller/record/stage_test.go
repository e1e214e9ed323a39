// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package record

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/crossplane/crossplane-runtime/v2/pkg/event"
	"github.com/crossplane/crossplane-runtime/v2/pkg/meta"
	"github.com/crossplane/crossplane-runtime/v2/pkg/reconciler/managed"
	"github.com/crossplane/crossplane-runtime/v2/pkg/resource"
	rfake "github.com/crossplane/crossplane-runtime/v2/pkg/resource/fake"
	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"
	kerrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/utils/ptr"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/fake"
	"sigs.k8s.io/controller-runtime/pkg/client/interceptor"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"github.com/provider-cloudflare/provider-cloudflare/apis/dns/v1alpha1"
	"github.com/provider-cloudflare/provider-cloudflare/internal/cloudflare"
	"github.com/provider-cloudflare/provider-cloudflare/internal/connect"
	"github.com/provider-cloudflare/provider-cloudflare/internal/dnszone"
	"github.com/provider-cloudflare/provider-cloudflare/internal/drift"
	"github.com/provider-cloudflare/provider-cloudflare/internal/external"
	"github.com/provider-cloudflare/provider-cloudflare/internal/external/claim"
	"github.com/provider-cloudflare/provider-cloudflare/internal/external/journaltest"
	"github.com/provider-cloudflare/provider-cloudflare/internal/parent"
	"github.com/provider-cloudflare/provider-cloudflare/internal/reconciler"
	"github.com/provider-cloudflare/provider-cloudflare/internal/reconciler/reconcilertest"
	"github.com/provider-cloudflare/provider-cloudflare/test/simulator"
)

// An asked is a request of a reconcile, to Cloudflare or to the API server about the object.
type asked struct{ of, what string }

func (a asked) writes() bool {
	return a.of == "cloudflare" && !strings.HasPrefix(a.what, http.MethodGet)
}

// A stage is a Record, its reconciler, and the simulator. The provider's cache shows the
// object as it was when the reconcile began; its writes reach the API server.
type stage struct {
	t       *testing.T
	sim     *simulator.Server
	server  client.WithWatch // what users write to
	session sessionOf
	zone    string
	inner   *managed.Reconciler
	claims  *claim.Registry
	journal *journaltest.Memory
	waiting parent.Waiters[types.NamespacedName]
	fresh   *v1alpha1.Record // as its user created it
	now     *v1alpha1.Record // as it was last read
	// spared is true if a user wants the DNS record to stay.
	spared bool

	cached *v1alpha1.Record
	mu     sync.Mutex
	log    []asked
	// before is called before each request.
	before func(n int)
}

// RoundTrip carries out a call of the provider.
func (s *stage) RoundTrip(r *http.Request) (*http.Response, error) {
	s.request(asked{"cloudflare", r.Method + " " + r.URL.Path})
	w, in := httptest.NewRecorder(), r.Clone(r.Context())
	if in.Body == nil {
		in.Body = http.NoBody
	}
	s.sim.ServeHTTP(w, in)
	return w.Result(), nil
}

func (s *stage) request(a asked) {
	s.mu.Lock()
	n, before := len(s.log), s.before
	s.log = append(s.log, a)
	s.mu.Unlock()
	if before != nil {
		before(n)
	}
}

// A sessionOf returns the session of one account for every object.
type sessionOf struct{ connect.Session }

func (s sessionOf) For(context.Context, resource.ModernManaged) (connect.Session, error) {
	return s.Session, nil
}

func newStage(t *testing.T) *stage {
	t.Helper()
	s := &stage{t: t, sim: simulator.New(simulator.Options{}), journal: &journaltest.Memory{Name: "journal"}}
	account := s.sim.AddAccount("one")
	zone, err := s.sim.AddZone(account.ID, "example.com", simulator.ZoneOptions{})
	must(t, err)
	s.zone = zone.ID
	token := s.sim.AddToken(simulator.TokenOptions{Grants: []simulator.Grant{{Account: account.ID, Permission: simulator.Everything}}})
	s.session = sessionOf{connect.Session{
		Client:    cloudflare.New(cloudflare.NewToken(token), cloudflare.Options{BaseURL: "http://cloudflare.test" + simulator.BasePath, Transport: s}),
		AccountID: account.ID,
	}}
	s.fresh = reconcilertest.Record("one")
	s.fresh.Spec.ManagementPolicies = xpv2.ManagementPolicies{xpv2.ManagementActionAll}
	s.fresh.Spec.AdoptionPolicy, s.fresh.Spec.DeletionPolicy = v1alpha1.AdoptIdentical, xpv2.DeletionDelete
	p := &s.fresh.Spec.ForProvider
	p.ZoneID, p.Name, p.Type, p.Content, p.TTL = ptr.To(zone.ID), ptr.To("www"), ptr.To("A"), ptr.To("192.0.2.1"), ptr.To[int64](300)
	p.Proxied = ptr.To(false)
	s.server = fake.NewClientBuilder().WithScheme(reconcilertest.Scheme(t)).WithStatusSubresource(&v1alpha1.Record{}).
		WithIndex(&v1alpha1.Record{}, claim.Index, claimKind().ExternalNames).Build()
	must(t, s.server.Create(t.Context(), s.fresh.DeepCopy()))
	s.restart()
	return s
}

// restart creates a provider without memory.
func (s *stage) restart() {
	kube, events := reconciler.NewClient(s.provider()), event.NewNopRecorder()
	pool := dnszone.NewPool(dnszone.Options{Interval: time.Hour})
	k := kind(pool, kube, external.Shared{}, &s.waiting)
	s.claims = claim.NewRegistry(s.server, claimKind())
	c := &external.Connector[dnszone.Entry]{Kind: k, Deps: external.Deps{
		Sessions: s.session, Kube: kube, API: s.api(), Claims: s.claims, Events: events, Journal: s.journal, Sights: external.NewSights(time.Now),
		Drift:   drift.Reporter{Kind: k.GVK.Kind, Events: events},
		Refused: &external.Refusals{}, Now: time.Now, Settle: 0, Began: time.Now,
	}}
	notes := []string{AnnotationPending}
	s.inner = managed.NewReconciler(reconciler.WithClient(&rfake.Manager{Client: kube, Scheme: s.server.Scheme()}, kube), resource.ManagedKind(k.GVK),
		managed.WithInitializers(), managed.WithManagementPolicies(), managed.WithDeterministicExternalName(true),
		managed.WithFinalizer(reconciler.NewFinalizer(kube, s.journal)),
		managed.WithReferenceResolver(reconciler.NewReferenceResolver(kube, c.Resolver(s.resolves))),
		managed.WithCriticalAnnotationUpdater(reconciler.NewAnnotationUpdater(kube, s.api(), notes, func(types.UID) {})),
		managed.WithCreationGracePeriod(0), managed.WithExternalConnector(c))
}

// about reports whether a request is about the object.
func (s *stage) about(at client.ObjectKey, o client.Object) bool {
	_, ok := o.(*v1alpha1.Record)
	return ok && at == client.ObjectKeyFromObject(s.fresh)
}

// write records a write of the object and sends it: the fake server forgets its kind.
func (s *stage) write(o client.Object, verb string, send func() error) error {
	if s.about(client.ObjectKeyFromObject(o), o) {
		s.request(asked{"server", verb})
	}
	gvk := o.GetObjectKind().GroupVersionKind()
	defer o.GetObjectKind().SetGroupVersionKind(gvk)
	return send()
}

// movesNothing fails for a write that replaces the zoneId of the Record by another one,
// which the rules of the API server refuse.
func (s *stage) movesNothing(ctx context.Context, o client.Object) error {
	now, ok := o.(*v1alpha1.Record)
	if !ok {
		return nil
	}
	before := &v1alpha1.Record{}
	if err := s.server.Get(ctx, client.ObjectKeyFromObject(o), before); err != nil {
		return err
	}
	was, is := before.Spec.ForProvider.ZoneID, now.Spec.ForProvider.ZoneID
	if was != nil && is != nil && *was != *is {
		return errors.New("zoneId is immutable")
	}
	return nil
}

// provider returns the provider's client: its reads show the cache.
func (s *stage) provider() client.WithWatch {
	return interceptor.NewClient(s.server, interceptor.Funcs{
		Get: func(ctx context.Context, k client.WithWatch, at client.ObjectKey, o client.Object, opts ...client.GetOption) error {
			if r, ok := o.(*v1alpha1.Record); ok && s.cached != nil && s.about(at, o) {
				s.cached.DeepCopyInto(r)
				return nil
			}
			return k.Get(ctx, at, o, opts...)
		},
		Update: func(ctx context.Context, k client.WithWatch, o client.Object, opts ...client.UpdateOption) error {
			return s.write(o, "update", func() error { return k.Update(ctx, o, opts...) })
		},
		Patch: func(ctx context.Context, k client.WithWatch, o client.Object, p client.Patch, opts ...client.PatchOption) error {
			if err := s.movesNothing(ctx, o); err != nil {
				return err
			}
			return s.write(o, "patch", func() error { return k.Patch(ctx, o, p, opts...) })
		},
		SubResourceUpdate: func(ctx context.Context, k client.Client, sub string, o client.Object, opts ...client.SubResourceUpdateOption) error {
			return s.write(o, "update "+sub, func() error { return k.SubResource(sub).Update(ctx, o, opts...) })
		},
		SubResourcePatch: func(ctx context.Context, k client.Client, sub string, o client.Object, p client.Patch, opts ...client.SubResourcePatchOption) error {
			return s.write(o, "patch "+sub, func() error { return k.SubResource(sub).Patch(ctx, o, p, opts...) })
		},
	})
}

// api returns a reader past the cache.
func (s *stage) api() client.Reader {
	return interceptor.NewClient(s.server, interceptor.Funcs{
		Get: func(ctx context.Context, k client.WithWatch, at client.ObjectKey, o client.Object, opts ...client.GetOption) error {
			if s.about(at, o) {
				s.request(asked{"server", "get"})
			}
			return k.Get(ctx, at, o, opts...)
		},
	})
}

// reconcile reconciles the object once, and logs its requests.
func (s *stage) reconcile() {
	s.t.Helper()
	s.cached, s.log = nil, nil
	if !s.read() {
		return
	}
	s.cached = s.now
	key := client.ObjectKeyFromObject(s.fresh)
	ctx := reconciler.WithState(s.t.Context(), &reconciler.State{Object: key})
	_, _ = s.inner.Reconcile(ctx, reconcile.Request{NamespacedName: key}) // The conditions show a failure.
}

// settle reconciles until the object is healthy.
func (s *stage) settle() {
	s.t.Helper()
	for range 8 {
		s.read()
		if s.now.GetCondition(xpv2.TypeSynced).Status == "True" && meta.GetExternalName(s.now) != "" {
			return
		}
		s.reconcile()
	}
	s.t.Fatalf("the object does not become well: %v", s.now.GetCondition(xpv2.TypeSynced))
}

// read reads the object. It returns false if the object does not exist.
func (s *stage) read() bool {
	s.t.Helper()
	s.now = &v1alpha1.Record{}
	err := s.server.Get(s.t.Context(), client.ObjectKeyFromObject(s.fresh), s.now)
	s.now.SetGroupVersionKind(v1alpha1.RecordGroupVersionKind)
	if kerrors.IsNotFound(err) {
		return false
	}
	must(s.t, err)
	return true
}

// call makes a call as another client, below the zone's DNS records, and returns its result.
func (s *stage) call(method, below, body string) json.RawMessage {
	s.t.Helper()
	w := httptest.NewRecorder()
	r := httptest.NewRequestWithContext(s.t.Context(), method, simulator.BasePath+"/zones/"+s.zone+"/dns_records"+below, strings.NewReader(body))
	r.Header.Set("Authorization", "Bearer "+s.sim.AddToken(simulator.TokenOptions{Grants: []simulator.Grant{{Zone: s.zone, Permission: simulator.Everything}}}))
	s.sim.ServeHTTP(w, r)
	var out struct {
		Success bool            `json:"success"`
		Result  json.RawMessage `json:"result"`
	}
	must(s.t, json.Unmarshal(w.Body.Bytes(), &out))
	if !out.Success {
		s.t.Fatalf("%s: %s", method, w.Body)
	}
	return out.Result
}

// records returns the IDs of the zone's DNS records.
func (s *stage) records() []string {
	s.t.Helper()
	var rows []struct {
		ID string `json:"id"`
	}
	must(s.t, json.Unmarshal(s.call(http.MethodGet, "", ""), &rows))
	var out []string
	for _, r := range rows {
		out = append(out, r.ID)
	}
	return out
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
