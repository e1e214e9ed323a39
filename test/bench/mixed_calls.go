// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/provider-cloudflare/provider-cloudflare/internal/kind"
)

// An example is an object of [mixed], as far as it decides what is called for it.
type example struct {
	kind, name string
	// account is that of its namespace, and zoned is set where it is in the zone of that.
	account string
	zoned   bool
	// params are the parameters of paths and headers that it declares.
	params map[string]string
}

// A look is the call by which drift is looked for below one parent, or of one resource.
type look struct {
	// route is the verb and the path, with {} for each parameter.
	route string
	// at tells it from others of the same route.
	at string
	// every is how soon it comes again at the earliest, and latest at the latest.
	every, latest time.Duration
}

// intervals are how often drift is looked for.
type intervals struct{ drift, resource time.Duration }

// pollSpread is by how much a poll may come earlier or later, in parts of its interval.
const pollSpread = 0.1

// looksAt gives the calls that look for drift of an example, as its description says: one list
// for all of a kind below one parent, also where it shows which of them moved, one GET of each
// where there is no list or one that leaves out what may be declared, with what is listed apart, or both
// where each shows a part. Parts of one document are read with it.
func looksAt(d kind.Description, e example, i intervals) ([]look, error) {
	list, get := true, false
	operation := d.List
	switch {
	case d.Shape == kind.Fragment && d.Bulk == "":
		operation = d.Read
	case d.Shape == kind.Singleton, d.List == "", len(d.ListOmits) > 0 && d.Revision == "":
		list, get = false, true
	case len(d.ReadLacks) > 0:
		get = true
	}
	var out []look
	if list {
		l, err := lookBy(d, operation, e, i)
		if err != nil {
			return nil, err
		}
		out = append(out, l)
	}
	if !get {
		return out, nil
	}
	operations := []string{d.Read}
	for _, path := range slices.Sorted(maps.Keys(d.Apart)) {
		operations = append(operations, d.Apart[path].Operation)
	}
	for _, operation := range operations {
		l, err := lookBy(d, operation, e, i)
		if err != nil {
			return nil, err
		}
		l.at += " " + e.name
		out = append(out, l)
	}
	return out, nil
}

// lookBy is a look by one operation of a description.
func lookBy(d kind.Description, operation string, e example, i intervals) (look, error) {
	out := look{every: i.resource, at: where(d.Name, e)}
	if d.Sweep > 0 {
		out.every = min(out.every, d.Sweep)
	}
	out.latest = out.every
	op, ok := kind.ParseOperation(operation)
	if !ok {
		return out, fmt.Errorf("kind %s says %q where it should say what is called", d.Name, operation)
	}
	owner := "accounts"
	if e.zoned {
		owner = "zones"
	}
	out.route = op.Method + " " + plainRoute(strings.ReplaceAll(op.Path, "{accounts_or_zones}", owner))
	return out, nil
}

// lookByHand is looksAt for the kinds that have no description.
func lookByHand(e example, i intervals) (look, error) {
	switch e.kind {
	case "Record": // The zone is listed once: each account has one.
		return look{route: http.MethodGet + " " + plainRoute(routeRecords), at: where(e.kind, e), every: i.drift, latest: i.drift}, nil
	case "Zone": // Each is polled.
		spread := time.Duration(float64(i.drift) * pollSpread)
		return look{route: http.MethodGet + " /zones/{}", at: where(e.kind, e) + " " + e.name, every: i.drift - spread, latest: i.drift + spread}, nil
	}
	return look{}, fmt.Errorf("nothing says what is called for kind %s: it has no description, so it needs a line here", e.kind)
}

// where tells the parent of an example from all others.
func where(name string, e example) string {
	parts := []string{name, e.account}
	for _, p := range slices.Sorted(maps.Keys(e.params)) {
		parts = append(parts, p+"="+e.params[p])
	}
	return strings.Join(parts, " ")
}

// looks gives what looks for drift of all examples, each call once.
func looks(kinds []kind.Description, all []example, i intervals) ([]look, error) {
	byName := map[string]kind.Description{}
	for _, d := range kinds {
		byName[d.Name] = d
	}
	seen := map[look]bool{}
	for _, e := range all {
		var (
			at  []look
			err error
		)
		if d, ok := byName[e.kind]; ok {
			at, err = looksAt(d, e, i)
		} else {
			at = make([]look, 1)
			at[0], err = lookByHand(e, i)
		}
		if err != nil {
			return nil, err
		}
		for _, l := range at {
			seen[l] = true
		}
	}
	return slices.SortedFunc(maps.Keys(seen), func(a, b look) int {
		return cmp.Or(cmp.Compare(a.route, b.route), cmp.Compare(a.at, b.at), cmp.Compare(a.every, b.every))
	}), nil
}

// perInterval is how many calls they are in an interval at most, in the long run.
func perInterval(all []look, interval time.Duration) float64 {
	n := 0.0
	for _, l := range all {
		n += float64(interval) / float64(l.every)
	}
	return n
}

// bounds are how many calls of each route a window may have: a window has one look more, or
// less, than the interval goes into it.
func bounds(all []look, window time.Duration) (least, most map[string]int) {
	least, most = map[string]int{}, map[string]int{}
	for _, l := range all {
		least[l.route] += max(0, int(math.Ceil(float64(window)/float64(l.latest)))-1)
		most[l.route] += int(math.Floor(float64(window)/float64(l.every))) + 1
	}
	return least, most
}

// beyond says what of the calls is more than the most of its route, and what is less than
// the least.
func beyond(cs calls, least, most map[string]int) (more, missing map[string]int) {
	got := map[string]int{}
	for _, c := range cs {
		got[c.method+" "+plainRoute(c.route)]++
	}
	more, missing = map[string]int{}, map[string]int{}
	for route, n := range got {
		if n > most[route] {
			more[route] = n - most[route]
		}
	}
	for route, n := range least {
		if got[route] < n {
			missing[route] = n - got[route]
		}
	}
	return more, missing
}

// total adds up counts.
func total(counts map[string]int) int {
	n := 0
	for _, c := range counts {
		n += c
	}
	return n
}

// plainRoute is a route without the names of its parameters, which the simulator calls by
// other names than the document.
func plainRoute(route string) string {
	return regexp.MustCompile(`\{[^{}]*\}`).ReplaceAllString(route, "{}")
}
