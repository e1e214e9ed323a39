// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package behaviour

import (
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
)

// TestAPanicShowsNoSecret brings reconciles down while they hold a credential. What
// is logged of that is searched with all the rest in the end, and here.
func TestAPanicShowsNoSecret(t *testing.T) {
	inParallel(t, func(t *testing.T) {
		w := newWorld(t)
		var panics atomic.Int64
		w.interfere(func(r request) fate {
			// A status is written when the work with the credential is done.
			if r.method != http.MethodGet && strings.HasSuffix(r.resource, "/status") && panics.Add(1) <= 3 {
				return panicking
			}
			return sent
		})
		w.made("www", "A", "192.0.2.1")
		logged := 0
		for _, line := range w.logged() {
			if strings.Contains(line, "on purpose, at ") && strings.Contains(line, w.ns) {
				logged++
			}
			if strings.Contains(line, w.token[:12]) {
				t.Errorf("a log line shows the token: %s", line)
			}
		}
		if logged == 0 || panics.Load() < 3 {
			t.Errorf("of %d panics %d were logged: this shows nothing", panics.Load(), logged)
		}
		if n := len(w.sim.Records(w.zone.ID)); n != 1 {
			t.Errorf("there are %d records, want 1", n)
		}
	})
}
