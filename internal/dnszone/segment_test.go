// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package dnszone

import (
	"context"
	"errors"
	"fmt"
	"math/bits"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/provider-cloudflare/provider-cloudflare/internal/cloudflare"
)

const (
	// badContent is content that the zones of these tests refuse, and callTime is how long a call to them takes.
	badContent = "203.0.113.1"
	callTime   = 300 * time.Millisecond
)

// refusing returns a zone that refuses badContent and takes callTime for each call. It also returns the tenants of
// its calls.
func refusing() (*fake, *[]string) {
	f, tenants := newFake(), &[]string{}
	f.bad = map[string]bool{badContent: true}
	for _, call := range []string{"batch", "create"} {
		f.hook(f.before, call, func(ctx context.Context) error {
			*tenants = append(*tenants, cloudflare.TenantOf(ctx))
			pass(callTime)
			return nil
		})
	}
	return f, tenants
}

// apply applies all ops of a tenant at once. Each result has the time at which it came.
func apply(z *Zone, tenant string, ops []Op) <-chan []timed {
	each, all := make(chan timed), make(chan []timed)
	for _, op := range ops {
		go func() {
			defer z.Enter()()
			_, err := z.Apply(cloudflare.ForTenant(context.Background(), tenant), op)
			each <- timed{err, time.Now()}
		}()
	}
	go func() {
		var out []timed
		for range ops {
			out = append(out, <-each)
		}
		all <- out
	}()
	return all
}

type timed struct {
	err error
	at  time.Time
}

// creations returns n creations of a tenant, with that content.
func creations(t *testing.T, tenant string, n int, content string, intents bool) (ops []Op) {
	t.Helper()
	for i := range n {
		op := Create(wantA(t, fmt.Sprint(tenant, i), content))
		if intents {
			op = op.WithIntent(fmt.Sprint(tenant, i))
		}
		ops = append(ops, op)
	}
	return ops
}

// TestRefusedWritesDelayNoOtherTenant checks that the faults in the writes of one tenant are sought in between the
// calls of the others.
func TestRefusedWritesDelayNoOtherTenant(t *testing.T) {
	const many, few = 300, 20
	tests := []struct {
		reason  string
		intents bool
		// apart is how long after the first tenant the other comes.
		apart time.Duration
		// within is how long the other waits at most.
		within time.Duration
	}{
		{"both come at the same time", false, 0, maxWait + 4*callTime},
		{"the other comes when faults are sought", false, 10 * time.Second, maxWait + 4*callTime},
		{"both are noted", true, 0, 3*maxWait + 4*callTime},
		{"the other comes when faults are sought in what was noted", true, 10 * time.Second, 3*maxWait + 4*callTime},
	}
	for _, tc := range tests {
		t.Run(tc.reason, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				f, _ := refusing()
				z, _ := noted(f, func(context.Context, []any) error { return nil })
				bad := apply(z, "many", creations(t, "many", many, badContent, tc.intents))
				pass(tc.apart)
				began := time.Now()
				good := <-apply(z, "few", creations(t, "few", few, "192.0.2.1", tc.intents))
				for _, r := range good {
					if took := r.at.Sub(began); r.err != nil || took > tc.within {
						t.Fatalf("%s: %v after %v, want success within %v", tc.reason, r.err, took, tc.within)
					}
				}
				if took := time.Since(began); took >= many*callTime {
					t.Errorf("%s: the faults were found after %v, so there was nothing to wait for", tc.reason, took)
				}
				for _, r := range <-bad {
					var e *cloudflare.Error
					if !errors.As(r.err, &e) || !e.Has(9005) {
						t.Errorf("%s: what is at fault was reported %v, want its own error", tc.reason, r.err)
					}
				}
				if len(f.records) != few {
					t.Errorf("%s: %d records, want those of the other, once", tc.reason, len(f.records))
				}
			})
		})
	}
}

