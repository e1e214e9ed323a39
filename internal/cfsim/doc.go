// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

// Package cfsim is a stateful simulator of the part of the Cloudflare v4 API that
// DNS needs: tokens and their permissions, zones and their lifecycle, DNS records
// of all 21 types, zone settings, DNSSEC and DNS settings, with the API's
// validation, canonicalisation, error codes, plan limits and rate limits. It is
// never lenient: what Cloudflare refuses, it refuses.
//
// Beside DNS it serves generic resources: tunnels and their networks, KV namespaces,
// worker routes, R2 buckets, load balancers, Access, account tokens, origin
// certificates, rulesets. What their bodies must have, what is filled in, which pages
// and filters lists have is the official document's word (package apidoc). What the
// document does not say is in the files family_*.go, each with its source.
//
// It shares no code with the rest of this repository, so that tests which compare
// the two compare two readings of the API's documentation.
//
//	s := cfsim.New(cfsim.Options{})
//	account := s.AddAccount("Example Inc")
//	zone, err := s.AddZone(account.ID, "example.com", cfsim.ZoneOptions{Plan: cfsim.PlanPro})
//	token := s.AddToken(cfsim.TokenOptions{Grants: []cfsim.Grant{
//		{Zone: zone.ID, Permission: cfsim.DNSWrite},
//	}})
//	server := httptest.NewServer(s) // the API is at server.URL + cfsim.BasePath
//
// # As a dashboard user
//
// CreateRecord, PatchRecord, DeleteRecord, ActivateZone, SetPlan and the like
// change the world without a token and without a request in the log, under the
// same rules. Records, Zones and Requests show it.
//
// Each change, and each request that asks for one, is kept in the audit log of its account. SignIn
// says who uses the dashboard, and DelayAuditLogs has entries come late.
//
// # Time
//
// All times and limits follow Options.Clock, and Advance moves it: rate limits
// refill, pending zones are deleted after 28 days, DNSSEC becomes active. Delays
// of faults take real time.
//
// # Faults
//
// AddFault makes requests fail, or be answered in another of the ways in which the
// API is known to answer. Answers that are wrong on purpose carry the header
// X-Cfsim-Fault. Several faults may be on; each request takes all that match it.
// There are failures, other renderings of right answers, and garbage: answers that
// no API should give (see FaultKinds). Garbage spoils the answer to what was carried
// out, so that a client learns nothing of what it did.
//
// # Generic resources
//
// Resources, Resource and CountResources show what is stored, secrets included;
// GetResource shows what the API answers. PostResource, PutResource, PatchResource and DeleteResource make edits as somebody
// else. EditResource changes what is stored past all rules. The permissions of tokens are the
// names of the permission groups of the document; Everything is all of them.
//
// AddTrap switches on a way in which the API answers right, and in which clients got
// it wrong before: see TrapKinds, each with its source.
//
// # Administration
//
// The endpoints under /_sim are part of the simulator, not of the API, and need no
// credential: a simulator is to listen on loopback only.
//
//	GET    /_sim/state                       now, accounts, zones, faults
//	POST   /_sim/seed                        a Seed as JSON; answers IDs and tokens
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
//	GET    /_sim/faults                      those that are on, by ID
//	GET    /_sim/faults/added                all that ever were, and how often each fired
//	POST   /_sim/faults                      a Fault as JSON; answers its ID
//	DELETE /_sim/faults, /_sim/faults/{id}
//	GET    /_sim/log, /_sim/log?format=text  requests of the API since the last reset
//	DELETE /_sim/log
//	GET    /_sim/resources/{path}            a generic resource, or a collection, as stored
//	POST, PUT, PATCH, DELETE /_sim/resources/{path}  as somebody else
//	PUT    /_sim/connections/{path}          {"connections":2} of a tunnel
//	GET    /_sim/traps                       those that are on, by ID
//	POST   /_sim/traps                       a Trap as JSON; answers its ID
//	DELETE /_sim/traps, /_sim/traps/{id}
//	GET    /_sim/clock
//	POST   /_sim/clock/advance               {"duration":"5m"}
//
// # Where sources disagree
//
// One form is the default and the other a fault, so that tests can run with both:
// unquoted TXT content comes back as it was sent (FaultTXTQuoted: quoted), LOC
// content with class and type (FaultLOCRendering: as in zone files), the priority
// of MX and URI at the top level (FaultPriorityInData: in data, too), data's
// numbers as numbers (FaultLooseNumbers: as texts), refusals directly
// (FaultErrorChain: wrapped in 1004). Refusals whose code no public source tells
// have a number of the simulator's own, marked so among the Code constants.
package cfsim
