// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package record

import (
	"testing"

	"github.com/crossplane/crossplane-runtime/v2/pkg/meta"

	"github.com/provider-cloudflare/provider-cloudflare/apis/dns/v1alpha1"
)

// FuzzPendingKey reads anything as the note of a record that is about to be
// created: anybody who may edit a Record may write it.
func FuzzPendingKey(f *testing.F) {
	for _, s := range []string{
		"", "{}", "null", "[]", `{"Name":"www.example.com","Type":"A","Rdata":"192.0.2.1"}`, `{"Name":1}`, `{"Name":"a"`, "\x00", `{"name":"a","TYPE":"A"}`,
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		mg := &v1alpha1.Record{}
		meta.AddAnnotations(mg, map[string]string{AnnotationPending: s})
		key, ok := pendingKey(mg)
		if !ok {
			return
		}
		if key.Name == "" {
			t.Errorf("%q is a key without a name", s)
		}
		if err := setPending(mg, key, testZone); err != nil {
			t.Fatal(err)
		}
		if again, ok := pendingKey(mg); !ok || again != key {
			t.Errorf("%q is read as %+v, written and read again as %+v", s, key, again)
		}
		meta.RemoveAnnotations(mg, AnnotationPending)
		if _, ok := pendingKey(mg); ok {
			t.Errorf("%q does not go away", s)
		}
	})
}
