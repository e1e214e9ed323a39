// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package dnszone

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/provider-cloudflare/provider-cloudflare/internal/cloudflare"
	"github.com/provider-cloudflare/provider-cloudflare/internal/dnsrecord"
	"github.com/provider-cloudflare/provider-cloudflare/internal/dnszone/ownership"
)

// A settlement looks for the outcomes of the operations of one call whose answer was lost.
type settlement struct {
	z *Zone
	// began is when the call was made.
	began time.Time
	// cause is why the outcome is unknown.
	cause error
	// alive is true once a look found a record that the call was to delete. blind is why a
	// look for one failed.
	alive bool
	blind error
}

// settle returns the outcome of each of ops, of a call that began at that time. If an
// operation was not carried out, as far as looks can tell, its error is cause. If the look
// failed, its error is an *OutcomeUnknownError.
func (z *Zone) settle(ctx context.Context, ops []Op, began time.Time, cause error) []outcome {
	s := &settlement{z: z, began: began, cause: cause}
	out := make([]outcome, len(ops))
	err := z.lists.Refresh(ctx)
	for i, op := range ops {
		if err != nil {
			out[i] = s.unsettled(op, err)
			continue
		}
		out[i] = s.look(ctx, op)
	}
	return out
}

// shows reports whether the record of that ID is there, as far as is known.
func (z *Zone) shows(id string) bool {
	z.mu.Lock()
	defer z.mu.Unlock()
	_, ok, _ := z.view.get(id)
	return ok
}

func (s *settlement) unsettled(op Op, look error) outcome {
	return outcome{err: &OutcomeUnknownError{Write: op.failed(s.cause), Look: look}}
}

// look returns the outcome of one operation after the zone was listed. A list may lag
// behind. It proves presence. The absence of a record that it may not show yet takes a
// GET.
func (s *settlement) look(ctx context.Context, op Op) outcome {
	switch op.kind {
	case opCreate:
		for _, e := range s.z.find(nameType{op.want.Name, op.want.Type}) {
			if e.Record.Key() == op.want.Key() && s.mayHaveMade(e) {
				return outcome{entry: e}
			}
		}
		if e, ok := s.z.findAppended(op.want.Key()); ok && s.mayHaveMade(e) {
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

// mayHaveMade reports whether the call can have created that record, by its age. A record
// that was there before is not the call's, even if it is identical. Neither is a record
// that another record beside it marks as another controller's.
func (s *settlement) mayHaveMade(e Entry) bool {
	if slices.ContainsFunc(s.z.Owners(e), func(o ownership.Owner) bool { return !o.Itself }) {
		return false
	}
	made := e.Live.CreatedOn
	return made.IsZero() || made.After(s.began.Add(-cloudflare.ClockSkew))
}

// lookForDeleted looks for the record of this very ID. That another record of the call is
// gone proves nothing: it may have been gone before the call, and the API refused the call
// for that. That another one is there proves that the call was not carried out, because
// the API carries out a call as a whole. If the list shows the record, a GET that does not
// find it is not believed: to delete a record that is gone costs a call, but to leave one
// that is there leaves an orphan.
func (s *settlement) lookForDeleted(ctx context.Context, op Op) outcome {
	s.alive = s.alive || s.z.shows(op.live.Live.ID)
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
