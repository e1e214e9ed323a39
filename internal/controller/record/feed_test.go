// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package record

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/crossplane/crossplane-runtime/v2/pkg/logging"
	"github.com/crossplane/crossplane-runtime/v2/pkg/meta"
	"github.com/crossplane/crossplane-runtime/v2/pkg/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/util/workqueue"
	"k8s.io/utils/ptr"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/fake"
	"sigs.k8s.io/controller-runtime/pkg/client/interceptor"
	"sigs.k8s.io/controller-runtime/pkg/controller/priorityqueue"

	"github.com/provider-cloudflare/provider-cloudflare/apis"
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
	"github.com/provider-cloudflare/provider-cloudflare/internal/workers"
)

// cluster returns a cluster of Records in one zone, with external names by their names.
func cluster(t *testing.T, externalNames map[string]string) client.WithWatch {
	t.Helper()
	s := runtime.NewScheme()
	if err := apis.AddToScheme(s); err != nil {
		t.Fatal(err)
	}
	b := fake.NewClientBuilder().WithScheme(s).WithIndex(&v1alpha1.Record{}, claim.Index, claimKind().ExternalNames).
		WithIndex(&v1alpha1.Record{}, indexZone, zonesOf)
	for name, id := range externalNames {
		r := &v1alpha1.Record{ObjectMeta: metav1.ObjectMeta{Namespace: "ns", Name: name}}
		r.Status.AtProvider.ZoneID = testZone
		meta.SetExternalName(r, id)
		b = b.WithObjects(r)
	}
	return b.Build()
}

// quietFeed returns a feed without a log.
func quietFeed(kube client.Reader) *external.Feed {
	f := newFeed(kube)
	f.Log = logging.NewNopLogger()
	return f
}

// start hands a queue to the feed, as the controller does.
func start(t *testing.T, f *external.Feed, q workers.Queue) {
	t.Helper()
	if err := f.Source().Start(t.Context(), q); err != nil {
		t.Fatal(err)
	}
}

func drained(q workers.Queue) []string {
	var out []string
	for q.Len() > 0 {
		r, _ := q.Get()
		out = append(out, r.Name)
		q.Done(r)
	}
	slices.Sort(out)
	return out
}

func TestFeedWakesOnlyWhoseRecordChanged(t *testing.T) {
	q := workqueue.NewTypedRateLimitingQueue(workqueue.DefaultTypedControllerRateLimiter[workers.Request]())
	defer q.ShutDown()
	f := quietFeed(cluster(t, map[string]string{"a": "1", "b": "2", "observer-of-b": "2", "c": "3"}))
	change := parent.Change{Key: testZone, IDs: []string{"2", "3", "not-ours"}}

	f.Changed(t.Context(), change) // Before the controller has started.
	start(t, f, q)
	if got := drained(q); got != nil {
		t.Errorf("%v were woken before there was a queue", got)
	}
	f.Changed(t.Context(), parent.Change{Key: testZone, Err: errors.New("down")})
	if got := drained(q); got != nil {
		t.Errorf("a failure woke %v", got)
	}
	for reason, err := range map[string]error{
		"an unknown token": &cloudflare.Error{Status: 401, Details: []cloudflare.Detail{{Code: 1000}}},
		"an unknown token, or a permission that is missing": &cloudflare.Error{Status: 403, Details: []cloudflare.Detail{{Code: 9109}}},
	} {
		f.Changed(t.Context(), parent.Change{Key: testZone, Err: err})
		if got := drained(q); strings.Join(got, " ") != "a b c observer-of-b" {
			t.Errorf("%s woke %v, want all Records of the zone", reason, got)
		}
	}
	f.Changed(t.Context(), change)
	if got := drained(q); strings.Join(got, " ") != "b c observer-of-b" {
		t.Errorf("woke %v, want b, its observer, and c", got)
	}
}

