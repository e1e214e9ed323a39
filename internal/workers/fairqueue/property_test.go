// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package fairqueue

import (
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"golang.org/x/time/rate"
	"pgregory.net/rapid"
)

// A model is a queue with workers that rapid steps through, with the state it should
// have.
type model struct {
	q       *Queue[thing]
	shares  Shares
	working []thing
	// asked are the items that were added since they were last handed out.
	asked map[thing]int // with their priority
}

// takeAll takes items until there is no free worker or no item for one, and checks
// each.
func (m *model) takeAll(t *rapid.T, credentials map[string]string) {
	for len(m.working) < m.shares.Workers && m.q.available() {
		e := m.q.take()
		if e == nil {
			return // A credential became known.
		}
		priority, ok := m.asked[e.item]
		switch {
		case !ok:
			t.Fatalf("%v was handed out, and nobody asked for it", e.item)
		case priority != e.priority:
			t.Fatalf("%v has priority %d, want %d", e.item, e.priority, priority)
		case slices.Contains(m.working, e.item):
			t.Fatalf("two workers have %v", e.item)
		}
		delete(m.asked, e.item)
		m.working = append(m.working, e.item)
		m.check(t, credentials)
	}
}

// check recounts the running items, and compares them with the shares.
func (m *model) check(t *rapid.T, credentials map[string]string) {
	tenants, configs, keys := map[string]int{}, map[string]int{}, map[string]int{}
	for _, x := range m.working {
		tenants[x.tenant]++
		configs[x.config]++
		keys[credentials[x.config]]++
	}
	for tenant, n := range tenants {
		if n > max(1, m.shares.Tenant) {
			t.Fatalf("tenant %s has %d workers of at most %d", tenant, n, m.shares.Tenant)
		}
	}
	for _, by := range []map[string]int{configs, keys} {
		for name, n := range by {
			if n > 2*m.shares.Each {
				t.Fatalf("%q has %d workers of at most %d", name, n, 2*m.shares.Each)
			}
		}
	}
}

func (m *model) finish(i int) {
	item := m.working[i]
	m.working = slices.Delete(m.working, i, i+1)
	m.q.Done(item)
}

// TestNothingWaitsForEver adds random items, ends random ones, and in the end all.
func TestNothingWaitsForEver(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		credentials := map[string]string{"c0": "k0", "c1": "k1", "c2": "k1"}
		workers := rapid.IntRange(1, 12).Draw(t, "workers")
		o := options(credentials)
		each := rapid.IntRange(1, 4).Draw(t, "each")
		o.Shares = Shares{Workers: workers, Reserve: rapid.IntRange(0, workers).Draw(t, "reserve"), Each: each, Tenant: each * rapid.IntRange(1, 2).Draw(t, "tenant")}
		m := &model{q: New(o), shares: o.Shares, asked: map[thing]int{}}
		for range rapid.IntRange(1, 80).Draw(t, "steps") {
			if len(m.working) > 0 && rapid.Bool().Draw(t, "finish") {
				m.finish(rapid.IntRange(0, len(m.working)-1).Draw(t, "which"))
			} else {
				item := thing{
					rapid.SampledFrom([]string{"a", "b", "c"}).Draw(t, "tenant"),
					rapid.SampledFrom([]string{"c0", "c1", "c2", "unknown"}).Draw(t, "config"), fmt.Sprint(rapid.IntRange(0, 3).Draw(t, "item")),
				}
				priority := rapid.SampledFrom([]int{edit, create, poll}).Draw(t, "priority")
				if was, ok := m.asked[item]; ok {
					priority = max(was, priority)
				}
				m.asked[item] = priority
				add(m.q, priority, item)
			}
			m.takeAll(t, credentials)
		}
		for len(m.working) > 0 {
			m.finish(0)
			m.takeAll(t, credentials)
		}
		if len(m.asked)+m.q.Len()+len(m.q.owners)+len(m.q.shares.tenants) > 0 {
			t.Fatalf("left: asked for %v, %d ready, %d owners", m.asked, m.q.Len(), len(m.q.owners))
		}
	})
}

// TestEverythingAtOnce adds, fails, takes and shuts down concurrently, for the race
// detector: no two workers have one item, and each add is followed by a turn.
func TestEverythingAtOnce(t *testing.T) {
	const items, adds, workers = 40, 3000, 16
	o := options(map[string]string{"c0": "k", "c1": "k"})
	o.Shares = Shares{Workers: workers, Reserve: 4, Tenant: 8, Each: 4}
	o.Rate = rate.NewLimiter(1e6, 1)
	q := New(o)
	var busy, added, served [items]atomic.Int64
	item := func(i int) thing {
		return thing{fmt.Sprint("t", i%5), fmt.Sprint("c", i%4), fmt.Sprint(i)}
	}
	var all sync.WaitGroup
	for range workers {
		all.Go(func() {
			for x, shutdown := q.Get(); !shutdown; x, shutdown = q.Get() {
				var i int
				if _, err := fmt.Sscan(x.name, &i); err != nil {
					t.Error(err)
				}
				if busy[i].Add(1) != 1 {
					t.Errorf("two workers have %v", x)
				}
				served[i].Store(added[i].Load())
				busy[i].Add(-1)
				q.Done(x)
			}
		})
	}
	var adders sync.WaitGroup
	for a := range 4 {
		adders.Go(func() {
			for n := range adds {
				i := (n*7 + a) % items
				added[i].Add(1)
				switch n % 5 {
				case 0:
					q.AddAfter(item(i), time.Microsecond)
				case 1:
					q.AddAfter(item(i), time.Millisecond)
				default:
					add(q, n%3, item(i))
				}
				q.Each(func(thing, int, bool) {})
			}
		})
	}
	adders.Wait()
	deadline := time.Now().Add(20 * time.Second)
	for i := range items {
		for served[i].Load() != added[i].Load() {
			if time.Now().After(deadline) {
				t.Fatalf("item %d was added %d times, and no turn came after number %d", i, added[i].Load(), served[i].Load())
			}
			<-time.After(time.Millisecond)
		}
	}
	q.ShutDown()
	all.Wait()
}

// BenchmarkHandOut hands out the items of many owners.
func BenchmarkHandOut(b *testing.B) {
	for _, owners := range []int{1, 100, 1000} {
		b.Run(fmt.Sprint(owners, "owners"), func(b *testing.B) {
			q := New(options(nil))
			for i := range b.N {
				add(q, i%3, thing{fmt.Sprint("t", i%owners), fmt.Sprint("c", i%owners), fmt.Sprint(i)})
			}
			b.ResetTimer()
			for range b.N {
				item, _ := q.Get()
				q.Done(item)
			}
		})
	}
}
