// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package record

import (
	"encoding/json"
	"net/http"
	"slices"
	"testing"
	"time"

	"github.com/crossplane/crossplane-runtime/v2/pkg/meta"
	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"

	"github.com/provider-cloudflare/provider-cloudflare/apis/dns/v1alpha1"
	apisv1alpha1 "github.com/provider-cloudflare/provider-cloudflare/apis/v1alpha1"
	"github.com/provider-cloudflare/provider-cloudflare/internal/dnsrecord"
	"github.com/provider-cloudflare/provider-cloudflare/internal/external/journal"
)

// TestChangedBeforeTheStatusSaysSo: a process ends after it has recorded the ID of a
// record that it created, and before the status shows the record. The record is changed
// outside meanwhile. The next process knows the record by its external name if the
// journal has a creation of that name and type, and the record is as old as that
// creation.
func TestChangedBeforeTheStatusSaysSo(t *testing.T) {
	for _, tc := range []struct {
		reason  string
		change  string
		policy  v1alpha1.AdoptionPolicy
		journal func(*journal.Entry)
		own     bool
	}{
		{"its content is another", `{"content":"192.0.2.9"}`, v1alpha1.AdoptIdentical, nil, true},
		{"the object takes over nothing", `{"content":"192.0.2.9"}`, v1alpha1.AdoptNever, nil, false},
		{"its name is another", `{"name":"other.example.com"}`, v1alpha1.AdoptIdentical, nil, false},
		{"it was there before the creation", `{"content":"192.0.2.9"}`, v1alpha1.AdoptIdentical, func(e *journal.Entry) { e.Begun = e.Begun.Add(time.Hour) }, false},
		{"the creation is another object's", `{"content":"192.0.2.9"}`, v1alpha1.AdoptIdentical, func(e *journal.Entry) { e.UID = "other" }, false},
	} {
		s := newStage(t)
		s.settle()
		id := meta.GetExternalName(s.now)
		about, err := json.Marshal(subject{Zone: s.zone, Key: dnsrecord.Key{Name: "www.example.com", Type: "A", Rdata: "192.0.2.1"}})
		must(t, err)
		e := journal.Entry{UID: s.now.UID, Subject: about, Begun: time.Now()}
		if tc.journal != nil {
			tc.journal(&e)
		}
		must(t, s.journal.Begin(t.Context(), e))
		s.now.Spec.AdoptionPolicy = tc.policy
		must(t, s.server.Update(t.Context(), s.now))
		s.now.Status = v1alpha1.RecordStatus{}
		must(t, s.server.Status().Update(t.Context(), s.now))
		s.call(http.MethodPatch, "/"+id, tc.change)
		s.restart()
		for range 4 {
			s.reconcile()
		}
		s.read()
		if got := s.now.Status.Ownership == apisv1alpha1.OwnershipOwn; got != tc.own {
			t.Errorf("%s: the record is the object's: %t: %s", tc.reason, got, s.now.GetCondition(xpv2.TypeSynced).Message)
		}
		var live struct{ Content string }
		must(t, json.Unmarshal(s.call(http.MethodGet, "/"+id, ""), &live))
		if got := live.Content == "192.0.2.1" && slices.Contains(s.records(), id); tc.own && !got {
			t.Errorf("%s: its content is %s, and it is not changed back", tc.reason, live.Content)
		}
	}
}
