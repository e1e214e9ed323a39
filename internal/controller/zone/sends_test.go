// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package zone

import (
	"context"
	"errors"
	"testing"

	"github.com/crossplane/crossplane-runtime/v2/pkg/meta"
	"k8s.io/utils/ptr"

	"github.com/provider-cloudflare/provider-cloudflare/apis/zone/v1alpha1"
	"github.com/provider-cloudflare/provider-cloudflare/internal/cloudflare"
)

// counted is a blank API that counts the calls.
type counted struct {
	blank

	calls *int
}

func (c counted) FindZones(ctx context.Context, name, account string, internal bool) ([]cloudflare.Zone, error) {
	*c.calls++
	return c.blank.FindZones(ctx, name, account, internal)
}

func (c counted) CreateZone(ctx context.Context, name, account, kind string) (cloudflare.Zone, error) {
	*c.calls++
	return c.blank.CreateZone(ctx, name, account, kind)
}

// TestARefusedZoneCostsNoCall: a zone that the API refused to create is neither sent nor looked for again, until a
// part of what is sent changes or the user asks for it.
func TestARefusedZoneCostsNoCall(t *testing.T) {
	for _, tc := range []struct {
		reason string
		then   func(z *v1alpha1.Zone)
		calls  bool
	}{
		{"nothing changed", func(*v1alpha1.Zone) {}, false},
		{"the spec changed", func(z *v1alpha1.Zone) { z.Spec.ForProvider.Type = ptr.To("partial") }, true},
		{"the user asks", func(z *v1alpha1.Zone) {
			meta.AddAnnotations(z, map[string]string{meta.AnnotationKeyReconcileRequestedAt: "now"})
		}, true},
	} {
		z, calls := untried(), 0
		refusal := &cloudflare.Error{Status: 400, Details: []cloudflare.Detail{{Code: 1105, Message: "no such plan"}}}
		connector := connectorOf(t, counted{blank{refusal: refusal}, &calls}, 0, journalOf(t, z))
		c, err := connector.Connect(t.Context(), z)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := c.Observe(t.Context(), z); err != nil {
			t.Fatal(err)
		}
		if _, err := c.Create(t.Context(), z); err == nil || calls != 2 {
			t.Fatalf("%s: %d calls at first, want a look and a creation: %v", tc.reason, calls, err)
		}
		tc.then(z)
		if c, err = connector.Connect(t.Context(), z); err != nil {
			t.Fatal(err)
		}
		var said *cloudflare.Error
		if _, err = c.Observe(t.Context(), z); errors.As(err, &said) == tc.calls || calls > 2 != tc.calls {
			t.Errorf("%s: %d calls, and it says %v", tc.reason, calls, err)
		}
	}
}
