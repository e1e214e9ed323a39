// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package reconciler

import (
	"testing"
	"time"

	"github.com/crossplane/crossplane-runtime/v2/pkg/meta"

	"github.com/provider-cloudflare/provider-cloudflare/apis/dns/v1alpha1"
)

func TestSettledAt(t *testing.T) {
	at := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	tests := []struct {
		reason string
		change func(*v1alpha1.Record)
		want   time.Time
	}{
		{"nothing was tried", func(*v1alpha1.Record) {}, time.Time{}},
		{"it is under way, or its reconcile ended badly", func(r *v1alpha1.Record) { meta.SetExternalCreatePending(r, at) }, at.Add(Timeout + callTimeout + time.Minute)},
		{"the process ended during the attempt, a minute before this one began", func(r *v1alpha1.Record) {
			meta.SetExternalCreatePending(r, at.Add(-2*time.Minute))
		}, at.Add(-time.Minute + time.Minute)},
		{"the process ended long ago", func(r *v1alpha1.Record) {
			meta.SetExternalCreatePending(r, at.Add(-time.Hour))
		}, at.Add(-time.Hour + Timeout + callTimeout + time.Minute)},
		{"the call took a while to fail", func(r *v1alpha1.Record) {
			meta.SetExternalCreatePending(r, at)
			meta.SetExternalCreateFailed(r, at.Add(90*time.Second))
		}, at.Add(150 * time.Second)},
		{"the call failed within a second", func(r *v1alpha1.Record) {
			meta.SetExternalCreatePending(r, at)
			meta.SetExternalCreateFailed(r, at)
		}, at.Add(time.Minute)},
		{"the second attempt is under way", func(r *v1alpha1.Record) {
			meta.SetExternalCreateFailed(r, at)
			meta.SetExternalCreatePending(r, at.Add(time.Second))
		}, at.Add(Timeout + callTimeout + 61*time.Second)},
	}
	for _, tc := range tests {
		r := &v1alpha1.Record{}
		tc.change(r)
		if got := CreationSettledAt(r, at.Add(-time.Minute), time.Minute); !got.Equal(tc.want) {
			t.Errorf("%s: CreationSettledAt(...) = %s, want %s", tc.reason, got, tc.want)
		}
	}
}

func TestVisibleSince(t *testing.T) {
	begun := time.Date(2026, 1, 2, 3, 4, 5, 600, time.UTC)
	settled := begun.Add(time.Minute)
	second := time.Date(2026, 1, 2, 3, 4, 6, 0, time.UTC)
	tests := []struct {
		reason              string
		begun, settled, now time.Time
		want                time.Time
	}{
		{"nothing was tried", time.Time{}, time.Time{}, begun, time.Time{}},
		{"it may still show what it made: what was there as it began is seen", begun, settled, settled.Add(-1), second},
		{"it has shown all", begun, settled, settled, second.Add(time.Minute)},
		{"nobody knows when it began", time.Time{}, settled, begun, time.Time{}},
		{"within the second, attempts share a look", begun.Add(300 * time.Millisecond), settled, begun, second},
	}
	for _, tc := range tests {
		if got := AttemptVisibleSince(tc.begun, tc.settled, tc.now); !got.Equal(tc.want) {
			t.Errorf("%s: AttemptVisibleSince(...) = %s, want %s", tc.reason, got, tc.want)
		}
	}
}
