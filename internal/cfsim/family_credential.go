// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package cfsim

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/provider-cloudflare/provider-cloudflare/internal/cfsim/apidoc"
)

// credentialFamilies are API tokens, members, certificates, and what else hands a secret or a proof out.
func credentialFamilies() []*family {
	return []*family{
		tokenFamily("/accounts/{account_id}/tokens"),
		tokenFamily("/user/tokens"),
		memberFamily(),
		certificateFamily(),
		hostnameFamily(),
		widgetFamily(),
	}
}

// tokenFamily are the API tokens of an account, or of a user.
func tokenFamily(collection string) *family {
	return &family{
		list: collection, parameter: "token_id", shape: idHex,
		prepare: prepareToken, created: revealToken, show: showToken, removed: revokeToken,
		filters: map[string]filter{
			"include_expired": func(*resource, string) bool { return true },
		},
		more: map[string]handler{
			"PUT " + collection + "/{token_id}/value":  (*resourceCall).rollToken,
			"GET " + collection + "/permission_groups": (*resourceCall).permissionGroups,
		},
	}
}

// prepareToken sorts what the API sorts, gives policies IDs, and makes the token a
// credential that works. Policies and permission groups come back sorted by ID: the
// Terraform provider's issues 5548, 7094 and 7125.
func prepareToken(c *resourceCall, before *resource, doc map[string]any) *Error {
	policies, _ := doc["policies"].([]any)
	if len(policies) == 0 {
		return invalid(CodeResourceInvalid, "A token must have a policy.")
	}
	groups := permissionGroupsByID()
	for _, p := range policies {
		policy, _ := p.(map[string]any)
		list, _ := policy["permission_groups"].([]any)
		for _, g := range list {
			group, _ := g.(map[string]any)
			id, _ := group["id"].(string)
			if groups[id] == "" {
				return invalid(CodeResourceInvalid, "There is no permission group of this ID.")
			}
			group["name"] = groups[id]
			delete(group, "meta")
		}
		slices.SortFunc(list, byID)
		policy["id"] = policyID(policy)
	}
	slices.SortFunc(policies, byID)
	if before == nil {
		doc["value"] = c.s.newTokenValue(c.account() != "")
	} else {
		doc["value"] = before.doc["value"]
	}
	if _, given := doc["status"]; !given {
		doc["status"] = "active"
	}
	c.register(doc)
	return nil
}

func byID(a, b any) int {
	x, _ := a.(map[string]any)
	y, _ := b.(map[string]any)
	return strings.Compare(fmt.Sprint(x["id"]), fmt.Sprint(y["id"]))
}

// policyID is derived from what a policy says, so that an equal one keeps its ID.
func policyID(policy map[string]any) string {
	sum := sha256.Sum256(fmt.Appendf(nil, "%v %v %v", policy["effect"], policy["permission_groups"], policy["resources"]))
	return hex.EncodeToString(sum[:16])
}

// register makes the token usable at the simulator: it may do in the resources of its
// policies what its permission groups say.
func (c *resourceCall) register(doc map[string]any) {
	value, _ := doc["value"].(string)
	id, _ := doc["id"].(string)
	cred := &credential{id: id, account: c.account(), status: TokenActive}
	if cred.account == "" {
		cred.owner, cred.ownerEmail, cred.user = c.cred.actsFor(), c.cred.ownerEmail, c.cred.user
	}
	if doc["status"] == "disabled" {
		cred.status = TokenDisabled
	}
	text, _ := doc["expires_on"].(string)
	if at, err := time.Parse(time.RFC3339, text); err == nil {
		cred.expiresOn = at
	}
	policies, _ := doc["policies"].([]any)
	for _, p := range policies {
		policy, _ := p.(map[string]any)
		if policy["effect"] == "allow" {
			cred.grants = append(cred.grants, grantsOf(policy, c.account())...)
		}
	}
	c.s.creds[value] = cred
}

// grantsOf reads resources such as com.cloudflare.api.account.zone.<id>. Those of a user's token
// say which account they are about: com.cloudflare.api.account.<id>. None is in the account of a
// permission about the user, com.cloudflare.api.user.<id>.
func grantsOf(policy map[string]any, account string) []Grant {
	var grants []Grant
	resources, _ := policy["resources"].(map[string]any)
	list, _ := policy["permission_groups"].([]any)
	for _, resource := range slices.Sorted(maps.Keys(resources)) {
		g := Grant{Account: account}
		if zone, of := strings.CutPrefix(resource, "com.cloudflare.api.account.zone."); of {
			g.Zone = zone
		} else if account == "" {
			_, g.Account, _ = strings.Cut(resource, accountScope+".")
			g.Account = cmp.Or(g.Account, userScope)
		}
		for _, p := range list {
			group, _ := p.(map[string]any)
			name, _ := group["name"].(string)
			g.Permission = permissionOf(name)
			grants = append(grants, g)
		}
	}
	return grants
}

