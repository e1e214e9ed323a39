// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package described

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path"
	"path/filepath"
	"slices"
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
	corev1 "k8s.io/api/core/v1"
	kerrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
	"sigs.k8s.io/yaml"

	cfv1alpha1 "github.com/provider-cloudflare/provider-cloudflare/apis/v1alpha1"
	zonev1alpha1 "github.com/provider-cloudflare/provider-cloudflare/apis/zone/v1alpha1"
	"github.com/provider-cloudflare/provider-cloudflare/internal/cloudflare"
	"github.com/provider-cloudflare/provider-cloudflare/internal/connect"
	"github.com/provider-cloudflare/provider-cloudflare/internal/controller/described/connectionsecret"
	"github.com/provider-cloudflare/provider-cloudflare/internal/dnszone"
	"github.com/provider-cloudflare/provider-cloudflare/internal/drift"
	"github.com/provider-cloudflare/provider-cloudflare/internal/external"
	"github.com/provider-cloudflare/provider-cloudflare/internal/external/claim"
	"github.com/provider-cloudflare/provider-cloudflare/internal/external/journal"
	"github.com/provider-cloudflare/provider-cloudflare/internal/external/journaltest"
	"github.com/provider-cloudflare/provider-cloudflare/internal/keyed"
	"github.com/provider-cloudflare/provider-cloudflare/internal/kind"
	"github.com/provider-cloudflare/provider-cloudflare/internal/parent"
	"github.com/provider-cloudflare/provider-cloudflare/internal/reconciler"
	"github.com/provider-cloudflare/provider-cloudflare/test/simulator"
)

// An asked is a request of a reconcile: to Cloudflare, or to the API server about the object.
type asked struct{ of, what string }

func (a asked) writes() bool {
	return a.of == "cloudflare" && !strings.HasPrefix(a.what, http.MethodGet)
}

// A stage is an account at Cloudflare, and an API server with the example of a kind and the objects that it refers
// to. The provider's cache shows the object as it was when the reconcile began. The provider's writes reach the API
// server.
type stage struct {
	t       *testing.T
	roster  []entry
	sim     *simulator.Server
	server  client.WithWatch // users write to it
	session sessionOf
	token   string
	inner   map[string]*managed.Reconciler
	claims  map[string]*claim.Registry
	journal *journaltest.Memory
	zones   Zones
	back    map[string]journal.Kind // takes back the resources of vanished objects
	kind    string
	key     client.ObjectKey
	fresh   Object // as a user created it

	cached Object
	mu     sync.Mutex
	log    []asked
	// made is the URL of the last creation. document is the URL of the document that contains a fragment.
	made, document string
	// creates is the method of a creation. below is true if its path continues that of the list: with the name of what
	// it creates, or a word.
	creates string
	below   bool
	// replaced is how many objects of the key existed before this one.
	replaced int
	// sent is the body of the last write.
	sent string
	// ends is the number of requests, and writes of Secrets, after which the process ends: all later ones fail. 0 is
	// never. asked counts them.
	ends, asked int
	// ahead is how far the clock of the pauses is ahead of the time.
	ahead time.Duration
	// said are the events about objects.
	said []string
	// before is called before each request.
	before func(n int)
	// answers returns the answer to a call in place of Cloudflare, nil for Cloudflare's own answer.
	answers func(r *http.Request) *http.Response
	// takes has, by another spelling, the segments of paths that the API accepts as equal.
	takes map[string]string
	// seals is the provider's key.
	seals keyed.Key
	// barred are the objects that their provider configs do not allow.
	barred external.Barred
}

// testKey returns the key of a provider.
func testKey() keyed.Key { return keyed.New([]byte("the key of this test's provider!")) }

