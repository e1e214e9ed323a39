// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package kinds

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/crossplane/crossplane-runtime/v2/pkg/meta"

	"github.com/provider-cloudflare/provider-cloudflare/internal/controller/described"
	"github.com/provider-cloudflare/provider-cloudflare/internal/kind"
	"github.com/provider-cloudflare/provider-cloudflare/internal/parent"
	"github.com/provider-cloudflare/provider-cloudflare/test/harness"
	"github.com/provider-cloudflare/provider-cloudflare/test/simulator"
)

// quiet is the time in which a new write is read back, and one sweep more.
const quiet = parent.Lag + 2*interval

// extra is the number of additional calls that a life may take for each incident.
const extra = 25

// A step is a part of a life.
type step string

// These are the steps in their order.
const (
	creation step = "create"
	adding   step = "add"
	edition  step = "edit"
	sweeping step = "sweep"
	deletion step = "delete"
)

// A moment is a call of a life. number counts from 0 among the calls of the step with that method and route.
type moment struct {
	step          step
	method, route string
	number        int
}

func (m moment) String() string {
	return fmt.Sprintf("%s %s %s %d", m.step, m.method, m.route, m.number)
}

// A life is a world in which one object is created, edited, observed and deleted.
type life struct {
	*world

	// d is the description of the world.
	d kind.Description
	// beside is true if others have elements in the document. plans are the incidents.
	beside bool
	plans  []plan
	// of is the record of a life without incidents. calls is the number of calls of such a life.
	of    record
	calls int

	now step
	// marks are the numbers of calls before each step.
	marks map[step]int
	// before are the resources of others at Cloudflare.
	before map[string]map[string]any
	others others
	// declares is what the object declares, in the form in which it is sent.
	declares kind.Document
}

// A record describes a life without incidents.
type record struct {
	moments []moment
	// calls is the number of calls.
	calls int
	// resource is what Cloudflare stored for the resource or its document. element is the part of the object in the
	// document.
	resource simulator.StoredResource
	element  kind.Document
}

// isLed leads a life without incidents.
func (l *life) isLed() record {
	l.T.Helper()
	l.enter()
	elsewhere := map[string]bool{}
	for _, q := range l.requests() {
		elsewhere[q.Method+" "+q.Route] = true
	}
	var r record
	l.lead(func() {
		id := meta.GetExternalName(l.example)
		if at, ok := l.storedAt(id); ok {
			var err error
			if r.resource, err = l.sim.StoredResource(at); err != nil {
				l.T.Fatal(err)
			}
		}
		if l.fragment() {
			r.element = l.element(l.document(), id)
		}
	})
	calls, ends := l.requests(), map[step]step{creation: adding, edition: sweeping, sweeping: deletion}
	l.marks["end"], ends[deletion] = len(calls), "end"
	for _, s := range []step{creation, edition, sweeping, deletion} {
		numbers := map[string]int{}
		for _, q := range calls[l.marks[s]:l.marks[ends[s]]] {
			if key := q.Method + " " + q.Route; !elsewhere[key] {
				r.moments = append(r.moments, moment{s, q.Method, q.Route, numbers[key]})
				numbers[key]++
			}
		}
	}
	if r.calls = len(calls) - l.marks[creation]; len(r.moments) == 0 {
		l.T.Fatal("there was no call about the object")
	}
	return r
}

// survives leads a life with incidents.
func (l *life) survives() {
	l.T.Helper()
	l.enter()
	l.lead(func() {})
	most := l.calls + extra*len(l.plans)
	if n := len(l.requests()) - l.marks[creation]; n > most {
		l.T.Errorf("there were %d calls, want at most %d: where nothing happens, there are %d", n, most, l.calls)
	}
}

// enter waits until the objects that the example refers to are idle, and creates the resources of others.
func (l *life) enter() {
	l.T.Helper()
	l.prepare()
	l.during(2 * interval)
	l.marks, l.declares = map[step]int{}, l.want() // An edit must not call the simulator.
	l.othersAreThere()
	l.before = l.sim.AllResources()
}

