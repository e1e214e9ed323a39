// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package kinds

import (
	"net/http"
	"reflect"

	"github.com/crossplane/crossplane-runtime/v2/pkg/meta"
	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"

	cfv1alpha1 "github.com/provider-cloudflare/provider-cloudflare/apis/v1alpha1"
	"github.com/provider-cloudflare/provider-cloudflare/internal/controller/described"
	"github.com/provider-cloudflare/provider-cloudflare/internal/export"
	"github.com/provider-cloudflare/provider-cloudflare/internal/kind"
	"github.com/provider-cloudflare/provider-cloudflare/test/harness"
)

// exported shows that an object that is made from the answers of the API about a resource matches it
// without a write. This holds for an object that observes, and for one that manages. It cannot manage a
// resource if a required field is in no answer.
func exported(w *world) {
	first := w.apply()
	id := meta.GetExternalName(first)
	second, ok := reflect.New(reflect.TypeOf(first).Elem()).Interface().(described.Object)
	if !ok {
		w.T.Fatalf("%T is not described", first)
	}
	o := export.Options{Namespace: w.ns, Config: xpv2.ProviderConfigReference{Kind: cfv1alpha1.ProviderConfigKind, Name: "default"}}
	params := w.params()
	if params["zone_id"] != "" {
		delete(params, "account_id") // The account is in one of the two.
	}
	o.Resource(w.d, second, kind.Resource{ID: id, Parameters: params, Live: w.answer(id)})
	orphan(w, first)
	before := len(w.requests())
	w.Create(second)
	w.Settled(second)
	w.lists(2)
	if !w.hides() {
		harness.Edit(w.Objects, second, func(o described.Object) { o.SetManagementPolicies(xpv2.ManagementPolicies{xpv2.ManagementActionAll}) })
		w.Settled(second)
		w.lists(2)
	}
	for _, r := range w.requests()[before:] {
		if r.Method != http.MethodGet {
			w.T.Errorf("something was written: %s", r)
		}
	}
	w.is(1)
}

// hides reports whether an export lacks a required field: the field is in no answer, or comes from a
// Secret.
func (w *world) hides() bool {
	for _, f := range w.d.Fields {
		if f.Required && (f.WriteOnly || f.Secret) {
			return true
		}
	}
	return false
}
