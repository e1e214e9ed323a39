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

// subject is what an entry of the journal is about.
type subject struct {
	// Spec is what the object's spec.forProvider says of where the resource is. Where that has no name, or is an element of a
	// document, it is the whole: only that tells what was made from the work of others. Note is what was to be created.
	Spec any    `json:"spec"`
	Note string `json:"note"`
	// Body is the hash of the spec where Spec has not all of it: it tells one creation from another.
	Body string `json:"body,omitempty"`
	// Cut is true where the whole is needed, and too large.
	Cut bool `json:"cut,omitempty"`
	// Others are what was there before and looks alike, nil where that was not listed.
	Others []string `json:"others,omitzero"`
}

// mostSubject is the most bytes of a spec that an entry of the journal has. A ConfigMap holds the entries of many objects.
const mostSubject = 64 << 10

// Subject is what a creation is about in the journal. An entry has to fit there, so it has what finding the resource needs:
// files never, and all else only where no name tells it from others.
func (a *adapter) Subject() any {
	spec := a.mg.GetForProvider()
	if u := a.Description.Upload; u != nil {
		spec = kind.SpecWithout(spec, u.Files)
	}
	out := subject{Spec: spec, Note: a.Note(), Others: a.others}
	raw, err := json.Marshal(spec)
	byName := a.named() && a.Description.Shape == kind.Collection
	if err != nil || !byName && len(raw) <= mostSubject {
		return out // What cannot be encoded is not sent either.
	}
	sum := sha256.Sum256(raw)
	out.Spec, out.Body, out.Cut = kind.SpecPlace(spec, a.placed()...), hex.EncodeToString(sum[:]), !byName
	return out
}

// placed are the fields that tell the resource from others, by their names in the body.
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

// Create makes the resource, and publishes what only the answer shows before anything
// else can fail.
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
		// The resource is there, so its ID has to be recorded. The value is published with the
		// next look.
		a.events.Event(a.mg, event.Warning(EventNotPublished, err))
	}
	l = a.withoutSecrets(l)
	a.coll.Written(l)
	return l, nil
}

// Outcome says what is known after a creation that failed. That such a resource exists may
// be an earlier attempt's own work.
func (a *adapter) Outcome(err error) external.Outcome {
	var (
		unsettled *UnsettledError
		unseen    *kindapi.UnseenError
	)
	if cloudflare.IsAmbiguous(err) || errors.As(err, &unsettled) || errors.As(err, &unseen) {
		return external.OutcomeUnknown
	}
	return external.OutcomeRefused
}

// An ImmutableError says that a field differs which cannot be changed.
type ImmutableError struct {
	Noun string
	// Fields are what differs, in words.
	Fields string
}

func (e *ImmutableError) Error() string {
	return fmt.Sprintf("the %s cannot be changed in this way (%s): set the field back here or at Cloudflare; or, to keep the live resource, set spec.deletionPolicy to Orphan first, then delete this object and create another", e.Noun, e.Fields)
}

// Update brings the resource to what the object declares. What is not declared is sent
// back as a read just before has it.
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

// wroteDocument notes what an update made of a document, and says where it erased what somebody else wrote.
func (a *adapter) wroteDocument(before, after kind.Document) {
	if a.Description.Shape == kind.Collection && a.Description.Shared == nil {
		return
	}
	a.document().wrote(before, after)
	if lost := overwritten(a.Description.Noun, before, after); lost != nil && a.Description.Mode == kind.Merge {
		a.events.Event(a.mg, event.Warning(EventOverwritten, lost))
	}
}

// Look reads a resource once more.
func (a *adapter) Look(ctx context.Context, l Live) (Live, error) {
	if a.terms.NoGet {
		return l, nil
	}
	return found(a.coll.Look(ctx, l.id))
}

// current is the resource as an update has to know it: what is sent with values that nobody
// declares is read just before.
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

// flip carries out the operations that set what no update sets, and gives the resource as it is
// then.
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

// changeAlone carries out the operations that alone change a member, where that differs, and gives the
// resource as it is then.
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

// carryOut carries out an operation that is a part of an update, and gives the resource as it is then.
func (a *adapter) carryOut(ctx context.Context, op string, l Live, body any) (Live, error) {
	if _, err := a.all.Call(ctx, op, l.id, body); err != nil {
		return l, fmt.Errorf("cannot change the %s: %w", a.Description.Noun, err)
	}
	now, err := found(a.coll.Look(ctx, l.id))
	if err != nil {
		return l, err
	}
	return now, a.still(ctx) // More may follow.
}

// withoutParts reports whether no value of a body has parts.
func withoutParts(body kind.Document) bool {
	for _, v := range body {
		switch v.(type) {
		case kind.Document, kind.Map, []any:
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

// Completes reports whether the answer to a creation shows all there is to see.
func (a *adapter) Completes(_ context.Context, l Live) bool {
	ready, _ := readiness(a.Description, l.doc)
	return len(a.Description.Details) == 0 && ready.Status == corev1.ConditionTrue
}

// immutable is an *ImmutableError where a field differs that only a creation sends.
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

// Delete deletes the resource. Where another one still uses it, what the description says
// to do about that is done first.
func (a *adapter) Delete(ctx context.Context, l Live) error {
	if err := a.revokeRest(ctx, l); err != nil {
		return err
	}
	err := a.all.Delete(ctx, l.id)
	var busy *kindapi.BusyError
	if errors.As(err, &busy) && slices.Contains(a.Description.FreedBy, busy.Code) {
		if err := a.free(ctx, l); err != nil {
			return err
		}
		err = a.all.Delete(ctx, l.id)
	}
	var gone *kindapi.GoneError
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

// free makes the resource one that nothing uses.
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

// withoutSecrets is l without what only this answer shows, so that nobody keeps it.
func (a *adapter) withoutSecrets(l Live) Live {
	doc := a.Description.CreateBody(l.doc)
	for _, d := range a.Description.Details {
		if d.Once && d.Path != "" {
			kind.Without(doc, d.Path)
		}
	}
	return newLive(a.Description, l.id, doc)
}
