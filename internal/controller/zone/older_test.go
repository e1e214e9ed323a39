// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package zone

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/crossplane/crossplane-runtime/v2/pkg/meta"
	"github.com/crossplane/crossplane-runtime/v2/pkg/reconciler/managed"
	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/ptr"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/fake"
	"sigs.k8s.io/controller-runtime/pkg/client/interceptor"

	apisv1alpha1 "github.com/provider-cloudflare/provider-cloudflare/apis/v1alpha1"
	"github.com/provider-cloudflare/provider-cloudflare/apis/zone/v1alpha1"
	"github.com/provider-cloudflare/provider-cloudflare/internal/cloudflare"
	"github.com/provider-cloudflare/provider-cloudflare/internal/drift"
	"github.com/provider-cloudflare/provider-cloudflare/internal/external/claim"
)

const liveID = "023e105f4ecef8ad9ca31a8372d0c353"

// An account has one zone at most, and calls before with each request.
type account struct {
	zone   *cloudflare.Zone
	before func(request string)
}

func (a *account) GetZone(context.Context, string) (cloudflare.Zone, error) {
	a.before("GET")
	return *a.zone, nil
}

func (a *account) FindZones(context.Context, string, string, bool) ([]cloudflare.Zone, error) {
	a.before("LIST")
	return []cloudflare.Zone{*a.zone}, nil
}

func (a *account) CreateZone(context.Context, string, string, string) (cloudflare.Zone, error) {
	a.before("POST")
	return *a.zone, nil
}

func (a *account) EditZone(_ context.Context, _, _ string, value any) (cloudflare.Zone, error) {
	a.before("PATCH")
	switch v := value.(type) {
	case bool:
		a.zone.Paused = v
	case string:
		a.zone.Type = v
	}
	return *a.zone, nil
}

func (a *account) DeleteZone(context.Context, string) error {
	a.before("DELETE")
	return nil
}

// TestNothingIsDecidedOnAnOlderZone lets a user edit or replace the Zone before each
// request of an adoption, a change of two properties and a deletion. After that no zone
// is deleted, except by a call that is being sent at that moment, and at most one
// property is still set.
func TestNothingIsDecidedOnAnOlderZone(t *testing.T) {
	has := func(z *v1alpha1.Zone) {
		meta.SetExternalName(z, liveID)
		meta.AddFinalizer(z, managed.FinalizerName)
		z.Status.AtProvider.ID, z.Status.Ownership = liveID, apisv1alpha1.OwnershipOwn
	}
	for step, change := range map[string]func(*v1alpha1.Zone){
		"adopt and change": func(*v1alpha1.Zone) {},
		"change":           has,
		"undo a drift":     func(z *v1alpha1.Zone) { has(z); z.SetConditions(drift.UpToDate(z, "Zone")) },
		"delete":           func(z *v1alpha1.Zone) { has(z); z.DeletionTimestamp = ptr.To(metav1.Now()) },
	} {
		all := played(t, change, -1, nil)
		if len(all) < 3 {
			t.Fatalf("%s takes %v, which is too little", step, all)
		}
		for n := range all {
			for what, uid := range map[string]bool{"edit": false, "replace": true} {
				log := played(t, change, n, func(z *v1alpha1.Zone) {
					z.Generation++
					if z.Spec.DeletionPolicy = xpv2.DeletionOrphan; uid {
						z.UID = "second"
					}
				})
				written, known := 0, false
				for i, r := range log[n:] {
					switch r {
					case "DELETE", "PATCH":
						written++
						if known || written > 1 || r == "DELETE" && i > 0 {
							t.Errorf("%s, %s before request %d: %s follows in %v", step, what, n, r, log)
						}
					case "server":
						known = true
					}
				}
			}
		}
	}
}

// played observes a Zone and acts on it once. It calls act on the API server's object
// before the request of number n, and returns the requests.
func played(t *testing.T, change func(*v1alpha1.Zone), n int, act func(*v1alpha1.Zone)) (log []string) {
	t.Helper()
	mg := untried()
	mg.Namespace, mg.Name, mg.UID, mg.Generation = "ns", "one", "first", 1
	mg.Spec.ForProvider.Type, mg.Spec.ForProvider.Paused, mg.Spec.DeletionPolicy = ptr.To("partial"), ptr.To(true), xpv2.DeletionDelete
	change(mg)
	calls := &account{zone: &cloudflare.Zone{ID: liveID, Name: "example.com", Type: "full"}}
	c := connectorOf(t, calls, time.Hour, journalOf(t, mg))
	server := fake.NewClientBuilder().WithScheme(c.Deps.Kube.Scheme()).WithStatusSubresource(mg).
		WithIndex(&v1alpha1.Zone{}, claim.Index, claimKind().ExternalNames).WithObjects(mg.DeepCopy()).Build()
	calls.before = func(request string) {
		if len(log) == n {
			now := &v1alpha1.Zone{}
			if err := server.Get(t.Context(), client.ObjectKeyFromObject(mg), now); err != nil {
				t.Fatal(err)
			}
			act(now)
			if err := server.Update(t.Context(), now); err != nil {
				t.Fatal(err)
			}
		}
		log = append(log, request)
	}
	kube := interceptor.NewClient(server, interceptor.Funcs{
		Get: func(ctx context.Context, k client.WithWatch, at client.ObjectKey, o client.Object, opts ...client.GetOption) error {
			calls.before("server")
			return k.Get(ctx, at, o, opts...)
		},
		Update: func(ctx context.Context, k client.WithWatch, o client.Object, opts ...client.UpdateOption) error {
			calls.before("server")
			kind := o.GetObjectKind().GroupVersionKind()
			defer o.GetObjectKind().SetGroupVersionKind(kind)
			return k.Update(ctx, o, opts...)
		},
		SubResourcePatch: func(ctx context.Context, k client.Client, sub string, o client.Object, p client.Patch, opts ...client.SubResourcePatchOption) error {
			calls.before("server")
			return k.SubResource(sub).Patch(ctx, o, p, opts...)
		},
	})
	c.Deps.Kube, c.Deps.API, c.Deps.Claims = kube, kube, claim.NewRegistry(server, claimKind())
	if err := server.Get(t.Context(), client.ObjectKeyFromObject(mg), mg); err != nil {
		t.Fatal(err)
	}
	mg.SetGroupVersionKind(v1alpha1.ZoneGroupVersionKind)
	e, err := c.Connect(t.Context(), mg)
	if err != nil {
		t.Fatal(err)
	}
	o, err := e.Observe(t.Context(), mg)
	switch {
	case err != nil:
	case !mg.DeletionTimestamp.IsZero():
		_, err = e.Delete(t.Context(), mg)
	case !o.ResourceUpToDate:
		_, err = e.Update(t.Context(), mg)
	}
	if act == nil && err != nil {
		t.Fatal(fmt.Errorf("nobody interfered: %w", err))
	}
	return log
}
