// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package controller

import (
	"context"
	"errors"
	"runtime"
	"sync/atomic"
	"testing"

	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/manager"
)

// slowToAdd is a manager whose Add waits until the test lets it.
type slowToAdd struct {
	ctrl.Manager

	begun, let chan struct{}
	adding     atomic.Bool
	amid       bool // it was stopped during an Add
}

func (s *slowToAdd) Add(manager.Runnable) error {
	s.adding.Store(true)
	close(s.begun)
	<-s.let
	s.adding.Store(false)
	return nil
}

func (s *slowToAdd) Start(ctx context.Context) error {
	<-ctx.Done()
	s.amid = s.adding.Load()
	return nil
}

// TestNothingIsAddedToAManagerThatEnds stops the manager during an Add: the manager ends after
// that Add, and refuses later ones.
func TestNothingIsAddedToAManagerThatEnds(t *testing.T) {
	s := &slowToAdd{begun: make(chan struct{}), let: make(chan struct{})}
	a := &apart{Manager: s}
	ctx, cancel := context.WithCancel(t.Context())
	ended, added := make(chan error, 1), make(chan error, 1)
	go func() { ended <- a.Start(ctx) }()
	go func() { added <- a.Add(nil) }()
	<-s.begun
	cancel()
	for a.adding.TryRLock() { // Until Start waits for the lock.
		a.adding.RUnlock()
		runtime.Gosched()
	}
	close(s.let)
	if err := errors.Join(<-added, <-ended); err != nil || s.amid {
		t.Errorf("it ended amid an Add (%t): %v", s.amid, err)
	}
	if err := a.Add(nil); !errors.Is(err, errEnding) {
		t.Errorf("got %v, want that nothing is added any more", err)
	}
}
