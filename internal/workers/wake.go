// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package workers

import (
	"k8s.io/utils/ptr"
	"sigs.k8s.io/controller-runtime/pkg/controller/priorityqueue"
)

// Wake adds objects to the queue with a priority. It leaves out objects whose kind is not
// reconciled here. Before the pool has begun it adds none: the pool begins with every object.
func (p *Pool) Wake(priority int, objects ...Request) {
	p.mu.RLock()
	q := p.queue
	var known []Request
	for _, r := range objects {
		if _, ok := p.kinds[r.Kind]; ok {
			known = append(known, r)
		}
	}
	p.mu.RUnlock()
	if q != nil && len(known) > 0 {
		q.AddWithOpts(priorityqueue.AddOpts{Priority: ptr.To(priority)}, known...)
	}
}
