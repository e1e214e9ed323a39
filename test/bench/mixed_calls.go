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

// An example is an object of [mixed], with what decides its calls.
type example struct {
	kind, name string
	// account is that of its namespace. zoned reports whether the object is in the
	// account's zone.
	account string
	zoned   bool
	// params are the parameters of paths and headers that the object declares.
	params map[string]string
}

// A look is a call that looks for drift below one parent, or of one resource.
type look struct {
	// route is the verb and the path, with {} for each parameter.
	route string
	// at distinguishes it from other looks of the same route.
	at string
	// every is its shortest interval, and latest its longest.
	every, latest time.Duration
}

// intervals are those of the looks for drift.
type intervals struct{ drift, resource time.Duration }

// pollSpread is the part of its interval by which a poll may come earlier or later.
const pollSpread = 0.1

// looksAt returns the calls that look for drift of an example, according to its
// description.
//
// A kind usually has one list for all resources below one parent, also if the list only
// shows which of them changed. It has one GET of each resource, and of each part that is
// read apart, if there is no list, or if the list omits what may be declared. It has both
// if each shows a part. A kind that is part of a document is read with the document.
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

// lookBy returns the look that one operation of a description makes.
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

// lookByHand does what looksAt does, for the kinds that have no description.
func lookByHand(e example, i intervals) (look, error) {
	switch e.kind {
	case "Record": // Each account has one zone, which is listed once.
		return look{route: http.MethodGet + " " + plainRoute(routeRecords), at: where(e.kind, e), every: i.drift, latest: i.drift}, nil
	case "Zone": // Each zone is polled.
		spread := time.Duration(float64(i.drift) * pollSpread)
		return look{route: http.MethodGet + " /zones/{}", at: where(e.kind, e) + " " + e.name, every: i.drift - spread, latest: i.drift + spread}, nil
	}
	return look{}, fmt.Errorf("nothing says what is called for kind %s: it has no description, so it needs a line here", e.kind)
}

// where returns a text that distinguishes the parent of an example from all others.
func where(name string, e example) string {
	parts := []string{name, e.account}
	for _, p := range slices.Sorted(maps.Keys(e.params)) {
		parts = append(parts, p+"="+e.params[p])
	}
	return strings.Join(parts, " ")
}

// looks returns the looks for drift of all examples, each once.
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

// perInterval returns the most calls that the looks make in an interval, in the long run.
func perInterval(all []look, interval time.Duration) float64 {
	n := 0.0
	for _, l := range all {
		n += float64(interval) / float64(l.every)
	}
	return n
}

// bounds returns the least and the most calls of each route in a window. The most is one more,
// and the least one less, than the number of intervals in the window.
func bounds(all []look, window time.Duration) (least, most map[string]int) {
	least, most = map[string]int{}, map[string]int{}
	for _, l := range all {
		least[l.route] += max(0, int(math.Ceil(float64(window)/float64(l.latest)))-1)
		most[l.route] += int(math.Floor(float64(window)/float64(l.every))) + 1
	}
	return least, most
}

// beyond returns how many calls each route has above its most, and how many below its
// least.
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

// plainRoute returns a route without the names of its parameters. The simulator and the
// document name them differently.
func plainRoute(route string) string {
	return regexp.MustCompile(`\{[^{}]*\}`).ReplaceAllString(route, "{}")
}
