// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package simulator

import (
	"html"
	"net/http"
	"slices"
	"strings"
	"time"
)

// concealed replaces a secret in a response.
const concealed = "**********************************"

func (c *resourceCall) trappedBusy() *Error {
	for _, t := range c.on(TrapBusyDeletion) {
		return t.refusal(http.StatusConflict, CodeResourceConflict, "The resource is in use.")
	}
	return nil
}

// entitled refuses a body with a member that the plan does not have.
func (c *resourceCall) entitled(body map[string]any) *Error {
	for _, t := range c.on(TrapEntitlementRefusal) {
		has := t.Field == ""
		visit(body, t.field(), func(map[string]any, string) { has = true })
		if has {
			return t.refusal(http.StatusForbidden, CodeNotEntitled, "Not entitled to use this feature.")
		}
	}
	return nil
}

// isZoneDocument reports whether a path is that of a setting or of the DNSSEC of a zone. These
// documents are not generic resources, but traps work for them, too.
func isZoneDocument(path string) bool {
	return fits("/zones/{zone_id}/dnssec", path) || fits("/zones/{zone_id}/settings/{setting_id}", path)
}

// handle executes a call and applies the traps of a zone document. They refuse all writes, or change a
// member of the response.
func (c *call) handle(r route) (reply, *Error) {
	if len(c.s.traps) == 0 || !isZoneDocument(c.path()) {
		return r.handle(c)
	}
	for _, t := range c.onAt(TrapEntitlementRefusal, c.path()) {
		if c.r.Method != http.MethodGet {
			return reply{}, t.refusal(http.StatusForbidden, CodeNotEntitled, "Not entitled to use this feature.")
		}
	}
	p, err := r.handle(c)
	shown, ok := p.result.(map[string]any)
	if err != nil || !ok {
		return p, err
	}
	shown = copyOf(shown)
	for _, change := range changes() {
		c.change(c.onAt(change.kind, c.path()), shown, change.apply)
	}
	p.result = shown
	return p, nil
}

// A memberChange is what the traps of a kind do to a member of a response.
type memberChange struct {
	kind TrapKind
	// apply reports whether it changed the member.
	apply func(t *activeTrap, at map[string]any, name string) bool
}

// changes returns the changes in the order in which they apply to a member: a concealed secret is not
// empty, and an omitted text has no form.
func changes() []memberChange {
	return []memberChange{
		{TrapConcealedSecret, conceal},
		{TrapReorderedSet, reorder},
		{TrapOmittedFalse, omit},
		{TrapReformattedText, reformat},
	}
}

func (c *call) change(traps []*activeTrap, shown map[string]any, change func(*activeTrap, map[string]any, string) bool) {
	for _, t := range traps {
		visit(shown, t.field(), func(at map[string]any, name string) {
			if change(t, at, name) {
				c.sprang(t)
			}
		})
	}
}

// listedResources returns the resources of a list. A trap may return those of the past.
func (c *resourceCall) listedResources() []*resource {
	for _, t := range c.on(TrapLag) {
		t.fired++
		return c.shelf.past(c.now.Add(-t.For))
	}
	return c.shelf.sorted()
}

// spring applies the traps that change a response.
func (c *resourceCall) spring(r *resource, shown map[string]any) {
	for _, t := range c.on(TrapConcealedSecret) {
		restore(r.doc, shown, t.field())
	}
	for _, change := range changes() {
		c.change(c.on(change.kind), shown, change.apply)
	}
	c.change(c.on(TrapExpandedReference), shown, c.expand)
	for _, t := range c.on(TrapEmptyObject) {
		addEmpty(shown, t.field(), func() any {
			c.sprang(t)
			if t.Value == "" {
				return map[string]any{}
			}
			return map[string]any{t.Value: nil}
		})
	}
	c.degrade(shown)
	c.converge(r, shown)
}

// sprang counts a trap, and marks the response, because the document may not allow it.
func (c *call) sprang(t *activeTrap) {
	t.fired++
	c.sprung = string(t.Kind)
}

// visit calls f for each member at a path.
func visit(v any, path []string, f func(at map[string]any, name string)) {
	switch v := v.(type) {
	case map[string]any:
		if len(path) == 1 {
			if _, has := v[path[0]]; has {
				f(v, path[0])
			}
			return
		}
		visit(v[path[0]], path[1:], f)
	case []any:
		if path[0] == "*" && len(path) > 1 {
			for _, e := range v {
				visit(e, path[1:], f)
			}
		}
	}
}

