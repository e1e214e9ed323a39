// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package parent

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"golang.org/x/sync/singleflight"
)

// A Background counts calls that go on without the callers that asked for them, so that a
// shutdown can wait for these calls. Unlike with a sync.WaitGroup, a call may begin while
// another goroutine waits. It is safe for concurrent use.
type Background struct {
	// closing is closed by shut. It ends the waits in Sleep.
	closing chan struct{}
	shut    func()

	mu sync.Mutex
	n  int
	// none is closed when no call is under way any more; nil if no goroutine waits for
	// that.
	none chan struct{}
}

// NewBackground makes a Background without calls.
func NewBackground() *Background {
	b := &Background{closing: make(chan struct{})}
	b.shut = sync.OnceFunc(func() { close(b.closing) })
	return b
}

// ErrEnding says that a write was not sent because the process ends.
var ErrEnding = errors.New("the provider is ending")

// TryBegin is Begin for calls that must not begin once Drain was called: it returns false
// then. Drain waits for each call for which it returned true.
func (b *Background) TryBegin() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.Closed() {
		return false
	}
	b.n++
	return true
}

// Closing returns a channel that is closed as soon as Drain is called.
func (b *Background) Closing() <-chan struct{} { return b.closing }

// Closed reports whether Drain was called.
func (b *Background) Closed() bool {
	select {
	case <-b.closing:
		return true
	default:
		return false
	}
}

// Begin notes that a call begins. A call of End has to follow.
func (b *Background) Begin() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.n++
}

// End notes that a call has ended.
func (b *Background) End() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.n--
	if b.n == 0 && b.none != nil {
		close(b.none)
		b.none = nil
	}
}

// Drain returns when every call has ended, or with an error when ctx ends first. It ends
// the waits in Sleep.
func (b *Background) Drain(ctx context.Context) error {
	b.shut()
	select {
	case <-b.ended():
		return nil
	case <-ctx.Done():
		return fmt.Errorf("cannot wait for the calls under way: %w", context.Cause(ctx))
	}
}

// ended returns a channel that is closed as soon as no call is under way.
func (b *Background) ended() <-chan struct{} {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.n == 0 {
		done := make(chan struct{})
		close(done)
		return done
	}
	if b.none == nil {
		b.none = make(chan struct{})
	}
	return b.none
}

// Sleep waits for d. It returns false if ctx ends or Drain is called first.
func (b *Background) Sleep(ctx context.Context, d time.Duration) bool {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return true
	case <-ctx.Done():
	case <-b.closing:
	}
	return false
}

// Share makes a call that callers at the same time share, by its key. The call goes on
// for up to limit after its callers have left, including the first.
func Share[T any](
	ctx context.Context, b *Background, g *singleflight.Group, key string, limit time.Duration,
	call func(context.Context) (T, error),
) (T, error) {
	answer := g.DoChan(key, func() (any, error) {
		b.Begin()
		defer b.End()
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), limit)
		defer cancel()
		return call(ctx)
	})
	select {
	case r := <-answer:
		v, _ := r.Val.(T)
		return v, r.Err
	case <-ctx.Done():
		var none T
		return none, fmt.Errorf("cannot wait for the answer: %w", context.Cause(ctx))
	}
}
