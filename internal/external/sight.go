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

// A FreshnessRequirer can use what was seen before, by itself or by others.
type FreshnessRequirer interface {
	// RequireSince comes before Prepare, for an object that has had no successful look since t, when this process saw it
	// as it is. What the FreshnessRequirer uses has to be seen after t.
	RequireSince(t time.Time)
}

// Sights remember since when this process knows each object of a kind with its management policies, and whether it
// has looked for the external resource since. A difference from before that time is not a drift of the object. The
// times are of this process's clock, like those of lists. A nil Sights remembers nothing. Sights are safe for
// concurrent use.
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

// NewSights returns the empty Sights of a kind.
func NewSights(now func() time.Time) *Sights { return &Sights{now: now, of: map[types.UID]sight{}} }

// See records an object, unless it is known with its current policies.
func (s *Sights) See(mg resource.Managed) { s.first(mg) }

// first returns since when the object is known as it is, and reports whether there was no successful look since then.
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

// looked records a successful look for the external resource by an object with the policies of mg.
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

// forget removes an object.
func (s *Sights) forget(uid types.UID) {
	if s == nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.of, uid)
}

func policiesOf(mg resource.Managed) string { return fmt.Sprint(mg.GetManagementPolicies()) }
