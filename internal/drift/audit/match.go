// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package audit

import (
	"cmp"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/provider-cloudflare/provider-cloudflare/internal/cloudflare"
)

// A Subject is a resource that was changed outside the provider.
type Subject struct {
	// AccountID is the account that owns it. If it is "", the account is that of the zone, or
	// Fallback if the zone cannot be read.
	AccountID, Fallback string
	// ZoneID is the zone that the resource is in, or is. It is "" for a resource of an
	// account.
	ZoneID string
	// Parent identifies the resources that are listed together.
	Parent string
	// ID is the ID of the resource. Path is its path at the API, below the base URL.
	ID, Path string
	// Document is true if the resource is a document at that path, or part of it. A document
	// is never created or deleted as a whole, and other clients write to it, too.
	Document bool
	// Gone is true if the resource was deleted.
	Gone bool
	// After is when the resource was last known to be as declared. It is zero if that is not
	// known.
	After time.Time
	// Looked is when the parent was last looked at before the change was seen. It is zero if
	// that is not known.
	Looked time.Time
	// Sweep is the number of the sweep of the parent that showed the change.
	Sweep uint64
}

// Own identifies the provider's own changes in the audit logs.
type Own struct{ TokenID, UserAgent string }

// made reports whether the provider itself made a change, in any version. Another program may
// use the same token, and the provider in another cluster another token.
func (o Own) made(e cloudflare.AuditEntry) bool {
	if product(e.UserAgent) != product(o.UserAgent) {
		return false
	}
	return o.TokenID == "" || e.Actor.TokenID == "" || o.TokenID == e.Actor.TokenID
}

// product returns the name of a program without its version (RFC 9110, section 10.1.5).
func product(userAgent string) string {
	name, _, _ := strings.Cut(userAgent, "/")
	return name
}

// Find returns the newest entry that explains the subject's change. If a later change is the
// provider's own, it made the resource as declared, and earlier entries explain nothing. The
// exception is a document: the provider's change left the parts of other clients alone.
// Entries about a document do not say which part changed, so Find returns one only if a single
// actor made all of the changes.
func Find(entries []cloudflare.AuditEntry, s Subject, own Own) (cloudflare.AuditEntry, bool) {
	byAge := slices.Clone(entries)
	slices.SortStableFunc(byAge, func(a, b cloudflare.AuditEntry) int { return b.Time.Compare(a.Time) })
	var found *cloudflare.AuditEntry
	for _, e := range byAge {
		if e.Time.Before(s.After) {
			break
		}
		switch {
		case !s.about(e):
		case !own.made(e) && s.Document:
			if found != nil && found.Actor != e.Actor {
				return cloudflare.AuditEntry{}, false
			}
			found = cmp.Or(found, &e)
		case !own.made(e):
			return e, s.explains(e)
		case !s.Document:
			return cloudflare.AuditEntry{}, false
		}
	}
	if found == nil {
		return cloudflare.AuditEntry{}, false
	}
	return *found, true
}

// about reports whether an entry is about the subject.
func (s Subject) about(e cloudflare.AuditEntry) bool {
	if s.ZoneID != "" && e.ZoneID != "" && s.ZoneID != e.ZoneID {
		return false
	}
	collection := path.Dir(s.Path)
	switch {
	case e.Path == s.Path:
		return true
	case s.Document:
		return strings.HasPrefix(e.Path, s.Path+"/")
	case e.Path == collection+"/batch":
		return slices.Contains(e.Changed, s.ID) || slices.Contains(e.Deleted, s.ID)
	case e.ResourceID != s.ID || !unique(s.ID):
		return false
	}
	// The ID alone could be that of a parent of the subject, or of a child.
	return e.Path == "" || e.Path == collection || path.Base(e.Path) == s.ID
}

// explains reports whether the change of an entry could have this outcome.
func (s Subject) explains(e cloudflare.AuditEntry) bool {
	if len(e.Changed)+len(e.Deleted) > 0 {
		return slices.Contains(e.Deleted, s.ID) == s.Gone
	}
	return (e.Action == "delete") == s.Gone
}

// unique reports whether Cloudflare assigned the ID, so that no other resource has it: 32
// hexadecimal digits, or a UUID. Other IDs are names.
func unique(id string) bool {
	digits := strings.ReplaceAll(id, "-", "")
	return cloudflare.ValidID(digits) && (len(id) == len(digits) || len(id) == len("01234567-89ab-4def-8123-456789abcdef"))
}
