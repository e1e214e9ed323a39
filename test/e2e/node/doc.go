// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

// Package node gives a control plane a node. Kubelet is a real one, with containers;
// Processes is one that everybody can run, without.
package node
