// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package export

import (
	"github.com/crossplane/crossplane-runtime/v2/pkg/meta"
	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Options are what manifests have that Cloudflare does not say.
type Options struct {
	// Namespace of the objects.
	Namespace string
	// Config is the provider config of the objects.
	Config xpv2.ProviderConfigReference
	// Manage is true for objects that manage what they stand for. Others only observe it.
	Manage bool
}

// A LeftOut is something at Cloudflare that no manifest is made of.
type LeftOut struct {
	// What it is, and Why it is left out.
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
