// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package external

import (
	"testing"
	"time"

	"github.com/crossplane/crossplane-runtime/v2/pkg/resource"
	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/provider-cloudflare/provider-cloudflare/apis/dns/v1alpha1"
	"github.com/provider-cloudflare/provider-cloudflare/internal/drift"
	"github.com/provider-cloudflare/provider-cloudflare/internal/drift/audit"
)

func TestUnchanged(t *testing.T) {
	noon := time.Date(2026, 11, 23, 12, 0, 0, 0, time.UTC)
	reported := xpv2.Condition{Reason: drift.ReasonDetected, LastTransitionTime: metav1.NewTime(noon)}
	synced := xpv2.Condition{Reason: drift.ReasonUpToDate("Record"), LastTransitionTime: metav1.NewTime(noon)}
	for _, tc := range []struct {
		reason       string
		looked, want time.Time
		was          xpv2.Condition
	}{
		{"a new drift: the last sweep that did not show it", noon.Add(time.Hour), noon.Add(time.Hour), synced},
		{"a drift that was reported before: some time before that", noon.Add(time.Hour), noon.Add(-explainedLate), reported},
		{"reported, and the sweeps are older still", noon.Add(-time.Hour), noon.Add(-time.Hour), reported},
		{"nobody knows when it was looked at", time.Time{}, time.Time{}, reported},
	} {
		if got := unchanged(tc.looked, tc.was); !got.Equal(tc.want) {
			t.Errorf("%s: got %s, want %s", tc.reason, got, tc.want)
		}
	}
}

// TestPollUnexplained checks that an object that has drifted is looked at soon, for a while, until
// it is known who caused the drift.
func TestPollUnexplained(t *testing.T) {
	const who = "; changed by jane@example.com in the dashboard at 2026-11-23T12:00:00Z"
	says := func(c xpv2.Condition, message string, ago time.Duration) xpv2.Condition {
		c.Type, c.Message, c.LastTransitionTime = xpv2.TypeUpToDate, message, metav1.NewTime(time.Now().Add(-ago))
		return c
	}
	drifted := xpv2.Condition{Status: corev1.ConditionFalse, Reason: drift.ReasonDetected}
	own := func(_ resource.Managed, poll time.Duration) time.Duration { return poll }
	with := &Builder{shared: Shared{DriftInterval: time.Minute, Trail: audit.NewTrail(nil)}}
	without := &Builder{shared: Shared{DriftInterval: time.Minute}}
	for _, tc := range []struct {
		reason string
		b      *Builder
		c      xpv2.Condition
		want   time.Duration
	}{
		{"not explained yet", with, says(drifted, "ttl: live 1, desired 2", 0), time.Minute},
		{"explained", with, says(drifted, "ttl: live 1, desired 2"+who, 0), time.Hour},
		{"the entry does not come any more", with, says(drifted, "ttl: live 1, desired 2", explainedLate), time.Hour},
		{"no drift", with, says(xpv2.Condition{Status: corev1.ConditionTrue, Reason: drift.ReasonUpToDate("Record")}, "", 0), time.Hour},
		{"nobody asks", without, says(drifted, "ttl: live 1, desired 2", 0), time.Hour},
	} {
		mg := &v1alpha1.Record{}
		mg.SetConditions(tc.c)
		if got := tc.b.pollUnexplained(own)(mg, time.Hour); got != tc.want {
			t.Errorf("%s: looked at after %s, want %s", tc.reason, got, tc.want)
		}
	}
}
