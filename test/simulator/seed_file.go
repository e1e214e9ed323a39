// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package simulator

import (
	"cmp"
	"fmt"
)

// A Seed is a simulated world as JSON.
type Seed struct {
	Accounts   []SeedAccount  `json:"accounts,omitempty"`
	Tokens     []TokenOptions `json:"tokens,omitempty"`      // With zones and accounts by ID or name.
	GlobalKeys []string       `json:"global_keys,omitempty"` // Email addresses.
}

// A SeedAccount is an account with its zones.
type SeedAccount struct {
	ID    string     `json:"id,omitempty"`
	Name  string     `json:"name"`
	Zones []SeedZone `json:"zones,omitempty"`
}

// A SeedZone is a zone with its records in the API's form.
type SeedZone struct {
	Name string `json:"name"`
	ZoneOptions
	Records []map[string]any `json:"records,omitempty"`
}

// Seeded has the IDs and secrets that a seed has created, by name.
type Seeded struct {
	Accounts   map[string]string `json:"accounts,omitempty"`
	Zones      map[string]string `json:"zones,omitempty"`
	Tokens     []string          `json:"tokens,omitempty"`      // Values, in the order of the seed.
	GlobalKeys map[string]string `json:"global_keys,omitempty"` // By email address.
}

// Apply adds the objects of a seed. It stops at the first error.
func (s *Server) Apply(seed Seed) (Seeded, error) {
	made := Seeded{Accounts: map[string]string{}, Zones: map[string]string{}, GlobalKeys: map[string]string{}}
	for _, a := range seed.Accounts {
		account, err := s.seedAccount(a)
		if err != nil {
			return made, err
		}
		made.Accounts[a.Name] = account.ID
		for _, z := range a.Zones {
			zone, err := s.AddZone(account.ID, z.Name, z.ZoneOptions)
			if err != nil {
				return made, err
			}
			made.Zones[zone.Name] = zone.ID
			for i, body := range z.Records {
				if _, err := s.CreateRecord(zone.ID, body); err != nil {
					return made, fmt.Errorf("cannot create record %d of zone %s: %w", i, zone.Name, err)
				}
			}
		}
	}
	for _, t := range seed.Tokens {
		t.Account = s.accountNamed(t.Account)
		for i, g := range t.Grants {
			t.Grants[i].Account, t.Grants[i].Zone = s.accountNamed(g.Account), s.zoneNamed(g.Zone)
		}
		made.Tokens = append(made.Tokens, s.AddToken(t))
	}
	for _, email := range seed.GlobalKeys {
		made.GlobalKeys[email] = s.AddGlobalKey(email)
	}
	return made, nil
}

func (s *Server) seedAccount(a SeedAccount) (Account, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if a.ID != "" && (!validID(a.ID) || s.accounts[a.ID] != nil) {
		return Account{}, fmt.Errorf("cannot add account %s: ID %q is malformed or taken", a.Name, a.ID)
	}
	account := &Account{ID: cmp.Or(a.ID, s.newID()), Name: a.Name}
	s.accounts[account.ID] = account
	return *account, nil
}

// accountNamed returns the ID of the account with a name, or the name itself if there
// is none.
func (s *Server) accountNamed(name string) string {
	for _, a := range s.Accounts() {
		if a.Name == name {
			return a.ID
		}
	}
	return name
}

func (s *Server) zoneNamed(name string) string {
	for _, z := range s.Zones() {
		if z.Name == name {
			return z.ID
		}
	}
	return name
}