// RoundTrip carries a call to Cloudflare.
func (s *stage) RoundTrip(r *http.Request) (*http.Response, error) {
	if err := s.request(asked{"cloudflare", r.Method + " " + r.URL.Path}); err != nil {
		return nil, err
	}
	if r.Method == http.MethodPost || r.Method == s.creates {
		s.made = strings.TrimPrefix(r.URL.Path, simulator.BasePath)
		if s.below && r.Method == s.creates {
			s.made = path.Dir(s.made)
		}
	}
	if r.Method == http.MethodGet {
		s.document = r.URL.String() // The last URL that a fragment reads.
	}
	w, in := httptest.NewRecorder(), s.spelled(r.Clone(r.Context()))
	if in.Body == nil {
		in.Body = http.NoBody
	}
	if r.Method != http.MethodGet {
		body, err := io.ReadAll(in.Body)
		if err != nil {
			return nil, err
		}
		s.sent, in.Body = string(body), io.NopCloser(bytes.NewReader(body))
	}
	if s.answers != nil {
		if lie := s.answers(in); lie != nil {
			return lie, nil
		}
	}
	s.sim.ServeHTTP(w, in)
	return w.Result(), nil
}

// spelled returns a request in the spelling of the simulator.
func (s *stage) spelled(r *http.Request) *http.Request {
	if s.takes == nil {
		return r
	}
	segments := strings.Split(r.URL.Path, "/")
	for i, segment := range segments {
		segments[i] = cmp.Or(s.takes[segment], segment)
	}
	r.URL.Path, r.URL.RawPath = strings.Join(segments, "/"), ""
	return r
}

func (s *stage) request(a asked) error {
	s.mu.Lock()
	n, before := len(s.log), s.before
	s.log = append(s.log, a)
	s.mu.Unlock()
	if before != nil {
		before(n)
	}
	return s.alive()
}

// A hearer records the events of a stage.
type hearer struct{ *stage }

func (h hearer) Event(_ runtime.Object, e event.Event) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.said = append(h.said, string(e.Reason)+": "+e.Message)
}

func (h hearer) WithAnnotations(...string) event.Recorder { return h }

var errEnded = errors.New("the process has ended")

// alive returns nil until the process ends.
func (s *stage) alive() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.asked++
	if s.ends > 0 && s.asked > s.ends {
		return errEnded
	}
	return nil
}

// A sessionOf returns the session of one account to all objects.
type sessionOf struct{ connect.Session }

func (s sessionOf) For(context.Context, resource.ModernManaged) (connect.Session, error) {
	return s.Session, nil
}

type noZones struct{}

func (noZones) ByName(context.Context, dnszone.API, string, string) (string, error) {
	return "", errNoZones
}
func (noZones) WasDeleted(string) bool                         { return false }
func (noZones) Place(id string, _ dnszone.Place) dnszone.Place { return dnszone.Place{ID: id} }
func (noZones) Replaced(context.Context, dnszone.API, string, dnszone.Place, string) (bool, error) {
	return false, errNoZones
}

// allEntries returns the roster for all stages. There are thousands of stages, and no test changes the roster.
var allEntries = sync.OnceValue(roster)

// allKinds returns the roster by name.
var allKinds = sync.OnceValue(func() namedKinds { return byName(allEntries()) })

// newStage returns the stage of a kind. The object is ready for its first reconcile, and the objects that it refers
// to are in place.
func newStage(t *testing.T, e entry) *stage {
	t.Helper()
	s := &stage{t: t, roster: allEntries(), sim: simulator.New(simulator.Options{}), inner: map[string]*managed.Reconciler{}, claims: map[string]*claim.Registry{}, journal: &journaltest.Memory{Name: "journal"}, back: map[string]journal.Kind{}, kind: e.GVK.Kind, seals: testKey(), zones: noZones{}}
	s.creates, _, _ = strings.Cut(e.Description.Create, " ")
	s.below = e.Description.List != "" && strings.Count(e.Description.Create, "/") > strings.Count(e.Description.List, "/")
	account := s.sim.AddAccount("one")
	zone, err := s.sim.AddZone(account.ID, "example.com", simulator.ZoneOptions{Plan: simulator.PlanEnterprise})
	must(t, err)
	token := s.sim.AddToken(simulator.TokenOptions{Grants: []simulator.Grant{{Account: account.ID, Permission: simulator.Everything}}})
	s.token = token
	s.session = sessionOf{connect.Session{
		Client:    cloudflare.New(cloudflare.NewToken(token), cloudflare.Options{BaseURL: "http://cloudflare.test" + simulator.BasePath, Transport: s}),
		AccountID: account.ID,
	}}
	s.server = server(t, s.roster)
	for _, o := range examples(t, s.server.Scheme(), s.roster, e.GVK.Kind, map[string]bool{}) {
		mg, ok := o.(Object)
		if z, ok := o.(*zonev1alpha1.Zone); ok {
			meta.SetExternalName(z, zone.ID)
		}
		gvk := o.GetObjectKind().GroupVersionKind()
		if i := slices.IndexFunc(s.roster, func(e entry) bool { return e.GVK == gvk }); i >= 0 {
			s.inner[gvk.Kind] = s.reconciler(s.roster[i])
		}
		if gvk == e.GVK && s.fresh == nil {
			s.key = client.ObjectKeyFromObject(o)
			s.fresh, _ = o.DeepCopyObject().(Object)
		}
		must(t, s.server.Create(t.Context(), o))
		if ok && client.ObjectKeyFromObject(mg) != s.key {
			s.settle(gvk.Kind, client.ObjectKeyFromObject(mg))
		}
	}
	s.made = ""
	return s
}

