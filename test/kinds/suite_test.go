// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package kinds

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/provider-cloudflare/provider-cloudflare/internal/kind"
	"github.com/provider-cloudflare/provider-cloudflare/internal/kinds"
)

// A row is what the suite shows for each kind.
type row struct {
	name string
	show func(w *world)
}

// rows returns the rows of the suite.
func rows() []row {
	return []row{
		{"BecomesReady", becomesReady},
		{"SteadyIsSilent", steadyIsSilent},
		{"ForeignChangeReverted", foreignChangeReverted},
		{"FieldUpdated", fieldUpdated},
		{"SetReordered", setReordered},
		{"FalseOmitted", falseOmitted},
		{"EchoIsNoDrift", echoIsNoDrift},
		{"ImmutableRefused", immutableRefused},
		{"UndeclaredIsLeft", undeclaredIsLeft},
		{"Adopted", adopted},
		{"TwoClaimants", twoClaimants},
		{"OnlyObserved", onlyObserved},
		{"Exported", exported},
		{"Orphaned", orphaned},
		{"Paused", paused},
		{"Busy", busy},
		{"NotEntitled", notEntitled},
		{"Forbidden", forbidden},
		{"SecretsHidden", secretsHidden},
		{"ManyOneList", manyOneList},
		{"LostAnswer", lostAnswer},
		{"GoneOutside", goneOutside},
		{"Unseen", unseen},
		{"RefersElsewhere", refersElsewhere},
		{"ListBroken", listBroken},
		{"Deleted", deleted},
	}
}

// TestKinds shows every row for every described kind. On a real API server it uses the kinds that shapes
// returns, unless CHANCE is 1.
func TestKinds(t *testing.T) {
	names := map[string]bool{killedBetween: true}
	for _, r := range rows() {
		names[r.name] = true
	}
	for _, d := range kinds.All() {
		for name, why := range d.Excused {
			if !names[name] || why == "" {
				t.Errorf("%s is excused from %q because %q: there is no such row, or no reason", d.Name, name, why)
			}
		}
		if shared != nil && os.Getenv("CHANCE") != "1" && !slices.Contains(shapes(), d.Name) {
			continue
		}
		t.Run(d.Name, func(t *testing.T) {
			t.Parallel()
			for _, r := range rows() {
				runRow(t, d, r)
			}
		})
	}
}

func runRow(t *testing.T, d kind.Description, r row) {
	t.Helper()
	if why, ok := d.Excused[r.name]; ok {
		t.Logf("%s is excused from %s: %s", d.Name, r.name, why)
		return
	}
	t.Run(r.name, func(t *testing.T) {
		inParallel(t, func(t *testing.T) { r.show(newWorld(t, d)) }, kindsOf(t, d.Name)...)
	})
}

// TestExamples shows that every kind has an example, which all rows need.
func TestExamples(t *testing.T) {
	for _, d := range kinds.All() {
		raw, err := os.ReadFile(filepath.Join("..", "..", "examples", strings.ToLower(d.Name), strings.ToLower(d.Name)+".yaml"))
		if err != nil {
			t.Errorf("kind %s has no example: %v", d.Name, err)
			continue
		}
		if !regexp.MustCompile("(?m)^kind: " + d.Name + "$").Match(raw) {
			t.Errorf("the example of kind %s has no object of that kind", d.Name)
		}
	}
}
