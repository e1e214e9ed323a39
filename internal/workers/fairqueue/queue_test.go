// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package fairqueue

import (
	"fmt"
	"runtime"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"golang.org/x/time/rate"
	"k8s.io/utils/ptr"
	"sigs.k8s.io/controller-runtime/pkg/controller/priorityqueue"
)

// TestIdleQueueTakesNoTokens has workers wait for ten minutes before an item comes.
func TestIdleQueueTakesNoTokens(t *testing.T) {
	o := options(nil)
	o.Rate = rate.NewLimiter(1, 3)
	inBubble(t, o, func(q *Queue[thing]) {
		w := employ(q, 512, takes(0))
		<-time.After(10 * time.Minute)
		if got := o.Rate.Tokens(); got != 3 {
			t.Errorf("%v tokens are left of 3", got)
		}
		at := time.Now()
		add(q, create, things("a", "c", 5)...)
		if got := w.sorted(); got != "[r0 r1 r2]" {
			t.Errorf("%s came at once, want as many as the burst", got)
		}
		<-time.After(2 * time.Second)
		if got := w.soFar(); len(got) != 5 || got[4].at.Sub(at) != 2*time.Second {
			t.Errorf("%d came after two seconds, want all five: %v", len(got), got)
		}
	})
}

// TestEditIsNextWhateverWaits adds an item, behind thousands, while a worker waits for a token.
func TestEditIsNextWhateverWaits(t *testing.T) {
	o := options(nil)
	o.Rate = rate.NewLimiter(1, 2)
	inBubble(t, o, func(q *Queue[thing]) {
		for i := range 1000 {
			add(q, poll, thing{"a", "c", fmt.Sprint("poll-", i)})
			add(q, create, thing{"a", "c", fmt.Sprint("new-", i)})
		}
		start := time.Now()
		w := employ(q, 4, takes(0))
		if got := w.sorted(); got != "[new-0 new-1]" {
			t.Errorf("%s came at once, want two creations", got)
		}
		<-time.After(500 * time.Millisecond)
		add(q, edit, thing{"a", "c", "edit"})
		<-time.After(500 * time.Millisecond)
		got := w.soFar()
		if last := got[len(got)-1]; len(got) != 3 || last.name != "edit" || last.priority != edit || last.at.Sub(start) != time.Second {
			t.Errorf("got %v, want the edit with the very next token", got)
		}
	})
}

func TestAnItemIsInTheQueueOnce(t *testing.T) {
	one := thing{"a", "c", "one"}
	after := func(d time.Duration, priority int) func(*Queue[thing]) {
		return func(q *Queue[thing]) {
			q.AddWithOpts(priorityqueue.AddOpts{After: d, Priority: ptr.To(priority)}, one)
		}
	}
	now := func(priority int) func(*Queue[thing]) { return after(0, priority) }
	failed := func(q *Queue[thing]) { q.AddRateLimited(one) }
	tests := []struct {
		reason   string
		add      []func(*Queue[thing])
		at       time.Duration
		priority int
	}{
		{"ready at once", []func(*Queue[thing]){now(poll)}, 0, poll},
		{"the higher priority stays", []func(*Queue[thing]){now(edit), now(poll)}, 0, edit},
		{"a higher priority counts", []func(*Queue[thing]){now(poll), now(edit)}, 0, edit},
		{"a delay", []func(*Queue[thing]){after(time.Hour, poll)}, time.Hour, poll},
		{"what is ready is not delayed", []func(*Queue[thing]){now(create), after(time.Hour, edit)}, 0, edit},
		{"what is delayed becomes ready", []func(*Queue[thing]){after(time.Hour, edit), now(create)}, 0, edit},
		{"the shorter delay counts", []func(*Queue[thing]){after(time.Hour, poll), after(time.Minute, create), after(2*time.Hour, edit)}, time.Minute, edit},
		{"the backoff of a failure", []func(*Queue[thing]){failed}, time.Second, 0},
		{"the backoff grows, and the shorter delay counts", []func(*Queue[thing]){failed, failed, failed}, time.Second, 0},
		{"the backoff is shorter than the delay", []func(*Queue[thing]){func(q *Queue[thing]) {
			q.AddWithOpts(priorityqueue.AddOpts{RateLimited: true, After: time.Minute}, one)
		}}, time.Second, 0},
	}
	for _, tc := range tests {
		t.Run(tc.reason, func(t *testing.T) {
			inBubble(t, options(nil), func(q *Queue[thing]) {
				for _, f := range tc.add {
					f(q)
				}
				start := time.Now()
				w := employ(q, 3, takes(0))
				<-time.After(24 * time.Hour)
				got := w.soFar()
				if len(got) != 1 || got[0].at.Sub(start) != tc.at || got[0].priority != tc.priority {
					t.Errorf("%s: got %v, want it once, after %v with priority %d", tc.reason, got, tc.at, tc.priority)
				}
			})
		})
	}
}

