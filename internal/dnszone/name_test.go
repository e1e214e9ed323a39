// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package dnszone

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/provider-cloudflare/provider-cloudflare/internal/dnsrecord"
)

// nameless returns a fake whose credential may not read the zone. It appends the zone's
// name to names that do not end in it, as the API does.
func nameless(records ...dnsrecord.Live) *fake {
	f := newFake(records...)
	f.hook(f.before, "zone", func(context.Context) error { return refused(403, 10000) })
	f.judge = func(body map[string]any) error {
		if name, _ := body["name"].(string); !dnsrecord.InZone(name, "example.com") {
			body["name"] = name + ".example.com"
		}
		return nil
	}
	return f
}

// unnamed returns a desired A record in a zone whose name is not known.
func unnamed(t *testing.T, name, content string) dnsrecord.Record {
	t.Helper()
	r, err := dnsrecord.Parse("", dnsrecord.Input{Name: name, Type: "A", Content: &content})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func nameOf(t *testing.T, z *Zone) string {
	t.Helper()
	name, err := z.Name(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return name
}

func TestNameIsLearnedFromTheAnswerToACreation(t *testing.T) {
	tests := []struct {
		reason string
		name   string
		has    []dnsrecord.Live
		want   string
	}{
		{"what the API appends is the zone's name", "a.b", nil, "example.com"},
		{"the records agree", "a.b", []dnsrecord.Live{a(1, "www", "192.0.2.9")}, "example.com"},
		{"nothing was appended", "www.example.com", nil, ""},
	}
	for _, tc := range tests {
		t.Run(tc.reason, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				z := zoneOf(nameless(tc.has...))
				if err := z.lists.Refresh(t.Context()); err != nil {
					t.Fatal(err)
				}
				made, err := z.Apply(t.Context(), Create(unnamed(t, tc.name, "192.0.2.1")))
				if err != nil {
					t.Fatal(err)
				}
				if got := nameOf(t, z); got != tc.want {
					t.Errorf("%s: the zone is named %q after %s was made of %s, want %q", tc.reason, got, made.Record.Name, tc.name, tc.want)
				}
			})
		})
	}
}

// TestNameIsNotLearnedAgainstTheRecords has an answer, single or of a batch, claim
// another zone name than the records show. Such an answer does not count as the answer to
// the creation.
func TestNameIsNotLearnedAgainstTheRecords(t *testing.T) {
	for _, batch := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			f := nameless(a(1, "www", "192.0.2.9"))
			f.judge = func(body map[string]any) error {
				if body["name"] == "a.b" {
					body["name"] = "a.b.dev.example.com"
				}
				return nil
			}
			z := zoneOf(f)
			if err := z.lists.Refresh(t.Context()); err != nil {
				t.Fatal(err)
			}
			group := []*pendingWrite{{op: Create(unnamed(t, "a.b", "192.0.2.1")), done: make(chan outcome, 1)}}
			if batch {
				group = append(group, &pendingWrite{op: Create(wantA(t, "c", "192.0.2.3")), done: make(chan outcome, 1)})
			}
			carryOut(z, group)
			var unsettled *OutcomeUnknownError
			if o := <-group[0].done; !errors.As(o.err, &unsettled) {
				t.Errorf("batch %t: the creation came to %+v, want an error that leaves it open", batch, o)
			}
			if got := nameOf(t, z); got != "" {
				t.Errorf("batch %t: the zone is named %q", batch, got)
			}
		})
	}
}

// TestInferredNameIsDroppedWhenARecordContradictsIt has a wrong first answer.
func TestInferredNameIsDroppedWhenARecordContradictsIt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := nameless()
		f.judge = func(body map[string]any) error {
			body["name"] = "a.b.dev.example.com"
			return nil
		}
		z := zoneOf(f)
		if _, err := z.Apply(t.Context(), Create(unnamed(t, "a.b", "192.0.2.1"))); err != nil {
			t.Fatal(err)
		}
		if got := nameOf(t, z); got != "dev.example.com" {
			t.Fatalf("the zone is named %q", got)
		}
		f.set(a(1, "www", "192.0.2.9"))
		if err := z.lists.Refresh(t.Context()); err != nil {
			t.Fatal(err)
		}
		if got := nameOf(t, z); got != "" {
			t.Errorf("the zone is still named %q, with www.example.com in it", got)
		}
	})
}

