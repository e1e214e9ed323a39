// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// The programs that [scale] measures.
const (
	connectorProvider = "provider"
	connectorPlain    = "plain"
)

func connectors() []string { return []string{connectorProvider, connectorPlain} }

// A series is the data of the charts in docs/reference/benchmarks.md (see hack/chart). It
// has the revision that was measured, which may be older than the document's.
type series struct {
	Date     string  `json:"date"`
	Revision string  `json:"revision"`
	Machine  string  `json:"machine"`
	Load     float64 `json:"loadAverageBefore"`
	// IntervalSeconds is the interval at which both look for drift.
	IntervalSeconds float64 `json:"intervalSeconds"`
	Points          []point `json:"points"`
}

// A point is one run of a connector with that many Records in one zone.
type point struct {
	Connector string `json:"connector"`
	Records   int    `json:"records"`
	Ready     int    `json:"ready"`
	// SecondsToReady is the time from the first apply to the last Ready. A run that was
	// cut has CutAfterSeconds in its place.
	SecondsToReady  float64 `json:"secondsToReady,omitempty"`
	CutAfterSeconds float64 `json:"cutAfterSeconds,omitempty"`
	// CallsPerMinute are the calls of the idle time, including the refused ones.
	CallsPerMinute   float64 `json:"callsPerMinute"`
	RefusedPerMinute float64 `json:"refusedPerMinute,omitempty"`
}

func (s series) write(path string) error {
	raw, err := json.MarshalIndent(s, "", "  ")
	if err != nil {
		return fmt.Errorf("cannot write the figures of the charts: %w", err)
	}
	return writeDocument(path, string(raw)+"\n")
}

// readSeries reads the figures of the last run that had them. It returns an empty series
// if the file does not exist.
func readSeries(path string) (s series, err error) {
	raw, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return s, nil
	}
	if err != nil {
		return s, fmt.Errorf("cannot read the figures of the charts: %w", err)
	}
	d := json.NewDecoder(bytes.NewReader(raw))
	d.DisallowUnknownFields()
	if err := d.Decode(&s); err != nil {
		return s, fmt.Errorf("cannot read the figures of the charts: %w", err)
	}
	return s, nil
}

// charts returns the part of the document that shows the charts, which are files in
// folder. It returns "" if there are no figures.
func (s series) charts(folder string) string {
	if len(s.Points) == 0 {
		return ""
	}
	return fmt.Sprintf(`
## Charts

One zone, the same Records, the provider beside the plain connector; both look for drift every %.0f s. Measured on %s at
revision %s on %s, with a load average of %.2f before the run
([figures](%[6]s/benchmarks.json)). Times to Ready depend on what else the machine does.

![Cloudflare API calls per minute at rest, by the number of Records](%[6]s/benchmark-calls.svg)

![Seconds from the first apply to the last Ready, by the number of Records](%[6]s/benchmark-ready.svg)
`, s.IntervalSeconds, s.Date, s.Revision, s.Machine, s.Load, filepath.ToSlash(folder))
}
