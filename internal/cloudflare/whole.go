// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package cloudflare

import (
	"context"
	"io"
	"net/http"
)

// whole is a transport that does not cut a write off when its context is cancelled, as those
// of all reconciles are when the process ends: Cloudflare may carry out what was cut off, after
// the first write of the next leader. A write has to end by the deadline of its context, and
// is not sent when that has ended already.
type whole struct{ next http.RoundTripper }

// wholeOver is whole over a transport; nil is http.DefaultTransport.
func wholeOver(next http.RoundTripper) whole {
	if next == nil {
		next = http.DefaultTransport
	}
	return whole{next}
}

// RoundTrip makes a call.
func (t whole) RoundTrip(r *http.Request) (*http.Response, error) {
	if r.Method == http.MethodGet {
		return t.next.RoundTrip(r)
	}
	ctx := r.Context()
	if err := ctx.Err(); err != nil {
		if r.Body != nil {
			_ = r.Body.Close() // As a RoundTripper has to.
		}
		return nil, err
	}
	own, cancel := untilItsDeadline(ctx)
	resp, err := t.next.RoundTrip(r.WithContext(own))
	if err != nil {
		cancel()
		return nil, err
	}
	resp.Body = &released{resp.Body, cancel}
	return resp, nil
}

// untilItsDeadline is ctx, which ends by its deadline alone.
func untilItsDeadline(ctx context.Context) (context.Context, context.CancelFunc) {
	whole := context.WithoutCancel(ctx)
	if by, ok := ctx.Deadline(); ok {
		return context.WithDeadline(whole, by)
	}
	return context.WithCancel(whole)
}

// released is a body that frees what its context holds when it is closed.
type released struct {
	io.ReadCloser

	release func()
}

// Close closes the body.
func (b *released) Close() error {
	defer b.release()
	return b.ReadCloser.Close()
}
