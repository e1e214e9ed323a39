// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// stopTimeout bounds the end of one component. The API server needs about a
// second to let go of its watches.
const stopTimeout = time.Minute

var errEnded = errors.New("ended by itself")

// components are the running parts of the control plane in order of their start.
type components struct {
	// fail gets the error of a component that ends and was not asked to.
	fail context.CancelCauseFunc
	list []component
}

type component struct {
	name   string
	cancel context.CancelFunc
	done   <-chan struct{} // Closed once it has ended.
}

// add runs f, which has to return soon after its context ends.
func (cs *components) add(name string, f func(context.Context) error) {
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() {
		defer close(done)
		err := f(ctx)
		if ctx.Err() != nil {
			return // Asked to end: what it says on its way out is of no interest.
		}
		if err == nil {
			err = errEnded
		}
		cs.fail(fmt.Errorf("%s: %w", name, err))
	}()
	cs.list = append(cs.list, component{name: name, cancel: cancel, done: done})
}

// stop ends the components one after the other, the last one first: a controller
// manager that has lost its API server, or an API server without etcd, would
// spend its own shutdown on retries.
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
