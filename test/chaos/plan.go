// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"time"
)

// An actor is a user. Its steps follow from the seed and its number only, and not from events.
type actor struct {
	stage     stage
	number    int
	rng       *rand.Rand
	things    []thing
	seq       int // for names
	values    int
	steps     int
	burst     []thing    // of a user who works on many objects at once
	visits    [][]thing  // of a user who makes namespaces, each with its objects
	domains   []domain   // of a user who has zones
	resources []resource // of a user who has resources of described kinds
	prepared  []prepared // made in the dashboard, to be adopted
}

// A prepared record is to be adopted by name and type. That adoption believes lists, so it has
// to wait until every list shows the record.
type prepared struct {
	thing thing
	value value // the record's value until then
	step  int   // the step in which it was made
}

const (
	// maxThings is the most objects of a user who does not work on bursts.
	maxThings = 24
	// ripe is the number of steps after which a prepared record is adopted.
	ripe = 12

	// The numbers of the first users. All others have Records, one by one.
	burstUser  = 0
	visitUser  = 1
	domainUser = 2 // and the next one
	kindUser   = 4 // and the next one
	kindUsers  = 2
	// leastUsers is the least number of users that has each kind of user.
	leastUsers = 7
)

func newActor(s stage, seed uint64, number int) *actor {
	return &actor{
		stage: s, number: number,
		rng: rand.New(rand.NewPCG(seed, uint64(number)+1)), //nolint:gosec // reproducible on purpose
	}
}

// stream returns a source of random choices that are not a user's.
func stream(seed uint64, name string) *rand.Rand {
	var n uint64 = 1 << 32
	for _, c := range name {
		n = n*31 + uint64(c) //nolint:gosec // it may wrap around
	}
	return rand.New(rand.NewPCG(seed, n)) //nolint:gosec // reproducible on purpose
}

// between returns a random duration from least to most.
func between(rng *rand.Rand, least, most time.Duration) time.Duration {
	return least + time.Duration(rng.Int64N(int64(most-least)+1))
}

// next returns the user's next step.
func (a *actor) next() step {
	var s step
	a.steps++
	switch a.number {
	case burstUser:
		s = a.nextBurst()
	case visitUser:
		s = a.nextVisit()
	case domainUser, domainUser + 1:
		s = a.nextDomain()
	case kindUser, kindUser + 1:
		s = a.nextResource()
	default:
		s = a.nextSingle()
	}
	s.Patch = a.rng.IntN(2) == 0
	s.After = between(a.rng, 0, 600*time.Millisecond)
	s.Pause = between(a.rng, 0, 700*time.Millisecond)
	if a.rng.IntN(2) == 0 {
		// about the time after which a new object gets its finalizer
		s.Pause = between(a.rng, 0, 60*time.Millisecond)
	}
	return s
}

// nextBurst creates many objects at once, edits them, or deletes them.
func (a *actor) nextBurst() step {
	switch {
	case len(a.burst) == 0 && a.rng.IntN(3) == 0:
		return step{Do: doLateBurst, Things: a.many(10 + a.rng.IntN(31))}
	case len(a.burst) == 0:
		a.burst = a.many(10 + a.rng.IntN(91))
		return step{Do: doBurst, Things: slices.Clone(a.burst)}
	case a.rng.IntN(3) > 0:
		var edited []thing
		for i := range a.burst {
			if a.rng.IntN(2) == 0 {
				a.change(&a.burst[i])
				edited = append(edited, a.burst[i])
			}
		}
		return step{Do: doEditBurst, Things: edited}
	default:
		gone := a.burst
		a.burst = nil
		return step{Do: doDeleteBurst, Things: gone}
	}
}

// many returns n objects in one namespace and zone.
func (a *actor) many(n int) []thing {
	at := a.namespaceAndZone()
	out := make([]thing, n)
	for i := range out {
		out[i] = a.thing()
		out[i].Namespace, out[i].Zone = at.Namespace, at.Zone
	}
	return out
}

// nextSingle returns a step about one object, or two.
func (a *actor) nextSingle() step {
	if len(a.things) == 0 || len(a.things) < maxThings && a.rng.IntN(100) < 40 {
		return a.begin()
	}
	i := a.rng.IntN(len(a.things))
	switch t := a.things[i]; {
	case t.Role == roleReady:
		return a.goOn(i)
	case len(a.things) < maxThings, t.Role == roleContend && a.rng.IntN(2) == 0:
		return a.begin()
	default:
		return a.end(i, doDelete)
	}
}

// goOn returns a step about the i-th object, which manages a record.
func (a *actor) goOn(i int) step {
	t := &a.things[i]
	switch n := a.rng.IntN(100); {
	case n < 35:
		a.change(t)
		return step{Do: doEdit, Things: []thing{*t}}
	case n < 43:
		t.Earlier = append(slices.Clone(t.Earlier), t.Name)
		t.Name = label(t.Value.Type, a.name())
		return step{Do: doRename, Things: []thing{*t}}
	case n < 55:
		return step{Do: doDashEdit, Things: []thing{*t}, Value: a.value(t.Value.Type)}
	case n < 63:
		return step{Do: doDashDelete, Things: []thing{*t}}
	case n < 75:
		// The content changes, so that the old record is not as declared.
		t.Value = a.value(t.Value.Type)
		return step{Do: doReplace, Things: []thing{*t}}
	case n < 82:
		before := *t
		t.Object, t.Predecessor = a.object(), before.Object
		return step{Do: doHandOver, Things: []thing{*t}, Before: &before}
	case n < 87:
		return a.end(i, doOrphan)
	default:
		return a.end(i, doDelete)
	}
}

