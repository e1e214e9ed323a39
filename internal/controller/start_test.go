// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package controller

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/crossplane/crossplane-runtime/v2/pkg/controller"
	"github.com/crossplane/crossplane-runtime/v2/pkg/logging"
	"github.com/prometheus/client_golang/prometheus/testutil"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/tools/record"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/fake"
	"sigs.k8s.io/controller-runtime/pkg/manager"

	"github.com/provider-cloudflare/provider-cloudflare/apis"
	dnsv1alpha1 "github.com/provider-cloudflare/provider-cloudflare/apis/dns/v1alpha1"
	zonev1alpha1 "github.com/provider-cloudflare/provider-cloudflare/apis/zone/v1alpha1"
)

// A cluster is a manager that runs, and its cluster. Its Zones can be broken in several ways.
type cluster struct {
	ctrl.Manager

	ctx    context.Context //nolint:containedctx // As a manager keeps it.
	scheme *runtime.Scheme
	kube   client.Client
	events *record.FakeRecorder

	mu                           sync.Mutex
	unserved, forbidden, garbled bool
	removed                      int
	ended                        []error
	running                      sync.WaitGroup
}

// newCluster returns a cluster with the CRD of Zones.
func newCluster(t *testing.T) (c *cluster, end func()) {
	t.Helper()
	c = &cluster{scheme: runtime.NewScheme(), events: record.NewFakeRecorder(1000)}
	if err := errors.Join(apis.AddToScheme(c.scheme), apiextensionsv1.AddToScheme(c.scheme)); err != nil {
		t.Fatal(err)
	}
	crd := &apiextensionsv1.CustomResourceDefinition{ObjectMeta: metav1.ObjectMeta{Name: "zones." + zonev1alpha1.Group}}
	crd.Spec.Group, crd.Spec.Names.Kind = zonev1alpha1.Group, "Zone"
	c.kube = fake.NewClientBuilder().WithScheme(c.scheme).WithObjects(crd).Build()
	ctx, cancel := context.WithCancel(t.Context())
	c.ctx = ctx
	return c, func() {
		cancel()
		c.running.Wait()
	}
}

// is reads one of the faults.
func (c *cluster) is(fault *bool) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return *fault
}

func (c *cluster) set(fault *bool, to bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	*fault = to
}

func (c *cluster) GetRESTMapper() meta.RESTMapper                  { return kindMapper{c: c} }
func (c *cluster) GetAPIReader() client.Reader                     { return api{c: c} }
func (c *cluster) GetCache() cache.Cache                           { return informers{c: c} }
func (c *cluster) GetClient() client.Client                        { return c.kube }
func (c *cluster) GetScheme() *runtime.Scheme                      { return c.scheme }
func (c *cluster) GetEventRecorderFor(string) record.EventRecorder { return c.events }

func (c *cluster) Add(r manager.Runnable) error {
	c.running.Go(func() {
		if err := r.Start(c.ctx); err != nil {
			c.mu.Lock()
			defer c.mu.Unlock()
			c.ended = append(c.ended, err)
		}
	})
	return nil
}

type kindMapper struct {
	meta.RESTMapper

	c *cluster
}

func (m kindMapper) RESTMapping(gk schema.GroupKind, _ ...string) (*meta.RESTMapping, error) {
	if gk.Kind == "Zone" && m.c.is(&m.c.unserved) {
		return nil, &meta.NoKindMatchError{GroupKind: gk}
	}
	return &meta.RESTMapping{}, nil
}

var errForbidden = errors.New("zones is forbidden")

// api reads past the cache.
type api struct {
	client.Reader

	c *cluster
}

func (a api) List(_ context.Context, l client.ObjectList, opts ...client.ListOption) error {
	o := (&client.ListOptions{}).ApplyOptions(opts)
	if o.Limit != 1 {
		return errors.New("all objects were listed")
	}
	if l.GetObjectKind().GroupVersionKind().Kind == "ZoneList" && a.c.is(&a.c.forbidden) {
		return errForbidden
	}
	return nil
}

type informers struct {
	cache.Cache

	c *cluster
}

func (i informers) GetInformer(ctx context.Context, o client.Object, _ ...cache.InformerGetOption) (cache.Informer, error) {
	if _, ok := o.(*zonev1alpha1.Zone); ok && i.c.is(&i.c.garbled) {
		<-ctx.Done()
		return nil, errors.New("failed waiting for Informer to sync")
	}
	return nil, nil // The callers do not use the informer.
}

func (i informers) RemoveInformer(context.Context, client.Object) error {
	i.c.mu.Lock()
	defer i.c.mu.Unlock()
	i.c.removed++
	return nil
}

// setups counts the setups of each kind.
type setups struct {
	mu sync.Mutex
	n  map[string]int
}

func (s *setups) entry(gvk schema.GroupVersionKind) Entry {
	return Entry{Kind: gvk, Needs: []schema.GroupVersionKind{gvk}, Setup: func(ctrl.Manager, controller.Options) error {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.n[gvk.Kind]++
		return nil
	}}
}

func (s *setups) of(kind string) int {
	synctest.Wait()
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.n[kind]
}

