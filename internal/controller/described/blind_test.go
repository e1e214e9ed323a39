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

// TestBlindCredentialTeachesNothing checks a path at which one credential sees nothing and another one sees the
// document. The other credential does not believe one wrong answer.
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
			_ = at("blind").answered(nil) // This credential believes it in the end.
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
