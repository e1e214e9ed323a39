// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package zone

import (
	"fmt"
	"slices"
	"strings"

	"k8s.io/utils/ptr"

	"github.com/provider-cloudflare/provider-cloudflare/apis/zone/v1alpha1"
	"github.com/provider-cloudflare/provider-cloudflare/internal/cloudflare"
	"github.com/provider-cloudflare/provider-cloudflare/internal/drift"
	"github.com/provider-cloudflare/provider-cloudflare/internal/external"
)

// An edit sets one property of a zone: the API refuses more in one call.
type edit struct {
	// property is the name in the API, field the name in the Kubernetes API.
	property, field string
	value           any
	live, want      string
}

// edits returns the changes that make z as declared by p, in the order in which to make
// them.
func edits(p v1alpha1.ZoneParameters, z cloudflare.Zone) []edit {
	var out []edit
	if p.Type != nil && *p.Type != z.Type {
		out = append(out, edit{"type", "type", *p.Type, z.Type, *p.Type})
	}
	if p.Paused != nil && *p.Paused != z.Paused {
		out = append(out, edit{"paused", "paused", *p.Paused, fmt.Sprint(z.Paused), fmt.Sprint(*p.Paused)})
	}
	if p.VanityNameServers != nil {
		want, live := hostSet(*p.VanityNameServers), hostSet(z.VanityNameServers)
		if !slices.Equal(want, live) {
			out = append(out, edit{"vanity_name_servers", "vanityNameServers", want, list(live), list(want)})
		}
	}
	return out
}

// hostSet returns host names as a set, in one order and form.
func hostSet(names []string) []string {
	out := []string{}
	for _, n := range names {
		out = append(out, strings.TrimSuffix(strings.ToLower(n), "."))
	}
	slices.Sort(out)
	return slices.Compact(out)
}

func list(names []string) string {
	if len(names) == 0 {
		return "none"
	}
	return strings.Join(names, ", ")
}

func differences(es []edit) drift.Differences {
	var out drift.Differences
	for _, e := range es {
		out = append(out, drift.Difference{Field: e.field, Live: e.live, Desired: e.want})
	}
	return out
}

// observation returns a live zone as status.atProvider shows it.
func observation(z cloudflare.Zone) v1alpha1.ZoneObservation {
	return v1alpha1.ZoneObservation{
		ID:                  z.ID,
		Name:                z.Name,
		AccountID:           z.Account.ID,
		Type:                z.Type,
		Status:              z.Status,
		Paused:              ptr.To(z.Paused),
		NameServers:         z.NameServers,
		OriginalNameServers: z.OriginalNameServers,
		OriginalRegistrar:   z.OriginalRegistrar,
		VanityNameServers:   z.VanityNameServers,
		VerificationKey:     z.VerificationKey,
		Plan:                z.Plan.Name,
		CreatedOn:           external.ShownTime(z.CreatedOn),
		ModifiedOn:          external.ShownTime(z.ModifiedOn),
		ActivatedOn:         external.ShownTime(z.ActivatedOn),
	}
}

// notReady returns why a zone does not serve yet and what its owner must do, or "" if
// it serves.
func notReady(z cloudflare.Zone) string {
	switch z.Status {
	case cloudflare.ZoneActive:
		return ""
	case cloudflare.ZonePending, cloudflare.ZoneInitializing:
		return fmt.Sprintf("the zone is %s: %s", z.Status, activation(z))
	case cloudflare.ZoneMoved:
		return "the zone has moved away from Cloudflare's name servers: " + activation(z)
	}
	return fmt.Sprintf("the zone's status is %q", z.Status)
}

func activation(z cloudflare.Zone) string {
	switch {
	case z.Type == "partial" && z.VerificationKey != "":
		return fmt.Sprintf("publish the TXT record cloudflare-verify.%s with the value %q in the domain's own DNS", z.Name, z.VerificationKey)
	case len(z.NameServers) > 0:
		return fmt.Sprintf("set the domain's name servers at its registrar to %s", strings.Join(z.NameServers, " and "))
	}
	return "Cloudflare has not assigned name servers yet"
}
