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
	// longAnswer bounds the answers that may hold thousands of records: 5,000 of
	// the longest there are take some 50 MB, of plain ones two.
	longAnswer = 64 << 20
	// shortAnswer bounds all others.
	shortAnswer = 4 << 20
)

// errTooLong says that an answer was not read to its end.
var errTooLong = errors.New("it is longer than any answer of the API: not read")

// longest is how long an answer may be.
func (op operation) longest() int64 {
	if op.route == routeBatch || (op.route == routeRecords && op.method == http.MethodGet) {
		return longAnswer
	}
	return shortAnswer
}

// atMost lets nobody read more than n bytes of an answer, as it is after
// decompression.
func atMost(n int64) option.Middleware {
	return func(r *http.Request, next option.MiddlewareNext) (*http.Response, error) {
		resp, err := next(r)
		if resp != nil && resp.Body != nil {
			resp.Body = bounded(resp, n)
		}
		return resp, err
	}
}

// bounded is the body of resp, of which nobody can read more than n bytes.
func bounded(resp *http.Response, n int64) io.ReadCloser {
	b := &boundedBody{ReadCloser: resp.Body, left: n}
	if resp.ContentLength > n {
		b.left = -1
	}
	return b
}

type boundedBody struct {
	io.ReadCloser

	// left is how much may be read yet, below zero where there is more than that.
	left int64
}

// Read gives errTooLong rather than more than is left.
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
