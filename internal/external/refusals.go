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

// mostRefusals bounds the objects of a kind whose refusals are remembered.
const mostRefusals = 20_000

// Refusals are what the API refused of the objects of a kind, for as long as the process runs: what would be refused
// again costs calls that others need. After a restart each is sent once more. It is safe for concurrent use; a nil
// one remembers nothing.
type Refusals struct {
	mu sync.Mutex
	by map[types.UID]refusal
}

// of is what was refused of an object last.
func (r *Refusals) of(uid types.UID) refusal {
	if r == nil {
		return refusal{}
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.by[uid]
}

// note notes what a write of an object came to. What may be refused for another reason next time is not remembered.
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

// Forget forgets what was refused of an object.
func (r *Refusals) Forget(uid types.UID) {
	if r == nil {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.by, uid)
}

// permanent reports whether err refuses what was sent in a way that does not pass by itself.
func permanent(err error) bool {
	var own interface{ Permanent() bool }
	return cloudflare.IsPermanent(err) || errors.As(err, &own) && own.Permanent()
}

// A standingError is what the API answered to the very same before. It reads as that.
type standingError struct{ error }

// Unwrap gives the answer.
func (e *standingError) Unwrap() error { return e.error }

// refusedBefore is a *standingError where mg would send now what was refused, nil where it is to be sent.
func (c *Client[L]) refusedBefore(mg resource.Managed) error {
	r := c.deps.Refused.of(mg.GetUID())
	if r.err == nil || !r.stands(c.sends(mg), c.deps.Now()) {
		return nil
	}
	return &standingError{r.err}
}

// creationStands keeps on mg what its refused creation left there.
func creationStands(ctx context.Context, mg resource.Managed, err error) error {
	was := mg.GetCondition(xpv2.TypeSynced)
	reconciler.Stands(ctx, func() {
		// The runtime words it so where Create fails.
		is := xpv2.ReconcileError(fmt.Errorf("create failed: %w", err)).WithObservedGeneration(mg.GetGeneration())
		if was.Equal(is) {
			is = was // With the time since when.
		}
		mg.SetConditions(is)
	})
	return err
}

// sends tells what mg sends now, and to what, from anything else, "" where the kind does not say. It has to change with all that
// may make the API accept it.
func (c *Client[L]) sends(mg resource.Managed) string {
	a, ok := c.adapter.(Sender)
	if !ok {
		return ""
	}
	says := a.Sends()
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

// Said tells what parts say from anything else, "" where they cannot be encoded.
func Said(parts ...any) string {
	raw, err := json.Marshal(parts)
	if err != nil {
		return ""
	}
	return string(raw)
}
