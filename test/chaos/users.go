// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"
	kerrors "k8s.io/apimachinery/pkg/api/errors"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/provider-cloudflare/provider-cloudflare/test/rig"
)

// users carry out their plans. They are as patient as people: they retry what fails because a
// server is down or another write came first.
type users struct {
	kube  client.Client
	sim   *rig.Simulator
	place place // of described kinds

	mu       sync.Mutex
	grants   []grant
	prepared map[string]waiting // records to adopt, by zone and name
	done     map[deed]int
	missed   map[deed]int // steps about an object that did not exist
	wrong    []violation  // what users found wrong
	// strangers are the foreign resources that users have edited, after the edit.
	strangers map[string]json.RawMessage
}

// A waiting record was made in the dashboard, and no object has adopted it yet.
type waiting struct {
	live liveRecord
	made time.Time
}

func newUsers(kube client.Client, sim *rig.Simulator) *users {
	return &users{kube: kube, sim: sim, prepared: map[string]waiting{}, strangers: map[string]json.RawMessage{}, done: map[deed]int{}, missed: map[deed]int{}}
}

var errTooLate = errors.New("a user waited for too long")

// run is the life of one user until halt is closed. Steps about the same object follow each
// other. Other steps do not wait, because a creation without an answer may stay open as long as
// providers are killed. When halt is closed, run ends the steps under way. A step that does not
// end is a violation.
func (u *users) run(ctx context.Context, a *actor, halt <-chan struct{}) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(mostAtOnce)
	last := map[string]chan struct{}{}
	for {
		s := a.next()
		select {
		case <-halt:
			return u.end(g, cancel)
		case <-ctx.Done():
			return errors.Join(g.Wait(), context.Cause(ctx))
		case <-time.After(s.After):
		}
		var before []chan struct{}
		done := make(chan struct{})
		for _, name := range s.objects() {
			if c := last[name]; c != nil {
				before = append(before, c)
			}
			last[name] = done
		}
		g.Go(func() error {
			defer close(done)
			for _, c := range before {
				<-c
			}
			return u.step(ctx, a.number, s)
		})
	}
}

// end waits for the steps under way, at most for deadlock.
func (u *users) end(g *errgroup.Group, cancel context.CancelCauseFunc) error {
	impatient := time.AfterFunc(deadlock, func() { cancel(errTooLate) })
	defer impatient.Stop()
	return g.Wait()
}

// mostAtOnce is the most steps of a user under way at a time.
const mostAtOnce = 4

// step carries out a step and counts it.
func (u *users) step(ctx context.Context, number int, s step) error {
	did, err := u.do(ctx, s)
	u.mu.Lock()
	defer u.mu.Unlock()
	switch {
	case err != nil:
		err = fmt.Errorf("user %d cannot %s %s: %w", number, s.Do, s.objects()[0], err)
		if errors.Is(err, errTooLate) {
			u.wrong = append(u.wrong, violation{Kind: vStuck, Object: s.objects()[0], Detail: err.Error()})
			err = nil
		}
	case did:
		u.done[s.Do]++
	default:
		u.missed[s.Do]++
	}
	return err
}

// operations returns the number of steps that were carried out.
func (u *users) operations() int {
	u.mu.Lock()
	defer u.mu.Unlock()
	return sum(u.done)
}

// do carries out a step. It returns false if the step's object does not exist.
func (u *users) do(ctx context.Context, s step) (bool, error) {
	if s.Domain != nil {
		return true, u.doDomain(ctx, s)
	}
	if s.Resource != nil {
		return u.doResource(ctx, s)
	}
	if len(s.Things) == 0 {
		return false, nil
	}
	switch s.Do {
	case doVisit, doVisitEdit, doLeave, doLateLeave:
		return true, u.doVisit(ctx, s)
	case doDashEdit, doDashDelete:
		return u.dashboard(ctx, s.Things[0], s)
	case doCreate, doBurst, doContend, doRefuse, doObserve:
		return true, u.all(ctx, s.Things, u.create)
	case doEdit, doEditBurst, doRename:
		return true, u.all(ctx, s.Things, func(ctx context.Context, t thing) error { return u.edit(ctx, t, s.Patch) })
	case doDelete, doDeleteBurst:
		return true, u.all(ctx, s.Things, u.remove)
	case doLateDelete, doLateBurst:
		return true, u.fleeting(ctx, s.Things, s.Pause)
	}
	return true, u.doOne(ctx, s.Things[0], s)
}

// doOne carries out a step of several parts on one object.
func (u *users) doOne(ctx context.Context, t thing, s step) error {
	switch s.Do {
	case doEarlyEdit:
		first := t
		first.Value = s.Value
		if err := u.create(ctx, first); err != nil {
			return err
		}
		wait(ctx, s.Pause)
		return u.edit(ctx, t, s.Patch)
	case doReplace:
		if err := u.removeAndWait(ctx, t); err != nil {
			return err
		}
		return u.create(ctx, t)
	case doHandOver:
		return errors.Join(u.remove(ctx, *s.Before), u.create(ctx, t))
	case doOrphan:
		return u.orphan(ctx, t)
	case doPrepare:
		return u.prepare(ctx, t, s.Value)
	case doAdopt:
		return u.adopt(ctx, t, s)
	case doTakeOver:
		return u.takeOver(ctx, t)
	}
	return fmt.Errorf("there is no %q", s.Do)
}

// all calls f for many objects, a few at a time.
func (u *users) all(ctx context.Context, things []thing, f func(context.Context, thing) error) error {
	var (
		wg   sync.WaitGroup
		mu   sync.Mutex
		errs []error
	)
	limit := make(chan struct{}, 8)
	for _, t := range things {
		limit <- struct{}{}
		wg.Go(func() {
			defer func() { <-limit }()
			if err := f(ctx, t); err != nil {
				mu.Lock()
				defer mu.Unlock()
				errs = append(errs, err)
			}
		})
	}
	wg.Wait()
	return errors.Join(errs...)
}

const (
	// retryPause is the time between two attempts of a user.
	retryPause = 150 * time.Millisecond
	// lookPause is the time between two looks of a user.
	lookPause = 700 * time.Millisecond
)

// patiently retries f while its error may pass.
func (u *users) patiently(ctx context.Context, f func() error) error {
	return u.again(ctx, retryPause, f)
}

// until calls f until it shows what the user waits for.
func (u *users) until(ctx context.Context, f func() error) error {
	return u.again(ctx, lookPause, f)
}

func (u *users) again(ctx context.Context, pause time.Duration, f func() error) error {
	for {
		err := f()
		var status *kerrors.StatusError
		final := errors.As(err, &status) && (kerrors.IsInvalid(err) || kerrors.IsBadRequest(err) || kerrors.IsForbidden(err) ||
			kerrors.IsNotFound(err) || kerrors.IsAlreadyExists(err) || kerrors.IsMethodNotSupported(err))
		if err == nil || final {
			return err
		}
		select {
		case <-ctx.Done():
			return errors.Join(context.Cause(ctx), err)
		case <-time.After(pause):
		}
	}
}

// wait waits for d, or until ctx ends.
func wait(ctx context.Context, d time.Duration) {
	select {
	case <-ctx.Done():
	case <-time.After(d):
	}
}