// TestTenantsTakeTurns has two tenants whose writes are all refused. It checks that both have as many calls, and that
// the budget counts each call for its tenant.
func TestTenantsTakeTurns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const each = 64
		f, tenants := refusing()
		z := zoneOf(f)
		a := apply(z, "a", creations(t, "a", each, badContent, false))
		b := apply(z, "b", creations(t, "b", each, badContent, false))
		<-a
		<-b
		calls := map[string]int{}
		for i, tenant := range *tenants {
			calls[tenant]++
			if apart := calls["a"] - calls["b"]; apart > 3 || apart < -3 {
				t.Fatalf("after %d calls %d were for a and %d for b", i+1, calls["a"], calls["b"])
			}
		}
		if len(calls) != 2 || len(f.records) != 0 {
			t.Errorf("calls were for %v and made %d records, want calls for a and b that make none", calls, len(f.records))
		}
	})
}

// TestAFaultIsFoundAmongTheWritesOfManyTenants checks that a fault among the writes of many tenants costs no more
// calls than among those of one.
func TestAFaultIsFoundAmongTheWritesOfManyTenants(t *testing.T) {
	for _, tenants := range []int{1, 2, 7, 100, 200} {
		synctest.Test(t, func(t *testing.T) {
			const n = 200
			f, _ := refusing()
			z := zoneOf(f)
			group := make([]*pendingWrite, n)
			for i, op := range creates(t, n) {
				if i == 77 {
					op.want.Content = badContent
				}
				group[i] = &pendingWrite{op: op, tenant: fmt.Sprint(i % tenants), done: make(chan outcome, 1)}
			}
			carryOut(z, group)
			for i, w := range group {
				if o := <-w.done; (o.err != nil) != (i == 77) {
					t.Errorf("%d tenants: write %d came to %v", tenants, i, o.err)
				}
			}
			// A cut between tenants may miss the middle, once for each level of tenants.
			calls, most := f.count("batch")+f.count("create"), 1+2*bits.Len(n-1)+bits.Len(uint(tenants))
			if calls > most {
				t.Errorf("%d tenants: %d calls, want %d at most", tenants, calls, most)
			}
		})
	}
}

// TestWhatIsAtFaultForCertainIsNotTriedTogether checks that, if the first half of a refused call is carried out, the
// fault is sought in the second half, and costs one call a level.
func TestWhatIsAtFaultForCertainIsNotTriedTogether(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const levels = 7
		f, _ := refusing()
		z := zoneOf(f)
		var group []*pendingWrite
		for _, op := range creates(t, 1<<levels) {
			group = append(group, &pendingWrite{op: op, done: make(chan outcome, 1)})
		}
		last := group[len(group)-1]
		last.op.want.Content = badContent
		carryOut(z, group)
		if o := <-last.done; o.err == nil {
			t.Error("what is at fault was carried out")
		}
		if calls := f.count("batch") + f.count("create"); calls != 1+levels+1 {
			t.Errorf("%d calls, want one for all, one a level and one for what is at fault", calls)
		}
	})
}

func TestHalve(t *testing.T) {
	tests := []struct {
		reason, in, first, second string
	}{
		{"of one tenant, in the middle and in order", "a1 a2 a3 a4", "a1 a2", "a3 a4"},
		{"an odd number", "a1 a2 a3", "a1 a2", "a3"},
		{"between the tenants, wherever that is", "b1 b2 b3 b4 b5 a1", "a1", "b1 b2 b3 b4 b5"},
		{"next to the middle, where there are several", "a1 b1 a2 c1 b2 c2 b3", "a1 a2 b1 b2 b3", "c1 c2"},
	}
	for _, tc := range tests {
		t.Run(tc.reason, func(t *testing.T) {
			var ws []*pendingWrite
			for _, name := range strings.Fields(tc.in) {
				ws = append(ws, &pendingWrite{tenant: name[:1], op: Op{intent: name}})
			}
			ordered, at := halve(ws)
			if diff := cmp.Diff([]string{tc.first, tc.second}, []string{intents(ordered[:at]), intents(ordered[at:])}); diff != "" {
				t.Errorf("%s: (-want +got):\n%s", tc.reason, diff)
			}
		})
	}
}

func intents(ws []*pendingWrite) string {
	var names []string
	for _, w := range ws {
		names = append(names, w.op.intent.(string))
	}
	return strings.Join(names, " ")
}
