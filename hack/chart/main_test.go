// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const assets = "../../docs/assets"

// TestChartsAreNotStale redraws the charts that the documentation shows.
func TestChartsAreNotStale(t *testing.T) {
	s, err := read(filepath.Join(assets, "benchmarks.json"))
	if err != nil {
		t.Fatal(err)
	}
	sizes := map[string]int{}
	for _, p := range s.Points {
		sizes[p.Connector]++
	}
	if sizes[provider] < 4 || sizes[plain] != sizes[provider] {
		t.Errorf("points by connector: %v; want both at four sizes or more", sizes)
	}
	for _, c := range charts() {
		want, err := c.draw(s)
		if err != nil {
			t.Fatalf("%s: %v", c.file, err)
		}
		got, err := os.ReadFile(filepath.Join(assets, c.file))
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got, want) {
			t.Errorf("%s does not show docs/assets/benchmarks.json: run 'make charts' and commit it", c.file)
		}
	}
}

func figures() series {
	return series{Date: "2026-01-02", Revision: "abc123", Points: []point{
		{Connector: provider, Records: 10, Ready: 10, SecondsToReady: 2, CallsPerMinute: 1},
		{Connector: plain, Records: 10, Ready: 10, SecondsToReady: 3, CallsPerMinute: 10},
		{Connector: provider, Records: 1000, Ready: 1000, SecondsToReady: 20, CallsPerMinute: 1},
		{Connector: plain, Records: 1000, Ready: 7, CutAfterSeconds: 180, CallsPerMinute: 900, RefusedPerMinute: 660},
	}}
}

func TestDraw(t *testing.T) {
	for i, says := range [][]string{{"revision abc123 of 2026-01-02", ">10<", ">1000<", "660 refused", "(240)"}, {"revision abc123 of 2026-01-02", "stopped: 7 Ready"}} {
		c := charts()[i]
		drawn, err := c.draw(figures())
		if err != nil {
			t.Fatalf("%s: %v", c.file, err)
		}
		for _, text := range append(says, "provider-cloudflare", "plain connector") {
			if !strings.Contains(string(drawn), text) {
				t.Errorf("%s does not say %q", c.file, text)
			}
		}
		if again, err := c.draw(figures()); err != nil || !bytes.Equal(drawn, again) {
			t.Errorf("%s is another one each time (%v)", c.file, err)
		}
		if _, err := c.draw(series{}); err == nil {
			t.Errorf("%s shows nothing and says nothing", c.file)
		}
		nothing := figures()
		nothing.Points[0].CallsPerMinute, nothing.Points[0].SecondsToReady = 0, 0
		if _, err := c.draw(nothing); err == nil {
			t.Errorf("%s takes a zero, which has no place on its scale", c.file)
		}
	}
}

func TestRead(t *testing.T) {
	for text, fine := range map[string]bool{`{"revision":"abc"}`: true, `{"revison":"abc"}`: false, `no`: false} {
		path := filepath.Join(t.TempDir(), "figures.json")
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := read(path); (err == nil) != fine {
			t.Errorf("%s: %v", text, err)
		}
	}
}
