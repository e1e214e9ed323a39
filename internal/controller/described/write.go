// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package described

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/crossplane/crossplane-runtime/v2/pkg/event"
	corev1 "k8s.io/api/core/v1"

	"github.com/provider-cloudflare/provider-cloudflare/internal/cloudflare"
	"github.com/provider-cloudflare/provider-cloudflare/internal/external"
	"github.com/provider-cloudflare/provider-cloudflare/internal/external/journal"
	"github.com/provider-cloudflare/provider-cloudflare/internal/kind"
	"github.com/provider-cloudflare/provider-cloudflare/internal/kind/kindapi"
)

// EventNotPublished is about a connection secret that could not be written.
const EventNotPublished event.Reason = "CannotPublishConnectionDetails"

// A subject is what an entry of the journal is about.
type subject struct {
	// Spec is the part of spec.forProvider that says where the resource is. It is the whole of it if the resource has no
	// name or is an element of a document: only the whole then distinguishes what was created from the work of others.
	// Note is what was to be created.
	Spec any    `json:"spec"`
	Note string `json:"note"`
	// Body is the hash of the spec if Spec is a part of it. It distinguishes one creation from another.
	Body string `json:"body,omitempty"`
	// Cut is true if the whole spec is needed, but too large.
	Cut bool `json:"cut,omitempty"`
	// Others are the IDs of the resources that existed before and look alike, nil if they were not listed.
	Others []string `json:"others,omitzero"`
}

// mostSubject is the largest spec, in bytes, in an entry of the journal. A ConfigMap holds the entries of many
// objects.
const mostSubject = 64 << 10

// JournalPayload returns what a creation is about in the journal. The entry has to be small, so it has what is needed to
// find the resource: never files, and all else only if no name distinguishes the resource from others.
func (a *adapter) JournalPayload() any {
	spec := a.mg.GetForProvider()
	if u := a.Description.Upload; u != nil {
		spec = kind.SpecWithout(spec, u.Files)
	}
	out := subject{Spec: spec, Note: a.NaturalKey(), Others: a.others}
	raw, err := json.Marshal(spec)
	byName := a.named() && a.Description.Shape == kind.Collection
	if err != nil || !byName && len(raw) <= mostSubject {
		return out // What cannot be encoded is not sent either.
	}
	sum := sha256.Sum256(raw)
	out.Spec, out.Body, out.Cut = kind.SpecPlace(spec, a.placed()...), hex.EncodeToString(sum[:]), !byName
	return out
}

// placed returns the fields that distinguish the resource from others, by their names in the body.
func (a *adapter) placed() []string {
	var out []string
	for _, path := range a.Description.NaturalPaths(a.want) {
		name, _, _ := strings.Cut(kind.General(path), ".")
		out = append(out, strings.TrimSuffix(name, "[]"))
	}
	if i := a.Description.Issue; i != nil {
		out = append(out, i.Request)
	}
	return out
}

// Create creates the resource, and publishes what only the answer shows before another step can fail.
func (a *adapter) Create(ctx context.Context, _ journal.Entry) (Live, error) {
	if err := cmp.Or(a.shared, a.publishable(), a.uncontested(ctx)); err != nil {
		return Live{}, err
	}
	body := a.Description.CreateBody(a.want)
	if a.issues() {
		var err error
		if body, err = a.request(ctx); err != nil {
			return Live{}, err
		}
	}
	doc, err := a.all.Create(ctx, body, a.secretValues())
	if err != nil {
		var exists *kindapi.ExistsError
		if errors.As(err, &exists) {
			a.coll.Doubt()
		}
		return Live{}, fmt.Errorf("cannot create the %s: %w", a.Description.Noun, err)
	}
	l := newLive(a.Description, a.all.ID(doc), doc)
	a.made[l.id] = true
	a.wroteDocument(nil, doc)
	a.remember(l, Live{}, everything)
	if err := a.publishOnce(ctx, l); err != nil {
		// The resource exists, so its ID has to be recorded. The next look publishes the value.
		a.events.Event(a.mg, event.Warning(EventNotPublished, err))
	}
	l = a.withoutSecrets(l)
	a.coll.Written(l)
	return l, nil
}

