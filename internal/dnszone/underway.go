// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package dnszone

import "sync"

// underway counts calls that go on without whoever asked for them. Other than a
// sync.WaitGroup it may be waited for while one begins. The zero value is ready.
type underway struct {
	mu sync.Mutex
	n  int
	// none is closed when there are none any more; nil where nobody waits.
	none chan struct{}
}

func (u *underway) begin() {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.n++
}

func (u *underway) end() {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.n--
	if u.n == 0 && u.none != nil {
		close(u.none)
		u.none = nil
	}
}

// ended gives a channel that is closed as soon as none is under way.
func (u *underway) ended() <-chan struct{} {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.n == 0 {
		done := make(chan struct{})
		close(done)
		return done
	}
	if u.none == nil {
		u.none = make(chan struct{})
	}
	return u.none
}
