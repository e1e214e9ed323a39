// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package record

import (
	"slices"
	"strings"
	"testing"
	"time"

	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"

	"github.com/provider-cloudflare/provider-cloudflare/apis/dns/v1alpha1"
	"github.com/provider-cloudflare/provider-cloudflare/internal/connect"
	"github.com/provider-cloudflare/provider-cloudflare/internal/connect/limits"
	"github.com/provider-cloudflare/provider-cloudflare/test/simulator"
)

// limit restarts the provider with a provider config of those limits.
func (s *stage) limit(l limits.Limits) {
	s.t.Helper()
	l.Config = "ClusterProviderConfig shared"
	s.session = sessionOf{connect.Limited(s.session.Session, l, connect.NewNames(s.session.Client, time.Now))}
	s.restart()
}

// sent returns the calls of the last reconcile, except lists of zones by name and reads of the zone's name.
func (s *stage) sent() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	var out []string
	for _, a := range s.log {
		if a.of == "cloudflare" && !strings.HasSuffix(a.what, "/zones") && !strings.HasSuffix(a.what, "GET "+simulator.BasePath+"/zones/"+s.zone) {
			out = append(out, a.what)
		}
	}
	return out
}

// TestLimits: a Record whose provider config allows only another zone or account sends nothing. This holds for each
// way to name a zone, and also if the Record has a record or is being deleted. A Record whose config allows its
// zone works as without limits.
func TestLimits(t *testing.T) {
	t.Parallel()
	const elsewhere = "eeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee"
	for _, tc := range []struct {
		reason string
		names  func(*stage) func(*v1alpha1.RecordParameters)
		limits limits.Limits
		field  string // "" if it is allowed
	}{
		{"another zone's ID", func(s *stage) func(*v1alpha1.RecordParameters) { return s.byID }, limits.Limits{Zones: []string{elsewhere}}, limits.FieldZones},
		{"another zone's name", func(s *stage) func(*v1alpha1.RecordParameters) { return s.byID }, limits.Limits{Zones: []string{"other.example"}}, limits.FieldZones},
		{"a zone by its name", func(*stage) func(*v1alpha1.RecordParameters) { return byName }, limits.Limits{Zones: []string{elsewhere}}, limits.FieldZones},
		{"a zone by reference", func(*stage) func(*v1alpha1.RecordParameters) { return byRef }, limits.Limits{Zones: []string{elsewhere}}, limits.FieldZones},
		{"its own zone", func(*stage) func(*v1alpha1.RecordParameters) { return byRef }, limits.Limits{Zones: []string{"example.com"}}, ""},
		{"its own zone by name", func(*stage) func(*v1alpha1.RecordParameters) { return byName }, limits.Limits{Zones: []string{"example.com"}}, ""},
	} {
		s := newStage(t)
		s.setZone()
		s.names(tc.names(s))
		open := s.session
		s.limit(tc.limits)
		if tc.field == "" {
			s.settle()
			if n := len(s.records()); n != 1 {
				t.Errorf("%s: there are %d records, want one", tc.reason, n)
			}
			continue
		}
		s.refused(tc.reason+", new", tc.field)
		s.session = open
		s.restart()
		s.settle()
		s.limit(tc.limits)
		s.refused(tc.reason+", with a record", tc.field)
		if c := s.now.GetCondition(xpv2.TypeUpToDate); c.Status != "Unknown" {
			t.Errorf("%s: UpToDate is %s", tc.reason, c.Status)
		}
		s.remove()
		s.refused(tc.reason+", deleted", tc.field)
		if n := len(s.records()); n != 1 {
			t.Errorf("%s: there are %d records, want one", tc.reason, n)
		}
	}
}

// refused checks that nothing is sent, and that the condition names the field.
func (s *stage) refused(when, field string) {
	s.t.Helper()
	for range 3 {
		s.reconcile()
		if sent := slices.Clone(s.sent()); len(sent) > 0 {
			s.t.Errorf("%s: %v are sent", when, sent)
		}
	}
	if !s.read() {
		s.t.Errorf("%s: the object is gone", when)
		return
	}
	c := s.now.GetCondition(xpv2.TypeSynced)
	if named := s.now.Spec.ForProvider.ZoneName != nil; named && (strings.Contains(c.Message, s.zone) || !strings.Contains(c.Message, `the zone "example.com"`)) {
		s.t.Errorf("%s: it does not say the name that the object writes: %s", when, c.Message)
	}
	if c.Status != "False" || !strings.Contains(c.Message, field+" of the ClusterProviderConfig shared does not allow") {
		s.t.Errorf("%s: it says %s: %s", when, c.Status, c.Message)
	}
}
