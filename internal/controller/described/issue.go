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

// The code below orders certificates whose private keys the provider makes. Because of the order of its writes, a
// crash at any point loses nothing:
//
//  1. The new key and the request that it signed go into the connection secret, beside what is in use.
//  2. The order goes into the journal, and then to Cloudflare. The request identifies the certificate, also if the
//     connection secret is lost.
//  3. The IDs of the replaced and of the new certificate go onto the object's status. Then the new ID becomes the
//     object's external name.
//  4. Certificate and key go into the places that are used, with one write.
//  5. The replaced certificate is revoked, once its users have had the time to load the new one.

// Keys of the connection secret for a pending order.
const (
	keyPending     = "pending.key"
	requestPending = "pending.csr"
)

// annotationSuperseded is where earlier versions kept the ID of a replaced certificate that is still to be revoked.
// Now the status has it.
const annotationSuperseded = cfv1alpha1.Group + "/superseded-resource"

// EventRenewed is about a certificate that was replaced.
const EventRenewed event.Reason = "RenewedCertificate"

// issues reports whether the provider makes the private key.
func (a *adapter) issues() bool {
	i := a.Description.Issue
	return i != nil && kind.Text(a.want, i.Request) == ""
}

// requestKey returns the key of certificates that were made for a request.
func requestKey(request string) string { return "request\x00" + strings.TrimSpace(request) }

// order makes sure that the connection secret has a key and a request for the certificate that is ordered next. It
// returns true if the request is new.
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

// request returns the body of an order.
func (a *adapter) request(ctx context.Context) (kind.Document, error) {
	if _, err := a.order(ctx); err != nil {
		return nil, fmt.Errorf("cannot make a private key: %w", err)
	}
	body := a.Description.CreateBody(a.want)
	kind.Put(body, a.Description.Issue.Request, string(a.published[requestPending]))
	return body, nil
}

// publishIssued puts the certificate and its key into the places that are used.
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

// keyLost returns a message if the private key of l is lost, "" if the connection secret has it.
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

// issueDifferences returns why another certificate is needed, and which ones are surplus.
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

// due reports whether the certificate has to be replaced now. It returns when the certificate ends.
func (a *adapter) due(l Live) (time.Time, bool) {
	i := a.Description.Issue
	before, err := time.ParseDuration(a.options()[i.RenewBefore])
	ends, known := i.Ends(l.doc)
	if err != nil || !known {
		return ends, false
	}
	return ends, kind.Due(a.now(), ends, keypair.Lifetime([]byte(kind.Text(l.doc, i.Certificate))), before)
}

// superseded returns the certificates that were replaced and are not revoked yet, without l.
func (a *adapter) superseded(l Live) []cfv1alpha1.SupersededResource {
	return slices.DeleteFunc(slices.Clone(a.sync.Superseded), func(s cfv1alpha1.SupersededResource) bool { return s.ID == l.id })
}

// supersede adds to all that next replaces the certificate old. If another certificate was to replace old before,
// that one never came into use, and next replaces it as well.
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

// replaced returns the IDs of the certificates of an object that are still to be revoked, and of those that replace
// them. All of them are the object's, including those that its external name does not name.
func replaced(mg resource.Managed) []string {
	if o, ok := mg.(Object); ok {
		return others(o.GetSync().Superseded, "")
	}
	return nil
}

// others returns the IDs of the certificates that were replaced, and of those that replace them, without the ID but.
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

// loaded reports whether the users of the connection secret have had the time to load l in the place of old. An
// object without a connection secret has no such users.
func (a *adapter) loaded(l Live, old cfv1alpha1.SupersededResource) bool {
	if a.published == nil {
		return a.mg.GetConnectionSecretName() == ""
	}
	after, err := time.ParseDuration(a.options()[a.Description.Issue.RevokeAfter])
	return err == nil && old.ReplacedAt != nil && a.keyLost(l) == "" && !a.now().Before(old.ReplacedAt.Add(after))
}

// publishedUnnoted returns the certificates that l replaced in the connection secret at a time that is not recorded.
func (a *adapter) publishedUnnoted(l Live) []cfv1alpha1.SupersededResource {
	if !keypair.Fits(a.published[corev1.TLSPrivateKeyKey], []byte(kind.Text(l.doc, a.Description.Issue.Certificate))) {
		return nil
	}
	return slices.DeleteFunc(a.superseded(l), func(s cfv1alpha1.SupersededResource) bool { return s.ReplacedAt != nil })
}

// notePublished records that the connection secret has l from now on.
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

// surplus returns the certificates that have to be revoked now: those that l replaced, and the twins of l.
func (a *adapter) surplus(l Live) []string {
	old := slices.DeleteFunc(a.superseded(l), func(s cfv1alpha1.SupersededResource) bool { return !a.loaded(l, s) })
	return append(a.twinsOf(l), others(old, l.id)...)
}

// twinsOf returns the other certificates for the request of l, or for a request in the journal. Only this object can
// have made them.
func (a *adapter) twinsOf(l Live) []string {
	var out []string
	for _, twin := range a.twins {
		if twin.id != l.id {
			out = append(out, twin.id)
		}
	}
	return out
}

// seeTwins looks for certificates that were made for the same request as l. It also looks for the certificate of an
// order that got no answer and whose key is lost.
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

// SetCreateFunc sets the function that makes the orders for replacement certificates.
func (a *adapter) SetCreateFunc(create func(ctx context.Context, send func(context.Context) (Live, error)) (Live, error)) {
	a.create = create
}

// renew revokes the surplus certificates, and replaces l if that is due.
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

// successor returns the certificate for the pending order: one whose creation was not recorded, or a new one.
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

// succeed makes next the object's certificate. Before that, it records that l has to be revoked and that next is the
// object's own.
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
