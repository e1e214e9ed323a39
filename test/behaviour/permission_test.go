// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package behaviour

import (
	"errors"
	"fmt"
	"testing"

	"github.com/crossplane/crossplane-runtime/v2/pkg/resource"
	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"
	"k8s.io/utils/ptr"

	dnsv1alpha1 "github.com/provider-cloudflare/provider-cloudflare/apis/dns/v1alpha1"
	zonev1alpha1 "github.com/provider-cloudflare/provider-cloudflare/apis/zone/v1alpha1"
	"github.com/provider-cloudflare/provider-cloudflare/test/simulator"
)

// A need is the set of permissions that a token needs for a task.
// docs/reference/permissions.md has them as a table.
type need struct {
	reason string
	enough []simulator.Permission
	// less are sets with one permission removed or weakened, each with the message of the
	// condition.
	less []lack
	// before creates an object with every permission. It is nil if there is none.
	before func(w *world) resource.Managed
	// act does the task, and returns the object of the task.
	act func(w *world, made resource.Managed) resource.Managed
	// done checks that the task is done.
	done func(w *world, mg resource.Managed)
}

type lack struct {
	permissions []simulator.Permission
	says        string
}

func needs() map[string]need {
	may := func(p ...simulator.Permission) []simulator.Permission { return p }
	settle := func(w *world, mg resource.Managed) { settled(w, mg) }
	made := func(r func(w *world) resource.Managed) func(*world, resource.Managed) resource.Managed {
		return func(w *world, _ resource.Managed) resource.Managed {
			mg := r(w)
			w.create(mg)
			return mg
		}
	}
	record := func(w *world) resource.Managed { return w.made("www."+w.zone.Name, "A", "192.0.2.1") }
	zone := func(w *world) resource.Managed {
		z := w.zoneObject("zone", w.zone.Name)
		z.Spec.DeletionPolicy = xpv2.DeletionDelete
		w.create(z)
		settled(w, z)
		return z
	}
	const (
		dnsRead  = "this needs DNS: Read (DNS: Edit to change records) on the zone"
		dnsEdit  = "this needs DNS: Edit on the zone"
		zoneRead = "this needs Zone: Read on the zone"
		zoneEdit = "this needs Zone: Edit on the zone"
	)
	return map[string]need{
		"RecordByID": {
			reason: "zoneId and a full name", enough: may(simulator.DNSWrite), done: settle,
			less: []lack{{may(simulator.DNSRead), dnsEdit}, {may(), dnsRead}, {may(simulator.ZoneWrite), dnsRead}},
			act:  made(func(w *world) resource.Managed { return w.record("www."+w.zone.Name, "A", "192.0.2.1") }),
		},
		"RecordByRelativeName": {
			reason: "a name relative to the zone", enough: may(simulator.DNSWrite, simulator.ZoneRead), done: settle,
			less: []lack{{may(simulator.DNSWrite), zoneRead}, {may(simulator.DNSRead, simulator.ZoneRead), dnsEdit}, {may(simulator.ZoneRead), dnsRead}},
			act:  made(func(w *world) resource.Managed { return w.record("www", "A", "192.0.2.1") }),
		},
		"RecordByZoneName": {
			reason: "the zone's name", enough: may(simulator.DNSWrite, simulator.ZoneRead), done: settle,
			less: []lack{{may(simulator.DNSWrite), zoneRead}, {may(simulator.DNSRead, simulator.ZoneRead), dnsEdit}},
			act: made(func(w *world) resource.Managed {
				return w.record("www."+w.zone.Name, "A", "192.0.2.1", parameters(func(p *dnsv1alpha1.RecordParameters) { p.ZoneID, p.ZoneName = nil, ptr.To(w.zone.Name) }))
			}),
		},
		"RecordThatIsObserved": {
			reason: "nothing is changed", enough: may(simulator.DNSRead), done: settle, before: record,
			less: []lack{{may(), dnsRead}, {may(simulator.ZoneRead), dnsRead}},
			act: made(func(w *world) resource.Managed {
				return w.record("www."+w.zone.Name, "A", "192.0.2.1", policies(xpv2.ManagementActionObserve))
			}),
		},
		"RecordThatIsChanged": {
			reason: "a change", enough: may(simulator.DNSWrite), done: settle, before: record,
			less: []lack{{may(simulator.DNSRead), dnsEdit}},
			act: func(w *world, mg resource.Managed) resource.Managed {
				edit(w, mg.(*dnsv1alpha1.Record), func(r *dnsv1alpha1.Record) { r.Spec.ForProvider.Content = ptr.To("192.0.2.2") })
				return mg
			},
		},
		"RecordThatIsDeleted": {
			reason: "a deletion", enough: may(simulator.DNSWrite), before: record,
			less: []lack{{may(simulator.DNSRead), dnsEdit}},
			act: func(w *world, mg resource.Managed) resource.Managed {
				w.delete(mg)
				return mg
			},
			done: func(w *world, mg resource.Managed) {
				w.gone(mg)
				w.noRecords()
			},
		},
		"ZoneThatIsAdopted": {
			reason: "a zone that is there", enough: may(simulator.ZoneRead), done: settle,
			less: []lack{{may(simulator.DNSWrite), zoneRead}},
			act:  made(func(w *world) resource.Managed { return w.zoneObject("zone", w.zone.Name) }),
		},
		"ZoneThatIsCreated": {
			reason: "a new zone", enough: may(simulator.ZoneWrite),
			less: []lack{{may(simulator.ZoneRead), "this needs Zone: Edit on all zones of the account"}},
			act:  made(func(w *world) resource.Managed { return w.zoneObject("zone", "new-"+w.ns+".example") }),
			done: func(w *world, _ resource.Managed) {
				w.eventually(func() error {
					if _, ok := w.simZone("new-" + w.ns + ".example"); !ok {
						return errors.New("there is no such zone")
					}
					return nil
				})
			},
		},
		"ZoneThatIsChanged": {
			reason: "a property", enough: may(simulator.ZoneWrite), done: settle, before: zone,
			less: []lack{{may(simulator.ZoneRead), zoneEdit}},
			act: func(w *world, mg resource.Managed) resource.Managed {
				edit(w, mg.(*zonev1alpha1.Zone), func(z *zonev1alpha1.Zone) { z.Spec.ForProvider.Paused = ptr.To(true) })
				return mg
			},
		},
		"ZoneThatIsDeleted": {
			reason: "a deletion", enough: may(simulator.ZoneWrite), before: zone,
			less: []lack{{may(simulator.ZoneRead), zoneEdit}},
			act: func(w *world, mg resource.Managed) resource.Managed {
				w.delete(mg)
				return mg
			},
			done: func(w *world, mg resource.Managed) {
				w.gone(mg)
				if _, ok := w.simZone(w.zone.Name); ok {
					w.t.Error("the zone is still there")
				}
			},
		},
	}
}

