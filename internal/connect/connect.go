// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

// Package connect finds the provider config of a managed resource, the credential of that config,
// and the pooled client of that credential. Each credential has one client, and so one budget.
package connect

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/crossplane/crossplane-runtime/v2/pkg/meta"
	"github.com/crossplane/crossplane-runtime/v2/pkg/resource"
	"golang.org/x/sync/singleflight"
	corev1 "k8s.io/api/core/v1"
	kerrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/provider-cloudflare/provider-cloudflare/internal/cloudflare"
	"github.com/provider-cloudflare/provider-cloudflare/internal/connect/limits"
)

// secretAge is how long a credential is used before its Secret is read again. A change of the Secret ends it sooner.
const secretAge = 30 * time.Second

// readTimeout bounds a read of a Secret or a namespace, and the write of a finalizer. Several callers may share one.
const readTimeout = 30 * time.Second

// errNoKey says that a Secret lacks the key that a provider config names.
var errNoKey = errors.New("has no key")

// A Session is what a controller needs to act for one managed resource.
type Session struct {
	Client *cloudflare.Client
	// AccountID is the provider config's default account, "" if it has none.
	AccountID string
	// SecretsForObservers is true if the provider config provides the secrets of a resource to objects
	// that only observe it.
	SecretsForObservers bool

	reread func(context.Context) (*cloudflare.Client, error)
	// admit is nil if the provider config has no limits on calls.
	admit func(ctx context.Context, path string, says func(*limits.Error) error) error
	// holds is nil if the provider config has no limits on calls.
	holds func(id string, z limits.Zone)
}

// Holds notes the name and account of the zone of that ID, as the status of the Session's object has them. Admit uses
// them if Cloudflare no longer shows that zone. Holds ignores them if the name or the account is unknown.
func (s Session) Holds(id, name, accountID string) {
	if s.holds != nil && name != "" && accountID != "" {
		s.holds(id, limits.Zone{Name: name, AccountID: accountID})
	}
}

// Limited reports whether the provider config has limits on calls.
func (s Session) Limited() bool { return s.admit != nil }

// Admit returns an error if the provider config does not allow calls to a path of the API. Callers ask it before they
// use what all users of the same credential share: that may come from calls which another provider config allows.
func (s Session) Admit(ctx context.Context, path string) error {
	return s.AdmitAs(ctx, path, "")
}

// AdmitAs is Admit for an object that names the zone of the path by name. The error then names the zone so, too. The
// name is "" for an object that names it by ID.
func (s Session) AdmitAs(ctx context.Context, path, name string) error {
	if s.admit == nil {
		return nil
	}
	return s.admit(ctx, path, func(e *limits.Error) error {
		below, inZone := strings.CutPrefix(path, "/zones/")
		if name == "" || !inZone {
			return e
		}
		id, _, _ := strings.Cut(below, "/")
		return e.Writing(id, name)
	})
}

// Reread returns the client of the credential that the Secret holds now. The client of the
// Session may be of an earlier credential.
func (s Session) Reread(ctx context.Context) (*cloudflare.Client, error) {
	if s.reread == nil {
		return s.Client, nil
	}
	return s.reread(ctx)
}

// Options are the options of Connections.
type Options struct {
	// Kube reads provider configs and writes their finalizer.
	Kube client.Client
	// Secrets reads Secrets one by one, past any cache.
	Secrets client.Reader
	// Client are the options of every client.
	Client cloudflare.Options
	// Idle is how long after its last use a client or a credential is dropped. It should be
	// longer than the time between two uses. 0 means two hours.
	Idle time.Duration
	// Scoped is true for a provider that watches some namespaces only. It reads no ClusterProviderConfigs.
	Scoped bool
	// Now is the clock, also of the clients unless they have their own. Nil means time.Now.
	Now func() time.Time
}

