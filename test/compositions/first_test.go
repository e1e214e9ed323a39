// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package compositions

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"text/tabwriter"

	"github.com/google/go-cmp/cmp"
)

// TestFirstRendering renders examples before any composed resource exists. Resources that wait
// for others must be missing.
func TestFirstRendering(t *testing.T) {
	t.Parallel()
	for name, want := range map[string][]string{
		exposed: {"application", "cloudflared", "policy", "tunnel"},
		bucket:  {"bucket"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			g := given{xr: read(t, name, name+".yaml")}
			r := mustRender(t, name, g)
			golden(t, name, r)
			if diff := cmp.Diff(want, slices.Sorted(maps.Keys(r.composed))); diff != "" {
				t.Errorf("resources (-want +got):\n%s", diff)
			}
			if got := condition(r.xr, "Ready"); got != "False Creating" {
				t.Errorf("Ready is %q before anything exists", got)
			}
			validate(t, name, g.xr, r)
			admit(t, g.xr, r)
		})
	}
}

// list formats the kinds and names of the composed resources of a rendering.
func list(r rendering) string {
	var b strings.Builder
	w := tabwriter.NewWriter(&b, 0, 8, 3, ' ', 0)
	_, _ = fmt.Fprintln(w, "KIND\tNAME")
	for _, name := range slices.Sorted(maps.Keys(r.composed)) {
		_, _ = fmt.Fprintf(w, "%s\t%s\n", r.composed[name].GetKind(), r.composed[name].GetName())
	}
	_ = w.Flush() // writes to memory
	return b.String()
}
