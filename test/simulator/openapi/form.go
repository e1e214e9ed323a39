// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package openapi

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"mime/multipart"
	"net/http"
	"slices"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"
)

// formType is the media type of a form with files.
const formType = "multipart/form-data"

// form returns the schema of the form of an operation, or nil if the operation has no form.
func (op operation) form() *openapi3.Schema {
	body := op.route.Operation.RequestBody
	if body == nil || body.Value == nil || body.Value.Content[formType] == nil || body.Value.Content[formType].Schema == nil {
		return nil
	}
	return body.Value.Content[formType].Schema.Value
}

// takesFiles reports whether a request is a form with JSON parts and files. Files may have
// any name, but kin-openapi requires a member with the name of each part.
func (op operation) takesFiles(r *http.Request) bool {
	form := op.form()
	if form == nil || !strings.HasPrefix(r.Header.Get("Content-Type"), formType) {
		return false
	}
	for _, p := range form.Properties {
		if p.Value.Type.Is("object") {
			return true
		}
	}
	return false
}

// errNameless marks a file without a name or a media type.
var errNameless = errors.New("a part of the form is a file without a name or a type")

// errTwice marks a JSON part that comes twice.
var errTwice = errors.New("a part of the form comes twice")

// checkForm checks the parts of a form against the document. JSON parts must match their
// schemas, and files must have a name and a type.
func (op operation) checkForm(r *http.Request) error {
	_, params, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if err != nil {
		return err
	}
	form, seen := op.form(), map[string]bool{}
	reader := multipart.NewReader(r.Body, params["boundary"])
	for {
		part, err := reader.NextPart()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return err
		}
		name := part.FormName()
		schema := form.Properties[name]
		if schema == nil || !schema.Value.Type.Is("object") {
			// Cloudflare's older SDK sends the name of the file as that of the part, without
			// a file name.
			if cmp.Or(part.FileName(), name) == "" || part.Header.Get("Content-Type") == "" {
				return errNameless
			}
			continue
		}
		if seen[name] {
			return errTwice
		}
		seen[name] = true
		if err := checkPart(schema.Value, part); err != nil {
			return err
		}
	}
	missing := slices.DeleteFunc(slices.Clone(form.Required), func(name string) bool { return seen[name] })
	if len(missing) > 0 {
		return fmt.Errorf("the form has no part %s", strings.Join(missing, ", "))
	}
	return nil
}

func checkPart(schema *openapi3.Schema, part io.Reader) error {
	var v any
	if err := json.NewDecoder(part).Decode(&v); err != nil {
		return fmt.Errorf("a part that is to be JSON is none: %w", err)
	}
	return schema.VisitJSON(v, append(formats(), openapi3.VisitAsRequest())...)
}
