// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package dnszone

import (
	"context"
	"errors"

	"github.com/provider-cloudflare/provider-cloudflare/internal/dnsrecord"
)

// A settlement finds out by looking what became of the operations of one call
// whose answer was lost.
type settlement struct {
	z *Zone
	// cause is why the outcome is not known.
	cause error
	// alive is true once a record that the call was to delete was found to be there,
	// and blind is why a look for one failed.
	alive bool
	blind error
}

// settle gives the outcome of each of ops. The error of one that was not carried
// out, as far as looking can tell, is cause; where looking failed, an
// *UnsettledError.
func (z *Zone) settle(ctx context.Context, ops []Op, cause error) []outcome {
	s := &settlement{z: z, cause: cause}
	out := make([]outcome, len(ops))
	err := z.refresh(ctx)
	for i, op := range ops {
		if err != nil {
			out[i] = s.unsettled(op, err)
			continue
		}
		out[i] = s.look(ctx, op)
	}
	return out
}

func (s *settlement) unsettled(op Op, look error) outcome {
	return outcome{err: &UnsettledError{Write: op.failed(s.cause), Look: look}}
}

// look gives the outcome of one operation after the zone was listed. A list may
// lag behind: presence it proves, the absence of a record it may not know yet
// takes a GET.
func (s *settlement) look(ctx context.Context, op Op) outcome {
	switch op.kind {
	case opCreate:
		for _, e := range s.z.find(nameType{op.want.Name, op.want.Type}) {
			if e.Record.Key() == op.want.Key() {
				return outcome{entry: e}
			}
		}
		if e, ok := s.z.findAppended(op.want.Key()); ok {
			return outcome{entry: e}
		}
		if err := s.z.unreadableOf(nameType{op.want.Name, op.want.Type}); err != nil {
			return s.unsettled(op, err)
		}
	case opUpdate:
		e, err := s.z.Get(ctx, op.live.Live.ID)
		switch {
		case err == nil && dnsrecord.Equal(op.want, e.Record):
			return outcome{entry: e}
		case err != nil && !errors.Is(err, ErrNotFound):
			return s.unsettled(op, err)
		}
	case opDelete:
		return s.lookForDeleted(ctx, op)
	}
	return outcome{err: op.failed(s.cause)}
}

// lookForDeleted asks for the very ID. That another record is gone proves nothing:
// it may have been gone before the call, which was then refused. That another one
// is there proves that the call was not carried out, for it would be as a whole.
func (s *settlement) lookForDeleted(ctx context.Context, op Op) outcome {
	switch {
	case s.alive:
		return outcome{err: op.failed(s.cause)}
	case s.blind != nil:
		return s.unsettled(op, s.blind)
	}
	switch _, err := s.z.getOne(ctx, op.live.Live.ID); {
	case errors.Is(err, ErrNotFound):
		return outcome{entry: op.live}
	case err != nil:
		s.blind = err
		return s.unsettled(op, err)
	}
	s.alive = true
	return outcome{err: op.failed(s.cause)}
}
