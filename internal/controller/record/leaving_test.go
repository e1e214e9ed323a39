// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package record

import (
	"errors"
	"net/http"
	"testing"
	"time"

	"github.com/crossplane/crossplane-runtime/v2/pkg/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/ptr"

	"github.com/provider-cloudflare/provider-cloudflare/apis/dns/v1alpha1"
	"github.com/provider-cloudflare/provider-cloudflare/internal/dnsrecord"
	"github.com/provider-cloudflare/provider-cloudflare/internal/dnszone"
	"github.com/provider-cloudflare/provider-cloudflare/internal/external"
	"github.com/provider-cloudflare/provider-cloudflare/test/simulator"
)

// TestLeavingBelievesNoCopy deletes a Record whose record no copy of the zone shows. While the
// record is young, that proves nothing: the Record would be released and leave an orphan.
func TestLeavingBelievesNoCopy(t *testing.T) {
	const settle = time.Minute
	tests := []struct {
		reason string
		age    time.Duration
		lag    bool
		gone   bool
		want   error
	}{
		{"young, and no copy shows it", time.Second, true, false, &external.AbsenceUnconfirmedError{}},
		{"young, and gone", time.Second, false, true, &external.AbsenceUnconfirmedError{}},
		{"old, and gone", 2 * settle, false, true, external.ErrAbsent},
		{"young, and there, though the list lacks it", time.Second, false, false, nil},
	}
	for _, tc := range tests {
		s := newStage(t)
		zone := dnszone.NewPool(dnszone.Options{Interval: time.Hour}).Zone(s.session.Client, s.zone)
		if _, err := zone.Find(t.Context(), dnszone.Query{}); err != nil { // The first list.
			t.Fatal(err)
		}
		made, err := s.sim.CreateRecord(s.zone, map[string]any{"type": "A", "name": "www", "content": "192.0.2.1"})
		must(t, err)
		if tc.gone {
			must(t, s.sim.DeleteRecord(s.zone, made.ID))
		}
		if tc.lag {
			s.sim.AddFault(simulator.Fault{Kind: simulator.FaultStaleGet, Method: http.MethodGet, Times: -1})
		}
		mg := s.fresh.DeepCopy()
		mg.DeletionTimestamp = ptr.To(metav1.Now())
		meta.SetExternalCreateSucceeded(mg, time.Now().Add(-tc.age))
		a := &adapter{mg: mg, zone: zone, now: time.Now, settle: settle}
		_, err = a.Get(t.Context(), made.ID)
		var young *external.AbsenceUnconfirmedError
		switch {
		case tc.want == nil && err != nil, errors.Is(tc.want, external.ErrAbsent) && !errors.Is(err, external.ErrAbsent):
			t.Errorf("%s: got %v", tc.reason, err)
		case errors.As(tc.want, &young) && !errors.As(err, &young):
			t.Errorf("%s: got %v, want that it is too early", tc.reason, err)
		}
	}
}

// TestLeavingBelievesItsOwnDeletion deletes a young record: the Record need not wait.
func TestLeavingBelievesItsOwnDeletion(t *testing.T) {
	s := newStage(t)
	zone := dnszone.NewPool(dnszone.Options{Interval: time.Hour}).Zone(s.session.Client, s.zone)
	made, err := s.sim.CreateRecord(s.zone, map[string]any{"type": "A", "name": "www", "content": "192.0.2.1"})
	must(t, err)
	mg := s.fresh.DeepCopy()
	mg.DeletionTimestamp = ptr.To(metav1.Now())
	meta.SetExternalCreateSucceeded(mg, time.Now())
	a := &adapter{mg: mg, zone: zone, now: time.Now, settle: time.Minute}
	live, err := a.Get(t.Context(), made.ID)
	must(t, err)
	must(t, a.Delete(t.Context(), live))
	if _, err := a.Get(t.Context(), made.ID); !errors.Is(err, external.ErrAbsent) {
		t.Errorf("got %v, want that it is gone", err)
	}
}

// TestAnEditBelievesNoCopy edits a Record whose young record no copy of the zone shows. The API
// would not refuse what the Record declares now, so a wrong absence would create a second record
// and leave the first.
func TestAnEditBelievesNoCopy(t *testing.T) {
	const settle = time.Minute
	for _, tc := range []struct {
		reason  string
		age     time.Duration
		content string
		young   bool
	}{
		{"young, and edited", time.Second, "192.0.2.2", true},
		{"young, and as it was: the API refuses another", time.Second, "192.0.2.1", false},
		{"old, and edited", 2 * settle, "192.0.2.2", false},
	} {
		s := newStage(t)
		zone := dnszone.NewPool(dnszone.Options{Interval: time.Hour}).Zone(s.session.Client, s.zone)
		if _, err := zone.Find(t.Context(), dnszone.Query{}); err != nil { // The first list.
			t.Fatal(err)
		}
		made, err := s.sim.CreateRecord(s.zone, map[string]any{"type": "A", "name": "www", "content": "192.0.2.1", "ttl": 300})
		must(t, err)
		s.sim.AddFault(simulator.Fault{Kind: simulator.FaultStaleGet, Method: http.MethodGet, Times: -1})
		mg := s.fresh.DeepCopy()
		meta.SetExternalCreateSucceeded(mg, time.Now().Add(-tc.age))
		mg.Status.AtProvider = v1alpha1.RecordObservation{ID: made.ID, FQDN: made.Name, Type: "A", Content: "192.0.2.1"}
		a := &adapter{mg: mg, zone: zone, now: time.Now, settle: settle}
		want, err := dnsrecord.Parse("", dnsrecord.Input{Name: made.Name + ".", Type: "A", Content: &tc.content})
		must(t, err)
		a.want = &want
		_, err = a.Get(t.Context(), made.ID)
		var young *external.AbsenceUnconfirmedError
		if errors.As(err, &young) != tc.young || !tc.young && !errors.Is(err, external.ErrAbsent) {
			t.Errorf("%s: got %v", tc.reason, err)
		}
	}
}
