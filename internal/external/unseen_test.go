// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package external

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/crossplane/crossplane-runtime/v2/pkg/event"
	"github.com/crossplane/crossplane-runtime/v2/pkg/resource"
	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/utils/ptr"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/provider-cloudflare/provider-cloudflare/apis/dns/v1alpha1"
	"github.com/provider-cloudflare/provider-cloudflare/internal/cloudflare"
	"github.com/provider-cloudflare/provider-cloudflare/internal/connect"
	"github.com/provider-cloudflare/provider-cloudflare/internal/drift"
	"github.com/provider-cloudflare/provider-cloudflare/internal/external/reach"
)

// apiError returns an error that the API answered.
func apiError(status, code int) error {
	return fmt.Errorf("cannot look: %w", &cloudflare.Error{Status: status, Details: []cloudflare.Detail{{Code: code}}})
}

// well puts the conditions of a ready and synced object on r.
func well(r *v1alpha1.Record) { r.SetConditions(xpv2.Available(), drift.UpToDate(r, "Record")) }

// TestNobodyLooks checks that an object whose resource cannot be looked at reports that at once,
// and stays Ready for three intervals.
func TestNobodyLooks(t *testing.T) {
	const interval = time.Minute
	begun := time.Date(2026, 11, 28, 12, 0, 0, 0, time.UTC)
	for _, tc := range []struct {
		reason string
		err    error
		unseen bool
	}{
		{"the token is not valid", apiError(401, 1000), true},
		{"the token is unknown, in the words of a missing permission", apiError(403, 9109), true},
		{"the parent cannot be read", apiError(403, 10000), true},
		{"a refusal without a reason", apiError(403, 0), true},
		{"the zone is not there", apiError(404, 7003), true},
		{"the resource is elsewhere", &MovedError{Noun: "thing", From: "a", To: "b"}, true},
		{"the config has no credential", fmt.Errorf("config: %w", &connect.NoCredentialError{Cause: errors.New("no Secret")}), true},
		{"the config is being deleted", &connect.ConfigDeletedError{}, true},
		{"the API is down, which passes", apiError(503, 0), false},
		{"a throttle passes", apiError(429, 971), false},
		{"an answer that was lost", errLost, false},
	} {
		mg := object(has("live"), well)
		now := begun
		deps := &Deps{Events: event.NewNopRecorder(), Now: func() time.Time { return now }, Interval: interval}
		c := &Client[thing]{kind: ptr.To(testKind(&remote{}, false)), deps: deps, adapter: &plain{mg: mg}}
		upToDate, ready := corev1.ConditionTrue, corev1.ConditionTrue
		if tc.unseen {
			upToDate = corev1.ConditionUnknown
		}
		for _, after := range []time.Duration{0, 2 * interval, 3 * interval} {
			if now = begun.Add(after); tc.unseen && after == 3*interval {
				ready = corev1.ConditionUnknown
			}
			err := fmt.Errorf("after %s: %w", after, tc.err) // Another message is no transition.
			_ = c.refused(t.Context(), mg, err)
			got, is := mg.GetCondition(xpv2.TypeUpToDate), mg.GetCondition(xpv2.TypeReady)
			if got.Status != upToDate || is.Status != ready || (tc.unseen && (got.Reason != drift.ReasonUnknown || got.Message == "")) {
				t.Errorf("%s, after %s: UpToDate is %s %s, Ready %s, want %s and %s", tc.reason, after, got.Status, got.Reason, is.Status, upToDate, ready)
			}
		}
	}
}

// TestAnEditStaysPendingUnseen checks that a failed look does not hide an edit that is not carried
// out. Otherwise the difference would be shown as drift.
func TestAnEditStaysPendingUnseen(t *testing.T) {
	mg := object(has("live"), well, edited)
	c := &Client[thing]{
		kind: ptr.To(testKind(&remote{}, false)), deps: &Deps{Events: event.NewNopRecorder(), Now: time.Now, Interval: time.Minute}, adapter: &plain{mg: mg},
	}
	for range 2 {
		_ = c.refused(t.Context(), mg, apiError(403, 10000))
		if got := mg.GetCondition(xpv2.TypeUpToDate); got.Reason != drift.ReasonPending || mg.GetCondition(xpv2.TypeReady).Status != corev1.ConditionTrue {
			t.Errorf("UpToDate is %s %s, and Ready %s", got.Status, got.Reason, mg.GetCondition(xpv2.TypeReady).Status)
		}
	}
}

