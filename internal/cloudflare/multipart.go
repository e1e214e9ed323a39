// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package cloudflare

import (
	"bytes"
	"encoding/json"
	"io"
	"mime"
	"mime/multipart"
	"net/textproto"
)

// A Part is one part of a form.
type Part struct {
	// Name is the name of the part. FileName is the name of its file, "" if the part is not a file.
	Name, FileName string
	// MediaType is the media type of the content.
	MediaType string
	Content   []byte
}

// JSONPart returns a part that has v as JSON.
func JSONPart(name string, v any) (Part, error) {
	raw, err := json.Marshal(v)
	return Part{Name: name, MediaType: jsonType, Content: raw}, err
}

// encode returns the body of the request with its media type, nil if the request has no body.
func (r Request) encode() (io.Reader, string, error) {
	switch {
	case r.Parts != nil:
		return encodeParts(r.Parts)
	case r.Body == nil:
		return nil, "", nil
	}
	raw, err := json.Marshal(r.Body)
	if err != nil {
		return nil, "", err
	}
	return bytes.NewReader(raw), jsonType, nil
}

func encodeParts(parts []Part) (io.Reader, string, error) {
	var out bytes.Buffer
	form := multipart.NewWriter(&out)
	for _, p := range parts {
		about := map[string]string{"name": p.Name}
		if p.FileName != "" {
			about["filename"] = p.FileName
		}
		header := textproto.MIMEHeader{}
		header.Set("Content-Disposition", mime.FormatMediaType("form-data", about))
		header.Set("Content-Type", p.MediaType)
		w, err := form.CreatePart(header)
		if err != nil {
			return nil, "", err
		}
		if _, err := w.Write(p.Content); err != nil {
			return nil, "", err
		}
	}
	if err := form.Close(); err != nil {
		return nil, "", err
	}
	return &out, form.FormDataContentType(), nil
}
