// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package cloudflare

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/url"
	"strings"
)

// A Request is one call of any operation of the API, for the kinds that have no method of
// their own. The SDK has a service for each product, and sends no requests outside of these.
type Request struct {
	Method string
	// Path is below the base URL. Its parameters are escaped.
	Path string
	// Route is the path in errors and metrics, with its parameters in braces.
	Route string
	// Query and Header may be nil. Header holds what the operation needs beside the credential.
	Query  url.Values
	Header http.Header
	// Body is encoded as JSON; nil sends none.
	Body any
	// Parts are sent in the place of Body, as multipart/form-data.
	Parts []Part
	// Zone is the ID of the zone that the call is about, "" if there is none.
	Zone string
	// Permission is what a token needs for the call, in the words of the dashboard. It is
	// advice for the reader of an error, and may be empty.
	Permission string
	// Secrets are values in the body that must not appear in an error.
	Secrets []string
}

// An Answer is the API's answer to a call that it carried out.
type Answer struct {
	// Result is the answer's result: an object, an array, a string, null, or empty if the
	// answer has none.
	Result json.RawMessage
	Info   ResultInfo
}

// Do makes a call. The error is an *Error unless the request cannot be made.
func (c *Client) Do(ctx context.Context, r Request) (Answer, error) {
	req, err := c.request(ctx, r)
	if err != nil {
		return Answer{}, fmt.Errorf("cannot make the request %s %s: %w", r.Method, r.Route, err)
	}
	var a Answer
	op := r.operation()
	a.Info, err = c.roundTrip(ctx, op, &a.Result, func(ctx context.Context) (*http.Response, []byte, error) { return c.send(req.WithContext(ctx)) })
	c.report(err)
	var refused *Error
	if errors.As(err, &refused) {
		refused.permission = r.Permission
	}
	return a, err
}

// Unreadable returns the error of a call whose answer says success but does not answer the call.
func (r Request) Unreadable(why error) error { return r.operation().unreadable(why) }

func (r Request) operation() operation {
	return operation{method: r.Method, route: r.Route, zone: r.Zone, secrets: r.Secrets, path: r.Path, query: r.Query, bodies: r.bodies}
}

// bodies returns the body, or those of its parts that are not files: an uploaded file says nothing
// about the call.
func (r Request) bodies() ([][]byte, error) {
	var out [][]byte
	for _, p := range r.Parts {
		if p.FileName == "" {
			out = append(out, p.Content)
		}
	}
	if r.Body == nil || r.Parts != nil {
		return out, nil
	}
	raw, err := json.Marshal(r.Body)
	if err != nil {
		return nil, fmt.Errorf("cannot encode the body: %w", err)
	}
	return [][]byte{raw}, nil
}

// redact removes the secrets of the request from a text of the API. It must run before the
// text is cut off: the rest of a secret would not be recognized.
func (op operation) redact(said string) string {
	for _, secret := range op.secrets {
		for _, s := range partsOf(secret) {
			said = without(said, s)
		}
	}
	return said
}

// partsOf returns a secret and those of its lines that are secrets, too. The API may repeat a line of a private key or
// a file alone, or with other line ends. A line shorter than minWord is not returned, nor is the first or last line of
// a PEM block.
func partsOf(secret string) []string {
	out := []string{secret}
	whole := strings.TrimSpace(secret)
	for line := range strings.Lines(secret) {
		line = strings.TrimSpace(line)
		if line == whole || len(line) >= minWord && !strings.HasPrefix(line, "-----") {
			out = append(out, line)
		}
	}
	return out
}

// request returns the HTTP request of r.
func (c *Client) request(ctx context.Context, r Request) (*http.Request, error) {
	body, mediaType, err := r.encode()
	if err != nil {
		return nil, err
	}
	address := c.o.BaseURL + r.Path
	if len(r.Query) > 0 {
		address += "?" + r.Query.Encode()
	}
	req, err := http.NewRequestWithContext(ctx, r.Method, address, body)
	if err != nil {
		return nil, err
	}
	maps.Copy(req.Header, r.Header)
	if body != nil {
		req.Header.Set("Content-Type", mediaType)
	}
	req.Header.Set("Accept", jsonType)
	if c.o.UserAgent != "" {
		req.Header.Set("User-Agent", c.o.UserAgent)
	}
	c.cred.authorize(req.Header)
	return req, nil
}

// send sends req and reads the answer's body to its end.
func (c *Client) send(req *http.Request) (*http.Response, []byte, error) {
	resp, err := c.http.Do(req)
	if err != nil {
		return nil, nil, err
	}
	defer resp.Body.Close() //nolint:errcheck // It is read; nothing depends on this.
	bound := int64(shortAnswer)
	if req.Method == http.MethodGet {
		bound = longAnswer
	}
	raw, err := io.ReadAll(bounded(resp, bound))
	if err != nil {
		return resp, nil, err
	}
	resp.Body = io.NopCloser(bytes.NewReader(raw))
	return resp, raw, nil
}
