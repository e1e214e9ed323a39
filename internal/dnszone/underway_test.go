// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package dnszone

import (
	"sync"
	"testing"
)

// TestUnderwayMayBeginWhileWaitedFor begins and ends calls while others wait for
// their end, which a sync.WaitGroup takes for misuse.
func TestUnderwayMayBeginWhileWaitedFor(t *testing.T) {
	var u underway
	<-u.ended() // Nothing ever began.
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			for range 1000 {
				u.begin()
				u.end()
			}
		})
		all.Go(func() {
			for range 1000 {
				<-u.ended()
			}
		})
	}
	all.Wait()
	u.begin()
	ended := u.ended()
	select {
	case <-ended:
		t.Error("a call under way has ended")
	default:
	}
	u.end()
	<-ended
}
