// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package audit

import (
	"cmp"
	"context"
	"maps"
	"strings"
	"sync"
	"time"

	"golang.org/x/sync/singleflight"

	"github.com/provider-cloudflare/provider-cloudflare/internal/cloudflare"
)

const (
	// refusedFor is how long a refused credential is not tried again.
	refusedFor = 6 * time.Hour
	// lookback is how far back a call asks if it is not known when the parent was last looked
	// at: the provider may not have run.
	lookback = 24 * time.Hour
	// margin is how much earlier than the last look a change may have been made: lists lag, and
	// clocks differ.
	margin = 2 * time.Minute
	// remembered is how long answers are kept.
	remembered = time.Hour
	// callTimeout bounds the call: drift is undone only after it.
	callTimeout = 5 * time.Second
)

// API is the part of a client that a Trail uses.
type API interface {
	Fingerprint() string
	Own() (tokenID, userAgent string)
	AuditLogs(ctx context.Context, q cloudflare.AuditQuery) ([]cloudflare.AuditEntry, error)
	GetZone(ctx context.Context, id string) (cloudflare.Zone, error)
	// Allows returns an error if the provider config does not allow reading a path.
	Allows(ctx context.Context, path string) error
}

// A Trail remembers the answers of audit logs. A nil Trail has no answers and makes no calls.
// It is safe for concurrent use.
type Trail struct {
	now     func() time.Time
	flights singleflight.Group

	mu sync.Mutex
	// answers are by credential, account and parent; accounts by credential and zone; refused
	// by credential and account.
	answers  map[string]answer
	accounts map[string]string
	refused  map[string]time.Time
}

// An answer is the result of the last call about a parent.
type answer struct {
	at      time.Time
	sweep   uint64
	entries []cloudflare.AuditEntry
}

// NewTrail returns a Trail with that clock, time.Now if it is nil.
func NewTrail(now func() time.Time) *Trail {
	if now == nil {
		now = time.Now
	}
	return &Trail{now: now, answers: map[string]answer{}, accounts: map[string]string{}, refused: map[string]time.Time{}}
}

// Who returns by whom, how and when a subject was changed, or "" if that is not known.
func (t *Trail) Who(ctx context.Context, api API, s Subject) string {
	if t == nil {
		return ""
	}
	if s.AccountID == "" {
		s.AccountID = t.account(ctx, api, s)
	}
	if s.AccountID == "" || api.Allows(ctx, cloudflare.AuditLogsPath(s.AccountID)) != nil {
		return ""
	}
	var own Own
	own.TokenID, own.UserAgent = api.Own()
	key := strings.Join([]string{api.Fingerprint(), s.AccountID, s.Parent}, "/")
	known, asked := t.answer(key)
	e, ok := Find(known.entries, s, own)
	if !ok && (!asked || known.sweep != s.Sweep) {
		e, ok = Find(t.ask(ctx, api, key, s), s, own)
	}
	if !ok {
		return ""
	}
	return Words(e, s.Gone)
}

func (t *Trail) answer(key string) (answer, bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	a, ok := t.answers[key]
	return a, ok
}

// ask calls the audit logs, unless the credential was refused. Concurrent callers share the
// call, which continues if one of them leaves.
func (t *Trail) ask(ctx context.Context, api API, key string, s Subject) []cloudflare.AuditEntry {
	flight := t.flights.DoChan(key, func() (any, error) {
		was, asked := t.answer(key)
		if asked && was.sweep == s.Sweep {
			return was.entries, nil // The call of another caller has ended meanwhile.
		}
		ctx, cancel := context.WithTimeout(cloudflare.ForSweep(context.WithoutCancel(ctx)), callTimeout)
		defer cancel()
		now := t.now()
		entries, err := t.call(ctx, api, cloudflare.AuditQuery{
			AccountID: s.AccountID, ZoneID: s.ZoneID, Since: s.since(now), Before: now.Add(margin),
		})
		if cloudflare.IsThrottled(err) || cloudflare.IsGuarded(err) {
			return entries, nil // It may go through later in this sweep, or for another config.
		}
		t.remember(key, answer{at: now, sweep: s.Sweep, entries: entries})
		return entries, nil
	})
	select {
	case r := <-flight:
		entries, _ := r.Val.([]cloudflare.AuditEntry)
		return entries
	case <-ctx.Done():
		return nil
	}
}

// since returns the time from which a call asks for entries.
func (s Subject) since(now time.Time) time.Time {
	earliest := now.Add(-lookback)
	if s.Looked.IsZero() || s.Looked.Add(-margin).Before(earliest) {
		return earliest
	}
	return s.Looked.Add(-margin)
}

// call makes the call, unless the credential was refused. An error leaves the cause of the
// change unknown.
func (t *Trail) call(ctx context.Context, api API, q cloudflare.AuditQuery) ([]cloudflare.AuditEntry, error) {
	key := api.Fingerprint() + "/" + q.AccountID
	if t.isRefused(key) {
		return nil, nil
	}
	entries, err := api.AuditLogs(ctx, q)
	t.note(key, err)
	return entries, err
}

// account returns the account of the subject's zone. It is asked for once: a zone stays in its
// account.
func (t *Trail) account(ctx context.Context, api API, s Subject) string {
	if s.ZoneID == "" {
		return s.Fallback
	}
	key := api.Fingerprint() + "/" + s.ZoneID
	t.mu.Lock()
	known, ok := t.accounts[key]
	t.mu.Unlock()
	switch {
	case ok:
		return known
	case t.isRefused(key):
		return s.Fallback
	}
	// Callers that share the call may have other fallbacks.
	found, _, _ := t.flights.Do("zone "+key, func() (any, error) {
		ctx, cancel := context.WithTimeout(cloudflare.ForSweep(context.WithoutCancel(ctx)), callTimeout)
		defer cancel()
		zone, err := api.GetZone(ctx, s.ZoneID)
		t.note(key, err)
		if err != nil || zone.Account.ID == "" {
			return "", nil
		}
		t.mu.Lock()
		defer t.mu.Unlock()
		t.accounts[key] = zone.Account.ID
		return zone.Account.ID, nil
	})
	id, _ := found.(string)
	return cmp.Or(id, s.Fallback)
}

func (t *Trail) isRefused(key string) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	at, ok := t.refused[key]
	return ok && t.now().Sub(at) < refusedFor
}

// note records that a credential was refused. It would be refused again, for each of these
// reasons.
func (t *Trail) note(key string, err error) {
	refused := cloudflare.IsForbidden(err) || cloudflare.IsInvalidCredential(err) || cloudflare.IsRejected(err)
	if !refused {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	now := t.now()
	maps.DeleteFunc(t.refused, func(_ string, at time.Time) bool { return now.Sub(at) >= refusedFor })
	t.refused[key] = now
}

func (t *Trail) remember(key string, a answer) {
	t.mu.Lock()
	defer t.mu.Unlock()
	maps.DeleteFunc(t.answers, func(_ string, old answer) bool { return a.at.Sub(old.at) >= remembered })
	t.answers[key] = a
}