func TestCommonNameOfRecords(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := nameless()
		z := zoneOf(f)
		common := func(reason, want string) {
			t.Helper()
			got, err := z.CommonName(t.Context())
			if err != nil || got != want {
				t.Errorf("%s: got %q, %v, want %q", reason, got, err, want)
			}
		}
		common("no records", "")
		if _, err := z.Apply(t.Context(), Create(wantA(t, "a.dev", "192.0.2.1"))); err != nil {
			t.Fatal(err)
		}
		common("one that was just made", "a.dev.example.com")
		f.set(a(1, "b.dev", "192.0.2.2"))
		common("a list that is fresh does not show it", "a.dev.example.com")
		pass(2 * time.Minute)
		common("a new list does", "dev.example.com")
	})
}

// TestCreationIsFoundUnderTheNameWithTheZonesAppended loses the answer to a creation
// whose name the API took as relative.
func TestCreationIsFoundUnderTheNameWithTheZonesAppended(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := nameless()
		f.hook(f.after, "create", func(context.Context) error { return errLost })
		z := zoneOf(f)
		want := unnamed(t, "a.b", "192.0.2.1")
		made, err := z.Apply(t.Context(), Create(want))
		if err != nil || made.Record.Name != "a.b.example.com" {
			t.Errorf("the creation came to %q, %v", made.Record.Name, err)
		}
		if got := nameOf(t, z); got != "" {
			t.Errorf("the zone is named %q, by a list", got)
		}
		if found, err := z.FindCreated(t.Context(), want.Key(), time.Time{}); err != nil || found.Live.ID != made.Live.ID {
			t.Errorf("found %+v, %v", found.Live, err)
		}
		f.set(a(1, "www", "192.0.2.9"))
		f.set(a(2, "c.d.dev", "192.0.2.1"))
		if found, err := z.FindCreated(t.Context(), unnamed(t, "c.d", "192.0.2.1").Key(), time.Time{}); !errors.Is(err, ErrNotFound) {
			t.Errorf("found %+v, %v, which is another's record", found.Live, err)
		}
	})
}

// TestCallersThatLeave has the first of two callers leave, and checks that the call that
// they share goes on for the other.
func TestCallersThatLeave(t *testing.T) {
	asks := map[string]struct {
		call string
		ask  func(ctx context.Context, p *Pool, f *fake) (string, error)
		want string
	}{
		"Name": {call: "zone", want: "example.com", ask: func(ctx context.Context, p *Pool, f *fake) (string, error) {
			return p.Zone(f, testZone).Name(ctx)
		}},
		"ByName": {call: "zones", want: testZone, ask: func(ctx context.Context, p *Pool, f *fake) (string, error) {
			return p.ByName(ctx, f, "example.com", "")
		}},
	}
	for name, tc := range asks {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				f, g, p := newFake(), newGate(), NewPool(Options{})
				f.hook(f.before, tc.call, g.hold)
				type answer struct {
					value string
					err   error
				}
				begin := func(ctx context.Context) <-chan answer {
					out := make(chan answer, 1)
					go func() {
						v, err := tc.ask(ctx, p, f)
						out <- answer{v, err}
					}()
					synctest.Wait()
					return out
				}
				ctx, cancel := context.WithCancel(t.Context())
				first := begin(ctx)
				second := begin(t.Context())
				cancel()
				if a := <-first; !errors.Is(a.err, context.Canceled) {
					t.Errorf("the first caller, which left, got %+v", a)
				}
				close(g.open)
				if a := <-second; a.err != nil || a.value != tc.want {
					t.Errorf("the second caller got %+v, want %q", a, tc.want)
				}
				if n := f.count(tc.call); n != 1 {
					t.Errorf("it took %d calls", n)
				}
			})
		})
	}
}

// TestSharedCallsEnd has an API that never answers.
func TestSharedCallsEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f, g := newFake(), newGate()
		f.hook(f.before, "zone", g.hold)
		f.hook(f.before, "zones", g.hold)
		p := NewPool(Options{CallTimeout: time.Minute})
		began := time.Now()
		for range 2 {
			if _, err := p.Zone(f, testZone).Name(t.Context()); !errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("reading the zone's name came to %v", err)
			}
			if _, err := p.ByName(t.Context(), f, "example.com", ""); !errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("looking up the zone came to %v", err)
			}
		}
		if took := time.Since(began); took != 4*time.Minute {
			t.Errorf("four calls took %v, want a minute each", took)
		}
	})
}
