// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestSpread(t *testing.T) {
	tests := []struct {
		reason string
		values []float64
		mean   float64
		want   string
	}{
		{"nothing was measured", nil, 0, "not measured"},
		{"one run has no range", []float64{80.25}, 80.25, "80.2/s"},
		{"the range is of the runs, in whatever order", []float64{90, 70, 80}, 80, "80.0/s (70.0/s to 90.0/s)"},
	}
	for _, tc := range tests {
		if got := mean(tc.values); got != tc.mean {
			t.Errorf("%s: the mean is %v, want %v", tc.reason, got, tc.mean)
		}
		if got := spread(tc.values, "%.1f/s"); got != tc.want {
			t.Errorf("%s: got %q, want %q", tc.reason, got, tc.want)
		}
	}
}

func TestTurns(t *testing.T) {
	tests := []struct {
		rounds int
		want   []bool
	}{
		{1, []bool{false, true, false}},
		{2, []bool{false, true, false, true, false}},
	}
	for _, tc := range tests {
		if diff := cmp.Diff(tc.want, turns(tc.rounds)); diff != "" {
			t.Errorf("%d rounds (-want +got):\n%s", tc.rounds, diff)
		}
	}
	for _, s := range []size{fullSize(), quickSize()} {
		if s.rounds < 1 {
			t.Error("a run without the provider has no ratio")
		}
	}
}

func TestJudgeRatio(t *testing.T) {
	at := func(rates ...float64) paces {
		var out paces
		for _, r := range rates {
			out = append(out, pace{rate: r, server: 12 * time.Millisecond, requests: 3, bytes: 3400})
		}
		return out
	}
	tests := []struct {
		reason       string
		ours, fewest paces
		want         string
	}{
		{
			"the mean of all runs counts, not the best", at(90, 100), at(90, 100, 110),
			"0.95 (the provider 95.0/s (90.0/s to 100.0/s), the fewest requests 100.0/s (90.0/s to 110.0/s)), met",
		},
		{"just below the target", at(94.9), at(100), "0.94 (the provider 94.9/s, the fewest requests 100.0/s), missed"},
		{"as fast", at(100), at(100), "1.00 (the provider 100.0/s, the fewest requests 100.0/s), met"},
		{"nothing to hold it against", at(100), nil, "0.00 (the provider 100.0/s, the fewest requests not measured), missed"},
		{"no run of the provider", nil, at(100), "0.00 (the provider not measured, the fewest requests 100.0/s), missed"},
	}
	for _, tc := range tests {
		tab := &table{}
		tab.judgeRatio(3000, tc.ours, tc.fewest)
		if len(tab.rows) != 3 || tab.rows[0].target != ">= 0.95 (goal 1.00)" {
			t.Fatalf("%s: rows %+v", tc.reason, tab.rows)
		}
		if got := tab.rows[0].reached; got != tc.want {
			t.Errorf("%s: got %q, want %q", tc.reason, got, tc.want)
		}
	}
	tab := &table{}
	tab.judgeRatio(3000, at(80), at(100))
	if got, want := tab.rows[1].reached, "the provider 12.0 ms, the fewest requests 12.0 ms"; got != want {
		t.Errorf("CPU of kube-apiserver: got %q, want %q", got, want)
	}
	if got, want := tab.rows[2].reached, "the provider 3.00, the fewest requests 3.00"; got != want {
		t.Errorf("requests: got %q, want %q", got, want)
	}
}

func TestJudgeMemory(t *testing.T) {
	tests := []struct {
		resident int64
		want     string
	}{
		{200_000_000, "200 MB (peak 210 MB), met"},
		{200_400_000, "200 MB (peak 210 MB), missed"},
	}
	for _, tc := range tests {
		tab := &table{}
		judgeMemory(tab, caseRestart, "RSS", memory{resident: tc.resident, peak: 210_000_000}, mostRSS)
		if r := tab.rows[0]; r.kind != caseRestart || r.target != "<= 200 MB" || r.reached != tc.want {
			t.Errorf("%d bytes: %+v, want %q", tc.resident, r, tc.want)
		}
	}
}
