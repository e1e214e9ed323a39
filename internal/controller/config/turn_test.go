// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package config

import (
	"errors"
	"slices"
	"testing"

	"github.com/provider-cloudflare/provider-cloudflare/internal/workers"
)

// TestATurnWakesTheUsers: the objects that use a config are looked at when its verdict turns, and not
// each time that it is given. What was seen with a credential that is not valid answers no more.
func TestATurnWakesTheUsers(t *testing.T) {
	const refusal = `{"success":false,"errors":[{"code":1000,"message":"Invalid API Token"}]}`
	c := newCloud(t)
	b := newBench(t, c, pc())
	var woken []workers.Request
	var outdated []string
	b.wake = func(users ...workers.Request) { woken = append(woken, users...) }
	b.outdate = func(fingerprint string) { outdated = append(outdated, fingerprint) }
	for _, r := range []string{"a", "b"} {
		b.users.see("Record", nil, rec("ns", r, "ProviderConfig", "own"))
	}
	b.users.see("Record", nil, rec("ns", "c", "ProviderConfig", "another"))
	for _, tc := range []struct {
		reason        string
		change        func()
		users, stales int
	}{
		{"the first verdict: objects find it out by themselves", func() {}, 0, 0},
		{"the same verdict", func() {}, 0, 0},
		{"it is refused", func() { c.say(401, refusal) }, 2, 1},
		{"it is refused again", func() {}, 0, 0},
		{"it is good again", func() { c.say(200, verified) }, 2, 0},
		{"the API is down: what was seen may answer", func() { c.say(502, "") }, 2, 0},
		{"it is good again", func() { c.say(200, verified) }, 2, 0},
		{"the Secret has none: there is nothing to see with it", func() { b.opener.err = errors.New("no Secret") }, 2, 0},
	} {
		woken, outdated = nil, nil
		b.clock = b.clock.Add(reverify)
		tc.change()
		b.reconcile(t)
		if len(woken) != tc.users || len(outdated) != tc.stales {
			t.Errorf("%s: %v are looked at and %v is outdated, want %d and %d", tc.reason, woken, outdated, tc.users, tc.stales)
		}
		if slices.ContainsFunc(woken, func(r workers.Request) bool { return r.Name == "c" || r.Kind != recordKind().GVK.GroupKind() }) {
			t.Errorf("%s: %v are looked at", tc.reason, woken)
		}
	}
}
