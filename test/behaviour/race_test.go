// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package behaviour

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/crossplane/crossplane-runtime/v2/pkg/meta"
	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"
	corev1 "k8s.io/api/core/v1"
	kerrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/utils/ptr"
	"sigs.k8s.io/controller-runtime/pkg/client"

	dnsv1alpha1 "github.com/provider-cloudflare/provider-cloudflare/apis/dns/v1alpha1"
	zonev1alpha1 "github.com/provider-cloudflare/provider-cloudflare/apis/zone/v1alpha1"
	"github.com/provider-cloudflare/provider-cloudflare/test/simulator"
)

// The tests of this file have a user act between a decision of the provider and the
// request that follows from it.

// raceOn runs act once between the decision to update an object of that resource and the
// request of the update.
func (w *world) raceOn(resource string, act func(context.Context)) (raced func() error) {
	return w.raceOnWrite(http.MethodPut, resource, act)
}

// raceOnWrite is raceOn for writes of another method.
func (w *world) raceOnWrite(method, resource string, act func(context.Context)) (raced func() error) {
	var begun, done atomic.Bool
	w.interfere(func(r request) fate {
		if r.method == method && r.resource == resource && begun.CompareAndSwap(false, true) {
			ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
			defer cancel()
			act(ctx)
			done.Store(true)
		}
		return sent
	})
	return func() error {
		if !done.Load() {
			return errors.New("the provider has not written yet")
		}
		return nil
	}
}

// meddle changes an object as a user does, during a request of the provider.
func meddle[T client.Object](ctx context.Context, w *world, o T, f func(T)) {
	err := wait.PollUntilContextCancel(ctx, tick, true, func(ctx context.Context) (bool, error) {
		if err := w.kube.Get(ctx, client.ObjectKeyFromObject(o), o); err != nil {
			return false, err
		}
		f(o)
		err := w.kube.Update(ctx, o)
		if kerrors.IsConflict(err) {
			return false, nil
		}
		return true, err
	})
	if err != nil {
		w.t.Errorf("cannot edit %s: %v", o.GetName(), err)
	}
}

// replace deletes an object and creates another one of its name.
func (w *world) replace(ctx context.Context, old, next client.Object) {
	if err := w.kube.Delete(ctx, old); err != nil {
		w.t.Errorf("cannot delete %s: %v", old.GetName(), err)
	}
	if err := w.kube.Create(ctx, next); err != nil {
		w.t.Errorf("cannot create another %s: %v", next.GetName(), err)
	}
}

func named(name string) recordOption {
	return func(r *dnsv1alpha1.Record) { r.GenerateName, r.Name = "", name }
}

// decided waits until the provider has observed the object at its current generation, and
// its condition shows it.
func decided(w *world, r *dnsv1alpha1.Record) {
	w.t.Helper()
	until(w, r, func(r *dnsv1alpha1.Record) error {
		c := r.GetCondition(xpv2.TypeSynced)
		if c.ObservedGeneration != r.GetGeneration() || c.Status == corev1.ConditionUnknown {
			return fmt.Errorf("not decided yet: %s", conditions(r))
		}
		return nil
	})
}

func (w *world) content(id string) string {
	l, _ := w.sim.Record(w.zone.ID, id)
	return l.Content
}

func TestAnEditDuringTheCreationStays(t *testing.T) {
	inParallel(t, func(t *testing.T) {
		const last = "kubectl.kubernetes.io/last-applied-configuration"
		w := newWorld(t)
		w.sim.AddFault(simulator.Fault{Kind: simulator.FaultSlow, Method: http.MethodPost, Zone: w.zone.ID, Delay: 2 * time.Second})
		r := w.record("www", "A", "192.0.2.1", func(r *dnsv1alpha1.Record) {
			meta.AddAnnotations(r, map[string]string{last: "first", "removed": "x", meta.AnnotationKeyReconciliationPaused: "false"})
		})
		w.create(r)
		w.eventually(func() error {
			if len(w.sim.Records(w.zone.ID)) == 0 {
				return errors.New("the record is not made yet")
			}
			return nil
		})
		edit(w, r, func(r *dnsv1alpha1.Record) {
			meta.AddAnnotations(r, map[string]string{last: "second", meta.AnnotationKeyReconciliationPaused: "true"})
			meta.RemoveAnnotations(r, "removed")
			r.Spec.ForProvider.TTL = ptr.To[int64](300)
		})
		until(w, r, func(r *dnsv1alpha1.Record) error {
			if meta.GetExternalName(r) == "" {
				return errors.New("the ID is not recorded yet")
			}
			return nil
		})
		a := r.GetAnnotations()
		if _, back := a["removed"]; back || a[last] != "second" || !meta.IsPaused(r) {
			t.Errorf("the annotations are %v, want those of the edit", a)
		}
	})
}

