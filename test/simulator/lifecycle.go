// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package simulator

import (
	"fmt"
	"maps"
	"strings"
	"time"
)

// A ZoneStatus is the phase of a zone's life.
type ZoneStatus string

// Statuses of zones.
const (
	ZoneInitializing ZoneStatus = "initializing"
	ZonePending      ZoneStatus = "pending"
	ZoneActive       ZoneStatus = "active"
	ZoneMoved        ZoneStatus = "moved"
)

const (
	// freePendingLife is how long a Free zone may be pending.
	freePendingLife = 28 * 24 * time.Hour
	// zoneCooldown is the time after the last of maxReadditions deletions in which no zone
	// of the name can be added.
	zoneCooldown   = 3 * time.Hour
	maxReadditions = 3
	// selfCheck is how often zones are checked without a request.
	selfCheck = time.Hour
	// dnssecDelay is the default time until DNSSEC is active, and until it is disabled.
	dnssecDelay = 5 * time.Minute
)

// settle executes everything that is due.
func (s *Server) settle(now time.Time) {
	for _, z := range s.zones {
		if z.status == ZoneInitializing && !now.Before(z.pendingFrom) {
			z.status = ZonePending
		}
		if now.Sub(z.checkedOn) >= selfCheck {
			s.check(z, now)
		}
		if z.status == ZonePending && z.plan == PlanFree && now.Sub(z.pendingFrom) >= freePendingLife {
			s.dropZone(z, now)
		}
		if z.dnssec.settle(z.status, now, s.options.DNSSECDelay) {
			z.keepDNSSEC(now)
		}
	}
	s.settleOperations(now)
}

// check updates the status of a zone from its delegation at the registrar.
func (s *Server) check(z *zone, now time.Time) {
	z.checkedOn = now
	switch {
	case z.kind == "internal" || z.status == ZoneInitializing:
	case z.delegated && z.status != ZoneActive:
		z.activate(now)
	case !z.delegated && z.status == ZoneActive:
		z.status, z.modifiedOn = ZoneMoved, now
	}
}

func (z *zone) activate(now time.Time) {
	z.status, z.delegated, z.activatedOn, z.modifiedOn = ZoneActive, true, now, now
}

// checkActivation runs a check now. The plan limits how often that is possible.
func checkActivation(c *call) (reply, *Error) {
	every := c.zone.plan.limits().activationEvery
	if last := c.zone.askedOn; !last.IsZero() && c.now.Sub(last) < every {
		return reply{}, invalid(CodeActivationTooSoon, "An activation check can be requested once every %d minutes.", int(every.Minutes()))
	}
	c.zone.askedOn = c.now
	c.s.check(c.zone, c.now)
	return reply{result: map[string]any{"id": c.zone.id}}, nil
}

func (s *Server) dropZone(z *zone, now time.Time) {
	delete(s.zones, z.id)
	maps.DeleteFunc(s.shelves, func(path string, _ *shelf) bool { return strings.HasPrefix(path, "/zones/"+z.id+"/") })
	s.deleted[z.name] = append(s.deleted[z.name], now)
}

// newZone returns a new zone, and does not add it to the others. Every zone has its own
// name servers, also if a zone of the same name existed before.
func (s *Server) newZone(account, name string, plan Plan) *zone {
	now := s.now()
	z := &zone{
		id: s.newID(), name: name, accountID: account, kind: "full", plan: plan,
		createdOn: now, modifiedOn: now, pendingFrom: now, checkedOn: now,
		original: []string{"ns1.registrar.example", "ns2.registrar.example"},
		records:  map[string]*record{}, byName: map[string][]*record{}, settings: map[string][]setting{}, earlier: map[string]any{},
		verifyKey: fmt.Sprintf("%d-%d", 100000000+s.rng.IntN(900000000), 100000000+s.rng.IntN(900000000)),
	}
	s.nameServerSeq++
	first, second := firstNames(), secondNames()
	n := s.nameServerSeq
	z.nameServers = []string{
		first[n%len(first)] + ".ns.cloudflare.com",
		second[(n/len(first)+n)%len(second)] + ".ns.cloudflare.com",
	}
	return z
}

func firstNames() []string {
	return []string{"ada", "bella", "chloe", "dana", "elsa", "fay", "gina", "hera", "ines", "jade", "kara"}
}

func secondNames() []string {
	return []string{"alan", "bob", "cody", "dan", "elmo", "finn", "glen", "hugh", "ivan", "jay", "kurt", "leo", "max"}
}
