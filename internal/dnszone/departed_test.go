// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package dnszone

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/provider-cloudflare/provider-cloudflare/internal/cloudflare"
	"github.com/provider-cloudflare/provider-cloudflare/internal/dnsrecord"
	"github.com/provider-cloudflare/provider-cloudflare/internal/parent"
)

func TestThatOneRecordIsGoneProvesNothingOfAnother(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := twoRecords()
		z := listed(t, f)
		ops := []Op{Delete(mustGet(t, z, id(1))), Delete(mustGet(t, z, id(2)))}
		f.remove(id(1)) // The API will refuse the call for it.
		f.hook(f.after, "batch", func(context.Context) error { return errLost })
		results := together(t, z, ops...)
		if err := results[0].err; err != nil && !errors.Is(err, errLost) {
			t.Errorf("deletion of what is gone: %v", err) // The order of the two looks is open.
		}
		if !errors.Is(results[1].err, errLost) {
			t.Errorf("deletion of what is still there: %v, want the write's own error", results[1].err)
		}
		if e := mustGet(t, z, id(2)); e.Record.Content != "192.0.2.2" {
			t.Errorf("got %v, want the record that is still there", e.Live)
		}
	})
}

func TestNobodyWaitsForTheShareOfASweepThatWasJoined(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f, g := newFake(a(1, "a", "192.0.2.1")), newGate()
		p := NewPool(Options{})
		z := p.Zone(f, testZone)
		first := true
		f.hook(f.before, "list", func(ctx context.Context) error {
			if !cloudflare.IsSweep(ctx) || !first {
				return nil
			}
			first = false
			_ = g.hold(ctx)
			return throttled(5 * time.Minute)
		})
		go p.Sweep(t.Context(), parent.Handler{OnChange: func(Change) {}})
		<-g.entered
		start, done := time.Now(), make(chan error)
		go func() {
			_, err := z.Get(t.Context(), id(1))
			done <- err
		}()
		synctest.Wait() // The caller has joined the sweep's list.
		close(g.open)
		if err := <-done; err != nil || time.Since(start) != 0 {
			t.Errorf("%v after %v, want an answer at once", err, time.Since(start))
		}
		_ = p.Drain(t.Context())
	})
}

func TestAnUpdateThatLandsAfterItsCallerLeftIsReported(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f, g := newFake(a(1, "a", "192.0.2.1")), newGate()
		p := NewPool(Options{})
		z := p.Zone(f, testZone)
		sweep(t, p)
		f.hook(f.before, "patch", g.hold)
		live := mustGet(t, z, id(1))
		ctx, cancel := context.WithCancel(t.Context())
		left := make(chan error)
		go func() {
			_, err := z.Apply(ctx, Update(live, wantA(t, "a", "192.0.2.2")))
			left <- err
		}()
		<-g.entered
		cancel()
		<-left
		close(g.open)
		synctest.Wait()
		if reported := sweep(t, p); len(reported) != 1 || reported[0].IDs[0] != id(1) {
			t.Errorf("reported %v, want the record that nobody has seen change", reported)
		}
	})
}

func TestWhatNobodyWaitsForAnyMoreIsNotSent(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f, g := newFake(), newGate()
		f.bad = map[string]bool{"192.0.2.66": true}
		p := NewPool(Options{})
		z := p.Zone(f, testZone)
		calls := 0
		f.hook(f.before, "batch", func(ctx context.Context) error {
			calls++
			if calls == 2 {
				return g.hold(ctx)
			}
			return nil
		})
		ops := creates(t, 8)
		ops[0].want.Content = "192.0.2.66"
		ctx, cancel := context.WithCancel(t.Context())
		errs := make(chan error, len(ops))
		z.writer.active = true // All come while a call is under way.
		for _, op := range ops {
			go func() {
				_, err := z.Apply(ctx, op)
				errs <- err
			}()
			synctest.Wait() // The bad one comes first.
		}
		z.sending.Begin()
		go z.writer.run()
		<-g.entered // The first half of the refused group is under way.
		cancel()
		for range ops {
			<-errs
		}
		close(g.open)
		if err := p.Drain(t.Context()); err != nil {
			t.Fatal(err)
		}
		if n := f.count("batch") + f.count("create"); n != 2 || len(f.records) != 0 {
			t.Errorf("%d calls and %d records, want no call after everybody has left", n, len(f.records))
		}
	})
}

func TestBatchesInAZoneWhoseNameIsNotKnown(t *testing.T) {
	// Without the zone's name "a.sub" looks fully qualified.
	unqualified := func(name string) dnsrecord.Record {
		content := "192.0.2.1"
		r, err := dnsrecord.Parse("", dnsrecord.Input{Name: name, Type: "A", Content: &content})
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	answer := batchAnswer{}
	group := []Op{Create(unqualified("a.sub")), Create(unqualified("b.sub"))}
	for n, name := range []string{"a.sub", "b.sub"} {
		answer.Posts = append(answer.Posts, a(n, name, "192.0.2.1"))
	}
	if !zoneOf(newFake()).fits(answer, group) {
		t.Errorf("%v is no answer to creations of a.sub and b.sub", answer.Posts)
	}
	answer.Posts[0].Name = "a.subexample.com"
	if zoneOf(newFake()).fits(answer, group) {
		t.Error(fmt.Sprint("another name is taken for the answer: ", answer.Posts[0].Name))
	}
}
