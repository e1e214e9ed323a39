// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package workers

import "github.com/provider-cloudflare/provider-cloudflare/internal/kind"

// HyperdriveConfig describes how Workers connect to a database.
func HyperdriveConfig() kind.Description {
	const configs = "/accounts/{account_id}/hyperdrive/configs"
	return kind.Description{
		Group: "workers", Name: "HyperdriveConfig", Short: "cfhd", Noun: "Hyperdrive configuration", Scope: kind.Account,
		Doc:       "A HyperdriveConfig keeps connections to a PostgreSQL or MySQL database open for Workers, and caches what the database answers. Cloudflare connects to the database when the configuration is created or changed, and refuses one that it cannot reach.",
		Terraform: "cloudflare_hyperdrive_config",
		List:      "GET " + configs,
		Create:    "POST " + configs,
		Read:      "GET " + configs + "/{hyperdrive_id}",
		Update:    "PUT " + configs + "/{hyperdrive_id}",
		Delete:    "DELETE " + configs + "/{hyperdrive_id}",
		Page:      kind.Page{Max: 100},
		Fields: map[string]kind.Field{
			"name": {Doc: "The name of the configuration, which is unique in the account."},
			// A host that is no longer declared must not stay beside a service.
			"origin":                         {Exact: true, Doc: "The database: host and port of one that the Internet reaches; host, accessClientId and accessClientSecret of one behind Access; or serviceId of a service of Workers VPC."},
			"origin.host":                    {Doc: "The host name or the IP address of the database."},
			"origin.port":                    {Doc: "The port of the database."},
			"origin.database":                {Doc: "The name of the database."},
			"origin.user":                    {Doc: "The user that Cloudflare connects as."},
			"origin.password":                {Optional: true, Because: "an object that only observes does not know it", Doc: "The password of the user. A configuration is created and changed with it."},
			"origin.scheme":                  {Doc: "What speaks to the database."},
			"origin.access_client_id":        {Doc: "The client ID of the AccessServiceToken that may reach the database."},
			"origin.access_client_secret":    {Doc: "The client secret of the AccessServiceToken that may reach the database."},
			"origin.service_id":              {Doc: "The ID of the service of Workers VPC."},
			"caching":                        {Doc: "Whether and for how long answers are cached."},
			"caching.disabled":               {Doc: "Whether answers are not cached."},
			"caching.max_age":                {Doc: "How many seconds an answer is cached."},
			"caching.stale_while_revalidate": {Doc: "For how many more seconds a cached answer is given while a new one is fetched."},
			"mtls":                           {Doc: "How Cloudflare and the database prove to each other who they are. A service of Workers VPC has that by itself."},
			"mtls.ca_certificate_id":         {Ref: "ssl.MTLSCertificate", Doc: "The ID of the certificate of the authority that the certificate of the database has to come from."},
			"mtls.mtls_certificate_id":       {Ref: "ssl.MTLSCertificate", Doc: "The ID of the client certificate that Cloudflare shows the database."},
			"mtls.sslmode":                   {Doc: "What is checked of the certificate of the database: require checks nothing, verify-ca the authority, and verify-full the host name as well."},
			"origin_connection_limit":        {Doc: "About how many connections to the database Cloudflare opens at most."},
		},
		Observe: []string{"name", "created_on", "modified_on", "restarted_on"},
		Columns: []string{"CONFIG=name"},
		Natural: []string{"name"},
		Gone:    []kind.Code{{Code: 2006}},
		Refused: []kind.Refusal{
			{Code: kind.Code{Code: 2009}, Reason: "DatabaseIsPrivate", Remedy: "set spec.forProvider.origin to a host that the Internet reaches, or to one behind Access or Workers VPC"},
		},
		ReadOnly: []string{"id", "created_on", "modified_on", "restarted_on"},

		Permissions: []string{"Hyperdrive Write"}, Plan: "All plans",
		Excused: map[string]string{
			"ImmutableRefused": "all that it has can be changed",
			"Busy":             "nothing keeps it",
		},
	}
}
