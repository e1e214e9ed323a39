// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package described

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/crossplane/crossplane-runtime/v2/pkg/event"
	"github.com/crossplane/crossplane-runtime/v2/pkg/resource"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/utils/ptr"

	cfv1alpha1 "github.com/provider-cloudflare/provider-cloudflare/apis/v1alpha1"
	"github.com/provider-cloudflare/provider-cloudflare/internal/controller/described/keypair"
	"github.com/provider-cloudflare/provider-cloudflare/internal/drift"
	"github.com/provider-cloudflare/provider-cloudflare/internal/external"
	"github.com/provider-cloudflare/provider-cloudflare/internal/kind"
	"github.com/provider-cloudflare/provider-cloudflare/internal/parent"
)

// What follows orders certificates whose private keys the provider makes. A crash at any
// point loses nothing, because of the order in which things are written:
//
//  1. the new key, with the request that it signed, into the connection secret, beside what
//     is in use;
//  2. the order into the journal, and the order. A certificate for that very request is found again
//     by it, also where the connection secret is lost;
//  3. the ID of the certificate that it replaces, and its own, onto the object's status, and then
//     its own onto the object;
//  4. certificate and key into the places that are used, with one write;
//  5. the revocation of the old certificate, once those who use it have had the time to
//     load the new one.

// Keys of the connection secret for what is ordered.
const (
	keyPending     = "pending.key"
	requestPending = "pending.csr"
)

// annotationSuperseded is where earlier versions kept the ID of the certificate that was replaced
// and is still to be revoked. By now the status has that.
const annotationSuperseded = cfv1alpha1.Group + "/superseded-resource"

// EventRenewed is about a certificate that was replaced.
const EventRenewed event.Reason = "RenewedCertificate"

// issues reports whether the provider makes the private key.
func (a *adapter) issues() bool {
	i := a.Description.Issue
	return i != nil && kind.Text(a.want, i.Request) == ""
}

// requestKey is the key of certificates that were made for a request.
func requestKey(request string) string { return "request\x00" + strings.TrimSpace(request) }

// order sees to it that the connection secret has a key and a request for the certificate
// that is ordered next. It gives true where the request is new.
func (a *adapter) order(ctx context.Context) (fresh bool, err error) {
	if err := a.publishable(); err != nil {
		return false, err
	}
	if len(a.published[keyPending]) > 0 && len(a.published[requestPending]) > 0 {
		return false, nil
	}
	i := a.Description.Issue
	algorithm := i.Keys[kind.Text(a.want, i.Algorithm)]
	if algorithm == "" {
		return false, fmt.Errorf("spec.forProvider.%s is needed: the provider makes no key for a %s of this %s", a.names[i.Request], a.Description.Noun, a.names[i.Algorithm])
	}
	key, err := keypair.New(keypair.Algorithm(algorithm))
	if err != nil {
		return false, err
	}
	request, err := keypair.Request(key, a.hosts())
	if err != nil {
		return false, err
	}
	values := map[string][]byte{keyPending: key, requestPending: request}
	for _, name := range []string{corev1.TLSCertKey, corev1.TLSPrivateKeyKey} {
		values[name] = append([]byte{}, a.published[name]...) // Secrets of this type must have both.
	}
	return true, a.send(ctx, values)
}

func (a *adapter) hosts() []string {
	v, _ := kind.At(a.want, a.Description.Issue.Names)
	list, _ := v.([]any)
	var out []string
	for _, x := range list {
		if s, ok := x.(string); ok {
			out = append(out, s)
		}
	}
	return out
}

// request is the body of an order.
func (a *adapter) request(ctx context.Context) (kind.Document, error) {
	if _, err := a.order(ctx); err != nil {
		return nil, fmt.Errorf("cannot make a private key: %w", err)
	}
	body := a.Description.CreateBody(a.want)
	kind.Put(body, a.Description.Issue.Request, string(a.published[requestPending]))
	return body, nil
}

// publishIssued puts the certificate and its key where they are used.
func (a *adapter) publishIssued(ctx context.Context, l Live) error {
	if err := a.publishable(); err != nil {
		return err
	}
	certificate := []byte(kind.Text(l.doc, a.Description.Issue.Certificate))
	switch {
	case keypair.Fits(a.published[keyPending], certificate):
		return a.send(ctx, map[string][]byte{corev1.TLSCertKey: certificate, corev1.TLSPrivateKeyKey: a.published[keyPending]}, keyPending, requestPending)
	case !keypair.Fits(a.published[corev1.TLSPrivateKeyKey], certificate), bytes.Equal(a.published[corev1.TLSCertKey], certificate):
		return nil
	}
	return a.send(ctx, map[string][]byte{corev1.TLSCertKey: certificate})
}

