// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package kinds

import (
	"fmt"
	"net/http"
	"os"
	"strings"
	"testing"

	"github.com/provider-cloudflare/provider-cloudflare/internal/kind"
	"github.com/provider-cloudflare/provider-cloudflare/internal/kinds"
	"github.com/provider-cloudflare/provider-cloudflare/test/simulator"
)

// foreignWrite is no fault: just before the call somebody else writes to what it is about.
const foreignWrite simulator.FaultKind = "foreign-write"

// A plan is what is to happen at a moment.
type plan struct {
	moment

	fault simulator.FaultKind
	// on is the simulator's fault, once the step has begun.
	on int
}

func (p plan) String() string { return fmt.Sprintf("%s at %s", p.fault, p.moment) }

// TestSingleAnswers shows of each kind that one answer which is wrong, at any call of a life, does nothing, and neither
// does somebody who writes just before a call: afterwards there is one resource, nothing of anybody else has changed,
// and the object is settled, or gone.
//
// What can happen, happens at the first call of each method and route in each step: in one life, one thing in each
// step. Where CHANCE is 1, it happens at every call, and in a life each.
func TestSingleAnswers(t *testing.T) {
	if shared != nil {
		t.Log("each life has an API server of its own, in memory: another one shows nothing more")
		return
	}
	every := os.Getenv("CHANCE") == "1"
	for _, d := range kinds.All() {
		t.Run(d.Name, func(t *testing.T) {
			t.Parallel()
			var first record
			for _, beside := range surroundings(d) {
				led := record{}
				t.Run(nameOf(beside, nil), func(t *testing.T) {
					inLife(t, &life{d: d, beside: beside, of: first}, func(l *life) { led = l.isLed() })
				})
				if !beside {
					first = led
				}
				for _, plans := range lives(plansOf(d, led.moments, every), every) {
					l := &life{d: d, beside: beside, of: first, calls: led.calls, plans: plans}
					t.Run(nameOf(beside, plans), func(t *testing.T) {
						t.Parallel()
						inLife(t, l, (*life).survives)
					})
				}
			}
		})
	}
}

// inLife runs a test in a bubble, in which there is a world for a life.
func inLife(t *testing.T, l *life, show func(*life)) {
	t.Helper()
	inBubble(t, func(t *testing.T) {
		l.world = newWorld(t, l.d)
		show(l)
	}, kindsOf(t, l.d.Name)...)
}

// nameOf is the name of a life in which that happens.
func nameOf(beside bool, plans []plan) string {
	names := []string{"Alone"}
	if beside {
		names[0] = "Beside"
	}
	for _, p := range plans {
		names = append(names, strings.NewReplacer("/", ".", " at ", "@", " ", "").Replace(p.String()))
	}
	return strings.Join(names, ",")
}

// surroundings say whether the lives of a kind are beside what others have in the same document: only there does that
// lead to other calls. The first life is not, for what others have is made from it.
func surroundings(d kind.Description) []bool {
	if d.Shape == kind.Fragment && d.Bulk == "" {
		return []bool{false, true}
	}
	return []bool{false}
}

// plansOf are the things that can happen at every moment, or at the first call of each method and route in each step.
func plansOf(d kind.Description, moments []moment, every bool) []plan {
	var out []plan
	for _, m := range moments {
		if !every && m.number > 0 {
			continue
		}
		faults := []simulator.FaultKind{simulator.FaultWrong404, simulator.FaultHTML502}
		if m.method == http.MethodGet {
			faults = append(faults, simulator.FaultBehind)
		} else {
			faults = append(faults, simulator.Fault502AfterCommit)
			if writable(d, m) {
				faults = append(faults, foreignWrite)
			}
		}
		for _, f := range faults {
			out = append(out, plan{moment: m, fault: f})
		}
	}
	return out
}

// lives has one thing happen in each life, or one in each step of it. What happens at a read of a deletion is alone even
// then: whether there is one depends on when the deletion begins.
func lives(plans []plan, every bool) [][]plan {
	var out, alone [][]plan
	next := map[step]int{}
	for _, p := range plans {
		if every || p.step == deletion && p.method == http.MethodGet {
			alone = append(alone, []plan{p})
			continue
		}
		if next[p.step] == len(out) {
			out = append(out, nil)
		}
		out[next[p.step]] = append(out[next[p.step]], p)
		next[p.step]++
	}
	return append(out, alone...)
}

// writable reports whether somebody else can write to what a call is about, and keep what the object wants.
func writable(d kind.Description, m moment) bool {
	if _, one := d.Excused["ManyOneList"]; one && d.Shape == kind.Collection {
		return m.step != creation // Before it is created there is nothing, and no other one can be.
	}
	_, whole := d.Excused["UndeclaredIsLeft"]
	return d.Shape != kind.Singleton || !whole
}
