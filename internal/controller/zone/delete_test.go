// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package zone

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/crossplane/crossplane-runtime/v2/pkg/meta"

	"github.com/provider-cloudflare/provider-cloudflare/internal/cloudflare"
)

// lists is an API that lists some zones and knows some of them by ID.
type lists struct {
	api

	listed, known []cloudflare.Zone
}

func (l lists) FindZones(context.Context, string, string, bool) ([]cloudflare.Zone, error) {
	return l.listed, nil
}

func (l lists) GetZone(_ context.Context, id string) (cloudflare.Zone, error) {
	for _, z := range l.known {
		if z.ID == id {
			return z, nil
		}
	}
	return cloudflare.Zone{}, errors.New("no such zone")
}

// TestDeletedIsProven decides whether a zone is gone if the answer to its deletion was
// lost.
func TestDeletedIsProven(t *testing.T) {
	id := func(digit string) string { return strings.Repeat(digit, 32) }
	ours := cloudflare.Zone{ID: id("a"), Name: "example.com", Type: "full"}
	ours.Account.ID = id("c")
	again := cloudflare.Zone{ID: id("b"), Name: "example.com"}
	tests := []struct {
		reason  string
		calls   lists
		gone    bool
		refused bool
	}{
		{"no zone has the name", lists{}, true, false},
		{"it is listed", lists{listed: []cloudflare.Zone{ours}}, false, false},
		{"the name was added again", lists{listed: []cloudflare.Zone{again}, known: []cloudflare.Zone{again}}, true, false},
		{"nobody knows the ID that the list gave: it may be our zone", lists{listed: []cloudflare.Zone{again}, known: []cloudflare.Zone{ours}}, false, true},
	}
	for _, tc := range tests {
		a := &adapter{mg: untried(), api: tc.calls}
		meta.AddAnnotations(a.mg, map[string]string{annotationDeleting: a.DeletionRecord(ours)})
		gone, err := a.DeletionCompleted(t.Context())
		if gone != tc.gone || (err != nil) != tc.refused {
			t.Errorf("%s: gone is %t, error %v", tc.reason, gone, err)
		}
	}
}