// addEmpty adds the member at a path if it is missing.
func addEmpty(v any, path []string, value func() any) {
	switch v := v.(type) {
	case map[string]any:
		if len(path) > 1 {
			addEmpty(v[path[0]], path[1:], value)
		} else if _, has := v[path[0]]; !has {
			v[path[0]] = value()
		}
	case []any:
		if path[0] == "*" && len(path) > 1 {
			for _, e := range v {
				addEmpty(e, path[1:], value)
			}
		}
	}
}

// restore copies a hidden secret into the response, so that it can be concealed there.
func restore(stored, shown map[string]any, path []string) {
	visit(stored, path, func(at map[string]any, name string) {
		to := shown
		for _, segment := range path[:len(path)-1] {
			next, ok := to[segment].(map[string]any)
			if !ok {
				return
			}
			to = next
		}
		to[name] = at[name]
	})
}

func conceal(_ *activeTrap, at map[string]any, name string) bool {
	at[name] = concealed
	return true
}

func reorder(_ *activeTrap, at map[string]any, name string) bool {
	list, ok := at[name].([]any)
	slices.Reverse(list)
	return ok && len(list) > 1
}

func omit(_ *activeTrap, at map[string]any, name string) bool {
	var empty bool
	switch v := at[name].(type) {
	case nil:
		empty = true
	case bool:
		empty = !v
	case string:
		empty = v == ""
	case []any:
		empty = len(v) == 0
	case map[string]any:
		empty = len(v) == 0
	default:
		n, ok := number(v)
		empty = ok && n == 0
	}
	if empty {
		delete(at, name)
	}
	return empty
}

func reformat(t *activeTrap, at map[string]any, name string) bool {
	forms := map[string]func(string) string{
		"html": html.EscapeString, "upper": strings.ToUpper, "lower": strings.ToLower,
		"newline": func(s string) string { return strings.TrimRight(s, "\n") + "\n" },
	}
	form := forms[t.Value]
	if form == nil {
		panic("simulator: there is no text form " + t.Value)
	}
	changed := false
	to := func(v any) any {
		text, ok := v.(string)
		if !ok {
			return v
		}
		changed = changed || form(text) != text
		return form(text)
	}
	list, many := at[name].([]any)
	for i := range list {
		list[i] = to(list[i])
	}
	if !many {
		at[name] = to(at[name])
	}
	return changed
}

// expand replaces IDs with the resources that they refer to. It keeps unknown IDs. It reports whether
// there was a known one.
func (c *resourceCall) expand(t *activeTrap, at map[string]any, name string) bool {
	others := c.inAccount(t.Value).items
	expanded := false
	whole := func(v any) any {
		id, _ := v.(string)
		if others[id] == nil {
			return v
		}
		expanded = true
		return copyOf(others[id].doc)
	}
	list, many := at[name].([]any)
	for i := range list {
		list[i] = whole(list[i])
	}
	if !many {
		at[name] = whole(at[name])
	}
	return expanded
}

// degrade changes a response as the API does while a part of it is down.
func (c *resourceCall) degrade(shown map[string]any) {
	for _, t := range c.on(TrapDegradedRead) {
		if c.r.Method != http.MethodGet {
			continue
		}
		c.sprang(t)
		visit(shown, t.field(), func(at map[string]any, name string) {
			at[name] = "unknown"
			if t.Value != "" {
				at[name] = t.Value
			}
		})
		for _, without := range t.Without {
			visit(shown, strings.Split(without, "."), func(at map[string]any, name string) { delete(at, name) })
		}
	}
}

// converge sets a status that depends on the time since the last write.
func (c *resourceCall) converge(r *resource, shown map[string]any) {
	for _, t := range c.on(TrapConvergingStatus) {
		if len(t.Values) == 0 {
			continue
		}
		c.sprang(t)
		step := len(t.Values) - 1
		if t.For > 0 {
			step = min(step, int(c.now.Sub(r.changed)/max(t.For, time.Nanosecond)))
		}
		path := t.field()
		if _, has := shown[path[0]]; !has && len(path) == 1 {
			shown[path[0]] = ""
		}
		visit(shown, path, func(at map[string]any, name string) { at[name] = t.Values[step] })
	}
}
