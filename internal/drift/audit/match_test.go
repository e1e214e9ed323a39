// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package audit

import (
	"testing"
	"time"

	"github.com/provider-cloudflare/provider-cloudflare/internal/cloudflare"
)

const (
	account = "01a7362d577a6c3019a474fd6f485823"
	zone    = "023e105f4ecef8ad9ca31a8372d0c353"
	record  = "372e67954025e0ba6aaa6d586b9e0b59"
	other   = "fedcba9876543210fedcba9876543210"
	records = "/zones/" + zone + "/dns_records"

	agent   = "provider-cloudflare/1.0"
	tokenID = "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
)

func noon() time.Time { return time.Date(2026, 11, 23, 12, 0, 0, 0, time.UTC) }

// jane returns an edit in the dashboard at noon, with changes by edits.
func jane(edits ...func(*cloudflare.AuditEntry)) cloudflare.AuditEntry {
	e := cloudflare.AuditEntry{
		Time: noon(), Action: "update", Path: records + "/" + record, ResourceID: record, ZoneID: zone, UserAgent: "Mozilla/5.0",
		Actor: cloudflare.AuditActor{Type: "user", Context: "dash", Email: "jane@example.com"},
	}
	for _, f := range edits {
		f(&e)
	}
	return e
}

func at(minutes int) func(*cloudflare.AuditEntry) {
	return func(e *cloudflare.AuditEntry) { e.Time = noon().Add(time.Duration(minutes) * time.Minute) }
}

func action(a string) func(*cloudflare.AuditEntry) {
	return func(e *cloudflare.AuditEntry) { e.Action = a }
}

func on(path, id string) func(*cloudflare.AuditEntry) {
	return func(e *cloudflare.AuditEntry) { e.Path, e.ResourceID = path, id }
}

// batch makes an entry a batch of changes and deletions.
func batch(changed, deleted string) func(*cloudflare.AuditEntry) {
	return func(e *cloudflare.AuditEntry) {
		e.Action, e.Path, e.ResourceID = "create", records+"/batch", ""
		e.Changed, e.Deleted = []string{other, changed}, []string{deleted}
	}
}

func bob(e *cloudflare.AuditEntry) { e.Actor.Email = "bob@example.com" }

func ours(e *cloudflare.AuditEntry) {
	e.UserAgent = agent
	e.Actor = cloudflare.AuditActor{Type: "account", Context: "api_token", TokenID: tokenID}
}

// as makes an entry a change with a token, by a program.
func as(id, userAgent string) func(*cloudflare.AuditEntry) {
	return func(e *cloudflare.AuditEntry) {
		e.UserAgent = userAgent
		e.Actor = cloudflare.AuditActor{Type: "account", Context: "api_token", TokenID: id, Email: "token@example.com"}
	}
}

