// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package record

import (
	"fmt"
	"strings"

	"github.com/provider-cloudflare/provider-cloudflare/apis/dns/v1alpha1"
	"github.com/provider-cloudflare/provider-cloudflare/internal/claim"
	"github.com/provider-cloudflare/provider-cloudflare/internal/dnsrecord"
	"github.com/provider-cloudflare/provider-cloudflare/internal/dnszone"
)

// A RefusedError says that a record exists that the adoption policy forbids to
// take over.
type RefusedError struct {
	ID     string
	Policy v1alpha1.AdoptionPolicy
}

func (e *RefusedError) Error() string {
	return fmt.Sprintf("an identical record exists with ID %s, and spec.adoptionPolicy is %s: delete that record, "+
		"or set the annotation crossplane.io/external-name to its ID, or spec.adoptionPolicy to %s",
		e.ID, e.Policy, v1alpha1.AdoptIdentical)
}

// An AmbiguousError says that more than one record fits.
type AmbiguousError struct {
	Name, Type string
	IDs        []string
}

func (e *AmbiguousError) Error() string {
	return fmt.Sprintf("there are %d records %s of type %s (%s): set the annotation crossplane.io/external-name to the ID of one",
		len(e.IDs), e.Name, e.Type, strings.Join(e.IDs, ", "))
}

// choose decides which of the live records found for a key an object takes. It
// gives false when none is to be taken. A key without rdata stands for any
// content; observing is true for an object that changes nothing, to which the
// adoption policy does not apply. taken are the IDs other objects manage, and owner
// names the controller that marks a record as its own, "" if none does: such a record
// is refused to who does not only observe.
func choose(found []dnszone.Entry, key dnsrecord.Key, observing bool, policy v1alpha1.AdoptionPolicy,
	taken func(id string) (bool, error), owner func(dnszone.Entry) string,
) (dnszone.Entry, bool, error) {
	e, ok, err := fitting(found, key, observing, policy, taken)
	if err != nil || !ok || observing {
		return e, ok, err
	}
	if o := owner(e); o != "" {
		return dnszone.Entry{}, false, &claim.MarkedError{ID: e.Live.ID, Owner: o}
	}
	return e, true, nil
}

// fitting is choose without a look at marks.
func fitting(found []dnszone.Entry, key dnsrecord.Key, observing bool, policy v1alpha1.AdoptionPolicy, taken func(id string) (bool, error)) (dnszone.Entry, bool, error) {
	for _, e := range found {
		if key.Rdata == "" || e.Record.Key() != key {
			continue
		}
		if !observing && policy == v1alpha1.AdoptNever {
			return dnszone.Entry{}, false, &RefusedError{ID: e.Live.ID, Policy: policy}
		}
		return e, true, nil
	}
	if observing && key.Rdata != "" || !observing && policy != v1alpha1.AdoptNameAndType {
		return dnszone.Entry{}, false, nil
	}
	if !observing {
		var err error
		if found, err = without(found, taken); err != nil {
			return dnszone.Entry{}, false, err
		}
	}
	return only(found, key)
}

// without leaves out what other objects manage.
func without(found []dnszone.Entry, taken func(id string) (bool, error)) ([]dnszone.Entry, error) {
	var free []dnszone.Entry
	for _, e := range found {
		t, err := taken(e.Live.ID)
		if err != nil {
			return nil, err
		}
		if !t {
			free = append(free, e)
		}
	}
	return free, nil
}

// only gives the one record there is, and refuses to choose among several.
func only(free []dnszone.Entry, key dnsrecord.Key) (dnszone.Entry, bool, error) {
	switch len(free) {
	case 0:
		return dnszone.Entry{}, false, nil
	case 1:
		return free[0], true, nil
	}
	e := &AmbiguousError{Name: key.Name, Type: key.Type}
	for _, f := range free {
		e.IDs = append(e.IDs, f.Live.ID)
	}
	return dnszone.Entry{}, false, e
}