// described returns a kind in a provider that has restarted, as setup wires it.
func (s *stage) described(e entry) *described {
	kube, events := reconciler.NewClient(s.provider()), event.Recorder(hearer{s})
	claims := claim.NewRegistry(s.server, claimKind(e))
	claims.Trust(s.journal.Created)
	return &described{
		entry: e, names: kind.Names(e.New().GetForProvider()), createOnly: kind.CreateOnly(e.New().GetForProvider()), rivals: rivals(e.Description, s.roster),
		terms: terms(e.Description, time.Hour), pool: NewPool(parent.Options{}), zones: s.zones, api: s.api(), events: events,
		claims:  claims,
		publish: connectionsecret.Publisher{Kube: identifying(s.provider()), API: s.server},
		memory:  newMemory(), key: s.seals, lookups: newLookups(time.Now), fetches: newFetches(), kube: kube, now: time.Now,
		waiting: &parent.Waiters[types.NamespacedName]{}, targets: targets(s.roster), kinds: allKinds(), every: time.Hour,
	}
}

// reconciler returns the reconciler of a kind in a provider that has restarted.
func (s *stage) reconciler(e entry) *managed.Reconciler {
	kube, k := reconciler.NewClient(s.provider()), s.described(e)
	k.kube = kube
	events := k.events
	s.claims[e.GVK.Kind] = k.claims
	c := &external.Connector[Live]{Kind: k.externalKind(), Deps: external.Deps{
		Sessions: s.session, Kube: kube, API: s.api(), Claims: k.claims, Events: events, Journal: s.journal, Sights: external.NewSights(time.Now),
		Drift:   drift.Reporter{Kind: e.GVK.Kind, Events: events},
		Refused: &external.Refusals{}, Barred: &s.barred, Now: func() time.Time { return time.Now().Add(s.ahead) }, Settle: 0, Began: func() time.Time { return time.Now() },
	}}
	s.back[e.GVK.Kind] = c.TakesBack()
	notes := []string{annotationPending, annotationDeleting, annotationDeleted}
	all := targets(s.roster)
	return managed.NewReconciler(reconciler.WithClient(&rfake.Manager{Client: kube, Scheme: s.server.Scheme()}, kube), resource.ManagedKind(e.GVK),
		managed.WithInitializers(), managed.WithDeterministicExternalName(true), managed.WithManagementPolicies(),
		managed.WithFinalizer(reconciler.NewFinalizer(kube, s.journal)),
		managed.WithReferenceResolver(reconciler.NewReferenceResolver(kube, c.Resolver(func(ctx context.Context, _ client.Reader, mg resource.Managed) error {
			o, _ := mg.(Object)
			return resolve(ctx, s.server, o, e.Description, all)
		}))),
		managed.WithCriticalAnnotationUpdater(reconciler.NewAnnotationUpdater(kube, s.api(), notes, func(types.UID) {})),
		managed.WithCreationGracePeriod(0), managed.WithExternalConnector(c))
}

