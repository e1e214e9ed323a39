// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
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

// records returns the DNS records of a zone.
func (w *world) records(ctx context.Context, zone string) ([]liveRecord, error) {
	var all []liveRecord
	err := w.sim.Admin(ctx, http.MethodGet, w.sim.RecordsPath(zone), nil, &all)
	return all, err
}

// ids returns the IDs of a zone's records by their names relative to the zone.
func (w *world) ids(ctx context.Context, zone string) (map[string]string, error) {
	all, err := w.records(ctx, zone)
	out := make(map[string]string, len(all))
	for _, r := range all {
		out[strings.TrimSuffix(r.Name, "."+zone)] = r.ID
	}
	return out, err
}

// dashboardEdit changes a record's content, as a user of the dashboard does.
func (w *world) dashboardEdit(ctx context.Context, zone, id, content string) error {
	return w.sim.Edit(ctx, zone, id, map[string]any{"content": content})
}
