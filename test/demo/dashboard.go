// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
)

// liveRecord is a DNS record at Cloudflare.
type liveRecord struct {
	ID      string `json:"id"`
	Name    string `json:"name"`
	Content string `json:"content"`
}

// dashboard does to a record what someone in Cloudflare's dashboard would.
func (s *stage) dashboard(ctx context.Context, method, id, body string) error {
	return s.admin(ctx, method, "/zones/"+s.sim.Zones[zoneName]+"/records/"+id, body, nil)
}

func (s *stage) records(ctx context.Context) ([]liveRecord, error) {
	var all []liveRecord
	err := s.admin(ctx, http.MethodGet, "/zones/"+s.sim.Zones[zoneName]+"/records", "", &all)
	return all, err
}

func (s *stage) exists(ctx context.Context, id string) (bool, error) {
	all, err := s.records(ctx)
	for _, r := range all {
		if r.ID == id {
			return true, err
		}
	}
	return false, err
}

func (s *stage) liveRecord(ctx context.Context, id string) (liveRecord, error) {
	all, err := s.records(ctx)
	if err != nil {
		return liveRecord{}, err
	}
	for _, r := range all {
		if r.ID == id {
			return r, nil
		}
	}
	return liveRecord{}, fmt.Errorf("there is no record %q at Cloudflare", id)
}

// calls counts the API calls by method, route and outcome.
func (s *stage) calls(ctx context.Context) (map[string]int, error) {
	var log []struct {
		Method string `json:"method"`
		Route  string `json:"route"`
		Status int    `json:"status"`
	}
	if err := s.admin(ctx, http.MethodGet, "/log", "", &log); err != nil {
		return nil, err
	}
	out := map[string]int{}
	for _, l := range log {
		out[fmt.Sprintf("%-6s %s -> %d", l.Method, l.Route, l.Status)]++
	}
	return out, nil
}

// admin calls the simulator's administration, which is no part of the API.
func (s *stage) admin(ctx context.Context, method, path, body string, out any) error {
	req, err := http.NewRequestWithContext(ctx, method, s.sim.AdminURL+path, strings.NewReader(body))
	if err != nil {
		return fmt.Errorf("cannot ask the simulator: %w", err)
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return fmt.Errorf("cannot ask the simulator: %w", err)
	}
	defer func() { _ = resp.Body.Close() }()
	raw, err := io.ReadAll(resp.Body)
	if err != nil {
		return fmt.Errorf("cannot read the simulator's answer: %w", err)
	}
	if resp.StatusCode >= http.StatusMultipleChoices {
		return fmt.Errorf("the simulator says %s: %s", resp.Status, raw)
	}
	if out == nil {
		return nil
	}
	if err := json.Unmarshal(raw, out); err != nil {
		return fmt.Errorf("cannot understand the simulator: %w", err)
	}
	return nil
}
