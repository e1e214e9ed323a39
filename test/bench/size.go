// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package main

import "time"

// The names of the cases.
const (
	caseCreate   = "create"
	caseRatio    = "ratio"
	caseBaseline = "baseline"
	caseScale    = "scale"
	caseBad      = "bad"
	caseMemory   = "memory"
	caseAdopt    = "adopt"
	caseSteady   = "steady"
	caseDrift    = "drift"
	caseEdit     = "edit"
	caseRestart  = "restart"
	caseIdle     = "idle"
	caseKinds    = "kinds"
	caseMixed    = "mixed"
	caseSets     = "sets"
	caseRefused  = "refused"
	caseWaiting  = "waiting"
)

// caseNames returns all cases, in the order in which they are run.
func caseNames() []string {
	return []string{caseCreate, caseBad, caseRatio, caseBaseline, caseScale, caseMemory, caseAdopt, caseSteady, caseDrift, caseEdit, caseRestart, caseIdle, caseKinds, caseMixed, caseSets, caseRefused, caseWaiting}
}

// size is the size of the cases.
type size struct {
	// create is the number of Records of [create], and createLimit the time after which
	// it is cut.
	create      int
	createLimit time.Duration
	// rounds is the number of the provider's runs in [ratio]. Each is between two runs of
	// the minimal creator.
	rounds int
	// baselineLimit is the time after which the baseline is cut.
	baselineLimit time.Duration
	// maxBatch caps the changes in one call, in [create], [bad] and [edit].
	maxBatch int
	bad      int

	// scale has the numbers of Records of [scale]. A run is cut after scaleLimit, and its
	// calls are counted for scaleRest.
	scale                 []int
	scaleLimit, scaleRest time.Duration

	// zones is the number of zones of the other cases, and perZone that of the Records in each.
	zones, perZone int
	// accounts is the number of accounts of [kinds], and perKind that of the objects of each
	// measured kind in each.
	accounts, perKind int
	// refused is the number of Records that Cloudflare refuses in [refused], and waiting
	// the number of addresses in [waiting].
	refused, waiting int
	// mixed is the number of namespaces of [mixed], each with an account and a zone of
	// its own.
	mixed int
	// idle is the time that the provider runs without a Record before its memory is read.
	idle time.Duration
	// steady is the length of the idle time.
	steady time.Duration
	// interval is the provider's --drift-interval.
	interval time.Duration
	// outside is the number of records that [drift] edits.
	outside int
	// edits is the number of edits in each half of [edit], editInterval the
	// --drift-interval during the first half, and burst the number of creations in the
	// second.
	edits, burst int
	editInterval time.Duration

	// quiet is the time without a reconcile after which the provider counts as settled.
	quiet time.Duration
	// patience limits the waits that have no limit of their own.
	patience time.Duration
}

func (s size) records() int { return s.zones * s.perZone }

func fullSize() size {
	return size{
		accounts: 20, perKind: 50, mixed: 20, refused: 3000, waiting: 1000,
		create: 3000, createLimit: 10 * time.Minute, rounds: 2, baselineLimit: 5 * time.Minute, maxBatch: 200, bad: 200,
		scale: []int{100, 200, 500, 1000}, scaleLimit: 3 * time.Minute, scaleRest: 2 * time.Minute,
		zones: 10, perZone: 1000, idle: time.Minute, steady: 10 * time.Minute, interval: time.Minute, outside: 100,
		edits: 50, burst: 3000, editInterval: 10 * time.Second,
		quiet: 5 * time.Second, patience: 15 * time.Minute,
	}
}

func quickSize() size {
	return size{
		accounts: 4, perKind: 10, mixed: 3, refused: 300, waiting: 100,
		create: 300, createLimit: time.Minute, rounds: 1, baselineLimit: time.Minute, maxBatch: 20, bad: 200,
		scale: []int{20, 40}, scaleLimit: 30 * time.Second, scaleRest: 20 * time.Second,
		zones: 5, perZone: 100, idle: 10 * time.Second, steady: 30 * time.Second, interval: 10 * time.Second, outside: 5,
		edits: 20, burst: 300, editInterval: 2 * time.Second,
		quiet: 2 * time.Second, patience: 3 * time.Minute,
	}
}
