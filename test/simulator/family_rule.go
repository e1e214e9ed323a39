// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package simulator

import (
	"net/http"
	"slices"
)

// addRule appends a rule, or inserts it at its position. Like every change of a rule,
// it returns the whole ruleset.
func (c *resourceCall) addRule() (reply, *Error) {
	r, err := c.find()
	if err != nil {
		return reply{}, err
	}
	body, position, err := c.ruleBody()
	if err != nil {
		return reply{}, err
	}
	rule, err := c.rule(body, nil, nil)
	if err != nil {
		return reply{}, err
	}
	rules := rulesOf(r)
	at, err := place(rules, position, len(rules))
	if err != nil {
		return reply{}, err
	}
	return c.writeRules(r, slices.Insert(rules, at, any(rule)))
}

// ruleBody decodes the body of one rule. The position is write-only, and returned
// separately.
func (c *resourceCall) ruleBody() (rule, position map[string]any, err *Error) {
	body, err := c.admit(true)
	if err != nil {
		return nil, nil, err
	}
	rule, _ = c.op.Body.Fill(body).(map[string]any)
	position, _ = rule["position"].(map[string]any)
	delete(rule, "position")
	delete(rule, "id")
	return rule, position, nil
}

func rulesOf(r *resource) []any {
	list, _ := r.doc["rules"].([]any)
	return slices.Clone(list)
}

func (c *resourceCall) writeRules(r *resource, rules []any) (reply, *Error) {
	if err := distinct(rules); err != nil {
		return reply{}, err
	}
	doc := copyOf(r.doc)
	doc["rules"] = rules
	return c.write(r, r.id, doc)
}

// place returns the index for a rule: before or after another rule, or at an index that
// counts from 1. An empty before means the beginning, and an empty after the end. A position
// can use only one of the three (developers.cloudflare.com/ruleset-engine/rulesets-api/update-rule).
func place(rules []any, position map[string]any, standard int) (int, *Error) {
	if err := atOnePlace(position); err != nil {
		return 0, err
	}
	if index, given := number(position["index"]); given {
		if index < 1 || int(index) > len(rules)+1 {
			return 0, invalid(CodeResourceInvalid, "The position is outside of the ruleset.")
		}
		return int(index) - 1, nil
	}
	for offset, member := range []string{"before", "after"} {
		id, given := position[member].(string)
		switch {
		case !given:
			continue
		case id == "":
			return offset * len(rules), nil
		}
		at := indexOfRule(rules, id)
		if at < 0 {
			return 0, invalid(CodeResourceInvalid, "The position names a rule that the ruleset does not have.")
		}
		return at + offset, nil
	}
	return standard, nil
}

// atOnePlace refuses a position that names more than one place.
func atOnePlace(position map[string]any) *Error {
	named := 0
	for _, member := range []string{"before", "after", "index"} {
		if position[member] != nil {
			named++
		}
	}
	if named > 1 {
		return invalid(CodeResourceInvalid, "A position can have only one of before, after and index.")
	}
	return nil
}

func indexOfRule(rules []any, id string) int {
	return slices.IndexFunc(rules, func(r any) bool {
		rule, _ := r.(map[string]any)
		return rule["id"] == id
	})
}

// oneRule returns the ruleset of the path, its rules, and the index of the rule of the
// path.
func (c *resourceCall) oneRule() (*resource, []any, int, *Error) {
	r, err := c.find()
	if err != nil {
		return nil, nil, 0, err
	}
	id := c.r.PathValue("rule_id")
	if !validID(id) {
		return nil, nil, 0, errNoRoute(c.path())
	}
	rules := rulesOf(r)
	at := indexOfRule(rules, id)
	if at < 0 {
		return nil, nil, 0, refuse(http.StatusNotFound, CodeResourceNotFound, "The ruleset has no rule of this ID.")
	}
	return r, rules, at, nil
}

// patchRule replaces one rule, and moves it if the body has a position. The rule keeps
// its ID. It keeps its ref if the body has none.
func (c *resourceCall) patchRule() (reply, *Error) {
	r, rules, at, err := c.oneRule()
	if err != nil {
		return reply{}, err
	}
	former, _ := rules[at].(map[string]any)
	body, position, err := c.ruleBody()
	if err != nil {
		return reply{}, err
	}
	if onlyMoves := len(body) == 0 || body["action"] == nil && body["expression"] == nil && position != nil; onlyMoves {
		body = copyOf(former)
	}
	if body["ref"] == nil {
		body["ref"] = former["ref"]
	}
	rule, err := c.rule(body, map[string]any{"id": former["id"]}, r)
	if err != nil {
		return reply{}, err
	}
	rest := slices.Delete(rules, at, at+1)
	to, err := place(rest, position, at)
	if err != nil {
		return reply{}, err
	}
	return c.writeRules(r, slices.Insert(rest, to, any(rule)))
}

func (c *resourceCall) deleteRule() (reply, *Error) {
	r, rules, at, err := c.oneRule()
	if err != nil {
		return reply{}, err
	}
	return c.writeRules(r, slices.Delete(rules, at, at+1))
}
