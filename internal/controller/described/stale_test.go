// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package described

import (
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/crossplane/crossplane-runtime/v2/pkg/meta"
	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"

	"github.com/provider-cloudflare/provider-cloudflare/internal/kind"
)

// ignoreUpdates makes the next n updates accepted but not carried out: the answer is what exists. It counts the
// updates.
func (s *stage) ignoreUpdates(e entry, n int) *int {
	verb, _, _ := strings.Cut(e.Description.Update, " ")
	updates := 0
	s.answers = func(r *http.Request) *http.Response {
		if r.Method != verb {
			return nil
		}
		updates++
		if updates > n {
			return nil
		}
		look := r.Clone(r.Context())
		look.Method, look.Body = http.MethodGet, http.NoBody
		w := httptest.NewRecorder()
		s.sim.ServeHTTP(w, look)
		return w.Result()
	}
	return &updates
}

// TestAcceptedAndNotDone checks, for each kind with an update, a drift whose correction Cloudflare accepts and does
// not carry out, once or always. What existed is no echo of what was sent: the object corrects the drift, or says
// that it is not corrected.
func TestAcceptedAndNotDone(t *testing.T) {
	t.Parallel()
	tried, drifted := 0, &atomic.Int32{}
	t.Cleanup(func() {
		if n := drifted.Load(); n < 76 {
			t.Errorf("%d drifts are fewer than there were", n)
		}
	})
	for _, e := range roster() {
		verb, path, _ := strings.Cut(e.Description.Update, " ")
		_, read, _ := strings.Cut(e.Description.Read, " ")
		if e.Description.Shape != kind.Collection || path != read || verb == http.MethodPost {
			continue
		}
		tried++
		for reason, times := range map[string]int{"once": 1, "always": 1000} {
			t.Run(e.GVK.Kind+"/"+reason, func(t *testing.T) {
				t.Parallel()
				s := newStage(t, e)
				s.settle(s.kind, s.key)
				list := s.made
				if !s.drifts(e) {
					return
				}
				drifted.Add(1)
				updates := s.ignoreUpdates(e, times)
				s.reconcile(s.kind, s.key)
				mg := s.read(s.kind, s.key)
				doc, err := s.sim.GetResource(list + "/" + meta.GetExternalName(mg))
				must(t, err)
				want, err := kind.Encode(mg.GetForProvider())
				must(t, err)
				left := slices.DeleteFunc(e.Description.Differences(want, parsed(t, doc)), func(d kind.Difference) bool {
					_, apart := e.Description.Apart[d.Path]
					return apart // That field has an answer of its own.
				})
				said := mg.GetCondition(xpv2.TypeSynced)
				if done := said.Status == "True"; done == (len(left) > 0) || len(mg.GetSync().Echo) > 0 {
					t.Errorf("%v differs, the echoes are %v, and the object says %v", left, mg.GetSync().Echo, said)
				}
				if times > 1 && (*updates != 2 || !strings.Contains(said.Message, "accepted the change but did not make it")) {
					t.Errorf("after %d updates the object says %v", *updates, said)
				}
			})
		}
	}
	if tried < 30 {
		t.Errorf("%d kinds are fewer than there were", tried)
	}
}
