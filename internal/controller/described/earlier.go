// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package described

import (
	"fmt"

	"github.com/crossplane/crossplane-runtime/v2/pkg/event"
)

// EventIgnored is about an annotation of an earlier version, which decides nothing any more.
const EventIgnored event.Reason = "IgnoredAnnotation"

// warnOfNotes says which annotations of an earlier version are ignored, and what to do.
func (a *adapter) warnOfNotes() {
	noun, notes := a.Description.Noun, a.mg.GetAnnotations()
	if old := notes[annotationSuperseded]; old != "" && a.Description.Issue != nil {
		a.ignored(annotationSuperseded, fmt.Sprintf("the %s %s is not revoked: revoke it at Cloudflare if nothing uses it", noun, old))
	}
	if notes[annotationBefore] != "" && a.Description.OnDelete.By != "" && a.sync.Before == "" {
		a.ignored(annotationBefore, fmt.Sprintf("spec.%s can restore the %s only to what it is now", a.Description.OnDelete.By, noun))
	}
}

func (a *adapter) ignored(annotation, so string) {
	a.events.Event(a.mg, event.Warning(EventIgnored, fmt.Errorf("the annotation %s of an earlier version is ignored, so %s. Then remove the annotation", annotation, so)))
}