// ClassifyCreateError returns what is known after a creation that failed. A refusal because the resource exists does not exclude
// that an earlier attempt created it.
func (a *adapter) ClassifyCreateError(err error) external.Outcome {
	var (
		unsettled *OutcomeUnknownError
		unseen    *kindapi.ReadAfterWriteError
	)
	if cloudflare.IsAmbiguous(err) || errors.As(err, &unsettled) || errors.As(err, &unseen) {
		return external.OutcomeUnknown
	}
	return external.OutcomeRefused
}

// An ImmutableError reports that a field differs that cannot be changed.
type ImmutableError struct {
	Noun string
	// Fields are the differing fields, in words.
	Fields string
}

func (e *ImmutableError) Error() string {
	return fmt.Sprintf("the %s cannot be changed in this way (%s): set the field back here or at Cloudflare; or, to keep the live resource, set spec.deletionPolicy to Orphan first, then delete this object and create another", e.Noun, e.Fields)
}

// Update brings the resource to what the object declares. It sends values that are not declared as a read directly
// before the update shows them.
func (a *adapter) Update(ctx context.Context, l Live, _ bool) (Live, error) {
	if err := cmp.Or(a.immutable(l), a.uncontested(ctx)); err != nil {
		return l, err
	}
	if a.Description.Issue != nil {
		return a.renew(ctx, l)
	}
	if rolled, err := a.roll(ctx, l); rolled || err != nil {
		return l, err
	}
	l, err := a.refresh(ctx, l)
	if err != nil {
		return l, err
	}
	if l, err = a.flip(ctx, l); err != nil {
		return l, err
	}
	if l, err = a.changeAlone(ctx, l); err != nil {
		return l, err
	}
	now, err := a.current(ctx, l)
	if err != nil {
		return l, err
	}
	body := a.Description.UpdateBody(a.updatable(), now.doc)
	a.keepSecrets(body, now)
	a.drop(body, now)
	header := a.headers(a.Description.UpdateHeaders, a.want)
	if len(header) == 0 && (len(body) == 0 || a.settled(now)) {
		return now, nil
	}
	doc, err := a.all.Update(ctx, l.id, body, header, a.secretValues())
	if err != nil {
		return l, fmt.Errorf("cannot change the %s: %w", a.Description.Noun, err)
	}
	a.wroteDocument(now.doc, doc)
	changed := a.withoutSecrets(newLive(a.Description, l.id, doc))
	a.remember(changed, now, func(path string) bool { return a.Description.Sends(body, path) })
	a.coll.Written(changed)
	a.publishChanged(ctx, changed)
	return changed, nil
}

// wroteDocument records what an update made of a document. It emits an event if the update erased the change of
// another writer.
func (a *adapter) wroteDocument(before, after kind.Document) {
	if a.Description.Shape == kind.Collection && a.Description.Shared == nil {
		return
	}
	a.document().wrote(before, after)
	if lost := overwritten(a.Description.Noun, before, after); lost != nil && a.Description.Mode == kind.Merge {
		a.events.Event(a.mg, event.Warning(EventOverwritten, lost))
	}
}

// GetUncached reads a resource once more.
func (a *adapter) GetUncached(ctx context.Context, l Live) (Live, error) {
	if a.terms.NoGet {
		return l, nil
	}
	return found(a.coll.Look(ctx, l.id))
}

// current returns the resource that an update has to be based on. It reads the resource again if the update sends
// values that the object does not declare.
func (a *adapter) current(ctx context.Context, l Live) (Live, error) {
	if a.Description.Mode == kind.Replace || a.Description.Mode == kind.DeclaredOnly && withoutParts(a.Description.UpdateBody(a.updatable(), l.doc)) {
		return l, nil
	}
	began := a.now()
	now, err := found(a.coll.LookJudged(ctx, l.id, func(read Live) error { return a.newer(read, l, began) }))
	if err != nil {
		return l, fmt.Errorf("cannot read the %s before it is changed: %w", a.Description.Noun, err)
	}
	return now, nil
}

// flip carries out the operations for values that no update sets, and returns the resource after them.
func (a *adapter) flip(ctx context.Context, l Live) (Live, error) {
	for path, f := range a.Description.Fields {
		want, declared := a.want[path].(bool)
		if is, _ := l.doc[path].(bool); f.On == "" || !declared || is == want {
			continue
		}
		op := f.Off
		if want {
			op = f.On
		}
		var err error
		if l, err = a.carryOut(ctx, op, l, nil); err != nil {
			return l, err
		}
	}
	return l, nil
}