func TestFind(t *testing.T) {
	type entries = []cloudflare.AuditEntry
	subject := func(edits ...func(*Subject)) Subject {
		s := Subject{AccountID: account, ZoneID: zone, ID: record, Path: records + "/" + record, After: noon().Add(-time.Hour)}
		for _, f := range edits {
			f(&s)
		}
		return s
	}
	gone := func(s *Subject) { s.Gone = true }
	document := func(path string) func(*Subject) {
		return func(s *Subject) { s.ID, s.Path, s.Document = "www", path, true }
	}
	named := func(id, path string) func(*Subject) {
		return func(s *Subject) { s.ID, s.Path = id, path }
	}
	const entrypoint = "/zones/" + zone + "/rulesets/phases/http_request_transform/entrypoint"
	tests := []struct {
		reason  string
		s       Subject
		entries entries
		want    string // the email of the actor that is named
	}{
		{"an edit of the record", subject(), entries{jane()}, "jane@example.com"},
		{"nothing was logged", subject(), nil, ""},
		{"the newest of two, whatever their order", subject(), entries{jane(), jane(bob, at(1))}, "bob@example.com"},
		{"the newest of two, in the API's order", subject(), entries{jane(bob, at(1)), jane()}, "bob@example.com"},
		{"of another record", subject(), entries{jane(on(records+"/"+other, other))}, ""},
		{"in another zone", subject(), entries{jane(func(e *cloudflare.AuditEntry) { e.ZoneID = other })}, ""},
		{"an entry that does not say its zone", subject(), entries{jane(func(e *cloudflare.AuditEntry) { e.ZoneID = "" })}, "jane@example.com"},
		{"an entry without a path, as of a change of Cloudflare itself", subject(), entries{jane(on("", record))}, "jane@example.com"},
		{"a creation in the collection", subject(), entries{jane(action("create"), on(records, record))}, "jane@example.com"},
		{"the ID is that of what the path is below", subject(named(zone, "/zones/"+zone)), entries{jane(on(records+"/"+record, zone))}, ""},

		{"older than our last write", subject(), entries{jane(at(-61))}, ""},
		{"as old as our last write", subject(), entries{jane(at(-60))}, "jane@example.com"},
		{"our own change", subject(), entries{jane(ours)}, ""},
		{"what came before a change of our own, the newest", subject(), entries{jane(ours, at(1)), jane()}, ""},
		{"what came after a change of our own", subject(), entries{jane(at(1)), jane(ours)}, "jane@example.com"},
		{"a change of our own to another record", subject(), entries{jane(ours, at(1), on(records+"/"+other, other)), jane()}, "jane@example.com"},
		{"another program with our token", subject(), entries{jane(as(tokenID, "Terraform/1.9.5"))}, "token@example.com"},
		{"another cluster's provider with its own token", subject(), entries{jane(as(other, agent))}, "token@example.com"},
		{"another cluster's provider with our token", subject(), entries{jane(as(tokenID, agent))}, ""},
		{"our own change, before an upgrade", subject(), entries{jane(as(tokenID, "provider-cloudflare/0.9"))}, ""},

		{"a deletion of what is there", subject(), entries{jane(action("delete"))}, ""},
		{"a deletion of what is gone", subject(gone), entries{jane(action("delete"))}, "jane@example.com"},
		{"an edit of what is gone", subject(gone), entries{jane()}, ""},
		{"an edit after the entry of the deletion, which is the newest that fits", subject(gone), entries{jane(bob, at(1)), jane(action("delete"))}, ""},
		{"a batch that changes it", subject(), entries{jane(batch(record, other))}, "jane@example.com"},
		{"a batch that deletes it", subject(gone), entries{jane(batch(other, record))}, "jane@example.com"},
		{"a batch that deletes what is there", subject(), entries{jane(batch(other, record))}, ""},
		{"a batch of other records", subject(), entries{jane(batch(other, other))}, ""},

		{"a setting, by its path", subject(named("ssl", "/zones/"+zone+"/settings/ssl")), entries{jane(on("/zones/"+zone+"/settings/ssl", "ssl"))}, "jane@example.com"},
		{"a name alone proves nothing", subject(named("ssl", "/zones/"+zone+"/settings/ssl")), entries{jane(on("", "ssl"))}, ""},
		{"the document that an element is in", subject(document(entrypoint)), entries{jane(on(entrypoint, other))}, "jane@example.com"},
		{"what is below the document", subject(document(entrypoint)), entries{jane(action("delete"), on(entrypoint+"/rules/"+other, other))}, "jane@example.com"},
		{"an element that is gone, by an edit of the document", subject(document(entrypoint), gone), entries{jane(on(entrypoint, other))}, "jane@example.com"},
		{"our own change to the document leaves the parts of others alone", subject(document(entrypoint)), entries{jane(ours, at(1), on(entrypoint, "")), jane(on(entrypoint, ""))}, "jane@example.com"},
		{"two people changed the document: nobody knows who changed the element", subject(document(entrypoint)), entries{jane(on(entrypoint, other)), jane(bob, at(1), on(entrypoint+"/rules/"+other, other))}, ""},
		{"one person changed it twice", subject(document(entrypoint)), entries{jane(on(entrypoint, other)), jane(at(1), on(entrypoint, other))}, "jane@example.com"},
		{"somebody else changed it before our last write", subject(document(entrypoint)), entries{jane(on(entrypoint, other)), jane(bob, at(-61), on(entrypoint, other))}, "jane@example.com"},
		{"another document with the same beginning", subject(document(entrypoint)), entries{jane(on(entrypoint+"s", ""))}, ""},
	}
	for _, tc := range tests {
		got, ok := Find(tc.entries, tc.s, Own{TokenID: tokenID, UserAgent: agent})
		if got.Actor.Email != tc.want && ok || ok != (tc.want != "") {
			t.Errorf("%s: found %q (%t), want %q", tc.reason, got.Actor.Email, ok, tc.want)
		}
	}
}

func TestOwnChangesWithoutATokenID(t *testing.T) {
	for reason, tc := range map[string]struct {
		own  Own
		e    cloudflare.AuditEntry
		ours bool
	}{
		"a token that nobody has verified yet": {Own{UserAgent: agent}, jane(ours), true},
		"a global API key, which has no ID":    {Own{TokenID: tokenID, UserAgent: agent}, jane(func(e *cloudflare.AuditEntry) { e.UserAgent = agent }), true},
		"another program":                      {Own{UserAgent: agent}, jane(), false},
	} {
		if got := tc.own.made(tc.e); got != tc.ours {
			t.Errorf("%s: ours is %t, want %t", reason, got, tc.ours)
		}
	}
}
