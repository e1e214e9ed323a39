// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package cloudflare

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"
)

const (
	routeAuditLogs = "/accounts/{account}/logs/audit"
	// auditPage is how many entries one call asks for at most, the newest first. It is the
	// largest page of the API.
	auditPage = 1000
)

// An AuditQuery asks for the changes of an account's audit logs (version 2).
type AuditQuery struct {
	AccountID string
	// ZoneID limits the query to the entries of that zone; "" does not limit it.
	ZoneID string
	// Since and Before bound the time of the changes.
	Since, Before time.Time
}

// An AuditEntry is one change that was made, by one request.
type AuditEntry struct {
	Time time.Time
	// Action is create, update or delete.
	Action string
	Actor  AuditActor
	// UserAgent and Path are those of the request, Path as the API has it. Both are "" if
	// Cloudflare itself made the change.
	UserAgent, Path string
	// ResourceID is the ID of the changed resource, "" if the entry is about several.
	ResourceID string
	ZoneID     string
	// Changed and Deleted are the IDs of the resources that a batch names.
	Changed, Deleted []string
}

// An AuditActor is the user, token or system that made a change.
type AuditActor struct {
	// Type is user, account (a token of the account), system or cloudflare_admin.
	Type string `json:"type"`
	// Context is dash, api_token, api_key, oauth or origin_ca_key.
	Context string `json:"context"`
	// Email is the address of a user.
	Email string `json:"email"`
	// TokenID and TokenName are those of an API token, or of an OAuth client.
	TokenID   string `json:"token_id"`
	TokenName string `json:"token_name"`
}

// AuditLogsPath returns the path of the audit logs of an account.
func AuditLogsPath(accountID string) string { return "/accounts/" + accountID + "/logs/audit" }

// AuditLogs returns the newest entries that match a query, of changes that were carried out. It
// needs the permission Account Settings: Read. No credential has to have that permission, so a
// refusal is not reported to Options.Refused. The strings of an entry are as the author of the
// change wrote them. The client's own credential is redacted from UserAgent, Email and TokenName.
func (c *Client) AuditLogs(ctx context.Context, q AuditQuery) ([]AuditEntry, error) {
	if !ValidID(q.AccountID) {
		return nil, &IDError{What: "account", ID: q.AccountID}
	}
	r := Request{
		Method: http.MethodGet, Path: AuditLogsPath(q.AccountID), Route: routeAuditLogs, Zone: q.ZoneID,
		Query: q.values(),
	}
	req, err := c.request(ctx, r)
	if err != nil {
		return nil, fmt.Errorf("cannot make the request %s %s: %w", r.Method, r.Route, err)
	}
	var wire []auditWire
	_, err = c.roundTrip(ctx, r.operation(), &wire, func(ctx context.Context) (*http.Response, []byte, error) { return c.send(req.WithContext(ctx)) })
	if err != nil {
		return nil, err
	}
	out := make([]AuditEntry, 0, len(wire))
	for _, w := range wire {
		if w.Action.Result == "" || w.Action.Result == "success" {
			out = append(out, w.entry(c.cred.redact))
		}
	}
	return out, nil
}

func (q AuditQuery) values() url.Values {
	v := url.Values{
		"since":         {q.Since.UTC().Format(time.RFC3339)},
		"before":        {q.Before.UTC().Format(time.RFC3339)},
		"action_result": {"success"},
		"action_type":   {"create", "update", "delete"},
		"direction":     {"desc"},
		"limit":         {strconv.Itoa(auditPage)},
	}
	if q.ZoneID != "" {
		v.Set("zone_id", q.ZoneID)
	}
	return v
}

// auditWire holds the needed fields of an entry as the API sends it.
type auditWire struct {
	Action struct {
		Type   string    `json:"type"`
		Result string    `json:"result"`
		Time   time.Time `json:"time"`
	} `json:"action"`
	Actor AuditActor `json:"actor"`
	Raw   struct {
		URI       string `json:"uri"`
		UserAgent string `json:"user_agent"`
	} `json:"raw"`
	Resource struct {
		ID      string          `json:"id"`
		Request json.RawMessage `json:"request"`
	} `json:"resource"`
	Zone struct {
		ID string `json:"id"`
	} `json:"zone"`
}

func (w auditWire) entry(redact func(string) string) AuditEntry {
	e := AuditEntry{
		Time: w.Action.Time, Action: w.Action.Type, Actor: w.Actor,
		UserAgent: redact(w.Raw.UserAgent), Path: auditedPath(w.Raw.URI), ResourceID: w.Resource.ID, ZoneID: w.Zone.ID,
	}
	e.Actor.Email, e.Actor.TokenName = redact(w.Actor.Email), redact(w.Actor.TokenName)
	if strings.HasSuffix(e.Path, "/batch") {
		e.Changed, e.Deleted = inBatch(w.Resource.Request)
	}
	return e
}

// auditedPath returns the path of a URI from /accounts/ or /zones/ on, without a query: the
// dashboard has another base URL than the API.
func auditedPath(uri string) string {
	path, _, _ := strings.Cut(uri, "?")
	for _, top := range []string{"/accounts/", "/zones/"} {
		if at := strings.Index(path, top); at >= 0 {
			return strings.TrimSuffix(path[at:], "/")
		}
	}
	return strings.TrimSuffix(path, "/")
}

// inBatch returns the IDs that a batch of changes names, and none if the body is not a batch.
func inBatch(body json.RawMessage) (changed, deleted []string) {
	type named struct {
		ID string `json:"id"`
	}
	var batch struct{ Deletes, Patches, Puts []named }
	if json.Unmarshal(body, &batch) != nil {
		return nil, nil
	}
	ids := func(lists ...[]named) (out []string) {
		for _, list := range lists {
			for _, n := range list {
				out = append(out, n.ID)
			}
		}
		return out
	}
	return ids(batch.Patches, batch.Puts), ids(batch.Deletes)
}