// changeAlone carries out the operations that alone change a member, if that member differs, and returns the resource
// after them.
func (a *adapter) changeAlone(ctx context.Context, l Live) (Live, error) {
	differs := map[string]bool{}
	for _, diff := range a.different(l) {
		path, _, _ := strings.Cut(diff.General(), "[")
		differs[path] = true
	}
	for _, path := range slices.Sorted(maps.Keys(differs)) {
		f := a.Description.Fields[path]
		if f.Alone == "" {
			continue
		}
		var err error
		if l, err = a.carryOut(ctx, f.Alone, l, a.want[path]); err != nil {
			return l, err
		}
	}
	return l, nil
}

// carryOut carries out an operation that is a part of an update, and returns the resource after it.
func (a *adapter) carryOut(ctx context.Context, op string, l Live, body any) (Live, error) {
	if _, err := a.all.Call(ctx, op, l.id, body); err != nil {
		return l, fmt.Errorf("cannot change the %s: %w", a.Description.Noun, err)
	}
	now, err := found(a.coll.Look(ctx, l.id))
	if err != nil {
		return l, err
	}
	return now, a.still(ctx) // More calls may follow.
}

// withoutParts reports whether no value of a body has parts.
func withoutParts(body kind.Document) bool {
	for _, v := range body {
		switch v.(type) {
		case kind.Document, kind.FreeFormMap, []any:
			return false
		}
	}
	return true
}

// settled reports whether nothing is left to change.
func (a *adapter) settled(now Live) bool {
	diff, _ := a.Compare(now)
	return len(diff) == 0
}

// IsComplete reports whether the answer to a creation shows everything.
func (a *adapter) IsComplete(_ context.Context, l Live) bool {
	ready, _ := readiness(a.Description, l.doc)
	return len(a.Description.Details) == 0 && ready.Status == corev1.ConditionTrue
}

// immutable returns an *ImmutableError if a field differs that only a creation sends.
func (a *adapter) immutable(l Live) error {
	var said string
	for _, d := range a.different(l) {
		if slices.Contains(a.createOnly, d.General()) {
			said += "; " + d.Describe(a.names)
		}
	}
	if said == "" {
		return nil
	}
	return &ImmutableError{Noun: a.Description.Noun, Fields: said[2:]}
}

// Delete deletes the resource. If another resource still uses it, Delete carries out what the description says about
// that, and tries again.
func (a *adapter) Delete(ctx context.Context, l Live) error {
	if err := a.revokeRest(ctx, l); err != nil {
		return err
	}
	err := a.all.Delete(ctx, l.id)
	var busy *kindapi.InUseError
	if errors.As(err, &busy) && slices.Contains(a.Description.FreedBy, busy.Code) {
		if err := a.free(ctx, l); err != nil {
			return err
		}
		err = a.all.Delete(ctx, l.id)
	}
	var gone *kindapi.NotFoundError
	switch {
	case errors.As(err, &gone):
		a.coll.Missed(l.id) // The next look proves it.
		return nil
	case err != nil:
		return fmt.Errorf("cannot delete the %s: %w", a.Description.Noun, err)
	}
	if a.Description.Shared != nil {
		a.document().removed()
	}
	a.coll.Removed(l.id)
	return nil
}

// free ends all uses of the resource.
func (a *adapter) free(ctx context.Context, l Live) error {
	if err := a.still(ctx); err != nil {
		return err
	}
	for _, op := range a.Description.BeforeDelete {
		if _, err := a.all.Call(ctx, op, l.id, nil); err != nil {
			return fmt.Errorf("cannot free the %s: %w", a.Description.Noun, err)
		}
	}
	return a.still(ctx)
}

// withoutSecrets returns l without the values that only this answer shows, so that no cache keeps them.
func (a *adapter) withoutSecrets(l Live) Live {
	doc := a.Description.CreateBody(l.doc)
	for _, d := range a.Description.Details {
		if d.Once && d.Path != "" {
			kind.Without(doc, d.Path)
		}
	}
	return newLive(a.Description, l.id, doc)
}
