// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package fairqueue

import (
	"fmt"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"golang.org/x/time/rate"
)

// TestHangingConfigsOfOneTenant has a tenant with a hundred configs, each with a
// credential of its own and a hundred items that never end. Another tenant edits.
func TestHangingConfigsOfOneTenant(t *testing.T) {
	o := options(nil)
	o.Credential = func(config string) string { return "credential of " + config }
	o.Rate = rate.NewLimiter(100, 10000)
	inBubble(t, o, func(q *Queue[thing]) {
		w := employ(q, o.Shares.Workers, func(item thing) {
			if item.tenant == "stuck" {
				<-q.open.Done()
			}
		})
		for i := range 100 {
			add(q, edit, things("stuck", fmt.Sprint("config-", i), 100)...)
		}
		if got := w.count()["stuck"]; got != 128 {
			t.Errorf("the tenant has %d workers, want its share of 128", got)
		}
		before, tokens := time.Now(), o.Rate.Tokens()
		for i := range 50 {
			add(q, edit, thing{"well", "own", fmt.Sprint("edit-", i)})
			synctest.Wait()
			if got := w.count()["well"]; got != i+1 {
				t.Fatalf("%d edits of the other tenant were handed out, want %d", got, i+1)
			}
		}
		if took, spent := time.Since(before), tokens-o.Rate.Tokens(); took != 0 || spent != 50 {
			t.Errorf("fifty edits waited for %v and spent %v tokens, want no time, and one token each", took, spent)
		}
		waits := 0
		q.Each(func(item thing, _ int, noRoom bool) {
			if !noRoom || item.tenant != "stuck" {
				t.Errorf("%v waits", item)
			}
			waits++
		})
		if waits != 10000-128 {
			t.Errorf("%d items wait for room, want all others of the tenant that hangs: 9872", waits)
		}
	})
}

// TestManyTenantsHang has tenants come one after the other, each with more than enough
// items that never end.
func TestManyTenantsHang(t *testing.T) {
	tests := map[string]struct {
		reason  string
		configs int // of each tenant
		want    []int
	}{
		"OneConfig":  {"a config has less than a tenant", 1, []int{64, 64, 64, 32, 16, 8, 4, 4, 4}},
		"TenConfigs": {"a tenant has half of what is there", 10, []int{128, 64, 32, 16, 8, 4, 4, 4, 4}},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			inBubble(t, options(nil), func(q *Queue[thing]) {
				w := employ(q, 512, never(q))
				var got []int
				tenant := func(i int) string { return fmt.Sprint("tenant-", i) }
				come := func(i int) int {
					for c := range tc.configs {
						add(q, edit, things(tenant(i), fmt.Sprint(tenant(i), c), 200)...)
					}
					return w.count()[tenant(i)]
				}
				for i := range 140 {
					got = append(got, come(i))
				}
				if !slices.Equal(got[:len(tc.want)], tc.want) {
					t.Errorf("%s: the first have %v workers, want %v", tc.reason, got[:len(tc.want)], tc.want)
				}
				if slices.Min(got) == 0 {
					t.Errorf("%s: of 140 tenants that hang, number %d has no worker", tc.reason, slices.Index(got, 0))
				}
				add(q, edit, thing{"well", "own", "edit"})
				if n := w.count()["well"]; n != 1 {
					t.Errorf("%s: with 140 tenants that hang, another one's edit waits", tc.reason)
				}
			})
		})
	}
}

// TestMostWorkersHang has four hundred tenants whose calls end after half a minute,
// each with more items than it can finish. The first tenants find all workers free.
// When they have come down to their share, another tenant edits every few seconds.
func TestMostWorkersHang(t *testing.T) {
	o := options(nil)
	var waited []time.Duration
	o.Taken = func(item thing, d time.Duration) {
		if item.tenant == "well" {
			waited = append(waited, d)
		}
	}
	inBubble(t, o, func(q *Queue[thing]) {
		w := employ(q, o.Shares.Workers, func(item thing) {
			if item.tenant == "well" {
				return
			}
			select {
			case <-time.After(30 * time.Second):
			case <-q.open.Done():
			}
		})
		for i := range 400 {
			add(q, edit, things(fmt.Sprint("tenant-", i), fmt.Sprint("config-", i), 20)...)
		}
		<-time.After(time.Minute)
		for i := range 20 {
			add(q, edit, thing{"well", "own", fmt.Sprint("edit-", i)})
			<-time.After(7 * time.Second)
		}
		if n := w.count()["well"]; n != 20 || slices.Max(waited) != 0 {
			t.Errorf("%d of 20 edits were handed out, the slowest after %v, want all of them at once", n, slices.Max(waited))
		}
		if n := len(w.count()); n != 401 {
			t.Errorf("%d tenants had their turn, want all 401", n)
		}
	})
}

