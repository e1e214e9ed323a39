// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package simulator

import (
	"slices"
	"time"
)

// A txn is one transaction on a zone's records: all of it happens, or nothing.
type txn struct {
	s    *Server
	z    *zone
	now  time.Time
	undo []revision
}

// transact calls do and undoes its changes if it fails.
func (s *Server) transact(z *zone, do func(*txn) *Error) *Error {
	z.seq++
	t := &txn{s: s, z: z, now: s.now()}
	if err := do(t); err != nil {
		for _, rev := range slices.Backward(t.undo) {
			z.put(rev.id, rev.before)
		}
		return err
	}
	z.history = append(z.history, t.undo...)
	if excess := len(z.history) - maxHistory; excess > maxHistory/10 {
		z.history = slices.Delete(z.history, 0, excess)
	}
	return nil
}

func (t *txn) put(id string, after *record) {
	t.undo = append(t.undo, revision{seq: t.z.seq, at: t.now, id: id, before: t.z.put(id, after)})
}

func (t *txn) create(body fields) (*record, *Error) {
	r, err := t.z.change(&record{}, body, t.now)
	if err != nil {
		return nil, err
	}
	r.id = t.s.newID()
	return r, t.store(r)
}

// patch keeps the fields that body leaves out. replace resets them.
func (t *txn) patch(id string, body fields) (*record, *Error) {
	before := t.z.records[id]
	if before == nil {
		return nil, errNoRecord()
	}
	return t.update(before, before, body)
}

func (t *txn) replace(id string, body fields) (*record, *Error) {
	before := t.z.records[id]
	if before == nil {
		return nil, errNoRecord()
	}
	blank := &record{
		id: id, typ: before.typ, meta: before.meta, createdOn: before.createdOn,
		commentModifiedOn: before.commentModifiedOn, tagsModifiedOn: before.tagsModifiedOn,
	}
	return t.update(before, blank, body)
}

func (t *txn) update(before, base *record, body fields) (*record, *Error) {
	if err := t.z.release(before); err != nil {
		return nil, err
	}
	r, err := t.z.change(base, body, t.now)
	if err != nil {
		return nil, err
	}
	if err := t.store(r); err != nil {
		return nil, err
	}
	return r, t.keepsDelegation(before)
}

func (t *txn) store(r *record) *Error {
	if err := t.z.admit(r); err != nil {
		return err
	}
	t.put(r.id, r)
	return nil
}

func (t *txn) delete(id string) (*record, *Error) {
	before := t.z.records[id]
	if before == nil {
		return nil, errNoRecord()
	}
	if err := t.z.release(before); err != nil {
		return nil, err
	}
	t.put(id, nil)
	return before, t.keepsDelegation(before)
}

// keepsDelegation refuses the loss of an NS record that a DS record needs.
func (t *txn) keepsDelegation(before *record) *Error {
	if before.typ == "NS" && t.z.orphansDS(before.name) {
		return invalid(CodeDelegation, "An NS record that a DS record of the same name needs cannot be removed.")
	}
	return nil
}
