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

// A sample is one line of a scrape. A family is what the comments of a metric say.
type (
	sample struct {
		labels labels.Labels
		value  float64
	}
	family struct {
		kind   model.MetricType
		help   string
		labels []string // those of its series, without le and quantile
	}
)

// read parses a scrape with Prometheus's parser.
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

// target returns the labels that Prometheus adds to the metrics of a pod.
func target() map[string]string {
	return map[string]string{
		"job": "crossplane-system/provider-cloudflare", "namespace": "crossplane-system", "pod": "provider-cloudflare-0",
		"container": "package-runtime", "endpoint": "metrics", "instance": "10.0.0.7:8080",
	}
}

// minutes is the length of the stored scrapes of the scene, one a minute.
const minutes = 15

// stored returns a Prometheus storage. Its first half has the scrape before the scene, and its
// second half the one after it, one a minute.
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

// vocabulary has the labels of each metric, and their values.
type vocabulary map[string]map[string][]string

// known returns the vocabulary of a scrape.
func known(t *testing.T, text string) vocabulary {
	t.Helper()
	out := vocabulary{}
	samples, _ := read(t, text)
	for _, s := range samples {
		name := s.labels.Get(model.MetricNameLabel)
		if out[name] == nil {
			out[name] = map[string][]string{}
			for l, value := range target() {
				out[name][l] = []string{value}
			}
		}
		s.labels.Range(func(l labels.Label) { out[name][l.Name] = append(out[name][l.Name], l.Value) })
	}
	return out
}

// unseen are matchers that match no series of the scene, with the reason.
var unseen = map[string]string{
	`cloudflare_provider_config_ready{reason="Unverified"}`: "Cloudflare is there all the time",
	`cloudflare_api_requests_total{status=~"0|5.."}`:        "no call fails",
}

// check reports a query that Prometheus cannot parse, and each metric, label or value in it that
// is missing in metrics.
func check(t *testing.T, what, query string, metrics vocabulary) {
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
				checkMatcher(t, what, n.Name, m, metrics)
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

// checkMatcher reports a matcher for a label that the metric does not have, or for values that
// the label does not have.
func checkMatcher(t *testing.T, what, metric string, m *labels.Matcher, metrics vocabulary) {
	t.Helper()
	values, ok := metrics[metric][m.Name]
	excused, seen := unseen[metric+"{"+m.String()+"}"] != "", slices.ContainsFunc(values, m.Matches)
	switch {
	case metrics[metric] == nil: // reported by check
	case !ok:
		t.Errorf("%s: %s has no label %q", what, metric, m.Name)
	case !seen && !excused:
		t.Errorf("%s: no series of %s has %s, but %q", what, metric, m, values)
	case seen && excused:
		t.Errorf("%s: a series of %s has %s: it needs no excuse", what, metric, m)
	}
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

// checkGrouping reports grouping labels that no metric below has.
func checkGrouping(t *testing.T, what string, below parser.Expr, grouping []string, metrics vocabulary) {
	t.Helper()
	for _, l := range grouping {
		if !slices.ContainsFunc(metricNames(below), func(name string) bool { _, ok := metrics[name][l]; return ok }) {
			t.Errorf("%s: nothing that is grouped by %q has that label", what, l)
		}
	}
}
