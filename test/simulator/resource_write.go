// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package simulator

import (
	"maps"
)

// create handles the POST on a collection.
func (c *resourceCall) create() (reply, *Error) {
	body, err := c.admit(true)
	if err != nil {
		return reply{}, err
	}
	doc, _ := c.op.Body.Fill(body).(map[string]any)
	id := c.s.newResourceID(c.f, doc)
	c.stamp(doc, id, true)
	r, err := c.store(nil, id, doc)
	if err != nil {
		return reply{}, err
	}
	shown := c.shown(r)
	if c.f.created != nil {
		c.f.created(c, r, shown)
	}
	return reply{result: shown}, nil
}

// store completes a document and stores it.
func (c *resourceCall) store(before *resource, id string, doc map[string]any) (*resource, *Error) {
	if c.f.prepare != nil {
		if err := c.f.prepare(c, before, doc); err != nil {
			return nil, err
		}
	}
	if err := c.collide(before, doc); err != nil {
		return nil, err
	}
	return c.s.put(c.shelf, id, doc), nil
}

func (c *resourceCall) get() (reply, *Error) {
	r, err := c.find()
	if err != nil {
		return reply{}, err
	}
	return reply{result: c.shown(r)}, nil
}

// replace handles PUT. Members that the body leaves out return to their defaults.
// Members of the server stay.
func (c *resourceCall) replace() (reply, *Error) {
	return c.update(true, func(before, body map[string]any) map[string]any {
		doc, _ := c.op.Body.Fill(body).(map[string]any)
		for name, value := range before {
			if _, given := doc[name]; !given && c.serverOwned(name) {
				doc[name] = value
			}
		}
		return doc
	})
}

// merge handles PATCH. Members that the body leaves out stay. A given member replaces
// the former one as a whole.
func (c *resourceCall) merge() (reply, *Error) {
	return c.update(false, func(before, body map[string]any) map[string]any {
		doc := copyOf(before)
		for name, value := range body {
			doc[name] = c.op.Body.Members(body)[name].Fill(value)
		}
		return doc
	})
}

func (c *resourceCall) update(whole bool, change func(before, body map[string]any) map[string]any) (reply, *Error) {
	r, err := c.find()
	if err != nil {
		return reply{}, err
	}
	if r.deleted() {
		return reply{}, c.f.unknown()
	}
	body, err := c.admit(whole)
	if err != nil {
		return reply{}, err
	}
	doc := change(maps.Clone(r.doc), body)
	c.stamp(doc, r.id, false)
	if r, err = c.store(r, r.id, doc); err != nil {
		return reply{}, err
	}
	return reply{result: c.shown(r)}, nil
}

// delete handles DELETE. A family with soft deletion keeps the resource with the time
// of deletion.
func (c *resourceCall) delete() (reply, *Error) {
	r, err := c.find()
	if err != nil {
		return reply{}, err
	}
	if r.deleted() {
		return reply{}, c.f.unknown()
	}
	if err := c.mayDelete(r); err != nil {
		return reply{}, err
	}
	c.take(r)
	if c.f.removed != nil {
		c.f.removed(c, r)
	}
	if c.f.deletion != nil {
		return reply{result: c.f.deletion(c, r)}, nil
	}
	return reply{result: map[string]any{c.f.idMember(): r.id}}, nil
}

func (c *resourceCall) mayDelete(r *resource) *Error {
	if err := c.trappedBusy(); err != nil {
		return err
	}
	if c.f.busy == nil {
		return nil
	}
	return c.f.busy(c, r)
}

func (c *resourceCall) take(r *resource) {
	if !c.f.soft && !c.trapped(TrapSoftDeletion) {
		c.shelf.remove(r, c.now)
		return
	}
	doc := copyOf(r.doc)
	doc["deleted_at"] = timestamp(c.now)
	r.set(doc, c.now)
}
