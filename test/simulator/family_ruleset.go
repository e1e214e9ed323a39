// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package simulator

import (
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/provider-cloudflare/provider-cloudflare/test/simulator/apidoc"
)

// CodeNoEntryPoint is the code for a phase without an entry point. The number has only one weak
// source.
const CodeNoEntryPoint = 10003

// CodeEntryPointExists is the code of the refusal to create a second entry point of a phase
// (Terraform provider, issues 3444 and 6273).
const CodeEntryPointExists = 20217

const rulesets = eitherParent + "/rulesets"

func rulesetFamilies() []*family {
	const (
		ruleset = rulesets + "/{ruleset_id}"
		entry   = rulesets + "/phases/{ruleset_phase}/entrypoint"
	)
	return []*family{rulesListFamily(), listItemFamily(), {
		list: rulesets, parameter: "ruleset_id", shape: idHex,
		show: showRuleset,
		more: map[string]handler{
			"POST " + rulesets:                       (*resourceCall).createRuleset,
			"PUT " + ruleset:                         (*resourceCall).putRuleset,
			"DELETE " + ruleset:                      (*resourceCall).deleteRuleset,
			"GET " + entry:                           (*resourceCall).entryPoint,
			"PUT " + entry:                           (*resourceCall).putEntryPoint,
			"POST " + ruleset + "/rules":             (*resourceCall).addRule,
			"PATCH " + ruleset + "/rules/{rule_id}":  (*resourceCall).patchRule,
			"DELETE " + ruleset + "/rules/{rule_id}": (*resourceCall).deleteRule,
		},
	}}
}

// showRuleset leaves the rules out of lists. A client reads them with a GET of the ruleset.
func showRuleset(c *resourceCall, _ *resource, shown map[string]any) {
	if c.id == "" && c.r.PathValue("ruleset_phase") == "" && c.r.Method == http.MethodGet {
		delete(shown, "rules")
	}
}

// dry reports whether the request is a dry run.
func (c *resourceCall) dry() bool { return c.r.URL.Query().Get("dry_run") == "true" }

// write stores the next version of a ruleset. A dry run stores nothing.
func (c *resourceCall) write(r *resource, id string, doc map[string]any) (reply, *Error) {
	version := 0
	if r != nil {
		version, _ = strconv.Atoi(r.text("version"))
	}
	doc["id"], doc["version"], doc["last_updated"] = id, strconv.Itoa(version+1), timestamp(c.now)
	if c.dry() {
		return reply{result: c.shown(&resource{id: id, doc: doc})}, nil
	}
	return reply{result: c.shown(c.s.put(c.shelf, id, doc))}, nil
}

func (c *resourceCall) createRuleset() (reply, *Error) {
	doc, err := c.rulesetBody(nil)
	if err != nil {
		return reply{}, err
	}
	phase, _ := doc["phase"].(string)
	if kind := doc["kind"]; (kind == "zone" || kind == "root") && c.entryOf(phase) != nil {
		return reply{}, refuse(http.StatusBadRequest, CodeEntryPointExists, "'%s' is not a valid value for kind because exceeded maximum number of %s rulesets for phase %s", kind, kind, phase)
	}
	return c.write(nil, c.s.newID(), doc)
}

// rulesetBody decodes a body with the defaults of the document, and completes its rules.
func (c *resourceCall) rulesetBody(before *resource) (map[string]any, *Error) {
	body, err := c.admit(true)
	if err != nil {
		return nil, err
	}
	doc, _ := c.op.Body.Fill(body).(map[string]any)
	list, _ := doc["rules"].([]any)
	rules := make([]any, 0, len(list))
	for i, given := range list {
		sent, _ := c.bodyRule(i)
		rule, err := c.rule(given, sent, before)
		if err != nil {
			return nil, err
		}
		rules = append(rules, rule)
	}
	doc["rules"] = rules
	return doc, distinct(rules)
}

// bodyRule returns a rule as it was sent, with its ID.
func (c *resourceCall) bodyRule(i int) (map[string]any, bool) {
	body, err := decodeObject(c.body)
	if err != nil {
		return nil, false
	}
	list, _ := body["rules"].([]any)
	if i >= len(list) {
		return nil, false
	}
	rule, ok := list[i].(map[string]any)
	return rule, ok
}

// rule completes one rule. The rule keeps the ID of the former rule with the same ref or ID.
// Without a former rule it gets a new ID (Terraform provider, issues 2690 and 5921). An
// unchanged rule keeps its version.
func (c *resourceCall) rule(given any, sent map[string]any, before *resource) (map[string]any, *Error) {
	rule, _ := apidoc.Copy(given).(map[string]any)
	for _, member := range []string{"action", "expression"} {
		if text, _ := rule[member].(string); text == "" {
			return nil, invalid(CodeResourceInvalid, "A rule must have an action and an expression.")
		}
	}
	former := formerRule(before, rule["ref"], sent["id"])
	rule["id"] = c.s.newID()
	version := 0
	if former != nil {
		rule["id"] = former["id"]
		version, _ = strconv.Atoi(fmt.Sprint(former["version"]))
	}
	if ref, _ := rule["ref"].(string); ref == "" {
		rule["ref"] = rule["id"]
	}
	rule["version"], rule["last_updated"] = strconv.Itoa(version+1), timestamp(c.now)
	for name, value := range map[string]any{"enabled": true, "description": ""} {
		if rule[name] == nil {
			rule[name] = value
		}
	}
	if rule["action"] == "skip" && rule["logging"] == nil {
		rule["logging"] = map[string]any{"enabled": true}
	}
	if former != nil && sameRule(former, rule) {
		return former, nil
	}
	return rule, nil
}

