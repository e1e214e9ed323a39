// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package export

import (
	"github.com/crossplane/crossplane-runtime/v2/pkg/meta"
	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Options are the parts of manifests that do not come from Cloudflare.
type Options struct {
	// Namespace is the namespace of the objects.
	Namespace string
	// Config is the provider config of the objects.
	Config xpv2.ProviderConfigReference
	// Manage is true if the objects manage their resources. Otherwise they only observe them.
	Manage bool
}

// A LeftOut is an external resource without a manifest.
type LeftOut struct {
	// What is the resource, and Why is the reason.
	What, Why string
}

func (o Options) meta(name, id string) metav1.ObjectMeta {
	return metav1.ObjectMeta{
		Name: name, Namespace: o.Namespace,
		Annotations: map[string]string{meta.AnnotationKeyExternalName: id},
	}
}

func (o Options) spec() xpv2.ManagedResourceSpec {
	config := o.Config
	s := xpv2.ManagedResourceSpec{ProviderConfigReference: &config}
	if !o.Manage {
		s.ManagementPolicies = xpv2.ManagementPolicies{xpv2.ManagementActionObserve}
	}
	return s
}
