// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

// Package node adds a node to a control plane. Kubelet is a real one, with containers.
// Processes needs no containers, so that every user can run it.
package node
