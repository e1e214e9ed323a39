// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package reconciler

import (
	"context"
	"errors"
	"testing"

	"github.com/crossplane/crossplane-runtime/v2/pkg/event"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"github.com/provider-cloudflare/provider-cloudflare/apis/dns/v1alpha1"
)

// TestAFailureThatStandsIsNoNews: the runtime's event about a failure is left out if an external client says that an
// earlier event reported the failure. This applies only to that object and that reconcile.
func TestAFailureThatStandsIsNoNews(t *testing.T) {
	t.Parallel()
	failed := event.Warning("CannotObserveExternalResource", errors.New("refused"))
	for _, tc := range []struct {
		reason string
		stands bool
		about  string
		e      event.Event
		want   int
	}{
		{"a failure", false, "one", failed, 1},
		{"one that stands", true, "one", failed, 0},
		{"another object's", true, "other", failed, 1},
		{"something else about the object", true, "one", event.Normal("Adopted", "x"), 1},
	} {
		var events []event.Event
		running := &underWay{}
		recorder := newsOnly{Recorder: recorded{&events}, underWay: running}
		about := &v1alpha1.Record{}
		about.Namespace, about.Name = "ns", tc.about
		r := &reconciler{underWay: running, inner: reconcile.Func(func(ctx context.Context, _ reconcile.Request) (reconcile.Result, error) {
			if tc.stands {
				Stands(ctx, func() {})
			}
			recorder.WithAnnotations("a", "b").Event(about, tc.e)
			return reconcile.Result{}, nil
		})}
		if _, err := r.Reconcile(t.Context(), reconcile.Request{NamespacedName: types.NamespacedName{Namespace: "ns", Name: "one"}}); err != nil {
			t.Fatal(err)
		}
		if len(events) != tc.want {
			t.Errorf("%s: %d events, want %d", tc.reason, len(events), tc.want)
		}
		recorder.Event(about, failed)
		if len(events) != tc.want+1 {
			t.Errorf("%s: an event after the reconcile is left out", tc.reason)
		}
	}
}
