// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package simulator

import (
	"net/http"
	"time"
)

// CodeOperationPending is the code of the refusal of a second operation in an account (own
// number). The status is from Cloudflare's documentation of the Lists API (cloudflare-docs, pull
// request 25671).
const CodeOperationPending = 10050

// An operation is an asynchronous change of the items of a list. An account has one at a time.
type operation struct {
	account    string // The path of the account.
	id         string
	began, due time.Time
	// carryOut makes the change. It returns the reason for a failure, or "".
	carryOut func() string
	ended    bool
	failure  string
}

// begin starts an operation. It refuses if another operation of the account has not ended.
func (c *resourceCall) begin(carryOut func() string) (reply, *Error) {
	for _, o := range c.s.operations {
		if o.account == c.parent() && !o.ended {
			return reply{}, refuse(http.StatusTooManyRequests, CodeOperationPending, "An operation on the lists of this account is still under way.")
		}
	}
	o := &operation{account: c.parent(), id: c.s.newID(), began: c.now, due: c.now.Add(c.s.options.OperationDelay), carryOut: carryOut}
	c.s.operations[o.id] = o
	return reply{result: map[string]any{"operation_id": o.id}}, nil
}

// OccupyLists starts an operation of an account that changes nothing, like an operation of
// another client. The operation lasts until end is called.
func (s *Server) OccupyLists(accountID string) (end func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	const never = 100 * 365 * 24 * time.Hour
	now := s.now()
	o := &operation{account: "/accounts/" + accountID, id: s.newID(), began: now, due: now.Add(never), carryOut: func() string { return "" }}
	s.operations[o.id] = o
	return func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		o.due = s.now()
	}
}

// settleOperations ends the operations that are due.
func (s *Server) settleOperations(now time.Time) {
	for _, o := range s.operations {
		if !o.ended && !now.Before(o.due) {
			o.failure, o.ended = o.carryOut(), true
		}
	}
}

// operation returns the status of an operation: pending for the first half of its time, then
// running, then completed or failed.
func (c *resourceCall) operation() (reply, *Error) {
	o := c.s.operations[c.r.PathValue("operation_id")]
	if o == nil || o.account != c.parent() {
		return reply{}, c.f.unknown()
	}
	shown := map[string]any{"id": o.id, "status": "pending"}
	switch half := o.began.Add(o.due.Sub(o.began) / 2); {
	case o.ended && o.failure != "":
		shown["status"], shown["error"], shown["completed"] = "failed", o.failure, timestamp(o.due)
	case o.ended:
		shown["status"], shown["completed"] = "completed", timestamp(o.due)
	case !c.now.Before(half):
		shown["status"] = "running"
	}
	return reply{result: shown}, nil
}
