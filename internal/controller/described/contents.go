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

// A ContentsError says that what exists has contents that the object does not declare: to take
// it over would delete them.
type ContentsError struct {
	Noun, ID string
	// Field is the field of the spec that lists the contents, and Undeclared are the keys of
	// those that it lacks.
	Field      string
	Undeclared []string
}

func (e *ContentsError) Error() string {
	const most = 10
	shown, more := e.Undeclared, ""
	if len(shown) > most {
		shown, more = shown[:most], fmt.Sprintf(" and %d more", len(e.Undeclared)-most)
	}
	return fmt.Sprintf("%s of that name exists with ID %s, and has what spec.forProvider.%s does not declare: %s%s. Declare that as well, or remove it at Cloudflare",
		kind.WithArticle(e.Noun), e.ID, e.Field, strings.Join(shown, ", "), more)
}

// owns reports whether the resource of that ID is the object's, by its status or a claim of this process.
// Its external name says no more than what its user, or this provider while the object only observed, has
// looked at.
func (a *adapter) owns(id string) bool {
	return slices.Contains(claimKind(a.entry).OwnIDs(a.mg), id) || a.claims.Holds(a.mg, id)
}

// foreignContents is a *ContentsError where l would be taken over and lose what
// somebody else put there, now or with the object's deletion. What an unanswered attempt of our
// own made has nothing but what was declared. A list that shows no contents is no proof: what it
// names is read before it is taken over.
func (a *adapter) foreignContents(l Live) error {
	path := a.Description.Contents
	never := meta.WasDeleted(a.mg) && a.sync.LastSyncedAt == nil // It goes without having changed anything.
	if path == "" || !a.manages() || a.made[l.id] || a.owns(l.id) && !never {
		return nil
	}
	undeclared := a.Description.Undeclared(path, a.want, l.doc)
	if len(undeclared) == 0 {
		return nil
	}
	return &ContentsError{Noun: a.Description.Noun, ID: l.id, Field: a.names[path], Undeclared: undeclared}
}
