// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package external

import (
	"context"
	"testing"
	"time"

	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/ptr"

	"github.com/provider-cloudflare/provider-cloudflare/apis/dns/v1alpha1"
	"github.com/provider-cloudflare/provider-cloudflare/internal/connect"
)

// TestFirstLook checks that an object is new until a look succeeded, and again after its policies
// changed.
func TestFirstLook(t *testing.T) {
	t.Parallel()
	now := time.Unix(1000, 0)
	start := now
	for _, tc := range []struct {
		reason string
		happen func(s *Sights, mg *v1alpha1.Record)
		first  bool
		since  time.Time
	}{
		{"nothing has shown it before", func(*Sights, *v1alpha1.Record) {}, true, start.Add(time.Minute)},
		{"it counts from when it was seen", func(s *Sights, mg *v1alpha1.Record) { s.See(mg) }, true, start},
		{"another write to it does not make it newer", func(s *Sights, mg *v1alpha1.Record) {
			s.See(mg)
			mg.Generation++
			now = now.Add(time.Second)
			s.See(mg)
		}, true, start},
		{"it was looked for", func(s *Sights, mg *v1alpha1.Record) {
			s.See(mg)
			s.looked(mg)
		}, false, start},
		{"its policies changed since", func(s *Sights, mg *v1alpha1.Record) {
			s.See(mg)
			s.looked(mg)
			mg.Spec.ManagementPolicies = xpv2.ManagementPolicies{xpv2.ManagementActionObserve}
			now = now.Add(time.Second)
			s.See(mg)
		}, true, start.Add(time.Second)},
		{"a look with the policies of before counts no more", func(s *Sights, mg *v1alpha1.Record) {
			s.See(mg)
			before := mg.DeepCopy()
			mg.Spec.ManagementPolicies = xpv2.ManagementPolicies{xpv2.ManagementActionObserve}
			s.See(mg)
			s.looked(before)
		}, true, start},
		{"an object of its name that is gone", func(s *Sights, mg *v1alpha1.Record) {
			s.See(mg)
			s.looked(mg)
			s.forget(mg.UID)
		}, true, start.Add(time.Minute)},
		{"what is deleted needs no new look", func(_ *Sights, mg *v1alpha1.Record) {
			mg.DeletionTimestamp = ptr.To(metav1.Now())
		}, false, time.Time{}},
	} {
		now = start
		s, mg := NewSights(func() time.Time { return now }), object()
		mg.UID = "uid"
		tc.happen(s, mg)
		now = start.Add(time.Minute)
		if since, first := s.first(mg); first != tc.first || !since.Equal(tc.since) {
			t.Errorf("%s: first %t since %s, want %t since %s", tc.reason, first, since, tc.first, tc.since)
		}
	}
}

// A viewer is an adapter that records the times of RequireSince.
type viewer struct {
	plain

	since []time.Time
	err   error
}

func (v *viewer) RequireSince(t time.Time)      { v.since = append(v.since, t) }
func (v *viewer) Prepare(context.Context) error { return v.err }

// TestAClientLooksFirst checks that each look is a first look until one has succeeded.
func TestAClientLooksFirst(t *testing.T) {
	t.Parallel()
	mg := object(has("live"))
	conn, r, _ := connectorTo(t, false, mg, 0, thing{id: "live", name: "a", content: "wanted", ttl: 60})
	conn.Deps.Sights = NewSights(time.Now)
	observe := func(err error) int {
		v := &viewer{plain: plain{mg: mg, r: r}, err: err}
		if _, got := conn.of(v, connect.Session{}).Observe(t.Context(), mg); (got != nil) != (err != nil) {
			t.Fatalf("it ends with %v, want %v", got, err)
		}
		return len(v.since)
	}
	for i, tc := range []struct {
		reason string
		err    error
		want   int
	}{
		{"nobody could look", errLost, 1},
		{"nobody has looked yet", nil, 1},
		{"it was looked for", nil, 0},
	} {
		if got := observe(tc.err); got != tc.want {
			t.Errorf("%d, %s: it is asked to look %d times, want %d", i, tc.reason, got, tc.want)
		}
	}
}
