// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package simulator

import (
	"bytes"
	"errors"
	"io"
	"mime"
	"mime/multipart"
)

// A formPart is one part of a form.
type formPart struct {
	name, fileName, mediaType string
	content                   []byte
}

// form decodes the request's body as multipart/form-data.
func (c *call) form() ([]formPart, *Error) {
	kind, params, err := mime.ParseMediaType(c.r.Header.Get("Content-Type"))
	if err != nil || kind != "multipart/form-data" {
		return nil, invalid(CodeMalformedJSON, "Content-Type must be multipart/form-data.")
	}
	reader := multipart.NewReader(bytes.NewReader(c.body), params["boundary"])
	var parts []formPart
	for {
		part, err := reader.NextPart()
		if errors.Is(err, io.EOF) {
			return parts, nil
		}
		if err != nil {
			return nil, invalid(CodeMalformedJSON, "Malformed form in request body.")
		}
		content, err := io.ReadAll(part)
		if err != nil {
			return nil, invalid(CodeMalformedJSON, "Malformed form in request body.")
		}
		parts = append(parts, formPart{part.FormName(), part.FileName(), part.Header.Get("Content-Type"), content})
	}
}
