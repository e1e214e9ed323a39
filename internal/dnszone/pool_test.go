// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package dnszone

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/provider-cloudflare/provider-cloudflare/internal/cloudflare"
	"github.com/provider-cloudflare/provider-cloudflare/internal/parent"
)

func TestPoolIsKeyedByCredentialAndZone(t *testing.T) {
	p := NewPool(Options{})
	one, same, other := newFake(), newFake(), newFake()
	other.fingerprint = "other"
	z := p.Zone(one, testZone)
	if p.Zone(same, testZone) != z {
		t.Error("one credential and zone make two Zones")
	}
	if p.Zone(other, testZone) == z {
		t.Error("two credentials share a Zone")
	}
	if p.Zone(one, id(7)) == z {
		t.Error("two zones share a Zone")
	}
}

// sweep sweeps once, and returns what was reported.
func sweep(t *testing.T, p *Pool) []Change {
	t.Helper()
	var reported []Change
	p.Sweep(t.Context(), parent.Handler{OnChange: func(c Change) { reported = append(reported, c) }})
	return reported
}

func TestSweepTellsWhatOthersDid(t *testing.T) {
	tests := []struct {
		reason    string
		meanwhile func(t *testing.T, f *fake, z *Zone)
		want      []string
	}{
		{"nothing", func(*testing.T, *fake, *Zone) {}, nil},
		{"changed", func(_ *testing.T, f *fake, _ *Zone) { f.set(a(1, "a", "192.0.2.66")) }, []string{id(1)}},
		{"a comment is a change too", func(_ *testing.T, f *fake, _ *Zone) {
			l, why := a(1, "a", "192.0.2.1"), "mine"
			l.Comment = &why
			f.set(l)
		}, []string{id(1)}},
		{"gone", func(_ *testing.T, f *fake, _ *Zone) { f.remove(id(2)) }, []string{id(2)}},
		{"new", func(_ *testing.T, f *fake, _ *Zone) { f.set(a(9, "n", "192.0.2.9")) }, []string{id(9)}},
		{"all at once, in order", func(_ *testing.T, f *fake, _ *Zone) {
			f.set(a(9, "n", "192.0.2.9"))
			f.remove(id(2))
			f.set(a(1, "a", "192.0.2.66"))
		}, []string{id(1), id(2), id(9)}},
		{"our own writes are no news", func(t *testing.T, _ *fake, z *Zone) {
			for _, op := range []Op{
				Create(wantA(t, "n", "192.0.2.9")),
				Update(mustGet(t, z, id(1)), wantA(t, "a", "192.0.2.9")),
				Delete(mustGet(t, z, id(2))),
			} {
				if _, err := z.Apply(t.Context(), op); err != nil {
					t.Fatal(err)
				}
			}
		}, nil},
		{"undone after our write", func(t *testing.T, f *fake, z *Zone) {
			if _, err := z.Apply(t.Context(), Update(mustGet(t, z, id(1)), wantA(t, "a", "192.0.2.9"))); err != nil {
				t.Fatal(err)
			}
			f.set(a(1, "a", "192.0.2.1"))
		}, []string{id(1)}},
		{"seen first by a list that some caller needed", func(t *testing.T, f *fake, z *Zone) {
			f.set(a(1, "a", "192.0.2.66"))
			f.remove(id(2))
			find(t, z, query(t, "absent", "192.0.2.1"))
		}, []string{id(1), id(2)}},
	}
	for _, tc := range tests {
		t.Run(tc.reason, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				f := newFake(a(1, "a", "192.0.2.1"), a(2, "b", "192.0.2.2"), a(3, "c", "192.0.2.3"))
				p := NewPool(Options{})
				z := p.Zone(f, testZone)
				if reported := sweep(t, p); reported != nil {
					t.Errorf("%s: the first list reported %v", tc.reason, reported)
				}
				tc.meanwhile(t, f, z)
				var want []Change
				if tc.want != nil {
					want = []Change{{Key: testZone, IDs: tc.want}}
				}
				if diff := cmp.Diff(want, sweep(t, p)); diff != "" {
					t.Errorf("%s: reported (-want +got):\n%s", tc.reason, diff)
				}
				if reported := sweep(t, p); reported != nil {
					t.Errorf("%s: reported again: %v", tc.reason, reported)
				}
			})
		})
	}
}