func TestAnAdoptedRecordGoesToNoOtherObject(t *testing.T) {
	undisturbed(t, func(t *testing.T) {
		w := newWorld(t)
		live := w.dashboard(map[string]any{"name": "www." + w.zone.Name, "type": "A", "content": "192.0.2.1", "ttl": 1})
		first := w.record("www", "A", "192.0.2.1", named("x"))
		next := w.record("other", "A", "192.0.2.9", named("x"), adoption(dnsv1alpha1.AdoptNever))
		old := first.DeepCopy()
		raced := w.raceOn("records", func(ctx context.Context) { w.replace(ctx, old, next) })
		w.create(first)
		w.eventually(raced)
		settled(w, next)
		if meta.GetExternalName(next) == live.ID || w.content(live.ID) != "192.0.2.1" {
			t.Errorf("the new object has the external name %s; the record that the old one was about to adopt is %s, with the content %q",
				meta.GetExternalName(next), live.ID, w.content(live.ID))
		}
		if w.content(meta.GetExternalName(next)) != "192.0.2.9" {
			t.Errorf("the new object has no record of its own")
		}
	})
}

func TestAnAdoptionThatDoesNotComeAboutClaimsNothing(t *testing.T) {
	undisturbed(t, func(t *testing.T) {
		w := newWorld(t)
		w.dashboard(map[string]any{"name": "www." + w.zone.Name, "type": "A", "content": "192.0.2.1", "ttl": 1})
		x := w.record("www", "A", "192.0.2.1", named("x"))
		theirs := x.DeepCopy()
		raced := w.raceOn("records", func(ctx context.Context) {
			meddle(ctx, w, theirs, func(r *dnsv1alpha1.Record) { r.Spec.ForProvider.Content = ptr.To("192.0.2.300") })
		})
		w.create(x)
		w.eventually(raced)
		refused(w, x, "192.0.2.300")
		w.made("www", "A", "192.0.2.1")
	})
}

func TestAnAdoptedZoneGoesToNoOtherObject(t *testing.T) {
	inParallel(t, func(t *testing.T) {
		w := newWorld(t)
		other := "other-" + w.ns + ".example"
		first, next := w.zoneObject("zone", w.zone.Name), w.zoneObject("zone", other)
		next.Spec.DeletionPolicy = xpv2.DeletionDelete
		old := first.DeepCopy()
		raced := w.raceOn("zones", func(ctx context.Context) { w.replace(ctx, old, next) })
		w.create(first)
		w.eventually(raced)
		until(w, next, func(z *zonev1alpha1.Zone) error {
			if meta.GetExternalName(z) == "" {
				return fmt.Errorf("no zone yet: %s", conditions(z))
			}
			return nil
		})
		if meta.GetExternalName(next) == w.zone.ID {
			t.Errorf("the object that declares %s has the external name of %s", other, w.zone.Name)
		}
		w.delete(next)
		w.gone(next)
		if _, ok := w.simZone(w.zone.Name); !ok {
			t.Errorf("its deletion deleted %s", w.zone.Name)
		}
	})
}

