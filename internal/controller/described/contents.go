// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package described

import (
	"fmt"
	"slices"
	"strings"

	"github.com/crossplane/crossplane-runtime/v2/pkg/meta"

	"github.com/provider-cloudflare/provider-cloudflare/internal/kind"
)

// An UndeclaredContentsError reports that a resource has contents that the object does not declare. The adoption of the resource
// would delete them.
type UndeclaredContentsError struct {
	Noun, ID string
	// Field is the field of the spec that lists the contents. Undeclared are the keys of the contents that it lacks.
	Field      string
	Undeclared []string
}

func (e *UndeclaredContentsError) Error() string {
	const most = 10
	shown, more := e.Undeclared, ""
	if len(shown) > most {
		shown, more = shown[:most], fmt.Sprintf(" and %d more", len(e.Undeclared)-most)
	}
	return fmt.Sprintf("%s of that name exists with ID %s, and has what spec.forProvider.%s does not declare: %s%s. Declare that as well, or remove it at Cloudflare",
		kind.WithArticle(e.Noun), e.ID, e.Field, strings.Join(shown, ", "), more)
}

// owns reports whether the resource of that ID is the object's, by its status or a claim of this process. The
// external name is no proof: a user can set it, and the provider sets it while the object only observes.
func (a *adapter) owns(id string) bool {
	return slices.Contains(claimKind(a.entry).OwnIDs(a.mg), id) || a.claims.Holds(a.mg, id)
}

// foreignContents returns an *UndeclaredContentsError if the object would adopt l and delete contents of another client, now or
// with its own deletion. The resource of an unanswered attempt of this object has only declared contents. A list that
// shows no contents is no proof: the resource is read before it is adopted.
func (a *adapter) foreignContents(l Live) error {
	path := a.Description.Contents
	never := meta.WasDeleted(a.mg) && a.sync.LastSyncedAt == nil // The object is deleted and never changed anything.
	if path == "" || !a.manages() || a.made[l.id] || a.owns(l.id) && !never {
		return nil
	}
	undeclared := a.Description.Undeclared(path, a.want, l.doc)
	if len(undeclared) == 0 {
		return nil
	}
	return &UndeclaredContentsError{Noun: a.Description.Noun, ID: l.id, Field: a.names[path], Undeclared: undeclared}
}