// TestAKindThatCannotBeRead checks that such a kind is reported and tried again, and that no
// other kind waits for it. Its controller starts once the kind can be read.
func TestAKindThatCannotBeRead(t *testing.T) {
	tests := []struct {
		reason string
		fault  func(*cluster) *bool
		says   string
		// read is the result of reads of the kind meanwhile. within is how soon the kind
		// starts after the fault is gone.
		read   error
		within time.Duration
	}{
		{"its CRD is gone", func(c *cluster) *bool { return &c.unserved }, "cannot find kind Zone", nil, lastTry},
		{"this process may not list it", func(c *cluster) *bool { return &c.forbidden }, "cannot list objects of kind Zone", errForbidden, lastTry},
		{"its objects cannot be read", func(c *cluster) *bool { return &c.garbled }, "cannot fill the cache of kind Zone", nil, syncTimeout + lastTry},
	}
	for _, tc := range tests {
		for _, gated := range []bool{true, false} {
			t.Run(tc.reason, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					c, end := newCluster(t)
					defer end()
					c.set(tc.fault(c), true)
					var log lines
					o := controller.Options{Logger: &log}
					if gated {
						o.Gate = open{}
					}
					kinds, s := NewKinds(nil), &setups{n: map[string]int{}}
					roster := []Entry{s.entry(zonev1alpha1.ZoneGroupVersionKind), s.entry(dnsv1alpha1.RecordGroupVersionKind)}
					if err := Setup(c.ctx, c, o, kinds, roster); err != nil {
						t.Fatal(err)
					}
					if s.of("Record") != 1 || s.of("Zone") != 0 {
						t.Fatalf("%s: %d Records and %d Zones were set up, want Records alone, at once", tc.reason, s.of("Record"), s.of("Zone"))
					}
					<-time.After(10 * time.Minute)
					started(t, kinds, `cloudflare_kind_started{kind="Record"} 1`, `cloudflare_kind_started{kind="Zone"} 0`)
					if n := log.count(tc.says); n != 1 {
						t.Errorf("%s: the log says it %d times, want once", tc.reason, n)
					}
					if reported := len(c.events.Events) > 0; reported != gated {
						t.Errorf("%s: there are events: %t, want %t: without a gate CRDs may not be read", tc.reason, reported, gated)
					} else if reported {
						if e := <-c.events.Events; !strings.Contains(e, "Warning CannotStartKind "+tc.says) {
							t.Errorf("%s: the event says %q", tc.reason, e)
						}
					}
					err := kinds.Apart(c).GetClient().List(t.Context(), &zonev1alpha1.ZoneList{})
					if unserved := tc.fault(c) == &c.unserved; (err == nil) != unserved || tc.read != nil && !errors.Is(err, tc.read) {
						t.Errorf("%s: a read gives %v", tc.reason, err)
					}

					c.set(tc.fault(c), false)
					<-time.After(tc.within)
					if n := s.of("Zone"); n != 1 {
						t.Errorf("%s: Zones were set up %d times since the fault is gone, want once", tc.reason, n)
					}
					started(t, kinds, `cloudflare_kind_started{kind="Record"} 1`, `cloudflare_kind_started{kind="Zone"} 1`)
					if err := kinds.Apart(c).GetClient().List(t.Context(), &zonev1alpha1.ZoneList{}); err != nil {
						t.Errorf("%s: a read gives %v since the fault is gone", tc.reason, err)
					}
					if left := tc.fault(c) == &c.garbled && c.removed == 0; left || len(c.ended) != 0 {
						t.Errorf("%s: a cache that cannot be filled is left: %t; the manager ended with %v", tc.reason, left, c.ended)
					}
				})
			})
		}
	}
}

func started(t *testing.T, kinds *Kinds, want ...string) {
	t.Helper()
	const head = "# HELP cloudflare_kind_started 1 if the controller of a kind runs; 0 while it cannot be started.\n# TYPE cloudflare_kind_started gauge\n"
	if err := testutil.CollectAndCompare(kinds, strings.NewReader(head+strings.Join(want, "\n")+"\n")); err != nil {
		t.Error(err)
	}
}

// TestAControllerThatCannotBeMade checks that a failed setup ends the manager, unless the
// manager is ending and accepts no more controllers.
func TestAControllerThatCannotBeMade(t *testing.T) {
	for reason, ended := range map[string]bool{"a process without this controller would look well": false, "the process ends in any case": true} {
		synctest.Test(t, func(t *testing.T) {
			c, end := newCluster(t)
			refuse := func(ctrl.Manager, controller.Options) error {
				if ended {
					go end()
					<-c.ctx.Done()
				}
				return errors.New("no more controllers")
			}
			g := &heldGate{}
			roster := []Entry{{Kind: dnsv1alpha1.RecordGroupVersionKind, Setup: refuse}}
			if err := Setup(c.ctx, c, controller.Options{Gate: g, Logger: logging.NewNopLogger()}, NewKinds(nil), roster); err != nil {
				t.Fatal(err)
			}
			g.open()
			synctest.Wait()
			if got := len(c.ended); (got == 0) != ended {
				t.Errorf("%s: the manager ended with %v", reason, c.ended)
			}
			end()
		})
	}
}

// heldGate opens when the test opens it.
type heldGate struct{ open func() }

func (g *heldGate) Register(f func(), _ ...schema.GroupVersionKind) { g.open = f }

func (g *heldGate) Set(schema.GroupVersionKind, bool) bool { return false }

// open is a gate that is open.
type open struct{}

func (open) Register(f func(), _ ...schema.GroupVersionKind) { f() }

func (open) Set(schema.GroupVersionKind, bool) bool { return false }

// lines keeps what was logged.
type lines struct {
	mu   sync.Mutex
	said []string
}

func (l *lines) Info(msg string, keysAndValues ...any) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, v := range keysAndValues {
		if err, ok := v.(error); ok {
			msg += " " + err.Error()
		}
	}
	l.said = append(l.said, msg)
}
func (*lines) Debug(string, ...any)               {}
func (l *lines) WithValues(...any) logging.Logger { return l }

func (l *lines) count(s string) int {
	l.mu.Lock()
	defer l.mu.Unlock()
	n := 0
	for _, line := range l.said {
		if strings.Contains(line, s) {
			n++
		}
	}
	return n
}
