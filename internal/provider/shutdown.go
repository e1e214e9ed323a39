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

// drainTimeout is how long a process that ends waits for its lists, after everything else.
const drainTimeout = 5 * time.Second

// errLate says that the process did not stop in time.
var errLate = errors.New("the controllers or their writes have not ended in time: the lease is kept until it expires")

// lastWrites has the manager wait for the writes under way. The manager gives the lease back
// when all that it runs has ended, so none of them reaches Cloudflare after the first of the
// next leader.
type lastWrites struct {
	// stopping is closed when the manager stops, for whatever reason.
	stopping chan struct{}
	once     sync.Once
	writers  []func(context.Context) error
}

func newLastWrites(writers ...func(context.Context) error) *lastWrites {
	return &lastWrites{stopping: make(chan struct{}), writers: writers}
}

// NeedLeaderElection is true: whoever does not lead writes nothing.
func (*lastWrites) NeedLeaderElection() bool { return true }

// Start waits until ctx has ended and then for every write. It has no bound of its own. From
// its first moment on no write begins, so those that workers ask for while they end are not
// missed.
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

// unlessEnded is nil where ctx has ended: a process that is asked to end while it starts has not
// failed.
func unlessEnded(ctx context.Context, err error) error {
	select {
	case <-ctx.Done():
		return nil
	default:
		return err
	}
}

// runToTheEnd runs start, which runs a manager, and waits for it for as long as grace after it
// began to stop. Where that is too short, start is left alone and the process has to exit: that
// cuts off what is under way and leaves the lease to expire. Cloudflare may still carry out what
// was cut off. If the next leader took over at once, that could undo its writes.
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

// drain lets the lists under way end, which the next leader need not wait for.
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
