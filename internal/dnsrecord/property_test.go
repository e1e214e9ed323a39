// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package dnsrecord_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/provider-cloudflare/provider-cloudflare/internal/dnsrecord"
)

// again declares a canonical record in its canonical form.
func again(r dnsrecord.Record) dnsrecord.Input {
	in := dnsrecord.Input{Name: r.Name, Type: r.Type, TTL: r.TTL, Proxied: r.Proxied, Comment: r.Comment, Tags: r.Tags, Settings: r.Settings}
	if r.Priority != nil {
		in.Priority = ptr(int64(*r.Priority))
	}
	if r.Data != nil {
		in.Data = r.Data
	} else {
		in.Content = &r.Content
	}
	return in
}

func TestCanonicaliseIsIdempotent(t *testing.T) {
	for _, rrtype := range dnsrecord.Types() {
		t.Run(rrtype, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				r := mustParse(t, genInputOf(rrtype).Draw(t, "input"))
				same := func(form string, in dnsrecord.Input) {
					got, err := dnsrecord.Parse(zone, in)
					if err != nil {
						t.Fatalf("cannot parse its own %s: %v", form, err)
					}
					if diff := cmp.Diff(r, got); diff != "" {
						t.Fatalf("%s parsed again differs (-first +again):\n%s", form, diff)
					}
				}
				in := again(r)
				same("canonical form", in)

				in.Data, in.Content, in.Priority = nil, ptr(r.Presentation()), nil
				same("presentation form", in)

				in.Content = &r.Content
				if p, ok := r.Data["priority"].(int64); ok {
					in.Priority = &p
				} else if r.Priority != nil {
					in.Priority = ptr(int64(*r.Priority))
				}
				same("content with priority beside it", in)
			})
		})
	}
}

// asLive returns the answer of an API that keeps every field as it was sent.
func asLive(t fataler, body map[string]any) dnsrecord.Live {
	t.Helper()
	b, err := json.Marshal(body)
	if err != nil {
		t.Fatalf("cannot marshal %v: %v", body, err)
	}
	var live dnsrecord.Live
	if err := json.Unmarshal(b, &live); err != nil {
		t.Fatalf("cannot unmarshal %s: %v", b, err)
	}
	return live
}

func TestBodyReadBackIsEqual(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := genRecord().Draw(t, "record")
		if diffs := dnsrecord.Diff(r, dnsrecord.FromLive(asLive(t, r.Body()))); len(diffs) > 0 {
			t.Fatalf("sent and read back differ: %v", diffs)
		}
	})
}

func TestFromLiveSetsAllManagedFields(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := genRecord().Draw(t, "record")
		live := dnsrecord.FromLive(asLive(t, r.Body()))
		if live.TTL == nil || live.Proxied == nil || live.Comment == nil || live.Tags == nil || live.Settings == nil {
			t.Fatalf("a live record lacks managed fields: %+v", live)
		}
		if live.Key() != r.Key() {
			t.Fatalf("key %v of the live record is not %v", live.Key(), r.Key())
		}
		if diffs := dnsrecord.Diff(live, live); len(diffs) > 0 {
			t.Fatalf("a live record differs from itself: %v", diffs)
		}
	})
}

// pair draws two records that are often alike in part.
func pair(t *rapid.T) (desired, live dnsrecord.Record) {
	a := genInput().Draw(t, "desired")
	b := genInputOf(a.Type).Draw(t, "live")
	if rapid.Bool().Draw(t, "same name") {
		b.Name = a.Name
	}
	if rapid.Bool().Draw(t, "same rdata") {
		b.Content, b.Data, b.Priority = a.Content, a.Data, a.Priority
		b.Proxied = nil
	}
	if rapid.Bool().Draw(t, "same attributes") {
		b.TTL, b.Comment, b.Tags = a.TTL, a.Comment, a.Tags
	}
	return mustParse(t, a), dnsrecord.FromLive(asLive(t, mustParse(t, b).Body()))
}

func TestDiffIsEmptyExactlyWhenEqual(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		desired, live := pair(t)
		diffs := dnsrecord.Diff(desired, live)
		if dnsrecord.Equal(desired, live) != (len(diffs) == 0) {
			t.Fatalf("Equal is %v with the differences %v", dnsrecord.Equal(desired, live), diffs)
		}
		if same := sameByHand(desired, live); same != (len(diffs) == 0) {
			t.Fatalf("by hand the records are the same: %v; the differences are %v", same, diffs)
		}
		for _, d := range diffs {
			if d.Live == d.Desired {
				t.Fatalf("difference in %s shows the same value twice: %s", d.Field, d)
			}
		}
	})
}

// sameByHand compares by the identity behind 81058 and by each attribute that desired
// manages. It does not use the code under test.
func sameByHand(desired, live dnsrecord.Record) bool {
	proxied := *live.Proxied
	if desired.Proxied != nil {
		proxied = *desired.Proxied
	}
	settings := true
	if desired.Settings != nil {
		d, l := *desired.Settings, *live.Settings
		if proxied { // The API drops it.
			d.FlattenCNAME, l.FlattenCNAME = false, false
		}
		settings = d == l
	}
	return desired.Key() == live.Key() && settings &&
		(desired.TTL == nil || proxied || *desired.TTL == *live.TTL) &&
		(desired.Proxied == nil || *desired.Proxied == *live.Proxied) &&
		(desired.Comment == nil || *desired.Comment == *live.Comment) &&
		(desired.Tags == nil || slices.Equal(desired.Tags, live.Tags))
}

func TestPatchAppliedMakesEqual(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		desired, live := pair(t)
		patch := desired.Patch(live)
		if (patch == nil) != dnsrecord.Equal(desired, live) {
			t.Fatalf("patch %v of a record with the differences %v", patch, dnsrecord.Diff(desired, live))
		}
		body := live.Body()
		for key, value := range patch {
			body[key] = value
		}
		// The API makes these changes on its own.
		if body["proxied"] == true {
			body["ttl"] = 1
			if settings, ok := body["settings"].(map[string]any); ok {
				delete(settings, "flatten_cname")
			}
		}
		if diffs := dnsrecord.Diff(desired, dnsrecord.FromLive(asLive(t, body))); len(diffs) > 0 {
			t.Fatalf("after patch %v these differ: %v", patch, diffs)
		}
	})
}

func TestEqualRecordsHaveOneKey(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := pair(t)
		a.TTL, a.Proxied, a.Comment, a.Tags, a.Settings = nil, nil, nil, nil, nil
		if dnsrecord.Equal(a, b) != (a.Key() == b.Key()) {
			t.Fatalf("keys %v and %v with the differences %v", a.Key(), b.Key(), dnsrecord.Diff(a, b))
		}
	})
}

func TestFQDNIsIdempotent(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		name, err := dnsrecord.FQDN(zone, genName().Draw(t, "name"))
		if err != nil {
			t.Fatalf("cannot canonicalise: %v", err)
		}
		for _, again := range []string{name, name + ".", strings.ToUpper(name)} {
			if got, err := dnsrecord.FQDN(zone, again); got != name || err != nil {
				t.Fatalf("FQDN(%q) = %q, %v; want %q", again, got, err, name)
			}
		}
	})
}
