// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package described

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/crossplane/crossplane-runtime/v2/pkg/meta"
	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"
	"k8s.io/utils/ptr"
	"sigs.k8s.io/controller-runtime/pkg/client"

	cfv1alpha1 "github.com/provider-cloudflare/provider-cloudflare/apis/v1alpha1"
	"github.com/provider-cloudflare/provider-cloudflare/internal/dnszone"
	"github.com/provider-cloudflare/provider-cloudflare/internal/external"
	"github.com/provider-cloudflare/provider-cloudflare/internal/external/decision"
	"github.com/provider-cloudflare/provider-cloudflare/internal/external/policy"
	"github.com/provider-cloudflare/provider-cloudflare/internal/kind"
	"github.com/provider-cloudflare/provider-cloudflare/internal/kind/kindapi"
	"github.com/provider-cloudflare/provider-cloudflare/internal/parent"
)

// annotationPending holds what is about to be created, until the outcome is known: the
// fields that name it, or, for a kind whose resources have no name of their own, the plain
// values that it has, without those of Secrets. It tells people what is under way: what counts is
// the entry of the journal.
const annotationPending = cfv1alpha1.Group + "/pending-creation"

// Note is what is about to be created.
func (a *adapter) Note() string {
	about := kind.Document{}
	for _, path := range a.Description.NaturalPaths(a.want) {
		if v, ok := kind.At(a.want, path); ok {
			kind.Put(about, path, v)
		}
	}
	if !a.named() {
		about = plain(a.declared())
	}
	if i := a.Description.Issue; i != nil && a.issues() {
		// The request tells this order from all others, and is no secret.
		kind.Put(about, i.Request, string(a.published[requestPending]))
	}
	raw, err := json.Marshal(about)
	if err != nil {
		return "{}" // A body that cannot be encoded is not sent either.
	}
	return string(raw)
}

// plain are the texts, numbers and switches of a body that are not within anything: what an
// answer repeats as it was sent.
func plain(doc kind.Document) kind.Document {
	out := kind.Document{}
	for name := range doc {
		if v := kind.Text(doc, name); v != "" {
			out[name] = doc[name]
		}
	}
	return out
}

// declared is what the spec declares, without the values of Secrets.
func (a *adapter) declared() kind.Document {
	out := a.Description.CreateBody(a.want)
	for _, in := range a.inputs {
		kind.Without(out, in.at)
	}
	return out
}

// Attempt says what is known of the creation in Resume.
func (a *adapter) Attempt() external.Attempt {
	if a.tried == nil {
		return external.Attempt{}
	}
	return external.Attempt{
		// Nothing but the API's own refusal keeps a second attempt from making a second one.
		Same: *a.tried == a.Note() && len(a.Description.Exists) > 0 && (a.named() || len(a.Description.Natural) == 0),
		What: fmt.Sprintf("the %s %s", a.Description.Noun, a.label(a.noted())),
	}
}

// noted is what an earlier attempt was to create.
func (a *adapter) noted() kind.Document {
	v, err := kind.Parse([]byte(ptr.Deref(a.tried, "")))
	doc, ok := v.(kind.Document)
	if err != nil || !ok || len(doc) == 0 {
		return plain(a.declared())
	}
	return doc
}

// Get looks for a resource by its ID.
func (a *adapter) Get(ctx context.Context, id string) (Live, error) {
	l, err := a.lookFor(ctx, id)
	if err == nil {
		err = a.admitZone(ctx, l)
	}
	return l, err
}

// admitZone is an error where the provider config does not allow the zone that l is in. The paths of a kind of an account name
// none: what l is decides, not what the object declares, which may be another zone.
func (a *adapter) admitZone(ctx context.Context, l Live) error {
	path := a.Description.ZoneField()
	if path == "" {
		return nil
	}
	id := kind.Text(l.doc, path)
	switch {
	case id != "":
		return a.session.Admit(ctx, "/zones/"+id)
	case a.Description.Hosted != nil:
		return nil // It is in no zone.
	}
	return a.session.Admit(ctx, "/zones") // No limits allow that.
}

