// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package operations

import (
	"bytes"
	"encoding/json"
	"math"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/prometheus/model/labels"
	"github.com/prometheus/prometheus/promql"
	"github.com/prometheus/prometheus/storage"
)

// A dashboard has the parts of a Grafana dashboard that the tests read.
type dashboard struct {
	Templating struct {
		List []struct {
			Name, Type string
			Definition string
		}
	}
	Panels []struct {
		ID                       int
		Type, Title, Description string
		GridPos                  struct{ H, W, X, Y int }
		Targets                  []struct{ RefID, Expr, LegendFormat string }
	}
}

func readDashboard(t *testing.T) dashboard {
	t.Helper()
	raw, err := os.ReadFile(monitoring("dashboard.json"))
	if err != nil {
		t.Fatal(err)
	}
	var d dashboard
	if err := json.NewDecoder(bytes.NewReader(raw)).Decode(&d); err != nil {
		t.Fatal(err)
	}
	if len(d.Panels) == 0 || len(d.Templating.List) == 0 {
		t.Fatal("the dashboard is empty")
	}
	return d
}

// variable matches a query variable: the values of a label of a metric.
var variable = regexp.MustCompile(`^label_values\((.+), (\w+)\)$`)

// choose returns a replacer of the dashboard's variables by their value for All in Grafana: the
// results of their queries among the series, as one regular expression.
func choose(t *testing.T, d dashboard) *strings.Replacer {
	t.Helper()
	chosen := []string{"$__rate_interval", "5m"}
	scrapes, metrics := stored(t), known(t, shared.after)
	for _, v := range d.Templating.List {
		if v.Type == "datasource" {
			continue
		}
		m := variable.FindStringSubmatch(v.Definition)
		if m == nil {
			t.Fatalf("variable %s: no label_values(metric, label): %s", v.Name, v.Definition)
		}
		query := strings.NewReplacer(chosen...).Replace(m[1])
		check(t, "variable "+v.Name, query, metrics)
		q, err := engine(t).NewInstantQuery(t.Context(), scrapes, nil, query, time.Unix(60*(minutes-1), 0))
		if err != nil {
			t.Fatal(err)
		}
		found, err := q.Exec(t.Context()).Vector()
		if err != nil {
			t.Fatal(err)
		}
		var values []string
		for _, s := range found {
			if value := regexp.QuoteMeta(s.Metric.Get(m[2])); value != "" && !slices.Contains(values, value) {
				values = append(values, value)
			}
		}
		if len(values) == 0 {
			t.Errorf("variable %s: nothing to choose from", v.Name)
		}
		// Grafana escapes a backslash in a PromQL string.
		chosen = append(chosen, "$"+v.Name, strings.ReplaceAll("("+strings.Join(values, "|")+")", `\`, `\\`))
	}
	return strings.NewReplacer(chosen...)
}

func TestEveryPanelShowsSomething(t *testing.T) {
	d := readDashboard(t)
	values, scrapes, metrics := choose(t, d), stored(t), known(t, shared.after)
	for _, p := range d.Panels {
		if p.Type == "row" {
			continue
		}
		if len(p.Targets) == 0 {
			t.Errorf("%s: nothing is asked for", p.Title)
		}
		for _, target := range p.Targets {
			what := p.Title + " " + target.RefID
			query := values.Replace(target.Expr)
			if strings.Contains(query, "$") {
				t.Errorf("%s: a variable that is none: %s", what, query)
			}
			check(t, what, query, metrics)
			shown := show(t, scrapes, query)
			if len(shown) == 0 {
				t.Errorf("%s: no data for %s", what, query)
			}
			for _, l := range legend.FindAllStringSubmatch(target.LegendFormat, -1) {
				if !slices.ContainsFunc(shown, func(m labels.Labels) bool { return m.Has(l[1]) }) {
					t.Errorf("%s: the legend has %s, the series do not", what, l[1])
				}
			}
		}
	}
}

var legend = regexp.MustCompile(`{{(\w+)}}`)

// show returns the labels of the series for which a query returns a number.
func show(t *testing.T, scrapes storage.Queryable, query string) []labels.Labels {
	t.Helper()
	q, err := engine(t).NewRangeQuery(t.Context(), scrapes, nil, query, time.Unix(60*(minutes/2), 0), time.Unix(60*(minutes-1), 0), time.Minute)
	if err != nil {
		t.Error(err)
		return nil
	}
	found, err := q.Exec(t.Context()).Matrix()
	if err != nil {
		t.Error(err)
		return nil
	}
	var out []labels.Labels
	for _, s := range found {
		if slices.ContainsFunc(s.Floats, func(p promql.FPoint) bool { return !math.IsNaN(p.F) }) {
			out = append(out, s.Metric)
		}
	}
	return out
}

// TestPanelsDoNotOverlap checks that each panel has a title and a place of its own.
func TestPanelsDoNotOverlap(t *testing.T) {
	taken, ids := map[[2]int]string{}, map[int]bool{}
	for _, p := range readDashboard(t).Panels {
		if p.Title == "" || ids[p.ID] || p.GridPos.W == 0 || p.GridPos.X+p.GridPos.W > 24 {
			t.Errorf("panel %d %q at %+v", p.ID, p.Title, p.GridPos)
		}
		ids[p.ID] = true
		for x := range p.GridPos.W {
			for y := range p.GridPos.H {
				at := [2]int{p.GridPos.X + x, p.GridPos.Y + y}
				if other := taken[at]; other != "" {
					t.Fatalf("%q lies on %q", p.Title, other)
				}
				taken[at] = p.Title
			}
		}
	}
}
