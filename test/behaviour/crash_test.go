// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package behaviour

import (
	"errors"
	"fmt"
	"net/http"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"github.com/crossplane/crossplane-runtime/v2/pkg/meta"
	"github.com/crossplane/crossplane-runtime/v2/pkg/reconciler/managed"
	"k8s.io/utils/ptr"

	dnsv1alpha1 "github.com/provider-cloudflare/provider-cloudflare/apis/dns/v1alpha1"
	"github.com/provider-cloudflare/provider-cloudflare/test/simulator"
)

// dieAfter passes n writes about Records of the world and cuts all later ones, as
// if the process had died. If answered is false, the answer to the last write is
// lost. The function that it returns reports when the provider has tried more.
func (w *world) dieAfter(n int, answered bool) (dead func() error) {
	var passed, tried atomic.Int32
	w.interfere(func(r request) fate {
		switch {
		case !ofRecords(r) || r.method == http.MethodGet:
			return sent
		case int(passed.Load()) >= n:
			tried.Add(1)
			return cut
		case int(passed.Add(1)) == n && !answered:
			tried.Add(1)
			return unanswered
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

// TestCrashDuringACreation ends the provider between any two requests of a
// creation, and starts another one.
func TestCrashDuringACreation(t *testing.T) {
	for n := range 3 {
		for _, answered := range []bool{true, false} {
			for _, edited := range []bool{false, true} {
				if n == 0 && !answered {
					continue // There is no request whose answer could be lost.
				}
				t.Run(fmt.Sprintf("After%dAnswered%tEdited%t", n, answered, edited), func(t *testing.T) {
					undisturbed(t, func(t *testing.T) {
						w := newWorld(t)
						crash(t, w, n, answered, edited)
					})
				})
			}
		}
	}
	// The process dies between the update that precedes the call and the call
	// itself.
	t.Run("BeforeTheCall", func(t *testing.T) {
		undisturbed(t, func(t *testing.T) {
			w := newWorld(t)
			w.sim.AddFault(simulator.Fault{Kind: simulator.FaultResetBefore, Method: http.MethodPost, Zone: w.zone.ID})
			crash(t, w, 1, true, false)
		})
	})
	// The call is carried out, and its answer is lost.
	t.Run("DuringTheCall", func(t *testing.T) {
		undisturbed(t, func(t *testing.T) {
			w := newWorld(t)
			w.sim.AddFault(simulator.Fault{Kind: simulator.FaultResetAfter, Method: http.MethodPost, Zone: w.zone.ID})
			crash(t, w, 1, true, false)
		})
	})
}

// crash lets a creation make n requests. It expects the next process to complete
// the creation with one record. The object does not adopt, so the record must be
// its own.
func crash(t *testing.T, w *world, n int, answered, edited bool) {
	t.Helper()
	dead := w.dieAfter(n, answered)
	r := w.record("www", "A", "192.0.2.1", adoption(dnsv1alpha1.AdoptNever))
	w.create(r)
	w.eventually(dead)
	w.restart(t, func() {
		w.interfere(nil)
		if len(w.sim.Records(w.zone.ID)) > 0 {
			if err := w.get(r); err != nil || !meta.FinalizerExists(r, managed.FinalizerName) {
				t.Errorf("there is a record, and the object has no finalizer (%v)", err)
			}
		}
		if edited {
			edit(w, r, func(r *dnsv1alpha1.Record) { r.Spec.ForProvider.Content = ptr.To("192.0.2.2") })
		}
	})
	settled(w, r)
	live := w.live("A")
	if live.ID != meta.GetExternalName(r) || live.ID != r.Status.AtProvider.ID {
		t.Errorf("the live record is %s, the external name %s, atProvider.id %s", live.ID, meta.GetExternalName(r), r.Status.AtProvider.ID)
	}
	if want := map[bool]string{false: "192.0.2.1", true: "192.0.2.2"}[edited]; live.Content != want {
		t.Errorf("the content is %s, want %s", live.Content, want)
	}
	w.delete(r)
	w.gone(r)
	w.noRecords()
}

// TestEditSeenAsOneWithTheCreation hides the updates of the provider from its
// cache until a user has edited the object. The provider then sees one change that
// contains its own updates and the edit.
func TestEditSeenAsOneWithTheCreation(t *testing.T) {
	changes := map[string]func(*dnsv1alpha1.Record){
		"Content": func(r *dnsv1alpha1.Record) { r.Spec.ForProvider.Content = ptr.To("192.0.2.2") },
		"TTL":     func(r *dnsv1alpha1.Record) { r.Spec.ForProvider.TTL = ptr.To[int64](300) },
	}
	for name, change := range changes {
		t.Run(name, func(t *testing.T) {
			undisturbed(t, func(t *testing.T) {
				w := newWorld(t)
				w.sim.AddFault(simulator.Fault{Kind: simulator.FaultSlow, Method: http.MethodPost, Zone: w.zone.ID, Delay: time.Second})
				r := w.record("www", "A", "192.0.2.1")
				w.create(r)
				until(w, r, func(r *dnsv1alpha1.Record) error {
					if meta.GetExternalCreatePending(r).IsZero() {
						return errors.New("the creation has not begun")
					}
					return nil
				})
				see := w.traffic.blind()
				defer see()
				settled(w, r)
				edit(w, r, change)
				if got := w.live("A"); got.Content != "192.0.2.1" || got.TTL != 1 {
					t.Fatalf("the provider saw the edit: %+v", got)
				}
				want := r.Spec.ForProvider
				see()
				settled(w, r)
				if live := w.live("A"); live.Content != *want.Content || live.TTL != int(*want.TTL) {
					t.Errorf("the live record is %+v, want what the edit says", live)
				}
			})
		})
	}
}

// TestEditDuringACreation edits an object while Cloudflare creates its record.
func TestEditDuringACreation(t *testing.T) {
	t.Parallel()
	changes := map[string]func(*dnsv1alpha1.Record){
		"Content": func(r *dnsv1alpha1.Record) { r.Spec.ForProvider.Content = ptr.To("192.0.2.2") },
		// This field is also set by the provider when it records the creation.
		"TTL": func(r *dnsv1alpha1.Record) { r.Spec.ForProvider.TTL = ptr.To[int64](300) },
	}
	for name, change := range changes {
		t.Run(name, func(t *testing.T) {
			inParallel(t, func(t *testing.T) {
				w := newWorld(t)
				w.sim.AddFault(simulator.Fault{Kind: simulator.FaultSlow, Method: http.MethodPost, Zone: w.zone.ID, Delay: time.Second})
				r := w.record("www", "A", "192.0.2.1")
				w.create(r)
				w.eventually(func() error {
					if n := len(w.sim.Records(w.zone.ID)); n != 1 {
						return fmt.Errorf("there are %d records", n)
					}
					return nil
				})
				edit(w, r, change)
				want := r.Spec.ForProvider
				settled(w, r)
				live := w.live("A")
				if live.Content != *want.Content || want.TTL != nil && live.TTL != int(*want.TTL) {
					t.Errorf("the live record is %+v, want what the edit says", live)
				}
			})
		})
	}
}

// TestEditOfWhatWasJustCreated edits objects as soon as their records exist:
// before, during, or after the updates that record the creation.
func TestEditOfWhatWasJustCreated(t *testing.T) {
	inParallel(t, func(t *testing.T) {
		w := newWorld(t)
		for i := range 20 {
			r := w.record(fmt.Sprintf("host-%d", i), "A", "192.0.2.1")
			w.create(r)
			w.eventually(func() error {
				if n := len(w.sim.Records(w.zone.ID)); n != i+1 {
					return fmt.Errorf("there are %d records", n)
				}
				return nil
			})
			edit(w, r, func(r *dnsv1alpha1.Record) { r.Spec.ForProvider.TTL = ptr.To[int64](300) })
			settled(w, r)
			if live, ok := w.sim.Record(w.zone.ID, meta.GetExternalName(r)); !ok || live.TTL != 300 {
				t.Errorf("the live record is %+v, want ttl 300", live)
			}
		}
	})
}

// TestUnansweredCreationThatListsDoNotShowYet has Cloudflare create a record
// without an answer, while lists do not show the record yet. Meanwhile the object
// is edited, is deleted, or stays unchanged.
func TestUnansweredCreationThatListsDoNotShowYet(t *testing.T) {
	t.Parallel()
	changes := map[string]struct {
		policy dnsv1alpha1.AdoptionPolicy
		change func(*world, *dnsv1alpha1.Record)
		want   []string
	}{
		"Edited": { // To create the new record would leave the old one.
			change: func(w *world, r *dnsv1alpha1.Record) {
				edit(w, r, func(r *dnsv1alpha1.Record) { r.Spec.ForProvider.Content = ptr.To("192.0.2.2") })
			},
			want: []string{"192.0.2.2"},
		},
		"Deleted": { // To release the object would leave the record.
			change: func(w *world, r *dnsv1alpha1.Record) { w.delete(r) },
		},
		"Unchanged": { // The repeated creation is refused, which must not count against the object.
			policy: dnsv1alpha1.AdoptNever,
			change: func(*world, *dnsv1alpha1.Record) {},
			want:   []string{"192.0.2.1"},
		},
	}
	for name, c := range changes {
		t.Run(name, func(t *testing.T) {
			inParallel(t, func(t *testing.T) {
				w := newWorld(t)
				w.sim.AddFault(simulator.Fault{Kind: simulator.Fault500AfterCommit, Method: http.MethodPost, Zone: w.zone.ID})
				w.sim.AddFault(simulator.Fault{Kind: simulator.FaultStaleList, Zone: w.zone.ID, Times: -1, Delay: settle / 2})
				r := w.record("www", "A", "192.0.2.1", adoption(c.policy))
				w.create(r)
				until(w, r, func(r *dnsv1alpha1.Record) error {
					if meta.GetExternalCreateFailed(r).IsZero() || len(w.sim.Records(w.zone.ID)) != 1 {
						return errors.New("the creation has not failed yet")
					}
					return nil
				})
				c.change(w, r)
				if len(c.want) == 0 {
					w.gone(r)
				} else {
					settled(w, r)
				}
				var got []string
				for _, l := range w.sim.Records(w.zone.ID) {
					got = append(got, l.Content)
				}
				slices.Sort(got)
				if !slices.Equal(got, c.want) {
					t.Errorf("at Cloudflare there are %q, want %q", got, c.want)
				}
			})
		})
	}
}
