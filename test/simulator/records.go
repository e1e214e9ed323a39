// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package simulator

import "slices"

// answerRecord returns the reply with one record.
func (c *call) answerRecord(r *record) reply { return reply{result: c.shown(r)} }

func createRecord(c *call) (reply, *Error) {
	body, err := c.decode()
	if err != nil {
		return reply{}, err
	}
	return c.one(func(t *txn) (*record, *Error) { return t.create(body) })
}

func getRecord(c *call) (reply, *Error) {
	id, err := c.recordID()
	if err != nil {
		return reply{}, err
	}
	r := c.seen(id)
	if r == nil {
		return reply{}, errNoRecord()
	}
	return c.answerRecord(r), nil
}

// seen returns the record with an ID as a GET sees it, or nil if there is none. A fault may
// return a record of the past.
func (c *call) seen(id string) *record {
	now := c.zone.records[id]
	if c.faults.has(FaultBehind) {
		then := c.zone.before(id)
		if then != now {
			c.faults.fire(FaultBehind)
		}
		return then
	}
	stale, ok := c.faults.find(FaultStaleGet)
	if !ok {
		return now
	}
	var then *record
	if stale.Delay > 0 {
		since := c.now.Add(-stale.Delay)
		for _, r := range c.zone.past(func(rev revision) bool { return rev.at.After(since) }) {
			if r.id == id {
				then = r
			}
		}
	}
	if then != now {
		c.faults.fire(FaultStaleGet)
	}
	return then
}

// before returns the record with an ID before its last write, or nil if it did not exist.
func (z *zone) before(id string) *record {
	for _, rev := range slices.Backward(z.history) {
		if rev.id == id {
			return rev.before
		}
	}
	return z.records[id]
}

func putRecord(c *call) (reply, *Error) {
	return c.edit(func(t *txn, id string, body fields) (*record, *Error) { return t.replace(id, body) })
}

func patchRecord(c *call) (reply, *Error) {
	return c.edit(func(t *txn, id string, body fields) (*record, *Error) { return t.patch(id, body) })
}

func deleteRecord(c *call) (reply, *Error) {
	id, err := c.recordID()
	if err != nil {
		return reply{}, err
	}
	if _, err := c.one(func(t *txn) (*record, *Error) { return t.delete(id) }); err != nil {
		return reply{}, err
	}
	return reply{result: map[string]any{"id": id}}, nil
}

// edit changes the record of the path with the request's body.
func (c *call) edit(do func(*txn, string, fields) (*record, *Error)) (reply, *Error) {
	id, err := c.recordID()
	if err != nil {
		return reply{}, err
	}
	body, err := c.decode()
	if err != nil {
		return reply{}, err
	}
	return c.one(func(t *txn) (*record, *Error) { return do(t, id, body) })
}

// one executes a transaction of one operation.
func (c *call) one(do func(*txn) (*record, *Error)) (reply, *Error) {
	var done *record
	err := c.s.transact(c.zone, func(t *txn) (err *Error) {
		done, err = do(t)
		return err
	})
	if err != nil {
		return reply{}, err
	}
	return c.answerRecord(done), nil
}

func getUsage(c *call) (reply, *Error) {
	return reply{result: map[string]any{"record_usage": len(c.zone.records), "record_quota": c.zone.quota()}}, nil
}