func TestFeedGoesOnAfterAFailure(t *testing.T) {
	q := workqueue.NewTypedRateLimitingQueue(workqueue.DefaultTypedControllerRateLimiter[workers.Request]())
	defer q.ShutDown()
	lists := 0
	kube := interceptor.NewClient(cluster(t, map[string]string{"a": "1", "b": "2"}), interceptor.Funcs{
		List: func(ctx context.Context, c client.WithWatch, l client.ObjectList, opts ...client.ListOption) error {
			lists++
			if lists == 1 {
				return errors.New("down")
			}
			return c.List(ctx, l, opts...)
		},
	})
	f := quietFeed(kube)
	start(t, f, q)
	f.Changed(t.Context(), parent.Change{IDs: []string{"1", "2"}})
	if got := drained(q); strings.Join(got, " ") != "b" {
		t.Errorf("woke %v, want b although a could not be found", got)
	}
}

func TestFeedGoesBehindWhatUsersWaitFor(t *testing.T) {
	q := priorityqueue.New[workers.Request]("test")
	defer q.ShutDown()
	f := quietFeed(cluster(t, map[string]string{"drifted": "1"}))
	start(t, f, q)
	f.Changed(t.Context(), parent.Change{IDs: []string{"1"}})
	r, priority, _ := q.GetWithPriority()
	if r.Name != "drifted" || priority != reconciler.PriorityDrift {
		t.Errorf("got %s with priority %d, want drifted with %d", r.Name, priority, reconciler.PriorityDrift)
	}
	q.Done(r)
}

func TestFeedKnowsWhichZonesAreInUse(t *testing.T) {
	seen := &v1alpha1.Record{ObjectMeta: metav1.ObjectMeta{Namespace: "ns", Name: "seen"}}
	seen.Status.AtProvider.ZoneID = testZone
	s := runtime.NewScheme()
	if err := apis.AddToScheme(s); err != nil {
		t.Fatal(err)
	}
	kube := fake.NewClientBuilder().WithScheme(s).WithIndex(&v1alpha1.Record{}, indexZone, zonesOf).WithObjects(seen).Build()
	down := false
	f := quietFeed(interceptor.NewClient(kube, interceptor.Funcs{
		List: func(ctx context.Context, c client.WithWatch, l client.ObjectList, opts ...client.ListOption) error {
			if down {
				return errors.New("down")
			}
			return c.List(ctx, l, opts...)
		},
	}))
	const other = "ffffffffffffffffffffffffffffffff"
	if !f.InUse(t.Context(), testZone) || f.InUse(t.Context(), other) {
		t.Errorf("in use are %s: %t, %s: %t, want the first only", testZone, f.InUse(t.Context(), testZone), other, f.InUse(t.Context(), other))
	}
	if down = true; !f.InUse(t.Context(), other) {
		t.Error("a zone of which nothing is known is swept no more")
	}
}

// sessions is a Sessions that counts its calls.
type sessions struct {
	session connect.Session
	err     error
	asked   int
}

func (s *sessions) For(context.Context, resource.ModernManaged) (connect.Session, error) {
	s.asked++
	return s.session, s.err
}

// names is a pool of zones whose ByName knows one zone.
type names struct{ *dnszone.Pool }

// Replaced returns false: nothing shows that any zone is gone.
func (names) Replaced(context.Context, dnszone.API, string, dnszone.Place, string) (bool, error) {
	return false, nil
}

func (names) ByName(_ context.Context, _ dnszone.API, name, accountID string) (string, error) {
	if name == "xn--bcher-kva.example" && accountID == "acme" {
		return testZone, nil
	}
	return "", &dnszone.NameError{Name: name}
}