// Connections are the clients in use. They are safe for concurrent use.
type Connections struct {
	o Options

	reads singleflight.Group

	mu   sync.Mutex
	read map[SecretKey]reading
	// changes are the last changes that Forget was notified of, by Secret. change is the number
	// of the most recent one.
	changes map[types.NamespacedName]change
	change  uint64
	// using is the credential that each config uses, by the config's name.
	using map[string]use
	// clients are the clients in use, by credential.
	clients map[cloudflare.Credential]*pooled
	// sessions are the sessions of managed resources, by config.
	sessions map[ConfigRef]*sessions
	// protected are the configs to which this process added the finalizer.
	protected map[ConfigRef]protection
	// labels are the labels of namespaces, by name.
	labels map[string]labelled
	// evictedAt is when idle entries were last looked for.
	evictedAt time.Time
}

// A reading is a credential as it was read from a Secret.
type reading struct {
	cred       cloudflare.Credential
	at, usedAt time.Time
	// began is the number of the last change, of any Secret, when the read began.
	began uint64
}

// A change of a Secret has a number and a time.
type change struct {
	number uint64
	at     time.Time
}

// SecretKey names a key of a Secret.
type SecretKey struct {
	types.NamespacedName

	Key string
}

// New returns Connections.
func New(o Options) *Connections {
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Client.Now == nil {
		o.Client.Now = o.Now
	}
	if o.Idle == 0 {
		o.Idle = 2 * time.Hour
	}
	return &Connections{
		o:         o,
		read:      map[SecretKey]reading{},
		changes:   map[types.NamespacedName]change{},
		using:     map[string]use{},
		clients:   map[cloudflare.Credential]*pooled{},
		sessions:  map[ConfigRef]*sessions{},
		protected: map[ConfigRef]protection{},
		labels:    map[string]labelled{},
		evictedAt: o.Now(),
	}
}

// For returns the Session of a managed resource, for the reconcile that Begin began with ctx. If
// the provider config is being deleted, an object that has nothing at Cloudflare gets a
// *ConfigDeletedError. If an object that is being deleted gets no Session, the error is a
// *DeletionBlockedError, and the object's Ready condition says how to free the object. The runtime persists
// the condition with the error.
func (c *Connections) For(ctx context.Context, mg resource.ModernManaged) (Session, error) {
	s, err := c.session(ctx, mg)
	if err != nil && meta.WasDeleted(mg) {
		return Session{}, c.stuck(mg, err)
	}
	return s, err
}

// stuck returns err as a *DeletionBlockedError of an object that is being deleted, and sets the object's Ready condition to it.
func (c *Connections) stuck(mg resource.ModernManaged, err error) error {
	stuck := &DeletionBlockedError{Cause: err, Command: c.orphan(mg)}
	mg.SetConditions(stuck.condition().WithObservedGeneration(mg.GetGeneration()))
	return stuck
}

func (c *Connections) session(ctx context.Context, mg resource.ModernManaged) (Session, error) {
	ref := RefOf(mg)
	if err := c.begin(ctx, ref); err != nil {
		return Session{}, err
	}
	pc, cfg, err := c.config(ctx, ref)
	if err != nil {
		return Session{}, err
	}
	if err := c.admit(ref, pc, mg); err != nil {
		return Session{}, err
	}
	if err := c.Protect(ctx, ref, pc); err != nil {
		return Session{}, err
	}
	if err := c.allow(ctx, cfg, mg); err != nil {
		return Session{}, err
	}
	return c.limited(ctx, cfg, mg)
}

// Open returns the Session of a provider config.
func (c *Connections) Open(ctx context.Context, cfg Config) (Session, error) {
	s, _, err := c.open(ctx, cfg, false)
	return s, err
}

// open is Open. If the Secret is gone, lastKnown makes it fall back to the credential that the
// config last used: a namespace is deleted in any order, and the resources of its objects must
// still be cleaned up. If the config has not used a credential yet, the Secret is read: a known
// credential may be that of an earlier config with the same name.
func (c *Connections) open(ctx context.Context, cfg Config, lastKnown bool) (Session, *Names, error) {
	s := Session{AccountID: cfg.AccountID, SecretsForObservers: cfg.SecretsForObservers, reread: func(ctx context.Context) (*cloudflare.Client, error) {
		current, err := c.reread(ctx, cfg, lastKnown)
		if err != nil {
			return nil, err
		}
		return current.client, nil
	}}
	known, ok := c.known(cfg.Secret)
	if _, used := c.last(cfg); ok && used && c.o.Now().Sub(known.at) < secretAge {
		p := c.client(known.cred, cfg)
		s.Client = p.client
		return s, p.names, nil
	}
	current, err := c.reread(ctx, cfg, lastKnown)
	if err != nil {
		return Session{}, nil, err
	}
	s.Client = current.client
	return s, current.names, nil
}