// admitHost is an error where the provider config does not allow the zone that a new resource would be in: that of the longest
// name which its host name is at or below.
func (a *adapter) admitHost(ctx context.Context) error {
	hosted := a.Description.Hosted
	if hosted == nil || !a.session.Limited() || !policy.May(a.mg, xpv2.ManagementActionCreate) {
		return nil
	}
	for name := strings.ToLower(kind.Text(a.want, hosted.Host)); strings.Contains(name, "."); _, name, _ = strings.Cut(name, ".") {
		id, err := a.zones.ByName(ctx, a.session.Client, name, a.params["account_id"])
		if err == nil {
			return a.session.Admit(ctx, "/zones/"+id)
		}
		if !errors.As(err, new(*dnszone.NameError)) {
			return err
		}
	}
	return nil
}

// admitZones is all, or an error where the provider config does not allow the zone of one of them.
func (a *adapter) admitZones(ctx context.Context, all []Live, err error) ([]Live, error) {
	for i := 0; err == nil && i < len(all); i++ {
		err = a.admitZone(ctx, all[i])
	}
	if err != nil {
		return nil, err
	}
	return all, nil
}

// lookFor is the resource of that ID, or, while its object is being deleted, what is left of those that it replaced.
func (a *adapter) lookFor(ctx context.Context, id string) (Live, error) {
	l, err := found(a.get(ctx, id))
	var other *kindapi.SpellingError
	if errors.As(err, &other) {
		err = fmt.Errorf("%w: set the annotation %s to %q", err, meta.AnnotationKeyExternalName, other.ID)
	}
	if errors.Is(err, external.ErrAbsent) && meta.WasDeleted(a.mg) {
		for _, left := range others(a.sync.Superseded, id) { // All that is left to revoke.
			if l, err := found(a.coll.Get(ctx, left)); !errors.Is(err, external.ErrAbsent) {
				return l, err
			}
		}
	}
	if err == nil && a.issues() && a.published != nil {
		err = a.seeTwins(ctx, l)
	}
	return l, err
}

// Doubt reports whether the absence of a young resource may be that of a copy which is behind,
// and has the next Get ask again.
func (a *adapter) Doubt(id string) bool {
	if a.coll.Deleted(id) {
		return false
	}
	a.coll.Forget(id)
	return true
}

// Prove is nil where it is proven that there is no resource of that ID.
func (a *adapter) Prove(ctx context.Context, id string, own bool) error {
	return a.coll.Prove(ctx, id, own)
}

// found is a look, in the words of the external client.
func found(l Live, err error) (Live, error) {
	if errors.Is(err, parent.ErrNotFound) {
		return l, external.ErrAbsent
	}
	return l, err
}

// Find looks for those that the natural key fits.
func (a *adapter) Find(ctx context.Context, w external.Window) ([]Live, error) {
	key, named := a.Description.NaturalKey(a.want)
	if a.issues() && a.Lacks() == nil && a.manages() {
		if _, err := a.order(ctx); err != nil {
			return nil, fmt.Errorf("cannot make a private key: %w", err)
		}
	}
	if !named {
		return nil, a.findNone(ctx)
	}
	all, err := a.look(ctx, parent.Query{Key: key, Since: w.Visible, Guarded: a.guarded()})
	if err == nil && len(all) == 0 {
		err = a.admitHost(ctx)
	}
	return all, err
}

// look looks for resources. An object that may not create what it does not find waits for it,
// until Show. Where sweeps do not list, none wakes it.
func (a *adapter) look(ctx context.Context, q parent.Query) ([]Live, error) {
	if !policy.May(a.mg, xpv2.ManagementActionCreate) {
		a.waiting.Add(listed(a.sync.Parent), client.ObjectKeyFromObject(a.mg))
	}
	q.Seen = a.seen
	all, err := a.coll.Find(ctx, q)
	return a.admitZones(ctx, all, err)
}

// findNone is nil for an object that can be created without being looked for by name, once what
// tells its work from that of others is known.
func (a *adapter) findNone(ctx context.Context) error {
	if err := a.unnamed(); err != nil || !a.Description.Undated || !policy.May(a.mg, xpv2.ManagementActionCreate) {
		return err
	}
	return a.seeOthers(ctx)
}

