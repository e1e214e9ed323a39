// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package external

import (
	"context"
	"fmt"
	"slices"

	"github.com/crossplane/crossplane-runtime/v2/pkg/meta"
	"github.com/crossplane/crossplane-runtime/v2/pkg/resource"

	"github.com/provider-cloudflare/provider-cloudflare/internal/external/claim"
	"github.com/provider-cloudflare/provider-cloudflare/internal/external/journal"
)

// An origin records where the external resources of an object come from. Its sources are the
// status, the journal and the claims of this process, none of which users write.
type origin struct {
	// own are the IDs of what the object has created or taken over. stored are those of them that
	// the stored status has.
	own, stored []string
	// open are the creations whose outcome the object does not know, the oldest first.
	open []journal.Entry
	// lost says that the object has a note of a creation, and that the journal with its entry is
	// lost.
	lost error
}

func (o *origin) owns(id string) bool { return slices.Contains(o.own, id) }

// originOf returns where the external resources of mg come from.
func (c *Connector[L]) originOf(ctx context.Context, mg resource.Managed) (origin, error) {
	return c.Deps.originOf(ctx, mg, &c.Kind.Kind, c.Kind.Notes, c.Kind.Noun.Name)
}

func (d *Deps) originOf(ctx context.Context, mg resource.Managed, k *claim.Kind, notes Notes, noun string) (origin, error) {
	entries, err := d.Journal.Creations(ctx, mg.GetUID())
	if err != nil {
		return origin{}, fmt.Errorf("cannot find out what this object has created: %w", err)
	}
	stored, name := k.OwnIDs(mg), meta.GetExternalName(mg)
	out := origin{own: slices.Clone(stored), stored: stored}
	out.learnClaim(d.Claims, mg)
	for _, e := range entries {
		switch {
		case e.ResultID == "":
			out.open = append(out.open, e)
		case slices.Contains(stored, e.ResultID):
			d.Journal.Stored(e)
		case e.ResultID == name:
			out.own = append(out.own, name)
		default:
			out.open = append(out.open, e)
		}
	}
	if noted := notes.ofCreation(mg); len(entries) == 0 && len(noted) > 0 && read(mg, journal.Annotation) != d.Journal.ID() {
		out.lost = &LostJournalError{Noun: noun, Notes: noted}
	}
	return out, nil
}

// learnClaim notes that mg holds the claim on the resource that its external name names, which its
// status may not show yet. The key of the claim depends on the parent. If the status does not show
// the parent, only the call after the adapter's Prepare finds the claim.
func (o *origin) learnClaim(claims *claim.Registry, mg resource.Managed) {
	if name := meta.GetExternalName(mg); name != "" && !o.owns(name) && claims.Holds(mg, name) {
		o.own = append(o.own, name)
	}
}

// ofCreation returns the annotations of mg that tell of a creation whose outcome it does not know.
// The runtime writes its own annotation together with the provider's. It leaves its own on an
// object that has found its resource since, so the runtime's annotation alone proves nothing.
func (n Notes) ofCreation(mg resource.Managed) []string {
	if read(mg, n.Pending) == "" {
		return nil
	}
	out := []string{n.Pending}
	if meta.ExternalCreateIncomplete(mg) {
		out = append(out, meta.AnnotationKeyExternalCreatePending)
	}
	return out
}

// A LostJournalError says that an object has notes of a creation, and that the journal that
// recorded what was created is lost.
type LostJournalError struct {
	Noun string
	// Notes are the names of the annotations.
	Notes []string
}

func (e *LostJournalError) Error() string {
	return fmt.Sprintf("the annotations %s say that the creation of the %s began, and the journal of creations that tells what came of it is lost, not readable, restored from a backup, or of another cluster: "+
		"look at Cloudflare whether it was created. If so, set the annotation %s to its ID, or delete it there; then remove the annotations named first",
		e.Notes, e.Noun, meta.AnnotationKeyExternalName)
}

// setOwnership puts on the status of mg whether the resource of that ID, which the status shows, is
// the object's own.
func (o *origin) setOwnership(mg resource.Managed, id string) {
	s, ok := mg.(claim.OwnershipStatus)
	switch {
	case !ok:
	case id == "":
		s.SetOwnership("")
	case o.owns(id):
		s.SetOwnership(claim.Own)
	default:
		s.SetOwnership(claim.Observed)
	}
}
