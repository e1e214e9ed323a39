// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

// Package simulator is a stateful simulator of the part of the Cloudflare v4 API that
// DNS needs: tokens and their permissions, zones and their lifecycle, DNS records
// of all 21 types, zone settings, DNSSEC and DNS settings, with the API's
// validation, canonicalisation, error codes, plan limits and rate limits. It is
// never lenient: it refuses every request that Cloudflare refuses.
//
// Besides DNS it serves generic resources: tunnels and their networks, KV namespaces,
// worker routes, R2 buckets, load balancers, Access, account tokens, origin
// certificates, rulesets. The official document (package apidoc) states the required
// members of bodies, their defaults, and the pages and filters of lists. The files
// family_*.go have the rules that the document does not state, each with its source.
//
// It shares no code with the rest of this repository, so that a test of the provider
// against it compares two readings of the API's documentation.
//
//	s := simulator.New(simulator.Options{})
//	account := s.AddAccount("Example Inc")
//	zone, err := s.AddZone(account.ID, "example.com", simulator.ZoneOptions{Plan: simulator.PlanPro})
//	token := s.AddToken(simulator.TokenOptions{Grants: []simulator.Grant{
//		{Zone: zone.ID, Permission: simulator.DNSWrite},
//	}})
//	server := httptest.NewServer(s) // the API is at server.URL + simulator.BasePath
//
// # As a dashboard user
//
// CreateRecord, PatchRecord, DeleteRecord, ActivateZone, SetPlan and the like
// change the world without a token and without a request in the log, under the
// same rules. Records, Zones and Requests show the result.
//
// The audit log of an account has an entry for each change, and for each request for
// one. SignIn sets the user of the dashboard, and DelayAuditLogs delays the entries.
//
// # Time
//
// All times and limits follow Options.Clock, and Advance moves it: rate limits
// refill, pending zones are deleted after 28 days, DNSSEC becomes active. Delays
// of faults take real time.
//
// # Faults
//
// AddFault makes requests fail, or changes responses to another of the known forms of
// the API. Responses that are wrong on purpose have the header X-Cfsim-Fault. Several
// faults may be enabled, and each request gets all that match it. There are failures,
// other renderings of right responses, and garbage: responses that no API should send
// (see FaultKinds). Garbage spoils the response to an executed request, so that a
// client cannot learn the outcome.
//
// # Generic resources
//
// Resources, Resource and CountResources show the stored documents with their secrets.
// GetResource shows a resource as the API does. PostResource, PutResource,
// PatchResource and DeleteResource make edits as a dashboard user. EditResource changes
// a stored document without the rules of the API. The permissions of tokens are the
// names of the permission groups of the document. Everything includes all of them.
//
// AddTrap enables a valid behaviour of the API that clients have handled wrongly: see
// TrapKinds, each with its source.
//
// # Administration
//
// The endpoints under /_sim are part of the simulator, not of the API. They need no
// credential, and so a simulator must listen on loopback only.
//
//	GET    /_sim/state                       now, accounts, zones, faults
//	POST   /_sim/seed                        a Seed as JSON; returns IDs and tokens
//	POST   /_sim/zones                       {"account":..,"name":..,"plan":..}
//	PATCH  /_sim/zones/{zone}                {"plan":..,"status":..,"delegated":..}
//	DELETE /_sim/zones/{zone}
//	POST   /_sim/zones/{zone}/activate
//	GET    /_sim/zones/{zone}/records        as the API lists them
//	POST   /_sim/zones/{zone}/records        as a dashboard user
//	PATCH  /_sim/zones/{zone}/records/{id}   as a dashboard user
//	DELETE /_sim/zones/{zone}/records/{id}   as a dashboard user
//	PUT    /_sim/zones/{zone}/records/{id}/meta  {"read_only":true}
//	GET    /_sim/zones/{zone}/settings       as the API lists them
//	PATCH  /_sim/zones/{zone}/settings/{id}  as a dashboard user
//	GET    /_sim/faults                      the enabled ones by ID
//	GET    /_sim/faults/added                all that were ever added, and how often each fired
//	POST   /_sim/faults                      a Fault as JSON; returns its ID
//	DELETE /_sim/faults, /_sim/faults/{id}
//	GET    /_sim/log, /_sim/log?format=text  requests of the API since the last reset
//	DELETE /_sim/log
//	GET    /_sim/resources/{path}            a generic resource, or a collection, as stored
//	POST, PUT, PATCH, DELETE /_sim/resources/{path}  as a dashboard user
//	PUT    /_sim/connections/{path}          {"connections":2} of a tunnel
//	GET    /_sim/traps                       the enabled ones by ID
//	POST   /_sim/traps                       a Trap as JSON; returns its ID
//	DELETE /_sim/traps, /_sim/traps/{id}
//	GET    /_sim/clock
//	POST   /_sim/clock/advance               {"duration":"5m"}
//
// # Where sources disagree
//
// One form is the default and the other a fault, so that tests can run with both:
//
//   - Unquoted TXT content comes back as it was sent. FaultTXTQuoted quotes it.
//   - LOC content has class and type. FaultLOCRendering has the form of zone files.
//   - The priority of MX and URI is at the top level. FaultPriorityInData has it in
//     data, too.
//   - The numbers of data are numbers. FaultLooseNumbers has them as texts.
//   - Refusals are direct. FaultErrorChain wraps them in 1004.
//
// Refusals whose code is in no public source have a number of the simulator's own,
// which is marked among the Code constants.
package simulator
