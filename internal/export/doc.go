// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

// Package export turns what Cloudflare has into manifests. It is pure: it asks nobody.
//
// Each manifest names its resource by the annotation crossplane.io/external-name, so an
// object that is made from it is of that very resource. Applying a manifest changes nothing
// at Cloudflare: what the resource has is what the manifest declares. The same resources
// give the same manifests, in the same order.
package export
