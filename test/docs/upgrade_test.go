// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package docs

import (
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestUpgradeNamesWhatBreaks checks that the page on upgrades names the ports that the
// NetworkPolicy allows, and the fields that a downgrade removes from a ClusterProviderConfig.
func TestUpgradeNamesWhatBreaks(t *testing.T) {
	t.Parallel()
	page := fileOf(t, "docs", "how-to", "upgrade.md")
	_, egress, _ := strings.Cut(fileOf(t, "cluster", "standalone", "base", "networkpolicy.yaml"), "\n  egress:\n")
	_, downgrade, _ := strings.Cut(page, "\n## Downgrade\n")
	crd := fileOf(t, "package", "crds", "cloudflare.m.crossplane.io_clusterproviderconfigs.yaml")
	for _, row := range []struct{ in, of, finds string }{
		{page, egress, `(?m)^ *- port: (\d+)$`},
		{downgrade, crd, `(?m)^ *(allowed[A-Z][A-Za-z]*):$`},
	} {
		found := regexp.MustCompile(row.finds).FindAllStringSubmatch(row.of, -1)
		if len(found) == 0 {
			t.Errorf("nothing is like %s", row.finds)
		}
		for _, m := range found {
			if !slices.Contains(regexp.MustCompile(`\w+`).FindAllString(row.in, -1), m[1]) {
				t.Errorf("the page does not name %s", m[1])
			}
		}
	}
}
