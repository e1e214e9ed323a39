// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package cloudflare

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"
	"unicode"
)

// ResultInfo is the paging part of a list's answer.
type ResultInfo struct {
	Page       int `json:"page"`
	PerPage    int `json:"per_page"`
	TotalCount int `json:"total_count"`
	TotalPages int `json:"total_pages"`
	// Cursor of the next page of a list that is paged by cursors: some lists have it in
	// the first of these, some in the second. "" is the end.
	Cursor  string `json:"cursor"`
	Cursors struct {
		After string `json:"after"`
	} `json:"cursors"`
}

// envelope is what every JSON answer of the API is wrapped in.
type envelope struct {
	Success    *bool           `json:"success"`
	Errors     []wireError     `json:"errors"`
	Result     json.RawMessage `json:"result"`
	ResultInfo ResultInfo      `json:"result_info"`
}

type wireError struct {
	Code    int         `json:"code"`
	Message string      `json:"message"`
	Chain   []wireError `json:"error_chain"`
}

// errNoVerdict says of an answer that it is JSON, but not the API's.
var errNoVerdict = errors.New("it does not say whether the call was carried out")

// errNull says of an answer that it has no result. A list without elements is a
// list: nothing is not, and must not pass for an empty zone.
var errNull = errors.New("its result is null")

// decode turns an answer into a result or an *Error. What is not the API's JSON
// tells nothing, whatever can be made out in it.
func decode(op operation, status int, body []byte, out any) (ResultInfo, error) {
	var env envelope
	e := &Error{Method: op.method, Route: op.route, Status: status, sent: true}
	readable := status < http.StatusMultipleChoices
	if _, asIs := out.(*json.RawMessage); asIs && status == http.StatusNoContent && len(body) == 0 {
		return ResultInfo{}, nil // Deletions of rulesets are answered so.
	}
	switch err := json.Unmarshal(body, &env); {
	case err != nil && readable:
		e.cause = &notJSONError{length: len(body), why: err}
		return ResultInfo{}, e
	case err != nil:
		return ResultInfo{}, e
	case env.Success == nil && readable && len(env.Errors) == 0:
		e.cause = errNoVerdict
		return ResultInfo{}, e
	case env.Success == nil || !*env.Success || !readable:
		e.Details = flatten(env.Errors)
		return ResultInfo{}, e
	}
	if out == nil {
		return env.ResultInfo, nil
	}
	if e.cause = unmarshalResult(env.Result, out); e.cause != nil {
		return ResultInfo{}, e
	}
	return env.ResultInfo, nil
}

func unmarshalResult(raw json.RawMessage, out any) error {
	if asIs, ok := out.(*json.RawMessage); ok {
		*asIs = raw // Whoever asks for it judges it.
		return nil
	}
	if string(raw) == "null" {
		return errNull
	}
	return json.Unmarshal(raw, out)
}

// A notJSONError describes an answer that is not the API's JSON, without showing
// it.
type notJSONError struct {
	contentType string
	length      int
	why         error
}

func (e *notJSONError) Error() string {
	return fmt.Sprintf("it is not the API's JSON but %d bytes of %q: %v", e.length, e.contentType, e.why)
}

const (
	// maxDetails and maxText bound what is kept of what the API says about a refusal:
	// it becomes part of conditions, events and logs.
	maxDetails = 10
	maxText    = 300
)

// flatten lists errs, each followed by the causes in its chain.
func flatten(errs []wireError) []Detail {
	var out []Detail
	for _, e := range errs {
		out = append(out, Detail{Code: e.Code, Message: e.Message})
		if len(out) < maxDetails {
			out = append(out, flatten(e.Chain)...)
		}
		if len(out) >= maxDetails {
			return out[:maxDetails]
		}
	}
	return out
}

// fitForReaders makes of e what can be shown to people: without the credential and the
// request's secrets, without control characters, and not too long.
func (c *Client) fitForReaders(op operation, e *Error, header http.Header) {
	for i := range e.Details {
		e.Details[i].Message = shorten(op.redact(c.cred.redact(e.Details[i].Message)))
	}
	var unread *notJSONError
	if errors.As(e.cause, &unread) {
		unread.contentType = shorten(c.cred.redact(header.Get("Content-Type")))
	}
	if e.cause != nil {
		e.cause = c.cred.redactError(e.cause) // A decoder may quote what it cannot read.
	}
}

// shorten makes one line of s, of no more than maxText bytes.
func shorten(s string) string {
	if len(s) > maxText {
		s = strings.ToValidUTF8(s[:maxText], "") + "..."
	}
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return ' '
		}
		return r
	}, s)
}

// retryAfter reads a Retry-After header: seconds or an HTTP date (RFC 9110
// section 10.2.3). A negative or unreadable value is 0; more than maxPause, of
// however many digits, is maxPause.
func retryAfter(h http.Header, now time.Time) time.Duration {
	v := h.Get("Retry-After")
	s, err := strconv.ParseInt(v, 10, 64) // Out of range, s is the nearest number that is not.
	if err == nil || errors.Is(err, strconv.ErrRange) {
		return time.Duration(min(max(0, s), int64(maxPause/time.Second))) * time.Second
	}
	if t, err := http.ParseTime(v); err == nil {
		return min(max(0, t.Sub(now)), maxPause)
	}
	return 0
}
