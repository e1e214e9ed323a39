// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package described

import (
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"
	"k8s.io/utils/ptr"

	workersv1alpha1 "github.com/provider-cloudflare/provider-cloudflare/apis/workers/v1alpha1"
	"github.com/provider-cloudflare/provider-cloudflare/internal/kind"
	"github.com/provider-cloudflare/provider-cloudflare/internal/parent"
	"github.com/provider-cloudflare/provider-cloudflare/test/simulator"
)

// TestOneWrongNotSet checks each singleton of which nothing may be set, if a read returns that. After one such answer
// nothing is written, because the object has set it. If all reads say so, it is set again.
func TestOneWrongNotSet(t *testing.T) {
	t.Parallel()
	tried := 0
	for _, e := range roster() {
		if e.Description.Shape != kind.Singleton || len(e.Description.Unset) == 0 {
			continue
		}
		tried++
		for reason, times := range map[string]int{"once": 1, "always": 1000} {
			t.Run(e.GVK.Kind+"/"+reason, func(t *testing.T) {
				t.Parallel()
				synctest.Test(t, func(t *testing.T) {
					s := newStage(t, e)
					s.settle(s.kind, s.key)
					s.reconcile(s.kind, s.key)
					<-time.After(3 * time.Hour)
					wrong, wrote := 0, false
					s.answers = func(r *http.Request) *http.Response {
						if r.Method != http.MethodGet || wrong >= times {
							return nil
						}
						wrong++
						return nothingSet(r, e.Description)
					}
					for range 8 {
						s.reconcile(s.kind, s.key)
						wrote = wrote || slices.ContainsFunc(s.log, asked.writes)
						<-time.After(parent.Lag / 2)
					}
					if wrong == 0 || wrote != (times > 1) {
						t.Errorf("after %d answers it is written: %t", wrong, wrote)
					}
					if said := s.read(s.kind, s.key).GetCondition(xpv2.TypeSynced); times == 1 && said.Status != "True" {
						t.Errorf("the object says %v", said)
					}
				})
			})
		}
	}
	if tried < 2 {
		t.Errorf("%d kinds are fewer than there were", tried)
	}
}

// TestDeletionAfterALostCreation checks a rule if the answer to its creation is lost and the object is deleted. The
// rule is deleted if it can be the object's. It stays if it differs from what was sent: another client has created it
// since.
func TestDeletionAfterALostCreation(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		reason  string
		carried bool
		service string
		left    bool
	}{
		{"the creation was carried out", true, "", false},
		{"it was not, and nobody made another rule", false, "", false},
		{"it was not, and somebody else made a rule of the same hostname", false, "http://theirs:1", true},
	} {
		t.Run(row.reason, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				e := entryOf(t, "TunnelIngress")
				s := newStage(t, e)
				_, tunnel := s.theTunnel()
				s.loseRule(row.carried)
				for range 4 {
					s.reconcile(s.kind, s.key)
					if s.answers == nil {
						break
					}
					<-time.After(parent.Lag)
				}
				if s.answers != nil {
					t.Fatal("the object creates nothing")
				}
				if row.service != "" {
					_, err := s.sim.PutResource(s.tunnels()+"/"+tunnel+"/configurations", map[string]any{"config": map[string]any{"ingress": []any{
						map[string]any{"hostname": "shop.example.com", "service": row.service}, map[string]any{"service": "http_status:404"},
					}}})
					must(t, err)
				}
				s.delete()
				for range 12 {
					<-time.After(parent.Lag)
					s.reconcile(s.kind, s.key)
				}
				doc, err := s.sim.GetResource(s.tunnels() + "/" + tunnel + "/configurations")
				must(t, err)
				left := slices.ContainsFunc(e.Description.Elements(parsed(t, doc)), func(rule kind.Document) bool {
					return kind.Text(rule, "hostname") == "shop.example.com"
				})
				if mg := s.read(s.kind, s.key); mg != nil || left != row.left {
					t.Errorf("the object is %v, and the rule is left: %t", mg, left)
				}
			})
		})
	}
}

// loseRule loses the answer to the next write of a document. The write is carried out or not.
func (s *stage) loseRule(carriedOut bool) {
	s.answers = func(r *http.Request) *http.Response {
		if r.Method != http.MethodPut {
			return nil
		}
		s.answers = nil
		if carriedOut {
			s.sim.ServeHTTP(httptest.NewRecorder(), r)
		}
		return answered(r, http.StatusBadGateway, "<html>Bad gateway</html>")
	}
}

// TestWorkerWhoseListFails checks a Worker while the list of Workers fails, which shows what a read of one Worker
// lacks. The object edits its Worker, shows it as before, and deletes it.
func TestWorkerWhoseListFails(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := newStage(t, entryOf(t, "WorkerScript"))
		s.settle(s.kind, s.key)
		s.reconcile(s.kind, s.key)
		before, ok := s.read(s.kind, s.key).(*workersv1alpha1.WorkerScript)
		if !ok || before.Status.AtProvider.Etag == nil {
			t.Fatalf("the status shows no etag: %v", before)
		}
		scripts, failed := simulator.BasePath+"/accounts/"+s.session.AccountID+"/workers/scripts", 0
		s.answers = func(r *http.Request) *http.Response {
			if r.Method != http.MethodGet || strings.TrimSuffix(r.URL.Path, "/") != scripts {
				return nil
			}
			failed++
			return answered(r, http.StatusBadGateway, "<html>Bad gateway</html>")
		}
		<-time.After(3 * time.Hour)
		s.reconcile(s.kind, s.key)
		now, _ := s.read(s.kind, s.key).(*workersv1alpha1.WorkerScript)
		if said := now.GetCondition(xpv2.TypeSynced); failed == 0 || said.Status != "True" || ptr.Deref(now.Status.AtProvider.Etag, "") != *before.Status.AtProvider.Etag {
			t.Errorf("after %d failures the status has %v: %v", failed, now.Status.AtProvider.Etag, said)
		}
		now.Spec.ForProvider.CompatibilityDate = ptr.To("2025-02-03")
		must(t, s.server.Update(t.Context(), now))
		for range 3 {
			s.reconcile(s.kind, s.key)
			<-time.After(parent.Lag)
		}
		now, _ = s.read(s.kind, s.key).(*workersv1alpha1.WorkerScript)
		if got := ptr.Deref(now.Status.AtProvider.CompatibilityDate, ""); got != "2025-02-03" {
			t.Errorf("the Worker has %q: %v", got, now.GetCondition(xpv2.TypeSynced))
		}
		s.delete()
		for range 6 {
			s.reconcile(s.kind, s.key)
			<-time.After(parent.Lag)
		}
		if mg := s.read(s.kind, s.key); mg != nil {
			t.Errorf("the object does not go: %v", mg.GetCondition(xpv2.TypeSynced))
		}
	})
}
