// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"time"
)

// A role is what is to become of an object in the end.
type role string

const (
	roleReady   role = "ready"   // manages a record
	roleContend role = "contend" // claims what another object claims: one of them manages it, the others are refused
	roleRefuse  role = "refuse"  // may not adopt the foreign record that exists
	roleObserve role = "observe" // shows a foreign record
)

// A thing is an object as its user wants it.
type thing struct {
	Namespace string `json:"namespace"`
	Object    string `json:"object"`
	Zone      string `json:"zone"`
	Name      string `json:"name"` // of the record, relative to the zone
	Value     value  `json:"value"`
	Role      role   `json:"role"`
	ByName    bool   `json:"byName,omitempty"` // zoneName instead of zoneId
	Adoption  string `json:"adoption"`
	TTL       int64  `json:"ttl,omitempty"` // 0 is left out
	Comment   string `json:"comment,omitempty"`
	Proxied   bool   `json:"proxied,omitempty"`
	// Earlier are the names its record had before.
	Earlier []string `json:"earlier,omitempty"`
}

// A deed is what a user does.
type deed string

const (
	doCreate      deed = "create"
	doBurst       deed = "create-burst"
	doEdit        deed = "edit"
	doEditBurst   deed = "edit-burst"
	doRename      deed = "rename"
	doEarlyEdit   deed = "create-and-edit-at-once"
	doDelete      deed = "delete"
	doDeleteBurst deed = "delete-burst"
	doLateDelete  deed = "create-and-delete-at-once"
	doReplace     deed = "delete-and-create-again"
	doHandOver    deed = "delete-and-hand-over"
	doOrphan      deed = "orphan"
	doAdopt       deed = "adopt-identical"
	doTakeOver    deed = "adopt-name-and-type"
	doRefuse      deed = "never-adopt-foreign"
	doObserve     deed = "observe-foreign"
	doContend     deed = "contend"
	doDashEdit    deed = "dashboard-edit"
	doDashDelete  deed = "dashboard-delete"
)

// A step is one deed of one user. It has all that is needed to do it.
type step struct {
	After  time.Duration `json:"after"` // the user's pause before it
	Do     deed          `json:"do"`
	Things []thing       `json:"things"`          // as they are to be
	Before *thing        `json:"before,omitzero"` // as the one was that is handed over
	Value  value         `json:"value,omitzero"`  // what the dashboard writes, or has written before
	Patch  bool          `json:"patch,omitempty"` // edit with a patch rather than with get and update
	Pause  time.Duration `json:"pause,omitempty"` // between the halves of a deed
}

// A stage is where the users are: what there is before they begin.
type stage struct {
	Namespaces []string
	Zones      map[string][]string  // those that a namespace's credential reaches
	Foreign    map[string][]foreign // the records that nobody manages, by zone
}

// A foreign record belongs to nobody here.
type foreign struct {
	Name  string
	Value value
}

// An actor is a user. What it does follows from the seed and its own number, and
// from nothing that happens.
type actor struct {
	stage  stage
	number int
	rng    *rand.Rand
	things []thing
	seq    int // of names
	values int
	bursts bool // works on many objects at once
	burst  []thing
}

// maxThings is how many objects a user has who does not work on bursts.
const maxThings = 24

func newActor(s stage, seed uint64, number int) *actor {
	return &actor{
		stage: s, number: number, bursts: number == 0,
		rng: rand.New(rand.NewPCG(seed, uint64(number)+1)), //nolint:gosec // reproducible on purpose
	}
}

// stream is the source of choices of something that is no user.
func stream(seed uint64, name string) *rand.Rand {
	var n uint64 = 1 << 32
	for _, c := range name {
		n = n*31 + uint64(c) //nolint:gosec // it may wrap around
	}
	return rand.New(rand.NewPCG(seed, n)) //nolint:gosec // reproducible on purpose
}

// between is a duration from a range.
func between(rng *rand.Rand, least, most time.Duration) time.Duration {
	return least + time.Duration(rng.Int64N(int64(most-least)+1))
}

// next is what the user does next.
func (a *actor) next() step {
	var s step
	if a.bursts {
		s = a.nextBurst()
	} else {
		s = a.nextSingle()
	}
	s.Patch = a.rng.IntN(2) == 0
	s.After = between(a.rng, 0, 900*time.Millisecond)
	s.Pause = between(a.rng, 0, 700*time.Millisecond)
	return s
}

