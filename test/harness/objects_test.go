// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package harness

import (
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"
	corev1 "k8s.io/api/core/v1"

	dnsv1alpha1 "github.com/provider-cloudflare/provider-cloudflare/apis/dns/v1alpha1"
)

// TestPoll shows that Poll waits for a success, stops waiting after its patience,
// and does not wait after an error that Stop marks.
func TestPoll(t *testing.T) {
	early, never := errors.New("too early"), errors.New("never")
	tests := map[string]struct {
		reason string
		f      func(n int) error
		want   error
		calls  int
		took   time.Duration
	}{
		"AtOnce":   {"there is nothing to wait for", func(int) error { return nil }, nil, 1, 0},
		"Later":    {"the third look finds it", func(n int) error { return map[bool]error{true: early}[n < 3] }, nil, 3, Tick + Tick*5/4},
		"Never":    {"the last complaint is the error", func(int) error { return early }, early, 13, time.Second},
		"Hopeless": {"it is not worth waiting", func(int) error { return Stop(never) }, never, 1, 0},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				n, began := 0, time.Now()
				err := Poll(t.Context(), time.Second, func() error {
					n++
					return tc.f(n)
				})
				if !errors.Is(err, tc.want) || (err == nil) != (tc.want == nil) {
					t.Errorf("%s: got %v, want %v", tc.reason, err, tc.want)
				}
				if n < tc.calls-1 || n > tc.calls || time.Since(began) != tc.took {
					t.Errorf("%s: %d looks in %v, want %d in %v", tc.reason, n, time.Since(began), tc.calls, tc.took)
				}
			})
		})
	}
}

func TestConditionsInWords(t *testing.T) {
	r := &dnsv1alpha1.Record{}
	r.SetConditions(xpv2.Condition{Type: xpv2.TypeSynced, Status: corev1.ConditionFalse, Reason: xpv2.ReasonReconcileError, Message: "why"})
	if got := Conditions(r); !strings.Contains(got, `Synced=False/ReconcileError "why"`) {
		t.Errorf("got %q", got)
	}
	if got := Conditions(&corev1.Secret{}); got != "" {
		t.Errorf("an object without conditions says %q", got)
	}
}
