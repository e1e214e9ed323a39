// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package simulator

import (
	"cmp"
	"slices"
	"strings"
	"time"
)

// A zone is one zone with its records and settings.
type zone struct {
	id, name    string
	accountID   string
	kind        string // full, partial, secondary, internal.
	plan        Plan
	status      ZoneStatus
	paused      bool
	vanity      []string
	nameServers []string
	original    []string
	verifyKey   string

	createdOn, modifiedOn time.Time
	pendingFrom           time.Time // The end of initializing.
	activatedOn           time.Time // Zero means never.
	checkedOn             time.Time // The last check of the delegation.
	askedOn               time.Time // The last requested check.
	delegated             bool      // The registrar names Cloudflare's name servers.

	recordQuota int // 0 means that of the plan.

	records map[string]*record // By ID.
	byName  map[string][]*record
	seq     int
	history []revision

	settings map[string][]setting // The values of each changed setting, the latest last.
	// earlier has documents as they were before their last write, by path.
	earlier        map[string]any
	dnssec         dnssecState
	dnssecVersions []dnssecVersion // The latest last.
	dnsSettings    map[string]any
}

// A revision is one replaced record. It serves responses from the past and the undoing
// of transactions.
type revision struct {
	seq    int // The transaction.
	at     time.Time
	id     string
	before *record // nil if the record was created.
}

// maxHistory is the maximum number of revisions of a zone, apart from some slack.
const maxHistory = 20000

// put replaces a record with after, or removes it if after is nil. It returns the
// former record.
func (z *zone) put(id string, after *record) (before *record) {
	before = z.records[id]
	if before != nil {
		same := func(r *record) bool { return r.id == id }
		if left := slices.DeleteFunc(z.byName[before.name], same); len(left) > 0 {
			z.byName[before.name] = left
		} else {
			delete(z.byName, before.name)
		}
		delete(z.records, id)
	}
	if after != nil {
		z.records[id] = after
		z.byName[after.name] = append(z.byName[after.name], after)
	}
	return before
}

// admit checks r against the other records of the zone, in the API's order.
func (z *zone) admit(r *record) *Error {
	creating := z.records[r.id] == nil
	others := slices.DeleteFunc(slices.Clone(z.byName[r.name]), func(o *record) bool { return o.id == r.id })
	identity := r.identity()
	for _, o := range others {
		if o.typ == r.typ && o.identity() == identity {
			return invalid(CodeIdenticalExists, "An identical record already exists.")
		}
	}
	if err := conflict(r, others); err != nil {
		return err
	}
	if creating && len(z.records) >= z.quota() {
		return invalid(CodeQuota, "Record quota exceeded.")
	}
	return nil
}

// conflict applies the rules for records with the same name. A CNAME may exist beside
// types other than addresses and CNAME.
func conflict(r *record, others []*record) *Error {
	address := func(typ string) bool { return typ == "A" || typ == "AAAA" }
	combined := 0
	delegation := r.typ != "DS"
	for _, o := range others {
		switch {
		case r.typ == "CNAME" && (address(o.typ) || o.typ == "CNAME"):
			return invalid(CodeHostHasAddress, "An A, AAAA, or CNAME record with that host already exists.")
		case address(r.typ) && o.typ == "CNAME":
			return invalid(CodeHostHasCNAME, "A CNAME record with that host already exists.")
		case o.typ == "NS":
			delegation = true
		case r.typ == "TXT" && o.typ == "TXT":
			combined += len(o.txt.render(false))
		}
	}
	if !delegation {
		return invalid(CodeDelegation, "A DS record needs an NS record of the same name.")
	}
	if r.typ == "TXT" && combined+len(r.txt.render(false)) > maxTXTCombined {
		return invalid(CodeTXTCombinedTooLong, "Combined content length of records with this name and type exceeds 8192 characters.")
	}
	return nil
}

// release checks that a record may be changed or deleted.
func (z *zone) release(r *record) *Error {
	if r.readOnly() {
		return invalid(CodeReadOnly, "This record is managed by another product and cannot be changed.")
	}
	return nil
}

// orphansDS reports whether the zone has a DS record at name without an NS record.
func (z *zone) orphansDS(name string) bool {
	var ds, ns bool
	for _, r := range z.byName[name] {
		ds, ns = ds || r.typ == "DS", ns || r.typ == "NS"
	}
	return ds && !ns
}

// sorted returns the zone's records ordered by type, name and age.
func (z *zone) sorted() []*record {
	list := make([]*record, 0, len(z.records))
	for _, r := range z.records {
		list = append(list, r)
	}
	slices.SortFunc(list, func(a, b *record) int {
		return cmp.Or(strings.Compare(a.typ, b.typ), strings.Compare(a.name, b.name),
			a.createdOn.Compare(b.createdOn), strings.Compare(a.id, b.id))
	})
	return list
}

// past returns the records as they were before the latest revisions for which stale
// returns true.
func (z *zone) past(stale func(revision) bool) []*record {
	state := make(map[string]*record, len(z.records))
	for id, r := range z.records {
		state[id] = r
	}
	for _, rev := range slices.Backward(z.history) {
		if !stale(rev) {
			break
		}
		if rev.before == nil {
			delete(state, rev.id)
		} else {
			state[rev.id] = rev.before
		}
	}
	return (&zone{records: state}).sorted()
}

func sortTags(tags []string) {
	slices.SortFunc(tags, func(a, b string) int {
		return cmp.Or(strings.Compare(strings.ToLower(a), strings.ToLower(b)), strings.Compare(a, b))
	})
}

// lastSeq returns the number of the last transaction that changed records.
func (z *zone) lastSeq() int {
	if len(z.history) == 0 {
		return 0
	}
	return z.history[len(z.history)-1].seq
}