// lead leads the life. It calls settled once the object is settled.
func (l *life) lead(settled func()) {
	l.T.Helper()
	mg := l.example
	l.through(creation, func() { l.Create(mg) })
	l.isAsDeclared(mg)
	settled()
	l.begin(adding)
	l.membersAreAdded()

	l.through(edition, func() { l.edits() })
	l.isAsDeclared(mg)

	l.through(sweeping, func() { l.during(quiet) })
	l.isAsDeclared(mg)

	l.begin(deletion)
	l.Delete(mg)
	l.happened()
	l.Gone(mg, func() string { return harness.Conditions(mg) })
	l.unset()
	l.isLeft(0)
}

// through begins a step. It returns when all incidents of the step have happened and the object is settled.
func (l *life) through(s step, do func()) {
	l.T.Helper()
	l.begin(s)
	do()
	l.happened()
	l.Settled(l.example)
}

// begin begins a step, and plans its incidents.
func (l *life) begin(s step) {
	l.now, l.marks[s] = s, len(l.requests())
	for i := range l.plans {
		switch p := &l.plans[i]; {
		case p.step != s:
		case p.fault == foreignWrite:
			l.interruptAt(p.moment)
		default:
			p.on = l.sim.AddFault(simulator.Fault{Kind: p.fault, Method: p.method, Path: p.route, Token: l.token, Skip: p.number})
		}
	}
}

// happened waits until all incidents of this step have happened.
func (l *life) happened() {
	l.T.Helper()
	for _, p := range l.plans {
		if p.step != l.now {
			continue
		}
		l.Eventually(func() error {
			_, on := l.sim.Faults()[p.on]
			if on || p.fault == foreignWrite && !l.others.hasWritten(p.step) {
				return fmt.Errorf("there was no call for %s", p)
			}
			return nil
		})
		// A copy that is behind may nevertheless show the current state.
		if n := l.sim.Fired(p.on); n != 1 && p.fault != foreignWrite && p.fault != simulator.FaultBehind {
			l.T.Errorf("%s happened %d times", p, n)
		}
	}
}

// isAsDeclared shows that there is one resource with the declared values, and that nothing of others has changed.
func (l *life) isAsDeclared(mg described.Object) {
	l.T.Helper()
	l.isLeft(1)
	l.Eventually(func() error { return l.asDeclared(meta.GetExternalName(mg)) })
}

// isLeft shows that there are n resources beside those of others, and that nothing of others has changed.
func (l *life) isLeft(n int) {
	l.T.Helper()
	l.is(n + l.besides())
	now := l.sim.AllResources()
	for _, at := range slices.Sorted(maps.Keys(l.before)) {
		if got, there := now[at]; !l.ours(at) && (!there || !reflect.DeepEqual(got, l.before[at])) {
			l.T.Errorf("%s of somebody else is %v, and was %v", at, got, l.before[at])
		}
	}
	l.keepsOthers()
}

// ours reports whether a path is that of the document of the object, or of a resource that contains it and may show it.
func (l *life) ours(at string) bool {
	switch {
	case strings.HasPrefix(l.collection(), at+"/"):
		return true
	case l.d.Shape == kind.Singleton:
		return at == l.collection() || strings.HasPrefix(at, l.collection()+"/")
	case l.fragment():
		return strings.HasPrefix(at, l.shelf())
	}
	return false
}

// fragment reports whether the object manages a part of a document.
func (l *life) fragment() bool { return l.d.Shape == kind.Fragment && l.d.Bulk == "" }

// storedAt returns the path at which the simulator stores the resource of that ID, or the document that contains it. It
// returns false if there is no such path.
func (l *life) storedAt(id string) (string, bool) {
	switch {
	case l.d.Make != nil:
		return l.shelf(), true
	case l.fragment() || l.d.Shape == kind.Singleton:
		return "", false
	}
	return l.item(id), true
}

// edits changes one declared value, if one can be changed.
func (w *world) edits() {
	w.T.Helper()
	if _, excused := w.d.Excused["FieldUpdated"]; excused {
		return
	}
	leaves := w.updatable()
	if len(leaves) == 0 {
		return
	}
	schema := w.schemaOf(leaves[0].general)
	w.edit(kind.Difference{Path: leaves[0].path}.Name(kind.Names(w.example.GetForProvider())), func(v any) any { return other(v, schema) })
}

// unset waits until a resource that can be unset is unset.
func (w *world) unset() {
	w.T.Helper()
	w.Eventually(func() error {
		if len(w.d.Unset) == 0 {
			return nil
		}
		if left := w.answer(""); left != nil {
			return fmt.Errorf("the %s is still set: %v", w.d.Noun, left)
		}
		return nil
	})
}
