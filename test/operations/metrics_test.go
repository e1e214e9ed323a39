// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package operations

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// A documented is a metric in a row of docs/reference/metrics.md: name, type, labels, unit,
// meaning.
type documented struct {
	kind   string
	labels []string
	unit   string
}

// document returns the rows of the tables in docs/reference/metrics.md whose first cell is the
// name of a metric, or the prefix of a family with an asterisk.
func document(t *testing.T) (metrics map[string]documented, families []string) {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join(repository, "docs", "reference", "metrics.md"))
	if err != nil {
		t.Fatal(err)
	}
	metrics = map[string]documented{}
	for line := range strings.Lines(string(raw)) {
		cells := strings.Split(strings.Trim(strings.TrimSpace(line), "|"), "|")
		for i := range cells {
			cells[i] = strings.TrimSpace(cells[i])
		}
		name := strings.Trim(cells[0], "`")
		if name == cells[0] || len(cells) < 2 {
			continue
		}
		if family, ok := strings.CutSuffix(name, "*"); ok {
			families = append(families, family)
			continue
		}
		if len(cells) != 5 || cells[4] == "" {
			t.Errorf("%s: %d cells, want name, type, labels, unit and meaning", name, len(cells))
			continue
		}
		if _, ok := metrics[name]; ok {
			t.Errorf("%s is documented twice", name)
		}
		var labels []string
		for _, l := range strings.Split(cells[2], ",") {
			if l = strings.Trim(strings.TrimSpace(l), "`"); l != "" {
				labels = append(labels, l)
			}
		}
		slices.Sort(labels)
		metrics[name] = documented{kind: cells[1], labels: labels, unit: cells[3]}
	}
	return metrics, families
}

// unitOf returns the unit that the end of a name shows.
func unitOf(name string) string {
	name = strings.TrimSuffix(name, "_total")
	for _, u := range []string{"seconds", "bytes"} {
		if strings.HasSuffix(name, "_"+u) {
			return u
		}
	}
	return ""
}

func TestEveryMetricIsDocumented(t *testing.T) {
	metrics, prefixes := document(t)
	_, exported := read(t, shared.after)
	isOf := func(name string) func(string) bool {
		return func(prefix string) bool { return strings.HasPrefix(name, prefix) }
	}
	used := map[string]bool{}
	for name, f := range exported {
		doc, ok := metrics[name]
		if !ok {
			i := slices.IndexFunc(prefixes, isOf(name))
			if own := strings.HasPrefix(name, "cloudflare_") || strings.HasPrefix(name, "crossplane_"); i < 0 || own {
				t.Errorf("%s is exported, and docs/reference/metrics.md does not say what it is", name)
				continue
			}
			used[prefixes[i]] = true
			continue
		}
		slices.Sort(f.labels)
		if doc.kind != string(f.kind) || !slices.Equal(doc.labels, f.labels) {
			t.Errorf("%s is a %s with labels %v, docs/reference/metrics.md says a %s with %v", name, f.kind, f.labels, doc.kind, doc.labels)
		}
		if u := unitOf(name); u != "" && doc.unit != u {
			t.Errorf("%s is in %s, docs/reference/metrics.md says %q", name, u, doc.unit)
		}
		if f.help == "" {
			t.Errorf("%s does not say what it is itself", name)
		}
	}
	for name := range metrics {
		if exported[name] == nil {
			t.Errorf("docs/reference/metrics.md has %s, which is not exported", name)
		}
	}
	for _, prefix := range prefixes {
		if !used[prefix] {
			t.Errorf("docs/reference/metrics.md has the family %s*, of which nothing is exported", prefix)
		}
	}
}
