// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package described

import (
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/provider-cloudflare/provider-cloudflare/internal/kind"
	"github.com/provider-cloudflare/provider-cloudflare/internal/parent"
)

// refuseWrites makes Cloudflare refuse each write.
func (s *stage) refuseWrites() {
	s.answers = func(r *http.Request) *http.Response {
		if r.Method == http.MethodGet {
			return nil
		}
		answer := notThere(r)
		answer.StatusCode = http.StatusBadRequest
		return answer
	}
}

// loseAnswers carries out each write and loses its answer.
func (s *stage) loseAnswers() {
	s.answers = func(r *http.Request) *http.Response {
		if r.Method == http.MethodGet {
			return nil
		}
		in, w := r.Clone(r.Context()), httptest.NewRecorder()
		s.sim.ServeHTTP(w, in)
		return &http.Response{
			StatusCode: http.StatusBadGateway, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1, Header: http.Header{"Content-Type": {"text/html"}},
			Body: io.NopCloser(strings.NewReader("<html></html>")), Request: r,
		}
	}
}

// TestDeletionOfWhatWasNeverWritten checks each kind whose deletion changes a resource that exists without its
// object. If each write of the object was refused, the deletion changes nothing. If a write was made, the deletion
// makes its change, although the answer to the write was lost and the process ended before it recorded the write.
func TestDeletionOfWhatWasNeverWritten(t *testing.T) {
	t.Parallel()
	tried := 0
	for _, e := range roster() {
		if e.Description.Shape != kind.Singleton || e.Description.OnDelete.Verb == "" || e.Description.OnDelete.By != "" {
			continue
		}
		tried++
		for _, tc := range []struct {
			reason  string
			writes  func(s *stage)
			restart bool
			changes bool
		}{
			{"each write was refused", (*stage).refuseWrites, false, false},
			{"each write was refused before a restart", (*stage).refuseWrites, true, false},
			{"a write was made", func(*stage) {}, false, true},
			{"a write was made before a restart", func(*stage) {}, true, true},
			{"a write was made, its answer was lost, and the process ended", (*stage).loseAnswers, true, true},
		} {
			t.Run(e.GVK.Kind+"/"+tc.reason, func(t *testing.T) {
				t.Parallel()
				synctest.Test(t, func(t *testing.T) {
					s := newStage(t, e)
					tc.writes(s)
					wrote := false
					for range 3 {
						s.reconcile(s.kind, s.key)
						wrote = wrote || slices.ContainsFunc(s.log, asked.writes)
						<-time.After(parent.Lag)
						if wrote && tc.restart {
							break
						}
					}
					if !wrote {
						t.Fatal("the object writes nothing")
					}
					s.answers = nil
					if tc.restart {
						s.inner[s.kind] = s.reconciler(e)
					}
					s.delete()
					changes := false
					for range 6 {
						s.reconcile(s.kind, s.key)
						changes = changes || slices.ContainsFunc(s.log, asked.writes)
						<-time.After(parent.Lag)
					}
					if mg := s.read(s.kind, s.key); mg != nil {
						t.Errorf("the object does not go: %v", mg.GetCondition("Synced"))
					}
					if changes != tc.changes {
						t.Errorf("the deletion changes something: %t, want %t", changes, tc.changes)
					}
				})
			})
		}
	}
	if tried < 7 {
		t.Errorf("%d kinds are fewer than there were", tried)
	}
}

// TestOneWrongAbsenceOfASingleton checks each such kind, if the first read of a deletion returns that nothing exists.
// The deletion makes its change before the object is gone.
func TestOneWrongAbsenceOfASingleton(t *testing.T) {
	t.Parallel()
	for _, e := range roster() {
		if e.Description.Shape != kind.Singleton || e.Description.OnDelete.Verb == "" || e.Description.OnDelete.By != "" {
			continue
		}
		for _, restarted := range []bool{false, true} {
			name := e.GVK.Kind
			if restarted {
				name += "/restarted"
			}
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				synctest.Test(t, func(t *testing.T) {
					s := newStage(t, e)
					s.settle(s.kind, s.key)
					s.reconcile(s.kind, s.key)
					s.inner[s.kind] = s.reconciler(e)
					if !restarted {
						s.reconcile(s.kind, s.key)
					}
					<-time.After(2 * time.Hour) // The cache answers no read any more.
					s.delete()
					s.lieOnce(0)
					changes := false
					for range 12 {
						s.reconcile(s.kind, s.key)
						changes = changes || slices.ContainsFunc(s.log, asked.writes)
						<-time.After(parent.Lag / 2)
					}
					if mg := s.read(s.kind, s.key); mg != nil || !changes {
						t.Errorf("the object is %v, and the deletion has changed something: %t", mg, changes)
					}
				})
			})
		}
	}
}
