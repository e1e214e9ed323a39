// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package described

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/crossplane/crossplane-runtime/v2/pkg/event"
	"github.com/crossplane/crossplane-runtime/v2/pkg/meta"

	cfv1alpha1 "github.com/provider-cloudflare/provider-cloudflare/apis/v1alpha1"
	"github.com/provider-cloudflare/provider-cloudflare/internal/external"
	"github.com/provider-cloudflare/provider-cloudflare/internal/external/decision"
	"github.com/provider-cloudflare/provider-cloudflare/internal/external/journal"
	"github.com/provider-cloudflare/provider-cloudflare/internal/kind"
	"github.com/provider-cloudflare/provider-cloudflare/internal/kind/kindapi"
	"github.com/provider-cloudflare/provider-cloudflare/internal/parent"
)

// EventOverwritten is about another client's write that one of ours has erased.
const EventOverwritten event.Reason = "OverwroteForeignChange"

// markPrefix begins the key of a fragment if the provider assigns the key.
const markPrefix = "crossplane-"

// fragmentCalls reads a document as the list of its elements.
type fragmentCalls struct{ calls }

// read returns the document, nil if there is none.
func (f fragmentCalls) read(ctx context.Context) (kind.Document, error) {
	q := f.document.ask()
	doc, err := f.all.Document(ctx)
	if err != nil {
		return nil, err
	}
	return doc, q.answered(doc)
}

// List returns the elements of the document.
func (f fragmentCalls) List(ctx context.Context, _ string) (parent.Page[Live], error) {
	doc, err := f.read(ctx)
	if err != nil {
		return parent.Page[Live]{}, err
	}
	out := parent.Page[Live]{Total: -1}
	for _, e := range f.d.Elements(doc) {
		if key := f.d.FragmentKey(e); key != "" {
			out.Rows = append(out.Rows, newFragment(key, e))
		}
	}
	return out, nil
}

// Get returns one element.
func (f fragmentCalls) Get(ctx context.Context, id string) (Live, error) {
	doc, err := f.read(ctx)
	if err != nil {
		return Live{}, err
	}
	if e := elementOf(f.d, doc, id); e != nil {
		return newFragment(id, e), nil
	}
	return Live{}, parent.ErrNotFound
}

func newFragment(key string, e kind.Document) Live {
	return Live{id: key, doc: e, digest: kind.Hash(e), keys: []string{keyAny, key}}
}

// A fragment works on one element of a document that other writers share.
type fragment struct{ *adapter }

var (
	_ external.Adapter[Live]            = fragment{}
	_ external.GarbageCollectable[Live] = fragment{}
)

// mark puts the object's key into what is declared: the key that the object had, even if its external name was
// removed since, or the key that follows from its UID.
func (a *adapter) mark() {
	if a.Description.Mark == "" {
		return
	}
	key := meta.GetExternalName(a.mg)
	if seen := seenID(a.mg); key == "" && seen != "" && a.owns(seen) {
		key = seen
	}
	kind.Put(a.want, a.Description.Mark, cmp.Or(key, a.ownKey()))
}

// Get returns the element with that key.
func (f fragment) Get(ctx context.Context, id string) (Live, error) {
	if err := f.lookBack(ctx); err != nil {
		return Live{}, err
	}
	l, err := found(f.get(ctx, id))
	if err == nil {
		f.document().found(id)
	}
	return l, err
}

// readBackAfter is the time from a write of a whole document to the list that checks it. By then, no copy is behind
// the write.
const readBackAfter = parent.Lag + time.Second

// lookBack lists the document again if the object wrote it as a whole a lag ago. Another process may have read the
// document before that write and written it after. All objects of a group share the list.
func (f fragment) lookBack(ctx context.Context) error {
	at, due := f.memory.readBackAt(f.mg.GetUID())
	if !due || f.now().Before(at) {
		return nil
	}
	if err := f.coll.CatchUp(ctx, at); err != nil {
		return err
	}
	f.memory.readsBack(f.mg.GetUID(), time.Time{})
	return nil
}

// MayBeStale returns false: documents are read and written as a whole.
func (fragment) MayBeStale(string) bool { return false }

