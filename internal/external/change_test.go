// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package external

import (
	"context"
	"errors"
	"testing"
	"time"

	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/fake"

	"github.com/provider-cloudflare/provider-cloudflare/apis/dns/v1alpha1"
	"github.com/provider-cloudflare/provider-cloudflare/internal/external/decision"
	"github.com/provider-cloudflare/provider-cloudflare/internal/reconciler"
	"github.com/provider-cloudflare/provider-cloudflare/internal/reconciler/reconcilertest"
)

// idle is the adapter of a kind whose first updates the API accepts without effect, or carries out
// and answers with the former state.
type idle struct {
	plain

	ignored, stale int
	writes, looks  int
}

func (a *idle) Update(ctx context.Context, l thing, drifted bool) (thing, error) {
	a.writes++
	if a.writes <= a.ignored {
		return l, nil
	}
	now, err := a.plain.Update(ctx, l, drifted)
	if a.writes <= a.ignored+a.stale {
		return l, err
	}
	return now, err
}

func (a *idle) GetUncached(_ context.Context, l thing) (thing, error) {
	a.looks++
	return a.r.things[l.id], nil
}

// TestAcceptedAndNotDone checks that a change that the API accepts and does not show is looked at
// once more, and written once more. After that the object reports it, and waits.
func TestAcceptedAndNotDone(t *testing.T) {
	for _, tc := range []struct {
		reason         string
		ignored, stale int
		writes, looks  int
		notDone        bool
	}{
		{"the API does it at once", 0, 0, 1, 0, false},
		{"the answer is from before, and another look shows the change", 0, 1, 1, 1, false},
		{"the API does it the second time", 1, 0, 2, 1, false},
		{"the API never does it", 9, 0, 2, 2, true},
	} {
		old := thing{id: "live", name: "a", content: "old", ttl: 60}
		mg := object(has("live"))
		kube := fake.NewClientBuilder().WithScheme(reconcilertest.Scheme(t)).WithObjects(mg).Build()
		must(t, kube.Get(t.Context(), client.ObjectKeyFromObject(mg), mg))
		mg.SetGroupVersionKind(v1alpha1.RecordGroupVersionKind)
		a := &idle{plain: plain{mg: mg, r: &remote{things: map[string]thing{"live": old}}}, ignored: tc.ignored, stale: tc.stale}
		k, state := testKind(a.r, false), &reconciler.State{}
		c := &Client[thing]{
			adapter: a, kind: &k, deps: &Deps{API: kube, Kube: kube, Now: time.Now}, lives: map[string]thing{"live": old}, origin: origin{own: []string{"live"}, stored: []string{"live"}},
			decided: decidedOn(mg, decision.Step{Do: decision.Update, Live: decision.ResourceFacts{ID: "live"}}),
		}
		_, err := c.Update(reconciler.WithState(t.Context(), state), mg)
		var notDone *UpdateIneffectiveError
		if errors.As(err, &notDone) != tc.notDone || !tc.notDone && err != nil {
			t.Errorf("%s: got %v", tc.reason, err)
		}
		if a.writes != tc.writes || a.looks != tc.looks {
			t.Errorf("%s: %d writes and %d looks, want %d and %d", tc.reason, a.writes, a.looks, tc.writes, tc.looks)
		}
		if tc.notDone && (notDone.Fields[0].Field != "content" || state.NotBefore != notDonePause) {
			t.Errorf("%s: it says %v, and comes back after %s", tc.reason, notDone, state.NotBefore)
		}
	}
}
