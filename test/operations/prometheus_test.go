// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package operations

import (
	"errors"
	"io"
	"slices"
	"testing"
	"time"

	"github.com/prometheus/common/model"
	"github.com/prometheus/prometheus/model/labels"
	"github.com/prometheus/prometheus/model/textparse"
	"github.com/prometheus/prometheus/promql"
	"github.com/prometheus/prometheus/promql/parser"
	"github.com/prometheus/prometheus/promql/promqltest"
	"github.com/prometheus/prometheus/storage"
	"github.com/prometheus/prometheus/util/teststorage"
)

// A sample is one line of a scrape, a family what its comments say.
type (
	sample struct {
		labels labels.Labels
		value  float64
	}
	family struct {
		kind   model.MetricType
		help   string
		labels []string // of its series, le and quantile aside
	}
)

// read reads a scrape with Prometheus's own parser.
func read(t *testing.T, text string) (samples []sample, families map[string]*family) {
	t.Helper()
	p, err := textparse.New([]byte(text), "text/plain", labels.NewSymbolTable(), textparse.ParserOptions{})
	if err != nil {
		t.Fatal(err)
	}
	families = map[string]*family{}
	var last *family
	of := func(name []byte) *family {
		if families[string(name)] == nil {
			families[string(name)] = &family{}
		}
		last = families[string(name)]
		return last
	}
	for {
		entry, err := p.Next()
		if errors.Is(err, io.EOF) {
			return samples, families
		}
		if err != nil {
			t.Fatal(err)
		}
		switch entry {
		case textparse.EntryHelp:
			name, help := p.Help()
			of(name).help = string(help)
		case textparse.EntryType:
			name, kind := p.Type()
			of(name).kind = kind
		case textparse.EntrySeries:
			var s sample
			_, _, s.value = p.Series()
			p.Labels(&s.labels)
			samples = append(samples, s)
			s.labels.Range(func(l labels.Label) {
				if l.Name != model.MetricNameLabel && l.Name != "le" && l.Name != "quantile" && !slices.Contains(last.labels, l.Name) {
					last.labels = append(last.labels, l.Name)
				}
			})
		}
	}
}

// target are the labels that Prometheus adds to what it scrapes from a pod.
func target() map[string]string {
	return map[string]string{
		"job": "crossplane-system/provider-cloudflare", "namespace": "crossplane-system", "pod": "provider-cloudflare-0",
		"container": "package-runtime", "endpoint": "metrics", "instance": "10.0.0.7:8080",
	}
}

// minutes is how long the scrapes of the scene are stored, one a minute.
const minutes = 15

// stored is a Prometheus that scraped the provider before and after the scene, the
// latter again and again.
func stored(t *testing.T) storage.Queryable {
	t.Helper()
	s := teststorage.New(t)
	for minute := range minutes {
		text := shared.after
		if minute < minutes/2 {
			text = shared.before
		}
		a := s.Appender(t.Context())
		samples, _ := read(t, text)
		for _, x := range samples {
			b := labels.NewBuilder(x.labels)
			for name, value := range target() {
				b.Set(name, value)
			}
			if _, err := a.Append(0, b.Labels(), time.Unix(int64(60*minute), 0).UnixMilli(), x.value); err != nil {
				t.Fatal(err)
			}
		}
		if err := a.Commit(); err != nil {
			t.Fatal(err)
		}
	}
	return s
}

func engine(t *testing.T) *promql.Engine {
	t.Helper()
	return promqltest.NewTestEngine(t, false, 5*time.Minute, 1_000_000)
}

// known are the metrics of a scrape, each with the labels its series may have.
func known(t *testing.T, text string) map[string]map[string]struct{} {
	t.Helper()
	out := map[string]map[string]struct{}{}
	samples, _ := read(t, text)
	for _, s := range samples {
		name := s.labels.Get(model.MetricNameLabel)
		if out[name] == nil {
			out[name] = map[string]struct{}{}
			for l := range target() {
				out[name][l] = struct{}{}
			}
		}
		s.labels.Range(func(l labels.Label) { out[name][l.Name] = struct{}{} })
	}
	return out
}

// check complains of a query that Prometheus does not understand, or that names a
// metric or a label which a scrape does not have.
func check(t *testing.T, what, query string, metrics map[string]map[string]struct{}) {
	t.Helper()
	expr, err := parser.NewParser(parser.Options{}).ParseExpr(query)
	if err != nil {
		t.Errorf("%s: %v", what, err)
		return
	}
	for _, name := range metricNames(expr) {
		if metrics[name] == nil {
			t.Errorf("%s: no metric %q is exported", what, name)
		}
	}
	parser.Inspect(expr, func(n parser.Node, _ []parser.Node) error {
		switch n := n.(type) {
		case *parser.VectorSelector:
			for _, m := range n.LabelMatchers {
				if _, ok := metrics[n.Name][m.Name]; !ok && metrics[n.Name] != nil {
					t.Errorf("%s: %s has no label %q", what, n.Name, m.Name)
				}
			}
		case *parser.AggregateExpr:
			checkGrouping(t, what, n.Expr, n.Grouping, metrics)
		case *parser.BinaryExpr:
			if n.VectorMatching != nil {
				checkGrouping(t, what, n.LHS, n.VectorMatching.MatchingLabels, metrics)
			}
		}
		return nil
	})
}

func metricNames(expr parser.Expr) []string {
	var out []string
	parser.Inspect(expr, func(n parser.Node, _ []parser.Node) error {
		if s, ok := n.(*parser.VectorSelector); ok {
			out = append(out, s.Name)
		}
		return nil
	})
	return out
}

// checkGrouping complains of labels to group by that no metric below has.
func checkGrouping(t *testing.T, what string, below parser.Expr, grouping []string, metrics map[string]map[string]struct{}) {
	t.Helper()
	for _, l := range grouping {
		if !slices.ContainsFunc(metricNames(below), func(name string) bool { _, ok := metrics[name][l]; return ok }) {
			t.Errorf("%s: nothing that is grouped by %q has that label", what, l)
		}
	}
}
