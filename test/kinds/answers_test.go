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

// foreignWrite is not a fault of the simulator: immediately before the call, another client writes to the target of the
// call.
const foreignWrite simulator.FaultKind = "foreign-write"

// A plan is an incident that is planned for a moment of a life.
type plan struct {
	moment

	fault simulator.FaultKind
	// on is the number of the fault in the simulator. It is set when the step begins.
	on int
}

func (p plan) String() string { return fmt.Sprintf("%s at %s", p.fault, p.moment) }

// TestSingleAnswers shows for each kind that one wrong answer does no harm at any call of a life. Neither does another
// client that writes immediately before a call. Afterwards there is one resource, nothing of others has changed, and
// the object is settled or gone.
//
// By default, incidents happen at the first call of each method and route in each step: a life has at most one in each
// step. With CHANCE=1, they happen at every call, and each has a life of its own.
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

// inLife runs a test in a bubble with a world for a life.
func inLife(t *testing.T, l *life, show func(*life)) {
	t.Helper()
	inBubble(t, func(t *testing.T) {
		l.world = newWorld(t, l.d)
		show(l)
	}, kindsOf(t, l.d.Name)...)
}

// nameOf returns the name of a life with these plans.
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

// surroundings returns whether others have elements in the same document, for each life of a kind. Only for fragments
// do these elements lead to other calls. The first life is always alone, as the elements of others are made from its
// resource.
func surroundings(d kind.Description) []bool {
	if d.Shape == kind.Fragment && d.Bulk == "" {
		return []bool{false, true}
	}
	return []bool{false}
}

// plansOf returns the incidents that can happen at these moments. Unless every is true, it skips all but the first call
// of each method and route in each step.
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

// lives distributes plans among lives. If every is true, each life has one plan. Otherwise, each life has at most one
// plan in each step. A plan for a read during the deletion always has a life of its own: whether there is such a read
// depends on the time of the deletion.
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

// writable reports whether another client can write to the target of a call without a change of what the object
// declares.
func writable(d kind.Description, m moment) bool {
	if _, one := d.Excused["ManyOneList"]; one && d.Shape == kind.Collection {
		return m.step != creation // Before its creation there is no resource, and there cannot be a second one.
	}
	_, whole := d.Excused["UndeclaredIsLeft"]
	return d.Shape != kind.Singleton || !whole
}
