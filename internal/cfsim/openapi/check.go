// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package openapi

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/netip"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"
)

// Violation is a disagreement with the document.
type Violation struct {
	// Operation as in the document, for example "GET /zones/{zone_id}", or
	// method and path as they came where the document has no such operation.
	Operation string
	// Part is "request" or "response".
	Part string
	// Status of the answer.
	Status int
	// Pointer is the JSON pointer (RFC 6901) into the body, or "query:name"
	// and the like for a parameter. Empty where the whole is meant.
	Pointer string
	// Reason in words. It holds no values, as they may be secrets.
	Reason string
}

// Error implements error.
func (v *Violation) Error() string {
	where := v.Pointer
	if where == "" {
		where = "/"
	}
	return fmt.Sprintf("%s of %s (status %d) violates the OpenAPI document at %s: %s", v.Part, v.Operation, v.Status, where, v.Reason)
}

// exchange is a request and its answer, complete.
type exchange struct {
	request     *http.Request
	requestBody []byte
	status      int
	header      http.Header
	body        []byte
	injected    bool // the answer is an injected fault: meant to be wrong
	unanswered  bool // the server has broken the connection: there is no answer
	strict      bool // a request may not be wrong even if the server refuses it
}

// check returns what is wrong with an exchange.
func (d *Document) check(ctx context.Context, ex exchange) []error {
	accepted := !ex.unanswered && ex.status >= 200 && ex.status < 300
	op, params, known := d.find(ex.request)
	if !known {
		return checkUnknown(ex)
	}
	input := &openapi3filter.RequestValidationInput{
		Request:    requestOf(ctx, ex),
		PathParams: params,
		Route:      op.route,
		Options: &openapi3filter.Options{
			AuthenticationFunc:      authenticated,
			SkipSettingDefaults:     true,
			SchemaValidationOptions: formats(),
		},
	}
	var found []error
	if accepted || ex.strict {
		if err := checkRequest(ctx, op, input); err != nil {
			found = append(found, violation(op.name, "request", ex.status, err))
		}
	}
	if !ex.injected && !ex.unanswered {
		if err := checkResponse(ctx, input, ex); err != nil {
			found = append(found, violation(op.name, "response", ex.status, err))
		}
	}
	return found
}

// checkUnknown refuses an operation that the document does not have, unless
// the server refuses it, too, and may.
func checkUnknown(ex exchange) []error {
	if !ex.strict && (ex.injected || ex.unanswered || (ex.status >= 400 && ex.status < 500)) {
		return nil
	}
	return []error{&Violation{
		Operation: ex.request.Method + " " + ex.request.URL.Path, Part: "request", Status: ex.status,
		Reason: "the subset of the document has no such operation",
	}}
}

func checkRequest(ctx context.Context, op operation, input *openapi3filter.RequestValidationInput) error {
	for name := range input.Request.URL.Query() {
		of := func(all openapi3.Parameters) *openapi3.Parameter {
			return all.GetByInAndName(openapi3.ParameterInQuery, name)
		}
		// A path's own parameters are those of all its operations.
		if of(op.route.Operation.Parameters) == nil && of(op.route.PathItem.Parameters) == nil {
			return fmt.Errorf("the query parameter %s is not documented", name)
		}
	}
	if !op.takesFiles(input.Request) {
		return openapi3filter.ValidateRequest(ctx, input)
	}
	rest := *input
	options := *input.Options
	options.ExcludeRequestBody = true
	rest.Options = &options
	if err := openapi3filter.ValidateRequest(ctx, &rest); err != nil {
		return err
	}
	return op.checkForm(input.Request)
}

func checkResponse(ctx context.Context, input *openapi3filter.RequestValidationInput, ex exchange) error {
	return openapi3filter.ValidateResponse(ctx, &openapi3filter.ResponseValidationInput{
		RequestValidationInput: input,
		Status:                 ex.status,
		Header:                 ex.header,
		Body:                   io.NopCloser(bytes.NewReader(ex.body)),
		Options: &openapi3filter.Options{
			IncludeResponseStatus:   true,
			SchemaValidationOptions: formats(),
		},
	})
}

