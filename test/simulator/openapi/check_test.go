// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package openapi

import (
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestCheck(t *testing.T) {
	tests := map[string]struct {
		reason string
		talk   talk
		want   []string // Part and pointer of each violation.
	}{
		"Record": {
			reason: "A record as the API answers it agrees with the document.",
			talk:   talk{path: recordPath, answer: success(aRecord())},
		},
		"Create": {
			reason: "Neither side of a creation is wrong.",
			talk:   talk{method: http.MethodPost, path: recordsPath, send: aRequest(), answer: success(aRecord())},
		},
		"CreateUntyped": {
			reason: "A body of no declared type is JSON.",
			talk:   talk{method: http.MethodPost, path: recordsPath, send: aRequest(), answer: success(aRecord()), noType: true},
		},
		"CreateStructured": {
			reason: "A structured record is sent as data and answered with content as well.",
			talk:   talk{method: http.MethodPost, path: recordsPath, send: srvRequest(), answer: success(srvRecord())},
		},
		"List": {
			reason: "A list may hold records of several types.",
			talk:   talk{path: recordsPath + "?type=A&per_page=5000&name.exact=www.example.com", answer: list(aRecord(), srvRecord(), mxRecord())},
		},
		"QueryOfPath": {
			reason: "What the document says of a path's parameters holds for all its operations.",
			talk:   talk{path: accountPath + "/challenges/widgets?page=1&per_page=5", answer: list()},
		},
		"Batch": {
			reason: "A batch has four parts on both sides; its delete wants an ID only.",
			talk: talk{
				method: http.MethodPost, path: recordsPath + "/batch",
				send: body{
					"deletes": []any{body{"id": "fedcba9876543210fedcba9876543210"}},
					"patches": []any{body{"id": "fedcba9876543210fedcba9876543210", "ttl": 60}},
					"puts":    []any{with(aRequest(), body{"id": "fedcba9876543210fedcba9876543210"})},
					"posts":   []any{srvRequest()},
				},
				answer: success(body{"deletes": []any{aRecord()}, "patches": []any{aRecord()}, "puts": []any{aRecord()}, "posts": []any{srvRecord()}}),
			},
		},
		"NullMX": {
			reason: "A null MX has \".\" for a host (RFC 7505).",
			talk: talk{
				method: http.MethodPost, path: recordsPath,
				send:   body{"type": "MX", "name": "example.com", "content": ".", "priority": 0, "ttl": 1},
				answer: success(with(mxRecord(), body{"content": ".", "priority": 0})),
			},
		},
		"MappedAAAA": {
			reason: "An IPv4-mapped address is an IPv6 address.",
			talk:   talk{path: recordPath, answer: success(with(aRecord(), body{"type": "AAAA", "content": "::ffff:192.0.2.1"}))},
		},
		"Export": {
			reason: "An export is text.",
			talk:   talk{path: recordsPath + "/export", answer: "www 300 IN A 192.0.2.1\n", header: http.Header{"Content-Type": {"text/plain; charset=utf-8"}}},
		},
		"RefusedRequest": {
			reason: "A bad request is the server's to refuse; once it has, all is well.",
			talk: talk{
				method: http.MethodPost, path: recordsPath, send: with(aRequest(), body{"ttl": "soon"}),
				status: http.StatusBadRequest, answer: failure(9021, "Invalid TTL."),
			},
		},
		"UnknownPathRefused": {
			reason: "Nobody is wrong about a path that neither side has.",
			talk:   talk{path: basePath + "/nothing", status: http.StatusNotFound, answer: failure(7003, "No route for that URI")},
		},
		"InjectedFault": {
			reason: "A fault is wrong on purpose.",
			talk: talk{
				path: recordPath, status: http.StatusBadGateway, answer: "<html>",
				header: http.Header{FaultHeader: {"html-502"}, "Content-Type": {"text/html"}},
			},
		},

		"MissingField": {
			reason: "An answer without a required field is reported at the record.",
			talk:   talk{path: recordPath, answer: success(with(aRecord(), body{"proxiable": absent}))},
			want:   []string{"response /result/proxiable"},
		},
		"MissingFieldInRequest": {
			reason: "A creation without a name has to be refused.",
			talk:   talk{method: http.MethodPost, path: recordsPath, send: with(aRequest(), body{"name": absent}), answer: success(aRecord())},
			want:   []string{"request /name"},
		},
		"WrongType": {
			reason: "A number is not a string.",
			talk:   talk{path: recordPath, answer: success(with(aRecord(), body{"ttl": "300"}))},
			want:   []string{"response /result/ttl"},
		},
		"WrongTypeInData": {
			reason: "Data is checked by the record's type.",
			talk:   talk{path: recordPath, answer: success(with(srvRecord(), body{"data": body{"port": true}}))},
			want:   []string{"response /result/data/port"},
		},
		"WrongTypeInList": {
			reason: "The pointer tells which element of a list is wrong.",
			talk:   talk{path: recordsPath, answer: list(aRecord(), with(aRecord(), body{"tags": "none"}))},
			want:   []string{"response /result/1/tags"},
		},
		"BadEnum": {
			reason: "A value outside of an enumeration is reported.",
			talk: talk{path: basePath + "/user/tokens/verify", answer: success(body{
				"id": "0123456789abcdef0123456789abcdef", "status": "sleepy",
			})},
			want: []string{"response /result/status"},
		},
		"UnknownRecordType": {
			reason: "There are 21 record types.",
			talk:   talk{path: recordPath, answer: success(with(aRecord(), body{"type": "HINFO"}))},
			want:   []string{"response /result"},
		},
		"BadAddress": {
			reason: "The format of an address is checked.",
			talk:   talk{path: recordPath, answer: success(with(aRecord(), body{"content": "192.0.2.256"}))},
			want:   []string{"response /result/content"},
		},
		"BadTime": {
			reason: "The format of a time is checked.",
			talk:   talk{path: recordPath, answer: success(with(aRecord(), body{"created_on": "yesterday"}))},
			want:   []string{"response /result/created_on"},
		},
		"BadHost": {
			reason: "The format of a host is checked.",
			talk:   talk{path: recordPath, answer: success(with(mxRecord(), body{"content": "10 mx.example.com"}))},
			want:   []string{"response /result/content"},
		},
		"OutOfRange": {
			reason: "A ttl is 1 or 30 to 86400.",
			talk:   talk{path: recordPath, answer: success(with(aRecord(), body{"ttl": 2}))},
			want:   []string{"response /result/ttl"},
		},
		"ContentOfStructured": {
			reason: "The content of a structured type is the API's to render, so a request that brings it has to be refused.",
			talk: talk{
				method: http.MethodPost, path: recordsPath, send: with(srvRequest(), body{"content": "5 5060 sip.example.com"}), answer: success(srvRecord()),
			},
			want: []string{"request /content"},
		},
		"UnknownPath": {
			reason: "A path that the document does not have must not work.",
			talk:   talk{path: zonePath + "/dns_recordz", answer: success([]any{})},
			want:   []string{"request "},
		},
		"UnknownMethod": {
			reason: "Nor must a method that the path does not have.",
			talk:   talk{method: http.MethodPut, path: recordsPath, send: aRequest(), answer: success(aRecord())},
			want:   []string{"request "},
		},
		"UnknownQuery": {
			reason: "A filter that the document does not have is a typing error, and would be ignored.",
			talk:   talk{path: recordsPath + "?name.exakt=a", answer: list()},
			want:   []string{"request "},
		},
		"BadQuery": {
			reason: "Parameters are checked too.",
			talk:   talk{path: recordsPath + "?per_page=0", answer: list()},
			want:   []string{"request query:per_page"},
		},
		"BadPath": {
			reason: "An ID has at most 32 characters.",
			talk:   talk{path: recordPath + "0", answer: success(aRecord())},
			want:   []string{"request path:dns_record_id"},
		},
		"NoAuthentication": {
			reason: "A server that lets strangers in is reported.",
			talk:   talk{path: recordPath, answer: success(aRecord()), noAuth: true},
			want:   []string{"request "},
		},
		"UndocumentedStatus": {
			reason: "Success is 200 and nothing else.",
			talk:   talk{method: http.MethodPost, path: recordsPath, send: aRequest(), status: http.StatusCreated, answer: success(aRecord())},
			want:   []string{"response "},
		},
		"UnmarkedServerError": {
			reason: "The document knows no 5xx: the server has failed by itself.",
			talk:   talk{path: recordPath, status: http.StatusInternalServerError, answer: failure(1000, "oops")},
			want:   []string{"response "},
		},
		"NotJSON": {
			reason: "An answer has to be of the documented content type.",
			talk:   talk{path: recordPath, answer: "fine", header: http.Header{"Content-Type": {"text/html"}}},
			want:   []string{"response "},
		},
		"BothSides": {
			reason: "Both sides are looked at.",
			talk: talk{
				method: http.MethodPost, path: recordsPath, send: with(aRequest(), body{"proxied": "no"}), answer: success(with(aRecord(), body{"id": 7})),
			},
			want: []string{"request /proxied", "response /result/id"},
		},
		"RequestBehindFault": {
			reason: "An injected fault excuses the answer, not a request that was accepted.",
			talk: talk{
				method: http.MethodPost, path: recordsPath, send: with(aRequest(), body{"ttl": "soon"}), answer: success(body{"type": "NEW"}),
				header: http.Header{FaultHeader: {"unknown-type"}},
			},
			want: []string{"request /ttl"},
		},

		"StrictRefused": {
			reason: "A client that must not send a bad request is not excused by the server that refuses it.",
			talk: talk{
				method: http.MethodPost, path: recordsPath, send: with(aRequest(), body{"ttl": "soon"}), strict: true,
				status: http.StatusBadRequest, answer: failure(9021, "Invalid TTL."),
			},
			want: []string{"request /ttl"},
		},
		"StrictForbidden": {
			reason: "Nor by one that did not look at the body.",
			talk: talk{
				method: http.MethodPost, path: recordsPath, send: with(aRequest(), body{"name": absent}), strict: true,
				status: http.StatusForbidden, answer: failure(10000, "Authentication error"),
			},
			want: []string{"request /name"},
		},
		"StrictQuery": {
			reason: "A parameter counts as well.",
			talk:   talk{path: recordsPath + "?name.exakt=a", status: http.StatusTooManyRequests, answer: failure(971, "slow down"), strict: true},
			want:   []string{"request "},
		},
		"StrictFault": {
			reason: "An injected fault excuses the answer alone.",
			talk: talk{
				method: http.MethodPatch, path: recordPath, send: body{"ttl": "soon"}, status: http.StatusBadGateway, answer: "<html>", strict: true,
				header: http.Header{FaultHeader: {"html-502"}, "Content-Type": {"text/html"}},
			},
			want: []string{"request /ttl"},
		},
		"StrictUnknownPath": {
			reason: "A path that nobody has is not to be asked for.",
			talk:   talk{path: basePath + "/nothing", status: http.StatusNotFound, answer: failure(7003, "No route for that URI"), strict: true},
			want:   []string{"request "},
		},
		"StrictGood": {
			reason: "That a good request is refused is no fault of its sender.",
			talk: talk{
				method: http.MethodPost, path: recordsPath, send: aRequest(), status: http.StatusBadRequest,
				answer: failure(81058, "An identical record already exists."), strict: true,
			},
		},
	}
	doc := load(t)
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			got := tc.talk.hold(t, doc)
			if diff := cmp.Diff(tc.want, briefs(got)); diff != "" {
				t.Errorf("%s\n-want, +got:\n%s\nin words: %v", tc.reason, diff, got)
			}
		})
	}
}