func TestConnectAndResolveZone(t *testing.T) {
	const other = "ffffffffffffffffffffffffffffffff"
	deleted := ptr.To(metav1.NewTime(time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)))
	down := errors.New("down")
	tests := []struct {
		reason string
		edit   func(*v1alpha1.Record)
		err    error
		// zone is the ID of the zone that the Record is connected to.
		zone string
		says string
		// asked is whether a session was requested.
		asked bool
	}{
		{"by ID", func(r *v1alpha1.Record) { r.Spec.ForProvider.ZoneID = ptr.To(testZone) }, nil, testZone, "", true},
		{"by name, however written", func(r *v1alpha1.Record) { r.Spec.ForProvider.ZoneName = ptr.To("Bücher.Example.") }, nil, testZone, "", true},
		{"by a name nobody knows", func(r *v1alpha1.Record) { r.Spec.ForProvider.ZoneName = ptr.To("none.example") }, nil, "", "there is no zone", true},
		{"by what is no name", func(r *v1alpha1.Record) { r.Spec.ForProvider.ZoneName = ptr.To("a..b") }, nil, "", "spec.forProvider.zoneName", true},
		{"by a reference that is not resolved", func(*v1alpha1.Record) {}, nil, "", "spec.forProvider.zoneId is not known: ", true},
		{"without credentials", func(r *v1alpha1.Record) { r.Spec.ForProvider.ZoneID = ptr.To(testZone) }, down, "", "down", true},
		{"moved to another zone", func(r *v1alpha1.Record) {
			r.Spec.ForProvider.ZoneID = ptr.To(other)
			r.Status.AtProvider.ZoneID = testZone
		}, nil, "", "it cannot move", true},
		{"being deleted: the zone it is in, whatever the spec says now", func(r *v1alpha1.Record) {
			r.Spec.ForProvider.ZoneName = ptr.To("none.example")
			r.Status.AtProvider.ZoneID = testZone
			r.DeletionTimestamp = deleted
			meta.SetExternalName(r, "x")
		}, nil, testZone, "", true},
		{"being deleted with nothing at Cloudflare: it needs no credentials", func(r *v1alpha1.Record) { r.DeletionTimestamp = deleted }, down, "", "", false},
	}
	for _, tc := range tests {
		t.Run(tc.reason, func(t *testing.T) {
			s := &sessions{session: connect.Session{Client: cloudflare.New(cloudflare.NewToken("x"), cloudflare.Options{}), AccountID: "acme"}, err: tc.err}
			var made *adapter
			c := &external.Connector[dnszone.Entry]{
				Kind: kind(names{dnszone.NewPool(dnszone.Options{})}, nil, external.Shared{}, &parent.Waiters[types.NamespacedName]{}),
				Deps: external.Deps{Began: time.Now, Sessions: s, Drift: drift.Reporter{}, Journal: &journaltest.Memory{}},
			}
			adapt := c.Kind.Adapt
			c.Kind.Adapt = func(mg resource.Managed, s connect.Session) (external.Adapter[dnszone.Entry], error) {
				a, err := adapt(mg, s)
				made, _ = a.(*adapter)
				return a, err
			}
			mg := &v1alpha1.Record{}
			tc.edit(mg)
			got, err := c.Connect(t.Context(), mg)
			if (s.asked > 0) != tc.asked {
				t.Errorf("%s: sessions were asked %d times", tc.reason, s.asked)
			}
			if err == nil && made != nil {
				err = made.resolveZone(t.Context())
			}
			switch {
			case tc.says != "":
				if err == nil || !strings.Contains(err.Error(), tc.says) {
					t.Errorf("%s: got %v, want an error that says %q", tc.reason, err, tc.says)
				}
			case err != nil:
				t.Errorf("%s: %v", tc.reason, err)
			case tc.zone != "":
				if made == nil || made.zone.ID() != tc.zone {
					t.Errorf("%s: got %T of another zone than %q", tc.reason, got, tc.zone)
				}
			default:
				if o, err := got.Observe(t.Context(), mg); o.ResourceExists || err != nil {
					t.Errorf("%s: got %+v, %v, want that there is nothing", tc.reason, o, err)
				}
			}
		})
	}
}
