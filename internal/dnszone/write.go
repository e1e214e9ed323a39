// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package dnszone

import (
	"context"
	"errors"
	"fmt"

	"github.com/provider-cloudflare/provider-cloudflare/internal/cloudflare"
	"github.com/provider-cloudflare/provider-cloudflare/internal/dnsrecord"
)

// An Op is one write: make one with Create, Update or Delete.
type Op struct {
	kind opKind
	live Entry
	want dnsrecord.Record
}

type opKind int

const (
	opCreate opKind = iota
	opUpdate
	opDelete
)

// Create makes a record.
func Create(want dnsrecord.Record) Op { return Op{kind: opCreate, want: want} }

// Update changes what differs between a live record and want.
func Update(live Entry, want dnsrecord.Record) Op {
	return Op{kind: opUpdate, live: live, want: want}
}

// Delete removes a live record. One that is gone already is a success.
func Delete(live Entry) Op { return Op{kind: opDelete, live: live} }

// Apply carries out op and gives the record as it is then (for a Delete, as it
// was). The write goes on when ctx ends first; its outcome is then in the
// snapshot, and looking again will tell. An outcome that the API left open is
// settled by looking; where that fails too the error is an *UnsettledError.
func (z *Zone) Apply(ctx context.Context, op Op) (Entry, error) {
	type outcome struct {
		entry Entry
		err   error
	}
	done := make(chan outcome, 1)
	z.running.Add(1)
	go func() {
		defer z.running.Done()
		own, cancel := context.WithTimeout(context.WithoutCancel(ctx), z.o.CallTimeout)
		defer cancel()
		e, err := z.write(own, op)
		if cloudflare.IsAmbiguous(err) {
			// The time to look is not what the write left over.
			look, stop := context.WithTimeout(context.WithoutCancel(ctx), z.o.CallTimeout)
			defer stop()
			e, err = z.settle(look, op, err)
		}
		done <- outcome{e, err}
	}()
	select {
	case o := <-done:
		return o.entry, o.err
	case <-ctx.Done():
		return Entry{}, &UnsettledError{Write: context.Cause(ctx), Look: errors.New("no time left to look")}
	}
}

func (z *Zone) write(ctx context.Context, op Op) (Entry, error) {
	var l dnsrecord.Live
	switch op.kind {
	case opCreate:
		if err := z.api.CreateRecord(ctx, z.id, op.want.Body(), &l); err != nil {
			return Entry{}, fmt.Errorf("cannot create the DNS record: %w", err)
		}
	case opUpdate:
		patch := op.want.Patch(op.live.Record)
		if patch == nil {
			return op.live, nil
		}
		err := z.api.PatchRecord(ctx, z.id, op.live.Live.ID, patch, &l)
		if cloudflare.IsRecordGone(err) {
			z.drop(op.live.Live.ID)
		}
		if err != nil {
			return Entry{}, fmt.Errorf("cannot update the DNS record: %w", err)
		}
	case opDelete:
		err := z.api.DeleteRecord(ctx, z.id, op.live.Live.ID)
		if err != nil && !cloudflare.IsRecordGone(err) {
			return Entry{}, fmt.Errorf("cannot delete the DNS record: %w", err)
		}
		z.drop(op.live.Live.ID)
		return op.live, nil
	}
	return z.put(l), nil
}

// settle finds out by looking what became of a write whose answer was lost.
func (z *Zone) settle(ctx context.Context, op Op, cause error) (Entry, error) {
	if err := z.refresh(ctx); err != nil {
		return Entry{}, &UnsettledError{Write: cause, Look: err}
	}
	switch op.kind {
	case opCreate:
		for _, e := range z.find(nameType{op.want.Name, op.want.Type}) {
			if e.Record.Key() == op.want.Key() {
				return e, nil
			}
		}
	case opUpdate:
		e, err := z.Get(ctx, op.live.Live.ID)
		switch {
		case err == nil && dnsrecord.Equal(op.want, e.Record):
			return e, nil
		case err != nil && !errors.Is(err, ErrNotFound):
			return Entry{}, &UnsettledError{Write: cause, Look: err}
		}
	case opDelete:
		_, err := z.getOne(ctx, op.live.Live.ID)
		switch {
		case errors.Is(err, ErrNotFound):
			return op.live, nil
		case err != nil:
			return Entry{}, &UnsettledError{Write: cause, Look: err}
		}
	}
	return Entry{}, cause
}
