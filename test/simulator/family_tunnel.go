// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package simulator

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"

	"github.com/provider-cloudflare/provider-cloudflare/test/simulator/apidoc"
)

// Codes of tunnels and their routes. The Terraform provider's issues 5255 and 2607 quote
// 1022 and 1023. Several clients quote 1013 for a name that exists already.
const (
	CodeTunnelExists      = 1013
	CodeTunnelConnections = 1022
	CodeTunnelRoutes      = 1023
)

const tunnels = "/accounts/{account_id}/cfd_tunnel"

// tunnelFamilies returns tunnels, their private routes and virtual networks.
func tunnelFamilies() []*family {
	const tunnel = tunnels + "/{tunnel_id}"
	return append(networkFamilies(), &family{
		list: tunnels, parameter: "tunnel_id", shape: idUUID,
		// The API returns a deleted tunnel with deleted_at, and its name is free again.
		soft: true,
		unique: []uniqueness{{[]string{"name"}, func() *Error {
			return refuse(http.StatusConflict, CodeTunnelExists, "You already have a tunnel with this name.")
		}}},
		prepare:  prepareTunnel,
		busy:     busyTunnel,
		deletion: func(c *resourceCall, r *resource) any { return c.shown(r) },
		filters:  tunnelFilters(),
		more: map[string]handler{
			"GET " + tunnel + "/token":          (*resourceCall).tunnelToken,
			"GET " + tunnel + "/connections":    (*resourceCall).tunnelConnections,
			"DELETE " + tunnel + "/connections": (*resourceCall).cleanUpConnections,
			"GET " + tunnel + "/configurations": (*resourceCall).tunnelConfiguration,
			"PUT " + tunnel + "/configurations": (*resourceCall).putTunnelConfiguration,
		},
	})
}

func tunnelFilters() map[string]filter {
	return map[string]filter{
		"uuid":           func(r *resource, value string) bool { return r.id == value },
		"include_prefix": func(r *resource, value string) bool { return strings.HasPrefix(r.text("name"), value) },
		"exclude_prefix": func(r *resource, value string) bool { return !strings.HasPrefix(r.text("name"), value) },
		"existed_at":     existedAt,
	}
}

// existedAt implements the filter for resources that existed at a time. Times of the API
// can be compared as texts.
func existedAt(r *resource, value string) bool {
	return r.text("created_at") <= value && (!r.deleted() || r.text("deleted_at") > value)
}

// prepareTunnel sets the members that belong to the server. It generates a secret for a
// tunnel without one.
func prepareTunnel(c *resourceCall, before *resource, doc map[string]any) *Error {
	if before == nil {
		doc["account_tag"], doc["tun_type"], doc["status"] = c.r.PathValue("account_id"), "cfd_tunnel", "inactive"
		doc["connections"], doc["metadata"] = []any{}, map[string]any{}
		doc["remote_config"] = doc["config_src"] == "cloudflare"
	}
	if name, _ := doc["name"].(string); name == "" {
		return invalid(CodeResourceInvalid, "The name of a tunnel must not be empty.")
	}
	secret, given := doc["tunnel_secret"].(string)
	if !given {
		doc["tunnel_secret"] = base64.StdEncoding.EncodeToString([]byte(c.s.newID()))
		return nil
	}
	if raw, err := base64.StdEncoding.DecodeString(secret); err != nil || len(raw) < 32 {
		return invalid(CodeResourceInvalid, "The tunnel secret must be 32 bytes or more in base64.")
	}
	return nil
}

func busyTunnel(c *resourceCall, r *resource) *Error {
	if n, _ := r.private["connections"].(int); n > 0 {
		return invalid(CodeTunnelConnections, "The tunnel has active connections.")
	}
	for _, below := range []string{"/teamnet/routes", "/zerotrust/routes/hostname"} {
		for _, other := range c.beside(below).items {
			if !other.deleted() && other.text("tunnel_id") == r.id {
				return invalid(CodeTunnelRoutes, "The tunnel has routes: delete them first.")
			}
		}
	}
	return nil
}

