// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func testSeries() series {
	return series{Date: "2026-01-02", Revision: "abc", Machine: "a machine", Load: 0.5, IntervalSeconds: 60, Points: []point{
		{Connector: connectorProvider, Records: 100, Ready: 100, SecondsToReady: 4.5, CallsPerMinute: 1},
		{Connector: connectorPlain, Records: 100, Ready: 60, CutAfterSeconds: 180, CallsPerMinute: 300, RefusedPerMinute: 60},
	}}
}

func TestPointOf(t *testing.T) {
	s := size{scaleLimit: 3 * time.Minute, scaleRest: 2 * time.Minute}
	rest := calls{{status: 200}, {status: 200}, {status: 429}, {status: 200}}
	for _, c := range []struct {
		reason string
		c      creation
		want   point
	}{
		{
			"all became Ready",
			creation{n: 10, ready: 10, took: 1500 * time.Millisecond},
			point{Connector: "x", Records: 10, Ready: 10, SecondsToReady: 1.5, CallsPerMinute: 2, RefusedPerMinute: 0.5},
		},
		{
			"a run that was cut has no time to the last Ready",
			creation{n: 10, ready: 3, cut: true, took: 3 * time.Minute},
			point{Connector: "x", Records: 10, Ready: 3, CutAfterSeconds: 180, CallsPerMinute: 2, RefusedPerMinute: 0.5},
		},
	} {
		if diff := cmp.Diff(c.want, pointOf("x", c.c, rest, s)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.reason, diff)
		}
	}
}

// TestSeries checks that a document shows the same charts if another run had the case.
func TestSeries(t *testing.T) {
	path := filepath.Join(t.TempDir(), "assets", "benchmarks.json")
	if s, err := readSeries(path); err != nil || s.charts("x") != "" {
		t.Errorf("without figures there are charts %q, error %v", s.charts("x"), err)
	}
	if err := testSeries().write(path); err != nil {
		t.Fatal(err)
	}
	got, err := readSeries(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(testSeries(), got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if err := os.WriteFile(path, []byte(`{"pionts":[]}`), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := readSeries(path); err == nil {
		t.Error("a name that is none is taken")
	}
}

func TestScaleRows(t *testing.T) {
	b := &bench{size: fullSize()}
	b.scaleRows(testSeries())
	got := b.details()
	for _, want := range []string{
		"- 100 Records, first apply to last Ready: 4.50 s (baseline: cut after 180 s: 60 Ready)\n",
		"- Cloudflare API calls per minute at rest, 100 Records: 1.0 (baseline: 300.0, 60.0 of them answered 429)\n",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("the table does not have %q:\n%s", want, got)
		}
	}
}

// TestPageShowsTheCharts compares the page with the figures from which its charts are
// drawn.
func TestPageShowsTheCharts(t *testing.T) {
	s, err := readSeries(filepath.Join("..", "..", "docs", "assets", "benchmarks.json"))
	if err != nil {
		t.Fatal(err)
	}
	page, err := os.ReadFile(filepath.Join("..", "..", "docs", "reference", "benchmarks.md"))
	if err != nil {
		t.Fatal(err)
	}
	if want := s.charts("../assets"); want == "" || !strings.Contains(string(page), want) {
		t.Errorf("docs/reference/benchmarks.md does not have what its figures say:\n%s", want)
	}
}

// TestScaleIsASeries checks that a chart has enough points to show a shape.
func TestScaleIsASeries(t *testing.T) {
	if s := fullSize(); len(s.scale) < 4 || s.scaleRest < 2*s.interval {
		t.Errorf("the full run has %v for %s: want four sizes, each for two looks at drift", s.scale, s.scaleRest)
	}
}