// TestBackoffIsForgotten has an item fail three times and succeed.
func TestBackoffIsForgotten(t *testing.T) {
	one := thing{"a", "c", "one"}
	inBubble(t, options(nil), func(q *Queue[thing]) {
		w := employ(q, 1, takes(0))
		for _, want := range []time.Duration{time.Second, 2 * time.Second, 4 * time.Second} {
			before, n := time.Now(), len(w.soFar())
			q.AddRateLimited(one)
			<-time.After(want)
			if got := w.soFar(); len(got) != n+1 || got[n].at.Sub(before) != want {
				t.Errorf("after %v %d items came, want %d", want, len(got), n+1)
			}
		}
		if got := q.NumRequeues(one); got != 3 {
			t.Errorf("it failed %d times, want 3", got)
		}
		q.Forget(one)
		if got := q.NumRequeues(one); got != 0 {
			t.Errorf("it failed %d times since it succeeded, want 0", got)
		}
	})
}

// TestAddedWhileWorkedOn adds an item again and again while a worker has it.
func TestAddedWhileWorkedOn(t *testing.T) {
	inBubble(t, options(nil), func(q *Queue[thing]) {
		one := thing{"a", "c", "one"}
		start := time.Now()
		w := employ(q, 8, takes(time.Minute))
		add(q, create, one)
		synctest.Wait()
		add(q, poll, one)
		q.AddWithOpts(priorityqueue.AddOpts{After: time.Second, Priority: ptr.To(create)}, one)
		add(q, edit, one)
		if q.Len() != 1 || len(w.soFar()) != 1 {
			t.Errorf("%d items are ready and %d were handed out, want one each", q.Len(), len(w.taken))
		}
		<-time.After(time.Hour)
		got := w.soFar()
		if len(got) != 2 || got[1].at.Sub(start) != time.Minute || got[1].priority != edit {
			t.Errorf("got %v, want it once more after a minute, as an edit", got)
		}
		if q.Len() != 0 {
			t.Errorf("%d items are left", q.Len())
		}
	})
}

// TestOrderOfReadyItems takes one by one the items that were added together.
func TestOrderOfReadyItems(t *testing.T) {
	inBubble(t, options(nil), func(q *Queue[thing]) {
		for i, p := range []int{create, poll, edit, create, edit} {
			add(q, p, thing{"a", "c", fmt.Sprintf("r%d", i)})
		}
		add(q, edit, thing{"a", "c", "r1"}) // More urgent: behind the other edits.
		add(q, poll, thing{"a", "c", "r4"}) // Less urgent: stays where it is.
		add(q, create, thing{"a", "d", "of another config"})
		w := employ(q, 1, takes(time.Second))
		<-time.After(time.Minute)
		if got, want := fmt.Sprint(w.names()), "[r2 r4 r1 r0 r3 of another config]"; got != want {
			t.Errorf("the order is %s, want %s", got, want)
		}
	})
}

