// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

// Package config reconciles ProviderConfigs and ClusterProviderConfigs: it says
// on their Ready condition whether Cloudflare accepts their credentials, and
// keeps them for as long as something uses them.
package config