// reread returns the client of the credential that the Secret holds. If the Secret is gone and lastKnown is true, it
// returns that of the credential that the config last used from the Secret.
func (c *Connections) reread(ctx context.Context, cfg Config, lastKnown bool) (*pooled, error) {
	cred, err := c.readOnce(ctx, cfg.Secret)
	switch {
	case err == nil:
		return c.client(cred, cfg), nil
	case lastKnown && kerrors.IsNotFound(err):
		if cred, ok := c.last(cfg); ok {
			return c.lastClient(cred), nil
		}
	}
	if isWithdrawal(err) {
		c.withdraw(cfg)
	}
	return nil, fmt.Errorf("%s: %w", cfg.Name, without(err))
}

// isWithdrawal reports whether err means that a Secret no longer holds a usable credential.
func isWithdrawal(err error) bool {
	return kerrors.IsNotFound(err) || errors.Is(err, cloudflare.ErrCredential) || errors.Is(err, errNoKey)
}

// known returns the credential as it was last read, and notes that it is used.
func (c *Connections) known(key SecretKey) (reading, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	r, ok := c.read[key]
	if ok {
		r.usedAt = c.o.Now()
		c.read[key] = r
	}
	return r, ok
}

// readOnce reads the Secret once for all callers that ask at the same time: a hundred objects
// whose credential expires together cost one request. A caller that asks after a change was
// reported does not share a read that began before the change.
func (c *Connections) readOnce(ctx context.Context, key SecretKey) (cloudflare.Credential, error) {
	c.mu.Lock()
	began, seen := c.change, c.changes[key.NamespacedName].number
	c.mu.Unlock()
	v, err, _ := c.reads.Do(fmt.Sprintf("%s/%s@%d", key, key.Key, seen), func() (any, error) {
		own, cancel := context.WithTimeout(context.WithoutCancel(ctx), readTimeout)
		defer cancel()
		cred, err := c.readSecret(own, key)
		if err == nil {
			c.learn(key, cred, began)
		}
		return cred, err
	})
	cred, _ := v.(cloudflare.Credential)
	return cred, err
}

// learn keeps a credential whose read began after the change with that number. If a change of its
// Secret overtook the read, the credential serves only the callers that wait for this read.
func (c *Connections) learn(key SecretKey, cred cloudflare.Credential, began uint64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.read[key].began > began {
		return // A read that began later has ended before.
	}
	now := c.o.Now()
	r := reading{cred: cred, at: now, usedAt: now, began: began}
	if c.changes[key.NamespacedName].number > began {
		r.at = time.Time{}
	}
	c.read[key] = r
}

func (c *Connections) readSecret(ctx context.Context, key SecretKey) (cloudflare.Credential, error) {
	s := &corev1.Secret{}
	if err := c.o.Secrets.Get(ctx, key.NamespacedName, s); err != nil {
		return cloudflare.Credential{}, fmt.Errorf("cannot read the credentials Secret %s: %w", key.NamespacedName, err)
	}
	raw, ok := s.Data[key.Key]
	if !ok {
		return cloudflare.Credential{}, fmt.Errorf("cannot read the credentials: Secret %s %w %q", key.NamespacedName, errNoKey, key.Key)
	}
	cred, err := cloudflare.ParseCredential(raw)
	if err != nil {
		return cloudflare.Credential{}, fmt.Errorf("cannot read the credentials in key %q of Secret %s: %w", key.Key, key.NamespacedName, err)
	}
	return cred, nil
}

// Forget makes the next use of a Secret read it again. The last credential of the Secret is kept
// for objects that are being deleted.
func (c *Connections) Forget(secret types.NamespacedName) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.change++
	c.changes[secret] = change{c.change, c.o.Now()}
	for k, r := range c.read {
		if k.NamespacedName == secret {
			r.at = time.Time{}
			c.read[k] = r
		}
	}
}
