// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

//go:build bench

package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"

	"k8s.io/utils/ptr"

	"github.com/provider-cloudflare/provider-cloudflare/apis/dns/v1alpha1"
)

// record is a DNS record in requests and answers of the API.
type record struct {
	ID       string  `json:"id,omitempty"`
	Type     string  `json:"type"`
	Name     string  `json:"name"`
	Content  string  `json:"content"`
	TTL      int64   `json:"ttl,omitempty"`
	Priority *int64  `json:"priority,omitempty"`
	Proxied  *bool   `json:"proxied,omitempty"`
	Comment  *string `json:"comment,omitempty"`
}

func desired(mg *v1alpha1.Record) record {
	p := mg.Spec.ForProvider
	return record{
		Type: ptr.Deref(p.Type, ""), Name: ptr.Deref(p.Name, ""), Content: ptr.Deref(p.Content, ""),
		TTL: ptr.Deref(p.TTL, 1), Priority: p.Priority, Proxied: p.Proxied, Comment: p.Comment,
	}
}

// upToDate reports whether the live record has what is declared. It ignores the name,
// which never changes.
func upToDate(want, live record) bool {
	return want.Content == live.Content && want.TTL == live.TTL &&
		(want.Priority == nil || ptr.Equal(want.Priority, live.Priority)) &&
		(want.Proxied == nil || ptr.Equal(want.Proxied, live.Proxied)) &&
		(want.Comment == nil || ptr.Equal(want.Comment, live.Comment))
}

// codeNoRecord is the API's error code for a record that does not exist.
const codeNoRecord = 81044

// apiError is a refusal of the API.
type apiError struct {
	Status  int    `json:"-"`
	Code    int    `json:"code"`
	Message string `json:"message"`
}

func (e *apiError) Error() string {
	return fmt.Sprintf("%s (code %d) [HTTP %d]", e.Message, e.Code, e.Status)
}

// api makes calls with one token.
type api struct{ url, token string }

// do makes a call with the JSON of in, or without a body if in is nil. It decodes the
// result into out, unless out is nil. A refusal is an *apiError.
func (a api) do(ctx context.Context, method, path string, in, out any) error {
	var body bytes.Buffer
	if in != nil {
		if err := json.NewEncoder(&body).Encode(in); err != nil {
			return fmt.Errorf("cannot encode the request: %w", err)
		}
	}
	req, err := http.NewRequestWithContext(ctx, method, a.url+path, &body)
	if err != nil {
		return fmt.Errorf("cannot make the request: %w", err)
	}
	req.Header.Set("Authorization", "Bearer "+a.token)
	req.Header.Set("Content-Type", "application/json")
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return fmt.Errorf("no answer: %w", err)
	}
	defer func() { _ = resp.Body.Close() }() // for reading only
	answer := struct {
		Success bool            `json:"success"`
		Errors  []apiError      `json:"errors"`
		Result  json.RawMessage `json:"result"`
	}{}
	if err := json.NewDecoder(resp.Body).Decode(&answer); err != nil {
		return fmt.Errorf("cannot understand the answer: %w", err)
	}
	if !answer.Success {
		refused := &apiError{Status: resp.StatusCode}
		if len(answer.Errors) > 0 {
			refused.Code, refused.Message = answer.Errors[0].Code, answer.Errors[0].Message
		}
		return refused
	}
	if out == nil {
		return nil
	}
	return json.Unmarshal(answer.Result, out)
}
