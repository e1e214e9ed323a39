// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package record

import (
	"net/http"
	"strings"
	"testing"
	"time"

	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"
	"k8s.io/utils/ptr"

	"github.com/provider-cloudflare/provider-cloudflare/internal/dnszone"
)

// TestARefusedRecordIsSentOnce: a CNAME beside an A record is not sent again while the zone is unchanged. It is sent
// again once a record of the zone is gone.
func TestARefusedRecordIsSentOnce(t *testing.T) {
	s := newStage(t)
	s.call(http.MethodPost, "", `{"type":"A","name":"www","content":"192.0.2.9","ttl":300}`)
	s.read()
	p := &s.now.Spec.ForProvider
	p.Type, p.Content = ptr.To("CNAME"), ptr.To("target.example.net")
	must(t, s.server.Update(t.Context(), s.now))
	posts := 0
	for range 3 {
		s.reconcile()
		for _, a := range s.log {
			if a.writes() {
				posts++
			}
		}
	}
	s.read()
	if says := s.now.GetCondition(xpv2.TypeSynced).Message; !strings.HasPrefix(says, "create failed: cannot create the DNS record: ") {
		t.Errorf("the Record says %q", says)
	}
	if posts != 1 {
		t.Errorf("it was sent %d times, want once", posts)
	}
	// A Record that waits for another record to go is sent when that is gone.
	a := &adapter{mg: s.now, zones: dnszone.NewPool(dnszone.Options{}), session: s.session.Session, now: time.Now}
	must(t, a.desire(t.Context()))
	key := a.want.Key()
	key.Type = "A"
	found, err := a.zone.Find(t.Context(), dnszone.Query{Key: key})
	must(t, err)
	before := a.RequestHash()
	if _, err := a.zone.Apply(t.Context(), dnszone.Create(*a.want)); err == nil || a.RequestHash() != before {
		t.Errorf("a refusal counts as a change of the zone: %v", err)
	}
	if len(found) != 1 {
		t.Fatalf("the zone has %d records of that name, want one", len(found))
	}
	if _, err := a.zone.Apply(t.Context(), dnszone.Delete(found[0])); err != nil || a.RequestHash() == before {
		t.Errorf("the record in the way went, and that counts for nothing: %v", err)
	}
}