func TestSweepTellsOfFailuresAndGoesOn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		bad, good := newFake(), newFake(a(1, "a", "192.0.2.1"))
		bad.fingerprint = "bad"
		p := NewPool(Options{})
		p.Zone(bad, testZone)
		p.Zone(good, testZone)
		sweep(t, p)
		down := refused(502, 0)
		bad.hook(bad.before, "list", func(context.Context) error { return down })
		good.remove(id(1))
		want := []Change{{Key: testZone, Err: down}, {Key: testZone, IDs: []string{id(1)}}}
		got := sweep(t, p)
		if len(got) == 2 && got[0].Err == nil {
			got[0], got[1] = got[1], got[0] // Zones are reported in any order.
		}
		if diff := cmp.Diff(want, got, cmpopts.EquateErrors()); diff != "" {
			t.Errorf("reported (-want +got):\n%s", diff)
		}
	})
}

func TestASlowZoneHoldsUpNoOther(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p, g := NewPool(Options{}), newGate()
		var fast []*fake
		for n := range 20 {
			f := newFake(a(1, "a", "192.0.2.1"))
			f.fingerprint = id(n)
			p.Zone(f, testZone)
			fast = append(fast, f)
		}
		slow := newFake()
		slow.fingerprint = "slow"
		p.Zone(slow, testZone)
		sweep(t, p)
		for _, f := range fast {
			f.remove(id(1))
		}
		slow.hook(slow.before, "list", g.hold)
		reported, telling := 0, false
		ended := make(chan struct{})
		go func() {
			p.Sweep(t.Context(), parent.Handler{OnChange: func(Change) {
				if telling {
					t.Error("two changes are reported at once")
				}
				telling = true
				reported++
				telling = false
			}})
			close(ended)
		}()
		synctest.Wait()
		if reported != len(fast) {
			t.Errorf("%d of %d zones were reported while one was slow", reported, len(fast))
		}
		close(g.open)
		<-ended
	})
}

func TestZonesOfARevokedCredentialAreForgotten(t *testing.T) {
	tests := []struct {
		reason   string
		err      error
		seen     bool
		reported int
		kept     bool
		// asked is true if the snapshot does not answer any more.
		asked bool
	}{
		{"the API does not know the token any more", refused(401, 1000), true, 1, false, true},
		{"it never did: to name a zone wakes nobody who is in it", refused(401, 1000), false, 0, false, true},
		{"where tokens are not verified, the API says so with the code of a permission", refused(403, 9109), true, 1, true, true},
		{"of a zone that was never seen", refused(403, 9109), false, 0, true, true},
		{"a missing permission may come back, and until then nobody can look", refused(403, 10000), true, 1, true, true},
		{"a permission that was never there", refused(403, 10000), false, 1, true, true},
		{"the API is down", refused(503, 0), true, 1, true, false},
		{"a throttle", refused(429, 971), true, 1, true, false},
	}
	for _, tc := range tests {
		t.Run(tc.reason, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				f := newFake()
				p := NewPool(Options{})
				z := p.Zone(f, testZone)
				if tc.seen {
					sweep(t, p)
				}
				f.hook(f.before, "list", func(context.Context) error { return tc.err })
				if reported := sweep(t, p); len(reported) != tc.reported || (tc.reported > 0 && !errors.Is(reported[0].Err, tc.err)) {
					t.Errorf("%s: reported %v, want the failure %d times", tc.reason, reported, tc.reported)
				}
				if kept := p.Zone(f, testZone) == z; kept != tc.kept {
					t.Errorf("%s: the zone is kept: %t, want %t", tc.reason, kept, tc.kept)
				}
				if _, err := p.Zone(f, testZone).Find(t.Context(), Query{Key: query(t, "a", "192.0.2.1").Key, Guarded: true}); (err != nil) != tc.asked {
					t.Errorf("%s: the snapshot was asked, and gives %v", tc.reason, err)
				}
				if reported := sweep(t, p); tc.asked && tc.seen && len(reported) > 0 {
					t.Errorf("%s: reported again: %v", tc.reason, reported)
				}
			})
		})
	}
}

func TestAFailedSweepForgetsNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFake(a(1, "a", "192.0.2.1"))
		p := NewPool(Options{})
		z := p.Zone(f, testZone)
		sweep(t, p)
		f.remove(id(1))
		find(t, z, query(t, "absent", "192.0.2.1"))
		f.hook(f.before, "list", func(context.Context) error { return refused(502, 0) })
		if reported := sweep(t, p); len(reported) != 1 || reported[0].Err == nil || reported[0].IDs != nil {
			t.Errorf("reported %v, want the failure alone", reported)
		}
		f.hook(f.before, "list", nil)
		pass(time.Minute)
		if reported := sweep(t, p); len(reported) != 1 || reported[0].IDs[0] != id(1) {
			t.Errorf("reported %v, want what was seen before the failure", reported)
		}
	})
}

