// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package cloudflare

import (
	"context"
	"net/http"
	"net/url"
	"strings"
)

// An Outgoing is a call that is about to be made.
type Outgoing struct {
	Method string
	// Path is below the base URL, with its parameters escaped. It has "{record}" in the place of
	// the ID of a record.
	Path  string
	Query url.Values
	// Bodies are the body, or those of its parts that are not files.
	Bodies [][]byte
}

// A Guard decides about a call before it is made, and before the budget is asked. If it returns an error, the call is
// not sent, and the error of the call wraps that one.
type Guard func(ctx context.Context, o Outgoing) error

// IsGuarded reports whether a Guard did not allow the call. It says nothing about what another client may call.
func IsGuarded(err error) bool { return is(err, func(e *Error) bool { return e.guarded }) }

// Guarded returns a client with the same credential and budget. g decides about its calls.
func (c *Client) Guarded(g Guard) *Client {
	out := *c
	out.guard = g
	return &out
}

// Allows returns the error of the Guard for a read of a path, nil if the Guard allows the read. A caller asks it before
// it shows what another client of the same credential has read.
func (c *Client) Allows(ctx context.Context, path string) error {
	if c.guard == nil {
		return nil
	}
	return c.guard(ctx, Outgoing{Method: http.MethodGet, Path: path})
}

func (c *Client) guarded(ctx context.Context, op operation) error {
	if c.guard == nil {
		return nil
	}
	o, err := op.outgoing()
	if err != nil {
		return err
	}
	return c.guard(ctx, o)
}

// outgoing returns the operation as a Guard sees it.
func (op operation) outgoing() (Outgoing, error) {
	o := Outgoing{Method: op.method, Path: op.path, Query: op.query}
	if o.Path == "" {
		o.Path = strings.NewReplacer("{zone}", op.zone, "{account}", op.account).Replace(op.route)
	}
	if op.bodies == nil {
		return o, nil
	}
	var err error
	o.Bodies, err = op.bodies()
	return o, err
}
