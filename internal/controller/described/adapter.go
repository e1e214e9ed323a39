// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package described

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"strings"
	"time"

	"github.com/crossplane/crossplane-runtime/v2/pkg/event"
	"github.com/crossplane/crossplane-runtime/v2/pkg/meta"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/utils/ptr"
	"sigs.k8s.io/controller-runtime/pkg/client"

	cfv1alpha1 "github.com/provider-cloudflare/provider-cloudflare/apis/v1alpha1"
	"github.com/provider-cloudflare/provider-cloudflare/internal/connect"
	"github.com/provider-cloudflare/provider-cloudflare/internal/controller/described/kindref"
	"github.com/provider-cloudflare/provider-cloudflare/internal/controller/zonefield"
	"github.com/provider-cloudflare/provider-cloudflare/internal/dnszone"
	"github.com/provider-cloudflare/provider-cloudflare/internal/external"
	"github.com/provider-cloudflare/provider-cloudflare/internal/external/claim"
	"github.com/provider-cloudflare/provider-cloudflare/internal/external/policy"
	"github.com/provider-cloudflare/provider-cloudflare/internal/external/reach"
	"github.com/provider-cloudflare/provider-cloudflare/internal/keyed"
	"github.com/provider-cloudflare/provider-cloudflare/internal/kind"
	"github.com/provider-cloudflare/provider-cloudflare/internal/kind/kindapi"
	"github.com/provider-cloudflare/provider-cloudflare/internal/parent"
	"github.com/provider-cloudflare/provider-cloudflare/internal/reconciler"
)

// Zones looks up zones.
type Zones interface {
	// ByName returns the ID of the zone with that name.
	ByName(ctx context.Context, api dnszone.API, name, accountID string) (string, error)
	// WasDeleted reports whether this process saw that the zone was deleted.
	WasDeleted(zoneID string) bool
	// Place returns where a zone is, as this process has seen it, or held if that is about the zone.
	Place(zoneID string, held dnszone.Place) dnszone.Place
	// Replaced reports whether it is proven that the old zone (was) is gone, and that the new zone (now) was created
	// under its name in its account. held is where the old zone was.
	Replaced(ctx context.Context, api dnszone.API, was string, held dnszone.Place, now string) (bool, error)
}

// described is a kind. All adapters of the kind share it.
type described struct {
	entry

	// names are the names of paths in the spec. createOnly are the paths that only a creation sends.
	names      map[string]string
	createOnly []string
	// rivals are the kinds that work on the same documents in the other way: as a whole if this kind works on parts, and
	// on parts if this kind works on the whole.
	rivals  []entry
	terms   parent.CollectionOptions
	pool    *Pool
	zones   Zones
	api     client.Reader // reads past the cache
	events  event.Recorder
	publish publisher
	claims  *claim.Registry
	memory  *memory
	// key seals the hashes of secrets on statuses.
	key     keyed.Key
	lookups *lookups
	fetches *fetches
	kube    client.Client
	now     func() time.Time
	// waiting are the objects that wait for a resource to appear under their parent.
	waiting *parent.Waiters[types.NamespacedName]
	// targets are the kinds that references can name. kinds are the described ones among them. every is the drift
	// interval.
	targets kindref.Targets
	// reach limits which objects references may name.
	reach reach.Policy
	kinds namedKinds
	every time.Duration
}

