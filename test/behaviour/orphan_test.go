// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package behaviour

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/crossplane/crossplane-runtime/v2/pkg/meta"
	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"
	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	dnsv1alpha1 "github.com/provider-cloudflare/provider-cloudflare/apis/dns/v1alpha1"
	zonev1alpha1 "github.com/provider-cloudflare/provider-cloudflare/apis/zone/v1alpha1"
	"github.com/provider-cloudflare/provider-cloudflare/internal/external/journal"
	"github.com/provider-cloudflare/provider-cloudflare/test/simulator"
)

// vanish deletes an object at once, as the API server does if it decided about the
// deletion before the object got its finalizer.
func (w *world) vanish(ctx context.Context, name string) {
	o := &dnsv1alpha1.Record{}
	o.Namespace, o.Name = w.ns, name
	_ = w.kube.Patch(ctx, o, client.RawPatch("application/merge-patch+json", []byte(`{"metadata":{"finalizers":null}}`)))
	_ = w.kube.Delete(ctx, o)
}

// TestAnObjectThatVanishesAfterItsIDIsRecorded has an object vanish between the update
// that records the ID and that of the status.
func TestAnObjectThatVanishesAfterItsIDIsRecorded(t *testing.T) {
	for _, replaced := range []bool{false, true} {
		t.Run(fmt.Sprintf("Replaced%t", replaced), func(t *testing.T) {
			undisturbed(t, func(t *testing.T) {
				w := newWorld(t)
				var updates atomic.Int32
				next := w.record("other", "TXT", "x", named("r"))
				w.traffic.observe(func(r request) {
					if r.method != http.MethodPut || r.namespace != w.ns || r.resource != "records" || updates.Add(1) != 2 {
						return
					}
					ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
					defer cancel()
					w.vanish(ctx, r.name)
					if replaced {
						_ = w.kube.Create(ctx, next)
					}
				})
				t.Cleanup(func() { w.traffic.observe(nil) })
				w.create(w.record("www", "A", "192.0.2.1", named("r")))
				w.eventually(func() error {
					if updates.Load() < 2 {
						return errors.New("the ID is not recorded yet")
					}
					return w.noRecordOfType("A")
				})
			})
		})
	}
}

func (w *world) noRecordOfType(typ string) error {
	for _, l := range w.sim.Records(w.zone.ID) {
		if l.Type == typ {
			return fmt.Errorf("there is still %s %s", l.Type, l.Name)
		}
	}
	return nil
}

// TestTakingBackUsesTheNewCredential rotates the token while Cloudflare creates a
// record for an object that vanishes.
func TestTakingBackUsesTheNewCredential(t *testing.T) {
	undisturbed(t, func(t *testing.T) {
		w := newWorld(t)
		w.sim.AddFault(simulator.Fault{Kind: simulator.FaultSlow, Method: http.MethodPost, Zone: w.zone.ID, Delay: 2 * time.Second})
		r := w.record("www", "A", "192.0.2.1", adoption(dnsv1alpha1.AdoptNever))
		w.create(r)
		until(w, r, func(r *dnsv1alpha1.Record) error {
			if meta.GetExternalCreatePending(r).IsZero() {
				return errors.New("the creation has not begun")
			}
			return nil
		})
		w.vanish(t.Context(), r.Name)
		w.gone(r)
		next := w.another()
		w.rotate(next)
		w.eventually(func() error {
			if len(w.callsWith(next)) == 0 {
				return errors.New("the new token is not in use")
			}
			if w.writes() < 2 {
				return errors.New("nothing was made and taken back yet")
			}
			return w.noRecordOfType("A")
		})
	})
}

// TestAProcessThatDiesLeavesNoOrphan has an object vanish between any two requests of
// its creation, and the process die at that moment. The next process has to find the
// record.
func TestAProcessThatDiesLeavesNoOrphan(t *testing.T) {
	// These are the writes about the object: the finalizer with the planned creation,
	// the ID, and the status.
	for n := 1; n <= 3; n++ {
		for _, replaced := range []bool{false, true} {
			t.Run(fmt.Sprintf("After%dReplaced%t", n, replaced), func(t *testing.T) {
				undisturbed(t, func(t *testing.T) {
					w := newWorld(t)
					dead := w.dieAfterUpdates(n)
					r := w.record("www", "A", "192.0.2.1", adoption(dnsv1alpha1.AdoptNever), named("r"))
					w.create(r)
					if n < 3 {
						w.eventually(dead)
					} else {
						settled(w, r)
					}
					if len(w.sim.Records(w.zone.ID)) != 1 {
						t.Fatal("the record is not made: there is nothing to leave behind")
					}
					var next *dnsv1alpha1.Record
					w.restart(t, func() {
						w.interfere(nil)
						w.vanish(t.Context(), r.Name)
						if replaced {
							next = w.record("other", "TXT", "x", named("r"))
							w.create(next)
						}
					})
					w.eventually(func() error { return w.noRecordOfType("A") })
					if replaced {
						settled(w, next)
					}
				})
			})
		}
	}
}

// dieAfterUpdates passes n updates of the Record of the world and of its status. It
// cuts all later ones, as if the process had died.
func (w *world) dieAfterUpdates(n int) (dead func() error) {
	var passed, tried atomic.Int32
	w.interfere(func(r request) fate {
		switch {
		case r.method == http.MethodGet || !strings.HasPrefix(r.resource, "records"):
			return sent
		case int(passed.Add(1)) > n:
			tried.Add(1)
			return cut
		}
		return sent
	})
	return func() error {
		if tried.Load() == 0 {
			return errors.New("the provider does not try to go on")
		}
		return nil
	}
}

