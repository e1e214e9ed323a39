// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
)

const phase = "http_request_firewall_custom"

// foreignRule returns a rule of another owner in the phase, with a field that no client knows.
func foreignRule() map[string]any {
	return map[string]any{
		"description": "Made in the dashboard", "expression": "ip.src eq 203.0.113.7", "action": "block", "x_future": map[string]any{"kept": true},
	}
}

// sharePhase adds a rule beside one of another owner, and removes it again.
func (s *stage) sharePhase(ctx context.Context) error {
	rulesets := "/resources/zones/" + s.sim.Zones[zoneName] + "/rulesets"
	var made struct {
		ID string `json:"id"`
	}
	body := map[string]any{"name": "default", "kind": "zone", "phase": phase, "rules": []any{foreignRule()}}
	if err := s.sim.Admin(ctx, http.MethodPost, rulesets, body, &made); err != nil {
		return err
	}
	before, err := s.rules(ctx, rulesets+"/"+made.ID)
	if err != nil {
		return err
	}
	s.say("In the dashboard: the zone's firewall has a rule already\n")
	if err := s.kubectl(ctx); err != nil {
		return err
	}
	if err := s.kubectl(ctx); err != nil {
		return err
	}
	if err := s.onlyAdded(ctx, rulesets+"/"+made.ID, before, 1); err != nil {
		return err
	}
	if err := s.kubectl(ctx); err != nil {
		return err
	}
	return s.onlyAdded(ctx, rulesets+"/"+made.ID, before, 0)
}

// rules returns the rules of a ruleset, byte for byte.
func (s *stage) rules(ctx context.Context, ruleset string) ([]json.RawMessage, error) {
	var now struct {
		Rules []json.RawMessage `json:"rules"`
	}
	err := s.sim.Admin(ctx, http.MethodGet, ruleset, nil, &now)
	return now.Rules, err
}

// onlyAdded shows the rules of a ruleset. It fails unless they are those before, unchanged, and
// as many more.
func (s *stage) onlyAdded(ctx context.Context, ruleset string, before []json.RawMessage, more int) error {
	now, err := s.rules(ctx, ruleset)
	if err != nil {
		return err
	}
	if err := added(before, now, more); err != nil {
		return err
	}
	descriptions, err := described(now)
	if err != nil {
		return err
	}
	s.say("At Cloudflare the rules are: %s\nThe rule of somebody else has not changed by a byte\n", strings.Join(descriptions, ", "))
	return nil
}

// added returns an error unless now has the elements of before, unchanged, and as many more.
func added(before, now []json.RawMessage, more int) error {
	if len(now) != len(before)+more {
		return fmt.Errorf("there are %d rules, want %d", len(now), len(before)+more)
	}
	for i, rule := range before {
		if !bytes.Equal(rule, now[i]) {
			return fmt.Errorf("the foreign rule is %s, want %s", now[i], rule)
		}
	}
	return nil
}

// described returns the rules' descriptions, as the dashboard shows them.
func described(rules []json.RawMessage) ([]string, error) {
	out := make([]string, 0, len(rules))
	for _, raw := range rules {
		var rule struct {
			Description string `json:"description"`
		}
		if err := json.Unmarshal(raw, &rule); err != nil {
			return nil, fmt.Errorf("cannot read a rule: %w", err)
		}
		out = append(out, fmt.Sprintf("%q", rule.Description))
	}
	return out, nil
}
