// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

// Package apis collects the API groups of provider-cloudflare.
package apis

import (
	"k8s.io/apimachinery/pkg/runtime"

	dnsv1alpha1 "github.com/provider-cloudflare/provider-cloudflare/apis/dns/v1alpha1"
	cfv1alpha1 "github.com/provider-cloudflare/provider-cloudflare/apis/v1alpha1"
	zonev1alpha1 "github.com/provider-cloudflare/provider-cloudflare/apis/zone/v1alpha1"
)

// AddToScheme adds every kind of every group to s.
func AddToScheme(s *runtime.Scheme) error {
	b := runtime.NewSchemeBuilder(
		cfv1alpha1.SchemeBuilder.AddToScheme,
		dnsv1alpha1.SchemeBuilder.AddToScheme,
		zonev1alpha1.SchemeBuilder.AddToScheme,
	)
	b.Register(described()...)
	return b.AddToScheme(s)
}
