// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package workers

import (
	"context"
	"fmt"
	"runtime"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
)

// BenchmarkIdleKinds measures the cost of kinds without objects, except their
// informers.
func BenchmarkIdleKinds(b *testing.B) {
	for _, n := range []int{2, 60} {
		b.Run(fmt.Sprint(n, "kinds"), func(b *testing.B) {
			var start, goroutines, memory float64
			for range b.N {
				o := &operator{pool: New(Options{PerSecond: 100, PerConfig: 64})}
				before, routines := inUse(), runtime.NumGoroutine()
				began := time.Now()
				done := make(chan struct{})
				for i := range n {
					k := &kind{name: fmt.Sprint("kind-", i), reconcile: func(context.Context, types.NamespacedName) (reconcile.Result, error) {
						close(done)
						return reconcile.Result{}, nil
					}}
					if err := o.pool.Add(o, k.of(b)); err != nil {
						b.Fatal(err)
					}
					if i == n-1 {
						o.start(b.Context())
						for k.handed() == nil {
							runtime.Gosched()
						}
						k.handed().Add(k.request("a", "first"))
					}
				}
				<-done
				start += time.Since(began).Seconds()
				for runtime.NumGoroutine()-routines < workers {
					runtime.Gosched() // They start one by one.
				}
				goroutines += float64(runtime.NumGoroutine() - routines)
				memory += inUse() - before
				o.stop()
				o.running.Wait()
			}
			b.ReportMetric(1000*start/float64(b.N), "ms/start")
			b.ReportMetric(goroutines/float64(b.N), "goroutines")
			b.ReportMetric(memory/float64(b.N), "MiB")
		})
	}
}

// inUse returns the memory of stacks and heap, in MiB.
func inUse() float64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m)
	return float64(m.StackInuse+m.HeapInuse) / (1 << 20)
}
