// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package workers

import (
	"fmt"
	"testing"
	"testing/synctest"

	"k8s.io/apimachinery/pkg/runtime/schema"
)

// TestWake: woken objects are reconciled, at the pool's pace. Objects of a kind that is not
// reconciled here are not, and no object is before the pool has begun.
func TestWake(t *testing.T) {
	operate(t, func(t *testing.T, o *operator) {
		k := &kind{name: "record"}
		var all []Request
		for i := range 1000 {
			all = append(all, k.request("ns", fmt.Sprint("r", i)))
		}
		unknown := all[0]
		unknown.Kind = schema.GroupKind{Group: "test", Kind: "unknown"}
		o.pool.Wake(0, all...)
		o.manage(t, k)
		o.pool.Wake(0, all...)
		o.start(t.Context())
		synctest.Wait()
		if n := len(k.reconciled()); n > 0 {
			t.Errorf("%d objects were reconciled that the pool could not know", n)
		}
		o.pool.Wake(0, append(all, unknown)...)
		first := len(k.reconciled())
		if first == 0 || first > o.pool.o.PerConfig {
			t.Errorf("%d objects are reconciled at once, want at most %d", first, o.pool.o.PerConfig)
		}
	})
}
