// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package kindapi

import (
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/provider-cloudflare/provider-cloudflare/internal/cloudflare"
	"github.com/provider-cloudflare/provider-cloudflare/internal/kind"
)

// A NotFoundError says that a resource is proven not to exist.
type NotFoundError struct {
	Noun, ID string
	// Cause is the error of the call, nil if the API showed the resource as deleted.
	Cause error
}

func (e *NotFoundError) Error() string { return fmt.Sprintf("the %s does not exist", e.Noun) }

// Unwrap returns the error of the call.
func (e *NotFoundError) Unwrap() error { return e.Cause }

// A NonCanonicalIDError says that a resource was requested by another spelling of its ID.
type NonCanonicalIDError struct{ Noun, ID, Spelled string }

func (e *NonCanonicalIDError) Error() string {
	return fmt.Sprintf("%q is the %s %q in another spelling", e.Spelled, e.Noun, e.ID)
}

// An InUseError says that a resource was not deleted because another one uses it.
type InUseError struct {
	Noun string
	// Code is the code in the description, 0 if only the status matters.
	Code int
	// Holders are the resources that use it, each with its type and its name. They are empty if
	// the API does not list them.
	Holders []string
	Cause   error
}

func (e *InUseError) Error() string {
	const shown = 3
	by := ""
	if n := len(e.Holders); n > shown {
		by = fmt.Sprintf(" by %s and %d more", strings.Join(e.Holders[:shown], ", "), n-shown)
	} else if n > 0 {
		by = " by " + strings.Join(e.Holders, ", ")
	}
	return fmt.Sprintf("the %s is still in use at Cloudflare%s: %v", e.Noun, by, e.Cause)
}

// Unwrap returns the error of the call.
func (e *InUseError) Unwrap() error { return e.Cause }

// An ExistsError says that a creation was refused because such a resource exists.
type ExistsError struct {
	Noun  string
	Cause error
}

func (e *ExistsError) Error() string {
	return fmt.Sprintf("such a %s exists already: %v", e.Noun, e.Cause)
}

// Unwrap returns the error of the call.
func (e *ExistsError) Unwrap() error { return e.Cause }

// A RejectedError says that a call is refused until a user acts.
type RejectedError struct {
	// Reason is a word for a condition, and Remedy is what has to be done.
	Reason, Remedy string
	Cause          error
}

func (e *RejectedError) Error() string { return fmt.Sprintf("%s: %v: %s", e.Reason, e.Cause, e.Remedy) }

// Unwrap returns the error of the call.
func (e *RejectedError) Unwrap() error { return e.Cause }

// Explained marks an error that itself says what to do.
func (*RejectedError) Explained() {}

// explain returns err with the meaning that the description has for it. The meaning of an answer
// depends on the call. For a deletion, it may be that the resource is in use, and for another call
// that such a resource exists. For a write, it may be that the parent does not exist, and for a read
// or a deletion that the resource does not exist.
func (r Resources) explain(err error, method, id string) error {
	if refused := r.refused(err); refused != nil && method != http.MethodGet && method != http.MethodDelete {
		return refused
	}
	for _, c := range r.d.Gone {
		if matches(err, c) {
			return &NotFoundError{Noun: r.d.Noun, ID: id, Cause: err}
		}
	}
	for _, c := range r.d.Exists {
		if method != http.MethodDelete && matches(err, c) {
			return &ExistsError{Noun: r.d.Noun, Cause: err}
		}
	}
	for _, c := range r.d.Busy {
		if method == http.MethodDelete && matches(err, c) {
			return &InUseError{Noun: r.d.Noun, Code: c.Code, Cause: err}
		}
	}
	if refused := r.refused(err); refused != nil {
		return refused
	}
	if matches(err, kind.Code{Status: http.StatusForbidden}) {
		return &RejectedError{Reason: "NotEntitled", Remedy: r.entitlement(), Cause: err}
	}
	return err
}

// refused returns the description's refusal that fits an answer, nil if there is none.
func (r Resources) refused(err error) error {
	for _, f := range r.d.Refused {
		if matches(err, f.Code) {
			return &RejectedError{Reason: f.Reason, Remedy: f.Remedy, Cause: err}
		}
	}
	return nil
}

// entitlement returns what a call may need that was refused with a code of the product.
func (r Resources) entitlement() string {
	out := "the plan of the account may not include this"
	if r.d.Plan != "" {
		out += " (" + r.d.Plan + ")"
	}
	if len(r.d.Permissions) > 0 {
		out += ", or the credential lacks the permission " + strings.Join(r.d.Permissions, " or ")
	}
	return out
}

// Codes that say nothing about a resource, in any answer: they are about a route or the form of
// an ID, a permission, a scope, the credential, or the rate.
func meansNothing() []int {
	return []int{7000, 7001, 7003, 9109, 9103, 10000, 10405, 1000, 6003, 971}
}

// matches reports whether err is an answer that fits c.
func matches(err error, c kind.Code) bool {
	var e *cloudflare.Error
	if !errors.As(err, &e) || e.Status == 0 || e.Status == http.StatusTooManyRequests || e.Status >= http.StatusInternalServerError {
		return false
	}
	if c.Status != 0 && c.Status != e.Status {
		return false
	}
	if c.Code != 0 {
		return e.Has(c.Code)
	}
	// Any code fits, if there is one and it is about the resource.
	return len(e.Details) > 0 && !slices.ContainsFunc(e.Details, func(d cloudflare.Detail) bool {
		return slices.Contains(meansNothing(), d.Code)
	})
}