// unnamed is nil for an object that can be created without being looked for by name, for
// it has none, and else says what is missing.
func (a *adapter) unnamed() error {
	if a.Lacks() == nil && a.manages() {
		return nil
	}
	var names []string
	for _, path := range a.Description.Natural {
		names = append(names, "spec.forProvider."+a.nameOf(path))
	}
	out := fmt.Sprintf("cannot tell which %s to observe: set the annotation %s to its ID", a.Description.Noun, meta.AnnotationKeyExternalName)
	word := " and "
	if a.Description.NamedByChoice() {
		word = " or "
	}
	if len(names) > 0 {
		out += ", or " + strings.Join(names, word)
	}
	return errors.New(out)
}

// guarded reports whether nothing is relied on that a list would have to prove: nothing
// comes of the absence, and a sweep shows the resource when it is there; or the object creates next what the API refuses if it exists, and
// never tried before.
func (a *adapter) guarded() bool {
	if !policy.Manages(a.mg) && a.terms.Listing == parent.Complete {
		return true
	}
	return len(a.Description.Exists) > 0 && a.tried == nil && a.mg.GetAdoptionPolicy() != cfv1alpha1.AdoptNever
}

// Confirm reads a resource by the ID that a list gave. What a creation answered was
// compared with what was sent.
func (a *adapter) Confirm(ctx context.Context, l Live) (Live, error) {
	if a.made[l.id] {
		return l, nil
	}
	seen, err := a.coll.Look(ctx, l.id)
	if errors.Is(err, parent.ErrNotFound) {
		err = cmp.Or(a.coll.Prove(ctx, l.id, true), err)
	}
	if err == nil && !sameName(a.Description, seen, l) {
		err = fmt.Errorf("that %s is %q", a.Description.Noun, a.label(seen.doc))
	}
	if err != nil {
		return l, fmt.Errorf("cannot confirm that the ID of the %s %q is %s: %w", a.Description.Noun, a.label(l.doc), l.id, err)
	}
	return seen, nil
}

func sameName(d kind.Description, a, b Live) bool {
	ka, _ := d.NaturalKey(a.doc)
	kb, _ := d.NaturalKey(b.doc)
	return ka == kb
}

// label is what people know a resource by, "" where that has more than one line.
func (a *adapter) label(doc kind.Document) string {
	var parts []string
	for _, path := range a.Description.NaturalPaths(doc) {
		if v := kind.Text(doc, path); v != "" && !strings.Contains(v, "\n") {
			parts = append(parts, v)
		}
	}
	return strings.Join(parts, " ")
}

// About gives the facts of a resource.
func (a *adapter) About(l Live) decision.Live {
	a.showPlace() // A write may have lost it.
	alike, has := a.identity(l)
	return decision.Live{
		ID: l.id, Label: cmp.Or(a.label(l.doc), l.id), Existing: "another " + a.Description.Noun + " of that name", Named: has,
		Alike: alike, Foreign: cmp.Or(a.shared, a.foreignContents(l)), Mismatch: a.unchangeable(l),
	}
}

// identity reports whether l is what the object declares: by its name, or, of a kind whose
// resources have none, by all that the object declares and an answer shows. Where it is the name,
// has reports the same, and true else: what has no name can become anything.
func (a *adapter) identity(l Live) (alike, has bool) {
	key, named := a.Description.NaturalKey(a.want)
	if !named {
		return len(a.want) > 0 && len(a.Description.Differences(a.declared(), l.doc)) == 0, true
	}
	liveKey, _ := a.Description.NaturalKey(l.doc)
	return key == liveKey, key == liveKey
}

// unchangeable says that a resource of which nothing can be changed is another one than the object
// declares: it is not adopted.
func (a *adapter) unchangeable(l Live) error {
	if a.Description.Update != "" || !a.manages() {
		return nil
	}
	return a.immutable(l)
}

// MadeOn is when a resource was created, zero where nobody knows.
func (a *adapter) MadeOn(l Live) time.Time { return l.made() }

// Serves is for kinds whose resources are left when they are used by then: none.
func (a *adapter) Serves(Live) bool { return false }
