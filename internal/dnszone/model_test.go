// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package dnszone

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"pgregory.net/rapid"

	"github.com/provider-cloudflare/provider-cloudflare/internal/cloudflare"
	"github.com/provider-cloudflare/provider-cloudflare/internal/dnsrecord"
	"github.com/provider-cloudflare/provider-cloudflare/internal/parent"
	"github.com/provider-cloudflare/provider-cloudflare/test/simulator"
)

// simulated sends calls to a simulator without a network, so that the clock of a bubble
// can advance.
type simulated struct{ s *simulator.Server }

func (t simulated) RoundTrip(r *http.Request) (resp *http.Response, err error) {
	defer func() {
		switch r := recover(); r {
		case nil:
		case http.ErrAbortHandler:
			resp, err = nil, io.ErrUnexpectedEOF // The connection was reset.
		default:
			panic(r)
		}
	}()
	served := r.Clone(r.Context())
	if served.Body == nil {
		served.Body = http.NoBody // A server always has a body.
	}
	w := httptest.NewRecorder()
	t.s.ServeHTTP(w, served)
	if err := r.Context().Err(); err != nil {
		return nil, err
	}
	return w.Result(), nil
}

// An owner is what a controller knows of one record: what is wanted, and what it
// persisted. One reconcile at a time uses it.
type owner struct {
	name string

	mu      sync.Mutex
	want    string // content; "" means that there should be no record
	id      string
	pending *dnsrecord.Key
	busy    bool
}

// model is a zone with owners, foreign records, and a simulator that fails in every way
// that it can.
type model struct {
	s       *simulator.Server
	zone    simulator.Zone
	pool    *Pool
	client  *cloudflare.Client
	owners  []*owner
	foreign map[string]string // content of the records that no owner has, by ID
	edits   int
}

func newModel(t *rapid.T) *model {
	s := simulator.New(simulator.Options{Seed: rapid.Uint64().Draw(t, "seed"), RateLimit: simulator.RateLimit{Requests: -1}, MaxPerPage: 5000})
	account := s.AddAccount("Example Inc")
	zone, err := s.AddZone(account.ID, "example.com", simulator.ZoneOptions{Plan: simulator.PlanPro})
	if err != nil {
		t.Fatal(err)
	}
	token := s.AddToken(simulator.TokenOptions{Grants: []simulator.Grant{{Zone: zone.ID, Permission: simulator.DNSWrite}, {Zone: zone.ID, Permission: simulator.ZoneRead}}})
	cred, err := cloudflare.ParseCredential([]byte(token))
	if err != nil {
		t.Fatal(err)
	}
	m := &model{
		s: s, zone: zone, foreign: map[string]string{}, pool: NewPool(Options{MaxBatch: rapid.SampledFrom([]int{0, 1, 3}).Draw(t, "cap")}),
		client: cloudflare.New(cred, cloudflare.Options{BaseURL: "http://sim" + simulator.BasePath, Transport: simulated{s}}),
	}
	m.client.SetBudget(1_000_000)
	for i := range 5 {
		m.owners = append(m.owners, &owner{name: fmt.Sprint("own", i)})
	}
	for i := range 3 {
		r, err := s.CreateRecord(zone.ID, map[string]any{"type": "A", "name": fmt.Sprint("foreign", i), "content": "203.0.113.7", "ttl": 60})
		if err != nil {
			t.Fatal(err)
		}
		m.foreign[r.ID] = r.Content
	}
	return m
}

func (m *model) z() *Zone { return m.pool.Zone(m.client, m.zone.ID) }

func (o *owner) record(content string) dnsrecord.Record {
	r, err := dnsrecord.Parse("example.com", dnsrecord.Input{Name: o.name, Type: "A", Content: &content})
	if err != nil {
		panic(err)
	}
	return r
}

// reconcile does for an owner what a controller does. After an error the caller has to
// call it again.
func (m *model) reconcile(o *owner) error {
	z := m.z()
	defer z.Enter()()
	ctx, cancel := context.WithTimeout(context.Background(), 3*time.Minute)
	defer cancel()
	o.mu.Lock()
	want := o.want
	o.mu.Unlock()
	live, err := m.locate(ctx, z, o, want)
	switch {
	case errors.Is(err, ErrNotFound) && want == "":
		o.id, o.pending = "", nil
		return nil
	case errors.Is(err, ErrNotFound):
		return m.create(ctx, z, o, want)
	case err != nil:
		return err
	case want == "":
		_, err = z.Apply(ctx, Delete(live))
		return errors.Join(errLeft, err)
	case !dnsrecord.Equal(o.record(want), live.Record):
		_, err = z.Apply(ctx, Update(live, o.record(want)))
	}
	return err
}

// errLeft says that a deletion is not over until a look finds no record.
var errLeft = errors.New("to be deleted")

func (m *model) locate(ctx context.Context, z *Zone, o *owner, want string) (Entry, error) {
	if o.id != "" {
		if e, err := z.Get(ctx, o.id); !errors.Is(err, ErrNotFound) {
			return e, err
		}
	}
	q := Query{Guarded: true}
	switch {
	case o.pending != nil:
		q = Query{Key: *o.pending}
	case want == "":
		return Entry{}, ErrNotFound
	default:
		q.Key = o.record(want).Key()
	}
	found, err := z.Find(ctx, q)
	if err != nil {
		return Entry{}, err
	}
	for _, e := range found {
		if e.Record.Key() == q.Key {
			o.id, o.pending = e.Live.ID, nil
			return e, nil
		}
	}
	return Entry{}, ErrNotFound
}