// TestDeletionsWhileObjectsGetTheirFinalizer deletes each object during the update that
// adds its finalizer. The API server sometimes misses that update.
func TestDeletionsWhileObjectsGetTheirFinalizer(t *testing.T) {
	t.Parallel()
	onReal(t)
	w := newWorld(t)
	const n = 300
	var (
		mu   sync.Mutex
		seen = map[string]bool{}
	)
	w.interfere(func(r request) fate {
		if r.method != http.MethodPut || r.resource != "records" {
			return sent
		}
		mu.Lock()
		defer mu.Unlock()
		if !seen[r.name] {
			seen[r.name] = true
			go func() {
				ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
				defer cancel()
				o := &dnsv1alpha1.Record{}
				o.Namespace, o.Name = w.ns, r.name
				_ = w.kube.Delete(ctx, o)
			}()
		}
		return sent
	})
	for i := range n {
		w.create(w.record(fmt.Sprintf("host-%d", i), "A", "192.0.2.1"))
	}
	w.eventually(func() error {
		l := &dnsv1alpha1.RecordList{}
		if err := w.kube.List(t.Context(), l, client.InNamespace(w.ns)); err != nil {
			return err
		}
		if left := len(w.sim.Records(w.zone.ID)); len(l.Items) > 0 || left > 0 {
			return fmt.Errorf("there are still %d objects and %d records", len(l.Items), left)
		}
		return nil
	})
	// The race must have happened: some objects were deleted in spite of their
	// finalizer.
	events := &corev1.EventList{}
	if err := w.kube.List(t.Context(), events, client.InNamespace(w.ns)); err != nil {
		t.Fatal(err)
	}
	back := 0
	for i := range events.Items {
		if events.Items[i].Reason == "TookBackExternalResource" {
			back++
		}
	}
	if back == 0 && fromEnv(t, "CHANCE", 0) == 1 { // It depends on chance, and make nightly has more time.
		t.Errorf("of %d objects none went in spite of its finalizer: nothing was tested", n)
	}
	t.Logf("of %d objects, the records of %d were taken back", n, back)
}

// TestAZoneWhoseObjectVanishes has a Zone vanish while Cloudflare creates its zone.
func TestAZoneWhoseObjectVanishes(t *testing.T) {
	for policy, may := range map[xpv2.DeletionPolicy]bool{xpv2.DeletionDelete: true, xpv2.DeletionOrphan: false, "": false} {
		t.Run("DeletionPolicy"+string(policy), func(t *testing.T) {
			undisturbed(t, func(t *testing.T) {
				w := newWorld(t)
				name := "new-" + w.ns + ".example"
				w.sim.AddFault(simulator.Fault{Kind: simulator.FaultSlow, Method: http.MethodPost, Path: "/zones", Token: w.token, Delay: 2 * time.Second})
				z := w.zoneObject("zone", name)
				z.Spec.DeletionPolicy = policy
				w.create(z)
				w.eventually(func() error {
					if _, there := w.simZone(name); !there {
						return errors.New("the zone is not made yet")
					}
					return nil
				})
				// The entry says whether the zone is taken back.
				if noted := w.journaled(z); len(noted) != 1 || strings.Contains(noted[0].Data["entries"], `"leave":true`) == may {
					t.Errorf("the journal has %v of the object", noted)
				}
				if !may {
					return
				}
				edit(w, z, func(z *zonev1alpha1.Zone) { z.SetFinalizers(nil) })
				w.delete(z)
				w.gone(z)
				w.eventually(func() error {
					if _, there := w.simZone(name); there {
						return errors.New("the zone is still there")
					}
					return nil
				})
			})
		})
	}
}

// TestTheJournalForgetsWhatIsOrphaned orphans a record soon after its creation. The
// next process must not take it for a record whose object vanished.
func TestTheJournalForgetsWhatIsOrphaned(t *testing.T) {
	undisturbed(t, func(t *testing.T) {
		w := newWorld(t)
		r := w.made("www", "A", "192.0.2.1")
		if n := len(w.journaled(r)); n != 1 {
			t.Fatalf("the journal has %d entries of the object, want 1", n)
		}
		edit(w, r, func(r *dnsv1alpha1.Record) { r.Spec.DeletionPolicy = "Orphan" })
		w.delete(r)
		w.gone(r)
		if n := len(w.journaled(r)); n != 0 {
			t.Errorf("the journal has %d entries of an object whose record was left on purpose", n)
		}
		w.restart(t, func() {})
		w.made("other", "TXT", "x") // The new process is at work.
		w.live("A")
	})
}

// journaled returns the ConfigMaps of the journal that name an object.
func (w *world) journaled(o client.Object) []corev1.ConfigMap {
	w.t.Helper()
	l := &corev1.ConfigMapList{}
	if err := w.kube.List(w.t.Context(), l, client.HasLabels{journal.Label}); err != nil {
		w.t.Fatal(err)
	}
	var out []corev1.ConfigMap
	for _, cm := range l.Items {
		for _, v := range cm.Data {
			if strings.Contains(v, string(o.GetUID())) {
				out = append(out, cm)
			}
		}
	}
	return out
}

// TestNothingIsCreatedThatTheJournalDoesNotKnow has every write of the journal fail.
func TestNothingIsCreatedThatTheJournalDoesNotKnow(t *testing.T) {
	undisturbed(t, func(t *testing.T) {
		w := newWorld(t)
		w.traffic.interfere("", func(r request) fate {
			if r.method == http.MethodPost && r.resource == "configmaps" {
				return failing
			}
			return sent
		})
		t.Cleanup(func() { w.traffic.interfere("", nil) })
		r := w.record("www", "A", "192.0.2.1")
		w.create(r)
		refused(w, r, "cannot note what is about to be created")
		w.noRecords()
		w.traffic.interfere("", nil)
		settled(w, r)
	})
}
