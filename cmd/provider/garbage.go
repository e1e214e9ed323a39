// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package main

import "runtime/debug"

// heapGrowth is how much the heap grows over its live objects before a collection, in percent
// (runtime/debug, SetGCPercent). Go's own 100 doubles the memory of the cached objects. A
// provider at rest allocates little, so that more frequent collections cost little, too.
const heapGrowth = 50

// collectOften sets heapGrowth, unless GOGC is in the environment: the Go runtime has applied
// that.
func collectOften(getenv func(string) string) {
	if getenv("GOGC") == "" {
		debug.SetGCPercent(heapGrowth)
	}
}
