// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package kinds

import (
	"bytes"
	"fmt"
	"maps"
	"testing"
	"time"

	"github.com/crossplane/crossplane-runtime/v2/pkg/meta"
	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"
	"k8s.io/utils/ptr"

	accessv1alpha1 "github.com/provider-cloudflare/provider-cloudflare/apis/access/v1alpha1"
	"github.com/provider-cloudflare/provider-cloudflare/internal/kinds/access"
)

// serviceTokenWorld returns a world for a service token. ends sets the time after which the
// token expires.
func serviceTokenWorld(t *testing.T) (w *world, mg *accessv1alpha1.AccessServiceToken, ends func(time.Duration)) {
	t.Helper()
	w = newWorld(t, access.AccessServiceToken())
	mg, ok := w.example.(*accessv1alpha1.AccessServiceToken)
	if !ok {
		t.Fatalf("the example is %T", w.example)
	}
	mg.Spec.WriteConnectionSecretToReference = &xpv2.LocalSecretReference{Name: "service-token"}
	return w, mg, func(in time.Duration) {
		t.Helper()
		at := time.Now().Add(in).UTC().Format(time.RFC3339)
		w.editStored(meta.GetExternalName(mg), func(doc map[string]any) { doc["expires_at"] = at })
	}
}

func (w *world) end(mg *accessv1alpha1.AccessServiceToken) time.Time {
	w.T.Helper()
	text, _ := w.raw(meta.GetExternalName(mg))["expires_at"].(string)
	at, err := time.Parse(time.RFC3339, text)
	if err != nil {
		w.T.Fatal(err)
	}
	return at
}

// TestServiceTokenIsRefreshed shows that a token that is about to expire, or has expired, is
// valid for its duration again, with the same values.
func TestServiceTokenIsRefreshed(t *testing.T) {
	t.Parallel()
	for name, in := range map[string]time.Duration{"Near": 29 * 24 * time.Hour, "Over": -time.Hour} {
		t.Run(name, func(t *testing.T) {
			inParallel(t, func(t *testing.T) {
				w, mg, ends := serviceTokenWorld(t)
				w.apply()
				before := maps.Clone(w.secret("service-token").Data)
				ends(in)
				w.Eventually(func() error {
					if left := time.Until(w.end(mg)); left < 300*24*time.Hour {
						return fmt.Errorf("the token ends in %s", left)
					}
					return nil
				})
				w.Settled(mg)
				w.Eventually(func() error {
					if err := w.Get(mg); err != nil {
						return err
					}
					at, err := time.Parse(time.RFC3339, ptr.Deref(mg.Status.AtProvider.ExpiresAt, ""))
					if err != nil || time.Until(at) < 300*24*time.Hour {
						return fmt.Errorf("the status says that the token ends at %s (%w)", at, err)
					}
					return nil
				})
				if after := w.secret("service-token").Data; len(after) != len(before) || !bytes.Equal(after["clientSecret"], before["clientSecret"]) {
					t.Error("the values of the token are others")
				}
			})
		})
	}
}

// TestServiceTokenEnds shows that a token with a refreshBefore of zero is not refreshed. The
// object is not Ready after the token has expired.
func TestServiceTokenEnds(t *testing.T) {
	inParallel(t, func(t *testing.T) {
		w, mg, ends := serviceTokenWorld(t)
		mg.Spec.RefreshBefore = ptr.To("0s")
		w.apply()
		from := w.writes()
		ends(time.Hour)
		w.lists(2)
		w.Settled(mg)
		ends(-time.Hour)
		w.Says(mg, xpv2.TypeReady, "the service token ended at "+w.end(mg).Format(time.RFC3339))
		if n := w.writes() - from; n > 0 {
			t.Errorf("there were %d writes, want none", n)
		}
	})
}