func sameRule(a, b map[string]any) bool {
	x, y := copyOf(a), copyOf(b)
	for _, live := range []string{"version", "last_updated"} {
		delete(x, live)
		delete(y, live)
	}
	return apidoc.Equal(x, y)
}

func formerRule(before *resource, ref, id any) map[string]any {
	if before == nil {
		return nil
	}
	list, _ := before.doc["rules"].([]any)
	for _, r := range list {
		rule, _ := r.(map[string]any)
		if (ref != nil && ref != "" && rule["ref"] == ref) || (id != nil && rule["id"] == id) {
			return rule
		}
	}
	return nil
}

// distinct refuses two rules with the same ref.
func distinct(rules []any) *Error {
	seen := map[any]bool{}
	for _, r := range rules {
		rule, _ := r.(map[string]any)
		if seen[rule["ref"]] {
			return invalid(CodeResourceInvalid, "Two rules have the same ref.")
		}
		seen[rule["ref"]] = true
	}
	return nil
}

// putRuleset replaces the description and the rules. Kind, phase and name stay if the body
// leaves them out. Kind and phase cannot change.
func (c *resourceCall) putRuleset() (reply, *Error) {
	r, err := c.find()
	if err != nil {
		return reply{}, err
	}
	return c.putRules(r, r.id, r.doc)
}

func (c *resourceCall) putRules(r *resource, id string, fixed map[string]any) (reply, *Error) {
	doc, err := c.rulesetBody(r)
	if err != nil {
		return reply{}, err
	}
	for _, member := range []string{"kind", "phase", "name"} {
		switch value, given := doc[member]; {
		case !given || member == "name" && r == nil:
			if !given {
				doc[member] = fixed[member]
			}
		case member != "name" && value != fixed[member]:
			return reply{}, invalid(CodeResourceInvalid, "The %s of a ruleset cannot change.", member)
		}
	}
	return c.write(r, id, doc)
}

// entryOf returns the entry point of a phase, or nil.
func (c *resourceCall) entryOf(phase string) *resource {
	for _, r := range c.shelf.sorted() {
		if kind := r.doc["kind"]; r.doc["phase"] == phase && (kind == "zone" || kind == "root") {
			return r
		}
	}
	return nil
}

// phase returns the phase of the path. The document must know it.
func (c *resourceCall) phase() (string, *Error) {
	phase := c.r.PathValue("ruleset_phase")
	known := apidoc.Load().Operation(http.MethodPost, rulesets).Body.Members(nil)["phase"]
	if known.Check(phase) != nil {
		return "", invalid(CodeResourceInvalid, "There is no phase of this name.")
	}
	return phase, nil
}

// entryPoint returns the entry point of a phase. It returns a 404 until the first PUT.
func (c *resourceCall) entryPoint() (reply, *Error) {
	phase, err := c.phase()
	if err != nil {
		return reply{}, err
	}
	r := c.entryOf(phase)
	if r == nil {
		return reply{}, refuse(http.StatusNotFound, CodeNoEntryPoint, "could not find entrypoint ruleset in the %s phase", phase)
	}
	return reply{result: c.shown(r)}, nil
}

func (c *resourceCall) putEntryPoint() (reply, *Error) {
	phase, err := c.phase()
	if err != nil {
		return reply{}, err
	}
	kind := "root"
	if c.zone != nil {
		kind = "zone"
	}
	r := c.entryOf(phase)
	if r != nil {
		return c.putRules(r, r.id, r.doc)
	}
	fixed := map[string]any{"kind": kind, "phase": phase, "name": "default"}
	return c.putRules(nil, c.s.newID(), fixed)
}

// deleteRuleset refuses to delete a ruleset that a rule executes. The response has no body.
func (c *resourceCall) deleteRuleset() (reply, *Error) {
	r, err := c.find()
	if err != nil {
		return reply{}, err
	}
	if err := c.mayDelete(r); err != nil {
		return reply{}, err
	}
	for path, sh := range c.s.shelves {
		if !strings.HasSuffix(path, "/rulesets") || !c.ours(path) {
			continue
		}
		for _, other := range sh.items {
			if other != r && executes(other.doc, r.id) {
				return reply{}, refuse(http.StatusConflict, CodeResourceConflict, "The ruleset is executed by a rule.")
			}
		}
	}
	c.take(r)
	return reply{}, nil
}

func executes(doc map[string]any, id string) bool {
	list, _ := doc["rules"].([]any)
	return slices.ContainsFunc(list, func(r any) bool {
		rule, _ := r.(map[string]any)
		parameters, _ := rule["action_parameters"].(map[string]any)
		return rule["action"] == "execute" && parameters["id"] == id
	})
}