// refuser returns an error in place of a session.
type refuser struct{ err error }

func (s refuser) For(context.Context, resource.ModernManaged) (connect.Session, error) {
	return connect.Session{}, s.err
}

// TestNobodyConnects checks that an object with a resource and without a credential is not reported as up to date. An
// object that is deleted, or has no resource, does not report that.
func TestNobodyConnects(t *testing.T) {
	none := &connect.NoCredentialError{Cause: errors.New("no Secret")}
	for _, tc := range []struct {
		reason string
		mg     *v1alpha1.Record
		err    error
		want   corev1.ConditionStatus
	}{
		{"it was there", object(has("live"), well), none, corev1.ConditionUnknown},
		{"an edit waits", object(has("live"), well, edited), none, corev1.ConditionFalse},
		{"Kubernetes could not be asked", object(has("live"), well), errLost, corev1.ConditionTrue},
		{"there is nothing of it", object(), none, corev1.ConditionUnknown},
		{"it goes", object(has("live"), well, leaving), none, corev1.ConditionTrue},
	} {
		k := testKind(&remote{}, false)
		c := &Connector[thing]{Kind: k, Deps: Deps{Sessions: refuser{tc.err}, Journal: &journalOf{}, Now: time.Now, Interval: time.Minute}}
		if _, err := c.Connect(t.Context(), tc.mg); !errors.Is(err, tc.err) {
			t.Errorf("%s: got %v", tc.reason, err)
		}
		if got := tc.mg.GetCondition(xpv2.TypeUpToDate); got.Status != tc.want {
			t.Errorf("%s: UpToDate is %s %s, want %s", tc.reason, got.Status, got.Reason, tc.want)
		}
	}
}

// elsewhere adds a reference to another namespace.
func elsewhere(r *v1alpha1.Record) {
	r.Spec.ForProvider.ZoneIDRef = &xpv2.NamespacedReference{Name: "zone", Namespace: "victim"}
}

// TestResolver checks that an object with a reference to another namespace is refused before
// anything is resolved, and that its external resource is not looked at.
func TestResolver(t *testing.T) {
	anywhere := reach.Policy{Anywhere: true}
	for _, tc := range []struct {
		reason  string
		mg      *v1alpha1.Record
		policy  reach.Policy
		refused bool
		want    corev1.ConditionStatus
	}{
		{"it was there", object(has("live"), well, elsewhere), reach.Policy{}, true, corev1.ConditionUnknown},
		{"an edit named the namespace", object(has("live"), well, elsewhere, edited), reach.Policy{}, true, corev1.ConditionFalse},
		{"there is nothing of it", object(elsewhere), reach.Policy{}, true, corev1.ConditionUnknown},
		{"it stays within its namespace", object(has("live"), well), reach.Policy{}, false, corev1.ConditionTrue},
		{"it is allowed", object(has("live"), well, elsewhere), anywhere, false, corev1.ConditionTrue},
	} {
		c := &Connector[thing]{Kind: testKind(&remote{}, false), Deps: Deps{Reach: tc.policy, Now: time.Now, Interval: time.Minute}}
		resolved := false
		err := c.Resolver(func(context.Context, client.Reader, resource.Managed) error {
			resolved = true
			return nil
		})(t.Context(), nil, tc.mg)
		if got := errors.As(err, new(*reach.OutsideError)); got != tc.refused || resolved == tc.refused {
			t.Errorf("%s: got %v, and resolved it is %t", tc.reason, err, resolved)
		}
		if got := tc.mg.GetCondition(xpv2.TypeUpToDate); got.Status != tc.want {
			t.Errorf("%s: UpToDate is %s %s, want %s", tc.reason, got.Status, got.Reason, tc.want)
		}
		if err := c.Resolver(nil)(t.Context(), nil, tc.mg); errors.As(err, new(*reach.OutsideError)) != tc.refused {
			t.Errorf("%s, of a kind without references: got %v", tc.reason, err)
		}
	}
}