// keyLost says that nobody has the private key of l, "" where the connection secret has it.
func (a *adapter) keyLost(l Live) string {
	if !a.issues() || a.published == nil || !a.manages() || a.foreign != nil {
		return ""
	}
	certificate := []byte(kind.Text(l.doc, a.Description.Issue.Certificate))
	if keypair.Fits(a.published[corev1.TLSPrivateKeyKey], certificate) || keypair.Fits(a.published[keyPending], certificate) {
		return ""
	}
	return fmt.Sprintf("the connection secret does not have the private key of the %s, and Cloudflare never had it: "+
		"set spec.secretPolicy to %s to have another %s with a new key, which later revokes this one", a.Description.Noun, cfv1alpha1.RollSecretIfMissing, a.Description.Noun)
}

// issueDifferences says why another certificate is needed, and which ones are too many.
func (a *adapter) issueDifferences(l Live) drift.Differences {
	if a.Description.Issue == nil {
		return nil
	}
	var out drift.Differences
	for _, id := range a.surplus(l) {
		out = append(out, drift.Difference{Field: a.Description.Noun + " " + id, Says: "it is replaced and not revoked yet"})
	}
	for _, old := range a.publishedUnnoted(l) {
		out = append(out, drift.Difference{Field: a.Description.Noun + " " + old.ID, Says: "it is replaced, and the time of that is not noted yet"})
	}
	if !a.issues() || a.published == nil {
		return out
	}
	if a.keyLost(l) != "" && a.rolls() {
		out = append(out, drift.Difference{Field: "tls.key", Says: "the connection secret does not have it, and another " + a.Description.Noun + " is ordered"})
	}
	if ends, due := a.due(l); due {
		out = append(out, drift.Difference{Field: a.Description.Noun, Says: fmt.Sprintf("it ends at %s, and is replaced before", ends.UTC().Format(time.RFC3339))})
	}
	return out
}

// due reports whether the certificate is to be replaced by now.
func (a *adapter) due(l Live) (time.Time, bool) {
	i := a.Description.Issue
	before, err := time.ParseDuration(a.options()[i.RenewBefore])
	ends, known := i.Ends(l.doc)
	if err != nil || !known {
		return ends, false
	}
	return ends, kind.Due(a.now(), ends, keypair.Lifetime([]byte(kind.Text(l.doc, i.Certificate))), before)
}

// superseded are the certificates that l and those before it replaced and that are not revoked yet.
func (a *adapter) superseded(l Live) []cfv1alpha1.SupersededResource {
	return slices.DeleteFunc(slices.Clone(a.sync.Superseded), func(s cfv1alpha1.SupersededResource) bool { return s.ID == l.id })
}

// supersede adds to all that the certificate old is replaced by next. What was to replace it before never came
// into use, and is replaced as well.
func supersede(all []cfv1alpha1.SupersededResource, old, next string) []cfv1alpha1.SupersededResource {
	out := slices.Clone(all)
	i := slices.IndexFunc(out, func(s cfv1alpha1.SupersededResource) bool { return s.ID == old })
	if i < 0 {
		return append(out, cfv1alpha1.SupersededResource{ID: old, ReplacedBy: next})
	}
	unused := out[i].ReplacedBy
	out[i].ReplacedBy = next
	if unused != "" && unused != next {
		out = append(out, cfv1alpha1.SupersededResource{ID: unused, ReplacedBy: next})
	}
	return out
}

// replaced are the IDs of what the resource of an object has replaced and that are still to be
// revoked, and of what replaces it: they are the object's, whichever of them it names.
func replaced(mg resource.Managed) []string {
	if o, ok := mg.(Object); ok {
		return others(o.GetSync().Superseded, "")
	}
	return nil
}

// others are the IDs of certificates that were replaced, and of those that replace them, but for one.
func others(all []cfv1alpha1.SupersededResource, but string) []string {
	var out []string
	for _, s := range all {
		for _, id := range []string{s.ID, s.ReplacedBy} {
			if id != "" && id != but && !slices.Contains(out, id) {
				out = append(out, id)
			}
		}
	}
	return out
}

// loaded reports whether those who use the connection secret have had the time to load l in the
// place of old. An object without a connection secret has nobody who could.
func (a *adapter) loaded(l Live, old cfv1alpha1.SupersededResource) bool {
	if a.published == nil {
		return a.mg.GetConnectionSecretName() == ""
	}
	after, err := time.ParseDuration(a.options()[a.Description.Issue.RevokeAfter])
	return err == nil && old.ReplacedAt != nil && a.keyLost(l) == "" && !a.now().Before(old.ReplacedAt.Add(after))
}

// publishedUnnoted are the certificates that l replaced in the connection secret, where nothing
// says since when.
func (a *adapter) publishedUnnoted(l Live) []cfv1alpha1.SupersededResource {
	if !keypair.Fits(a.published[corev1.TLSPrivateKeyKey], []byte(kind.Text(l.doc, a.Description.Issue.Certificate))) {
		return nil
	}
	return slices.DeleteFunc(a.superseded(l), func(s cfv1alpha1.SupersededResource) bool { return s.ReplacedAt != nil })
}