// begin returns a step that creates an object.
func (a *actor) begin() step {
	t := a.thing()
	s := step{Do: doCreate}
	switch n := a.rng.IntN(100); {
	case n < 40:
	case n < 52:
		s.Do = doEarlyEdit
		a.change(&t)
		s.Value = a.value(t.Value.Type) // the value at its creation
	case n < 60:
		return step{Do: doLateDelete, Things: []thing{t}}
	case n < 68:
		s.Do, t.Adoption = doAdopt, "Identical"
	case n < 80:
		if s, ok := a.takeOver(); ok {
			return s
		}
		t.Adoption = "NameAndType"
		t.Name = label(t.Value.Type, a.name()) // a name of its own
		p := prepared{thing: t, value: a.value(t.Value.Type), step: a.steps}
		a.prepared = append(a.prepared, p)
		return step{Do: doPrepare, Things: []thing{t}, Value: p.value}
	case n < 85:
		s.Do = doRefuse
		t.Role, t.Adoption, t.TTL, t.Comment, t.Proxied = roleRefuse, "Never", 0, "", false
		f := a.foreign(t.Zone)
		t.Name, t.Value = f.Name, f.Value
	case n < 90:
		s.Do = doObserve
		t.Role, t.TTL, t.Comment, t.Proxied = roleObserve, 0, "", false
		f := a.foreign(t.Zone)
		t.Name, t.Value = f.Name, f.Value
	default:
		return a.contend(t)
	}
	a.things = append(a.things, t)
	s.Things = []thing{t}
	return s
}

// takeOver returns the step that adopts a prepared record, if one is ripe.
func (a *actor) takeOver() (step, bool) {
	if len(a.prepared) == 0 || a.steps-a.prepared[0].step < ripe {
		return step{}, false
	}
	p := a.prepared[0]
	a.prepared = a.prepared[1:]
	a.things = append(a.things, p.thing)
	return step{Do: doTakeOver, Things: []thing{p.thing}, Value: p.value}, true
}

// contend lets two objects claim one record. They are in two namespaces if both reach the zone.
func (a *actor) contend(t thing) step {
	t.Role, t.Adoption = roleContend, "Identical"
	other := t
	other.Object = a.object()
	for _, ns := range a.stage.Namespaces {
		if ns != t.Namespace && slices.Contains(a.stage.Zones[ns], t.Zone) && a.rng.IntN(3) > 0 {
			other.Namespace = ns
		}
	}
	a.things = append(a.things, t, other)
	return step{Do: doContend, Things: []thing{t, other}}
}

// end returns a step that removes the i-th object.
func (a *actor) end(i int, how deed) step {
	t := a.things[i]
	a.things = slices.Delete(a.things, i, i+1)
	return step{Do: how, Things: []thing{t}}
}

// thing returns an object that matches nothing at Cloudflare.
func (a *actor) thing() thing {
	t := a.namespaceAndZone()
	t.Object, t.Role = a.object(), roleReady
	t.Value = a.value(types()[min(a.rng.IntN(len(types())), a.rng.IntN(len(types())))])
	t.Name = label(t.Value.Type, a.name())
	t.ByName = a.rng.IntN(2) == 0
	t.Adoption = []string{"Identical", "Identical", "NameAndType", "Never"}[a.rng.IntN(4)]
	if a.rng.IntN(2) == 0 {
		t.TTL = a.ttl()
	}
	if a.rng.IntN(3) == 0 {
		t.Comment = fmt.Sprintf("of user %d", a.number)
	}
	// Some share the name of a foreign record, which must not be adopted.
	if t.Value.Type == "A" && t.Adoption != "NameAndType" && a.rng.IntN(4) == 0 {
		t.Name = a.sibling(t.Zone)
	}
	return t
}

func (a *actor) namespaceAndZone() thing {
	ns := a.stage.Namespaces[a.rng.IntN(len(a.stage.Namespaces))]
	zones := a.stage.Zones[ns]
	return thing{Namespace: ns, Zone: zones[a.rng.IntN(len(zones))]}
}

// change edits a mutable member, mostly the content.
func (a *actor) change(t *thing) {
	switch n := a.rng.IntN(10); {
	case n < 6:
		t.Value = a.value(t.Value.Type)
	case n < 8:
		t.TTL = a.ttl()
	case n < 9 && t.Value.Type == "A":
		t.Proxied = !t.Proxied
	default:
		t.Comment = fmt.Sprintf("of user %d, change %d", a.number, a.count())
	}
}

func (a *actor) count() int { a.seq++; return a.seq }

// perActor is the count of numbers that each user has.
const perActor = maxValues / 16

func (a *actor) value(typ string) value {
	a.values++
	return value{typ, a.number*perActor + a.values%perActor}
}

func (a *actor) object() string { return fmt.Sprintf("u%d-%d", a.number, a.count()) }
func (a *actor) name() string   { return fmt.Sprintf("n%d-%d", a.number, a.count()) }
func (a *actor) ttl() int64     { return 60 + 10*a.rng.Int64N(100) }

// foreign returns a foreign record whose name no other record has.
func (a *actor) foreign(zone string) foreign {
	f := a.stage.Foreign[zone]
	return f[a.rng.IntN(len(f)-siblings)]
}

// sibling returns the name of a foreign A record that other records may share.
func (a *actor) sibling(zone string) string {
	f := a.stage.Foreign[zone]
	return f[len(f)-1-a.rng.IntN(siblings)].Name
}
