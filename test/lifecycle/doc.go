// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

// Package lifecycle tests deletions: of objects, provider configs, Secrets,
// namespaces, kinds, and the provider itself. The tests run the real provider
// against the simulator, on a whole control plane with the namespace controller
// and the garbage collector of Kubernetes.
package lifecycle
