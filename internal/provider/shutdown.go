// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package provider

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/crossplane/crossplane-runtime/v2/pkg/logging"
)

// drainTimeout is how long a process that ends waits for its lists, after everything else has
// ended.
const drainTimeout = 5 * time.Second

// errLate says that the process did not stop in time.
var errLate = errors.New("the controllers or their writes have not ended in time: the lease is kept until it expires")

// lastWrites makes the manager wait for the writes under way. The manager releases the lease
// when all its runnables have ended, so none of these writes reaches Cloudflare after the first
// one of the next leader.
type lastWrites struct {
	// stopping is closed when the manager stops, for any reason.
	stopping chan struct{}
	once     sync.Once
	writers  []func(context.Context) error
}

func newLastWrites(writers ...func(context.Context) error) *lastWrites {
	return &lastWrites{stopping: make(chan struct{}), writers: writers}
}

// NeedLeaderElection returns true: only the leader writes.
func (*lastWrites) NeedLeaderElection() bool { return true }

// Start waits until ctx has ended and then for every write. It has no timeout of its own. No
// write begins after it has started to wait for the writes, so none is missed that a worker asks
// for while it ends.
func (l *lastWrites) Start(ctx context.Context) error {
	<-ctx.Done()
	l.once.Do(func() { close(l.stopping) })
	failed := make([]error, len(l.writers))
	var all sync.WaitGroup
	for i, end := range l.writers {
		all.Go(func() { failed[i] = end(context.WithoutCancel(ctx)) })
	}
	all.Wait()
	return errors.Join(failed...)
}

// unlessEnded returns err, or nil if ctx has ended: a process that is stopped while it starts
// has not failed.
func unlessEnded(ctx context.Context, err error) error {
	select {
	case <-ctx.Done():
		return nil
	default:
		return err
	}
}

// runToTheEnd runs start, which runs a manager, and waits at most grace after it began to stop.
// If that is too short, start keeps running and the process has to exit. This cuts off calls and
// lets the lease expire. Cloudflare may still carry out the cut-off calls, which could undo the
// writes of a next leader that takes over at once.
func runToTheEnd(ctx context.Context, start func(context.Context) error, stopping <-chan struct{}, grace time.Duration) error {
	ended := make(chan error, 1)
	go func() { ended <- start(ctx) }()
	select {
	case err := <-ended:
		return err
	case <-ctx.Done():
	case <-stopping:
	}
	late := time.NewTimer(grace)
	defer late.Stop()
	select {
	case err := <-ended:
		return err
	case <-late.C:
		return errLate
	}
}

// drain waits for the lists under way. The next leader need not wait for them.
func drain(ctx context.Context, log logging.Logger, callers ...func(context.Context) error) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), drainTimeout)
	defer cancel()
	var failed []error
	for _, end := range callers {
		failed = append(failed, end(ctx))
	}
	if err := errors.Join(failed...); err != nil {
		log.Info("Stopping before every call has ended", "error", err)
	}
}
