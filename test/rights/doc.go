// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

// Package rights holds the tests of what the provider and users may do in the cluster with the
// roles of cluster/rbac. The API server authorizes with these roles and logs every request.
package rights
