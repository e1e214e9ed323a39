// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package reconciler

import (
	"sync"

	"golang.org/x/time/rate"
)

// manyNamespaces is the number of namespaces from which on limiters that limit nothing at the
// moment are dropped.
const manyNamespaces = 1000

// bounds let through a burst and then a rate of events for each namespace.
type bounds struct {
	rate  rate.Limit
	burst int

	mu          sync.Mutex
	byNamespace map[string]*rate.Limiter
}

func newBounds(r rate.Limit, burst int) *bounds {
	return &bounds{rate: r, burst: burst, byNamespace: map[string]*rate.Limiter{}}
}

// allow reports whether one more event of a namespace may be recorded, and counts it.
func (b *bounds) allow(namespace string) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	l, ok := b.byNamespace[namespace]
	if !ok {
		b.forget()
		l = rate.NewLimiter(b.rate, b.burst)
		b.byNamespace[namespace] = l
	}
	return l.Allow()
}

// forget drops limiters if there are many namespaces. A limiter with its whole burst left is as
// good as a new one.
func (b *bounds) forget() {
	if len(b.byNamespace) < manyNamespaces {
		return
	}
	for namespace, l := range b.byNamespace {
		if l.Tokens() >= float64(b.burst) {
			delete(b.byNamespace, namespace)
		}
	}
}
