// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package fairqueue

// An Owner is whose an item is.
type Owner struct {
	// Tenant is who is to be kept from stopping others.
	Tenant string
	// Config is what a tenant reaches the other side with. Tenants may share one. ""
	// is that it is not known.
	Config string
}

// Shares divide workers among tenants, configs and the credentials of the configs, so
// that one of them whose work hangs does not take every worker.
//
// A tenant with nothing running may always have a worker. The more it has, the more
// must be left for others: see Reserve.
type Shares struct {
	// Workers there are.
	Workers int
	// Reserve is how many of them are kept for tenants that have few. A tenant gets a
	// second worker while more than a quarter of the reserve is left, a third and a fourth
	// while more than a half and three quarters are, and others only from beyond the
	// reserve: of what is there it may have half.
	Reserve int
	// Tenant is the most workers of a tenant. Of its configs each may have no more than
	// it leaves for the tenant's others.
	Tenant int
	// Each is the most workers of a config, and of a credential. Tenants with nothing
	// running may together have as many beyond that.
	Each int
}

// few is how many workers a tenant may have of the reserve.
const few = 4

// A group is what counts its running items: a tenant, a config or a credential.
type group struct {
	working int
	// users are the owners and running items that refer to the group.
	users int
	// turn is when a tenant last had its turn.
	turn uint64
}

// places are the groups that an item counts against. The config and the credential are
// nil where they are not known.
type places struct {
	tenant, config, credential *group
	names                      [3]string // of tenant, config and credential
}

// shares count who has how many workers. It is not safe for concurrent use.
type shares struct {
	Shares

	working                       int
	tenants, configs, credentials map[string]*group
}

func newShares(s Shares) shares {
	return shares{Shares: s, tenants: map[string]*group{}, configs: map[string]*group{}, credentials: map[string]*group{}}
}

// refer gives the places of an owner, which are kept until they are dropped.
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

// room reports whether an owner may have one worker more, where own is how many it
// has. It is asked when a worker is free.
func (s *shares) room(p places, own int) bool {
	has, each := p.tenant.working, s.Each
	if has == 0 {
		each *= 2
	}
	if full(p.config, each) || full(p.credential, each) {
		return false
	}
	return has == 0 || s.mayGrow(has) && (own == 0 || own < s.Tenant-has)
}

func full(g *group, most int) bool { return g != nil && g.working >= most }

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
