// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

// Package rights holds the tests of what the provider and people may do in the
// cluster: the roles of cluster/rbac, on an API server that authorises by them and
// writes down every request.
package rights
