// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package export

import (
	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/ptr"

	zonev1alpha1 "github.com/provider-cloudflare/provider-cloudflare/apis/zone/v1alpha1"
	"github.com/provider-cloudflare/provider-cloudflare/internal/cloudflare"
)

// Zone returns the manifest of a zone. Deleting the object leaves the zone at Cloudflare.
func (o Options) Zone(z cloudflare.Zone) *zonev1alpha1.Zone {
	out := &zonev1alpha1.Zone{
		TypeMeta:   metav1.TypeMeta{APIVersion: zonev1alpha1.SchemeGroupVersion.String(), Kind: zonev1alpha1.ZoneKind},
		ObjectMeta: o.meta(zoneObject(z), z.ID),
		Spec: zonev1alpha1.ZoneSpec{
			ManagedResourceSpec: o.spec(),
			DeletionPolicy:      xpv2.DeletionOrphan,
			ForProvider: zonev1alpha1.ZoneParameters{
				Name: ptr.To(z.Name), Type: ptr.To(z.Type), Paused: ptr.To(z.Paused),
			},
		},
	}
	p := &out.Spec.ForProvider
	if z.Account.ID != "" {
		p.AccountID = ptr.To(z.Account.ID)
	}
	if len(z.VanityNameServers) > 0 {
		p.VanityNameServers = &z.VanityNameServers
	}
	return out
}

// zoneObject returns the name of a zone's object.
func zoneObject(z cloudflare.Zone) string { return subdomain(z.Name) }
