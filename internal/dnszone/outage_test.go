// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package dnszone

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/provider-cloudflare/provider-cloudflare/internal/cloudflare"
	"github.com/provider-cloudflare/provider-cloudflare/internal/parent"
	"github.com/provider-cloudflare/provider-cloudflare/test/simulator"
)

// An outage is a model whose owners are reconciled as a controller does it: by 64 workers, and after a failure again
// with the work queue's back-off.
type outage struct {
	*model

	workers chan struct{}
	wake    map[*owner]chan struct{}
	over    sync.WaitGroup
}

const (
	outageOwners  = 200
	firstBackOff  = time.Second
	lastBackOff   = time.Minute
	outageMinutes = 5
)

func newOutage(t *testing.T, ctx context.Context) *outage {
	t.Helper()
	s := simulator.New(simulator.Options{})
	account := s.AddAccount("Example Inc")
	zone, err := s.AddZone(account.ID, "example.com", simulator.ZoneOptions{Plan: simulator.PlanPro})
	if err != nil {
		t.Fatal(err)
	}
	token := s.AddToken(simulator.TokenOptions{Grants: []simulator.Grant{{Zone: zone.ID, Permission: simulator.DNSWrite}, {Zone: zone.ID, Permission: simulator.ZoneRead}}})
	m := &model{
		s: s, zone: zone, foreign: map[string]string{}, pool: NewPool(Options{}),
		client: cloudflare.New(cloudflare.NewToken(token), cloudflare.Options{BaseURL: "http://sim" + simulator.BasePath, Transport: simulated{s}}),
	}
	r, err := s.CreateRecord(zone.ID, map[string]any{"type": "A", "name": "foreign", "content": "203.0.113.7", "ttl": 60})
	if err != nil {
		t.Fatal(err)
	}
	m.foreign[r.ID] = r.Content
	o := &outage{model: m, workers: make(chan struct{}, 64), wake: map[*owner]chan struct{}{}}
	for i := range outageOwners {
		own := &owner{name: fmt.Sprint("own", i)}
		m.owners = append(m.owners, own)
		o.wake[own] = make(chan struct{}, 1)
	}
	for _, own := range m.owners {
		o.over.Go(func() { o.control(ctx, own) })
	}
	o.over.Go(func() { m.pool.Run(ctx, parent.Handler{OnChange: func(Change) {}}) })
	return o
}

// control reconciles one owner after each edit and each failure. After a failure it waits as a reconciler does: as
// long as the error asks for, or else for a pause that grows.
func (o *outage) control(ctx context.Context, own *owner) {
	backOff := firstBackOff
	again := make(<-chan time.Time)
	for {
		select {
		case <-ctx.Done():
			return
		case <-o.wake[own]:
		case <-again:
		}
		o.workers <- struct{}{}
		err := o.reconcile(own)
		<-o.workers
		again = nil
		asked := cloudflare.RetryAfter(err)
		switch {
		case err == nil:
			backOff = firstBackOff
		case asked > 0:
			again = time.After(asked)
		default:
			again = time.After(backOff)
			backOff = min(2*backOff, lastBackOff)
		}
	}
}

// edit sets a new desired state for all owners. In the second round it deletes the first quarter; in the third it
// creates it again.
func (o *outage) edit(round int) {
	for i, own := range o.owners {
		own.mu.Lock()
		own.want = fmt.Sprintf("198.51.%d.%d", round, i+1)
		if round == 2 && i < len(o.owners)/4 {
			own.want = ""
		}
		own.mu.Unlock()
		select {
		case o.wake[own] <- struct{}{}:
		default:
		}
	}
}

// unsettled returns how many records differ from what is wanted.
func (o *outage) unsettled() int {
	live := map[string]string{}
	for _, r := range o.s.Records(o.zone.ID) {
		live[r.Name] = r.Content
	}
	n := 0
	for _, own := range o.owners {
		own.mu.Lock()
		if live[own.name+".example.com"] != own.want {
			n++
		}
		own.mu.Unlock()
	}
	return n
}

// These constants are what an outage may cost in a minute, regardless of the number of objects. Each kind of call is
// held for half an interval once it failed a few times: two lists, two writes with a list each to settle them, two
// GETs and two questions for the zone's name. A sweep adds a list. A list that does not add up takes three calls. If
// writes are carried out and their answers lost, each creation and deletion with an open outcome may be looked for by
// a call of its own, once in a last back-off.
const (
	open           = outageOwners / 4
	listsAMinute   = 2 + 1
	mostCalls      = 3*listsAMinute + 2*(1+1) + 2 + 2
	mostWithOpen   = mostCalls + open
	mostAtFirst    = outageOwners + listsAMinute // The holds still grow, and each write is looked for by itself.
	longestHealing = 2 * time.Minute
)

