// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package xpkg

import (
	"strings"
	"testing"
)

func TestExtendRefusesAnIconThatIsNoSVG(t *testing.T) {
	for _, tc := range []struct {
		reason, icon, want string
	}{
		{"an address would have to be fetched", "https://example.org/icon.svg", "does not begin with data:image/svg+xml;base64,"},
		{"what is no base64", "data:image/svg+xml;base64,<svg/>", "cannot read meta.crossplane.io/iconURI"},
		{"a package may have no icon", "", ""},
	} {
		p := &Package{}
		p.Meta.Metadata.Annotations = map[string]string{"meta.crossplane.io/iconURI": tc.icon}
		img, err := p.Extend([]byte("# Changelog"))
		if tc.want == "" {
			if err != nil || img == nil {
				t.Errorf("%s: got %v", tc.reason, err)
			}
			continue
		}
		if err == nil || !strings.Contains(err.Error(), tc.want) {
			t.Errorf("%s: got %v, want %q", tc.reason, err, tc.want)
		}
	}
}
