// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package described

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/crossplane/crossplane-runtime/v2/pkg/meta"
	"github.com/crossplane/crossplane-runtime/v2/pkg/resource"
	"sigs.k8s.io/controller-runtime/pkg/client"

	cfv1alpha1 "github.com/provider-cloudflare/provider-cloudflare/apis/v1alpha1"
	"github.com/provider-cloudflare/provider-cloudflare/internal/controller/described/kindref"
	"github.com/provider-cloudflare/provider-cloudflare/internal/dnsrecord"
	"github.com/provider-cloudflare/provider-cloudflare/internal/external"
	"github.com/provider-cloudflare/provider-cloudflare/internal/kind"
	"github.com/provider-cloudflare/provider-cloudflare/internal/kind/kindapi"
	"github.com/provider-cloudflare/provider-cloudflare/internal/parent"
	"github.com/provider-cloudflare/provider-cloudflare/internal/reconciler"
)

// parentLook is the largest age of the list that shows that a parent still exists. All objects below the parent share
// the list.
const parentLook = 30 * time.Second

// refZone is the name of the kind of zones in references.
const refZone = "zone.Zone"

// paramScope is a parameter of paths that is the ID of an account or a zone. paramScopes says which of the two it is.
const (
	paramScope  = "account_or_zone_id"
	paramScopes = "accounts_or_zones"
)

// stays returns an *external.MovedError if the object has, or may have, a resource below another parent than that of
// place. The resource would seem to be gone below the new parent, and would be created again. An object that was in a
// zone once stays there in any case. The error says so if the other parent is proven to be gone.
func (a *adapter) stays(ctx context.Context, place string) error {
	was := a.mg.GetSync().Parent
	none := meta.GetExternalName(a.mg) == "" && a.tried == nil && len(claimKind(a.entry).OwnIDs(a.mg)) == 0
	if was == "" || kindapi.SameList(a.Description, was, place) || none && zoneIn(was) == zoneIn(place) {
		return nil
	}
	if listed(was) == listed(place) {
		if a.sameCredential(was) {
			return nil
		}
		if same, err := a.found(ctx); same || err != nil {
			return err
		}
	}
	gone, err := a.leftBehind(ctx, listed(was), listed(place))
	if err != nil {
		return err
	}
	words := func(place string) string {
		return strings.TrimPrefix(place, a.Description.Group+" "+a.Description.Name+" ")
	}
	return &external.MovedError{Noun: a.Description.Noun, From: words(was), To: words(place), Gone: gone}
}

// leftBehind reports whether the parent of the first key (was) is proven to be gone. It returns false unless the
// second key (now) differs in exactly one parameter: the zone, or the ID of what the spec refers to.
func (a *adapter) leftBehind(ctx context.Context, was, now string) (bool, error) {
	before, header := kindapi.Parameters(a.Description, was)
	after, _ := kindapi.Parameters(a.Description, now)
	var changed []string
	for name, v := range before {
		if after[name] != v {
			changed = append(changed, name)
		}
	}
	if len(changed) != 1 || len(after) != len(before) {
		return false, nil
	}
	name := changed[0]
	if name == "zone_id" || name == paramScope && before[paramScopes] == "zones" {
		return a.zones.Replaced(ctx, a.session.Client, before[name], a.heldPlace(), after[name])
	}
	of, known := a.kinds.named(kind.ParameterFields(a.mg.GetForProvider())[name].Of)
	if !known {
		return false, nil
	}
	return a.goneBelow(ctx, of.Description, before, header, before[name])
}

// zoneMadeAgain reports whether the zone of the ID held is proven to be gone, and was created again under its name
// where the object looks for it. The resource of an object under deletion is in that zone.
func (a *adapter) zoneMadeAgain(ctx context.Context, held string) (bool, error) {
	if a.mg.GetResourceVersion() == "" {
		return false, nil // The object stands for one that is gone.
	}
	now, err := a.zoneNow(ctx, held)
	if err != nil || now == "" {
		return false, nil //nolint:nilerr // There may be no zone any more.
	}
	return a.zones.Replaced(ctx, a.session.Client, held, a.heldPlace(), now)
}

