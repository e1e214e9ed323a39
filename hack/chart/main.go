// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

// Command chart draws the measurements of make bench: calls per minute and the time to
// Ready against the number of Records, for the provider and the plain connector.
//
//	chart --data docs/assets/benchmarks.json
//
// It writes benchmark-calls.svg and benchmark-ready.svg beside the figures. The same
// figures produce the same bytes, so that a test can compare the charts with them.
package main

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
)

func main() {
	data := flag.String("data", "docs/assets/benchmarks.json", "the figures, as make bench writes them")
	flag.Parse()
	if err := run(*data); err != nil {
		fmt.Fprintln(os.Stderr, "chart:", err)
		os.Exit(1)
	}
}

func run(data string) error {
	s, err := read(data)
	if err != nil {
		return err
	}
	for _, c := range charts() {
		drawn, err := c.draw(s)
		if err != nil {
			return fmt.Errorf("cannot draw %s: %w", c.file, err)
		}
		if err := os.WriteFile(filepath.Join(filepath.Dir(data), c.file), drawn, 0o644); err != nil { //nolint:gosec // Documentation is for everybody.
			return fmt.Errorf("cannot write a chart: %w", err)
		}
	}
	return nil
}

// A series is the measurements of make bench (test/bench/series.go).
type series struct {
	Date            string  `json:"date"`
	Revision        string  `json:"revision"`
	Machine         string  `json:"machine"`
	Load            float64 `json:"loadAverageBefore"`
	IntervalSeconds float64 `json:"intervalSeconds"`
	Points          []point `json:"points"`
}

type point struct {
	Connector        string  `json:"connector"`
	Records          int     `json:"records"`
	Ready            int     `json:"ready"`
	SecondsToReady   float64 `json:"secondsToReady"`
	CutAfterSeconds  float64 `json:"cutAfterSeconds"`
	CallsPerMinute   float64 `json:"callsPerMinute"`
	RefusedPerMinute float64 `json:"refusedPerMinute"`
}

// read refuses unknown fields: a renamed figure would be drawn as zero.
func read(path string) (s series, err error) {
	raw, err := os.ReadFile(path)
	if err != nil {
		return s, fmt.Errorf("cannot read the figures: %w", err)
	}
	d := json.NewDecoder(bytes.NewReader(raw))
	d.DisallowUnknownFields()
	if err := d.Decode(&s); err != nil {
		return s, fmt.Errorf("cannot read the figures: %w", err)
	}
	return s, nil
}
