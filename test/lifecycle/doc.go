// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

// Package lifecycle holds tests of how things end: objects, provider configs,
// Secrets, namespaces, kinds, the provider itself. They run the real provider on a
// whole control plane, with the namespace controller and the garbage collector of
// Kubernetes, against the simulator.
package lifecycle
