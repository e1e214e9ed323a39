// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package cloudflare

import (
	"testing"
	"time"
)

// TestTenantsTakeTurns expects that the tenant with fewer calls goes first when a budget is used up.
func TestTenantsTakeTurns(t *testing.T) {
	clk := newClock()
	b := newBudget(clk.Now)
	asks := func(tenant string) bool {
		_, no := b.admit(asking{tenant: tenant})
		return no == nil
	}
	for asks("a") {
	}
	if asks("b") || asks("a") {
		t.Fatal("there is a call left")
	}
	one := time.Second / 3
	clk.pass(one + time.Millisecond)
	if asks("a") {
		t.Error("a has a call that b waits for")
	}
	if !asks("b") {
		t.Error("b has not the call that was kept for it")
	}
	for range 8 * headStart { // b and c catch up.
		clk.pass(one)
		_, _, _ = asks("a"), asks("b"), asks("c")
	}
	had := map[string]int{}
	for range 300 {
		clk.pass(one)
		for _, tenant := range []string{"a", "a", "a", "b", "c"} {
			if asks(tenant) {
				had[tenant]++
			}
		}
	}
	for _, tenant := range []string{"a", "b", "c"} {
		if had[tenant] < 95 || had[tenant] > 105 {
			t.Errorf("of three hundred calls for three, %s has %d", tenant, had[tenant])
		}
	}
	clk.pass(patience + time.Second)
	for range 50 {
		asks("d")
	}
	if n := len(b.turns.tenants); n != 1 {
		t.Errorf("%d tenants are remembered, of which one came lately", n)
	}
	if !asks("d") {
		t.Error("a call is kept for who does not come")
	}
}

// TestWhoNeverComesDelaysNobody expects that fewer calls are kept for tenants than the bucket holds.
func TestWhoNeverComesDelaysNobody(t *testing.T) {
	clk := newClock()
	b := newBudget(clk.Now)
	b.own = quota{4, defaultWindow} // A burst of one.
	b.fit(clk.Now())
	for _, tenant := range []string{"a", "b", "c", "d", "a"} {
		_, _ = b.admit(asking{tenant: tenant})
	}
	clk.pass(time.Minute + 40*time.Second)
	if _, no := b.admit(asking{tenant: "a"}); no != nil {
		t.Errorf("a call is kept that the bucket never has: %+v", no)
	}
}