// An adapter works on the resource of one object during one reconcile.
type adapter struct {
	*described

	mg      Object
	session connect.Session

	// seen is a lower bound: Get and Find only return resources that were read after it. Zero is no bound.
	seen time.Time

	// Prepare sets the fields below.
	params map[string]string
	all    kindapi.Resources
	coll   *parent.Collection[Live]
	// want is what the spec declares, including the values of Secrets.
	want   kind.Document
	inputs []input
	// sync records the object's own writes. The status of the object alone cannot hold it: each write to the spec or the
	// annotations discards status that is not saved yet.
	sync cfv1alpha1.SyncStatus
	// made are the IDs of the resources that this reconcile created.
	made map[string]bool
	// published is the data of the connection secret. It is nil if the kind has no connection details or the object asks
	// for none.
	published map[string][]byte
	// foreign is an error if the Secret of that name does not belong to the object.
	foreign error
	// shared is a *DocumentConflictError if an object of another kind was the first to work on the resource, or on the document
	// that contains it.
	shared error
	// attempted is a creation with an unknown outcome, and tried is its note. Both are nil if there is none.
	attempted *attempted
	tried     *string
	// others are the IDs that seeOthers found. It is nil if seeOthers did not look.
	others []string
	// ordered is the certificate request of an order with an unknown outcome, from the journal. It is "" if the user
	// supplied the request: other clients may have ordered certificates for the same request.
	ordered string
	// twins are the certificates for the same request.
	twins []Live
	// zoneGone is true for an object under deletion if its zone is proven to be gone, and was created again under its
	// name.
	zoneGone bool
	// create makes the call that creates the replacement of the resource, and records it in the journal.
	create func(ctx context.Context, send func(context.Context) (Live, error)) (Live, error)
}

var (
	_ external.Adapter[Live]             = &adapter{}
	_ external.IDVerifier[Live]          = &adapter{}
	_ external.Readier[Live]             = &adapter{}
	_ external.ConnectionPublisher[Live] = &adapter{}
	_ external.GarbageCollectable[Live]  = &adapter{}
	_ external.ReplacementCreator[Live]  = &adapter{}
	_ external.CreateResultChecker[Live] = &adapter{}
	_ external.Child                     = &adapter{}
	_ external.FreshnessRequirer         = &adapter{}
	_ external.Locator                   = &adapter{}
	_ external.DeletionGuard[Live]       = &adapter{}
	_ external.Audited                   = &adapter{}
	_ external.ParentChangeHandler       = &adapter{}
)

// Prepare determines the parent of the resource, and what the spec declares.
func (a *adapter) Prepare(ctx context.Context) error {
	if err := a.followReferences(ctx); err != nil {
		return err
	}
	a.seal(a.mg.GetSync())
	params, err := a.parameters(ctx)
	if err != nil {
		return err
	}
	want, err := kind.Encode(a.mg.GetForProvider())
	if err != nil {
		return fmt.Errorf("cannot read spec.forProvider: %w", err)
	}
	a.params = params
	a.all = kindapi.New(a.session.Client, a.Description, params, a.headers(a.Description.Headers, want))
	key, err := a.all.Key()
	if err != nil {
		return fmt.Errorf("cannot find where the %s belongs: %w", a.Description.Noun, err)
	}
	if err := a.admitted(ctx, a.all); err != nil {
		return err
	}
	if err := a.actsForUser(ctx); err != nil {
		return err
	}
	place := a.place(key)
	if err := a.stays(ctx, place); err != nil {
		return err
	}
	a.sync = a.memory.sync(a.mg.GetUID(), a.mg.GetSync())
	a.sync.Parent = place
	a.showPlace()
	a.coll = a.pool.lists.Collection(key, a.source(), a.terms)
	a.want = want
	a.mark()
	a.warnOfNotes()
	if err := a.seeRivals(ctx); err != nil || meta.WasDeleted(a.mg) {
		return err
	}
	if err := a.misfit(); err != nil {
		return err
	}
	if err := a.fits(ctx); err != nil {
		return err
	}
	if err := a.lookUp(ctx, a.want); err != nil {
		return err
	}
	if err := a.readPublished(ctx); err != nil {
		return err
	}
	return a.readInputs(ctx)
}

// admitted returns an error if the provider config does not allow the parent of those resources. It comes before any
// use of what is known of that parent: all provider configs with the same credential share this knowledge.
func (a *adapter) admitted(ctx context.Context, all kindapi.Resources) error {
	path, err := all.Parent()
	if err != nil {
		return err
	}
	held := a.heldPlace()
	a.session.Holds(held.ID, held.Name, held.AccountID)
	return a.session.AdmitAs(ctx, path, kind.ZoneName(a.mg.GetForProvider()))
}

