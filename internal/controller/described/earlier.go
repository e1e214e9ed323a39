// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package described

import (
	"fmt"

	"github.com/crossplane/crossplane-runtime/v2/pkg/event"

	"github.com/provider-cloudflare/provider-cloudflare/internal/kind"
)

// EventIgnored is about an annotation of an earlier version that has no effect any more.
const EventIgnored event.Reason = "IgnoredAnnotation"

// EventNotRestorable is about a resource that the deletion of its object cannot restore.
const EventNotRestorable event.Reason = "CannotRestore"

// warnOfNotes emits events about the ignored annotations of an earlier version, about what that version did not note,
// and about what to do.
func (a *adapter) warnOfNotes() {
	noun, notes := a.Description.Noun, a.mg.GetAnnotations()
	if old := notes[annotationSuperseded]; old != "" && a.Description.Issue != nil {
		a.ignored(annotationSuperseded, fmt.Sprintf("the %s %s is not revoked: revoke it at Cloudflare if nothing uses it", noun, old))
	}
	by := a.Description.OnDelete.By
	if by == "" || a.options()[by] != kind.Restore || !a.unknownBefore() {
		return
	}
	if notes[annotationBefore] != "" {
		a.ignored(annotationBefore, fmt.Sprintf("the deletion of this object leaves the %s as it is then: restore it by hand", noun))
	}
	a.events.Event(a.mg, event.Warning(EventNotRestorable, fmt.Errorf("what the %s was before this object changed it, an earlier version did not note, so the deletion of this object leaves it: set spec.%s to %s",
		noun, by, kind.Leave)))
}

func (a *adapter) ignored(annotation, so string) {
	a.events.Event(a.mg, event.Warning(EventIgnored, fmt.Errorf("the annotation %s of an earlier version is ignored, so %s. Then remove the annotation", annotation, so)))
}