// TestOneCredentialInManyConfigs has configs with the same credential hang.
func TestOneCredentialInManyConfigs(t *testing.T) {
	credentials := map[string]string{"other": "other"}
	for i := range 300 {
		credentials[fmt.Sprint("config-", i)] = "shared"
	}
	inBubble(t, options(credentials), func(q *Queue[thing]) {
		w := employ(q, 512, never(q))
		for i := range 10 {
			add(q, create, things("first", fmt.Sprint("config-", i), 100)...)
		}
		if got := w.count()["first"]; got != 64 {
			t.Errorf("ten configs of a credential have %d workers, want those of one: 64", got)
		}
		add(q, create, things("first", "other", 100)...)
		if got := w.count()["first"]; got != 96 {
			t.Errorf("with another credential the tenant has %d workers, want half of what it had left more: 96", got)
		}
		for i := 10; i < 300; i++ {
			add(q, create, things(fmt.Sprint("tenant-", i), fmt.Sprint("config-", i), 100)...)
		}
		n, all := w.count(), 0
		for tenant, got := range n {
			if all += got; tenant != "first" && got > 16 {
				t.Errorf("%s has %d workers, want at most half of the 32 that are beyond the share", tenant, got)
			}
		}
		if len(n) < 33 || all != 32+128 {
			t.Errorf("%d tenants have %d workers, want twice the share of the credential, and half of what is beyond it with one tenant each", len(n), all)
		}
		add(q, edit, thing{"tenant-299", "other", "edit"})
		if got := w.count()["tenant-299"]; got != 1 {
			t.Errorf("a tenant waits with a credential that does not hang")
		}
	})
}

// TestATenantBesideOneThatHasAll has one tenant take the share of a credential. Another one that comes later gets more than
// one worker with it, and leaves as many for a third.
func TestATenantBesideOneThatHasAll(t *testing.T) {
	inBubble(t, options(map[string]string{"one": "shared", "two": "shared", "three": "shared"}), func(q *Queue[thing]) {
		w := employ(q, 512, never(q))
		for _, tenant := range []struct {
			name, config string
			want         int
		}{{"first", "one", 64}, {"second", "two", 16}, {"third", "three", 8}} {
			add(q, create, things(tenant.name, tenant.config, 100)...)
			if got := w.count()[tenant.name]; got != tenant.want {
				t.Errorf("the %s tenant has %d workers, want %d", tenant.name, got, tenant.want)
			}
		}
	})
}

// TestCredentialBecomesKnown adds items before it is known that their configs have the
// same credential.
func TestCredentialBecomesKnown(t *testing.T) {
	credentials := map[string]string{}
	inBubble(t, options(credentials), func(q *Queue[thing]) {
		for i := range 3 {
			add(q, create, things("a", fmt.Sprint("config-", i), 100)...)
		}
		for i := range 3 {
			credentials[fmt.Sprint("config-", i)] = "shared"
		}
		w := employ(q, 512, never(q))
		if got := w.count()["a"]; got != 64 {
			t.Errorf("a credential has %d workers, want 64", got)
		}
	})
}

// TestReplacedCredential has calls hang with a credential that is then replaced.
func TestReplacedCredential(t *testing.T) {
	credentials := map[string]string{"c": "old", "d": "old"}
	inBubble(t, options(credentials), func(q *Queue[thing]) {
		w := employ(q, 512, never(q))
		add(q, create, things("a", "c", 64)...)
		add(q, create, thing{"a", "d", "waits"})
		if got := w.count()["a"]; got != 64 {
			t.Fatalf("%d are worked on, want 64", got)
		}
		credentials["d"] = "new"
		add(q, create, thing{"b", "e", "another"})
		if got := w.count()["a"]; got != 65 {
			t.Errorf("%d are worked on, want one more with the new credential", got)
		}
	})
}

// TestEditedConfig has a tenant with two configs. An item waits for the config that
// hangs, until it names the other one.
func TestEditedConfig(t *testing.T) {
	o := options(nil)
	config := map[string]string{}
	o.Owner = func(x thing) Owner { return Owner{Tenant: x.tenant, Config: config[x.name]} }
	inBubble(t, o, func(q *Queue[thing]) {
		w := employ(q, 512, never(q))
		add(q, create, things("a", "", 65)...)
		last := thing{"a", "", "r64"}
		if got := w.count()["a"]; got != 64 || q.Len() != 1 {
			t.Fatalf("%d are worked on and %d wait, want 64 and 1", got, q.Len())
		}
		config[last.name] = "well"
		add(q, edit, last)
		if got := w.soFar(); len(got) != 65 || got[64].thing != last {
			t.Errorf("%d are worked on, want the one with another config, too", len(got))
		}
	})
}

// TestFewWorkers shares as many workers as a small rate needs.
func TestFewWorkers(t *testing.T) {
	o := options(nil)
	o.Shares = Shares{Workers: 4, Reserve: 2, Tenant: 2, Each: 1}
	inBubble(t, o, func(q *Queue[thing]) {
		w := employ(q, 4, takes(time.Second))
		for i := range 6 {
			add(q, create, things(fmt.Sprint("t", i), fmt.Sprint("c", i%2), 10)...)
		}
		<-time.After(time.Minute)
		if got := len(w.soFar()); got != 60 {
			t.Errorf("%d of 60 were worked on", got)
		}
	})
}

// TestAllOfOneTenant has one tenant restart with all its items.
func TestAllOfOneTenant(t *testing.T) {
	inBubble(t, options(map[string]string{"c": "k"}), func(q *Queue[thing]) {
		w := employ(q, 512, takes(50*time.Millisecond))
		start := time.Now()
		add(q, poll, things("a", "c", 9000)...)
		<-time.After(time.Minute)
		got := w.soFar()
		if took := got[len(got)-1].at.Sub(start); len(got) != 9000 || took != 7*time.Second {
			t.Errorf("%d items came within %v, want 9000 with 64 workers of 50 ms within 7 s", len(got), took)
		}
	})
}
