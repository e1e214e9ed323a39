// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package external

import (
	"fmt"
	"sync"
	"time"

	"github.com/crossplane/crossplane-runtime/v2/pkg/meta"
	"github.com/crossplane/crossplane-runtime/v2/pkg/resource"
	"k8s.io/apimachinery/pkg/types"
)

// A Viewer can look at what was seen before, of itself or by others.
type Viewer interface {
	// ViewSince comes before Prepare, for an object that was not looked for yet as it is: what it finds has to be seen
	// after that time.
	ViewSince(t time.Time)
}

// Sights remember since when this process knows each object of a kind, with its management policies, and whether
// it has looked for the external resource since. What a resource was before is no drift of the object, and nobody's fault.
// The time is of this process's clock, as that of lists is. A nil Sights remembers nothing. Sights are safe for concurrent use.
type Sights struct {
	now func() time.Time

	mu sync.Mutex
	of map[types.UID]sight
}

type sight struct {
	policies string
	since    time.Time
	looked   bool
}

// NewSights makes the Sights of a kind.
func NewSights(now func() time.Time) *Sights { return &Sights{now: now, of: map[types.UID]sight{}} }

// See notes an object, unless it is known as it is.
func (s *Sights) See(mg resource.Managed) { s.first(mg) }

// first gives since when the object is known as it is, and reports whether it was not looked for since then.
func (s *Sights) first(mg resource.Managed) (since time.Time, is bool) {
	if s == nil || meta.WasDeleted(mg) {
		return time.Time{}, false
	}
	policies := policiesOf(mg)
	s.mu.Lock()
	defer s.mu.Unlock()
	known, ok := s.of[mg.GetUID()]
	if !ok || known.policies != policies {
		known = sight{policies: policies, since: s.now()}
		s.of[mg.GetUID()] = known
	}
	return known.since, !known.looked
}

// looked notes that the external resource was looked for, by an object as mg is.
func (s *Sights) looked(mg resource.Managed) {
	if s == nil {
		return
	}
	policies := policiesOf(mg)
	s.mu.Lock()
	defer s.mu.Unlock()
	known, ok := s.of[mg.GetUID()]
	if ok && known.policies == policies {
		known.looked = true
		s.of[mg.GetUID()] = known
	}
}

// forget forgets an object.
func (s *Sights) forget(uid types.UID) {
	if s == nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.of, uid)
}

func policiesOf(mg resource.Managed) string { return fmt.Sprint(mg.GetManagementPolicies()) }
