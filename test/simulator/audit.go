// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package simulator

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"
)

const (
	// DashboardUser is the user of the dashboard if SignIn has named no other one.
	DashboardUser = "owner@example.com"
	// browser is the user agent of the dashboard.
	browser = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"
	// maxAudit is the maximum number of entries in the audit log of an account. The oldest
	// entries are dropped first.
	maxAudit = 20_000
)

// An auditActor is the author of a change, with the members that the official document has
// for it.
type auditActor struct {
	kind, context, id, email, tokenID, tokenName, userAgent string
}

// An auditEntry is one request for a change, as version 2 of the audit logs keeps it.
// There is one entry per request, and so one entry for a whole batch
// (https://blog.cloudflare.com/introducing-automatic-audit-logs/).
type auditEntry struct {
	id               string
	account          Account
	at               time.Time
	actor            auditActor
	action           string
	success          bool
	method, uri      string
	status           int
	collection       string // The last segment of the path that is a name.
	resource         string // The ID of the changed resource; "" for a batch.
	request, answer  map[string]any
	zoneID, zoneName string
}

// auditing is the audit log of an account.
type auditing struct {
	entries []auditEntry
	user    string        // The user who is signed in to the dashboard.
	delay   time.Duration // The time from a change until its entry appears.
}

func (s *Server) audits(account string) *auditing {
	found := s.audit[account]
	if found == nil {
		found = &auditing{user: DashboardUser}
		s.audit[account] = found
	}
	return found
}

// SignIn sets the user of the dashboard of an account for all later edits.
func (s *Server) SignIn(account, email string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.audits(account).user = email
}

// DelayAuditLogs sets the time from a change until its entry appears in the audit log of
// the account.
func (s *Server) DelayAuditLogs(account string, d time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.audits(account).delay = d
}

// An auditedChange is one change on its way into the audit log.
type auditedChange struct {
	method, path string // Below BasePath.
	route        string // The path with {zone_id} and similar parameters.
	body         []byte
	status       int
	result       any
	zone         *zone
	actor        auditActor
}

// keepAudit adds an entry to the audit log of the change's account, or of the account of
// its zone. It ignores changes that belong to no known account.
func (s *Server) keepAudit(ch auditedChange) {
	e := auditEntry{
		at: s.now(), actor: ch.actor, success: ch.status < http.StatusBadRequest, status: ch.status,
		method: ch.method, uri: BasePath + ch.path, action: actionOf(ch.method), answer: objectOf(ch.result),
	}
	e.collection, e.resource = audited(ch.route, ch.path, e.answer)
	// Bodies of other products may contain secrets, and no log shows secrets.
	if e.collection == "dns_records" {
		_ = json.Unmarshal(ch.body, &e.request) // A body that is not an object is not logged.
	} else {
		e.answer = nil
	}
	account, _ := objectOf(objectOf(ch.result)["account"])["id"].(string)
	if rest, ok := strings.CutPrefix(ch.path, "/accounts/"); ok {
		account, _, _ = strings.Cut(rest, "/")
	}
	if ch.zone != nil {
		account, e.zoneID, e.zoneName = ch.zone.accountID, ch.zone.id, ch.zone.name
	}
	owner := s.accounts[account]
	if owner == nil {
		return
	}
	s.auditSeq++
	e.id, e.account = fmt.Sprintf("%032x", s.auditSeq), *owner
	log := s.audits(account)
	if log.entries = append(log.entries, e); len(log.entries) > maxAudit {
		log.entries = slices.Delete(log.entries, 0, maxAudit/10)
	}
}

// auditCall logs a request of the API for a change.
func (c *call) auditCall(result reply, refused *Error) {
	route, found := c.s.find(c.r)
	if c.cred == nil || !found || route.verifies() || c.r.Method == http.MethodGet {
		return
	}
	status := max(result.status, http.StatusOK)
	if refused != nil {
		status = refused.Status
	}
	c.s.keepAudit(auditedChange{
		method: c.r.Method, path: c.path(), route: route.pattern, body: c.body, status: status, result: result.result, zone: c.zone,
		actor: c.cred.actor(c.r.UserAgent()),
	})
}

// actor returns the credential as the author of a change in the audit log.
func (c *credential) actor(userAgent string) auditActor {
	a := auditActor{kind: "user", context: "api_token", id: c.owner, email: c.ownerEmail, tokenID: c.id, tokenName: c.name, userAgent: userAgent}
	switch {
	case c.email != "":
		a.context, a.id, a.email, a.tokenID = "api_key", c.id, c.email, ""
	case c.account != "":
		a.kind, a.id, a.email = "account", c.account, ""
	}
	return a
}

// dashboard returns the user who is signed in to the dashboard of an account.
func (s *Server) dashboard(account string) auditActor {
	return auditActor{kind: "user", context: "dash", id: strings.Repeat("d", 32), email: s.audits(account).user, userAgent: browser}
}

// auditRecord logs an edit of a record in the dashboard.
func (s *Server) auditRecord(method string, z *zone, id string, body fields) {
	path, route := "/zones/"+z.id+"/dns_records", "/dns_records"
	if method != http.MethodPost {
		path, route = path+"/"+id, route+"/{dns_record_id}"
	}
	raw, err := json.Marshal(body)
	if err != nil {
		panic(err) // The body was decoded from JSON.
	}
	s.keepAudit(auditedChange{
		method: method, path: path, route: route, body: raw, status: http.StatusOK, result: map[string]any{"id": id}, zone: z, actor: s.dashboard(z.accountID),
	})
}

// accountID returns the account of a path or of its zone, or "" if the path has neither.
func (c *call) accountID() string {
	if c.zone != nil {
		return c.zone.accountID
	}
	return c.r.PathValue("account_id")
}

func actionOf(method string) string {
	switch method {
	case http.MethodPost:
		return "create"
	case http.MethodDelete:
		return "delete"
	}
	return "update"
}

// audited returns the collection of a path and the ID of the resource. The ID is taken
// from the path, or from the response if the path has none. A batch has no ID.
func audited(route, path string, answer map[string]any) (collection, id string) {
	segments, template := strings.Split(path, "/"), strings.Split(route, "/")
	last := len(segments) - 1
	switch {
	case strings.HasPrefix(template[len(template)-1], "{"):
		return segments[last-1], segments[last]
	case segments[last] == "batch":
		return segments[last-1], ""
	}
	id, _ = answer["id"].(string)
	return segments[last], id
}

func objectOf(v any) map[string]any {
	if object, ok := v.(map[string]any); ok {
		return object
	}
	raw, err := json.Marshal(v)
	if err != nil {
		return nil
	}
	var object map[string]any
	_ = json.Unmarshal(raw, &object) // A value that is not an object has no members.
	return object
}
