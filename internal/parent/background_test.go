// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package parent

import (
	"sync"
	"testing"
	"testing/synctest"
)

// TestBackgroundMayBeginWhileWaitedFor begins and ends calls while other goroutines wait
// for their end, which a sync.WaitGroup takes for misuse.
func TestBackgroundMayBeginWhileWaitedFor(t *testing.T) {
	u := NewBackground()
	<-u.ended() // Nothing ever began.
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			for range 1000 {
				u.Begin()
				u.End()
			}
		})
		all.Go(func() {
			for range 1000 {
				<-u.ended()
			}
		})
	}
	all.Wait()
	u.Begin()
	ended := u.ended()
	select {
	case <-ended:
		t.Error("a call under way has ended")
	default:
	}
	u.End()
	<-ended
}

// TestNothingBeginsWhileDrained checks that Drain waits for every call that TryBegin let
// begin, and that TryBegin lets none begin from then on.
func TestNothingBeginsWhileDrained(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := NewBackground()
		if b.Closed() || !b.TryBegin() {
			t.Fatal("a call may not begin")
		}
		drained := make(chan error, 1)
		go func() { drained <- b.Drain(t.Context()) }()
		<-b.Closing()
		synctest.Wait()
		if len(drained) != 0 || !b.Closed() {
			t.Error("Drain did not wait")
		}
		if b.TryBegin() {
			t.Error("a call began while others are drained")
		}
		b.End()
		if err := <-drained; err != nil {
			t.Error(err)
		}
		if b.TryBegin() {
			t.Error("a call began after the end")
		}
	})
}