// TestLeastPrivilege runs each task with exactly the permissions that it needs, and with
// fewer.
func TestLeastPrivilege(t *testing.T) {
	t.Parallel()
	for name, n := range needs() {
		t.Run(name, func(t *testing.T) {
			inParallel(t, func(t *testing.T) {
				w := newWorld(t)
				mg := n.start(w, n.enough)
				n.done(w, mg)
			})
		})
		for _, l := range n.less {
			t.Run(fmt.Sprintf("%sWith%v", name, l.permissions), func(t *testing.T) {
				inParallel(t, func(t *testing.T) {
					w := newWorld(t)
					refused(w, n.start(w, l.permissions), "lacks a permission", l.says)
				})
			})
		}
	}
}

// start replaces the token of the world by one with those permissions, and acts.
func (n need) start(w *world, permissions []simulator.Permission) resource.Managed {
	w.t.Helper()
	var before resource.Managed
	if n.before != nil {
		before = n.before(w)
	}
	o := simulator.TokenOptions{}
	for _, p := range permissions {
		o.Grants = append(o.Grants, simulator.Grant{Account: w.account.ID, Permission: p})
	}
	token := w.sim.AddToken(o)
	w.rotate(token)
	w.eventually(func() error {
		if len(w.callsWith(token)) == 0 {
			return errors.New("the token is not in use yet")
		}
		return nil
	})
	return n.act(w, before)
}
