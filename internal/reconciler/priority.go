// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package reconciler

import "sigs.k8s.io/controller-runtime/pkg/handler"

// Priorities in the work queue: what a user waits for comes first. An object that is
// added twice keeps the higher of its priorities.
const (
	// PriorityEdit is for changes that a user made to an existing object, deletions
	// included: one edit does not wait for thousands of creations.
	PriorityEdit = 100
	// PriorityCreate is for new objects. It is the default of the queue.
	PriorityCreate = 0
	// PriorityDrift is for objects whose external resource was changed outside the
	// provider.
	PriorityDrift = -50
	// PriorityPoll is for objects that were healthy the last time: polls, and the
	// unchanged objects after a restart.
	PriorityPoll = handler.LowPriority
)