// TestAZoneWhoseDeletionIsWithdrawnStays withdraws the permission to delete a zone when
// the provider has decided to delete it.
func TestAZoneWhoseDeletionIsWithdrawnStays(t *testing.T) {
	tests := map[string]struct {
		change func(*zonev1alpha1.Zone)
		// after waits for the result of the change.
		after func(*world, *zonev1alpha1.Zone)
	}{
		"Default": {
			func(z *zonev1alpha1.Zone) { z.Spec.DeletionPolicy = "" },
			func(w *world, z *zonev1alpha1.Zone) { w.gone(z) },
		},
		"Orphan": {
			func(z *zonev1alpha1.Zone) { z.Spec.DeletionPolicy = xpv2.DeletionOrphan },
			func(w *world, z *zonev1alpha1.Zone) { w.gone(z) },
		},
		"Paused": {
			func(z *zonev1alpha1.Zone) {
				meta.AddAnnotations(z, map[string]string{meta.AnnotationKeyReconciliationPaused: "true"})
			},
			func(w *world, z *zonev1alpha1.Zone) {
				until(w, z, func(z *zonev1alpha1.Zone) error {
					if c := z.GetCondition(xpv2.TypeSynced); c.Reason != xpv2.ReasonReconcilePaused {
						return fmt.Errorf("not paused: %s", conditions(z))
					}
					return nil
				})
			},
		},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			undisturbed(t, func(t *testing.T) {
				w := newWorld(t)
				z := w.zoneObject("zone", w.zone.Name)
				z.Spec.DeletionPolicy = xpv2.DeletionDelete
				w.create(z)
				settled(w, z)
				w.made("www", "A", "192.0.2.1")
				raced := w.raceOn("zones", func(ctx context.Context) { meddle(ctx, w, w.zoneObject("zone", ""), tc.change) })
				w.delete(z)
				w.eventually(raced)
				tc.after(w, z)
				if _, ok := w.simZone(w.zone.Name); !ok {
					t.Error("the zone was deleted")
				}
				for _, r := range w.sim.RequestsAbout(w.zone.ID) {
					if r.Method == http.MethodDelete && strings.HasSuffix(r.Path, "/zones/"+w.zone.ID) {
						t.Error("the provider has asked for its deletion")
					}
				}
			})
		})
	}
}

// TestAnEditDuringAnAdoption edits an object when the provider has decided to adopt.
func TestAnEditDuringAnAdoption(t *testing.T) {
	start := func(t *testing.T, change func(*dnsv1alpha1.Record)) (*world, *dnsv1alpha1.Record, string) {
		t.Helper()
		w := newWorld(t)
		live := w.dashboard(map[string]any{"name": "www." + w.zone.Name, "type": "A", "content": "192.0.2.1", "ttl": 1})
		r := w.record("www", "A", "192.0.2.1", named("www"))
		theirs := r.DeepCopy()
		// The provider first writes to the status what the object has from then on.
		raced := w.raceOnWrite(http.MethodPatch, "records/status", func(ctx context.Context) { meddle(ctx, w, theirs, change) })
		w.create(r)
		w.eventually(raced)
		return w, r, live.ID
	}
	t.Run("WhatIsCarriedOut", func(t *testing.T) {
		undisturbed(t, func(t *testing.T) {
			w, r, id := start(t, func(r *dnsv1alpha1.Record) { r.Spec.ForProvider.TTL = ptr.To[int64](300) })
			until(w, r, func(r *dnsv1alpha1.Record) error {
				l, _ := w.sim.Record(w.zone.ID, id)
				up := r.GetCondition(xpv2.TypeUpToDate)
				if up.Status == corev1.ConditionTrue && up.ObservedGeneration == r.GetGeneration() && l.TTL != 300 {
					t.Fatalf("UpToDate is True for generation %d, which declares ttl 300; live is %d", up.ObservedGeneration, l.TTL)
				}
				if l.TTL != 300 {
					return fmt.Errorf("ttl is %d: %s", l.TTL, conditions(r))
				}
				return nil
			})
			settled(w, r)
			for _, e := range w.eventsOf(r) {
				if strings.HasPrefix(e.Reason, "Drift") {
					t.Errorf("the edit was reported as a drift: %s %s", e.Reason, e.Message)
				}
			}
		})
	})
	// The object now declares another record than the existing one. The policy Identical
	// does not allow it to adopt that record.
	t.Run("WhatForbidsTheAdoption", func(t *testing.T) {
		undisturbed(t, func(t *testing.T) {
			w, r, id := start(t, func(r *dnsv1alpha1.Record) { r.Spec.ForProvider.Content = ptr.To("192.0.2.2") })
			settled(w, r)
			if w.content(id) != "192.0.2.1" || meta.GetExternalName(r) == id {
				t.Errorf("the record is %q and the external name %s: it was taken over", w.content(id), meta.GetExternalName(r))
			}
		})
	})
}

