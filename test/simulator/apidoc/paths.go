// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package apidoc

import (
	_ "embed"
	"path"
	"slices"
	"strings"
)

//go:embed collections.txt
var collections string

const (
	account = "/accounts/{account_id}"
	zone    = "/zones/{zone_id}"
	either  = "/{accounts_or_zones}/{account_or_zone_id}"
)

// Paths returns the paths of the extract. The simulator serves the resources of these
// paths from the document.
func Paths() []string {
	return slices.Concat(
		tunnelPaths(), loadBalancerPaths(), accessPaths(), rulesetPaths(), developerPaths(), pagesPaths(), credentialPaths(), emailPaths(),
		servicePaths(), collectionPaths(),
	)
}

// Collections returns the paths of the items of plain collections. For these the document
// says all that the simulator needs, and their IDs have 32 hexadecimal digits. The file
// collections.txt has one path per line.
func Collections() []string {
	return slices.DeleteFunc(strings.Split(collections, "\n"), func(line string) bool { return !strings.HasPrefix(line, "/") })
}

func collectionPaths() []string {
	var out []string
	for _, item := range Collections() {
		out = append(out, path.Dir(item), item)
	}
	return out
}

func tunnelPaths() []string {
	return []string{
		account + "/cfd_tunnel",
		account + "/cfd_tunnel/{tunnel_id}",
		account + "/cfd_tunnel/{tunnel_id}/configurations",
		account + "/cfd_tunnel/{tunnel_id}/connections",
		account + "/cfd_tunnel/{tunnel_id}/token",
		account + "/teamnet/routes",
		account + "/teamnet/routes/{route_id}",
		account + "/teamnet/virtual_networks",
		account + "/teamnet/virtual_networks/{virtual_network_id}",
		account + "/zerotrust/routes/hostname",
		account + "/zerotrust/routes/hostname/{hostname_route_id}",
	}
}

func loadBalancerPaths() []string {
	return []string{
		account + "/load_balancers/monitors",
		account + "/load_balancers/monitors/{monitor_id}",
		account + "/load_balancers/monitors/{monitor_id}/references",
		account + "/load_balancers/pools",
		account + "/load_balancers/pools/{pool_id}",
		account + "/load_balancers/pools/{pool_id}/references",
		either + "/load_balancers",
		either + "/load_balancers/{load_balancer_id}",
	}
}

func accessPaths() []string {
	return []string{
		account + "/access/policies",
		account + "/access/policies/{policy_id}",
		account + "/access/service_tokens/{service_token_id}/refresh",
		account + "/access/service_tokens/{service_token_id}/rotate",
		either + "/access/apps",
		either + "/access/apps/{app_id}",
		either + "/access/groups",
		either + "/access/groups/{group_id}",
		either + "/access/identity_providers",
		either + "/access/identity_providers/{identity_provider_id}",
		either + "/access/service_tokens",
		either + "/access/service_tokens/{service_token_id}",
	}
}

func rulesetPaths() []string {
	return []string{
		account + "/rules/lists",
		account + "/rules/lists/bulk_operations/{operation_id}",
		account + "/rules/lists/{list_id}",
		account + "/rules/lists/{list_id}/items",
		account + "/rules/lists/{list_id}/items/{item_id}",
		either + "/rulesets",
		either + "/rulesets/{ruleset_id}",
		either + "/rulesets/{ruleset_id}/rules",
		either + "/rulesets/{ruleset_id}/rules/{rule_id}",
		either + "/rulesets/phases/{ruleset_phase}/entrypoint",
	}
}

func developerPaths() []string {
	return []string{
		account + "/d1/database",
		account + "/d1/database/{database_id}",
		account + "/hyperdrive/configs",
		account + "/hyperdrive/configs/{hyperdrive_id}",
		account + "/queues",
		account + "/queues/{queue_id}",
		account + "/queues/{queue_id}/consumers",
		account + "/queues/{queue_id}/consumers/{consumer_id}",
		account + "/r2/buckets",
		account + "/r2/buckets/{bucket_name}",
		account + "/r2/buckets/{bucket_name}/cors",
		account + "/r2/buckets/{bucket_name}/domains/custom",
		account + "/r2/buckets/{bucket_name}/domains/custom/{domain}",
		account + "/r2/buckets/{bucket_name}/lifecycle",
		account + "/storage/kv/namespaces",
		account + "/storage/kv/namespaces/{namespace_id}",
		account + "/workers/domains",
		account + "/workers/domains/{domain_id}",
		account + "/workers/scripts",
		account + "/workers/scripts/{script_name}",
		account + "/workers/scripts/{script_name}/schedules",
		account + "/workers/scripts/{script_name}/secrets",
		account + "/workers/scripts/{script_name}/secrets/{secret_name}",
		account + "/workers/scripts/{script_name}/settings",
		zone + "/workers/routes",
		zone + "/workers/routes/{route_id}",
	}
}

