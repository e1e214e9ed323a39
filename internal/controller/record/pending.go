// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package record

import (
	"encoding/json"

	"github.com/provider-cloudflare/provider-cloudflare/apis/dns/v1alpha1"
	"github.com/provider-cloudflare/provider-cloudflare/internal/dnsrecord"
)

// AnnotationPending holds the natural key of the record that is about to be created, and the ID
// of its zone. It is written together with the runtime's create-pending annotation, before the
// call, and removed when the outcome is known. It informs users; the provider relies on the entry
// of the journal.
const AnnotationPending = v1alpha1.Group + "/pending-record"

// A pending is the content of the annotation.
type pending struct {
	dnsrecord.Key

	Zone string `json:",omitempty"`
}

// noteOf returns the note of a key in the zone with that ID.
func noteOf(k dnsrecord.Key, zoneID string) (string, error) {
	v, err := json.Marshal(pending{k, zoneID})
	return string(v), err
}
