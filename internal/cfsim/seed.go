// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package cfsim

import (
	"cmp"
	"errors"
	"fmt"
	"net/netip"
	"slices"
	"strings"
	"time"
)

// An Account owns zones.
type Account struct {
	ID   string `json:"id"`
	Name string `json:"name"`
}

// A Zone is a copy of a zone, for tests to look at.
type Zone struct {
	ID          string     `json:"id"`
	Name        string     `json:"name"`
	AccountID   string     `json:"account_id"`
	Type        string     `json:"type"`
	Plan        Plan       `json:"plan"`
	Status      ZoneStatus `json:"status"`
	Paused      bool       `json:"paused"`
	NameServers []string   `json:"name_servers"`
	CreatedOn   time.Time  `json:"created_on"`
}

// ZoneOptions of AddZone; the zero value is an active full zone on Free.
type ZoneOptions struct {
	ID     string     `json:"id,omitempty"`     // "" means a new one
	Plan   Plan       `json:"plan,omitempty"`   // "" means Free
	Status ZoneStatus `json:"status,omitempty"` // "" means active
	Type   string     `json:"type,omitempty"`   // "" means full
	// RecordQuota is how many records the zone may hold, where it is not what
	// the plan says.
	RecordQuota int `json:"record_quota,omitempty"`
	// CreatedOn is when the zone was created; zero is now. Free zones that
	// predate September 2024 have a larger quota.
	CreatedOn time.Time `json:"created_on,omitzero"`
}

// TokenOptions of AddToken; the zero value is a user's active token without any
// permission.
type TokenOptions struct {
	// Value of the token; "" means a new one in the form of today's.
	Value string `json:"value,omitempty"`
	// Account owns the token; "" makes it a user's.
	Account string `json:"account,omitempty"`
	// User shares a rate limit with the other tokens of the same user; "" has
	// one of its own.
	User string `json:"user,omitempty"`
	// Name of the token, and Email of the user it belongs to, as audit logs show them.
	Name      string      `json:"name,omitempty"`
	Email     string      `json:"email,omitempty"`
	Grants    []Grant     `json:"grants,omitempty"`
	Status    TokenStatus `json:"status,omitempty"` // "" means active
	NotBefore time.Time   `json:"not_before,omitzero"`
	ExpiresOn time.Time   `json:"expires_on,omitzero"`
	// From are the addresses the token may be used from; none is from all. From
	// another it may not even be verified.
	From []netip.Prefix `json:"from,omitempty"`
}

// ErrUnknown says that the simulator has no account, zone or record of an ID.
var ErrUnknown = errors.New("unknown ID")

// AddAccount adds an account.
func (s *Server) AddAccount(name string) Account {
	s.mu.Lock()
	defer s.mu.Unlock()
	a := &Account{ID: s.newID(), Name: name}
	s.accounts[a.ID] = a
	return *a
}

// AddZone adds a zone to an account, past the checks of the API.
func (s *Server) AddZone(account, name string, o ZoneOptions) (Zone, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	canonical, ok := zoneName(name)
	o.Plan = cmp.Or(o.Plan, PlanFree)
	o.Status = cmp.Or(o.Status, ZoneActive)
	o.Type = cmp.Or(o.Type, "full")
	switch {
	case s.accounts[account] == nil:
		return Zone{}, fmt.Errorf("cannot add zone %s: account %q: %w", name, account, ErrUnknown)
	case !ok:
		return Zone{}, fmt.Errorf("cannot add zone: %q is no domain name", name)
	case !o.Plan.valid():
		return Zone{}, fmt.Errorf("cannot add zone %s: there is no plan %q", name, o.Plan)
	case o.ID != "" && (!validID(o.ID) || s.zones[o.ID] != nil):
		return Zone{}, fmt.Errorf("cannot add zone %s: ID %q is malformed or taken", name, o.ID)
	}
	z := s.newZone(account, canonical, o.Plan)
	z.id, z.kind, z.recordQuota = cmp.Or(o.ID, z.id), o.Type, o.RecordQuota
	if !o.CreatedOn.IsZero() {
		z.createdOn = o.CreatedOn.UTC()
	}
	z.setStatus(o.Status, s.now())
	s.zones[z.id] = z
	return z.public(), nil
}

