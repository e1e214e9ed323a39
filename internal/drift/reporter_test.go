// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package drift

import (
	"slices"
	"testing"

	"github.com/crossplane/crossplane-runtime/v2/pkg/event"
	"github.com/crossplane/crossplane-runtime/v2/pkg/resource"
	"github.com/google/go-cmp/cmp"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/testutil"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/provider-cloudflare/provider-cloudflare/apis/dns/v1alpha1"
)

// eventList records events.
type eventList struct{ events *[]event.Event }

func (l eventList) Event(_ runtime.Object, e event.Event)    { *l.events = append(*l.events, e) }
func (l eventList) WithAnnotations(...string) event.Recorder { return l }

func TestADriftIsReportedAndCountedOnce(t *testing.T) {
	reg := prometheus.NewRegistry()
	m := NewMetrics(reg)
	var events []event.Event
	r := Reporter{Kind: "Record", Events: eventList{&events}, Metrics: m}
	var mg resource.Managed = &v1alpha1.Record{}
	mg.SetConditions(UpToDate(mg, "Record"))
	for range 3 {
		r.Announce(mg, Judge(mg, "Record", Differences{{Field: "content", Live: "1.0.0.1", Desired: "1.1.1.1"}}, true), Resource{ID: "x"})
	}
	if len(events) != 1 || events[0].Type != event.TypeWarning || events[0].Message != "content: live 1.0.0.1, desired 1.1.1.1" {
		t.Errorf("reported %v, want one warning with the difference", events)
	}
	r.Reverted(mg, "content: live 1.0.0.1, desired 1.1.1.1")
	if len(events) != 2 || events[1].Reason != EventReverted {
		t.Errorf("reported %v, want that it was reverted", events)
	}
	got := map[string]float64{
		"detected": testutil.ToFloat64(m.detected.WithLabelValues("Record")),
		"reverted": testutil.ToFloat64(m.reverted.WithLabelValues("Record")),
	}
	if diff := cmp.Diff(map[string]float64{"detected": 1, "reverted": 1}, got); diff != "" {
		t.Errorf("counted (-want +got):\n%s", diff)
	}
	m.Expect("Record")
	m.Expect("Zone")
	if n, z := testutil.CollectAndCount(m.detected), testutil.ToFloat64(m.reverted.WithLabelValues("Zone")); n != 2 || z != 0 {
		t.Errorf("%d kinds, %v Zones: want that what is expected begins at 0", n, z)
	}
	(*Metrics)(nil).Expect("nothing")
	Reporter{Events: eventList{&events}}.Reverted(mg, "uncounted")
}

func TestADriftIsLoggedOnceWithItsFields(t *testing.T) {
	content := Difference{Field: "content", Live: "1.0.0.1", Desired: "1.1.1.1"}
	secret := Difference{Field: "secretRef", Says: "the value in the Secret is not the one that was sent last"}
	for _, tc := range []struct {
		reason string
		diff   Differences
		undone bool
		cause  string
		place  []any
	}{
		{"a drift that is undone", Differences{content}, true, "changed by jane@example.com at 2026-11-23T12:00:00Z", []any{"zone", "example.com", "zoneId", "42"}},
		{"a drift that is left alone", Differences{content, secret}, false, "", []any{"parent", "/zones/42"}},
		{"nothing is known of the place", Differences{secret}, true, "", nil},
	} {
		var got [][]any
		r := Reporter{Kind: "Record", Events: eventList{new([]event.Event)}, Warn: func(msg string, kv ...any) {
			got = append(got, slices.Concat([]any{msg}, kv))
		}}
		mg := &v1alpha1.Record{ObjectMeta: metav1.ObjectMeta{Namespace: "team", Name: "www", UID: "42"}}
		mg.SetConditions(UpToDate(mg, "Record"))
		for range 2 { // The second time it is no news.
			r.Announce(mg, Judge(mg, "Record", tc.diff, tc.undone).By(tc.cause), Resource{ID: "x", Place: tc.place})
		}
		want := slices.Concat([]any{"DriftDetected", "kind", "Record", "namespace", "team", "name", "www", "uid", "42", "id", "x"}, tc.place,
			[]any{"differences", []Difference(tc.diff), "undone", tc.undone})
		if tc.cause != "" {
			want = append(want, "cause", tc.cause)
		}
		if diff := cmp.Diff([][]any{want}, got); diff != "" {
			t.Errorf("%s: logged (-want +got):\n%s", tc.reason, diff)
		}
	}
}
