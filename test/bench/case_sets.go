// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"time"

	"github.com/provider-cloudflare/provider-cloudflare/internal/kind"
	"github.com/provider-cloudflare/provider-cloudflare/internal/kinds/access"
)

// A setTarget is the time within which a set of that size has to be compared.
type setTarget struct {
	elements int
	within   time.Duration
	// pairwise adds the time of comparing each element with each other one.
	pairwise bool
}

// sets compares the addresses of an AccessGroup. It needs no processes.
func (b *bench) sets(context.Context) error {
	d := access.AccessGroup()
	for _, s := range []setTarget{{1000, 5 * time.Millisecond, true}, {10_000, 50 * time.Millisecond, false}} {
		want, live := addresses(s.elements), addresses(s.elements)
		took, err := compared(d, want, live)
		if err != nil {
			return err
		}
		measure := fmt.Sprintf("%d addresses of an AccessGroup, compared", s.elements)
		b.table.judge(caseSets, measure, "under "+millis(s.within), millis(took), took < s.within)
		if s.pairwise {
			b.table.beside(caseSets, measure, millis(pairwise(d, want, live)))
		}
	}
	return nil
}

// compared returns the time that comparing two equal sets takes, the shortest of a few
// runs.
func compared(d kind.Description, want, live []any) (time.Duration, error) {
	best := time.Duration(0)
	for n := range 5 {
		runtime.GC()
		began := time.Now()
		diff := d.Differences(kind.Document{"include": want}, kind.Document{"include": live})
		if took := time.Since(began); n == 0 || took < best {
			best = took
		}
		if len(diff) > 0 {
			return 0, errors.New("two equal sets differ")
		}
	}
	return best, nil
}

// pairwise returns the time that comparing each element with each other one takes.
func pairwise(d kind.Description, want, live []any) time.Duration {
	began := time.Now()
	for i := range want {
		for j := range live {
			d.Differences(kind.Document{"include": want[i : i+1]}, kind.Document{"include": live[j : j+1]})
		}
	}
	return time.Since(began)
}

// addresses returns n rules of a group, each with an address of its own.
func addresses(n int) []any {
	out := make([]any, n)
	for i := range out {
		out[i] = kind.Document{"email": kind.Document{"email": fmt.Sprintf("person-%d@example.com", i)}}
	}
	return out
}

func millis(d time.Duration) string {
	return fmt.Sprintf("%.1f ms", float64(d)/float64(time.Millisecond))
}
