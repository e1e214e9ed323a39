// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

// Package export turns the resources at Cloudflare into manifests. It makes no calls.
//
// Each manifest names its resource by the annotation crossplane.io/external-name, so its object
// is bound to that resource. Applying a manifest changes nothing at Cloudflare: it declares what
// the resource has. The same resources produce the same manifests, in the same order.
package export