// misfit returns an error for what the rules of the CRD cannot check: they do not see values that may have any type.
// An object that only observes needs no such value.
func (a *adapter) misfit() error {
	if !a.manages() {
		return nil
	}
	if err := a.unusable(); err != nil {
		return err
	}
	if err := a.Description.Unmet(a.want); err != nil {
		return err
	}
	if of := a.params[a.Description.VariantBy]; a.Variants[of] != nil {
		return a.Variants.Check(of, a.want, a.names)
	}
	for path, f := range a.Description.Fields {
		if _, has := a.want[path]; f.Required && f.Variant == "any" && !has {
			return fmt.Errorf("spec.forProvider.%s is required unless spec.managementPolicies only observe", a.names[path])
		}
	}
	return a.misfitFiles()
}

// source returns the calls below the parent.
func (a *adapter) source() parent.Source[Live] {
	c := calls{caller: a.session.Client, d: a.Description, all: a.all}
	if a.Description.Shape == kind.Collection {
		return a.pool.collection(c, a.sync.Parent)
	}
	c.document = a.document()
	switch {
	case a.Description.Bulk != "":
		return elementCalls{c}
	case a.Description.Shape == kind.Fragment:
		return fragmentCalls{c}
	}
	return c
}

// document returns the document that the object works on, as a whole or in part, with what is known of it.
func (a *adapter) document() documentAt {
	return a.pool.known.at(document(a.Description, a.sync.Parent, a.want), a.Description, a.session.Client.Fingerprint())
}

// parameters returns the parameters of the kind's paths, without the identity.
func (a *adapter) parameters(ctx context.Context) (map[string]string, error) {
	params := kind.Parameters(a.mg.GetForProvider())
	maps.Copy(params, reconciler.StateFrom(ctx).LeadsTo)
	a.addHeld(params)
	zone, err := a.zone(ctx, params)
	if err != nil {
		return nil, err
	}
	if params["account_id"] == "" && a.Description.Scope != kind.Zone {
		params["account_id"] = a.session.AccountID
	}
	params[paramScopes], params[paramScope] = "accounts", params["account_id"]
	if zone != "" {
		params[paramScopes], params[paramScope], params["zone_id"] = "zones", zone, zone
	}
	if a.Description.Scope == kind.Account && params["account_id"] == "" {
		return nil, errors.New("spec.forProvider.accountId is needed: set it, or accountId on the provider config")
	}
	return params, nil
}

// showPlace puts the place of the resource on the status: claims depend on it.
func (a *adapter) showPlace() {
	held := dnszone.Place(ptr.Deref(a.sync.Zone, cfv1alpha1.ZonePlace{}))
	a.sync.Zone = nil
	if zone := zoneIn(a.sync.Parent); zone != "" {
		if at := a.zones.Place(zone, held); at.Name != "" {
			a.sync.Zone = (*cfv1alpha1.ZonePlace)(&at)
		}
	}
	shown := a.mg.GetSync()
	shown.Parent, shown.Zone = a.sync.Parent, a.sync.Zone
}

// heldPlace returns the place of the zone that the status shows.
func (a *adapter) heldPlace() dnszone.Place {
	return dnszone.Place(ptr.Deref(a.mg.GetSync().Zone, cfv1alpha1.ZonePlace{}))
}

// addHeld fills parameters that the references of an object under deletion left empty: a process may have ended while
// it followed a reference. The values come from the place on the status.
func (a *adapter) addHeld(params map[string]string) {
	if !meta.WasDeleted(a.mg) {
		return
	}
	held, _ := kindapi.Parameters(a.Description, listed(a.mg.GetSync().Parent))
	for name, field := range kind.ParameterFields(a.mg.GetForProvider()) {
		if params[name] == "" && held[name] != "" && kindref.Refers(a.mg.GetForProvider(), field.Name) {
			params[name] = held[name]
		}
	}
}

