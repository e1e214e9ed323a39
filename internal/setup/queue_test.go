// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package setup

import (
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"golang.org/x/time/rate"
	"k8s.io/utils/ptr"
	"sigs.k8s.io/controller-runtime/pkg/controller/priorityqueue"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
)

func paced(t *testing.T, limit *rate.Limiter) priorityqueue.PriorityQueue[reconcile.Request] {
	t.Helper()
	q, ok := newQueue(limit, unshared())("test", nil).(priorityqueue.PriorityQueue[reconcile.Request])
	if !ok {
		t.Fatal("the queue has no priorities")
	}
	return q
}

// TestEditIsNextWhateverWaits takes from a queue in which thousands wait, far
// behind the limit, what is added last.
func TestEditIsNextWhateverWaits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := paced(t, rate.NewLimiter(1, 2))
		defer q.ShutDown()
		for i := range 1000 {
			Enqueue(q, PriorityPoll, clientKey(fmt.Sprint("poll-", i)))
			Enqueue(q, PriorityDrift, clientKey(fmt.Sprint("drift-", i)))
			Enqueue(q, PriorityCreate, clientKey(fmt.Sprint("new-", i)))
		}
		start := time.Now()
		var got []string
		for range 4 {
			r, _ := q.Get()
			got = append(got, r.Name)
			q.Done(r)
		}
		if fmt.Sprint(got) != "[new-0 new-1 new-2 new-3]" || time.Since(start) != 2*time.Second {
			t.Errorf("got %q after %s, want four creations after 2 s: two at once, and one a second", got, time.Since(start))
		}
		// A worker waits for leave when the edit comes.
		taken := make(chan string)
		go func() {
			r, _ := q.Get()
			taken <- r.Name
		}()
		synctest.Wait()
		Enqueue(q, PriorityEdit, clientKey("edit"))
		if name := <-taken; name != "edit" || time.Since(start) != 3*time.Second {
			t.Errorf("%s came after %s, want the edit with the very next leave", name, time.Since(start))
		}
	})
}

// TestMoreUrgentStays shows what the queue makes of an object that is added twice.
func TestMoreUrgentStays(t *testing.T) {
	q := paced(t, rate.NewLimiter(rate.Inf, 0))
	defer q.ShutDown()
	q.AddWithOpts(priorityqueue.AddOpts{After: time.Hour, Priority: ptr.To(PriorityPoll)}, reconcile.Request{NamespacedName: clientKey("r")})
	Enqueue(q, PriorityEdit, clientKey("r"))
	Enqueue(q, PriorityDrift, clientKey("r"))
	if r, priority, _ := q.GetWithPriority(); r.Name != "r" || priority != PriorityEdit || q.Len() != 0 {
		t.Errorf("got %s with priority %d, and %d more", r.Name, priority, q.Len())
	}
}

func TestShutDownLetsEverybodyGo(t *testing.T) {
	for name, shutDown := range map[string]func(priorityqueue.PriorityQueue[reconcile.Request]){
		"ShutDown": func(q priorityqueue.PriorityQueue[reconcile.Request]) { q.ShutDown() },
		"Drain":    func(q priorityqueue.PriorityQueue[reconcile.Request]) { q.ShutDownWithDrain() },
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				limit := rate.NewLimiter(rate.Every(time.Hour), 1)
				q := paced(t, limit)
				Enqueue(q, PriorityCreate, clientKey("one"), clientKey("two"))
				if r, shutdown := q.Get(); r.Name != "one" || shutdown {
					t.Fatalf("got %s, %t", r.Name, shutdown)
				}
				ended := make(chan bool, 2)
				start := time.Now()
				for range 2 { // One waits for leave, and the other behind it.
					go func() {
						_, shutdown := q.Get()
						ended <- shutdown
					}()
				}
				synctest.Wait()
				shutDown(q)
				for range 2 {
					if !<-ended || time.Since(start) > 0 {
						t.Errorf("not everybody went at once: %s", time.Since(start))
					}
				}
				// Another controller goes on with what the limiter allows: what was reserved for
				// two that left is given back, but for one of them if the other left later.
				other := paced(t, limit)
				Enqueue(other, PriorityCreate, clientKey("three"))
				if r, shutdown := other.Get(); r.Name != "three" || shutdown || time.Since(start) > 2*time.Hour {
					t.Errorf("got %s, %t after %s", r.Name, shutdown, time.Since(start))
				}
				other.ShutDown()
				if _, shutdown := other.Get(); !shutdown {
					t.Error("a queue that is shut down gave something")
				}
			})
		})
	}
}

func TestLimiterLetsARestartPass(t *testing.T) {
	if l := NewLimits(100).Rate; l.Limit() != 100 || l.Burst() != 10000 {
		t.Errorf("at 100 a second the limit is %v with a burst of %d, want 10,000", l.Limit(), l.Burst())
	}
}
