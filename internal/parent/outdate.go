// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package parent

// Outdate makes what was seen with the credential of that fingerprint invalid: the next
// question asks the API. It is called if a credential is not valid any more.
func (s *Sweeps[P]) Outdate(credential string) {
	for _, m := range s.where(func(m *Member[P]) bool { return m.place.Credential == credential }) {
		m.Lists.Outdate()
	}
}

// Outdate makes what was seen with the credential of that fingerprint invalid.
func (p *Pool[R]) Outdate(credential string) { p.sweeps.Outdate(credential) }
