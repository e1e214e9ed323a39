// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package openapi

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/provider-cloudflare/provider-cloudflare/hack/officialdoc"
)

// TestCorrections verifies each correction with an exchange whose check has a wrong
// result without it.
func TestCorrections(t *testing.T) {
	type row struct {
		reason  string
		talk    talk
		with    []string // The reports.
		without []string // The reports without the correction.
	}
	tests := map[string][]row{
		"failure envelope": {
			{
				reason:  "A record that does not exist is answered with result null.",
				talk:    talk{path: recordPath, status: http.StatusNotFound, answer: failure(81044, "Record does not exist.")},
				without: []string{"response /result"},
			},
			{
				reason: "A failure must not say success.",
				talk:   talk{path: zonePath, status: http.StatusForbidden, answer: with(failure(9109, "Unauthorized"), body{"success": true})},
				with:   []string{"response /success"},
			},
			{
				reason: "A failure names at least one error.",
				talk:   talk{path: zonePath, status: http.StatusForbidden, answer: with(failure(9109, ""), body{"errors": []any{}})},
				with:   []string{"response /errors"},
			},
		},
		"error codes below 1000": {{
			reason:  "The throttle says 971.",
			talk:    talk{path: recordsPath, status: http.StatusTooManyRequests, answer: failure(971, "Please wait")},
			without: []string{"response /errors/0/code"},
		}},
		"null comment": {{
			reason:  "A record without a comment.",
			talk:    talk{path: recordPath, answer: success(with(aRecord(), body{"comment": nil}))},
			without: []string{"response /result/comment"},
		}},
		"null tags": {{
			reason:  "A patch with tags null.",
			talk:    talk{method: http.MethodPatch, path: recordPath, send: body{"content": "192.0.2.2", "tags": nil}, answer: success(aRecord())},
			without: []string{"request /tags"},
		}},
		"ttl has a default": {{
			reason:  "A creation without ttl.",
			talk:    talk{method: http.MethodPost, path: recordsPath, send: with(aRequest(), body{"ttl": absent}), answer: success(aRecord())},
			without: []string{"request /ttl"},
		}},
		"one record union": {{
			reason: "A violation inside of a record is reported with its own pointer.",
			talk: talk{
				method: http.MethodPost, path: recordsPath, send: with(aRequest(), body{"content": "localhost"}), answer: success(aRecord()),
			},
			with:    []string{"request /content"},
			without: []string{"request "},
		}},
		"record answers": {
			{
				reason:  "An A record has no data.",
				talk:    talk{path: recordPath, answer: success(aRecord())},
				without: []string{"response /result/data"},
			},
			{
				reason: "An SRV record has.",
				talk:   talk{path: recordPath, answer: success(with(srvRecord(), body{"data": absent}))},
				with:   []string{"response /result/data"}, without: []string{"response /result/data"},
			},
			{
				reason: "An MX record has a priority.",
				talk:   talk{path: recordPath, answer: success(with(mxRecord(), body{"priority": absent, "data": body{}}))},
				with:   []string{"response /result/priority"},
			},
		},
		"patches are partial": {
			{
				reason:  "A patch of the content alone.",
				talk:    talk{method: http.MethodPatch, path: recordPath, send: body{"content": "192.0.2.2"}, answer: success(aRecord())},
				without: []string{"request "},
			},
			{
				reason: "The same in a batch.",
				talk: talk{
					method: http.MethodPost, path: recordsPath + "/batch",
					send:   body{"patches": []any{body{"id": "fedcba9876543210fedcba9876543210", "content": "192.0.2.2"}}},
					answer: success(body{"patches": []any{aRecord()}}),
				},
				without: []string{"request /patches/0"},
			},
			{
				reason:  "What a patch does say is checked.",
				talk:    talk{method: http.MethodPatch, path: recordPath, send: body{"proxied": "no"}, answer: success(aRecord())},
				with:    []string{"request /proxied"},
				without: []string{"request "},
			},
			{
				reason: "By its type, where it tells that.",
				talk: talk{
					method: http.MethodPatch, path: recordPath, send: body{"type": "SRV", "data": body{"port": 65536}}, answer: success(srvRecord()),
				},
				with:    []string{"request "},
				without: []string{"request "},
			},
		},
		"settings union": {
			{
				reason:  "A setting is checked by its ID.",
				talk:    talk{path: zonePath + "/settings/ssl", answer: success(body{"id": "ssl", "value": "sometimes", "editable": true})},
				with:    []string{"response /result/value"},
				without: []string{"response /result"},
			},
			{
				reason:  "So is each one in the list.",
				talk:    talk{path: zonePath + "/settings", answer: success([]any{body{"id": "ssl", "value": "sometimes", "editable": true}})},
				with:    []string{"response /result/0/value"},
				without: []string{"response /result/0"},
			},
		},
		"successes carry a result": {
			{
				reason: "A success without result.",
				talk:   talk{path: recordPath, answer: with(success(nil), body{"result": absent})},
				with:   []string{"response /result"},
			},
			{
				reason: "A list without result_info.",
				talk:   talk{path: recordsPath, answer: success([]any{})},
				with:   []string{"response /result_info"},
			},
			{
				reason: "A deletion without an envelope.",
				talk:   talk{method: http.MethodDelete, path: recordPath, answer: body{"result": body{"id": "fedcba9876543210fedcba9876543210"}}},
				with:   []string{"response /success"},
			},
			{
				reason: "A deletion with one.",
				talk:   talk{method: http.MethodDelete, path: recordPath, answer: success(body{"id": "fedcba9876543210fedcba9876543210"})},
			},
		},
		"read-only beside a reference": {
			{
				reason:  "A body without the ID that the server gives.",
				talk:    talk{method: http.MethodPost, path: zonePath + "/workers/routes", send: body{"pattern": "example.com/*"}, answer: success(aWorkerRoute())},
				without: []string{"request /id"},
			},
			{
				reason:  "An answer has to have it.",
				talk:    talk{path: zonePath + "/workers/routes/" + resourceID, answer: success(body{"pattern": "example.com/*"})},
				with:    []string{"response /result/id"},
				without: []string{"response /result/id"},
			},
		},
		"buckets in upper case": {
			{
				reason:  "A location as it is answered.",
				talk:    talk{path: accountPath + "/r2/buckets/a-bucket", answer: success(body{"name": "a-bucket", "location": "WNAM"})},
				without: []string{"response /result/location"},
			},
			{
				reason:  "There is no such place.",
				talk:    talk{path: accountPath + "/r2/buckets/a-bucket", answer: success(body{"name": "a-bucket", "location": "MOON"})},
				with:    []string{"response /result/location"},
				without: []string{"response /result/location"},
			},
		},
		"catch-all ingress": {
			{
				reason: "The last rule has no host name.",
				talk: talk{
					method: http.MethodPut, path: configurationPath, send: body{"config": body{"ingress": []any{body{"service": "http_status:404"}}}},
					answer: success(body{"version": 1}),
				},
				without: []string{"request /config/ingress/0/hostname"},
			},
		},
		"tunnel without configuration": {
			{
				reason:  "Nobody has configured it.",
				talk:    talk{path: configurationPath, answer: success(body{"config": nil})},
				without: []string{"response /result/config"},
			},
		},
		"email routing takes tokens": {
			{
				reason:  "A call with a token.",
				talk:    talk{path: addressPath, answer: success(body{"id": resourceID})},
				without: []string{"request "},
			},
		},
		"unverified destination": {
			{
				reason:  "Its owner has not followed the link.",
				talk:    talk{path: addressPath, answer: success(body{"verified": nil})},
				without: []string{"response /result/verified"},
			},
		},
		"members with an API token": {
			{
				reason:  "A list that is asked for with a token.",
				talk:    talk{path: accountPath + "/members", answer: success([]any{})},
				without: []string{"request "},
			},
		},
		"custom hostnames have UUIDs": {
			{
				reason: "A deletion by UUID.",
				talk: talk{
					method: http.MethodDelete, path: zonePath + "/custom_hostnames/01234567-89ab-4def-8123-456789abcdef",
					answer: success(body{"id": "01234567-89ab-4def-8123-456789abcdef"}),
				},
				without: []string{"request path:custom_hostname_id"},
			},
		},
		"a Worker's domain is attached": {
			{
				reason: "The zone is named by its ID alone.",
				talk: talk{
					method: http.MethodPut, path: accountPath + "/workers/domains", send: body{"hostname": "a.example.com", "service": "a", "zone_id": resourceID},
					answer: success(body{
						"id": resourceID, "cert_id": "01234567-89ab-4def-8123-456789abcdef", "zone_id": resourceID, "zone_name": "example.com",
						"hostname": "a.example.com", "service": "a",
					}),
				},
				without: []string{"request /zone_name"},
			},
		},
		"a Worker's domain is detached": {
			{
				reason: "An answer without a body.",
				talk: talk{
					method: http.MethodDelete, path: accountPath + "/workers/domains/0123456789abcdef0123456789abcdef", answer: nil,
				},
				without: []string{"response "},
			},
		},
		"Hyperdrive caches, or does not": {
			{
				reason: "Answers are cached for a minute.",
				talk: talk{
					path: accountPath + "/hyperdrive/configs/0123456789abcdef0123456789abcdef",
					answer: success(body{
						"id": resourceID, "name": "a", "caching": body{"disabled": false, "max_age": 60},
						"origin": body{"scheme": "postgres", "host": "db.example.com", "port": 5432, "database": "a", "user": "u"},
					}),
				},
				without: []string{"response /result/caching"},
			},
		},
		"times of audit logs": {
			{
				reason: "A window of times.",
				talk: talk{
					path:   accountPath + "/logs/audit?since=2026-11-23T11:00:00Z&before=2026-11-23T12:00:00Z",
					answer: with(list(), body{"result_info": body{"count": "0"}}),
				},
				without: []string{"request query:since"},
			},
			{
				reason: "A window that is none.",
				talk: talk{
					path:   accountPath + "/logs/audit?since=now&before=2026-11-23",
					answer: with(list(), body{"result_info": body{"count": "0"}}),
				},
				with:    []string{"request query:since"},
				without: []string{"request query:since"},
			},
		},
		"items of Gateway lists have pages": {
			{
				reason: "The second page.",
				talk: talk{
					path:   accountPath + "/gateway/lists/" + resourceID + "/items?page=2",
					answer: list(),
				},
				without: []string{"request "},
			},
			{
				reason: "A page that is none.",
				talk: talk{
					path:   accountPath + "/gateway/lists/" + resourceID + "/items?page=0",
					answer: list(),
				},
				with:    []string{"request query:page"},
				without: []string{"request "},
			},
		},
		"resources have an envelope": {
			{
				reason: "A revocation without one.",
				talk:   talk{method: http.MethodDelete, path: basePath + "/certificates/" + resourceID, answer: body{"result": body{"id": resourceID}}},
				with:   []string{"response /success"},
			},
		},
	}

	subset := officialSubset(t)
	whole := load(t)
	for _, c := range corrections() {
		t.Run(c.name, func(t *testing.T) {
			lacking, err := build(subset, slices.DeleteFunc(corrections(), func(other correction) bool { return other.name == c.name }))
			if err != nil {
				t.Fatalf("build(): %v", err)
			}
			differs := false
			for _, tc := range tests[c.name] {
				got, without := briefs(tc.talk.hold(t, whole)), briefs(tc.talk.hold(t, lacking))
				if diff := cmp.Diff(tc.with, got); diff != "" {
					t.Errorf("%s\n-want, +got:\n%s", tc.reason, diff)
				}
				if diff := cmp.Diff(tc.without, without); diff != "" {
					t.Errorf("%s\nwithout the correction: -want, +got:\n%s", tc.reason, diff)
				}
				differs = differs || !slices.Equal(got, without)
			}
			if !differs {
				t.Errorf("nothing shows that the correction is needed: %s", c.reason)
			}
		})
	}
}

func TestCorrectionsOfCorrected(t *testing.T) {
	subset := officialSubset(t)
	for _, c := range corrections() {
		doc, err := cut(subset, subsetPaths())
		if err != nil {
			t.Fatalf("cut(): %v", err)
		}
		err = correct(doc, append(corrections(), c))
		if err == nil || !strings.Contains(err.Error(), c.name) {
			t.Errorf("a document without the defect %q wants the correction dropped, got error %v", c.name, err)
		}
	}
}

// officialSubset returns the uncorrected subset of the official document, as JSON.
func officialSubset(t *testing.T) []byte {
	t.Helper()
	raw, err := officialdoc.Read(t.Context())
	if err != nil {
		t.Fatalf("officialdoc.Read(): %v", err)
	}
	doc, err := cut(raw, subsetPaths())
	if err != nil {
		t.Fatalf("cut(): %v", err)
	}
	out, err := json.Marshal(doc)
	if err != nil {
		t.Fatalf("json.Marshal(): %v", err)
	}
	return out
}
