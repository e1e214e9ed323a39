// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"fmt"
	"net/http"
)

// liveRecord is a DNS record at Cloudflare.
type liveRecord struct {
	ID      string `json:"id"`
	Name    string `json:"name"`
	Content string `json:"content"`
}

func (s *stage) records(ctx context.Context) ([]liveRecord, error) {
	var all []liveRecord
	err := s.sim.Admin(ctx, http.MethodGet, s.sim.RecordsPath(zoneName), nil, &all)
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
	if err := s.sim.Admin(ctx, http.MethodGet, "/log", nil, &log); err != nil {
		return nil, err
	}
	out := map[string]int{}
	for _, l := range log {
		out[fmt.Sprintf("%-6s %s -> %d", l.Method, l.Route, l.Status)]++
	}
	return out, nil
}
