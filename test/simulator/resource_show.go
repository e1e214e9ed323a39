// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package simulator

import (
	"net/http"

	"github.com/provider-cloudflare/provider-cloudflare/test/simulator/apidoc"
)

// shown returns a resource as a response shows it: the stored document without secrets,
// after the show function of the family and the traps.
func (c *resourceCall) shown(r *resource) map[string]any {
	shown := copyOf(r.doc)
	for _, method := range []string{http.MethodPost, http.MethodPut} {
		for _, path := range []string{c.f.list, c.f.item()} {
			if op := apidoc.Load().Operation(method, path); op != nil {
				op.Body.Hide(shown)
			}
		}
	}
	if c.f.show != nil {
		c.f.show(c, r, shown)
	}
	c.spring(r, shown)
	return shown
}
