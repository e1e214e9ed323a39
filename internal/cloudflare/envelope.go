// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package cloudflare

import (
	"encoding/json"
	"errors"
	"net/http"
	"strconv"
	"time"
)

// ResultInfo is the paging part of a list's answer.
type ResultInfo struct {
	Page       int `json:"page"`
	PerPage    int `json:"per_page"`
	Count      int `json:"count"`
	TotalCount int `json:"total_count"`
	TotalPages int `json:"total_pages"`
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

// flatten lists errs, each followed by the causes in its chain.
func flatten(errs []wireError, redact func(string) string) []Detail {
	var out []Detail
	for _, e := range errs {
		out = append(out, Detail{Code: e.Code, Message: redact(e.Message)})
		out = append(out, flatten(e.Chain, redact)...)
	}
	return out
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
