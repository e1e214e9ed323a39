// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

// Package reconciler connects crossplane-runtime's managed.Reconciler to the kinds. It knows
// no kind and no call to Cloudflare.
//
//   - A [Builder] builds the controller of one kind from the parts below.
//   - A [Client] saves requests to the Kubernetes API, and records what it wrote in [Writes].
//   - An [EventHandler] decides which events of a kind's objects add them to the work queue,
//     and with which priority.
//   - [NewRecorder] returns a recorder of Kubernetes events at bounded rates.
//   - [CountStates] and [ReadinessRecorder] feed the runtime's metrics.
//   - A [State] is the state of one reconcile. The context carries it between code that the
//     runtime calls separately.
//   - [AttemptSettledAt] and [AttemptVisibleSince] read what an object's
//     annotations say about creating its external resource.
package reconciler
