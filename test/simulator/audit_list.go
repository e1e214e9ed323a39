// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package simulator

import (
	"encoding/base64"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
)

const (
	// AuditLogsRead is one of the two permission groups that may read audit logs.
	AuditLogsRead Permission = "Account Settings Read"
	// AuditLogsWrite is the other one.
	AuditLogsWrite Permission = "Account Settings Write"
	// CodeBadAuditQuery is the code of a query that the audit logs refuse (own number).
	CodeBadAuditQuery = 11000

	defaultAuditLimit, maxAuditLimit = 100, 1000
)

// auditLogs handles GET /accounts/{account_id}/logs/audit, version 2 of the audit logs.
func auditLogs(c *call) (reply, *Error) {
	query := c.r.URL.Query()
	since, before, err := auditWindow(query)
	if err != nil {
		return reply{}, err
	}
	limit, ok := intParameter(query, "limit", defaultAuditLimit)
	if !ok || limit < 1 || limit > maxAuditLimit {
		return reply{}, badAuditQuery("limit")
	}
	direction, err := oneOf(query, "direction", "desc", "desc", "asc")
	if err != nil {
		return reply{}, badAuditQuery("direction")
	}
	from, ok := auditCursor(query.Get("cursor"))
	if !ok {
		return reply{}, badAuditQuery("cursor")
	}
	found := c.s.visibleAudits(c.r.PathValue("account_id"), since, before, c.now)
	found = slices.DeleteFunc(found, func(e auditEntry) bool { return !e.passes(query) })
	if direction == "desc" {
		slices.Reverse(found)
	}
	return auditPage(found, from, limit), nil
}

func auditPage(found []auditEntry, from, limit int) reply {
	from = min(from, len(found))
	shown := found[from:min(from+limit, len(found))]
	result := make([]any, 0, len(shown))
	for _, e := range shown {
		result = append(result, e.body())
	}
	// In the document, count is a string.
	info := map[string]any{"count": strconv.Itoa(len(shown)), "cursor": ""}
	if next := from + len(shown); next < len(found) {
		info["cursor"] = base64.URLEncoding.EncodeToString([]byte(strconv.Itoa(next)))
	}
	return reply{result: result, info: info}
}

func badAuditQuery(parameter string) *Error {
	return invalid(CodeBadAuditQuery, "Invalid value for parameter %s.", parameter)
}

func auditWindow(query url.Values) (since, before time.Time, err *Error) {
	parse := func(name string) time.Time {
		for _, layout := range []string{time.RFC3339, time.DateOnly} {
			if t, wrong := time.Parse(layout, query.Get(name)); wrong == nil {
				return t
			}
		}
		if err == nil {
			err = badAuditQuery(name)
		}
		return time.Time{}
	}
	since, before = parse("since"), parse("before")
	return since, before, err
}

func auditCursor(text string) (int, bool) {
	if text == "" {
		return 0, true
	}
	raw, err := base64.URLEncoding.DecodeString(text)
	if err != nil {
		return 0, false
	}
	n, err := strconv.Atoi(string(raw))
	return n, err == nil && n >= 0
}

// visibleAudits returns the entries of a period that have appeared by now, the oldest
// first.
func (s *Server) visibleAudits(account string, since, before, now time.Time) []auditEntry {
	log := s.audits(account)
	var out []auditEntry
	for _, e := range log.entries {
		if !e.at.Before(since) && e.at.Before(before) && !e.at.Add(log.delay).After(now) {
			out = append(out, e)
		}
	}
	return out
}

// passes reports whether an entry passes the filters of a query. For each parameter, the
// entry must have one of the values of the parameter, and none of the values of the
// parameter with the suffix .not.
func (e auditEntry) passes(query url.Values) bool {
	for name, value := range e.filtered() {
		if query.Has(name) && !slices.Contains(query[name], value) {
			return false
		}
		if slices.Contains(query[name+".not"], value) {
			return false
		}
	}
	return true
}

// filtered returns the values that lists filter by.
func (e auditEntry) filtered() map[string]string {
	scope := "accounts"
	if e.zoneID != "" {
		scope = "zones"
	}
	return map[string]string{
		"account_name": e.account.Name, "action_result": e.outcome(), "action_type": e.action,
		"actor_context": e.actor.context, "actor_email": e.actor.email, "actor_id": e.actor.id, "actor_type": e.actor.kind,
		"actor_token_id": e.actor.tokenID, "actor_token_name": e.actor.tokenName,
		"id": e.id, "audit_log_id": e.id, "raw_method": e.method, "raw_status_code": strconv.Itoa(e.status), "raw_uri": e.uri,
		"resource_id": e.resource, "resource_product": e.collection, "resource_type": e.collection, "resource_scope": scope,
		"zone_id": e.zoneID, "zone_name": e.zoneName,
	}
}

func (e auditEntry) outcome() string {
	if e.success {
		return "success"
	}
	return "failure"
}

// body returns the entry in the form of the document. Unknown members are left out.
func (e auditEntry) body() map[string]any {
	b := map[string]any{
		"id":      e.id,
		"account": map[string]any{"id": e.account.ID, "name": e.account.Name},
		"action": map[string]any{
			"description": strings.ToUpper(e.action[:1]) + e.action[1:] + " " + e.collection, "result": e.outcome(),
			"time": e.at.UTC().Format(time.RFC3339), "type": e.action,
		},
		"actor": known(map[string]string{
			"type": e.actor.kind, "context": e.actor.context, "id": e.actor.id, "email": e.actor.email,
			"token_id": e.actor.tokenID, "token_name": e.actor.tokenName,
		}),
		"raw":      map[string]any{"method": e.method, "uri": e.uri, "status_code": e.status, "user_agent": e.actor.userAgent},
		"resource": e.resourceBody(),
	}
	if e.zoneID != "" {
		b["zone"] = map[string]any{"id": e.zoneID, "name": e.zoneName}
	}
	return b
}

func (e auditEntry) resourceBody() map[string]any {
	b := known(map[string]string{"id": e.resource, "product": e.collection, "type": e.collection})
	if e.request != nil {
		b["request"] = e.request
	}
	if e.answer != nil {
		b["response"] = e.answer
	}
	return b
}

func known(members map[string]string) map[string]any {
	b := map[string]any{}
	for name, value := range members {
		if value != "" {
			b[name] = value
		}
	}
	return b
}
