// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package dnszone

import (
	"context"
	"fmt"

	"github.com/provider-cloudflare/provider-cloudflare/internal/cloudflare"
	"github.com/provider-cloudflare/provider-cloudflare/internal/dnsrecord"
)

// An Op is one write. Create, Update and Delete return Ops.
type Op struct {
	kind opKind
	live Entry
	want dnsrecord.Record
	// patch is what an update sends, nil if nothing differs.
	patch map[string]any
	// urgent is true if a user waits for this change.
	urgent bool
	// intent is the value that a creation passes to Options.BeforeCreate, nil for none.
	intent any
}

// WithIntent returns the creation op with v as the intent that Options.BeforeCreate is
// called with.
func (op Op) WithIntent(v any) Op {
	op.intent = v
	return op
}

// Soon returns op for a change that a user waits for: it does not wait long for other
// writes to share its call.
func (op Op) Soon() Op {
	op.urgent = true
	return op
}

type opKind int

const (
	opCreate opKind = iota
	opUpdate
	opDelete
)

// Create returns the Op that creates a record.
func Create(want dnsrecord.Record) Op { return Op{kind: opCreate, want: want} }

// Update returns the Op that changes what differs between a live record and want.
func Update(live Entry, want dnsrecord.Record) Op {
	return Op{kind: opUpdate, live: live, want: want, patch: want.Patch(live.Record)}
}

// Delete returns the Op that deletes a live record. It succeeds if the record is gone
// already.
func Delete(live Entry) Op { return Op{kind: opDelete, live: live} }

// rank returns the place of an operation in the order in which a call carries them out.
// Deletes, which make room, come before creations, which need it. Users' edits come
// before creations. An NS record is there for as long as a DS record of its name is. The
// API itself carries out deletes, patches and posts in this order.
func (op Op) rank() int {
	const ns, ds = "NS", "DS"
	switch {
	case op.kind == opDelete && op.live.Record.Type == ds:
		return 0
	case op.kind == opDelete && op.live.Record.Type == ns:
		return 2
	case op.kind == opDelete:
		return 1
	case op.kind == opUpdate:
		return 3
	case op.want.Type == ns:
		return 4
	case op.want.Type == ds:
		return 6
	}
	return 5
}

// subject returns what two operations of one call must not have in common: the ID of a
// live record, or the key of a new one. The API would refuse the call for it.
func (op Op) subject() any {
	if op.kind == opCreate {
		return op.want.Key()
	}
	return op.live.Live.ID
}

// idle reports whether the operation changes nothing.
func (op Op) idle() bool { return op.kind == opUpdate && op.patch == nil }

// check returns an error for an operation that would spoil a call that it shares with
// others.
func (op Op) check() error {
	if id := op.live.Live.ID; op.kind != opCreate && !cloudflare.ValidID(id) {
		return &cloudflare.IDError{What: "DNS record", ID: id}
	}
	return nil
}

// failed wraps an error in the words for what could not be done.
func (op Op) failed(err error) error {
	switch op.kind {
	case opCreate:
		return fmt.Errorf("cannot create the DNS record: %w", err)
	case opUpdate:
		return fmt.Errorf("cannot update the DNS record: %w", err)
	}
	return fmt.Errorf("cannot delete the DNS record: %w", err)
}

// An outcome is the result of a write.
type outcome struct {
	entry Entry
	err   error
}

// one executes a single operation by the endpoint for a single record: a refusal says
// exactly what is wrong with the operation.
func (z *Zone) one(ctx context.Context, op Op) (Entry, error) {
	var (
		l   dnsrecord.Live
		err error
	)
	switch op.kind {
	case opCreate:
		err = z.api.CreateRecord(ctx, z.id, op.want.Body(), &l)
	case opUpdate:
		err = z.api.PatchRecord(ctx, z.id, op.live.Live.ID, op.patch, &l)
	case opDelete:
		err = z.api.DeleteRecord(ctx, z.id, op.live.Live.ID)
	}
	if err != nil {
		z.learnRefused(op, err)
		return Entry{}, err
	}
	if !z.answers(op, l) {
		return Entry{}, errPartial
	}
	return z.done(op, l), nil
}

// answers reports whether l can be the operation's record after the operation. The answer
// to a deletion is not checked.
func (z *Zone) answers(op Op, l dnsrecord.Live) bool {
	switch op.kind {
	case opCreate:
		r := dnsrecord.FromLive(l)
		return plausible(&l) == nil && r.Type == op.want.Type && z.placed(op.want.Name, r.Name)
	case opUpdate:
		return plausible(&l) == nil && l.ID == op.live.Live.ID
	}
	return true
}

// done notes the operation's record as the operation left it.
func (z *Zone) done(op Op, l dnsrecord.Live) Entry {
	if op.kind == opDelete {
		z.drop(op.live.Live.ID, true)
		return op.live
	}
	e := z.put(l)
	if op.kind == opCreate {
		z.learnName(op.want.Name, e.Record.Name)
	}
	return e
}

// learnRefused notes what a refusal shows about records that the snapshot does not have.
func (z *Zone) learnRefused(op Op, err error) {
	switch {
	case op.kind == opUpdate && cloudflare.IsRecordGone(err):
		z.drop(op.live.Live.ID, false)
	case op.kind == opCreate && cloudflare.IsRecordExists(err):
		z.lists.Doubt()
	}
}
