// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package external

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/crossplane/crossplane-runtime/v2/pkg/meta"
	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"

	"github.com/provider-cloudflare/provider-cloudflare/apis/dns/v1alpha1"
	"github.com/provider-cloudflare/provider-cloudflare/internal/external/decision"
	"github.com/provider-cloudflare/provider-cloudflare/internal/reconciler"
)

// doubter is the adapter of a kind for which a stale copy may show an absence, unless this process
// has deleted the resource.
type doubter struct {
	plain

	deleted, disputed bool
}

func (d *doubter) MayBeStale(string) bool { return !d.deleted }

func (d *doubter) VerifyAbsence(_ context.Context, _ string, own bool) error {
	if d.disputed || !own {
		return errDisputed
	}
	return nil
}

var errDisputed = errors.New("another answer shows it")

// TestAYoungAbsenceIsNotBelieved checks that a resource that was created a moment ago is not
// considered gone.
func TestAYoungAbsenceIsNotBelieved(t *testing.T) {
	const settle = time.Minute
	now := time.Now()
	down := errors.New("down")
	for _, tc := range []struct {
		reason  string
		age     time.Duration
		adapter Adapter[thing]
		err     error
		own     bool
		change  func(*v1alpha1.Record)
		want    error
	}{
		{"it was just created", time.Second, &doubter{}, ErrAbsent, true, manages, &AbsenceUnconfirmedError{}},
		{"every copy shows it by now", settle, &doubter{}, ErrAbsent, true, manages, ErrAbsent},
		{"this process has deleted it", time.Second, &doubter{deleted: true}, ErrAbsent, true, manages, ErrAbsent},
		{"the API's answer proves that it is gone", time.Second, &plain{}, ErrAbsent, true, manages, ErrAbsent},
		{"nobody could look", time.Second, &doubter{}, down, true, manages, down},
		{"it is there", time.Second, &doubter{}, nil, true, manages, nil},
		{"another answer shows it", settle, &doubter{disputed: true}, ErrAbsent, true, manages, errDisputed},
		{"a user names it, and no other answer says that it is gone", settle, &doubter{}, ErrAbsent, false, manages, errDisputed},
		{"nothing comes of it for who only observes", settle, &doubter{disputed: true}, ErrAbsent, true, observes, ErrAbsent},
	} {
		mg := object(has("live"), tc.change)
		meta.SetExternalCreateSucceeded(mg, now.Add(-tc.age))
		c := &Client[thing]{adapter: tc.adapter, kind: new(testKind(nil, false)), deps: &Deps{Settle: settle, Now: func() time.Time { return now }}}
		err := c.believed(t.Context(), mg, "live", tc.own, tc.err)
		var young, wanted *AbsenceUnconfirmedError
		isYoung := errors.As(tc.want, &wanted)
		switch {
		case errors.As(err, &young) != isYoung, !isYoung && !errors.Is(err, tc.want):
			t.Errorf("%s: got %v", tc.reason, err)
		case isYoung && (young.ID != "live" || young.Until.Sub(now) > settle || !young.Until.After(now)):
			t.Errorf("%s: it says %v", tc.reason, young)
		}
	}
}

func manages(*v1alpha1.Record) {}

func observes(r *v1alpha1.Record) {
	r.Spec.ManagementPolicies = xpv2.ManagementPolicies{xpv2.ManagementActionObserve}
}

// guarded is the adapter of a kind that cannot be deleted yet.
type guarded struct {
	plain

	err error
}

func (g *guarded) ValidateDelete(context.Context, thing) error { return g.err }

// laterError says when another attempt is of use.
type laterError struct{ after time.Duration }

func (laterError) Error() string               { return "in use" }
func (e laterError) RetryAfter() time.Duration { return e.after }

// TestAGuardSaysWhenToAskAgain checks that an object that waits for others comes back at the time
// in the error, and not after a back-off that has grown since.
func TestAGuardSaysWhenToAskAgain(t *testing.T) {
	for _, tc := range []struct {
		reason string
		err    error
		want   time.Duration
	}{
		{"it says when", laterError{5 * time.Second}, 5 * time.Second},
		{"it does not say when", errors.New("in use"), 0},
	} {
		mg, state := object(has("live"), leaving), &reconciler.State{}
		c := &Client[thing]{
			adapter: &guarded{err: tc.err}, kind: new(testKind(nil, false)),
			decided: decidedOn(mg, decision.Step{Do: decision.Delete, Live: decision.ResourceFacts{ID: "live"}}),
		}
		if _, err := c.Delete(reconciler.WithState(t.Context(), state), mg); !errors.Is(err, tc.err) || state.NotBefore != tc.want {
			t.Errorf("%s: got %v, and it comes back after %v, want %v", tc.reason, err, state.NotBefore, tc.want)
		}
	}
}
