// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package config

import (
	"errors"
	"slices"
	"testing"

	"github.com/crossplane/crossplane-runtime/v2/pkg/resource"
	"k8s.io/apimachinery/pkg/types"

	"github.com/provider-cloudflare/provider-cloudflare/apis/v1alpha1"
	"github.com/provider-cloudflare/provider-cloudflare/internal/connect"
	"github.com/provider-cloudflare/provider-cloudflare/internal/workers"
)

// TestATurnWakesTheUsers: the users of a config are enqueued when its verdict turns, and not at each
// verdict. What was seen with an invalid credential is outdated.
func TestATurnWakesTheUsers(t *testing.T) {
	const refusal = `{"success":false,"errors":[{"code":1000,"message":"Invalid API Token"}]}`
	c := newCloud(t)
	b := newBench(t, c, pc())
	var woken []workers.Request
	var outdated []string
	b.wake = func(users ...workers.Request) { woken = append(woken, users...) }
	b.outdate = func(fingerprint string) { outdated = append(outdated, fingerprint) }
	for _, r := range []string{"a", "b"} {
		b.users.see(recordKind(), nil, rec("ns", r, "ProviderConfig", "own"))
	}
	b.users.see(recordKind(), nil, rec("ns", "c", "ProviderConfig", "another"))
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

// TestALimitWakesTheUsers: the users of a config are enqueued when its limits change, and at no other
// edit.
func TestALimitWakesTheUsers(t *testing.T) {
	b := newBench(t, newCloud(t), pc())
	b.config = func(pc resource.ProviderConfig) connect.Config {
		own, _ := pc.(*v1alpha1.ProviderConfig)
		return connect.FromProviderConfig(own)
	}
	var woken []workers.Request
	b.wake = func(users ...workers.Request) { woken = append(woken, users...) }
	b.users.see(recordKind(), nil, rec("ns", "a", "ProviderConfig", "own"))
	b.users.see(recordKind(), nil, rec("ns", "c", "ProviderConfig", "another"))
	edit := func(change func(*v1alpha1.ProviderConfig)) func() {
		return func() {
			now := &v1alpha1.ProviderConfig{}
			if err := b.kube.Get(t.Context(), types.NamespacedName{Namespace: "ns", Name: "own"}, now); err != nil {
				t.Fatal(err)
			}
			change(now)
			if err := b.kube.Update(t.Context(), now); err != nil {
				t.Fatal(err)
			}
		}
	}
	for _, tc := range []struct {
		reason string
		change func()
		users  int
	}{
		{"the first look", func() {}, 0},
		{"the second look", func() {}, 0},
		{"zones are limited", edit(func(pc *v1alpha1.ProviderConfig) { pc.Spec.AllowedZones = []string{"a.example", "b.example"} }), 1},
		{"nothing changed since", func() {}, 0},
		{"one zone with the name of both", edit(func(pc *v1alpha1.ProviderConfig) { pc.Spec.AllowedZones = []string{"a.example b.example"} }), 1},
		{"kinds are limited", edit(func(pc *v1alpha1.ProviderConfig) { pc.Spec.AllowedKinds = []string{"dns"} }), 1},
		{"another number of requests", edit(func(pc *v1alpha1.ProviderConfig) {
			pc.Spec.RateLimit = &v1alpha1.RateLimit{RequestsPerFiveMinutes: 100}
		}), 0},
		{"no limits any more", edit(func(pc *v1alpha1.ProviderConfig) { pc.Spec.AllowedZones, pc.Spec.AllowedKinds = nil, nil }), 1},
	} {
		woken = nil
		tc.change()
		b.reconcile(t)
		if len(woken) != tc.users {
			t.Errorf("%s: %v are looked at, want %d", tc.reason, woken, tc.users)
		}
	}
}