// zone returns the ID of the zone that the object names, or "" if it names none.
func (a *adapter) zone(ctx context.Context, params map[string]string) (string, error) {
	if !a.Description.Scope.InZone() {
		return params["zone_id"], nil
	}
	id, err := zonefield.Declared{
		ID: params["zone_id"], Name: kind.ZoneName(a.mg.GetForProvider()),
		Held: zoneIn(a.mg.GetSync().Parent), Deleted: meta.WasDeleted(a.mg),
	}.Zone(ctx, func(ctx context.Context, name string) (string, error) {
		return a.zones.ByName(ctx, a.session.Client, name, a.session.AccountID)
	})
	if errors.Is(err, zonefield.ErrUnknown) && a.Description.Scope == kind.Either {
		return "", nil
	}
	if err == nil && meta.WasDeleted(a.mg) {
		a.zoneGone, err = a.zoneMadeAgain(ctx, id)
	}
	return id, err
}

// zoneIn returns the ID of the zone in the key of a parent, or "" if the parent is in no zone.
func zoneIn(key string) string {
	for _, before := range []string{" /zones/", " zone_id="} {
		if _, rest, ok := strings.Cut(key, before); ok {
			id, _, _ := strings.Cut(rest, "/")
			id, _, _ = strings.Cut(id, " ")
			return id
		}
	}
	return ""
}

// headers returns the headers that the description takes from fields of the spec or from parameters.
func (a *adapter) headers(by map[string]string, want kind.Document) http.Header {
	out := http.Header{}
	for name, path := range by {
		if v := cmp.Or(kind.Text(want, path), a.params[path]); v != "" {
			out.Set(name, v)
		}
	}
	return out
}

// ValidateForCreate returns an error if the spec lacks a value that a creation needs.
func (a *adapter) ValidateForCreate() error {
	if a.Description.Shape == kind.Singleton {
		return nil
	}
	if len(a.want) == 0 {
		return fmt.Errorf("spec.forProvider declares nothing: there is no %s to create", a.Description.Noun)
	}
	if path := a.unnamedBy(); path != "" {
		return fmt.Errorf("spec.forProvider.%s is needed to create %s", a.nameOf(path), kind.WithArticle(a.Description.Noun))
	}
	if a.issues() && a.published == nil {
		return fmt.Errorf("spec.writeConnectionSecretToRef is needed: nobody else would have the private key of the %s", a.Description.Noun)
	}
	return nil
}

// unnamedBy returns a path of the natural key that a creation lacks, or "" if the spec has enough of the key. Some
// paths of a key with several may be missing: a SaaS application has no domain. The resource is then created without
// a search by name, as if the kind had no names.
func (a *adapter) unnamedBy() string {
	var missing []string
	for _, path := range a.Description.Natural {
		switch {
		case kind.Text(a.want, path) != "":
		case a.Description.Shape == kind.Fragment, a.Description.Fields[kind.General(path)].Required:
			return path
		default:
			missing = append(missing, path)
		}
	}
	if len(missing) > 0 && len(missing) == len(a.Description.Natural) {
		return missing[0]
	}
	return ""
}

// nameOf returns the name of a path in the spec.
func (a *adapter) nameOf(path string) string { return kind.Difference{Path: path}.Name(a.names) }

// named reports whether the spec has the whole natural key.
func (a *adapter) named() bool {
	_, ok := a.Description.NaturalKey(a.want)
	return ok
}

// AdoptionPolicy returns the adoption policy.
func (a *adapter) AdoptionPolicy() string { return string(a.mg.GetAdoptionPolicy()) }

// updatable returns what an update may send.
func (a *adapter) updatable() kind.Document {
	out := a.Description.CreateBody(a.want)
	for _, path := range a.createOnly {
		kind.Without(out, path)
	}
	return out
}

// ParentGone reports whether the resource was deleted with its zone.
func (a *adapter) ParentGone() bool {
	zone := a.params["zone_id"]
	return zone != "" && (a.zoneGone || a.zones.WasDeleted(zone))
}

// still returns an error if the object was written since this reconcile read it. It comes before each call that
// cannot be undone, unless a write to the object directly precedes that call. An object without a resource version
// stands for one that is gone: it was never read from the API server, and no client can write to it.
func (a *adapter) still(ctx context.Context) error {
	if a.mg.GetResourceVersion() == "" {
		return nil
	}
	return reconciler.EnsureCurrent(ctx, a.api, a.mg)
}

// manages reports whether the object may change anything.
func (a *adapter) manages() bool { return policy.Manages(a.mg) }