// TestTenantsTakeTurns has a tenant with thousands of edits, and others with few.
func TestTenantsTakeTurns(t *testing.T) {
	o := options(nil)
	o.Rate = rate.NewLimiter(1, 1)
	inBubble(t, o, func(q *Queue[thing]) {
		add(q, edit, things("big", "c", 3000)...)
		w := employ(q, 8, takes(0))
		<-time.After(100 * time.Second)
		n := len(w.soFar())
		add(q, create, thing{"third", "t", "new"})
		add(q, edit, things("small", "s", 2)...)
		<-time.After(4 * time.Second)
		var got []string
		for _, x := range w.soFar()[n:] {
			got = append(got, x.tenant)
		}
		if want := "[small big third small]"; fmt.Sprint(got) != want {
			t.Errorf("the turns are %v, want %s: one each, and creations after edits, but for one of four", got, want)
		}
	})
}

func TestShutDownLetsEverybodyGo(t *testing.T) {
	for name, shutDown := range map[string]func(*Queue[thing]){
		"ShutDown":          (*Queue[thing]).ShutDown,
		"ShutDownWithDrain": (*Queue[thing]).ShutDownWithDrain,
	} {
		for reason, prepare := range map[string]func(*Queue[thing]){
			"all wait for an item":                      func(*Queue[thing]) {},
			"one waits for a token, the rest behind it": func(q *Queue[thing]) { add(q, create, things("a", "c", 2)...) },
			"something is delayed":                      func(q *Queue[thing]) { q.AddAfter(thing{"a", "c", "late"}, time.Minute) },
		} {
			t.Run(name+" while "+reason, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					o := options(nil)
					o.Rate = rate.NewLimiter(rate.Every(time.Hour), 1)
					q := New(o)
					prepare(q)
					ended := make(chan int)
					start := time.Now()
					for range 5 {
						go func() {
							n := 0
							for _, shutdown := q.Get(); !shutdown; _, shutdown = q.Get() {
								n++
							}
							ended <- n
						}()
					}
					synctest.Wait()
					shutDown(q)
					for range 5 {
						<-ended
					}
					if took := time.Since(start); took != 0 || !q.ShuttingDown() {
						t.Errorf("they went after %v", took)
					}
					n := q.Len()
					add(q, edit, thing{"a", "c", "too late"})
					<-time.After(time.Hour) // No timer fires that could use the queue.
					if _, shutdown := q.Get(); !shutdown || q.Len() != n {
						t.Errorf("a queue that is shut down took or gave something")
					}
					// Another queue has the tokens that the limiter allows.
					other := New(o)
					add(other, create, thing{"a", "c", "three"})
					if item, shutdown := other.Get(); item.name != "three" || shutdown || time.Since(start) > 2*time.Hour {
						t.Errorf("got %v, %t after %v", item, shutdown, time.Since(start))
					}
				})
			})
		}
	}
}

// TestNothingIsLeftBehind checks the fields of a queue after all is done.
func TestNothingIsLeftBehind(t *testing.T) {
	inBubble(t, options(map[string]string{"c": "k"}), func(q *Queue[thing]) {
		employ(q, 8, takes(time.Second))
		synctest.Wait() // A goroutine that is about to run may not show yet that it is in the bubble.
		routines := inBubbles()
		for range 3 {
			for i := range 50 {
				add(q, i%3, things(fmt.Sprint("t", i), "c", 3)...)
				q.AddAfter(thing{fmt.Sprint("t", i), "", "late"}, time.Minute)
			}
			<-time.After(time.Hour)
		}
		synctest.Wait()
		left := len(q.entries) + q.delayed.Len() + len(q.working) + len(q.owners) + len(q.ready) +
			len(q.shares.tenants) + len(q.shares.configs) + len(q.shares.credentials) + q.shares.working
		if now := inBubbles(); left != 0 || now != routines || now < 8 {
			t.Errorf("%d things are left, and there are %d goroutines, want the %d of the workers and their queue", left, now, routines)
		}
	})
}

// inBubbles returns how many goroutines are in bubbles of package synctest. runtime.NumGoroutine also counts
// other goroutines of the process, which come and go.
func inBubbles() int {
	stacks := make([]byte, 1<<20)
	return strings.Count(string(stacks[:runtime.Stack(stacks, true)]), ", synctest bubble ")
}