// nextBurst creates many at once, edits them, deletes them.
func (a *actor) nextBurst() step {
	switch {
	case len(a.burst) == 0:
		zone := a.namespaceAndZone()
		for range 10 + a.rng.IntN(91) {
			t := a.thing()
			t.Namespace, t.Zone = zone.Namespace, zone.Zone
			a.burst = append(a.burst, t)
		}
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

// nextSingle is a deed about one object, or two.
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

// goOn is a deed about the i-th object, which manages a record.
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
		// With other content, so that the old record would not do.
		t.Value = a.value(t.Value.Type)
		return step{Do: doReplace, Things: []thing{*t}}
	case n < 82:
		before := *t
		t.Object = a.object()
		return step{Do: doHandOver, Things: []thing{*t}, Before: &before}
	case n < 87:
		return a.end(i, doOrphan)
	default:
		return a.end(i, doDelete)
	}
}

// begin is a deed that makes an object.
func (a *actor) begin() step {
	t := a.thing()
	s := step{Do: doCreate}
	switch n := a.rng.IntN(100); {
	case n < 40:
	case n < 52:
		s.Do = doEarlyEdit
		a.change(&t)
		s.Value = a.value(t.Value.Type) // what it was created with
	case n < 60:
		return step{Do: doLateDelete, Things: []thing{t}}
	case n < 70:
		s.Do, t.Adoption = doAdopt, "Identical"
	case n < 80:
		s.Do, t.Adoption = doTakeOver, "NameAndType"
		t.Name = label(t.Value.Type, a.name()) // None that others share.
		s.Value = a.value(t.Value.Type)        // what it has before
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

// contend has two objects claim one record, of two namespaces where both reach the
// zone.
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

// end is a deed after which the i-th object is no more.
func (a *actor) end(i int, how deed) step {
	t := a.things[i]
	a.things = slices.Delete(a.things, i, i+1)
	return step{Do: how, Things: []thing{t}}
}

// thing is an object that nothing at Cloudflare is like.
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
	// Some share the name of a foreign record, which must not be taken for theirs.
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

// change edits what may be edited, the content mostly.
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

// perActor is how many numbers each user has.
const perActor = maxValues / 16

func (a *actor) value(typ string) value {
	a.values++
	return value{typ, a.number*perActor + a.values%perActor}
}

func (a *actor) object() string { return fmt.Sprintf("u%d-%d", a.number, a.count()) }
func (a *actor) name() string   { return fmt.Sprintf("n%d-%d", a.number, a.count()) }
func (a *actor) ttl() int64     { return 60 + 10*a.rng.Int64N(100) }

// foreign is a record that stands alone under its name.
func (a *actor) foreign(zone string) foreign {
	f := a.stage.Foreign[zone]
	return f[a.rng.IntN(len(f)-siblings)]
}

// sibling is the name of a foreign A record under which others may be.
func (a *actor) sibling(zone string) string {
	f := a.stage.Foreign[zone]
	return f[len(f)-1-a.rng.IntN(siblings)].Name
}

const (
	// siblings is how many foreign A records of a zone share their name with ours.
	siblings = 4
	// foreigners is how many foreign records a zone has.
	foreigners = 25
)

// newStage is the same for each run.
func newStage() stage {
	s := stage{
		Namespaces: []string{"team-a", "team-b", "team-c"},
		Zones: map[string][]string{
			"team-a": {"alpha.example", "beta.example"},
			"team-b": {"beta.example", "gamma.example"},
			"team-c": {"alpha.example", "gamma.example"},
		},
		Foreign: map[string][]foreign{},
	}
	n := maxValues - 1000
	for _, zone := range zoneNames() {
		for i := range foreigners {
			typ, name := types()[i%len(types())], fmt.Sprintf("foreign-%d", i)
			if i >= foreigners-siblings {
				typ, name = "A", fmt.Sprintf("shared-%d", i)
			}
			n++
			s.Foreign[zone] = append(s.Foreign[zone], foreign{label(typ, name), value{typ, n}})
		}
	}
	return s
}

func zoneNames() []string { return []string{"alpha.example", "beta.example", "gamma.example"} }
