// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package behaviour

import (
	"fmt"
	"testing"

	"github.com/crossplane/crossplane-runtime/v2/pkg/meta"
	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/ptr"

	dnsv1alpha1 "github.com/provider-cloudflare/provider-cloudflare/apis/dns/v1alpha1"
	tunnelv1alpha1 "github.com/provider-cloudflare/provider-cloudflare/apis/tunnel/v1alpha1"
)

// TestRecordOfATunnel has a Record refer to a Tunnel. The Record waits for a Tunnel that
// has no ID yet. It follows a new ID of the Tunnel, and an edit of the reference, and
// keeps its record.
func TestRecordOfATunnel(t *testing.T) {
	inParallel(t, func(t *testing.T) {
		w := newWorld(t)
		const first, second, third = "c1744f8b-faa1-48a4-9e5c-02ac921467fa", "00000000-faa1-48a4-9e5c-02ac921467fa", "11111111-faa1-48a4-9e5c-02ac921467fa"
		tunnel := func(name, id string) *tunnelv1alpha1.Tunnel {
			o := &tunnelv1alpha1.Tunnel{ObjectMeta: metav1.ObjectMeta{Name: name, Namespace: w.ns}}
			meta.AddAnnotations(o, map[string]string{meta.AnnotationKeyReconciliationPaused: "true"}) // What it is does not matter here.
			o.Spec.ForProvider.Name = ptr.To(name)
			o.Spec.ProviderConfigReference = w.record("", "", "").Spec.ProviderConfigReference
			if id != "" {
				meta.SetExternalName(o, id)
			}
			w.create(o)
			return o
		}
		one := tunnel("one", "")
		tunnel("two", third)
		r := w.record("app", "CNAME", "", func(r *dnsv1alpha1.Record) {
			r.Spec.ForProvider.Content, r.Spec.ForProvider.TunnelIDRef = nil, &xpv2.NamespacedReference{Name: "one"}
		})
		w.create(r)
		refused(w, r, "cannot resolve references", "TunnelID")
		w.noRecords()

		edit(w, one, func(o *tunnelv1alpha1.Tunnel) { meta.SetExternalName(o, first) })
		settled(w, r)
		was := w.live("CNAME")
		if was.Content != first+".cfargotunnel.com" || !was.Proxied {
			t.Errorf("the record is %+v, want a proxied one to the tunnel", was)
		}
		leads := func(id string) {
			t.Helper()
			w.eventually(func() error {
				if now := w.live("CNAME"); now.ID != was.ID || now.Content != id+".cfargotunnel.com" {
					return fmt.Errorf("record %s leads to %s, want %s to %s", now.ID, now.Content, was.ID, id)
				}
				return nil
			})
			settled(w, r)
		}
		edit(w, one, func(o *tunnelv1alpha1.Tunnel) { meta.SetExternalName(o, second) })
		edit(w, r, func(r *dnsv1alpha1.Record) { r.Spec.ForProvider.Comment = ptr.To("look again") })
		leads(second)
		edit(w, r, func(r *dnsv1alpha1.Record) { r.Spec.ForProvider.TunnelIDRef.Name = "two" })
		leads(third)
	}, tunnelv1alpha1.TunnelKind)
}
