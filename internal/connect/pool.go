// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package connect

import (
	"maps"
	"time"

	"k8s.io/apimachinery/pkg/types"

	"github.com/provider-cloudflare/provider-cloudflare/internal/cloudflare"
)

// A pooled is the one client of a credential, with what belongs to it.
type pooled struct {
	client *cloudflare.Client
	// names resolve IDs and names as the credential sees them.
	names *Names
	// allowed is the allowance of each config that uses the credential, by the config's name.
	allowed map[string]allowance
}

// An allowance is how many requests a config allows in five minutes (0: as many as the API
// allows), and when the config was last used.
type allowance struct {
	requests int
	usedAt   time.Time
}

// least returns the lowest allowance of the configs, 0 if none of them has a bound.
func (p *pooled) least() int {
	least := 0
	for _, a := range p.allowed {
		if a.requests > 0 && (least == 0 || a.requests < least) {
			least = a.requests
		}
	}
	return least
}

// usedAt returns when the client was last requested, or last used for a call.
func (p *pooled) usedAt() time.Time {
	last := p.client.Budget().UsedAt
	for _, a := range p.allowed {
		if a.usedAt.After(last) {
			last = a.usedAt
		}
	}
	return last
}

// client returns the one client of a config's credential. If another credential replaced cred
// since cred was read, it returns the client of that one. If several configs share a credential,
// the lowest allowance holds.
func (c *Connections) client(cred cloudflare.Credential, cfg Config) *pooled {
	c.mu.Lock()
	defer c.mu.Unlock()
	now := c.o.Now()
	if r, ok := c.read[cfg.Secret]; ok {
		cred = r.cred
	}
	p := c.pooled(cred, now)
	if !c.take(cfg, cred, now) {
		return p
	}
	p.allowed[cfg.Name] = allowance{cfg.Requests, now}
	p.client.SetBudget(p.least())
	p.client.SetCredentialState(cloudflare.InUse)
	return p
}

// lastClient returns the client of a credential that is used for one more deletion.
func (c *Connections) lastClient(cred cloudflare.Credential) *pooled {
	c.mu.Lock()
	defer c.mu.Unlock()
	p := c.pooled(cred, c.o.Now())
	if len(p.allowed) == 0 {
		p.client.SetCredentialState(cloudflare.Withdrawn)
	}
	return p
}

// pooled returns the client of a credential, a new one if need be. c.mu must be held.
func (c *Connections) pooled(cred cloudflare.Credential, now time.Time) *pooled {
	c.evict(now)
	p, ok := c.clients[cred]
	if !ok {
		api := cloudflare.New(cred, c.o.Client)
		p = &pooled{client: api, names: NewNames(api, c.o.Now), allowed: map[string]allowance{}}
		c.clients[cred] = p
	}
	return p
}

// A use is the use of a credential by a config, with the state of the config at that time.
type use struct {
	cred       cloudflare.Credential
	secret     SecretKey
	uid        types.UID
	generation int64
	at         time.Time
}

// take notes that a config uses a credential, and ends the use of the previous one. It returns
// false for a config that is older than a known one: a long-running caller may still hold an old
// read. c.mu must be held.
func (c *Connections) take(cfg Config, cred cloudflare.Credential, now time.Time) bool {
	was, ok := c.using[cfg.Name]
	if ok && was.uid == cfg.UID && was.generation > cfg.Generation {
		return false
	}
	c.using[cfg.Name] = use{cred, cfg.Secret, cfg.UID, cfg.Generation, now}
	if ok && was.cred != cred {
		c.leave(was.cred, cfg.Name, cloudflare.Replaced)
	}
	return true
}

// last returns the credential that this config last used from the Secret that it names, and notes that the credential
// is used. It returns false if this config has used none. A config with the name of a deleted one is another config.
func (c *Connections) last(cfg Config) (cloudflare.Credential, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	u, ok := c.using[cfg.Name]
	if !ok || u.uid != cfg.UID || u.secret != cfg.Secret {
		return cloudflare.Credential{}, false
	}
	u.at = c.o.Now()
	c.using[cfg.Name] = u
	return u.cred, true
}

// Fingerprint returns the fingerprint of the credential that a config last used, "" if it is not
// known. config is the name in Config.
func (c *Connections) Fingerprint(config string) string {
	c.mu.Lock()
	defer c.mu.Unlock()
	u, ok := c.using[config]
	if !ok {
		return ""
	}
	return u.cred.Fingerprint(c.o.Client.Fingerprint)
}

// withdraw ends the use of the credential of a config whose Secret has none for it.
func (c *Connections) withdraw(cfg Config) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if was, ok := c.using[cfg.Name]; ok && was.uid == cfg.UID && was.generation <= cfg.Generation {
		c.leave(was.cred, cfg.Name, cloudflare.Withdrawn)
	}
}

// leave ends the use of a credential by a config. A credential that no config uses gets the state
// to: its owner may want it to be used no more. The client stays, because a new one would forget
// the pauses and the budget if a config uses the credential again. c.mu must be held.
func (c *Connections) leave(cred cloudflare.Credential, config string, to cloudflare.CredentialState) {
	p, ok := c.clients[cred]
	if !ok {
		return
	}
	delete(p.allowed, config)
	if len(p.allowed) == 0 {
		p.client.SetCredentialState(to)
		return
	}
	p.client.SetBudget(p.least())
}

// Clients returns the clients in use, one for each credential.
func (c *Connections) Clients() []*cloudflare.Client {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.evict(c.o.Now())
	out := make([]*cloudflare.Client, 0, len(c.clients))
	for _, p := range c.clients {
		out = append(out, p.client)
	}
	return out
}

// evictions is how often idle entries are looked for within Idle. A look costs as much as there
// are clients, and every reconcile asks for one.
const evictions = 8

// evict drops entries that were not used for a long time: replaced credentials, and the
// allowances of deleted configs. A client that pauses stays, because a new client of its
// credential would not pause. A client that still makes calls stays, because its holder would
// make calls beside a new client. c.mu must be held.
func (c *Connections) evict(now time.Time) {
	if now.Sub(c.evictedAt) < c.o.Idle/evictions {
		return
	}
	c.evictedAt = now
	idle := func(usedAt time.Time) bool { return now.Sub(usedAt) >= c.o.Idle }
	maps.DeleteFunc(c.read, func(_ SecretKey, r reading) bool { return idle(r.usedAt) })
	maps.DeleteFunc(c.changes, func(_ types.NamespacedName, ch change) bool { return idle(ch.at) })
	maps.DeleteFunc(c.using, func(_ string, u use) bool { return idle(u.at) })
	maps.DeleteFunc(c.clients, func(_ cloudflare.Credential, p *pooled) bool {
		return idle(p.usedAt()) && p.client.Budget().PausedUntil.IsZero()
	})
	for _, p := range c.clients {
		p.forget(idle)
	}
}

// forget drops the allowances of idle configs, as long as another config is in use. If all are
// idle, the last allowances still bind callers that have the client.
func (p *pooled) forget(idle func(time.Time) bool) {
	rest := maps.Clone(p.allowed)
	maps.DeleteFunc(rest, func(_ string, a allowance) bool { return idle(a.usedAt) })
	if len(rest) > 0 && len(rest) < len(p.allowed) {
		p.allowed = rest
		p.client.SetBudget(p.least())
	}
}