// zoneNow returns the ID of the zone that the object's name or reference of a zone leads to now, "" for none.
func (a *adapter) zoneNow(ctx context.Context, held string) (string, error) {
	if name := kind.ZoneName(a.mg.GetForProvider()); name != "" {
		canonical, err := dnsrecord.ZoneName(name)
		if err != nil {
			return "", err
		}
		return a.zones.ByName(ctx, a.session.Client, canonical, a.session.AccountID)
	}
	outdated, err := a.outdated(ctx)
	for _, o := range outdated {
		if o.Of == refZone && o.Value == held {
			return o.Now, nil
		}
	}
	return "", err
}

// goneBelow reports whether it is proven that a kind has no resource of that ID below the parent with those
// parameters and headers. A read of the resource and a list that began later prove it.
func (a *adapter) goneBelow(ctx context.Context, d kind.Description, params map[string]string, header http.Header, id string) (bool, error) {
	own := http.Header{}
	for name := range d.Headers {
		if v := header.Get(name); v != "" {
			own.Set(name, v)
		}
	}
	all := kindapi.New(a.session.Client, d, params, own)
	key, err := all.Key()
	if err != nil {
		return false, nil //nolint:nilerr // The parameters do not say where it would be.
	}
	if err := a.admitted(ctx, all); err != nil {
		return false, err
	}
	coll := a.pool.lists.Collection(key, a.pool.collection(calls{caller: a.session.Client, d: d, all: all}, key), terms(d, a.every))
	_, err = coll.GetSince(ctx, id, a.now().Add(-parentLook))
	if errors.Is(err, parent.ErrNotFound) {
		err = coll.Prove(ctx, id, true)
		return err == nil, a.unproven(d, id, err)
	}
	return false, a.unproven(d, id, err)
}

// unproven adds words to the error of a look at a resource that may be gone.
func (a *adapter) unproven(d kind.Description, id string, err error) error {
	if err == nil || errors.As(err, new(*parent.DisputedError)) {
		return err
	}
	return fmt.Errorf("cannot find out whether the %s %s still exists: %w", d.Noun, id, err)
}

// collection returns the calls for resources that are no parts of a document.
func (p *Pool) collection(c calls, key string) calls {
	if c.d.Shared != nil {
		as := c.Fingerprint()
		c.sharedAt = func(doc kind.Document) documentAt { return p.known.at(document(c.d, key, doc), c.d, as) }
	}
	return c
}

// ClearState forgets what is known of the writes for the object.
func (a *adapter) ClearState() {
	*a.mg.GetSync() = cfv1alpha1.SyncStatus{}
	a.memory.forget(a.mg.GetUID())
	a.fetches.forget(a.mg.GetUID())
}

// followReferences sets the fields whose references lead to another value than they have, if what they name is proven
// to be gone. All other fields stay, so that an edit of another object moves nothing.
func (a *adapter) followReferences(ctx context.Context) error {
	if meta.WasDeleted(a.mg) || a.mg.GetResourceVersion() == "" {
		return nil
	}
	before, ok := a.mg.DeepCopyObject().(Object)
	if !ok {
		return fmt.Errorf("cannot copy %T", a.mg)
	}
	outdated, err := a.outdated(ctx)
	if err != nil {
		return fmt.Errorf("cannot read what references lead to: %w", err)
	}
	emptied := false
	for _, o := range outdated {
		gone, err := a.goneTarget(ctx, o)
		if err != nil {
			return err
		}
		if gone {
			o.Empty()
			emptied = true
		}
	}
	if !emptied {
		return nil
	}
	if err := a.kube.Patch(ctx, a.mg, client.MergeFromWithOptions(before, client.MergeFromWithOptimisticLock{})); err != nil {
		return fmt.Errorf("cannot persist the resolved references: %w", err)
	}
	return reconciler.NewReferenceResolver(a.kube, func(ctx context.Context, r client.Reader, _ resource.Managed) error {
		return a.targets.Resolve(ctx, a.reach.Within(r, a.mg.GetNamespace()), a.mg, a.mg.GetForProvider())
	}).ResolveReferences(ctx, a.mg)
}

