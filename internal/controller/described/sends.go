// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package described

import "github.com/provider-cloudflare/provider-cloudflare/internal/external"

var _ external.Sender = &adapter{}

// Sends is what the object declares, with the values of Secrets in it, where that belongs, and how often the list of
// what is there changed. Files are in it by their hashes.
func (a *adapter) Sends() string {
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