// requestOf rebuilds the request with the body that the server has read. A
// body of no declared type is JSON: the API takes it so, and cert-manager for
// one lives on that.
func requestOf(ctx context.Context, ex exchange) *http.Request {
	r := ex.request.Clone(ctx)
	if r.Header.Get("Content-Type") == "" {
		r.Header.Set("Content-Type", "application/json")
	}
	r.Body = io.NopCloser(bytes.NewReader(ex.requestBody))
	r.ContentLength = int64(len(ex.requestBody))
	return r
}

// authenticated tells whether a request carries the header that a security
// scheme asks for. Whether it is the right one only the server can tell.
func authenticated(_ context.Context, in *openapi3filter.AuthenticationInput) error {
	header, prefix := in.SecurityScheme.Name, ""
	if in.SecurityScheme.Type == "http" {
		header, prefix = "Authorization", "Bearer "
	}
	value := in.RequestValidationInput.Request.Header.Get(header)
	if value == "" || !strings.HasPrefix(value, prefix) {
		return fmt.Errorf("no %s header for %s", header, in.SecuritySchemeName)
	}
	return nil
}

// formats are the document's string formats that kin-openapi leaves unchecked.
func formats() []openapi3.SchemaValidationOption {
	return []openapi3.SchemaValidationOption{
		openapi3.WithStringFormatValidator("ipv4", openapi3.NewCallbackValidator(validIPv4)),
		openapi3.WithStringFormatValidator("ipv6", openapi3.NewCallbackValidator(validIPv6)),
		openapi3.WithStringFormatValidator("hostname", openapi3.NewCallbackValidator(validHostname)),
	}
}

// validIPv4 is strict: four decimal numbers without leading zeros.
func validIPv4(s string) error {
	if addr, err := netip.ParseAddr(s); err != nil || !addr.Is4() {
		return errors.New("not an IPv4 address")
	}
	return nil
}

// validIPv6 takes IPv4-mapped addresses for IPv6, unlike kin-openapi.
func validIPv6(s string) error {
	if addr, err := netip.ParseAddr(s); err != nil || !addr.Is6() {
		return errors.New("not an IPv6 address")
	}
	return nil
}

// validHostname takes a name as DNS has them: underscores (RFC 8552), a final
// dot, and "." alone for "there is none" (RFC 7505 for MX, RFC 2782 for SRV).
func validHostname(s string) error {
	if s == "." {
		return nil
	}
	name := strings.TrimSuffix(s, ".")
	if name == "" || len(name) > 253 {
		return errors.New("a host name has 1 to 253 octets")
	}
	for label := range strings.SplitSeq(name, ".") {
		if label == "" || len(label) > 63 {
			return errors.New("a label of a host name has 1 to 63 octets")
		}
		if strings.ContainsFunc(label, func(r rune) bool { return !hostnameRune(r) }) {
			return errors.New("a host name has only letters, digits, hyphens and underscores")
		}
	}
	return nil
}

func hostnameRune(r rune) bool {
	return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '-' || r == '_'
}

// violation words what kin-openapi found.
func violation(operation, part string, status int, err error) *Violation {
	v := &Violation{Operation: operation, Part: part, Status: status}
	var security *openapi3filter.SecurityRequirementsError
	var request *openapi3filter.RequestError
	var schema *openapi3.SchemaError
	switch {
	case errors.As(err, &security):
		v.Reason = fmt.Sprintf("authentication is missing: %v", errors.Join(security.Errors...))
	case errors.As(err, &request) && request.Parameter != nil:
		v.Pointer = request.Parameter.In + ":" + request.Parameter.Name
		v.Reason = err.Error()
		if errors.As(err, &schema) {
			v.Reason = schema.Reason
		}
	case errors.As(err, &schema):
		v.Pointer, v.Reason = deepest(schema)
	default:
		v.Reason = err.Error()
	}
	return v
}

// deepest follows a schema error into the alternative that was chosen. Inner
// errors have pointers from the root of the body, too.
func deepest(err *openapi3.SchemaError) (pointer, reason string) {
	var inner *openapi3.SchemaError
	for err.Origin != nil && errors.As(err.Origin, &inner) {
		err, inner = inner, nil
	}
	escape := strings.NewReplacer("~", "~0", "/", "~1")
	for _, segment := range err.JSONPointer() {
		pointer += "/" + escape.Replace(segment)
	}
	return pointer, err.Reason
}
