// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

// Package rig is for test programs that run the whole system with each part as a process: a
// control plane, the simulator of the Cloudflare API, and the provider. It starts, stops and
// kills them, and reports those that ended by themselves.
package rig
