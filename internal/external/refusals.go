// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package external

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"strings"
	"sync"
	"time"

	"github.com/crossplane/crossplane-runtime/v2/pkg/meta"
	"github.com/crossplane/crossplane-runtime/v2/pkg/resource"
	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"
	"k8s.io/apimachinery/pkg/types"

	"github.com/provider-cloudflare/provider-cloudflare/internal/cloudflare"
	"github.com/provider-cloudflare/provider-cloudflare/internal/reconciler"
)

// mostRefusals is the maximum number of objects of a kind whose refusals are remembered.
const mostRefusals = 20_000

// Refusals are the requests of objects of a kind that the API refused, for the lifetime of the process. A request
// that would be refused again costs calls that others need. After a restart each is sent once more. Refusals are safe
// for concurrent use. A nil *Refusals remembers nothing.
type Refusals struct {
	mu sync.Mutex
	by map[types.UID]refusal
}

// of returns the last refusal for an object.
func (r *Refusals) of(uid types.UID) refusal {
	if r == nil {
		return refusal{}
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.by[uid]
}

// note records the outcome of a write of an object. It remembers only an error that the same request would get again.
func (r *Refusals) note(uid types.UID, of string, err error, now time.Time) {
	switch {
	case r == nil:
	case err == nil:
		r.Forget(uid)
	case of != "" && permanent(err):
		r.mu.Lock()
		defer r.mu.Unlock()
		if _, known := r.by[uid]; !known && len(r.by) >= mostRefusals {
			maps.DeleteFunc(r.by, func(_ types.UID, old refusal) bool { return old.over(now) })
			if len(r.by) >= mostRefusals {
				return
			}
		}
		if r.by == nil {
			r.by = map[types.UID]refusal{}
		}
		r.by[uid] = r.by[uid].again(of, err, now)
	}
}

// Forget removes the refusal for an object.
func (r *Refusals) Forget(uid types.UID) {
	if r == nil {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.by, uid)
}

// permanent reports whether err is a refusal that does not pass by itself.
func permanent(err error) bool {
	var own interface{ Permanent() bool }
	return cloudflare.IsPermanent(err) || errors.As(err, &own) && own.Permanent()
}

// A standingError is the error with which the API refused the very same before. It has the same text.
type standingError struct{ error }

// Unwrap returns that error.
func (e *standingError) Unwrap() error { return e.error }

// refusedBefore returns a *standingError if mg would now send what was refused, nil if it may send.
func (c *Client[L]) refusedBefore(mg resource.Managed) error {
	r := c.deps.Refused.of(mg.GetUID())
	if r.err == nil || !r.stands(c.sends(mg), c.deps.Now()) {
		return nil
	}
	return &standingError{r.err}
}

// creationStands keeps the Synced condition that the refused creation left on mg.
func creationStands(ctx context.Context, mg resource.Managed, err error) error {
	was := mg.GetCondition(xpv2.TypeSynced)
	reconciler.Stands(ctx, func() {
		// The runtime uses these words when Create fails.
		is := xpv2.ReconcileError(fmt.Errorf("create failed: %w", err)).WithObservedGeneration(mg.GetGeneration())
		if was.Equal(is) {
			is = was // It keeps the time of its last transition.
		}
		mg.SetConditions(is)
	})
	return err
}

// sends identifies what mg sends now and to which resource. It is "" if the kind does not say. It has to change with
// everything that may make the API accept the request.
func (c *Client[L]) sends(mg resource.Managed) string {
	a, ok := c.adapter.(RequestHasher)
	if !ok {
		return ""
	}
	says := a.RequestHash()
	if says == "" {
		return ""
	}
	parts := []string{says, meta.GetExternalName(mg), mg.GetAnnotations()[meta.AnnotationKeyReconcileRequestedAt]}
	if c.api != nil {
		parts = append(parts, c.api.Fingerprint())
	}
	sum := sha256.Sum256([]byte(strings.Join(parts, "\x00")))
	return base64.RawURLEncoding.EncodeToString(sum[:])
}

// Said returns a string that identifies parts, "" if they cannot be encoded.
func Said(parts ...any) string {
	raw, err := json.Marshal(parts)
	if err != nil {
		return ""
	}
	return string(raw)
}