// notePublished notes that the connection secret has l from now on.
func (a *adapter) notePublished(ctx context.Context, l Live) error {
	if len(a.publishedUnnoted(l)) == 0 {
		return nil
	}
	now := external.ShownTime(ptr.To(a.now()))
	err := a.keep(ctx, func(sync *cfv1alpha1.SyncStatus) {
		for i := range sync.Superseded {
			if s := &sync.Superseded[i]; s.ID != l.id && s.ReplacedAt == nil {
				s.ReplacedAt = now
			}
		}
	})
	if err != nil {
		return fmt.Errorf("cannot record that the %s is replaced: %w", a.Description.Noun, err)
	}
	return nil
}

// surplus are the certificates that are to be revoked by now: those that l replaced, and
// the twins of l.
func (a *adapter) surplus(l Live) []string {
	old := slices.DeleteFunc(a.superseded(l), func(s cfv1alpha1.SupersededResource) bool { return !a.loaded(l, s) })
	return append(a.twinsOf(l), others(old, l.id)...)
}

// twinsOf are the other certificates for the request of l, or for one of the journal, which nobody
// but this object can have made.
func (a *adapter) twinsOf(l Live) []string {
	var out []string
	for _, twin := range a.twins {
		if twin.id != l.id {
			out = append(out, twin.id)
		}
	}
	return out
}

// seeTwins looks for certificates that were made for the same request as l, and for one whose order
// got no answer and whose key is lost.
func (a *adapter) seeTwins(ctx context.Context, l Live) error {
	a.twins = nil
	var requests []string
	if request := kind.Text(l.doc, a.Description.Issue.Request); a.keyLost(l) == "" {
		requests = append(requests, request)
	}
	if request := a.ordered; request != strings.TrimSpace(string(a.published[requestPending])) {
		requests = append(requests, request)
	}
	for _, request := range requests {
		if request == "" {
			continue
		}
		made, err := a.coll.Find(ctx, parent.Query{Key: requestKey(request), Guarded: true})
		if err != nil {
			return err
		}
		a.twins = append(a.twins, made...)
	}
	return nil
}

// CreateWith has orders that replace a certificate made by create.
func (a *adapter) CreateWith(create func(ctx context.Context, send func(context.Context) (Live, error)) (Live, error)) {
	a.create = create
}

// renew revokes what is too many, and replaces l where it has to be replaced.
func (a *adapter) renew(ctx context.Context, l Live) (Live, error) {
	if err := a.notePublished(ctx, l); err != nil {
		return l, err
	}
	if err := a.revoke(ctx, a.surplus(l)); err != nil {
		return l, err
	}
	if _, due := a.due(l); !a.issues() || !due && a.keyLost(l) == "" {
		return l, nil
	}
	next, err := a.successor(ctx)
	if err != nil {
		return l, err
	}
	if err := a.succeed(ctx, l, next); err != nil {
		return l, fmt.Errorf("cannot record the ID of the new %s: %w", a.Description.Noun, err)
	}
	if err := a.publishIssued(ctx, next); err != nil {
		return next, err
	}
	a.twins = nil
	err = a.notePublished(ctx, next)
	a.events.Event(a.mg, event.Normal(EventRenewed, fmt.Sprintf("The %s %s is replaced by %s, which has a new private key. %[2]s is revoked %[4]s later",
		a.Description.Noun, l.id, next.id, a.options()[a.Description.Issue.RevokeAfter])))
	if err != nil {
		return next, err
	}
	return next, a.revoke(ctx, a.surplus(next))
}

// successor is the certificate for what is ordered: one that an order made whose outcome
// was not recorded, or a new one.
func (a *adapter) successor(ctx context.Context) (Live, error) {
	fresh, err := a.order(ctx)
	if err != nil {
		return Live{}, fmt.Errorf("cannot make a private key: %w", err)
	}
	if !fresh {
		made, err := a.coll.Find(ctx, parent.Query{Key: requestKey(string(a.published[requestPending]))})
		if err != nil || len(made) > 0 {
			return first(made), err
		}
	}
	body, err := a.request(ctx)
	if err != nil {
		return Live{}, err
	}
	return a.create(ctx, func(ctx context.Context) (Live, error) {
		doc, err := a.all.Create(ctx, body, a.secretValues())
		if err != nil {
			return Live{}, fmt.Errorf("cannot create the %s: %w", a.Description.Noun, err)
		}
		next := newLive(a.Description, a.all.ID(doc), doc)
		a.made[next.id] = true
		a.coll.Written(next)
		return next, nil
	})
}

func first(all []Live) Live {
	if len(all) == 0 {
		return Live{}
	}
	return all[0]
}

// succeed makes next the object's certificate, and notes before that l is to be revoked and that next is its own.
func (a *adapter) succeed(ctx context.Context, l, next Live) error {
	if err := a.claims.Hold(ctx, a.mg, next.id); err != nil {
		return err
	}
	err := a.keep(ctx, func(sync *cfv1alpha1.SyncStatus) { sync.Superseded = supersede(sync.Superseded, l.id, next.id) })
	if err == nil {
		err = a.rename(ctx, next.id)
	}
	if err != nil {
		a.claims.Release(a.mg, next.id)
		return err
	}
	return nil
}