// settle reconciles an object without interference until it is well.
func (s *stage) settle(name string, key client.ObjectKey) {
	s.t.Helper()
	var said string
	for range 8 {
		mg := s.read(name, key)
		if mg == nil || mg.GetCondition(xpv2.TypeSynced).Status == "True" && meta.GetExternalName(mg) != "" && mg.GetDeletionTimestamp() == nil {
			return
		}
		said = mg.GetCondition(xpv2.TypeSynced).Message
		s.reconcile(name, key)
	}
	s.t.Fatalf("%s %s does not become well: %s", name, key, said)
}

// reconcile reconciles an object once, as the cache shows it now.
func (s *stage) reconcile(name string, key client.ObjectKey) {
	s.t.Helper()
	s.cached, s.log = nil, nil
	if name == s.kind && key == s.key {
		if s.cached = s.read(name, key); s.cached == nil {
			return
		}
	}
	ctx := reconciler.WithState(s.t.Context(), &reconciler.State{Object: key})
	_, _ = s.inner[name].Reconcile(ctx, reconcile.Request{NamespacedName: key}) // The object shows a failure.
}

// read returns an object, nil if it is gone.
func (s *stage) read(name string, key client.ObjectKey) Object {
	s.t.Helper()
	i := slices.IndexFunc(s.roster, func(e entry) bool { return e.GVK.Kind == name })
	mg := s.roster[i].New()
	err := s.server.Get(s.t.Context(), key, mg)
	if kerrors.IsNotFound(err) {
		return nil
	}
	must(s.t, err)
	mg.GetObjectKind().SetGroupVersionKind(s.roster[i].GVK)
	return mg
}

// examples returns the objects of the example of a kind, after those that they refer to.
func examples(t *testing.T, scheme *runtime.Scheme, all []entry, name string, seen map[string]bool) []client.Object {
	t.Helper()
	if seen[name] {
		return nil
	}
	seen[name] = true
	files, err := filepath.Glob(filepath.Join("..", "..", "..", "examples", strings.ToLower(name), "*.yaml"))
	if err != nil || len(files) == 0 {
		t.Fatalf("there is no example of kind %s: %v", name, err)
	}
	raw, err := os.ReadFile(files[0])
	must(t, err)
	var before, out []client.Object
	for doc := range strings.SplitSeq(string(raw), "\n---\n") {
		u := &unstructured.Unstructured{}
		must(t, yaml.Unmarshal([]byte(doc), &u.Object))
		seen[u.GetKind()] = true
		u.SetUID(types.UID(strings.ToLower(u.GetKind()) + "-" + u.GetName()))
		u.SetGeneration(1)
		if _, ok := u.Object["spec"]; ok { // The API server sets these defaults.
			must(t, unstructured.SetNestedStringSlice(u.Object, []string{"*"}, "spec", "managementPolicies"))
			must(t, unstructured.SetNestedField(u.Object, string(cfv1alpha1.AdoptIdentical), "spec", "adoptionPolicy"))
		}
		o, err := scheme.New(u.GroupVersionKind())
		must(t, err)
		must(t, runtime.DefaultUnstructuredConverter.FromUnstructured(u.Object, o))
		typed, ok := o.(client.Object)
		if !ok {
			t.Fatalf("%T is no object", o)
		}
		if s, ok := typed.(*corev1.Secret); ok { // The API server does this, too.
			s.Data = map[string][]byte{}
			for key, v := range s.StringData {
				s.Data[key] = []byte(v)
			}
			s.StringData = nil
		}
		out = append(out, typed)
		for _, other := range refers(all, name, string(raw)) {
			before = append(before, examples(t, scheme, all, other, seen)...)
		}
	}
	return append(before, out...)
}

// refers returns the kinds that the example of a kind refers to.
func refers(all []entry, name, text string) []string {
	var out []string
	if strings.Contains(text, "zoneIdRef:") {
		out = append(out, "Zone")
	}
	for _, e := range all {
		if e.GVK.Kind != name {
			continue
		}
		for _, f := range e.Description.Fields {
			if f.Ref != "" && strings.Contains(text, "Ref:") {
				out = append(out, f.Ref[strings.LastIndex(f.Ref, ".")+1:])
			}
		}
	}
	return out
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

var errNoZones = errors.New("zones are not looked up by name")
