// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/provider-cloudflare/provider-cloudflare/test/simulator"
)

func steps(seed uint64, number, n int) []step {
	a := newActor(newStage(), seed, number)
	out := make([]step, n)
	for i := range out {
		out[i] = a.next()
	}
	return out
}

func TestAPlanFollowsFromItsSeed(t *testing.T) {
	const n = 150
	for number := range kindUser + 1 {
		first := steps(7, number, n)
		if diff := cmp.Diff(first, steps(7, number, n)); diff != "" {
			t.Errorf("user %d does something else the second time (-first +second):\n%s", number, diff)
		}
		if cmp.Equal(first, steps(8, number, n)) {
			t.Errorf("user %d does the same with another seed", number)
		}
		if cmp.Equal(first, steps(7, number+1, n)) {
			t.Errorf("users %d and %d do the same", number, number+1)
		}
	}
	one, two := stream(7, "kills"), stream(7, "storms")
	if one.Uint64() == two.Uint64() || stream(7, "kills").Uint64() != stream(7, "kills").Uint64() {
		t.Error("a stream must follow from its seed and its name")
	}
	for range 50 {
		if diff := cmp.Diff(storm(one), storm(one)); diff == "" {
			t.Error("storms are all the same")
		}
	}
}

// TestPlansHaveEverything checks that the random choices include every deed.
func TestPlansHaveEverything(t *testing.T) {
	did, typed := map[deed]int{}, map[string]int{}
	for number := range 11 {
		for _, s := range steps(3, number, 500) {
			did[s.Do]++
			for _, x := range s.Things {
				typed[x.Value.Type]++
			}
		}
	}
	for _, d := range []deed{
		doCreate, doBurst, doEdit, doEditBurst, doRename, doEarlyEdit, doDelete, doDeleteBurst, doLateDelete, doReplace, doHandOver,
		doOrphan, doAdopt, doTakeOver, doRefuse, doObserve, doContend, doDashEdit, doDashDelete, doPrepare, doLateBurst,
		doVisit, doVisitEdit, doLeave, doLateLeave,
		doKind, doKindLate, doKindEdit, doKindAgain, doKindDelete, doKindOrphan, doKindDashEdit, doKindDashDelete, doStranger,
		doZone, doZoneAdopt, doZonePause, doZoneDelete, doZoneHold, doZoneOrphan, doZoneLate, doZoneAgain,
	} {
		if did[d] < 10 {
			t.Errorf("%s happens %d times in 5,500 steps", d, did[d])
		}
	}
	for _, typ := range types() {
		if typed[typ] < 100 {
			t.Errorf("there are %d records of type %s", typed[typ], typ)
		}
	}
}

// TestPlansAreConsistent checks that each step is about an existing object, or creates one. No
// two objects declare the same record except on purpose.
func TestPlansAreConsistent(t *testing.T) {
	declared := map[string]string{} // the object of each record, over all users
	for number := range 11 {
		have := map[string]thing{}
		for i, s := range steps(11, number, 600) {
			say := func(format string, args ...any) {
				t.Helper()
				t.Fatalf("user %d, step %d, %s: %s", number, i, s.Do, fmt.Sprintf(format, args...))
			}
			for _, x := range s.Things {
				id := x.Namespace + "/" + x.Object
				_, there := have[id]
				switch s.Do {
				case doPrepare:
					continue // no object exists yet
				case doCreate, doBurst, doEarlyEdit, doAdopt, doTakeOver, doRefuse, doObserve, doContend, doLateDelete, doLateBurst, doVisit, doLateLeave:
					if there {
						say("%s is there already", id)
					}
				case doHandOver:
					if there || have[s.Before.Namespace+"/"+s.Before.Object].Name != x.Name {
						say("it does not hand over its own record to a new object")
					}
					delete(have, s.Before.Namespace+"/"+s.Before.Object)
				default:
					if !there {
						say("%s is not there", id)
					}
				}
				delete(declared, recordOf(have[id])) // its record before the step
				have[id] = x
				if holder := declared[recordOf(x)]; holder != "" && s.Do != doHandOver && x.Role == roleReady {
					say("%s and %s declare %s", holder, id, recordOf(x))
				}
				declared[recordOf(x)] = id
				switch s.Do {
				case doDelete, doDeleteBurst, doLateDelete, doLateBurst, doOrphan, doLeave, doLateLeave:
					delete(have, id)
					delete(declared, recordOf(x))
				}
			}
		}
	}
}

