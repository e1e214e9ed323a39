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

// liveRecord is a record at Cloudflare.
type liveRecord struct {
	ID      string `json:"id"`
	Name    string `json:"name"`
	Type    string `json:"type"`
	Content string `json:"content"`
}

// records are those of a zone.
func (w *world) records(ctx context.Context, zone string) ([]liveRecord, error) {
	var all []liveRecord
	err := w.admin(ctx, http.MethodGet, "/zones/"+w.sim.Zones[zone]+"/records", "", &all)
	return all, err
}

// ids are the IDs of a zone's records, by name relative to the zone.
func (w *world) ids(ctx context.Context, zone string) (map[string]string, error) {
	all, err := w.records(ctx, zone)
	out := make(map[string]string, len(all))
	for _, r := range all {
		out[strings.TrimSuffix(r.Name, "."+zone)] = r.ID
	}
	return out, err
}

// dashboardEdit changes a record's content as someone in the dashboard does.
func (w *world) dashboardEdit(ctx context.Context, zone, id, content string) error {
	return w.admin(ctx, http.MethodPatch, "/zones/"+w.sim.Zones[zone]+"/records/"+id, fmt.Sprintf(`{"content":%q}`, content), nil)
}

// admin calls the simulator's administration, which has no latency, no limit and
// no log.
func (w *world) admin(ctx context.Context, method, path, body string, out any) error {
	req, err := http.NewRequestWithContext(ctx, method, w.sim.AdminURL+path, strings.NewReader(body))
	if err != nil {
		return fmt.Errorf("cannot ask the simulator: %w", err)
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return fmt.Errorf("cannot ask the simulator: %w", err)
	}
	defer func() { _ = resp.Body.Close() }() // was only read
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