// TestAnEditWhileAnObjectBeginsToManage edits an object that only observed before. The
// provider has decided to adopt the observed record.
func TestAnEditWhileAnObjectBeginsToManage(t *testing.T) {
	start := func(t *testing.T, begin, change func(*dnsv1alpha1.Record)) (*world, *dnsv1alpha1.Record, string, int) {
		t.Helper()
		w := newWorld(t)
		live := w.dashboard(map[string]any{"name": "www." + w.zone.Name, "type": "A", "content": "192.0.2.1", "ttl": 1})
		r := w.made("www", "A", "192.0.2.1", policies(xpv2.ManagementActionObserve))
		writes := w.writes()
		theirs := r.DeepCopy()
		raced := w.raceOnWrite(http.MethodPatch, "records/status", func(ctx context.Context) { meddle(ctx, w, theirs, change) })
		edit(w, r, func(r *dnsv1alpha1.Record) {
			r.Spec.ManagementPolicies = xpv2.ManagementPolicies{xpv2.ManagementActionAll}
			begin(r)
		})
		w.eventually(raced)
		decided(w, r)
		return w, r, live.ID, w.writes() - writes
	}
	nothing := func(*dnsv1alpha1.Record) {}
	t.Run("Content", func(t *testing.T) {
		undisturbed(t, func(t *testing.T) {
			w, _, id, writes := start(t, nothing, func(r *dnsv1alpha1.Record) { r.Spec.ForProvider.Content = ptr.To("192.0.2.2") })
			if w.content(id) != "192.0.2.1" || writes > 0 {
				t.Errorf("the record is %q after %d writes: it was overwritten", w.content(id), writes)
			}
		})
	})
	t.Run("Never", func(t *testing.T) {
		undisturbed(t, func(t *testing.T) {
			w, r, id, writes := start(t, nothing, func(r *dnsv1alpha1.Record) { r.Spec.AdoptionPolicy = dnsv1alpha1.AdoptNever })
			if c := r.GetCondition(xpv2.TypeSynced); c.Status != corev1.ConditionFalse || writes > 0 {
				t.Errorf("%s; %d writes to %s: the object manages the record", conditions(r), writes, w.content(id))
			}
		})
	})
	// The object begins to manage a record with a difference, and its user reverts to
	// Observe.
	t.Run("BackToObserve", func(t *testing.T) {
		undisturbed(t, func(t *testing.T) {
			w, r, id, writes := start(t, func(r *dnsv1alpha1.Record) { r.Spec.ForProvider.TTL = ptr.To[int64](300) }, func(r *dnsv1alpha1.Record) {
				r.Spec.ManagementPolicies = xpv2.ManagementPolicies{xpv2.ManagementActionObserve}
			})
			if l, _ := w.sim.Record(w.zone.ID, id); l.TTL != 1 || writes > 0 {
				t.Errorf("ttl is %d after %d writes; %s", l.TTL, writes, conditions(r))
			}
		})
	})
}

// TestAnEditBeforeARecordIsDeleted has a user withdraw the deletion of a record while the
// cache of the provider does not show it yet.
func TestAnEditBeforeARecordIsDeleted(t *testing.T) {
	undisturbed(t, func(t *testing.T) {
		w := newWorld(t)
		r := w.made("www", "A", "192.0.2.1")
		theirs := r.DeepCopy()
		var edited atomic.Bool
		w.interfere(func(q request) fate {
			if q.method == http.MethodGet && q.resource == "records" && edited.CompareAndSwap(false, true) {
				ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
				defer cancel()
				meddle(ctx, w, theirs, func(r *dnsv1alpha1.Record) { r.Spec.DeletionPolicy = xpv2.DeletionOrphan })
			}
			return sent
		})
		w.delete(r)
		w.gone(r)
		if !edited.Load() {
			t.Error("the provider has not looked at the object before it deleted the record")
		}
		w.live("A")
	})
}

// TestAZoneThatIsGoneIsNotReady deletes a zone outside the provider.
func TestAZoneThatIsGoneIsNotReady(t *testing.T) {
	inParallel(t, func(t *testing.T) {
		w := newWorld(t)
		z := w.zoneObject("zone", w.zone.Name)
		w.create(z)
		settled(w, z)
		if err := w.sim.DeleteZone(w.zone.ID); err != nil {
			t.Fatal(err)
		}
		refused(w, z, w.zone.ID, "not created again")
		if c := z.GetCondition(xpv2.TypeReady); c.Status != corev1.ConditionFalse || !strings.Contains(c.Message, "does not exist") {
			t.Errorf("Ready is %s %q, want that the zone does not exist", c.Status, c.Message)
		}
		if c := z.GetCondition(xpv2.TypeUpToDate); c.Status != corev1.ConditionUnknown {
			t.Errorf("UpToDate is %s, want Unknown", c.Status)
		}
	})
}
