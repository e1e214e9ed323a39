// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package described

import (
	"encoding/json"
	"testing"
	"testing/synctest"
	"time"

	"github.com/provider-cloudflare/provider-cloudflare/internal/kind"
	"github.com/provider-cloudflare/provider-cloudflare/internal/parent"
)

// TestBlindCredentialTeachesNothing: one credential sees nothing at a path, and another does. One wrong answer to the
// other is not believed.
func TestBlindCredentialTeachesNothing(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		known, d := newKnowledge(time.Now), entryOf(t, "TunnelIngress").Description
		at := func(credential string) question {
			return known.at("/accounts/a/cfd_tunnel/t/configurations", d, credential).ask()
		}
		must(t, at("sees").answered(kind.Document{"version": json.Number("7")}))
		<-time.After(time.Minute)
		for range 3 {
			_ = at("blind").answered(nil) // It is believed in the end, for this credential.
			<-time.After(parent.Lag)
		}
		if err := at("blind").proven(nil); err != nil {
			t.Errorf("what the blind credential sees is not believed: %v", err)
		}
		if err := at("sees").proven(nil); err == nil {
			t.Error("one wrong answer is believed, because another credential sees nothing: what is written next replaces the document")
		}
	})
}
