// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package fairqueue

// An Owner is the owner of an item.
type Owner struct {
	// Tenant is the party that must not stop others.
	Tenant string
	// Config is the config with which a tenant reaches the other side. Tenants may share
	// one. It is "" if it is not known.
	Config string
}

// Shares divide workers among tenants, configs and the credentials of the configs, so that
// one of them whose work hangs does not take every worker.
//
// A tenant with nothing running may have a worker, within the bounds of its config and
// credential. The more workers it has, the more must be left for others: see Reserve.
type Shares struct {
	// Workers is the number of workers.
	Workers int
	// Reserve is how many of them are kept for tenants that have few. A tenant gets a
	// second worker while more than a quarter of the reserve is free, a third while more
	// than a half is, and a fourth while more than three quarters are. It gets further
	// ones only from beyond the reserve, and at most half of those.
	Reserve int
	// Tenant is the maximum number of workers of a tenant. A config gets another worker
	// for the tenant only while it has fewer than the tenant may still get.
	Tenant int
	// Each is the maximum number of workers of a config, and of a credential. For tenants
	// with nothing running the maximum is twice that. Other tenants may exceed it by half,
	// while they have fewer workers than are left of that half: one that shares a
	// credential leaves as many to the others as it takes.
	Each int
}

// few is how many workers a tenant may have of the reserve.
const few = 4

// A group counts its running items. It is a tenant, a config or a credential.
type group struct {
	working int
	// users is the number of owners and running items that refer to the group.
	users int
	// turn is when a tenant last had its turn.
	turn uint64
}

// places are the groups that an item counts against. The config and the credential are nil
// if they are not known.
type places struct {
	tenant, config, credential *group
	names                      [3]string // of tenant, config and credential
}

// shares count the workers of each group. They are not safe for concurrent use.
type shares struct {
	Shares

	working                       int
	tenants, configs, credentials map[string]*group
}

func newShares(s Shares) shares {
	return shares{Shares: s, tenants: map[string]*group{}, configs: map[string]*group{}, credentials: map[string]*group{}}
}

// refer returns the places of an owner, which are kept until they are dropped.
func (s *shares) refer(o Owner, credential string) places {
	p := places{names: [3]string{o.Tenant, o.Config, credential}, tenant: use(s.tenants, o.Tenant)}
	if o.Config != "" {
		p.config = use(s.configs, o.Config)
	}
	if credential != "" {
		p.credential = use(s.credentials, credential)
	}
	return p
}

// drop is the opposite of refer.
func (s *shares) drop(p places) {
	unuse(s.tenants, p.names[0])
	unuse(s.configs, p.names[1])
	unuse(s.credentials, p.names[2])
}

func use(groups map[string]*group, name string) *group {
	g, ok := groups[name]
	if !ok {
		g = &group{}
		groups[name] = g
	}
	g.users++
	return g
}

func unuse(groups map[string]*group, name string) {
	if g, ok := groups[name]; ok {
		g.users--
		if g.users == 0 {
			delete(groups, name)
		}
	}
}

// begin counts an item that is handed out.
func (s *shares) begin(p places) {
	s.working++
	for _, g := range []*group{p.tenant, p.config, p.credential} {
		if g != nil {
			g.working++
		}
	}
}

// end is the opposite of begin.
func (s *shares) end(p places) {
	s.working--
	for _, g := range []*group{p.tenant, p.config, p.credential} {
		if g != nil {
			g.working--
		}
	}
}

// room reports whether an owner may have one more worker. own is how many it has. It is
// asked when a worker is free.
func (s *shares) room(p places, own int) bool {
	has := p.tenant.working
	if !s.takes(p.config, has) || !s.takes(p.credential, has) {
		return false
	}
	return has == 0 || s.mayGrow(has) && (own == 0 || own < s.Tenant-has)
}

// takes reports whether a config or credential may have one more worker, for a tenant that has
// some.
func (s *shares) takes(g *group, has int) bool {
	if g == nil || g.working < s.Each || has == 0 && g.working < 2*s.Each {
		return true
	}
	return has < s.Each+s.Each/2-g.working
}

// mayGrow reports whether a tenant that has some workers may have one more.
func (s *shares) mayGrow(has int) bool {
	free := s.Workers - s.working
	switch {
	case has >= s.Tenant:
		return false
	case has < few:
		return free > s.Reserve*has/few
	}
	return has < free-s.Reserve
}