// permissionOf is the permission behind the name of a group.
func permissionOf(group string) Permission {
	byHand := map[string]Permission{
		"DNS Read": DNSRead, "DNS Write": DNSWrite, "Zone Read": ZoneRead, "Zone Write": ZoneWrite,
		"Zone Settings Read": ZoneSettingsRead, "Zone Settings Write": ZoneSettingsWrite,
	}
	if p, ok := byHand[group]; ok {
		return p
	}
	return Permission(group)
}

func revealToken(_ *resourceCall, r *resource, shown map[string]any) { shown["value"] = r.doc["value"] }

func showToken(c *resourceCall, r *resource, shown map[string]any) {
	delete(shown, "value")
	if at := r.text("expires_on"); at != "" && at <= timestamp(c.now) {
		shown["status"] = "expired"
	}
}

func revokeToken(c *resourceCall, r *resource) { delete(c.s.creds, r.text("value")) }

// rollToken makes a new value, which it answers as a bare string. The former one is
// worth nothing from then on.
func (c *resourceCall) rollToken() (reply, *Error) {
	r, err := c.find()
	if err != nil {
		return reply{}, err
	}
	revokeToken(c, r)
	doc := copyOf(r.doc)
	doc["value"] = c.s.newTokenValue(c.account() != "")
	r.set(doc, c.now)
	c.register(doc)
	return reply{result: doc["value"]}, nil
}

// permissionGroupID is the ID of a group of permissions: made of its name, so that it
// is the same in every simulator.
func permissionGroupID(name string) string {
	sum := sha256.Sum256([]byte("permission group " + name))
	return hex.EncodeToString(sum[:16])
}

// bucketScope is what the permission groups for the objects of single buckets are about:
// resources com.cloudflare.edge.r2.bucket.<account>_<jurisdiction>_<bucket>. The document
// names neither: developers.cloudflare.com/r2/api/tokens does.
const bucketScope = "com.cloudflare.edge.r2.bucket"

// bucketGroups are those groups.
func bucketGroups() []string {
	return []string{"Workers R2 Storage Bucket Item Read", "Workers R2 Storage Bucket Item Write"}
}

// permissionGroupsByID are all groups that the document names for an operation that
// the simulator serves, and those of DNS and of the objects in buckets.
func permissionGroupsByID() map[string]string {
	groups := map[string]string{}
	for _, methods := range apidoc.Load().Paths {
		for _, op := range methods {
			for _, name := range op.Groups {
				groups[permissionGroupID(name)] = name
			}
		}
	}
	others := []string{"DNS Read", "DNS Write", "Zone Read", "Zone Write", "Zone Settings Read", "Zone Settings Write"}
	for _, name := range append(others, bucketGroups()...) {
		groups[permissionGroupID(name)] = name
	}
	return groups
}

// What groups of permissions are about, and resources begin with.
const (
	accountScope = "com.cloudflare.api.account"
	userScope    = "com.cloudflare.api.user"
)

// scopeOf is what a group is about. Names alone do not tell; what stands here is what
// the paths of its operations tell.
func scopeOf(name string) string {
	if slices.Contains(bucketGroups(), name) {
		return bucketScope
	}
	for path, methods := range apidoc.Load().Paths {
		for _, op := range methods {
			switch {
			case !slices.Contains(op.Groups, name):
			case strings.HasPrefix(path, "/user/"):
				return userScope
			case strings.HasPrefix(path, "/accounts/"):
				return accountScope
			}
		}
	}
	return "com.cloudflare.api.account.zone"
}

func (c *resourceCall) permissionGroups() (reply, *Error) {
	query := c.r.URL.Query()
	result := []any{}
	groups := permissionGroupsByID()
	for _, id := range slices.Sorted(maps.Keys(groups)) {
		name, scope := groups[id], scopeOf(groups[id])
		if scope == userScope && c.account() != "" {
			continue // A token of an account acts for no user.
		}
		if (query.Has("name") && query.Get("name") != name) || (query.Has("scope") && query.Get("scope") != scope) {
			continue
		}
		result = append(result, map[string]any{"id": id, "name": name, "scopes": []any{scope}})
	}
	_, info := paginate(result, 1, max(len(result), 1))
	return reply{result: result, info: c.info(info)}, nil
}
