// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

// Package v1alpha1 holds the zone kinds of provider-cloudflare.
//
// +kubebuilder:object:generate=true
// +groupName=zone.cloudflare.m.crossplane.io
// +versionName=v1alpha1
package v1alpha1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// API group and version of this package.
const (
	Group   = "zone.cloudflare.m.crossplane.io"
	Version = "v1alpha1"
)

var (
	// SchemeGroupVersion is the group and version of this package's kinds.
	SchemeGroupVersion = schema.GroupVersion{Group: Group, Version: Version}

	// SchemeBuilder collects this package's kinds.
	SchemeBuilder = runtime.NewSchemeBuilder(func(s *runtime.Scheme) error {
		s.AddKnownTypes(SchemeGroupVersion,
			&Zone{}, &ZoneList{},
		)
		s.AddKnownTypes(SchemeGroupVersion, described()...)
		metav1.AddToGroupVersion(s, SchemeGroupVersion)
		return nil
	})
)

// ZoneKind is the kind of a Zone.
const ZoneKind = "Zone"

// ZoneGroupVersionKind is the group, version and kind of a Zone.
var ZoneGroupVersionKind = SchemeGroupVersion.WithKind(ZoneKind)
