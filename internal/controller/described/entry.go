// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

// Package described has the controllers of the kinds that have a description.
package described

import (
	"github.com/crossplane/crossplane-runtime/v2/pkg/resource"
	"k8s.io/apimachinery/pkg/runtime/schema"

	apisv1alpha1 "github.com/provider-cloudflare/provider-cloudflare/apis/v1alpha1"
	"github.com/provider-cloudflare/provider-cloudflare/internal/external/claim"
	"github.com/provider-cloudflare/provider-cloudflare/internal/kind"
)

// An Object is an object of a described kind.
type Object interface {
	resource.ModernManaged
	GetForProvider() any
	GetAtProvider() any
	GetSync() *apisv1alpha1.SyncStatus
	claim.OwnershipStatus
	GetAdoptionPolicy() apisv1alpha1.AdoptionPolicy
	GetSecretPolicy() apisv1alpha1.SecretPolicy
	GetConnectionSecretName() string
	GetLastHandledReconcileAt() string
	SetLastHandledReconcileAt(token string)
}

// An entry is a described kind with its Go types.
type entry struct {
	Description kind.Description
	// Variants are the variants of the kind, by the value of the parameter Description.VariantBy.
	Variants kind.Variants
	GVK      schema.GroupVersionKind
	New      func() Object
	NewList  func() resource.ManagedList
}
