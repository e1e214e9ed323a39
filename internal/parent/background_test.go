// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package parent

import (
	"sync"
	"testing"
)

// TestBackgroundMayBeginWhileWaitedFor begins and ends calls while others wait for
// their end, which a sync.WaitGroup takes for misuse.
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