// outdated returns the values in the spec that differ from what their references lead to now. A reference that leads
// where it may not leads to nothing. Only an object under deletion can have such a reference here.
func (a *adapter) outdated(ctx context.Context) ([]kindref.Outdated, error) {
	return a.targets.Outdated(ctx, a.reach.Within(a.kube, a.mg.GetNamespace()), a.mg, a.mg.GetForProvider())
}

// goneTarget reports whether what a field names is proven to be gone. Nothing is proven if the credential may not
// look.
func (a *adapter) goneTarget(ctx context.Context, o kindref.Outdated) (bool, error) {
	gone, err := a.lookForTarget(ctx, o)
	if errors.As(err, new(*parent.DisputedError)) {
		return false, err
	}
	return gone && err == nil, nil
}

func (a *adapter) lookForTarget(ctx context.Context, o kindref.Outdated) (bool, error) {
	if o.Of == refZone {
		return a.zones.Replaced(ctx, a.session.Client, o.Value, a.heldPlace(), o.Now)
	}
	to, ok := o.To.(Object)
	of, known := a.kinds.named(o.Of)
	if !ok || !known {
		return false, nil
	}
	params, header := kindapi.Parameters(of.Description, listed(to.GetSync().Parent))
	if params == nil || len(of.Description.Headers) > 0 || !a.isIn(params) {
		return false, nil // The field may name a resource in another place than the reference does now.
	}
	return a.goneBelow(ctx, of.Description, params, header, o.Value)
}

// isIn reports whether the object's resource is in the account or zone of those parameters, as far as its own path
// says.
func (a *adapter) isIn(params map[string]string) bool {
	own, _ := kindapi.Parameters(a.Description, listed(a.mg.GetSync().Parent))
	for name, v := range params {
		if held, has := own[name]; has && held != v {
			return false
		}
	}
	return true
}

// A ParentNotFoundError reports that the parent of a resource does not exist.
type ParentNotFoundError struct {
	Noun string
	// Parent is the kind of the parent in words, and ID is its ID.
	Parent, ID string
	// Field is the field of the spec that names the parent. Ref is true if the spec has a reference for the field.
	Field string
	Ref   bool
	Cause error
}

func (e *ParentNotFoundError) Error() string {
	way := fmt.Sprintf("put spec.forProvider.%s in its place, or delete this object and create another", e.Field+"Ref")
	if e.Ref {
		way = "this object follows its reference once that leads to another one"
	}
	return fmt.Sprintf("the %s has to be in the %s %s, which does not exist (spec.forProvider.%s): %s", e.Noun, e.Parent, e.ID, e.Field, way)
}

// Unwrap returns the error of the API.
func (e *ParentNotFoundError) Unwrap() error { return e.Cause }

// inParent returns a *ParentNotFoundError if the error of a write says that the parent does not exist. Otherwise it
// returns err.
func (a *adapter) inParent(err error) error {
	var gone *kindapi.NotFoundError
	if !errors.As(err, &gone) {
		return err
	}
	fields := kind.ParameterFields(a.mg.GetForProvider())
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		of, known := a.kinds.named(fields[name].Of)
		if id := a.params[name]; known && id != "" && name != a.Description.IDParameter() {
			return &ParentNotFoundError{
				Noun: a.Description.Noun, Parent: of.Description.Noun, ID: id, Field: fields[name].Name,
				Ref: kindref.Refers(a.mg.GetForProvider(), fields[name].Name), Cause: err,
			}
		}
	}
	return err
}
