// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package described

import "github.com/provider-cloudflare/provider-cloudflare/internal/external"

var _ external.RequestHasher = &adapter{}

// RequestHash returns a text that changes with what the object declares, with its parent, and with the number of changes in
// the list of existing resources. It has the values of Secrets and the contents of files in full: the caller only
// keeps a hash of it.
func (a *adapter) RequestHash() string {
	inputs := map[string]string{}
	for _, in := range a.inputs {
		inputs[in.path] = in.value
	}
	changes := uint64(0)
	if a.coll != nil {
		changes = a.coll.Changes()
	}
	return external.Said(a.sync.Parent, a.want, inputs, changes)
}
