// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package rig

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"

	"github.com/provider-cloudflare/provider-cloudflare/test/simulator"
)

// A Simulator is a running simulator, as cfsim describes itself when it is ready.
type Simulator struct {
	URL      string `json:"url"`
	AdminURL string `json:"admin_url"`
	simulator.Seeded

	*Process `json:"-"`
}

// StartSimulator starts cfsim from a folder of programs. It writes its log to log.
func StartSimulator(ctx context.Context, bin string, args []string, log io.Writer, ended func(error)) (*Simulator, error) {
	first := NewFirstLine()
	p, err := Start(ctx, Command{Path: bin, Args: args, Stdout: first, Stderr: log}, ended)
	if err != nil {
		return nil, err
	}
	line, err := first.wait(ctx, p)
	s := &Simulator{Process: p}
	if err == nil {
		err = json.Unmarshal(line, s)
	}
	if err != nil {
		p.Kill()
		return nil, fmt.Errorf("cannot start the simulator: %w", err)
	}
	return s, nil
}

// RecordsPath returns the administration's path of a zone's records, or of one record.
func (s *Simulator) RecordsPath(zone string, id ...string) string {
	return strings.Join(append([]string{"", "zones", s.Zones[zone], "records"}, id...), "/")
}

// Edit changes a record, as a user of the dashboard does.
func (s *Simulator) Edit(ctx context.Context, zone, id string, change map[string]any) error {
	return s.Admin(ctx, http.MethodPatch, s.RecordsPath(zone, id), change, nil)
}

// An AdminError is a refusal of the simulator's administration.
type AdminError struct {
	Status int
	Text   string
}

func (e *AdminError) Error() string {
	return fmt.Sprintf("the simulator says %d: %s", e.Status, e.Text)
}

// Admin calls the simulator's administration, which has no latency, no limit and no log. body
// and out may be nil.
func (s *Simulator) Admin(ctx context.Context, method, path string, body, out any) error {
	var sent bytes.Buffer
	if body != nil {
		if err := json.NewEncoder(&sent).Encode(body); err != nil {
			return fmt.Errorf("cannot ask the simulator: %w", err)
		}
	}
	req, err := http.NewRequestWithContext(ctx, method, s.AdminURL+path, &sent)
	if err != nil {
		return fmt.Errorf("cannot ask the simulator: %w", err)
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return fmt.Errorf("cannot ask the simulator: %w", err)
	}
	defer func() { _ = resp.Body.Close() }() // for reading only
	raw, err := io.ReadAll(resp.Body)
	if err != nil {
		return fmt.Errorf("cannot read the simulator's answer: %w", err)
	}
	if resp.StatusCode >= http.StatusMultipleChoices {
		return &AdminError{Status: resp.StatusCode, Text: string(raw)}
	}
	if out == nil {
		return nil
	}
	if err := json.Unmarshal(raw, out); err != nil {
		return fmt.Errorf("cannot understand the simulator: %w", err)
	}
	return nil
}

// A RequestLog receives the simulator's log while it is written, one JSON object a line. The
// simulator waits for its receivers.
type RequestLog struct {
	request func(simulator.LoggedRequest)
	other   func(line []byte) // receives each line that is no request

	mu      sync.Mutex
	partial []byte
}

// NewRequestLog returns a RequestLog that calls request for each request, one after the other,
// and other for each other line.
func NewRequestLog(request func(simulator.LoggedRequest), other func(line []byte)) *RequestLog {
	return &RequestLog{request: request, other: other}
}

// Write implements io.Writer.
func (l *RequestLog) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.partial = append(l.partial, p...)
	for {
		line, rest, ok := bytes.Cut(l.partial, []byte("\n"))
		if !ok {
			break
		}
		var r simulator.LoggedRequest
		if err := json.Unmarshal(line, &r); err != nil {
			l.other(line)
		} else {
			l.request(r)
		}
		l.partial = rest
	}
	l.partial = bytes.Clone(l.partial) // releases what was read
	return len(p), nil
}

// AllZones returns the zones of all accounts.
func (s *Simulator) AllZones(ctx context.Context) ([]simulator.Zone, error) {
	var state struct {
		Zones []simulator.Zone `json:"zones"`
	}
	err := s.Admin(ctx, http.MethodGet, "/state", nil, &state)
	return state.Zones, err
}

// AddZone adds a zone, as a user of the dashboard does, and returns its ID.
func (s *Simulator) AddZone(ctx context.Context, account, name string) (string, error) {
	var made simulator.Zone
	err := s.Admin(ctx, http.MethodPost, "/zones", map[string]any{"account": account, "name": name}, &made)
	return made.ID, err
}
