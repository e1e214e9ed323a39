// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// stopTimeout limits the end of one component. The API server needs about a second to close its
// watches.
const stopTimeout = time.Minute

var errEnded = errors.New("ended by itself")

// components are the running parts of the control plane, in the order of their start.
type components struct {
	// fail receives the error of a component that ended without being stopped.
	fail context.CancelCauseFunc
	list []component
}

type component struct {
	name   string
	cancel context.CancelFunc
	done   <-chan struct{} // closed after it has ended
}

// add runs f, which must return soon after its context ends.
func (cs *components) add(name string, f func(context.Context) error) {
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() {
		defer close(done)
		err := f(ctx)
		if ctx.Err() != nil {
			return // stopped: the error has no meaning
		}
		if err == nil {
			err = errEnded
		}
		cs.fail(fmt.Errorf("%s: %w", name, err))
	}()
	cs.list = append(cs.list, component{name: name, cancel: cancel, done: done})
}

// stop stops the components one after the other, the last one first. A controller manager
// without an API server, or an API server without etcd, would spend its shutdown on retries.
func (cs *components) stop() error {
	var errs []error
	for i := len(cs.list) - 1; i >= 0; i-- {
		c := cs.list[i]
		c.cancel()
		select {
		case <-c.done:
		case <-time.After(stopTimeout):
			errs = append(errs, fmt.Errorf("%s has not ended after %s", c.name, stopTimeout))
		}
	}
	return errors.Join(errs...)
}