// VerifyAbsence returns nil if it is proven that the document lacks the element. If the element is the object's own, the
// proof is a list that began a lag after a read did not show it, or a deletion by this process.
func (f fragment) VerifyAbsence(ctx context.Context, id string, own bool) error {
	if !own || f.coll.Deleted(id) {
		return nil
	}
	f.coll.Forget(id) // The next look reads again.
	proof, err := f.document().missed(id)
	if err != nil || proof.IsZero() {
		return err
	}
	if err := f.coll.CatchUp(ctx, proof); err != nil {
		return err
	}
	f.document().found(id)
	if len(f.coll.Shown(id)) > 0 {
		return &parent.DisputedError{Says: lacks(f.Description, id), Listed: true, Wait: parent.Lag}
	}
	return nil
}

// CreatedAt returns when the element was last written if its key proves that it is ours, and zero otherwise: no document
// says when its elements were created.
func (f fragment) CreatedAt(l Live) time.Time {
	if f.Description.Mark == "" {
		return time.Time{}
	}
	t, _ := time.Parse(time.RFC3339, kind.Text(l.doc, "last_updated"))
	return t
}

// key returns the key of the declared element.
func (f fragment) key() string { return f.Description.FragmentKey(f.want) }

// ValidateForCreate returns an error if the spec lacks a value that a creation needs.
func (f fragment) ValidateForCreate() error {
	switch {
	case f.key() != "":
		return nil
	case f.Description.Choice != nil:
		return fmt.Errorf("exactly one of spec.forProvider's fields %s is needed to create %s", strings.Join(f.Description.Choice.Members, ", "), kind.WithArticle(f.Description.Noun))
	}
	return fmt.Errorf("spec.forProvider.%s is needed to create %s", f.names[f.Description.Natural[0]], kind.WithArticle(f.Description.Noun))
}

// Find returns the element with the declared key.
func (f fragment) Find(ctx context.Context, w external.Window) ([]Live, error) {
	if f.key() == "" {
		return nil, f.unnamed()
	}
	return f.look(ctx, parent.Query{Key: f.key(), Since: w.Visible, Guarded: f.tried == nil && !f.neverAdopts()})
}

// FindCreated returns the element that an earlier attempt created: it has the noted key and all that was sent. A
// document does not say who created an element. So an element that differs is taken for a later write of another
// client.
func (f fragment) FindCreated(ctx context.Context, w external.Window) (Live, error) {
	all, err := f.coll.Find(ctx, parent.Query{Key: f.Description.FragmentKey(f.noted()), Since: w.Visible})
	if err == nil && len(all) == 0 {
		err = external.ErrAbsent
	}
	if err != nil {
		return Live{}, err
	}
	ours, err := f.madeByAttempt(ctx, all[0], w)
	if err == nil && !ours {
		err = external.ErrAbsent
	}
	return all[0], err
}

// madeByAttempt reports whether an element can be the work of the attempt. A key that the provider assigns proves it.
func (f fragment) madeByAttempt(ctx context.Context, l Live, w external.Window) (bool, error) {
	if f.Description.Mark != "" || f.attempted == nil {
		return true, nil
	}
	body, _, err := f.body(ctx, f.noted())
	if err != nil {
		return false, err
	}
	return f.attempted.whose(f.Description, l, body, false, w) != theirs && len(f.Description.Differences(body, l.doc)) == 0, nil
}

// VerifyID returns l: the key is the object's own.
func (fragment) VerifyID(_ context.Context, l Live) (Live, error) { return l, nil }

// Facts returns the facts of an element.
func (f fragment) Facts(l Live) decision.ResourceFacts {
	f.showPlace() // A write may have reset the status.
	alike, has := f.identity(l)
	return decision.ResourceFacts{
		ID: l.id, Label: l.id, Existing: f.existing(), Alike: alike, Named: has, Mismatch: f.mismatch(l), Foreign: f.shared,
	}
}

// identity reports whether an element is the one that the object declares. The key decides, unless the provider
// assigns keys and this key is not the object's own. Then all that the object declares decides.
func (f fragment) identity(l Live) (alike, has bool) {
	if f.Description.Mark == "" || l.id == f.ownKey() {
		return f.key() == l.id, f.key() == l.id
	}
	want := f.declared()
	kind.Without(want, f.Description.Mark)
	return len(f.Description.Differences(want, l.doc)) == 0, true
}

// ownKey returns the key of the element that the object creates, if the provider assigns keys.
func (a *adapter) ownKey() string { return markPrefix + string(a.mg.GetUID()) }

func (f fragment) existing() string { return "another " + f.Description.Noun + " of that name" }