func outages() []simulator.Fault {
	return []simulator.Fault{
		{Kind: simulator.FaultHTML502},
		{Kind: simulator.Fault500AfterCommit},
		{Kind: simulator.FaultYoungZone},
		{Kind: simulator.FaultThrottle, RetryAfter: time.Minute},
		{Kind: simulator.FaultThrottle},
		{Kind: simulator.FaultThrottleBare},
		{Kind: simulator.FaultSlowBefore, Delay: time.Hour},
		{Kind: simulator.FaultSlow, Delay: time.Hour},
		{Kind: simulator.FaultResetBefore},
		{Kind: simulator.FaultResetAfter},
		{Kind: simulator.FaultHTML200},
		{Kind: simulator.FaultNullResult},
		{Kind: simulator.FaultNoIDs},
		{Kind: simulator.FaultFalseSuccess},
		{Kind: simulator.FaultBareFailure},
		{Kind: simulator.FaultTruncated},
	}
}

// TestCallsPerMinuteInALastingOutage edits, deletes and creates 200 records while the API fails for five minutes, and
// counts the calls that reach it each minute.
func TestCallsPerMinuteInALastingOutage(t *testing.T) {
	scopes := []struct {
		what    string
		methods []string
	}{
		{"reads", []string{http.MethodGet}},
		{"writes", []string{http.MethodPost, http.MethodPatch, http.MethodDelete}},
		{"all", []string{""}},
	}
	for _, f := range outages() {
		for _, scope := range scopes {
			if scope.what == "all" && slices.Contains(simulator.GarbageKinds(), f.Kind) {
				continue // It shows the same as reads.
			}
			t.Run(fmt.Sprint(f.Kind, f.RetryAfter, " ", scope.what), func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) { lastingOutage(t, f, scope.methods) })
			})
		}
	}
}

func lastingOutage(t *testing.T, f simulator.Fault, methods []string) {
	ctx, cancel := context.WithCancel(t.Context())
	o := newOutage(t, ctx)
	defer o.over.Wait()
	defer pass(2 * time.Hour) // Slow calls end.
	defer cancel()
	o.edit(1)
	pass(2 * time.Minute)
	if n := o.unsettled(); n != 0 {
		t.Fatalf("%d records are not made before the outage", n)
	}
	for _, m := range methods {
		f.Times, f.Method = -1, m
		o.s.AddFault(f)
	}
	o.edit(2)
	var perMinute []int
	made := 0
	for minute := range outageMinutes {
		before := len(o.s.Requests())
		if minute == outageMinutes/2 {
			made = o.creations()
			o.edit(3)
		}
		pass(time.Minute)
		perMinute = append(perMinute, len(o.s.Requests())-before)
	}
	if n := o.creations() - made; slices.Equal(methods, []string{http.MethodGet}) && n > 0 {
		t.Errorf("%d creations were tried although nothing could be read", n)
	}
	o.s.ClearFaults()
	healed := time.Now()
	for o.unsettled() > 0 && time.Since(healed) < longestHealing {
		pass(time.Second)
	}
	t.Logf("calls a minute %v, healed after %s", perMinute, time.Since(healed))
	if n := o.unsettled(); n > 0 {
		t.Errorf("%d records are not as they should be %s after the end", n, longestHealing)
	}
	most := mostCalls
	if methods[0] != http.MethodGet {
		most = mostWithOpen
	}
	if perMinute[0] > mostAtFirst || slices.Max(perMinute[1:]) > most {
		t.Errorf("calls a minute: %v, want %d in the first and %d later at most", perMinute, mostAtFirst, most)
	}
	o.checkAll(t)
}

// creations returns the number of calls that create records.
func (o *outage) creations() int {
	n := 0
	for _, r := range o.s.Requests() {
		if r.Method == http.MethodPost && (!strings.HasSuffix(r.Path, "/batch") || strings.Contains(r.RequestBody, "posts")) {
			n++
		}
	}
	return n
}

// checkAll expects each record once, and no others except foreign ones.
func (o *outage) checkAll(t *testing.T) {
	t.Helper()
	want := len(o.foreign)
	for _, own := range o.owners {
		if own.want != "" {
			want++
		}
	}
	all := o.s.Records(o.zone.ID)
	if len(all) != want {
		t.Errorf("there are %d records, want %d", len(all), want)
	}
	for _, r := range all {
		if content, ok := o.foreign[r.ID]; ok && content != r.Content {
			t.Errorf("a foreign record became %s", r.Content)
		}
	}
}
