// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package record

import (
	"encoding/json"

	"github.com/crossplane/crossplane-runtime/v2/pkg/meta"

	"github.com/provider-cloudflare/provider-cloudflare/apis/dns/v1alpha1"
	"github.com/provider-cloudflare/provider-cloudflare/internal/dnsrecord"
)

// AnnotationPending holds the natural key of the record that is about to be
// created. It is written together with the runtime's create-pending annotation,
// before the call, and goes when the outcome is known: a process that dies in
// between finds its own record by it, even when the spec was edited since.
const AnnotationPending = v1alpha1.Group + "/pending-record"

// pendingKey is the key of a record this object may have created without
// knowing.
func pendingKey(mg *v1alpha1.Record) (dnsrecord.Key, bool) {
	return keyOf(mg.GetAnnotations()[AnnotationPending])
}

// keyOf is the key that a note says.
func keyOf(note string) (dnsrecord.Key, bool) {
	var k dnsrecord.Key
	if note == "" || json.Unmarshal([]byte(note), &k) != nil {
		return dnsrecord.Key{}, false
	}
	return k, k.Name != ""
}

// A pending record is what a note says: the key of a record, and the ID of its zone.
// Earlier versions have noted the key only.
type pending struct {
	dnsrecord.Key

	Zone string `json:",omitempty"`
}

// pendingZone is the ID of the zone in which this object may have created a record
// without knowing, "" for none.
func pendingZone(mg *v1alpha1.Record) string {
	var p pending
	note := mg.GetAnnotations()[AnnotationPending]
	if _, ok := keyOf(note); !ok || json.Unmarshal([]byte(note), &p) != nil {
		return ""
	}
	return p.Zone
}

// noteOf is the note of a key in the zone of that ID.
func noteOf(k dnsrecord.Key, zoneID string) (string, error) {
	v, err := json.Marshal(pending{k, zoneID})
	return string(v), err
}

func setPending(mg *v1alpha1.Record, k dnsrecord.Key, zoneID string) error {
	note, err := noteOf(k, zoneID)
	if err != nil {
		return err
	}
	meta.AddAnnotations(mg, map[string]string{AnnotationPending: note})
	return nil
}
