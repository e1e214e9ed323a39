// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/crossplane/crossplane-runtime/v2/pkg/meta"
	"k8s.io/utils/ptr"

	zonev1alpha1 "github.com/provider-cloudflare/provider-cloudflare/apis/zone/v1alpha1"
	"github.com/provider-cloudflare/provider-cloudflare/test/simulator"
)

// pendingZoneAnnotation holds the name of a zone whose creation has an unknown outcome.
const pendingZoneAnnotation = "zone.cloudflare.m.crossplane.io/pending-zone"

// The annotations in which a Zone records the deletion of its zone.
const (
	deletingZoneAnnotation = "zone.cloudflare.m.crossplane.io/deleting-zone"
	deletedZoneAnnotation  = "zone.cloudflare.m.crossplane.io/deleted-zone"
)

// zones judges Zones and live zones: each Zone has the zone that it declares, each zone has a
// Zone or was to stay, and the unmanaged zones still exist.
func (j *judgement) zones() {
	live := map[string]simulator.Zone{}
	for _, z := range j.LiveZones {
		live[z.ID] = z
	}
	holders := map[string]*zonev1alpha1.Zone{}
	for i := range j.ZoneObjects {
		j.zoneObject(&j.ZoneObjects[i], live, holders)
	}
	for _, name := range zoneNames() {
		if id := j.Zones[name]; id != "" && live[id].Name != name {
			j.add(violation{Kind: vForeign, Record: id, Detail: "the zone " + name + " is gone, or has another name", names: []string{firstLabel(name)}})
		}
	}
	j.liveZones(holders)
}

// zoneObject judges a Zone.
func (j *judgement) zoneObject(z *zonev1alpha1.Zone, live map[string]simulator.Zone, holders map[string]*zonev1alpha1.Zone) {
	id := meta.GetExternalName(z)
	if z.DeletionTimestamp != nil {
		j.add(about(z, vStuck, "it is being deleted since %s", z.DeletionTimestamp))
		return
	}
	if other := holders[id]; id != "" && other != nil {
		j.add(about(z, vDuplicate, "it manages the zone of %s", nameOf(other)))
	}
	holders[id] = z
	if v := settled(z); len(v) > 0 {
		j.add(v...)
		return
	}
	if id == "" || id != z.Status.AtProvider.ID {
		j.add(about(z, vWrong, "the external name is %q, atProvider.id %q", id, z.Status.AtProvider.ID))
	}
	if v := z.Annotations[pendingZoneAnnotation]; v != "" {
		j.add(about(z, vOpen, "a creation counts as open: %s", v))
	}
	l, ok := live[id]
	switch p := z.Spec.ForProvider; {
	case !ok:
		j.add(about(z, vLost, "there is no zone %s", id))
	case l.Name != ptr.Deref(p.Name, ""), p.Paused != nil && *p.Paused != l.Paused:
		j.add(about(z, vWrong, "the live zone is %+v", l))
	}
}

// liveZones judges the live zones: each has a Zone or was to stay.
func (j *judgement) liveZones(holders map[string]*zonev1alpha1.Zone) {
	seen := map[string]string{}
	for _, l := range j.LiveZones {
		if other := seen[l.Name]; other != "" {
			j.add(violation{Kind: vDuplicate, Record: l.ID, Detail: fmt.Sprintf("zone %s has the name of zone %s", l.Name, other), names: []string{firstLabel(l.Name)}})
		}
		seen[l.Name] = l.ID
		allowed := slices.ContainsFunc(j.Grants, func(g grant) bool {
			return len(g.Names) == 0 && g.Zone == l.Name && (g.ID == "" || g.ID == l.ID)
		})
		if j.Zones[l.Name] == l.ID || holders[l.ID] != nil || allowed {
			continue
		}
		j.add(violation{Kind: vOrphan, Record: l.ID, Detail: fmt.Sprintf("nobody claims the zone: %+v", l), names: []string{firstLabel(l.Name)}})
	}
	for _, g := range j.Grants {
		if len(g.Names) == 0 && g.ID != "" && seen[g.Zone] != g.ID {
			j.add(violation{Kind: vLost, Object: g.Object, Record: g.ID, Detail: "the zone was to stay when its object went", names: []string{firstLabel(g.Zone)}})
		}
	}
}

// namespaces judges the namespaces that come and go.
func (j *judgement) namespaces() {
	for i := range j.Namespaces {
		n := &j.Namespaces[i]
		if n.DeletionTimestamp == nil || !strings.HasPrefix(n.Name, visitPrefix) {
			continue
		}
		why := ""
		for _, c := range n.Status.Conditions {
			why += fmt.Sprintf(" %s=%s (%s)", c.Type, c.Status, c.Message)
		}
		j.add(violation{Kind: vStuck, Object: n.Name, Detail: fmt.Sprintf("the namespace is being deleted since %s:%s", n.DeletionTimestamp, why)})
	}
}
