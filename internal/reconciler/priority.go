// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package reconciler

import "sigs.k8s.io/controller-runtime/pkg/handler"

// Priorities in the work queue, for what somebody is waiting for before what
// nobody is. An object that is added twice keeps the higher of its priorities.
const (
	// PriorityEdit is for what a user changed on an object that exists, deletions
	// included: one edit does not wait for thousands of creations.
	PriorityEdit = 100
	// PriorityCreate is for new objects. It is what the queue gives by itself.
	PriorityCreate = 0
	// PriorityDrift is for objects whose external resource was changed outside
	// the provider.
	PriorityDrift = -50
	// PriorityPoll is for looking again at what was well the last time: polls, and
	// after a restart the objects that nobody touched.
	PriorityPoll = handler.LowPriority
)
