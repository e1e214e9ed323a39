// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/alecthomas/kong"
	"github.com/google/go-cmp/cmp"
)

func TestPercentile(t *testing.T) {
	hundred := make([]time.Duration, 100)
	for i := range hundred {
		hundred[99-i] = time.Duration(i + 1) // backwards
	}
	tests := []struct {
		reason string
		values []time.Duration
		p      float64
		want   time.Duration
	}{
		{"nothing was measured", nil, 99, 0},
		{"one value is every percentile", []time.Duration{7}, 1, 7},
		{"the median of an even number is the lower one", []time.Duration{4, 1, 3, 2}, 50, 2},
		{"p99 of a hundred leaves one above", hundred, 99, 99},
		{"p99 of fifty is the largest", hundred[50:], 99, 50},
		{"all", hundred, 100, 100},
		{"a fraction of a rank is the next one", []time.Duration{1, 2, 3}, 34, 2},
	}
	for _, tc := range tests {
		if got := percentile(tc.values, tc.p); got != tc.want {
			t.Errorf("%s: got %d, want %d", tc.reason, got, tc.want)
		}
	}
	if hundred[0] != 100 {
		t.Error("percentile has sorted its caller's values")
	}
}

func TestExpectedPolls(t *testing.T) {
	tests := []struct {
		reason   string
		from, to time.Duration
		want     float64
	}{
		{"nothing polls before nine tenths of the hour", 0, 54 * time.Minute, 0},
		{"half of them by the hour", 0, time.Hour, 500},
		{"all of them in eleven tenths", 0, 66 * time.Minute, 1000},
		{"none twice", 0, 70 * time.Minute, 1000},
		{"a part of the time", 57 * time.Minute, time.Hour, 250},
		{"when all have", 66 * time.Minute, 70 * time.Minute, 0},
	}
	for _, tc := range tests {
		if got := expectedPolls(1000, tc.from, tc.to); got != tc.want {
			t.Errorf("%s: got %v, want %v", tc.reason, got, tc.want)
		}
	}
}

func TestPrintedTimes(t *testing.T) {
	tests := []struct{ got, want string }{
		{seconds(53 * time.Millisecond), "53 ms"},
		{seconds(9310 * time.Millisecond), "9.31 s"},
		{seconds(90 * time.Second), "90.0 s"},
		{span(10 * time.Minute), "10 min"},
		{span(90 * time.Second), "90 s"},
		{span(50 * time.Millisecond), "50ms"},
		{fmt.Sprint(perSecond(300, 2*time.Second)), "150"},
		{fmt.Sprint(perSecond(300, 0)), "0"},
		{megabytes(62_400_000), "62 MB"},
	}
	for _, tc := range tests {
		if tc.got != tc.want {
			t.Errorf("got %q, want %q", tc.got, tc.want)
		}
	}
}

func testTable() *table {
	t := &table{}
	t.judge("create", "calls", "<= 80", "73", true)
	t.judge("create", "rate", ">= 90/s", "12/s", false)
	t.add("create", "a|b", "4")
	t.compare("calls", "9000")
	t.compare("only there", "1")
	t.fail("bad", errors.New("no\nanswer"))
	return t
}

