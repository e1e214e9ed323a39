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

// longestReason bounds why an operation failed.
const longestReason = 300

// An OperationError says that an asynchronous operation was accepted, and failed.
type OperationError struct{ Noun, Reason string }

func (e *OperationError) Error() string {
	return fmt.Sprintf("the operation on the %s failed: %s", e.Noun, e.Reason)
}

// Permanent is true: the operation fails again for what it contains.
func (e *OperationError) Permanent() bool { return true }

// A PendingError says that an operation is not accepted while another one of the account is
// under way.
type PendingError struct{ Cause error }

func (e *PendingError) Error() string {
	return fmt.Sprintf("another operation of this account is still under way, perhaps somebody else's: %v", e.Cause)
}

// Unwrap gives what the API said.
func (e *PendingError) Unwrap() error { return e.Cause }

// ListElements is List for fragments. It reports whether what these are in does not exist: that has none.
func (r Resources) ListElements(ctx context.Context, cursor string) (page Page, none bool, err error) {
	page, err = r.List(ctx, cursor)
	var gone *GoneError
	if errors.As(err, &gone) && cursor == "" {
		return Page{Total: -1}, true, nil
	}
	return page, false, err
}

// PutElements begins to put fragments in the places of those of their keys, and gives the ID of
// the operation.
func (r Resources) PutElements(ctx context.Context, bodies []kind.Document) (string, error) {
	id, err := r.begin(ctx, r.d.Create, bodies)
	var gone *GoneError
	if errors.As(err, &gone) {
		return "", fmt.Errorf("there is nothing that the %s could be in: %w", r.d.Noun, gone.Cause)
	}
	return id, err
}

// DeleteElements begins to delete the fragments of those IDs, and gives the ID of the
// operation. It is "" where they are gone with what they were in.
func (r Resources) DeleteElements(ctx context.Context, ids []string) (string, error) {
	items := make([]any, len(ids))
	for i, id := range ids {
		items[i] = kind.Document{r.d.IDPath(): id}
	}
	id, err := r.begin(ctx, r.d.Delete, kind.Document{"items": items})
	var gone *GoneError
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

// codeThrottled is what the API's limit of requests is answered with.
const codeThrottled = 971

// pending is a *PendingError where a call was refused for another operation: the API answers
// that with the status of too many requests, and with no code that is documented.
func pending(err error) error {
	var e *cloudflare.Error
	if cloudflare.IsThrottled(err) && errors.As(err, &e) && len(e.Details) > 0 && !e.Has(codeThrottled) {
		return &PendingError{Cause: err}
	}
	return err
}

// Ended reports whether an operation has ended. The error is an *OperationError where it failed.
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

// shortened is a reason of the API's that fits a condition.
func shortened(reason string) string {
	if reason == "" {
		return "the Cloudflare API does not say why"
	}
	if r := []rune(reason); len(r) > longestReason {
		return string(r[:longestReason]) + "..."
	}
	return reason
}
