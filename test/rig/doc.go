// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

// Package rig is what the test programs stand on that run the whole system with
// each part a process of its own: a control plane, the simulator of the Cloudflare
// API, the provider. It starts them, ends them as asked or without warning, and
// tells who ended by itself.
package rig