func TestTableText(t *testing.T) {
	want := `| case   | measure          | target  | reached      | baseline |
| ------ | ---------------- | ------- | ------------ | -------- |
| create | calls            | <= 80   | 73, met      | 9000 |
| create | rate             | >= 90/s | 12/s, missed | - |
| create | a|b              | -       | 4            | - |
| create | only there       | -       | -            | 1 |
| bad    | could not be run | runs    | no; answer   | - |
`
	if diff := cmp.Diff(want, testTable().text()); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

func TestTableMarkdown(t *testing.T) {
	want := `| case | measure | target | reached | baseline |
|---|---|---|---|---|
| create | calls | <= 80 | 73, met | 9000 |
| create | rate | >= 90/s | 12/s, missed | - |
| bad | could not be run | runs | no; answer | - |
`
	if diff := cmp.Diff(want, testTable().markdown()); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

func TestDocument(t *testing.T) {
	b := &bench{flags: &flags{Quick: true, Cases: []string{"create", "bad"}, ProviderArgs: "--poll 2h"}, size: quickSize(), table: *testTable()}
	b.table.note("bad", "%d calls", 7)
	d := b.document(testSeries().charts("../assets"), "../assets/details.txt")
	for _, text := range []string{
		"`make bench-quick BENCHARGS='--cases create,bad --provider-args=\"--poll 2h\"'`",
		"This is the quick run", "| create | rate | >= 90/s | 12/s, missed | - |", "](../assets/details.txt)", mix,
		"The fewest requests are those", "at\nrevision abc on", "](../assets/benchmark-calls.svg)",
	} {
		if !strings.Contains(d, text) {
			t.Errorf("the document does not say %q:\n%s", text, d)
		}
	}
	if got := b.details(); !strings.HasSuffix(got, ".\n\ncreate\n\n- a|b: 4\n- only there: - (baseline: 1)\n\nbad\n\n- 7 calls\n") {
		t.Errorf("the details have something else than the one case with details:\n%s", got)
	}
	b.flags = &flags{}
	if d := b.document("", ""); !strings.Contains(d, "written by `make bench`.") || strings.Contains(d, "quick run") {
		t.Errorf("the full run's document:\n%s", d)
	}
}

func TestFlags(t *testing.T) {
	tests := []struct {
		reason, args string
		ok           bool
		create, bad  bool
	}{
		{"all cases by default", "", true, true, true},
		{"one case", "--cases create", true, true, false},
		{"several", "--cases=bad,drift", true, false, true},
		{"a case that is none", "--cases create,speed", false, false, false},
	}
	for _, tc := range tests {
		f := &flags{}
		p, err := kong.New(f, kong.Exit(func(int) { t.Error("the parser ended the process") }))
		if err != nil {
			t.Fatal(err)
		}
		_, err = p.Parse(append(strings.Fields(tc.args), "--bin=.", "--baseline=pure_test.go", "--minimal=pure_test.go"))
		if (err == nil) != tc.ok {
			t.Errorf("%s: %v", tc.reason, err)
			continue
		}
		if tc.ok && (f.wants(caseCreate) != tc.create || f.wants(caseDrift, caseBad) != tc.bad) {
			t.Errorf("%s: wants %t, %t", tc.reason, f.wants(caseCreate), f.wants(caseDrift, caseBad))
		}
	}
}

func TestParseStatus(t *testing.T) {
	tests := []struct {
		reason, status string
		want           memory
		ok             bool
	}{
		{"kB are 1,024 bytes", "Name:\tx\nVmHWM:\t   70000 kB\nVmRSS:\t   60000 kB\n", memory{resident: 60000 * 1024, peak: 70000 * 1024}, true},
		{"a process that has ended has none", "Name:\tx\nState:\tZ (zombie)\n", memory{}, false},
		{"what is no number", "VmRSS:\tmuch\n", memory{}, false},
	}
	for _, tc := range tests {
		got, err := parseStatus(tc.status)
		if got != tc.want || (err == nil) != tc.ok {
			t.Errorf("%s: got %+v, %v", tc.reason, got, err)
		}
	}
}

func TestParseStat(t *testing.T) {
	rest := " S 41 42 42 0 -1 4194560 100 0 0 0 250 50 0 0 20 0 9 0 1 1 1"
	tests := []struct {
		reason, line string
		want         stat
		ok           bool
	}{
		{"user and system time together", "43 (provider)" + rest, stat{parent: 41, cpu: 3 * time.Second}, true},
		{"a name may hold anything", "43 (a ) 7 (b)" + rest, stat{parent: 41, cpu: 3 * time.Second}, true},
		{"too short", "43 (x) S 41", stat{}, false},
		{"no number", "43 (x) S me 42 42 0 -1 4194560 100 0 0 0 250 50 0", stat{}, false},
	}
	for _, tc := range tests {
		got, err := parseStat(tc.line)
		if got != tc.want || (err == nil) != tc.ok {
			t.Errorf("%s: got %+v, %v", tc.reason, got, err)
		}
	}
}

func TestUntil(t *testing.T) {
	unreachable := errors.New("nobody listens")
	tests := []struct {
		reason string
		yes    int // the number of the call that returns true
		says   []string
	}{
		{"an error is not the end", 3, nil},
		{"patience is", 1 << 30, []string{"the sun shines", "nobody listens"}},
	}
	for _, tc := range tests {
		synctest.Test(t, func(t *testing.T) {
			w := &world{bench: &bench{size: quickSize()}}
			calls := 0
			err := w.until(t.Context(), time.Second, "the sun shines", func(context.Context) (bool, error) {
				calls++
				if calls >= tc.yes {
					return true, nil
				}
				return false, unreachable
			})
			if (err == nil) != (tc.says == nil) {
				t.Errorf("%s: %v", tc.reason, err)
			}
			for _, s := range tc.says {
				if !strings.Contains(fmt.Sprint(err), s) {
					t.Errorf("%s: %v does not say %q", tc.reason, err, s)
				}
			}
		})
	}
}

// TestCRDPaths checks that every file exists. A missing one would stop the world only
// after minutes of other cases.
func TestCRDPaths(t *testing.T) {
	t.Chdir(filepath.Join("..", ".."))
	for _, tc := range []struct {
		reason string
		files  []string
		want   int
	}{
		{"no file is named: the folder", nil, 1},
		{"the kinds of DNS", dnsCRDs(), len(dnsCRDs())},
	} {
		paths := crdPaths(tc.files)
		if len(paths) != tc.want {
			t.Errorf("%s: %d paths, want %d", tc.reason, len(paths), tc.want)
		}
		for _, p := range paths {
			if _, err := os.Stat(p); err != nil {
				t.Errorf("%s: %v", tc.reason, err)
			}
		}
	}
}