// tunnelToken returns the token as a bare string. A token can be read at any time
// (Terraform provider, issues 5009 and 5149).
func (c *resourceCall) tunnelToken() (reply, *Error) {
	r, err := c.findLive()
	if err != nil {
		return reply{}, err
	}
	raw, encodeErr := json.Marshal(map[string]any{"a": r.doc["account_tag"], "t": r.id, "s": r.doc["tunnel_secret"]})
	if encodeErr != nil {
		panic("simulator: a tunnel's token is not JSON: " + encodeErr.Error())
	}
	return reply{result: base64.StdEncoding.EncodeToString(raw)}, nil
}

// findLive is find without softly deleted resources.
func (c *resourceCall) findLive() (*resource, *Error) {
	r, err := c.find()
	if err == nil && r.deleted() {
		return nil, c.f.unknown()
	}
	return r, err
}

func (c *resourceCall) tunnelConnections() (reply, *Error) {
	r, err := c.findLive()
	if err != nil {
		return reply{}, err
	}
	list := []any{}
	n, _ := r.private["connections"].(int)
	for i := range n {
		id := fmt.Sprintf("00000000-0000-4000-8000-%012d", i+1)
		list = append(list, map[string]any{
			"id": id, "arch": "linux_amd64", "version": "2026.1.0", "run_at": r.doc["created_at"], "features": []any{}, "conns": []any{},
		})
	}
	_, info := paginate(list, 1, max(len(list), 1))
	return reply{result: list, info: c.info(info)}, nil
}

func (c *resourceCall) cleanUpConnections() (reply, *Error) {
	r, err := c.findLive()
	if err != nil {
		return reply{}, err
	}
	r.private["connections"] = 0
	doc := copyOf(r.doc)
	doc["status"] = "inactive"
	r.set(doc, c.now)
	return reply{}, nil
}

// tunnelConfiguration returns the configuration of a tunnel. Its config is null until
// the first PUT.
func (c *resourceCall) tunnelConfiguration() (reply, *Error) {
	r, err := c.findLive()
	if err != nil {
		return reply{}, err
	}
	return reply{result: configurationOf(c, r)}, nil
}

func configurationOf(c *resourceCall, r *resource) map[string]any {
	version, _ := r.private["version"].(int)
	created := r.private["configured"]
	if created == nil {
		created = r.doc["created_at"]
	}
	shown := map[string]any{
		"account_id": r.doc["account_tag"], "tunnel_id": r.id, "version": version, "config": apidoc.Copy(r.private["config"]),
		"source": r.doc["config_src"], "created_at": created,
	}
	c.spring(r, shown)
	return shown
}

// putTunnelConfiguration replaces the whole document. The last ingress rule must have no
// host name (Terraform provider, issue 2252).
func (c *resourceCall) putTunnelConfiguration() (reply, *Error) {
	r, err := c.findLive()
	if err != nil {
		return reply{}, err
	}
	body, err := c.admit(true)
	if err != nil {
		return reply{}, err
	}
	config, given := body["config"].(map[string]any)
	if !given {
		return reply{}, invalid(CodeResourceInvalid, "The config must be an object.")
	}
	ingress, _ := config["ingress"].([]any)
	for i, rule := range ingress {
		rule, _ := rule.(map[string]any)
		hostname, _ := rule["hostname"].(string)
		last := i == len(ingress)-1
		if catchAll := hostname == "" && rule["path"] == nil; catchAll != last {
			return reply{}, invalid(CodeResourceInvalid, "The last ingress rule, and no other, must match all traffic.")
		}
	}
	version, _ := r.private["version"].(int)
	r.private["version"], r.private["config"], r.private["configured"] = version+1, body["config"], timestamp(c.now)
	r.keep(c.now)
	return reply{result: configurationOf(c, r)}, nil
}
