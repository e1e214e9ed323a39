// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package claim

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/crossplane/crossplane-runtime/v2/pkg/logging"
	coordinationv1 "k8s.io/api/coordination/v1"
	kerrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// LedgerOptions are the options of a Ledger.
type LedgerOptions struct {
	// Kube writes the Leases. API reads them without the cache.
	Kube client.Client
	API  client.Reader
	// Namespace is the namespace of the Leases. All processes that may claim the same external
	// resources use the same one.
	Namespace string
	// Covers reports whether this process looks after the objects of a namespace.
	Covers func(namespace string) bool
	Log    logging.Logger
	// Now is the clock. Nil is time.Now.
	Now func() time.Time
}

// A Ledger keeps claims as Leases in the provider's own namespace. It is for processes that look
// after different namespaces of one cluster, and do not see each other's objects. A Lease names the
// object that manages an external resource, and not the process, so that a namespace may pass from
// one process to another. Among the objects of one process, its registries decide, and the Lease
// follows. Between objects of different processes, the Lease decides. A Ledger is safe for
// concurrent use.
type Ledger struct {
	o LedgerOptions
	// wake triggers the deletion of claims that have ended.
	wake chan struct{}

	loading sync.Mutex

	mu     sync.Mutex
	loaded bool
	// wants has a function for each kind that reports whether an object still wants what it claims.
	wants map[string]wants
	// notes are the Leases of objects that this process looks after, by name.
	notes map[string]note
}

type wants func(ctx context.Context, h holder, key string) bool

// A note is a Lease that exists.
type note struct {
	subject

	by    holder
	since time.Time
	// leaving is true once the Lease is to be deleted.
	leaving bool
}

// NewLedger returns a Ledger. It is a Runnable of a manager, and needs leader election.
func NewLedger(o LedgerOptions) *Ledger {
	if o.Now == nil {
		o.Now = time.Now
	}
	return &Ledger{o: o, wake: make(chan struct{}, 1), wants: map[string]wants{}, notes: map[string]note{}}
}

// A page is the part of one kind in a Ledger. A nil page records no claim and refuses none.
type page struct {
	ledger *Ledger
	kind   string
}

func (l *Ledger) page(kind string, f wants) *page {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.wants[kind] = f
	return &page{ledger: l, kind: kind}
}

// hold claims the resource of that ID for h, which already has the claim in the registry. It
// returns a *ConflictError if an object that another process looks after has the resource.
func (p *page) hold(ctx context.Context, key, id string, h holder) error {
	if p == nil {
		return nil
	}
	err := p.ledger.hold(ctx, subject{kind: p.kind, key: key}, id, h)
	if err == nil || Lost(err, id) {
		return err
	}
	return fmt.Errorf("cannot claim %s: %w", id, err)
}

// taken reports whether an object that another process looks after has the resource.
func (p *page) taken(ctx context.Context, key string) (bool, error) {
	if p == nil {
		return false, nil
	}
	by, held, err := p.ledger.holder(ctx, subject{kind: p.kind, key: key})
	return held && !p.ledger.o.Covers(by.name.Namespace), err
}

// release marks the claim of an object as ended. Its Lease is deleted soon after.
func (p *page) release(key string, uid types.UID) {
	if p == nil {
		return
	}
	l, name := p.ledger, subject{kind: p.kind, key: key}.lease()
	l.mu.Lock()
	defer l.mu.Unlock()
	if n, ok := l.notes[name]; ok && n.by.uid == uid {
		n.leaving = true
		l.notes[name] = n
		l.poke()
	}
}

func (l *Ledger) poke() {
	select {
	case l.wake <- struct{}{}:
	default:
	}
}

func (l *Ledger) hold(ctx context.Context, s subject, id string, h holder) error {
	if err := l.load(ctx); err != nil {
		return err
	}
	if l.noted(s.lease(), h) {
		return nil
	}
	err := l.o.Kube.Create(ctx, s.toLease(l.o.Namespace, h))
	if kerrors.IsAlreadyExists(err) {
		err = l.takeOver(ctx, s, id, h)
	}
	if err != nil {
		return err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.notes[s.lease()] = note{subject: s, by: h, since: l.o.Now()}
	return nil
}

// noted reports whether this process knows that a Lease names h and stays.
func (l *Ledger) noted(name string, h holder) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	n, ok := l.notes[name]
	return ok && n.by.uid == h.uid && !n.leaving
}

// takeOver makes an existing Lease name h, unless it names an object of another process.
func (l *Ledger) takeOver(ctx context.Context, s subject, id string, h holder) error {
	lease := &coordinationv1.Lease{}
	if err := l.o.API.Get(ctx, client.ObjectKey{Namespace: l.o.Namespace, Name: s.lease()}, lease); err != nil {
		return fmt.Errorf("cannot read the Lease %s: %w", s.lease(), err)
	}
	was, err := holderIn(lease)
	switch {
	case err != nil:
		return err
	case !l.o.Covers(was.name.Namespace):
		return &ConflictError{ID: id, Holder: was.name, Lease: client.ObjectKeyFromObject(lease)}
	}
	// The Lease is written even if it names h already. A deletion that has read it before then
	// fails.
	next := s.toLease(l.o.Namespace, h)
	next.ResourceVersion = lease.ResourceVersion
	if next.Spec.RenewTime.Equal(lease.Spec.RenewTime) {
		next.Spec.RenewTime.Time = next.Spec.RenewTime.Add(time.Microsecond)
	}
	return l.o.Kube.Update(ctx, next)
}

// holder returns the object that the Lease names, and false if there is no Lease.
func (l *Ledger) holder(ctx context.Context, s subject) (by holder, held bool, err error) {
	lease := &coordinationv1.Lease{}
	err = l.o.API.Get(ctx, client.ObjectKey{Namespace: l.o.Namespace, Name: s.lease()}, lease)
	if kerrors.IsNotFound(err) {
		return holder{}, false, nil
	}
	if err != nil {
		return holder{}, false, fmt.Errorf("cannot read the Lease %s: %w", s.lease(), err)
	}
	by, err = holderIn(lease)
	return by, err == nil, err
}
