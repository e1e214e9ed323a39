// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package fairqueue

import (
	"fmt"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"golang.org/x/time/rate"
	"k8s.io/client-go/util/workqueue"
	"k8s.io/utils/ptr"
	"sigs.k8s.io/controller-runtime/pkg/controller/priorityqueue"
)

const (
	edit   = 100
	create = 0
	poll   = -100
)

// A thing is an item that names its owner.
type thing struct{ tenant, config, name string }

func (t thing) String() string { return t.tenant + "/" + t.config + "/" + t.name }

// things returns n things of one owner.
func things(tenant, config string, n int) []thing {
	out := make([]thing, n)
	for i := range out {
		out[i] = thing{tenant, config, fmt.Sprintf("r%d", i)}
	}
	return out
}

// options returns the options of a queue without bounds, with credentials by config.
func options(credentials map[string]string) Options[thing] {
	return Options[thing]{
		Shares:     Shares{Workers: 512, Reserve: 256, Tenant: 128, Each: 64},
		Rate:       rate.NewLimiter(rate.Inf, 0),
		Backoff:    workqueue.NewTypedItemExponentialFailureRateLimiter[thing](time.Second, time.Minute),
		Owner:      func(t thing) Owner { return Owner{Tenant: t.tenant, Config: t.config} },
		Credential: func(config string) string { return credentials[config] },
	}
}

func add(q *Queue[thing], priority int, items ...thing) {
	q.AddWithOpts(priorityqueue.AddOpts{Priority: ptr.To(priority)}, items...)
}

// workers take from a queue until it is shut down.
type workers struct {
	q *Queue[thing]

	mu    sync.Mutex
	taken []taken
}

type taken struct {
	thing

	priority int
	at       time.Time
}

// employ has n workers do work with what they get.
func employ(q *Queue[thing], n int, work func(thing)) *workers {
	w := &workers{q: q}
	for range n {
		go func() {
			for {
				item, priority, shutdown := q.GetWithPriority()
				if shutdown {
					return
				}
				w.mu.Lock()
				w.taken = append(w.taken, taken{item, priority, time.Now()})
				w.mu.Unlock()
				work(item)
				q.Done(item)
			}
		}()
	}
	return w
}

// soFar returns what was taken, when everything has come to rest.
func (w *workers) soFar() []taken {
	synctest.Wait()
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.taken
}

// names returns the names in the order in which one worker took them.
func (w *workers) names() []string {
	var out []string
	for _, t := range w.soFar() {
		out = append(out, t.name)
	}
	return out
}

// sorted returns the names alphabetically: workers that take items at the same instant
// report them in any order.
func (w *workers) sorted() string { return fmt.Sprint(slices.Sorted(slices.Values(w.names()))) }

// count returns how many were taken, by tenant.
func (w *workers) count() map[string]int {
	out := map[string]int{}
	for _, t := range w.soFar() {
		out[t.tenant]++
	}
	return out
}

// never returns work that never ends.
func never(q *Queue[thing]) func(thing) { return func(thing) { <-q.open.Done() } }

func takes(d time.Duration) func(thing) { return func(thing) { <-time.After(d) } }

// inBubble runs f with a queue in virtual time, and checks in the end that the queue
// leaves nothing behind.
func inBubble(t *testing.T, o Options[thing], f func(*Queue[thing])) {
	t.Helper()
	synctest.Test(t, func(*testing.T) {
		q := New(o)
		defer q.ShutDown()
		f(q)
	})
}
