// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package main

import "runtime/debug"

// heapGrowth is by how much the heap grows over what is alive before it is collected, in
// percent (runtime/debug, SetGCPercent). Go's own 100 doubles what the cached objects take. A
// provider at rest allocates little, so that the collections it has instead cost little, too.
const heapGrowth = 50

// collectOften sets heapGrowth, unless GOGC is in the environment: the Go runtime has set that.
func collectOften(getenv func(string) string) {
	if getenv("GOGC") == "" {
		debug.SetGCPercent(heapGrowth)
	}
}
