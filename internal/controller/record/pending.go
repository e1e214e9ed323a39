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
	var k dnsrecord.Key
	v := mg.GetAnnotations()[AnnotationPending]
	if v == "" || json.Unmarshal([]byte(v), &k) != nil {
		return dnsrecord.Key{}, false
	}
	return k, k.Name != ""
}

func setPending(mg *v1alpha1.Record, k dnsrecord.Key) error {
	v, err := json.Marshal(k)
	if err != nil {
		return err
	}
	meta.AddAnnotations(mg, map[string]string{AnnotationPending: string(v)})
	return nil
}

// clearPending notes that the outcome is known.
func clearPending(mg *v1alpha1.Record) { meta.RemoveAnnotations(mg, AnnotationPending) }
