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

// A Violation is a difference from the document.
type Violation struct {
	// Operation is the operation in the document, for example "GET /zones/{zone_id}".
	// If the document has none, it is the method and the path of the request.
	Operation string
	// Part is "request" or "response".
	Part string
	// Status is the HTTP status of the response.
	Status int
	// Pointer is the JSON pointer (RFC 6901) into the body, or "query:name" and the
	// like for a parameter. It is empty for the whole body.
	Pointer string
	// Reason describes the violation. It has no values, because they may be secrets.
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

// An exchange is a complete request with its response.
type exchange struct {
	request     *http.Request
	requestBody []byte
	status      int
	header      http.Header
	body        []byte
	injected    bool // The response is an injected fault, which is wrong on purpose.
	unanswered  bool // The server has broken the connection: there is no response.
	strict      bool // A request must be right even if the server refuses it.
}

// check returns the violations of an exchange.
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

// checkUnknown reports a request for an operation that the document does not have. It
// accepts the request if the server refused it with a 4xx status, broke the connection
// or injected a fault, unless the check is strict.
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
		// The parameters of a path belong to all its operations.
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

// requestOf returns the request with the body that the server has read. A body without
// a declared type is JSON: the API accepts it as such, and cert-manager depends on
// that.
func requestOf(ctx context.Context, ex exchange) *http.Request {
	r := ex.request.Clone(ctx)
	if r.Header.Get("Content-Type") == "" {
		r.Header.Set("Content-Type", "application/json")
	}
	r.Body = io.NopCloser(bytes.NewReader(ex.requestBody))
	r.ContentLength = int64(len(ex.requestBody))
	return r
}

// authenticated checks that a request has the header of a security scheme. Only the
// server can check its value.
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

// formats returns validators for the document's string formats that kin-openapi does
// not check.
func formats() []openapi3.SchemaValidationOption {
	return []openapi3.SchemaValidationOption{
		openapi3.WithStringFormatValidator("ipv4", openapi3.NewCallbackValidator(validIPv4)),
		openapi3.WithStringFormatValidator("ipv6", openapi3.NewCallbackValidator(validIPv6)),
		openapi3.WithStringFormatValidator("hostname", openapi3.NewCallbackValidator(validHostname)),
	}
}

// validIPv4 accepts only four decimal numbers without leading zeros.
func validIPv4(s string) error {
	if addr, err := netip.ParseAddr(s); err != nil || !addr.Is4() {
		return errors.New("not an IPv4 address")
	}
	return nil
}

// validIPv6 accepts IPv4-mapped addresses as IPv6, unlike kin-openapi.
func validIPv6(s string) error {
	if addr, err := netip.ParseAddr(s); err != nil || !addr.Is6() {
		return errors.New("not an IPv6 address")
	}
	return nil
}

// validHostname accepts names as DNS has them: with underscores (RFC 8552), with a
// final dot, and "." for "there is none" (RFC 7505 for MX, RFC 2782 for SRV).
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

// violation converts an error of kin-openapi.
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

// deepest follows a schema error into the selected alternative. The pointers of inner
// errors begin at the root of the body, too.
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
