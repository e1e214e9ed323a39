// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package simulator

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/provider-cloudflare/provider-cloudflare/test/simulator/apidoc"
)

// credentialFamilies returns API tokens, members, certificates, and other resources with a secret or a
// proof.
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

// tokenFamily returns the API tokens of an account, or of a user.
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

// prepareToken sorts policies and permission groups by ID, as the API does (Terraform provider, issues
// 5548, 7094 and 7125). It sets the IDs of policies, and registers the token as a working credential.
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

// policyID returns an ID that is derived from the content of a policy, so that equal policies have the
// same ID.
func policyID(policy map[string]any) string {
	sum := sha256.Sum256(fmt.Appendf(nil, "%v %v %v", policy["effect"], policy["permission_groups"], policy["resources"]))
	return hex.EncodeToString(sum[:16])
}

// register makes the token usable in the simulator. The token has the permissions of its permission
// groups on the resources of its policies.
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

// grantsOf returns the grants of a policy. Resources have names such as
// com.cloudflare.api.account.zone.<id>. A user's token names the account in
// com.cloudflare.api.account.<id>. For com.cloudflare.api.user.<id>, a permission about the user, the
// grant has userScope in place of the account.
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

// permissionOf returns the permission with the name of a permission group.
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

// rollToken generates a new value and returns it as a bare string. The former value stops working at
// once.
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

// permissionGroupID returns the ID of a permission group. It is derived from the name, so that it is the
// same in every simulator.
func permissionGroupID(name string) string {
	sum := sha256.Sum256([]byte("permission group " + name))
	return hex.EncodeToString(sum[:16])
}

// bucketScope is the scope of the permission groups for the objects of single buckets. Their resources
// are com.cloudflare.edge.r2.bucket.<account>_<jurisdiction>_<bucket>. The source is
// developers.cloudflare.com/r2/api/tokens: the document has neither the groups nor the resources.
const bucketScope = "com.cloudflare.edge.r2.bucket"

// bucketGroups returns the permission groups of bucketScope.
func bucketGroups() []string {
	return []string{"Workers R2 Storage Bucket Item Read", "Workers R2 Storage Bucket Item Write"}
}

// permissionGroupsByID returns the names of permission groups by ID: all groups that the document names
// for an operation of the simulator, and those of DNS and of the objects in buckets.
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

// Scopes of permission groups, and prefixes of the resources of policies.
const (
	accountScope = "com.cloudflare.api.account"
	userScope    = "com.cloudflare.api.user"
)

// scopeOf returns the scope of a permission group. The name does not contain the scope. scopeOf derives
// it from the paths of the group's operations.
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
