// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package dnszone

import (
	"context"
	"errors"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/provider-cloudflare/provider-cloudflare/internal/cloudflare"
	"github.com/provider-cloudflare/provider-cloudflare/internal/parent"
)

// TestReplaced checks that a zone counts as gone if two looks, a lag apart, show only the zone that was made again
// under its name, in its account.
func TestReplaced(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		reason string
		// zones are the zones that the API has, other than the one that may have taken the other's place.
		zones []cloudflare.Zone
		// place is the place of the earlier zone, as far as it is known.
		place  Place
		before func(f *fake, p *Pool)
		want   bool
	}{
		"MadeAgain":     {"the name is another zone's, of the same account", nil, Place{Name: "example.com", AccountID: "one"}, nil, true},
		"Unknown":       {"nobody knows where the earlier one was: it may be another account's", nil, Place{}, nil, false},
		"OtherName":     {"the earlier one has another name: it may be there, and hidden", nil, Place{Name: "example.org", AccountID: "one"}, nil, false},
		"OtherAccount":  {"the earlier one is in another account, which the credential does not see", nil, Place{Name: "example.com", AccountID: "two"}, nil, false},
		"BothThere":     {"the earlier one exists", []cloudflare.Zone{{ID: testZone, Name: "example.com"}}, Place{Name: "example.com", AccountID: "one"}, nil, false},
		"SeveralOfName": {"the name has several zones", []cloudflare.Zone{{ID: id(8), Name: "example.com", Account: cloudflare.Named{ID: "one"}}}, Place{Name: "example.com", AccountID: "one"}, nil, false},
		"NotReadable": {"the credential may not read zones", nil, Place{Name: "example.com", AccountID: "one"}, func(f *fake, _ *Pool) {
			f.hook(f.before, "zone", func(context.Context) error { return refused(403, 10000) })
		}, false},
		"Deleted":        {"the API confirmed the deletion to this process", nil, Place{Name: "example.com", AccountID: "one"}, func(_ *fake, p *Pool) { p.ZoneDeleted(testZone) }, true},
		"DeletedUnknown": {"what was deleted had another name, perhaps", nil, Place{}, func(_ *fake, p *Pool) { p.ZoneDeleted(testZone) }, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				f, p := newFake(), NewPool(Options{})
				f.zones = append(slices.Clone(tc.zones), cloudflare.Zone{ID: id(9), Name: "example.com", Account: cloudflare.Named{ID: "one"}})
				if tc.place.Name != "" {
					p.Seen(cloudflare.Zone{ID: testZone, Name: tc.place.Name, Account: cloudflare.Named{ID: tc.place.AccountID}})
				}
				if tc.before != nil {
					tc.before(f, p)
				}
				_, err := p.Replaced(t.Context(), f, testZone, Place{}, id(9))
				var disputed *parent.DisputedError
				if looksTwice := tc.want && name != "Deleted"; errors.As(err, &disputed) != looksTwice {
					t.Fatalf("%s: the first look ends with %v", tc.reason, err)
				}
				calls := f.count("zone")
				if _, again := p.Replaced(t.Context(), f, testZone, Place{}, id(9)); (again == nil) != (err == nil) || f.count("zone") != calls {
					t.Errorf("%s: the look after it ends with %v, after %d calls more", tc.reason, again, f.count("zone")-calls)
				}
				pass(parent.Lag)
				if got, err := p.Replaced(t.Context(), f, testZone, Place{}, id(9)); got != tc.want || err != nil {
					t.Errorf("%s: got %t, %v", tc.reason, got, err)
				}
			})
		})
	}
}

// TestReplacedForAnotherConfig has a provider config that does not allow a look. It checks that the look does not
// fail for an object of another config that has the same credential and asks at the same time.
func TestReplacedForAnotherConfig(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		f, p := newFake(), NewPool(Options{})
		p.places[testZone] = Place{ID: testZone, Name: "example.com", AccountID: "one"}
		f.zones = []cloudflare.Zone{{ID: id(9), Name: "example.com", Account: cloudflare.Named{ID: "one"}}}
		barred := &barredAPI{API: f, err: guardedError(t)}
		var wait sync.WaitGroup
		wait.Go(func() {
			if _, err := p.Replaced(t.Context(), barred, testZone, Place{}, id(9)); !cloudflare.IsGuarded(err) {
				t.Errorf("the config that does not allow it: %v", err)
			}
		})
		synctest.Wait()
		_, err := p.Replaced(t.Context(), f, testZone, Place{}, id(9))
		if !errors.As(err, new(*parent.DisputedError)) {
			t.Errorf("the config that allows it: %v", err)
		}
		wait.Wait()
	})
}

// A barredAPI is the API for a provider config that does not allow reads of zones, and takes time to say so.
type barredAPI struct {
	API

	err error
}

func (b *barredAPI) GetZone(context.Context, string) (cloudflare.Zone, error) {
	<-time.After(time.Second)
	return cloudflare.Zone{}, b.err
}

// guardedError returns the error of a call that a Guard does not allow.
func guardedError(t *testing.T) error {
	t.Helper()
	c := cloudflare.New(cloudflare.NewToken("a-token-of-this-test-0000000000000000000"), cloudflare.Options{})
	_, err := c.Guarded(func(context.Context, cloudflare.Outgoing) error { return errors.New("not allowed") }).GetZone(t.Context(), id(9))
	return err
}

// TestReplacedAfterOneWrongAnswer checks that one look that did not show a zone proves nothing.
func TestReplacedAfterOneWrongAnswer(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		f, p := newFake(), NewPool(Options{})
		p.places[testZone] = Place{ID: testZone, Name: "example.com", AccountID: "one"}
		earlier := cloudflare.Zone{ID: testZone, Name: "example.com", Account: cloudflare.Named{ID: "one"}}
		later := cloudflare.Zone{ID: id(9), Name: "example.com", Account: cloudflare.Named{ID: "one"}}
		f.zones = []cloudflare.Zone{later}
		if _, err := p.Replaced(t.Context(), f, testZone, Place{}, id(9)); err == nil {
			t.Error("one look is believed")
		}
		f.zones = []cloudflare.Zone{earlier, later}
		pass(parent.Lag)
		for range 2 {
			if gone, err := p.Replaced(t.Context(), f, testZone, Place{}, id(9)); gone || err != nil {
				t.Errorf("got %t, %v of a zone that is there", gone, err)
			}
			pass(successionKept)
		}
		f.zones = []cloudflare.Zone{later}
		if gone, err := p.Replaced(t.Context(), f, testZone, Place{}, id(9)); gone || err == nil {
			t.Errorf("got %t, %v: the look before has shown it", gone, err)
		}
	})
}
