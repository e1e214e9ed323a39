// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package cloudflare

import (
	"errors"
	"io"
	"net/http"

	"github.com/cloudflare/cloudflare-go/v7/option"
)

const (
	// longAnswer bounds the answers that may hold thousands of records: 5,000 of the
	// longest records take some 50 MB, and 5,000 plain ones two.
	longAnswer = 64 << 20
	// shortAnswer bounds all others.
	shortAnswer = 4 << 20
)

// errTooLong says that an answer was not read to its end.
var errTooLong = errors.New("it is longer than any answer of the API: not read")

// longest returns how long an answer may be.
func (op operation) longest() int64 {
	if op.route == routeBatch || (op.route == routeRecords && op.method == http.MethodGet) {
		return longAnswer
	}
	return shortAnswer
}

// atMost returns a middleware that allows at most n bytes of an answer to be read, counted after decompression.
func atMost(n int64) option.Middleware {
	return func(r *http.Request, next option.MiddlewareNext) (*http.Response, error) {
		resp, err := next(r)
		if resp != nil && resp.Body != nil {
			resp.Body = bounded(resp, n)
		}
		return resp, err
	}
}

// bounded returns the body of resp, of which at most n bytes can be read. If the answer
// states a greater length, no byte can be read.
func bounded(resp *http.Response, n int64) io.ReadCloser {
	b := &boundedBody{ReadCloser: resp.Body, left: n}
	if resp.ContentLength > n {
		b.left = -1
	}
	return b
}

type boundedBody struct {
	io.ReadCloser

	// left is how much may still be read. It is below zero if the body has more than that.
	left int64
}

// Read returns errTooLong instead of more than is left.
func (b *boundedBody) Read(p []byte) (int, error) {
	if b.left < 0 {
		return 0, errTooLong
	}
	if int64(len(p)) > b.left+1 {
		p = p[:b.left+1]
	}
	n, err := b.ReadCloser.Read(p)
	b.left -= int64(n)
	if b.left < 0 {
		return n - 1, errTooLong
	}
	return n, err
}
