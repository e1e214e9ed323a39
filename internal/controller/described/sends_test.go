// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package described

import (
	"net/http"
	"strings"
	"testing"
	"time"
)

// TestWhatIsRefusedWaits checks that a creation that the API refuses for its contents is sent once, and again after
// the first pause.
func TestWhatIsRefusedWaits(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"KVNamespace", "Tunnel", "RulesListItem", "RulesetRule", "WorkerScript"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newStage(t, entryOf(t, name))
			sent, refuses := 0, true
			s.answers = func(r *http.Request) *http.Response {
				if r.Method == http.MethodGet {
					return nil
				}
				sent++
				if !refuses {
					return nil
				}
				return answered(r, http.StatusBadRequest, `{"success":false,"errors":[{"code":1234,"message":"no such thing"}],"messages":[],"result":null}`)
			}
			for range 3 {
				s.reconcile(s.kind, s.key)
			}
			if sent != 1 {
				t.Errorf("it was sent %d times, want once", sent)
			}
			if says := s.read(s.kind, s.key).GetCondition("Synced"); !strings.Contains(says.Message, "create failed: ") || !strings.Contains(says.Message, "no such thing (code 1234)") {
				t.Errorf("the object says %q", says.Message)
			}
			refuses = false
			s.ahead += 16 * time.Second
			s.settle(s.kind, s.key)
		})
	}
}
