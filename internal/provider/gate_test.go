// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package provider

import (
	"testing"

	"github.com/crossplane/crossplane-runtime/v2/pkg/gate"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/utils/ptr"
)

func TestGateOfAKind(t *testing.T) {
	type conditions = map[apiextensionsv1.CustomResourceDefinitionConditionType]apiextensionsv1.ConditionStatus
	const yes, no = apiextensionsv1.ConditionTrue, apiextensionsv1.ConditionFalse
	tests := []struct {
		reason   string
		is       conditions
		deleted  bool
		unserved bool
		open     bool
	}{
		{"it was just made", nil, false, false, false},
		{"its names are taken", conditions{apiextensionsv1.Established: no}, false, false, false},
		{"it is served", conditions{apiextensionsv1.Established: yes}, false, false, true},
		{"this version is not served", conditions{apiextensionsv1.Established: yes}, false, true, false},
		{"its deletion waits for its objects", conditions{apiextensionsv1.Established: yes, apiextensionsv1.Terminating: yes}, true, false, true},
		{"its last object is gone", conditions{apiextensionsv1.Established: yes, apiextensionsv1.Terminating: no}, true, false, false},
		{"its deletion has not begun", conditions{apiextensionsv1.Established: yes}, true, false, false},
	}
	for _, tc := range tests {
		t.Run(tc.reason, func(t *testing.T) {
			crd := &apiextensionsv1.CustomResourceDefinition{}
			crd.Spec.Group, crd.Spec.Names.Kind = "example.com", "Thing"
			crd.Spec.Versions = []apiextensionsv1.CustomResourceDefinitionVersion{{Name: "v1", Served: !tc.unserved}}
			for c, s := range tc.is {
				crd.Status.Conditions = append(crd.Status.Conditions, apiextensionsv1.CustomResourceDefinitionCondition{Type: c, Status: s})
			}
			if tc.deleted {
				crd.DeletionTimestamp = ptr.To(metav1.Now())
			}
			g := new(gate.Gate[schema.GroupVersionKind])
			if _, err := (gatekeeper{g}).Reconcile(t.Context(), crd); err != nil {
				t.Fatal(err)
			}
			// Setting the same state again changes nothing.
			kind := schema.GroupVersionKind{Group: "example.com", Version: "v1", Kind: "Thing"}
			if changed := g.Set(kind, true); changed == tc.open {
				t.Errorf("%s: open is %t, want %t", tc.reason, !changed, tc.open)
			}
		})
	}
}
