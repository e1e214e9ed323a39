// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package record

import (
	"context"
	"fmt"

	"github.com/crossplane/crossplane-runtime/v2/pkg/meta"

	"github.com/provider-cloudflare/provider-cloudflare/apis/dns/v1alpha1"
	"github.com/provider-cloudflare/provider-cloudflare/internal/dnszone"
	"github.com/provider-cloudflare/provider-cloudflare/internal/policy"
)

// annotationObserved holds the ID of the record that an object found by itself while
// it only observed. Should it begin to manage, it has to adopt that record first.
const annotationObserved = v1alpha1.Group + "/observed-record"

// An unlikeError says that a record which an object only observed so far is not what
// the object declares.
type unlikeError struct {
	ID     string
	Policy v1alpha1.AdoptionPolicy
}

func (e *unlikeError) Error() string {
	return fmt.Sprintf("DNS record %s was only observed so far and is not as declared, and spec.adoptionPolicy is %s: "+
		"set it to %s to have the record changed, or declare what it is", e.ID, e.Policy, v1alpha1.AdoptNameAndType)
}

// A neverTakenError says that an object which is being deleted only observed its record,
// and has not adopted it since it may manage.
type neverTakenError struct{ ID string }

func (e *neverTakenError) Error() string {
	return fmt.Sprintf("DNS record %s was only observed and never taken over", e.ID)
}

// beginToManage adopts, or refuses, the record that mg found while it observed. A
// record that its user named by ID is the user's choice.
func (e *external) beginToManage(ctx context.Context, mg *v1alpha1.Record, live dnszone.Entry) error {
	id := live.Live.ID
	switch {
	case mg.GetAnnotations()[annotationObserved] != id || !policy.Manages(mg):
		return nil
	case meta.WasDeleted(mg):
		return &neverTakenError{ID: id}
	case e.want == nil:
		return nil
	}
	taken := func(id string) (bool, error) { return e.claims.Taken(ctx, mg, id) }
	_, ok, err := choose([]dnszone.Entry{live}, e.want.Key(), false, mg.Spec.AdoptionPolicy, taken, e.zone.Owner)
	switch {
	case err != nil:
		return err
	case !ok || mg.Spec.AdoptionPolicy == v1alpha1.AdoptNever:
		return &unlikeError{ID: id, Policy: mg.Spec.AdoptionPolicy}
	}
	next := mg.DeepCopy()
	meta.RemoveAnnotations(next, annotationObserved)
	if err := e.kube.Update(ctx, next); err != nil {
		return fmt.Errorf("cannot record that the DNS record is adopted: %w", err)
	}
	next.DeepCopyInto(mg)
	e.adopted(mg, live, "it was only observed before")
	return nil
}