// AddToken adds an API token and returns its value.
func (s *Server) AddToken(o TokenOptions) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	value := o.Value
	if value == "" {
		value = s.newTokenValue(o.Account != "")
	}
	s.creds[value] = &credential{
		id: s.newID(), name: o.Name, owner: userID(o.Email), ownerEmail: o.Email, account: o.Account, user: o.User,
		status:    cmp.Or(o.Status, TokenActive),
		notBefore: o.NotBefore, expiresOn: o.ExpiresOn, from: o.From, grants: slices.Clone(o.Grants),
	}
	return value
}

// SetTokenStatus disables, expires or revives a token.
func (s *Server) SetTokenStatus(value string, status TokenStatus) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	cred := s.creds[value]
	if cred == nil {
		return fmt.Errorf("cannot set the token's status: %w", ErrUnknown)
	}
	cred.status = status
	return nil
}

// RevokeToken deletes a token.
func (s *Server) RevokeToken(value string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.creds, value)
}

// AddGlobalKey adds a user with a global API key, which may do everything, and
// returns the key.
func (s *Server) AddGlobalKey(email string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	key := s.newID() + s.newID()[:5]
	s.creds[globalKey(email, key)] = &credential{id: s.newID(), email: email, user: email, status: TokenActive}
	return key
}

func (z *zone) public() Zone {
	return Zone{
		ID: z.id, Name: z.name, AccountID: z.accountID, Type: z.kind, Plan: z.plan, Status: z.status, Paused: z.paused,
		NameServers: slices.Clone(z.nameServers), CreatedOn: z.createdOn,
	}
}

func (z *zone) setStatus(status ZoneStatus, now time.Time) {
	if status == ZoneActive {
		z.activate(now)
		return
	}
	z.status, z.delegated, z.pendingFrom, z.modifiedOn = status, false, now, now
}

// Accounts are all accounts by name.
func (s *Server) Accounts() []Account {
	s.mu.Lock()
	defer s.mu.Unlock()
	list := make([]Account, 0, len(s.accounts))
	for _, a := range s.accounts {
		list = append(list, *a)
	}
	slices.SortFunc(list, func(a, b Account) int { return strings.Compare(a.Name+a.ID, b.Name+b.ID) })
	return list
}

// Zones are all zones by name.
func (s *Server) Zones() []Zone {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.settle(s.now())
	list := make([]Zone, 0, len(s.zones))
	for _, z := range s.zones {
		list = append(list, z.public())
	}
	slices.SortFunc(list, func(a, b Zone) int { return strings.Compare(a.Name+a.ID, b.Name+b.ID) })
	return list
}

// withZone runs do on a zone, under the lock and at the current time.
func (s *Server) withZone(id string, do func(z *zone, now time.Time) error) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.settle(s.now())
	z := s.zones[id]
	if z == nil {
		return fmt.Errorf("zone %q: %w", id, ErrUnknown)
	}
	return do(z, s.now())
}

// ActivateZone makes a zone active, as when its name servers have been found at
// its registrar.
func (s *Server) ActivateZone(id string) error { return s.SetZoneStatus(id, ZoneActive) }

// SetZoneStatus sets a zone's status, and the delegation it comes with.
func (s *Server) SetZoneStatus(id string, status ZoneStatus) error {
	return s.withZone(id, func(z *zone, now time.Time) error {
		z.setStatus(status, now)
		return nil
	})
}

// SetDelegated changes what the zone's registrar says about its name servers. The
// next activation check, asked for or hourly, finds out.
func (s *Server) SetDelegated(id string, delegated bool) error {
	return s.withZone(id, func(z *zone, _ time.Time) error {
		z.delegated = delegated
		return nil
	})
}

// SetPlan subscribes a zone to another plan. Records beyond its limits stay.
func (s *Server) SetPlan(id string, plan Plan) error {
	return s.withZone(id, func(z *zone, now time.Time) error {
		if !plan.valid() {
			return fmt.Errorf("cannot set the plan: there is no plan %q", plan)
		}
		z.plan, z.modifiedOn = plan, now
		return nil
	})
}

// SetZoneHold puts a hold on a zone name, or takes it away: nobody can add it.
func (s *Server) SetZoneHold(name string, held bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.holds[strings.ToLower(strings.TrimSuffix(name, "."))] = held
}

// DeleteZone deletes a zone as a dashboard user does.
func (s *Server) DeleteZone(id string) error {
	return s.withZone(id, func(z *zone, now time.Time) error {
		s.dropZone(z, now)
		return nil
	})
}
