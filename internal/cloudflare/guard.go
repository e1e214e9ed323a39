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
	// Path below the base URL, with its parameters escaped. The ID of a record is "{record}" in it.
	Path  string
	Query url.Values
	// Bodies are the body, or its parts that are no files.
	Bodies [][]byte
}

// A Guard decides about a call before it is made, and before the budget is asked. A call for which it gives an error is
// not sent, and its error wraps that one.
type Guard func(ctx context.Context, o Outgoing) error

// IsGuarded reports whether a Guard did not allow the call. It says nothing about what another client may call.
func IsGuarded(err error) bool { return is(err, func(e *Error) bool { return e.guarded }) }

// Guarded gives a client of the same credential and budget whose calls g decides about.
func (c *Client) Guarded(g Guard) *Client {
	out := *c
	out.guard = g
	return &out
}

// Allows is the error of the Guard for a read of a path, nil where it allows that. Whoever shows what another client of the
// same credential has read asks it first.
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

// outgoing is the operation as a Guard sees it.
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
