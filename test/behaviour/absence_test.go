// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package behaviour

import (
	"errors"
	"fmt"
	"net/http"
	"testing"

	"github.com/crossplane/crossplane-runtime/v2/pkg/meta"

	dnsv1alpha1 "github.com/provider-cloudflare/provider-cloudflare/apis/dns/v1alpha1"
	"github.com/provider-cloudflare/provider-cloudflare/test/simulator"
)

// TestWrongAbsence has lists and GETs come from copies that lack a record. The object
// creates the record again, and Cloudflare refuses this, as the record exists. When the
// copies have caught up, the object manages its record again, and the deletion of the object
// deletes the record.
func TestWrongAbsence(t *testing.T) {
	inParallel(t, func(t *testing.T) {
		w := newWorld(t)
		r := w.made("www", "A", wanted, adoption(dnsv1alpha1.AdoptNameAndType)) // It requests the ID before it creates.
		was, made := w.live("A"), w.created()
		list := w.sim.AddFault(simulator.Fault{Kind: simulator.FaultStaleList, Zone: w.zone.ID, Times: -1, Delay: patience * 10})
		get := w.sim.AddFault(simulator.Fault{Kind: simulator.FaultStaleGet, Method: http.MethodGet, Zone: w.zone.ID, Times: -1})
		w.eventually(func() error {
			if refused := w.created() - made; refused < 2 || w.sim.Fired(get) == 0 || w.sim.Fired(list) == 0 {
				return fmt.Errorf("%d creations were refused, %d GETs and %d lists did not show what is there", refused, w.sim.Fired(get), w.sim.Fired(list))
			}
			return nil
		})
		w.sim.RemoveFault(list)
		w.sim.RemoveFault(get)
		tried := w.created()
		settled(w, r)
		if now := w.live("A"); now.ID != was.ID || meta.GetExternalName(r) != was.ID {
			t.Errorf("the record is %s and the external name %s, want %s", now.ID, meta.GetExternalName(r), was.ID)
		}
		if n := w.created() - tried; n > 8 {
			t.Errorf("%d creations of what exists were tried after the copies had caught up", n)
		}
		w.delete(r)
		w.gone(r)
		w.noRecords()
	})
}

// TestWhatAnotherControllerMade loses a creation before Cloudflare carries it out. Then
// external-dns creates the same record. The object neither adopts nor deletes that record.
func TestWhatAnotherControllerMade(t *testing.T) {
	inParallel(t, func(t *testing.T) {
		w := newWorld(t)
		lost := w.sim.AddFault(simulator.Fault{Kind: simulator.FaultResetBefore, Method: http.MethodPost, Zone: w.zone.ID, Times: -1})
		r := w.record("www", "A", wanted)
		w.create(r)
		w.eventually(func() error {
			if w.sim.Fired(lost) == 0 {
				return errors.New("nothing was to be created yet")
			}
			return nil
		})
		w.dashboard(map[string]any{"type": "TXT", "name": "a-www", "content": `"heritage=external-dns,external-dns/owner=x,external-dns/resource=service/a/b"`, "ttl": 1})
		theirs := w.dashboard(map[string]any{"type": "A", "name": "www", "content": wanted, "ttl": 1})
		w.sim.RemoveFault(lost)
		refused(w, r, theirs.ID+" is marked as owned by external-dns")
		w.delete(r)
		w.gone(r)
		if now := w.live("A"); now.ID != theirs.ID {
			t.Errorf("the record of external-dns is gone, and %s is there", now.ID)
		}
	})
}
