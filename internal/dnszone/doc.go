// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

// Package dnszone puts one zone's records behind one type, so that many callers cost few calls. A
// Zone answers questions from a snapshot while the snapshot is fresh, and proves absence before
// it claims it. It executes writes in groups, and settles every ambiguous outcome by looking
// again. A Pool sweeps its zones once an interval, and reports changes from outside this process.
//
// What a caller may rely on:
//
//   - Presence may come from a snapshot no older than Options.Fresh. Absence needs a GET that
//     answers "gone", or a list that began after the question, or after the time at which the
//     record was there if it ever was (Query.Since).
//   - A write is in the snapshot before its caller wakes. A list that began before the write
//     ended never undoes it.
//   - Two credentials never share a read.
//
// Package parent contains the parts that do not know DNS: lists that callers share, facts that
// are newer than a list, sweeps within a budget, and breakers.
//
// The package knows no Kubernetes types.
package dnszone

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/provider-cloudflare/provider-cloudflare/internal/cloudflare"
	"github.com/provider-cloudflare/provider-cloudflare/internal/dnsrecord"
	"github.com/provider-cloudflare/provider-cloudflare/internal/parent"
)

// API is the part of a client that a Zone needs.
type API interface {
	Fingerprint() string
	GetZone(ctx context.Context, id string) (cloudflare.Zone, error)
	FindZones(ctx context.Context, name, accountID string, internal bool) ([]cloudflare.Zone, error)
	ListRecords(ctx context.Context, zoneID string, page, perPage int, out any) (cloudflare.ResultInfo, error)
	GetRecord(ctx context.Context, zoneID, id string, out any) error
	CreateRecord(ctx context.Context, zoneID string, body map[string]any, out any) error
	PatchRecord(ctx context.Context, zoneID, id string, body map[string]any, out any) error
	DeleteRecord(ctx context.Context, zoneID, id string) error
	BatchRecords(ctx context.Context, zoneID string, b cloudflare.Batch, out any) error
	// SweepRate returns how many calls a second sweeps may make in the long run.
	SweepRate() float64
}

// An Entry is a live record, as the API returned it and in canonical form. Live lacks what has no
// meaning: settings that are all off, empty data and tags, and meta that names no owner. Entries
// share memory: callers must not change what they point to.
type Entry struct {
	Live   dnsrecord.Live
	Record dnsrecord.Record
}

func newEntry(l dnsrecord.Live) Entry { return newRow(&l).entry() }

// ErrNotFound says that a record is proven not to exist.
var ErrNotFound = errors.New("DNS record does not exist")

// An OutcomeUnknownError says that a write may or may not have been carried out, and that looking did
// not show which. The caller has to look again before it writes again.
type OutcomeUnknownError struct {
	// Write is why the outcome of the write is unknown, Look why looking failed.
	Write, Look error
}

func (e *OutcomeUnknownError) Error() string {
	return fmt.Sprintf("cannot tell whether the change was made (%v), and looking failed: %v", e.Write, e.Look)
}

// Unwrap returns both causes.
func (e *OutcomeUnknownError) Unwrap() []error { return []error{e.Write, e.Look} }

// Options are the options of a Pool and its Zones.
type Options struct {
	// Interval is the time between two sweeps of a zone. 0 is 60 s.
	Interval time.Duration
	// Fresh is the greatest age of a snapshot that answers questions. 0 is one and a half
	// Intervals, so that regular sweeps keep it fresh.
	Fresh time.Duration
	// Idle is the time without questions after which sweeps of a zone end. 0 is two hours.
	Idle time.Duration
	// CallTimeout bounds one call of a list or a write. The contexts of the callers do not. 0 is
	// 90 s.
	CallTimeout time.Duration
	// PageSize is the per_page to ask for. 0 is 5000; the server may return smaller pages.
	PageSize int
	// MaxBatch is the most operations in one call. 0 is as many as the zone's plan allows.
	MaxBatch int
	// Load is what all sweeps of the process cost. Nil means that there are no other sweeps.
	Load *parent.SweepLoad
	// OnPace is called when the pace of a credential's sweeps changes, with its fingerprint, by
	// several goroutines. Nil is ignored.
	OnPace func(fingerprint string, pace Pace)
	// BeforeCreate is called with the intents of creations (see Op.WithIntent) before the call
	// that carries them out is sent, never twice at the same time for one zone. After an error
	// the creations are not sent. Writes without an intent do not wait for it. Nil is ignored.
	BeforeCreate func(ctx context.Context, intents []any) error
	// Unsent is called with the intents of creations that BeforeCreate allowed and that are not
	// sent, because their callers left while BeforeCreate ran. Nil is ignored.
	Unsent func(intents []any)
	// Metrics are the metrics of the Pool. Nil is none.
	Metrics *Metrics
	// Now is the clock. Nil is time.Now.
	Now func() time.Time
}

func (o Options) withDefaults() Options {
	setDefault(&o.Interval, time.Minute)
	setDefault(&o.Fresh, o.Interval+o.Interval/2)
	setDefault(&o.Idle, 2*time.Hour)
	setDefault(&o.CallTimeout, 90*time.Second)
	setDefault(&o.PageSize, 5000)
	if o.Load == nil {
		o.Load = parent.NewLoad()
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	return o
}

// newBreaker returns a breaker that keeps one kind of call from being made while it fails.
func (o Options) newBreaker() *parent.Breaker {
	return parent.NewBreaker(o.Interval/2, o.Now(), func(err error) bool { return errors.As(err, new(*UnreadableError)) })
}

// batch returns how many operations a call may have if the plan allows n.
func (o Options) batch(n int) int {
	if o.MaxBatch > 0 {
		return min(n, o.MaxBatch)
	}
	return n
}

func setDefault[T comparable](v *T, d T) {
	var zero T
	if *v == zero {
		*v = d
	}
}
