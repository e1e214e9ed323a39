// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

// Package v1alpha1 holds the DNS kinds of provider-cloudflare.
//
// +kubebuilder:object:generate=true
// +groupName=dns.cloudflare.m.crossplane.io
// +versionName=v1alpha1
package v1alpha1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// API group and version of this package.
const (
	Group   = "dns.cloudflare.m.crossplane.io"
	Version = "v1alpha1"
)

var (
	// SchemeGroupVersion is the group and version of this package's kinds.
	SchemeGroupVersion = schema.GroupVersion{Group: Group, Version: Version}

	// SchemeBuilder collects this package's kinds.
	SchemeBuilder = runtime.NewSchemeBuilder(func(s *runtime.Scheme) error {
		s.AddKnownTypes(SchemeGroupVersion,
			&Record{}, &RecordList{},
		)
		s.AddKnownTypes(SchemeGroupVersion, described()...)
		metav1.AddToGroupVersion(s, SchemeGroupVersion)
		return nil
	})
)

// RecordKind is the kind of a Record.
const RecordKind = "Record"

// RecordGroupVersionKind is the group, version and kind of a Record.
var RecordGroupVersionKind = SchemeGroupVersion.WithKind(RecordKind)