func TestRunSweepsOnceAnIntervalUntilItsEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFake(a(1, "a", "192.0.2.1"))
		p := NewPool(Options{Interval: 10 * time.Second})
		p.Zone(f, testZone)
		ctx, cancel := context.WithCancel(t.Context())
		reported := make(chan Change, 10)
		ended := make(chan struct{})
		go func() {
			p.Run(ctx, parent.Handler{OnChange: func(c Change) { reported <- c }})
			close(ended)
		}()
		pass(10*time.Second + time.Millisecond)
		synctest.Wait()
		f.remove(id(1))
		start := time.Now()
		if c := <-reported; c.IDs[0] != id(1) || time.Since(start) > 10*time.Second {
			t.Errorf("reported %v after %v, want the change within an interval", c, time.Since(start))
		}
		pass(50 * time.Second)
		synctest.Wait()
		if n := f.count("list"); n != 7 {
			t.Errorf("%d lists in 70 s, want 7", n)
		}
		cancel()
		<-ended
	})
}

func TestSweepEndsWithItsContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f, g := newFake(), newGate()
		f.hook(f.before, "list", g.hold)
		p := NewPool(Options{})
		p.Zone(f, testZone)
		ctx, cancel := context.WithCancel(t.Context())
		reported := 0
		ended := make(chan struct{})
		go func() {
			p.Sweep(ctx, parent.Handler{OnChange: func(Change) { reported++ }})
			close(ended)
		}()
		<-g.entered
		cancel()
		<-ended
		if reported != 0 {
			t.Error("the end of the process is no failure of a zone")
		}
		close(g.open)
	})
}

func TestIdleZonesAreForgotten(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFake(a(1, "a", "192.0.2.1"))
		p := NewPool(Options{})
		z := p.Zone(f, testZone)
		pass(time.Hour)
		mustGet(t, z, id(1))
		pass(2 * time.Hour)
		sweep(t, p)
		if n := f.count("list"); n != 2 {
			t.Errorf("%d lists, want a sweep two hours after the last question", n)
		}
		pass(time.Nanosecond)
		sweep(t, p)
		if n := f.count("list"); n != 2 {
			t.Errorf("%d lists, want no sweep of a zone nobody asks for", n)
		}
		if p.Zone(f, testZone) == z {
			t.Error("the idle zone is kept")
		}
	})
}

func TestByName(t *testing.T) {
	acme, other := cloudflare.Named{ID: id(1)}, cloudflare.Named{ID: id(2)}
	zones := []cloudflare.Zone{
		{ID: id(10), Name: "one.example", Account: acme},
		{ID: id(20), Name: "two.example", Account: acme},
		{ID: id(21), Name: "two.example", Account: other},
	}
	tests := []struct {
		reason, name, account string
		want                  string
		accounts              []string
		says                  string
	}{
		{"one zone", "one.example", "", id(10), nil, ""},
		{"the zone of an account", "two.example", other.ID, id(21), nil, ""},
		{"no such zone", "none.example", "", "", nil, "check the name and the token's zones"},
		{"not in that account", "one.example", other.ID, "", nil, "there is no zone"},
		{"several", "two.example", "", "", []string{acme.ID, other.ID}, "set zoneId, or accountId"},
	}
	for _, tc := range tests {
		t.Run(tc.reason, func(t *testing.T) {
			f := newFake()
			f.zones = zones
			got, err := NewPool(Options{}).ByName(t.Context(), f, tc.name, tc.account)
			if got != tc.want {
				t.Errorf("%s: got %q, want %q", tc.reason, got, tc.want)
			}
			if tc.want != "" {
				if err != nil {
					t.Errorf("%s: %v", tc.reason, err)
				}
				return
			}
			var e *NameError
			if !errors.As(err, &e) || e.Name != tc.name || !cmp.Equal(e.Accounts, tc.accounts) || !strings.Contains(err.Error(), tc.says) {
				t.Errorf("%s: got %v, want a *NameError with accounts %v that says %q", tc.reason, err, tc.accounts, tc.says)
			}
		})
	}
}

// TestByNameForgetsADeletedZone deletes a zone and makes it again, and checks that its name leads
// to the new one at once.
func TestByNameForgetsADeletedZone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFake()
		p := NewPool(Options{})
		f.zones = []cloudflare.Zone{{ID: testZone, Name: "example.com"}}
		if got, err := p.ByName(t.Context(), f, "example.com", ""); got != testZone || err != nil {
			t.Fatalf("got %q, %v", got, err)
		}
		p.ZoneDeleted(testZone)
		f.zones = []cloudflare.Zone{{ID: id(9), Name: "example.com"}}
		if got, err := p.ByName(t.Context(), f, "example.com", ""); got != id(9) || err != nil {
			t.Errorf("got %q, %v, want the zone that was made again", got, err)
		}
	})
}