func (m *model) create(ctx context.Context, z *Zone, o *owner, want string) error {
	r := o.record(want)
	key, tried := r.Key(), o.pending != nil
	o.id, o.pending = "", &key
	made, err := z.Apply(ctx, Create(r))
	if err == nil {
		o.id, o.pending = made.Live.ID, nil
	}
	if err != nil && !tried && !cloudflare.IsAmbiguous(err) && !errors.As(err, new(*OutcomeUnknownError)) {
		o.pending = nil // It is certain that no record was made.
	}
	return err
}

// start begins a reconcile of o unless one is under way.
func (m *model) start(o *owner) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.busy {
		return
	}
	o.busy = true
	go func() {
		_ = m.reconcile(o)
		o.mu.Lock()
		defer o.mu.Unlock()
		o.busy = false
	}()
}

func (m *model) someOwner(t *rapid.T) *owner {
	return m.owners[rapid.IntRange(0, len(m.owners)-1).Draw(t, "owner")]
}

// behind changes the record of an owner that is not at work.
func (m *model) behind(t *rapid.T, do func(id string)) {
	o := m.someOwner(t)
	o.mu.Lock()
	defer o.mu.Unlock()
	if !o.busy && o.id != "" {
		do(o.id)
	}
}

// failing returns the ways in which the simulator fails. Refusals that a controller has
// to report (403 of young zones, throttles) are among them.
func failing() []simulator.FaultKind {
	return []simulator.FaultKind{
		simulator.FaultHTML502, simulator.Fault500AfterCommit, simulator.FaultThrottle, simulator.FaultThrottleBare, simulator.FaultFalseSuccess,
		simulator.FaultErrorChain, simulator.FaultYoungZone, simulator.FaultStaleList, simulator.FaultSlow, simulator.FaultSlowBefore,
		simulator.FaultResetBefore, simulator.FaultResetAfter, simulator.FaultUnknownFields,
	}
}

func (m *model) actions() map[string]func(*rapid.T) {
	return map[string]func(*rapid.T){
		"want": func(t *rapid.T) {
			o := m.someOwner(t)
			o.mu.Lock()
			defer o.mu.Unlock()
			m.edits++
			o.want = fmt.Sprintf("198.51.100.%d", m.edits%250+1)
		},
		"want none": func(t *rapid.T) {
			o := m.someOwner(t)
			o.mu.Lock()
			defer o.mu.Unlock()
			o.want = ""
		},
		"reconcile all": func(*rapid.T) {
			for _, o := range m.owners {
				m.start(o)
			}
			synctest.Wait()
		},
		"reconcile": func(t *rapid.T) { m.start(m.someOwner(t)) },
		"time":      func(t *rapid.T) { pass(time.Duration(rapid.IntRange(1, 20_000).Draw(t, "ms")) * time.Millisecond) },
		"sweep":     func(*rapid.T) { go m.pool.Sweep(context.Background(), parent.Handler{OnChange: func(Change) {}}) },
		"fault": func(t *rapid.T) {
			m.s.AddFault(simulator.Fault{
				Kind: rapid.SampledFrom(failing()).Draw(t, "kind"), Times: rapid.IntRange(1, 4).Draw(t, "times"), Zone: m.zone.ID,
				Delay: time.Duration(rapid.IntRange(0, 100_000).Draw(t, "delay ms")) * time.Millisecond, RetryAfter: 3 * time.Second,
			})
		},
		"dashboard edits": func(t *rapid.T) {
			m.behind(t, func(id string) { _, _ = m.s.PatchRecord(m.zone.ID, id, map[string]any{"content": "192.0.2.66"}) })
		},
		"dashboard deletes": func(t *rapid.T) {
			m.behind(t, func(id string) { _ = m.s.DeleteRecord(m.zone.ID, id) })
		},
	}
}

// heal ends all faults, and reconciles every owner until nothing is left to do.
func (m *model) heal(t *rapid.T) {
	m.s.ClearFaults()
	pass(10 * time.Minute) // Pauses and slow calls end, and so do the waits for them.
	var left error
	for range 20 {
		m.pool.Sweep(context.Background(), parent.Handler{OnChange: func(Change) {}})
		left = nil
		for _, o := range m.owners {
			left = errors.Join(left, m.reconcile(o))
		}
		if left == nil {
			return
		}
	}
	t.Fatalf("owners that are never done: %v", left)
}

// check compares Cloudflare with what is wanted: every record once, and no other record.
func (m *model) check(t *rapid.T) {
	got := map[string][]string{}
	for _, r := range m.s.Records(m.zone.ID) {
		if content, ok := m.foreign[r.ID]; ok {
			if r.Content != content {
				t.Errorf("foreign record %s was changed to %s", r.Name, r.Content)
			}
			delete(m.foreign, r.ID)
			continue
		}
		got[r.Name] = append(got[r.Name], r.Content)
	}
	if len(m.foreign) > 0 {
		t.Errorf("foreign records were deleted: %v", m.foreign)
	}
	want := map[string][]string{}
	for _, o := range m.owners {
		if o.want != "" {
			want[o.name+".example.com"] = []string{o.want}
		}
	}
	if !maps.EqualFunc(want, got, slices.Equal) {
		t.Errorf("Cloudflare has %v, wanted is %v", got, want)
	}
}

// bubble runs f in a bubble of its own. It passes on a panic of f, because rapid ends a
// case by a panic.
func bubble(t *testing.T, f func()) {
	t.Helper()
	var panicked any
	synctest.Test(t, func(*testing.T) {
		defer func() { panicked = recover() }()
		f()
	})
	if panicked != nil {
		panic(panicked)
	}
}

func TestWhateverFailsTheZoneEndsAsDesired(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		bubble(t, func() {
			defer pass(2 * time.Minute) // The timers of HTTP clients end.
			m := newModel(rt)
			rt.Repeat(m.actions())
			m.heal(rt)
			m.check(rt)
		})
	})
}
