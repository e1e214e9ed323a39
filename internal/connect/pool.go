// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package connect

import (
	"maps"
	"time"

	"k8s.io/apimachinery/pkg/types"

	"github.com/provider-cloudflare/provider-cloudflare/internal/cloudflare"
)

// A pooled client is the one client of a credential.
type pooled struct {
	client *cloudflare.Client
	// names are what names stand for, as the credential sees it.
	names *Names
	// allowed is what each config that uses the credential allows it.
	allowed map[string]allowance
}

// An allowance is how many requests a config allows in five minutes (0: as many
// as the API does), and when the config was last used.
type allowance struct {
	requests int
	usedAt   time.Time
}

// least is what the config that bounds the credential most allows it, 0 where
// none does.
func (p *pooled) least() int {
	least := 0
	for _, a := range p.allowed {
		if a.requests > 0 && (least == 0 || a.requests < least) {
			least = a.requests
		}
	}
	return least
}

// usedAt is when the client was last used: asked for, or called with.
func (p *pooled) usedAt() time.Time {
	last := p.client.Budget().UsedAt
	for _, a := range p.allowed {
		if a.usedAt.After(last) {
			last = a.usedAt
		}
	}
	return last
}

// client gives the one client of a config's credential, or of the one that took its
// place since it was read. Of the configs that share a credential, the one that
// allows it least decides.
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

// lastClient gives the client of a credential that is used for one more deletion.
func (c *Connections) lastClient(cred cloudflare.Credential) *pooled {
	c.mu.Lock()
	defer c.mu.Unlock()
	p := c.pooled(cred, c.o.Now())
	if len(p.allowed) == 0 {
		p.client.SetCredentialState(cloudflare.Withdrawn)
	}
	return p
}

// pooled gives the client of a credential, a new one if need be. c.mu is held.
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

// A use is that of a credential by a config, as the config was then.
type use struct {
	cred       cloudflare.Credential
	secret     SecretKey
	uid        types.UID
	generation int64
	at         time.Time
}

// take notes that a config uses a credential, and ends the use of the one it used
// before. It is false for a config as it was in the past, which whoever began long
// ago may still come with. c.mu is held.
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

// last gives the credential that this very config last used from the Secret that it names, false where it has used none: one
// that was made again under the name of another has nothing of that. It notes that the credential is used.
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

// Fingerprint gives the fingerprint of the credential that a config last used, by the
// config's name as Config has it, and "" if it is not known.
func (c *Connections) Fingerprint(config string) string {
	c.mu.Lock()
	defer c.mu.Unlock()
	u, ok := c.using[config]
	if !ok {
		return ""
	}
	return u.cred.Fingerprint(c.o.Client.Fingerprint)
}

// withdraw ends the use of whatever a config used: its Secret has nothing for it.
func (c *Connections) withdraw(cfg Config) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if was, ok := c.using[cfg.Name]; ok && was.uid == cfg.UID && was.generation <= cfg.Generation {
		c.leave(was.cred, cfg.Name, cloudflare.Withdrawn)
	}
}

// leave ends the use of a credential by a config. What no config uses any more
// may be what somebody wants to be rid of. Its client stays, for its pauses and its
// budget would be forgotten should a config use it again. c.mu is held.
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

// Clients gives the clients in use, one for each credential.
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

// evictions is how often what is idle is looked for within the time after which
// it is: to look costs as much as there are clients, and every reconcile asks.
const evictions = 8

// evict drops what nobody has used for a long time: credentials that were
// replaced, and what configs allowed that are gone. A client that pauses stays,
// or a new one of its credential would go on calling; so does one that is called
// with, for whoever has it would call beside the new one. c.mu is held.
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

// forget drops what idle configs allowed, as long as another is in use: whoever
// still calls with the client is bound by what was said last.
func (p *pooled) forget(idle func(time.Time) bool) {
	rest := maps.Clone(p.allowed)
	maps.DeleteFunc(rest, func(_ string, a allowance) bool { return idle(a.usedAt) })
	if len(rest) > 0 && len(rest) < len(p.allowed) {
		p.allowed = rest
		p.client.SetBudget(p.least())
	}
}