// TestNamespacesComeAndGoWhole checks that a user creates and deletes a namespace with all of its
// objects. No object is of another namespace, and no name comes twice.
func TestNamespacesComeAndGoWhole(t *testing.T) {
	there, gone := map[string]int{}, map[string]bool{}
	for _, s := range steps(5, visitUser, 400) {
		ns := s.Things[0].Namespace
		for _, x := range s.Things {
			if x.Namespace != ns || x.Zone != visitZone() {
				t.Fatalf("%s: %s/%s in zone %s is not of namespace %s", s.Do, x.Namespace, x.Object, x.Zone, ns)
			}
		}
		if gone[ns] || (s.Do == doVisit || s.Do == doLateLeave) == (there[ns] > 0) {
			t.Fatalf("%s of %s: it has %d objects, and was deleted: %t", s.Do, ns, there[ns], gone[ns])
		}
		if there[ns] > 0 && there[ns] != len(s.Things) {
			t.Errorf("%s of %s is about %d of its %d objects", s.Do, ns, len(s.Things), there[ns])
		}
		there[ns] = len(s.Things)
		if s.Do == doLeave || s.Do == doLateLeave {
			gone[ns] = true
		}
	}
	if len(gone) < 50 {
		t.Errorf("%d namespaces were deleted in 400 steps", len(gone))
	}
}

// TestZonesAreMadeAgainOnce checks the steps about Zones: each Zone exists, a credential never
// has too many, and a name is created again no more often than Cloudflare allows.
func TestZonesAreMadeAgainOnce(t *testing.T) {
	for number := domainUser; number < domainUser+len(domainNamespaces()); number++ {
		have, again := map[string]bool{}, map[string]int{}
		for i, s := range steps(6, number, 400) {
			d := *s.Domain
			creates := s.Do == doZone || s.Do == doZoneAdopt || s.Do == doZoneLate
			if creates == have[d.Object] {
				t.Fatalf("user %d, step %d: %s of %s, which is there: %t", number, i, s.Do, d.Object, have[d.Object])
			}
			if d.Namespace != domainNamespaces()[number-domainUser] {
				t.Errorf("user %d has a Zone in %s", number, d.Namespace)
			}
			have[d.Object] = true
			switch s.Do {
			case doZoneLate, doZoneDelete, doZoneHold, doZoneOrphan:
				delete(have, d.Object)
			case doZoneAgain:
				again[d.Name]++
			}
			if len(have) > maxDomains {
				t.Fatalf("user %d has %d Zones", number, len(have))
			}
		}
		for name, n := range again {
			if n > 1 {
				t.Errorf("%s is made again %d times", name, n)
			}
		}
	}
}

// TestResourcesAreOneForEachKey checks the steps about objects of described kinds: each object
// exists, and no two declare the same resource. Each family is used, by a credential of its
// namespaces.
func TestResourcesAreOneForEachKey(t *testing.T) {
	declared, used := map[string]string{}, map[string]int{}
	for number := kindUser; number < kindUser+kindUsers; number++ {
		have := map[string]bool{}
		for i, s := range steps(4, number, 600) {
			r := *s.Resource
			if s.Do == doStranger {
				if r.Object != stranger(number-kindUser) {
					t.Errorf("user %d edits %s", number, r.Object)
				}
				continue
			}
			id, k := r.Namespace+"/"+r.Object, r.Family+" "+r.Key
			if creates := s.Do == doKind || s.Do == doKindLate; creates == have[id] {
				t.Fatalf("user %d, step %d: %s of %s, which is there: %t", number, i, s.Do, id, have[id])
			}
			if holder := declared[k]; r.Key == "" || holder != "" && holder != id {
				t.Fatalf("user %d, step %d: %s and %s declare %q", number, i, holder, id, k)
			}
			have[id], declared[k] = true, id
			used[r.Family+" in "+r.Namespace]++
			switch s.Do {
			case doKindLate, doKindDelete, doKindOrphan:
				delete(have, id)
				delete(declared, k)
			}
			if len(have) > maxResources {
				t.Fatalf("user %d has %d objects", number, len(have))
			}
		}
	}
	for _, f := range families() {
		for _, ns := range f.namespaces {
			if used[f.name()+" in "+ns] < 20 {
				t.Errorf("%s in %s is used %d times", f.name(), ns, used[f.name()+" in "+ns])
			}
		}
	}
}