func pagesPaths() []string {
	const projects = account + "/pages/projects"
	return []string{
		projects,
		projects + "/{project_name}",
		projects + "/{project_name}/domains",
		projects + "/{project_name}/domains/{domain_name}",
	}
}

func credentialPaths() []string {
	return []string{
		zone + "/custom_hostnames",
		zone + "/custom_hostnames/fallback_origin",
		zone + "/custom_hostnames/{custom_hostname_id}",
		"/certificates",
		"/certificates/{certificate_id}",
		account + "/challenges/widgets",
		account + "/challenges/widgets/{sitekey}",
		account + "/challenges/widgets/{sitekey}/rotate_secret",
		account + "/members",
		account + "/members/{member_id}",
		account + "/tokens",
		account + "/tokens/permission_groups",
		account + "/tokens/{token_id}",
		account + "/tokens/{token_id}/value",
		"/user/tokens",
		"/user/tokens/permission_groups",
		"/user/tokens/{token_id}",
		"/user/tokens/{token_id}/value",
	}
}

func servicePaths() []string {
	return []string{
		account + "/alerting/v3/destinations/webhooks",
		account + "/alerting/v3/destinations/webhooks/{webhook_id}",
		account + "/alerting/v3/policies",
		account + "/alerting/v3/policies/{policy_id}",
		account + "/devices/policies",
		account + "/devices/policy",
		account + "/devices/policy/{policy_id}",
		account + "/devices/policy/{policy_id}/exclude",
		account + "/devices/policy/{policy_id}/include",
		account + "/devices/posture",
		account + "/devices/posture/{rule_id}",
		account + "/gateway/lists",
		account + "/gateway/lists/{list_id}",
		account + "/gateway/lists/{list_id}/items",
		account + "/gateway/locations",
		account + "/gateway/locations/{location_id}",
		account + "/gateway/rules",
		account + "/gateway/rules/{rule_id}",
		either + "/firewall/access_rules/rules",
		either + "/firewall/access_rules/rules/{rule_id}",
		either + "/logpush/jobs",
		either + "/logpush/jobs/{job_id}",
		either + "/waiting_rooms",
		zone + "/addressing/regional_hostnames",
		zone + "/addressing/regional_hostnames/{hostname}",
		zone + "/bot_management",
		zone + "/cache/tiered_cache_smart_topology_enable",
		zone + "/healthchecks",
		zone + "/healthchecks/{healthcheck_id}",
		account + "/mtls_certificates",
		account + "/mtls_certificates/{mtls_certificate_id}",
		zone + "/managed_headers",
		zone + "/origin_tls_client_auth",
		zone + "/origin_tls_client_auth/settings",
		zone + "/origin_tls_client_auth/{certificate_id}",
		zone + "/spectrum/apps",
		zone + "/spectrum/apps/{app_id}",
		zone + "/ssl/certificate_packs",
		zone + "/ssl/certificate_packs/order",
		zone + "/ssl/certificate_packs/{certificate_pack_id}",
		zone + "/ssl/universal/settings",
		zone + "/url_normalization",
		zone + "/waiting_rooms",
		zone + "/waiting_rooms/{waiting_room_id}",
	}
}

func emailPaths() []string {
	return []string{
		account + "/email/routing/addresses",
		account + "/email/routing/addresses/{destination_address_identifier}",
		either + "/email/routing/rules",
		zone + "/email/routing",
		zone + "/email/routing/dns",
		zone + "/email/routing/rules",
		zone + "/email/routing/rules/catch_all",
		zone + "/email/routing/rules/{rule_identifier}",
	}
}
