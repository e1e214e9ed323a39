// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package behaviour

import (
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
)

// TestAPanicShowsNoSecret makes reconciles panic while they hold a credential. It
// searches their log for secrets, and so does the search of all output at the end.
func TestAPanicShowsNoSecret(t *testing.T) {
	inParallel(t, func(t *testing.T) {
		w := newWorld(t)
		var panics atomic.Int64
		w.interfere(func(r request) fate {
			// A status is written after the work with the credential.
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
