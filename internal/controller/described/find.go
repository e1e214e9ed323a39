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

// annotationPending holds what is about to be created, until the outcome is known: the fields that name the resource,
// or, for a kind whose resources have no name of their own, its plain values without those of Secrets. It informs
// users. The provider decides by the entry in the journal.
const annotationPending = cfv1alpha1.Group + "/pending-creation"

// NaturalKey returns what is about to be created, as JSON.
func (a *adapter) NaturalKey() string {
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
		// The request distinguishes this order from all others, and is no secret.
		kind.Put(about, i.Request, string(a.published[requestPending]))
	}
	raw, err := json.Marshal(about)
	if err != nil {
		return "{}" // A body that cannot be encoded is not sent either.
	}
	return string(raw)
}

// plain returns the strings, numbers, and booleans at the top level of a body. An answer repeats them as they were
// sent.
func plain(doc kind.Document) kind.Document {
	out := kind.Document{}
	for name := range doc {
		if v := kind.Text(doc, name); v != "" {
			out[name] = doc[name]
		}
	}
	return out
}

// declared returns what the spec declares, without the inputs, such as the values of Secrets.
func (a *adapter) declared() kind.Document {
	out := a.Description.CreateBody(a.want)
	for _, in := range a.inputs {
		kind.Without(out, in.at)
	}
	return out
}

// Attempt returns what is known of the creation that Resume recorded.
func (a *adapter) Attempt() external.Attempt {
	if a.tried == nil {
		return external.Attempt{}
	}
	return external.Attempt{
		// Only the API's own refusal keeps a second attempt from creating a second resource.
		Same: *a.tried == a.NaturalKey() && len(a.Description.Exists) > 0 && (a.named() || len(a.Description.Natural) == 0),
		What: fmt.Sprintf("the %s %s", a.Description.Noun, a.label(a.noted())),
	}
}

// noted returns what an earlier attempt was to create.
func (a *adapter) noted() kind.Document {
	v, err := kind.Parse([]byte(ptr.Deref(a.tried, "")))
	doc, ok := v.(kind.Document)
	if err != nil || !ok || len(doc) == 0 {
		return plain(a.declared())
	}
	return doc
}

// Get returns the resource of that ID.
func (a *adapter) Get(ctx context.Context, id string) (Live, error) {
	l, err := a.lookFor(ctx, id)
	if err == nil {
		err = a.admitZone(ctx, l)
	}
	return l, err
}

// admitZone returns an error if the provider config does not allow the zone that l is in. The paths of an
// account-scoped kind name no zone. So the zone in l decides, and not the zone that the object declares, which may
// differ.
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
		return nil // The resource is in no zone.
	}
	return a.session.Admit(ctx, "/zones") // No limits allow this path.
}

// admitHost returns an error if the provider config does not allow the zone that a new resource would be in. That is
// the zone with the longest name that its host name equals or is below.
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

// admitZones returns all, or an error if the provider config does not allow the zone of one of them.
func (a *adapter) admitZones(ctx context.Context, all []Live, err error) ([]Live, error) {
	for i := 0; err == nil && i < len(all); i++ {
		err = a.admitZone(ctx, all[i])
	}
	if err != nil {
		return nil, err
	}
	return all, nil
}

