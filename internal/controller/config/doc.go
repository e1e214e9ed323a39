// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

// Package config reconciles ProviderConfigs and ClusterProviderConfigs. It reports on
// their Ready condition whether Cloudflare accepts their credentials, and keeps them as
// long as objects use them.
package config
