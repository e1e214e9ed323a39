// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package behaviour

import (
	"errors"
	"net/http"
	"testing"
	"time"

	"github.com/crossplane/crossplane-runtime/v2/pkg/meta"
	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"
	"k8s.io/utils/ptr"

	dnsv1alpha1 "github.com/provider-cloudflare/provider-cloudflare/apis/dns/v1alpha1"
	"github.com/provider-cloudflare/provider-cloudflare/test/simulator"
)

// TestAnObjectThatVanishesWhileItsRecordIsMade has an object vanish in spite of its finalizer while
// Cloudflare creates its record. The API server can do that: it reads an object without a finalizer,
// and deletes it at once, although the object may have got one in between.
func TestAnObjectThatVanishesWhileItsRecordIsMade(t *testing.T) {
	t.Parallel()
	slow := simulator.Fault{Kind: simulator.FaultSlow, Method: http.MethodPost, Delay: time.Second}
	tests := map[string]struct {
		faults []simulator.Fault
		next   bool // another object of the same name comes
		keep   xpv2.DeletionPolicy
	}{
		"Known":    {[]simulator.Fault{slow}, false, ""},
		"Replaced": {[]simulator.Fault{slow}, true, ""},
		// The deletion of the object would have left the record, too.
		"Orphan": {[]simulator.Fault{slow}, false, xpv2.DeletionOrphan},
		// The answer is lost, too, and so is the list that would have shown the record.
		"Unknown": {[]simulator.Fault{
			{Kind: simulator.FaultSlowBefore, Method: http.MethodPost, Delay: time.Second},
			{Kind: simulator.FaultResetAfter, Method: http.MethodPost},
			{Kind: simulator.FaultHTML502, Method: http.MethodGet, Path: "/zones/{zone_id}/dns_records", Skip: 1, Times: 2},
		}, false, ""},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			inParallel(t, func(t *testing.T) {
				w := newWorld(t)
				for _, f := range tc.faults {
					f.Zone = w.zone.ID
					w.sim.AddFault(f)
				}
				r := w.record("www", "A", "192.0.2.1", adoption(dnsv1alpha1.AdoptNever))
				if tc.keep != "" {
					r.Spec.DeletionPolicy = tc.keep
				}
				w.create(r)
				until(w, r, func(r *dnsv1alpha1.Record) error {
					if meta.GetExternalCreatePending(r).IsZero() {
						return errors.New("the creation has not begun")
					}
					return nil
				})
				edit(w, r, func(r *dnsv1alpha1.Record) { r.SetFinalizers(nil) })
				w.delete(r)
				w.gone(r)
				if tc.keep == xpv2.DeletionOrphan {
					w.eventually(func() error {
						if len(w.sim.Records(w.zone.ID)) == 0 {
							return errors.New("the record is not made yet")
						}
						return nil
					})
					// No object uses the zone any more. The test waits for another object that comes
					// after the answer: the record is taken back before that.
					w.made("other", "TXT", "x")
					w.live("A")
					return
				}
				if !tc.next {
					w.eventually(func() error {
						if w.writes() < 2 {
							return errors.New("nothing was taken back")
						}
						return nil
					})
					w.noRecords()
					return
				}
				next := w.record("www", "A", "192.0.2.2", adoption(dnsv1alpha1.AdoptNever), parameters(func(p *dnsv1alpha1.RecordParameters) { p.Name = ptr.To("other") }))
				next.Name = r.Name
				w.create(next)
				settled(w, next)
				w.eventually(func() error {
					if n := len(w.sim.Records(w.zone.ID)); n != 1 {
						return errors.New("there is another record")
					}
					return nil
				})
				if live := w.live("A"); live.Content != "192.0.2.2" || live.ID != meta.GetExternalName(next) {
					t.Errorf("the live record is %+v, the external name %s", live, meta.GetExternalName(next))
				}
			})
		})
	}
}
