// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package simulator

import (
	"path"
	"strings"

	"github.com/provider-cloudflare/provider-cloudflare/test/simulator/apidoc"
)

// plainFamilies returns the collections for which the document says everything.
func plainFamilies() []*family {
	var out []*family
	for _, item := range apidoc.Collections() {
		out = append(out, &family{list: path.Dir(item), parameter: strings.Trim(path.Base(item), "{}"), shape: idHex})
	}
	return out
}