// TestPreparedRecordsAreTakenOverLater checks that a record is made some time before the object
// that adopts it.
func TestPreparedRecordsAreTakenOverLater(t *testing.T) {
	made, taken := map[string]int{}, 0
	for i, s := range steps(9, kindUser+kindUsers, 800) {
		switch s.Do {
		case doPrepare:
			made[s.Things[0].Name] = i
		case doTakeOver:
			at, ok := made[s.Things[0].Name]
			if !ok || i-at < ripe {
				t.Errorf("step %d takes over what was prepared in step %d (%t)", i, at, ok)
			}
			taken++
		}
	}
	if taken == 0 {
		t.Error("nothing was taken over")
	}
}

// TestStage checks that two credentials reach every zone of teams, and that no credential
// serves more than two zones, or zones and an account.
func TestStage(t *testing.T) {
	s := newStage()
	reached := map[string]int{}
	for _, tenant := range s.tenants() {
		if len(tenant.zones) > 2 || tenant.families > 2 || tenant.families > 0 && len(tenant.zones) > 0 || tenant.account != "" && len(tenant.zones) > 0 {
			t.Errorf("%s reaches zones %v, account %q and %d families", tenant.namespace, tenant.zones, tenant.account, tenant.families)
		}
		for _, z := range tenant.zones {
			reached[z]++
		}
	}
	for _, z := range zoneNames() {
		want := 2
		if z == visitZone() {
			want = 1
		}
		if reached[z] != want {
			t.Errorf("%s is reached by %d credentials, want %d", z, reached[z], want)
		}
	}
	if got, want := s.pairs(), 2*(len(zoneNames())-1)+1; got != want {
		t.Errorf("%d pairs of zone and credential, want %d", got, want)
	}
}

func recordOf(x thing) string {
	return x.Zone + " " + x.Name + " " + x.Value.Type + " " + x.Value.content()
}

// TestValuesAreAsTheAPIShowsThem checks the oracle's plain comparison against the simulator.
func TestValuesAreAsTheAPIShowsThem(t *testing.T) {
	sim := simulator.New(simulator.Options{})
	zone, err := sim.AddZone(sim.AddAccount("x").ID, "alpha.example", simulator.ZoneOptions{Plan: simulator.PlanEnterprise})
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for _, typ := range types() {
		for _, n := range []int{0, 1, 255, 256, 65535, 65536, maxValues - 1} {
			v := value{typ, n}
			name := label(typ, fmt.Sprintf("%s-%d", typ, n))
			live, err := sim.CreateRecord(zone.ID, v.body(name, 60))
			if err != nil {
				t.Errorf("%s %d: %v", typ, n, err)
				continue
			}
			var priority, declared *int64
			if live.Priority != nil {
				p := int64(*live.Priority)
				priority = &p
			}
			if typ == "SRV" { // in the JSON, and not in this struct
				p := int64(10)
				priority = &p
			}
			if typ == "MX" {
				p := int64(mxPriority)
				declared = &p
			}
			got, want := plain(typ, live.Content, priority), plain(typ, v.content(), declared)
			if got != want {
				t.Errorf("%s %d: live %q, declared %q", typ, n, got, want)
			}
			if seen[typ+got] {
				t.Errorf("%s %d: another number has the same content %q", typ, n, got)
			}
			seen[typ+got] = true
		}
	}
}
