// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package drift

import (
	"slices"
	"testing"

	"github.com/crossplane/crossplane-runtime/v2/pkg/event"
	"github.com/crossplane/crossplane-runtime/v2/pkg/logging"
	"github.com/crossplane/crossplane-runtime/v2/pkg/resource"
	"github.com/google/go-cmp/cmp"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/testutil"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"

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
	r := Reporter{Kind: "Record", Events: eventList{&events}, Log: logging.NewNopLogger(), Metrics: m}
	var mg resource.Managed = &v1alpha1.Record{}
	mg.SetConditions(Synced(mg))
	for range 3 {
		r.For(mg).Announce(mg, Judge(mg, Differences{"content: live 1.0.0.1, desired 1.1.1.1"}, true), "x")
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
	Reporter{Events: eventList{&events}, Log: logging.NewNopLogger()}.Reverted(mg, "uncounted")
}

// lines records what is logged, as alternating keys and values after the message.
type lines struct {
	logging.Logger

	with []any
	got  *[][]any
}

func (l lines) Info(msg string, kv ...any) {
	*l.got = append(*l.got, slices.Concat([]any{msg}, l.with, kv))
}

func (l lines) WithValues(kv ...any) logging.Logger {
	l.with = slices.Concat(l.with, kv)
	return l
}

func TestADriftIsLoggedWithItsFields(t *testing.T) {
	var got [][]any
	var events []event.Event
	r := Reporter{Kind: "Record", Events: eventList{&events}, Log: lines{Logger: logging.NewNopLogger(), got: &got}}
	mg := &v1alpha1.Record{ObjectMeta: metav1.ObjectMeta{Namespace: "team", Name: "www", UID: "42"}}
	mg.SetConditions(Synced(mg))
	for range 2 { // The second time it is no news.
		r.For(mg).Announce(mg, Judge(mg, Differences{"ttl: live 120, desired 1"}, true), "x")
	}
	want := [][]any{{"DriftDetected", "namespace", "team", "name", "www", "uid", types.UID("42"), "id", "x", "difference", "ttl: live 120, desired 1"}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("logged (-want +got):\n%s", diff)
	}
}