// TestByNameForgetsAZoneThatIsDeletedMeanwhile deletes a zone while its name is looked up.
func TestByNameForgetsAZoneThatIsDeletedMeanwhile(t *testing.T) {
	f := newFake()
	p := NewPool(Options{})
	f.zones = []cloudflare.Zone{{ID: testZone, Name: "example.com"}}
	f.hook(f.after, "zones", func(context.Context) error { p.ZoneDeleted(testZone); return nil })
	var unknown *NameError
	if got, err := p.ByName(t.Context(), f, "example.com", ""); !errors.As(err, &unknown) {
		t.Errorf("got %q, %v, want that there is no such zone", got, err)
	}
	f.hook(f.after, "zones", nil)
	f.zones = append(f.zones, cloudflare.Zone{ID: id(9), Name: "example.com"}) // A list that is behind has both.
	if got, err := p.ByName(t.Context(), f, "example.com", ""); got != id(9) || err != nil {
		t.Errorf("got %q, %v, want the zone that was made again", got, err)
	}
}

func TestByNameRemembersWhatItFound(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f, other := newFake(), newFake()
		other.fingerprint, other.zones = "other", nil
		p := NewPool(Options{})
		ask := func() error {
			_, err := p.ByName(t.Context(), f, "example.com", "")
			return err
		}
		f.hook(f.before, "zones", func(context.Context) error { return refused(403, 10000) })
		if err := ask(); !cloudflare.IsForbidden(err) {
			t.Errorf("got %v, want the API's error", err)
		}
		if err := ask(); !cloudflare.IsForbidden(err) || f.count("zones") != 1 {
			t.Errorf("got %v with %d calls, want the same refusal without a call", err, f.count("zones"))
		}
		pass(parent.FirstPause)
		f.hook(f.before, "zones", nil)
		f.zones, f.calls["zones"] = nil, 0
		_ = ask()
		pass(2 * parent.FirstPause)
		f.zones = []cloudflare.Zone{{ID: testZone, Name: "example.com"}}
		for range 5 {
			if err := ask(); err != nil {
				t.Errorf("a failure was remembered: %v", err)
			}
		}
		if n := f.count("zones"); n != 2 {
			t.Errorf("%d calls, want 2: one that found nothing, one that found the zone", n)
		}
		if _, err := p.ByName(t.Context(), other, "example.com", ""); err == nil {
			t.Error("a credential got what another one found")
		}
		pass(90 * time.Second)
		if err := ask(); err != nil || f.count("zones") != 3 {
			t.Errorf("got %v with %d calls, want to look again after a while", err, f.count("zones"))
		}
	})
}

// TestLookUpsAreHeldInAnOutage has look-ups fail for a reason that is not in them, and checks
// that hundreds of Records that name their zone share the failures.
func TestLookUpsAreHeldInAnOutage(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f, p := newFake(), NewPool(Options{Interval: 10 * time.Second})
		f.hook(f.before, "zones", func(context.Context) error { return errLost })
		names := []string{"a.example", "b.example", "c.example"}
		for range 40 {
			for _, name := range names {
				for range 10 {
					if _, err := p.ByName(t.Context(), f, name, ""); err == nil {
						t.Fatal("a zone was found")
					}
				}
			}
			pass(250 * time.Millisecond)
		}
		// The first failure comes alone; then 1, 2, 4 and 5 seconds pass in between.
		if n, most := f.count("zones"), 5*len(names); n > most {
			t.Errorf("%d calls in ten seconds, want %d at most", n, most)
		}
		f.hook(f.before, "zones", nil)
		pass(time.Hour)
		_, _ = p.ByName(t.Context(), f, "other.example", "")
		if n := len(p.unnamed); n != 1 {
			t.Errorf("the failures of %d names are kept, want those of the last one only", n)
		}
	})
}

func TestOptionsDefaults(t *testing.T) {
	o := Options{Interval: 10 * time.Second}.withDefaults()
	if o.Fresh != 15*time.Second || o.Idle != 2*time.Hour || o.CallTimeout != 90*time.Second || o.PageSize != 5000 || o.Now == nil {
		t.Errorf("defaults are %+v", o)
	}
	if o := (Options{}).withDefaults(); o.Interval != time.Minute || o.Fresh != 90*time.Second {
		t.Errorf("defaults are %+v", o)
	}
}
