// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package kindapi

import (
	"context"
	"errors"
	"fmt"

	"github.com/provider-cloudflare/provider-cloudflare/internal/cloudflare"
	"github.com/provider-cloudflare/provider-cloudflare/internal/kind"
)

// longestReason is the greatest length of the reason for the failure of an operation.
const longestReason = 300

// An OperationError says that an asynchronous operation was accepted, but failed.
type OperationError struct{ Noun, Reason string }

func (e *OperationError) Error() string {
	return fmt.Sprintf("the operation on the %s failed: %s", e.Noun, e.Reason)
}

// Permanent returns true: the operation would fail again because of its contents.
func (e *OperationError) Permanent() bool { return true }

// An OperationInProgressError says that an operation is refused while another one of the account is under way.
type OperationInProgressError struct{ Cause error }

func (e *OperationInProgressError) Error() string {
	return fmt.Sprintf("another operation of this account is still under way, perhaps somebody else's: %v", e.Cause)
}

// Unwrap returns the error of the call.
func (e *OperationInProgressError) Unwrap() error { return e.Cause }

// ListElements is List for fragments. It reports whether their parent does not exist: then there are none.
func (r Resources) ListElements(ctx context.Context, cursor string) (page Page, none bool, err error) {
	page, err = r.List(ctx, cursor)
	var gone *NotFoundError
	if errors.As(err, &gone) && cursor == "" {
		return Page{Total: -1}, true, nil
	}
	return page, false, err
}

// PutElements begins to write fragments, each of which replaces the one with its key. It returns
// the ID of the operation.
func (r Resources) PutElements(ctx context.Context, bodies []kind.Document) (string, error) {
	id, err := r.begin(ctx, r.d.Create, bodies)
	var gone *NotFoundError
	if errors.As(err, &gone) {
		return "", fmt.Errorf("there is nothing that the %s could be in: %w", r.d.Noun, gone.Cause)
	}
	return id, err
}

// DeleteElements begins to delete the fragments of those IDs, and returns the ID of the
// operation. It returns "" if the fragments are gone with their parent.
func (r Resources) DeleteElements(ctx context.Context, ids []string) (string, error) {
	items := make([]any, len(ids))
	for i, id := range ids {
		items[i] = kind.Document{r.d.IDPath(): id}
	}
	id, err := r.begin(ctx, r.d.Delete, kind.Document{"items": items})
	var gone *NotFoundError
	if errors.As(err, &gone) {
		return "", nil
	}
	return id, err
}

func (r Resources) begin(ctx context.Context, op string, body any) (string, error) {
	req, err := r.request(op, "")
	if err != nil {
		return "", err
	}
	req.Body = body
	doc, err := r.object(ctx, req)
	if err != nil {
		return "", pending(err)
	}
	id := kind.Text(doc, "operation_id")
	if id == "" {
		return "", req.Unreadable(errors.New("it names no operation"))
	}
	return id, nil
}

// codeThrottled is the code with which the API's limit of requests answers.
const codeThrottled = 971

// pending returns an *OperationInProgressError if a call was refused because of another operation. The API
// then answers with the status of too many requests, and with no documented code.
func pending(err error) error {
	var e *cloudflare.Error
	if cloudflare.IsThrottled(err) && errors.As(err, &e) && len(e.Details) > 0 && !e.Has(codeThrottled) {
		return &OperationInProgressError{Cause: err}
	}
	return err
}

// Ended reports whether an operation has ended. The error is an *OperationError if it failed.
func (r Resources) Ended(ctx context.Context, operation string) (bool, error) {
	req, err := r.under(map[string]string{"operation_id": operation}).request(r.d.Bulk, "")
	if err != nil {
		return false, err
	}
	doc, err := r.object(ctx, req)
	if err != nil {
		return false, err
	}
	switch status := kind.Text(doc, "status"); status {
	case "pending", "running":
		return false, nil
	case "completed":
		return true, nil
	case "failed":
		return true, &OperationError{Noun: r.d.Noun, Reason: shortened(kind.Text(doc, "error"))}
	default:
		return false, req.Unreadable(errors.New("it does not say how far the operation is"))
	}
}

// shortened returns a reason of the API that fits a condition.
func shortened(reason string) string {
	if reason == "" {
		return "the Cloudflare API does not say why"
	}
	if r := []rune(reason); len(r) > longestReason {
		return string(r[:longestReason]) + "..."
	}
	return reason
}