// neverAdopts reports whether the object must not adopt what exists.
func (f fragment) neverAdopts() bool { return f.mg.GetAdoptionPolicy() == cfv1alpha1.AdoptNever }

// mismatch returns an error if an element is not the one that the spec declares: its key is its identity.
func (f fragment) mismatch(l Live) error {
	if key := f.key(); f.Description.Mark == "" && key != "" && key != l.id && !meta.WasDeleted(f.mg) {
		return fmt.Errorf("annotation %s names the %s %q, and spec.forProvider declares %q: correct the annotation",
			meta.AnnotationKeyExternalName, f.Description.Noun, l.id, key)
	}
	return nil
}

// Create merges the element into the document.
func (f fragment) Create(ctx context.Context, _ journal.Entry) (Live, error) {
	c := &change{key: f.key(), want: f.want, exists: f.alreadyThere()}
	l, err := f.write(ctx, c, Live{})
	if err != nil {
		if c.exists != nil && errors.Is(err, c.exists) {
			f.coll.Doubt() // The list did not show the element.
		}
		return l, fmt.Errorf("cannot create the %s: %w", f.Description.Noun, f.inParent(err))
	}
	return l, nil
}

// alreadyThere returns the error for the creation of an element that the document already has. It is nil for a key
// that the provider assigns: no other writer uses that key.
func (f fragment) alreadyThere() error {
	switch {
	case f.Description.Mark != "":
		return nil
	case f.neverAdopts():
		return &decision.AdoptionDeniedError{Existing: f.existing(), ID: f.key(), Policy: f.AdoptionPolicy(), Allow: noun(f.Description).Allow}
	}
	return &kindapi.ExistsError{Noun: f.Description.Noun, Cause: errInDocument}
}

// errInDocument is the reason why an element is not created.
var errInDocument = errors.New("the document has it since the last look")

// Update brings the element to what the object declares. It sends a value that no answer repeats only if that has
// changed.
func (f fragment) Update(ctx context.Context, l Live, _ bool) (Live, error) {
	want := f.Description.CreateBody(f.want)
	f.keepSecrets(want, Live{})
	out, err := f.write(ctx, &change{key: l.id, want: want, own: true}, l)
	if err != nil {
		return l, fmt.Errorf("cannot change the %s: %w", f.Description.Noun, f.inParent(err))
	}
	return out, nil
}

// Delete removes the element from the document.
func (f fragment) Delete(ctx context.Context, l Live) error {
	c := &change{key: l.id, own: true, still: func() error { return f.still(ctx) }}
	if _, err := f.apply(ctx, c); err != nil {
		return fmt.Errorf("cannot delete the %s: %w", f.Description.Noun, err)
	}
	f.coll.Removed(l.id)
	return nil
}

// apply carries out a change and returns the element after it, nil if there is none.
func (f fragment) apply(ctx context.Context, c *change) (kind.Document, error) {
	credential := f.session.Client.Fingerprint()
	if f.Description.Bulk != "" {
		place := credential + " " + kindapi.Canonical(f.Description, f.sync.Parent)
		to := target{d: f.Description, all: f.all, list: f.coll, place: place, document: f.document()}
		return f.pool.bulks.apply(ctx, f.params["account_id"], &bulkChange{change: c, to: to})
	}
	to := writing{d: f.Description, all: f.all, document: f.document(), credential: credential}
	doc, err := f.pool.documents.apply(ctx, to, c)
	if err == nil && c.overwrote != nil {
		f.events.Event(f.mg, event.Warning(EventOverwritten, c.overwrote))
	}
	return elementOf(f.Description, doc, c.key), err
}

// write carries out a change and returns the element after it. before is the element before the change.
func (f fragment) write(ctx context.Context, c *change, before Live) (Live, error) {
	if err := f.unrivalled(ctx); err != nil {
		return Live{}, err
	}
	e, err := f.apply(ctx, c)
	if err != nil {
		return Live{}, err
	}
	if e == nil {
		return Live{}, fmt.Errorf("the Cloudflare API accepted the %s and does not have it", f.Description.Noun)
	}
	l := newFragment(c.key, e)
	f.remember(l, before, everything)
	f.coll.Written(l)
	if f.Description.Create == "" {
		f.memory.readsBack(f.mg.GetUID(), f.now().Add(readBackAfter))
	}
	return l, nil
}
