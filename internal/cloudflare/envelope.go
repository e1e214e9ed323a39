// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package cloudflare

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"net/http"
	"strconv"
	"strings"
	"time"
	"unicode"
)

// ResultInfo is the paging part of a list's answer.
type ResultInfo struct {
	Page, PerPage, TotalCount, TotalPages int
	// Cursor is the cursor of the next page of a list that is paged by cursors. Some lists
	// have it in Cursor, some in Cursors.After. "" means that there is no next page.
	Cursor  string
	Cursors struct{ After string }
}

// paging is a ResultInfo as the API sends it: a number may be a string, and an empty value may be
// of any type.
type paging struct {
	ResultInfo

	// odd is true if a part cannot be read. It is then not known whether the list has more pages.
	odd bool
}

// UnmarshalJSON never fails: the outcome of a call does not depend on how its result is paged.
func (i *paging) UnmarshalJSON(raw []byte) error {
	var parts struct {
		Page       json.RawMessage `json:"page"`
		PerPage    json.RawMessage `json:"per_page"`
		TotalCount json.RawMessage `json:"total_count"`
		TotalPages json.RawMessage `json:"total_pages"`
		Cursor     json.RawMessage `json:"cursor"`
		Cursors    json.RawMessage `json:"cursors"`
	}
	var cursors struct {
		After json.RawMessage `json:"after"`
	}
	*i = paging{odd: !nothing(raw) && json.Unmarshal(raw, &parts) != nil || !nothing(parts.Cursors) && json.Unmarshal(parts.Cursors, &cursors) != nil}
	for to, part := range map[*int]json.RawMessage{&i.Page: parts.Page, &i.PerPage: parts.PerPage, &i.TotalCount: parts.TotalCount, &i.TotalPages: parts.TotalPages} {
		var ok bool
		*to, ok = whole(part)
		i.odd = i.odd || !ok && to != &i.Page // The number of the page is not needed.
	}
	for to, part := range map[*string]json.RawMessage{&i.Cursor: parts.Cursor, &i.Cursors.After: cursors.After} {
		i.odd = i.odd || !nothing(part) && json.Unmarshal(part, to) != nil
	}
	return nil
}

// nothing reports whether a part of an answer is missing or empty, of any type.
func nothing(raw json.RawMessage) bool {
	switch strings.TrimSpace(string(raw)) {
	case "", "null", `""`, "[]", "{}", "false":
		return true
	}
	return false
}

// whole returns the integer that raw holds, as a number or as a string. An empty raw is 0. It returns false if
// raw holds no integer.
func whole(raw json.RawMessage) (int, bool) {
	if nothing(raw) {
		return 0, true
	}
	text := strings.TrimSpace(strings.Trim(strings.TrimSpace(string(raw)), `"`))
	f, err := strconv.ParseFloat(text, 64)
	if err != nil || f != math.Trunc(f) || math.Abs(f) > maxWhole {
		return 0, false
	}
	return int(f), true
}

// maxWhole is the largest number that whole accepts. It fits an int on every machine.
const maxWhole = 1<<31 - 1

// envelope is the object around every JSON answer of the API.
type envelope struct {
	Success *bool           `json:"success"`
	Errors  []wireError     `json:"errors"`
	Result  json.RawMessage `json:"result"`
	Paging  paging          `json:"result_info"`
}

type wireError struct {
	Code    int
	Message string
	Chain   []wireError
}

// UnmarshalJSON accepts a code that is a string. A code that is not a number becomes a part of the message.
func (e *wireError) UnmarshalJSON(raw []byte) error {
	var parts struct {
		Code    json.RawMessage `json:"code"`
		Message json.RawMessage `json:"message"`
		Chain   []wireError     `json:"error_chain"`
	}
	if err := json.Unmarshal(raw, &parts); err != nil {
		return err
	}
	*e = wireError{Message: words(parts.Message), Chain: parts.Chain}
	if code, ok := whole(parts.Code); ok {
		e.Code = code
	} else {
		e.Message = strings.TrimSpace(words(parts.Code) + " " + e.Message)
	}
	return nil
}

// words returns the string in raw, "" if raw is empty, and raw itself if it is not a string.
func words(raw json.RawMessage) string {
	var text string
	if nothing(raw) || json.Unmarshal(raw, &text) == nil {
		return text
	}
	return string(raw)
}