// lookFor returns the resource of that ID. If it is absent and its object is being deleted, lookFor returns a
// certificate that is still to be revoked, if there is one.
func (a *adapter) lookFor(ctx context.Context, id string) (Live, error) {
	l, err := found(a.get(ctx, id))
	var other *kindapi.NonCanonicalIDError
	if errors.As(err, &other) {
		err = fmt.Errorf("%w: set the annotation %s to %q", err, meta.AnnotationKeyExternalName, other.ID)
	}
	if errors.Is(err, external.ErrAbsent) && meta.WasDeleted(a.mg) {
		for _, left := range others(a.sync.Superseded, id) { // They are still to be revoked.
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

// MayBeStale reports whether the absence of a young resource may come from a copy that is behind. If so, the next Get
// reads again.
func (a *adapter) MayBeStale(id string) bool {
	if a.coll.Deleted(id) {
		return false
	}
	a.coll.Forget(id)
	return true
}

// VerifyAbsence returns nil if it is proven that there is no resource of that ID.
func (a *adapter) VerifyAbsence(ctx context.Context, id string, own bool) error {
	return a.coll.Prove(ctx, id, own)
}

// found translates the outcome of a look for the external client.
func found(l Live, err error) (Live, error) {
	if errors.Is(err, parent.ErrNotFound) {
		return l, external.ErrAbsent
	}
	return l, err
}

// Find returns the resources that have the natural key of the spec.
func (a *adapter) Find(ctx context.Context, w external.Window) ([]Live, error) {
	key, named := a.Description.NaturalKey(a.want)
	if a.issues() && a.ValidateForCreate() == nil && a.manages() {
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

// look looks for resources. An object that may not create what it does not find waits for a sweep to find it, until
// Show. A sweep that does not list wakes no object.
func (a *adapter) look(ctx context.Context, q parent.Query) ([]Live, error) {
	if !policy.May(a.mg, xpv2.ManagementActionCreate) {
		a.waiting.Add(listed(a.sync.Parent), client.ObjectKeyFromObject(a.mg))
	}
	q.Seen = a.seen
	all, err := a.coll.Find(ctx, q)
	return a.admitZones(ctx, all, err)
}

// findNone returns nil for an object whose resource can be created without a search by name. For a kind whose answers
// do not say when a resource was created, it first records the existing resources that look alike.
func (a *adapter) findNone(ctx context.Context) error {
	if err := a.unnamed(); err != nil || !a.Description.Undated || !policy.May(a.mg, xpv2.ManagementActionCreate) {
		return err
	}
	return a.seeOthers(ctx)
}

// unnamed returns nil for an object whose resource can be created without a search by name, because it has none.
// Otherwise the error says what is missing.
func (a *adapter) unnamed() error {
	if a.ValidateForCreate() == nil && a.manages() {
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

// guarded reports whether the search needs no list that proves an absence. There are two cases. If the object only
// observes, an absence has no consequence, and a complete sweep shows the resource once it exists. If the object has
// not tried to create the resource before, and may adopt it, the API refuses the creation of a resource that exists.
func (a *adapter) guarded() bool {
	if !policy.Manages(a.mg) && a.terms.Listing == parent.Complete {
		return true
	}
	return len(a.Description.Exists) > 0 && a.tried == nil && a.mg.GetAdoptionPolicy() != cfv1alpha1.AdoptNever
}

// VerifyID reads a resource by the ID that a list returned. It does not read a resource that this reconcile created:
// the answer to the creation was compared with what was sent.
func (a *adapter) VerifyID(ctx context.Context, l Live) (Live, error) {
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

// label returns the name that people know a resource by. It omits names of more than one line.
func (a *adapter) label(doc kind.Document) string {
	var parts []string
	for _, path := range a.Description.NaturalPaths(doc) {
		if v := kind.Text(doc, path); v != "" && !strings.Contains(v, "\n") {
			parts = append(parts, v)
		}
	}
	return strings.Join(parts, " ")
}

// Facts returns the facts of a resource.
func (a *adapter) Facts(l Live) decision.ResourceFacts {
	a.showPlace() // A write may have reset the status.
	alike, has := a.identity(l)
	return decision.ResourceFacts{
		ID: l.id, Label: cmp.Or(a.label(l.doc), l.id), Existing: "another " + a.Description.Noun + " of that name", Named: has,
		Alike: alike, Foreign: cmp.Or(a.shared, a.foreignContents(l)), Mismatch: a.unchangeable(l),
	}
}

// identity reports whether l is what the object declares. The name decides. For a kind whose resources have no name,
// all that the object declares and an answer shows decides. has equals alike if there is a name, and is true
// otherwise: a resource without a name can become what the object declares.
func (a *adapter) identity(l Live) (alike, has bool) {
	key, named := a.Description.NaturalKey(a.want)
	if !named {
		return len(a.want) > 0 && len(a.Description.Differences(a.declared(), l.doc)) == 0, true
	}
	liveKey, _ := a.Description.NaturalKey(l.doc)
	return key == liveKey, key == liveKey
}

// unchangeable returns an error if no update can change the resource and it is not what the object declares. Such a
// resource is not adopted.
func (a *adapter) unchangeable(l Live) error {
	if a.Description.Update != "" || !a.manages() {
		return nil
	}
	return a.immutable(l)
}

// CreatedAt returns when a resource was created, zero if that is unknown.
func (a *adapter) CreatedAt(l Live) time.Time { return l.made() }

// InUse returns false: no described kind has resources that are kept because they are in use.
func (a *adapter) InUse(Live) bool { return false }