func TestViolationError(t *testing.T) {
	got := talk{path: recordPath, answer: success(with(aRecord(), body{"proxied": "s3cret"}))}.hold(t, load(t))
	if len(got) != 1 {
		t.Fatalf("one violation wanted, got %v", got)
	}
	for _, want := range []string{"response", "GET /zones/{zone_id}/dns_records/{dns_record_id}", "200", "/result/proxied", "boolean"} {
		if !strings.Contains(got[0].Error(), want) {
			t.Errorf("a violation names part, operation, status, pointer and reason: no %q in %q", want, got[0])
		}
	}
	if strings.Contains(got[0].Error(), "s3cret") {
		t.Errorf("a violation must not print values: %q", got[0])
	}
}

func TestValidHostname(t *testing.T) {
	tests := map[string]struct {
		reason string
		valid  bool
	}{
		".":                               {"the name of nothing", true},
		"mx.example.com":                  {"a plain name", true},
		"mx.example.com.":                 {"a final dot is allowed", true},
		"_dmarc.example.com":              {"underscores are usual in DNS", true},
		"xn--bcher-kva.example":           {"punycode is plain ASCII", true},
		"":                                {"nothing is no name", false},
		"a..b":                            {"an empty label", false},
		"a b":                             {"a space", false},
		"bücher.example":                  {"not ASCII", false},
		strings.Repeat("a", 64) + ".com":  {"a label over 63 octets", false},
		strings.Repeat("a.", 127) + "com": {"a name over 253 octets", false},
	}
	for host, tc := range tests {
		if err := validHostname(host); (err == nil) != tc.valid {
			t.Errorf("%q (%s): valid %v wanted, got %v", host, tc.reason, tc.valid, err)
		}
	}
}
