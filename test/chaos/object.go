// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
)

// A described is an object of a described kind, as the API server returns it.
type described struct{ *unstructured.Unstructured }

// GetCondition returns the condition of that type.
func (d described) GetCondition(t xpv2.ConditionType) xpv2.Condition {
	status := d.status()
	return status.GetCondition(t)
}

func (d described) status() xpv2.ConditionedStatus {
	var out struct {
		Status xpv2.ConditionedStatus `json:"status"`
	}
	_ = runtime.DefaultUnstructuredConverter.FromUnstructured(d.Object, &out) // out stays empty without conditions
	return out.Status
}

// parameter returns a member of spec.forProvider, nil if it does not exist.
func (d described) parameter(name string) any {
	v, _, _ := unstructured.NestedFieldNoCopy(d.Object, "spec", "forProvider", name) // an error means no member
	return v
}
