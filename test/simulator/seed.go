// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package simulator

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

// A Zone is a copy of a zone for tests.
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

// ZoneOptions are the options of AddZone. The zero value is an active full zone on
// Free.
type ZoneOptions struct {
	ID     string     `json:"id,omitempty"`     // "" means a new one.
	Plan   Plan       `json:"plan,omitempty"`   // "" means Free.
	Status ZoneStatus `json:"status,omitempty"` // "" means active.
	Type   string     `json:"type,omitempty"`   // "" means full.
	// RecordQuota is the maximum number of records in the zone; 0 means the limit of
	// the plan.
	RecordQuota int `json:"record_quota,omitempty"`
	// CreatedOn is the time of the zone's creation; zero means now. Free zones from
	// before September 2024 have a larger quota.
	CreatedOn time.Time `json:"created_on,omitzero"`
}

// TokenOptions are the options of AddToken. The zero value is an active token of a user
// without permissions.
type TokenOptions struct {
	// Value is the value of the token; "" means a new one in today's form.
	Value string `json:"value,omitempty"`
	// Account is the account that owns the token; "" means a token of a user.
	Account string `json:"account,omitempty"`
	// User shares a rate limit with the other tokens of the same user; "" means a rate
	// limit of its own.
	User string `json:"user,omitempty"`
	// Name is the name of the token, and Email the address of its user. Audit logs show
	// them.
	Name      string      `json:"name,omitempty"`
	Email     string      `json:"email,omitempty"`
	Grants    []Grant     `json:"grants,omitempty"`
	Status    TokenStatus `json:"status,omitempty"` // "" means active.
	NotBefore time.Time   `json:"not_before,omitzero"`
	ExpiresOn time.Time   `json:"expires_on,omitzero"`
	// From has the addresses from which the token may be used; empty means all. From
	// other addresses, the token cannot even be verified.
	From []netip.Prefix `json:"from,omitempty"`
}

// ErrUnknown means that the simulator has no account, zone, record or other object with
// an ID.
var ErrUnknown = errors.New("unknown ID")

// AddAccount adds an account.
func (s *Server) AddAccount(name string) Account {
	s.mu.Lock()
	defer s.mu.Unlock()
	a := &Account{ID: s.newID(), Name: name}
	s.accounts[a.ID] = a
	return *a
}

// AddZone adds a zone to an account. It skips the checks of the API.
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

// SetTokenStatus sets the status of a token.
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

// AddGlobalKey adds a user with a global API key, which has all permissions, and
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

// Accounts returns all accounts, ordered by name.
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

// Zones returns all zones, ordered by name.
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

// withZone calls do with a zone and the current time. The lock is held during the call.
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

// ActivateZone makes a zone active, as if its name servers were found at its registrar.
func (s *Server) ActivateZone(id string) error { return s.SetZoneStatus(id, ZoneActive) }

// SetZoneStatus sets a zone's status and the delegation that goes with it.
func (s *Server) SetZoneStatus(id string, status ZoneStatus) error {
	return s.withZone(id, func(z *zone, now time.Time) error {
		z.setStatus(status, now)
		return nil
	})
}

// SetDelegated sets whether the registrar delegates the zone to Cloudflare. The next
// activation check, requested or hourly, applies it.
func (s *Server) SetDelegated(id string, delegated bool) error {
	return s.withZone(id, func(z *zone, _ time.Time) error {
		z.delegated = delegated
		return nil
	})
}

// SetPlan changes the plan of a zone. Records beyond the new limits stay.
func (s *Server) SetPlan(id string, plan Plan) error {
	return s.withZone(id, func(z *zone, now time.Time) error {
		if !plan.valid() {
			return fmt.Errorf("cannot set the plan: there is no plan %q", plan)
		}
		z.plan, z.modifiedOn = plan, now
		return nil
	})
}

// SetZoneHold sets or removes a hold on a zone name. A zone with a name on hold cannot
// be added.
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