// errPaging says that it is not known whether a list is complete.
var errPaging = errors.New("how it is paged cannot be read")

// errNoVerdict says that an answer is JSON, but not the API's.
var errNoVerdict = errors.New("it does not say whether the call was carried out")

// errNull says that an answer has no result. A list without elements is an empty array.
// Null must not pass for an empty zone.
var errNull = errors.New("its result is null")

// decode turns an answer into a result or an *Error. An answer that is not the API's JSON
// says nothing about the call, even if parts of it can be read.
func decode(op operation, status int, body []byte, out any) (ResultInfo, error) {
	if _, asIs := out.(*json.RawMessage); asIs && status == http.StatusNoContent && len(body) == 0 {
		return ResultInfo{}, nil // The API answers deletions of rulesets so.
	}
	e := &Error{Method: op.method, Route: op.route, Status: status, sent: true}
	env, accepted := e.verdict(body)
	if !accepted {
		return ResultInfo{}, e
	}
	if env.Paging.odd && op.method == http.MethodGet {
		e.cause = errPaging
		return ResultInfo{}, e
	}
	if out == nil {
		return env.Paging.ResultInfo, nil
	}
	if e.cause = unmarshalResult(env.Result, out); e.cause != nil {
		return ResultInfo{}, e
	}
	return env.Paging.ResultInfo, nil
}

// verdict decodes an answer and reports whether it says that the call was carried out. If not, e says why.
func (e *Error) verdict(body []byte) (env envelope, accepted bool) {
	readable := e.Status < http.StatusMultipleChoices
	switch err := json.Unmarshal(body, &env); {
	case err != nil && readable:
		e.cause = &notJSONError{length: len(body), why: err}
	case err != nil:
	case env.Success == nil && readable && len(env.Errors) == 0:
		e.cause = errNoVerdict
	case env.Success == nil || !*env.Success || !readable:
		e.Details = flatten(env.Errors)
	default:
		return env, true
	}
	return env, false
}

func unmarshalResult(raw json.RawMessage, out any) error {
	if asIs, ok := out.(*json.RawMessage); ok {
		*asIs = raw // The caller judges the raw result.
		return nil
	}
	if string(raw) == "null" {
		return errNull
	}
	return json.Unmarshal(raw, out)
}

// A notJSONError describes an answer that is not the API's JSON, without showing it.
type notJSONError struct {
	contentType string
	length      int
	why         error
}

func (e *notJSONError) Error() string {
	return fmt.Sprintf("it is not the API's JSON but %d bytes of %q: %v", e.length, e.contentType, e.why)
}

const (
	// maxDetails and maxText bound what is kept of the API's reason for a refusal: it
	// becomes part of conditions, events and logs.
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

// fitForReaders makes e fit to be shown: without the credential and the request's secrets,
// without control characters, and not too long.
func (c *Client) fitForReaders(op operation, e *Error, header http.Header) {
	redact := c.redacts(op)
	for i := range e.Details {
		e.Details[i].Message = shorten(redact(e.Details[i].Message))
	}
	var unread *notJSONError
	if errors.As(e.cause, &unread) {
		unread.contentType = shorten(redact(header.Get("Content-Type")))
	}
	if e.cause != nil {
		e.cause = redactError(e.cause, redact) // A decoder may quote what it cannot read.
	}
}

// redacts returns a function that removes the credential and the request's secrets from a text.
func (c *Client) redacts(op operation) func(string) string {
	return func(s string) string { return op.redact(c.cred.redact(s)) }
}

// shorten returns s as one line. It puts "..." in the place of what is beyond maxText bytes.
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

// retryAfter reads a Retry-After header: seconds or an HTTP date (RFC 9110 section 10.2.3). A
// negative or unreadable value is 0. A value above maxPause, with any number of digits, is maxPause.
func retryAfter(h http.Header, now time.Time) time.Duration {
	v := h.Get("Retry-After")
	s, err := strconv.ParseInt(v, 10, 64) // If v is out of range, s is the nearest int64.
	if err == nil || errors.Is(err, strconv.ErrRange) {
		return time.Duration(min(max(0, s), int64(maxPause/time.Second))) * time.Second
	}
	if t, err := http.ParseTime(v); err == nil {
		return min(max(0, t.Sub(now)), maxPause)
	}
	return 0
}
