// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package connect

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/crossplane/crossplane-runtime/v2/pkg/meta"
	"github.com/crossplane/crossplane-runtime/v2/pkg/reconciler/managed"
	"github.com/crossplane/crossplane-runtime/v2/pkg/resource"
	"k8s.io/apimachinery/pkg/types"
)

// Finalizer keeps a provider config as long as managed resources use it. It is the finalizer of
// the runtime's own reconciler of provider configs.
const Finalizer = "in-use.crossplane.io"

// errNoReconcile says that For was called outside of a reconcile. The end of such a session would not be known.
var errNoReconcile = errors.New("a session needs a reconcile that Begin began")

// A ConfigDeletedError says that a provider config serves no new objects because it is being deleted.
type ConfigDeletedError struct{ Config ConfigRef }

func (e *ConfigDeletedError) Error() string {
	return fmt.Sprintf("%s is being deleted and serves no further object: name another config in spec.providerConfigRef, "+
		"or make this one again when it is gone", e.Config)
}

// MayOwn reports whether a managed resource has an external resource, or may have one. Its provider
// config then has to stay. Nothing is created or adopted for an object before it has the finalizer.
func MayOwn(mg resource.Managed) bool {
	return meta.FinalizerExists(mg, managed.FinalizerName) || meta.GetExternalName(mg) != "" || meta.ExternalCreateIncomplete(mg)
}

// A reconcile is one pass over one managed resource. The sessions it opens end with it.
type reconcile struct {
	// takesBack is true if the reconcile removes what was created for an object that no longer exists.
	takesBack bool

	mu   sync.Mutex
	ends []func()
}

type reconcileKey struct{}

// Begin begins a reconcile and returns the context for For. The sessions that For returns end when end is called.
func Begin(ctx context.Context) (with context.Context, end func()) {
	return (&reconcile{}).begin(ctx)
}

// BeginTakingBack is Begin for a reconcile that removes what was created for an object that no longer exists.
// The namespace of the object was allowed when the creation was noted, and is not checked again: it may be gone.
func BeginTakingBack(ctx context.Context) (with context.Context, end func()) {
	return (&reconcile{takesBack: true}).begin(ctx)
}

func (r *reconcile) begin(ctx context.Context) (with context.Context, end func()) {
	return context.WithValue(ctx, reconcileKey{}, r), sync.OnceFunc(r.end)
}

func takesBack(ctx context.Context) bool {
	r, ok := ctx.Value(reconcileKey{}).(*reconcile)
	return ok && r.takesBack
}

func (r *reconcile) end() {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, end := range r.ends {
		end()
	}
}

// sessions are the sessions of one provider config.
type sessions struct {
	// open is how many reconciles have a session.
	open int
	// closed is the UID of the config that no reconcile may use any more, "" if there is none.
	closed types.UID
}

// begin notes that the reconcile of ctx opens a session of that config. It does so before the
// config is read, so that a caller of Close that comes after the read knows of the session.
func (c *Connections) begin(ctx context.Context, ref ConfigRef) error {
	r, ok := ctx.Value(reconcileKey{}).(*reconcile)
	if !ok {
		return errNoReconcile
	}
	c.mu.Lock()
	c.sessionsOf(ref).open++
	c.mu.Unlock()
	r.mu.Lock()
	defer r.mu.Unlock()
	r.ends = append(r.ends, func() { c.end(ref) })
	return nil
}

// sessionsOf returns the sessions of a config. c.mu must be held.
func (c *Connections) sessionsOf(ref ConfigRef) *sessions {
	s, ok := c.sessions[ref]
	if !ok {
		s = &sessions{}
		c.sessions[ref] = s
	}
	return s
}

func (c *Connections) end(ref ConfigRef) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.sessionsOf(ref).open--
	c.tidy(ref)
}

// tidy forgets a config that has no sessions and is not closed. c.mu must be held.
func (c *Connections) tidy(ref ConfigRef) {
	if s := c.sessionsOf(ref); s.open == 0 && s.closed == "" {
		delete(c.sessions, ref)
	}
}

// Close makes For refuse sessions of the provider config of that UID, and returns how many
// reconciles have one that was opened before. If there is none, all that reconciles began with
// the config is recorded on objects in the API server.
func (c *Connections) Close(ref ConfigRef, uid types.UID) (open int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	s := c.sessionsOf(ref)
	s.closed = uid
	return s.open
}

// Reopen ends what Close began, for a config that stays or is gone.
func (c *Connections) Reopen(ref ConfigRef) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.sessionsOf(ref).closed = ""
	c.tidy(ref)
}

// admit returns a *ConfigDeletedError if pc must not serve the object. A config that is being
// deleted serves the objects that it waits for. Once it has lost its finalizer, it waits for no
// object, and serves only objects that are being deleted.
func (c *Connections) admit(ref ConfigRef, pc resource.ProviderConfig, mg resource.Managed) error {
	c.mu.Lock()
	s, ok := c.sessions[ref]
	closed := ok && s.closed == pc.GetUID() && s.closed != ""
	c.mu.Unlock()
	waits := MayOwn(mg) && (meta.FinalizerExists(pc, Finalizer) || meta.WasDeleted(mg))
	if closed || meta.WasDeleted(pc) && !waits {
		return &ConfigDeletedError{Config: ref}
	}
	return nil
}

// Protect adds the finalizer to a provider config that is not being deleted, if it is missing. This
// happens before the first session. A cache that does not show the finalizer yet costs no second request.
func (c *Connections) Protect(ctx context.Context, ref ConfigRef, pc resource.ProviderConfig) error {
	if meta.WasDeleted(pc) || meta.FinalizerExists(pc, Finalizer) {
		return nil
	}
	from := protection{pc.GetUID(), pc.GetResourceVersion()}
	_, err, _ := c.reads.Do(fmt.Sprintf("protect %s %s@%s", ref, from.uid, from.version), func() (any, error) {
		if c.hasProtected(ref, from) {
			return nil, nil
		}
		own, cancel := context.WithTimeout(context.WithoutCancel(ctx), readTimeout)
		defer cancel()
		sent, ok := pc.DeepCopyObject().(resource.ProviderConfig)
		if !ok {
			return nil, fmt.Errorf("cannot copy %T", pc)
		}
		meta.AddFinalizer(sent, Finalizer)
		if err := c.o.Kube.Update(own, sent); err != nil {
			return nil, err
		}
		c.mu.Lock()
		defer c.mu.Unlock()
		c.protected[ref] = from
		return nil, nil
	})
	if err != nil {
		return fmt.Errorf("cannot put the finalizer on %s: %w", ref, err)
	}
	return nil
}

func (c *Connections) hasProtected(ref ConfigRef, from protection) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.protected[ref] == from
}

// A protection is a provider config as it was before it got the finalizer.
type protection struct {
	uid     types.UID
	version string
}

// ForgetConfig forgets a provider config that does not exist.
func (c *Connections) ForgetConfig(ref ConfigRef) {
	c.Reopen(ref)
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.protected, ref)
}
