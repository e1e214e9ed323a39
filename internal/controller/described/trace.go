// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package described

import (
	"cmp"

	"github.com/provider-cloudflare/provider-cloudflare/internal/drift/audit"
	"github.com/provider-cloudflare/provider-cloudflare/internal/kind"
)

// AuditSubject returns where the audit logs have the changes of a resource. They have a change of an element as a change of
// its document.
func (a *adapter) AuditSubject(id string) audit.Subject {
	s := audit.Subject{
		ZoneID: a.params["zone_id"], Parent: a.sync.Parent, ID: id,
		Document: a.Description.Shape == kind.Fragment || a.Description.Shape == kind.Singleton,
	}
	s.Fallback = cmp.Or(a.params["account_id"], a.session.AccountID)
	if path, err := a.all.Path(id); err == nil {
		s.Path = path
	}
	s.Looked, s.Sweep = a.coll.Looked()
	return s
}
