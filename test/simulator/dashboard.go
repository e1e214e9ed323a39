// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package simulator

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"time"
)

// Records returns the records of a zone, ordered by type and name, or nil for an unknown zone.
func (s *Server) Records(zoneID string) []Record {
	var list []Record
	_ = s.withZone(zoneID, func(z *zone, _ time.Time) error { // An unknown zone has no records.
		for _, r := range z.sorted() {
			list = append(list, r.public(rendering{}))
		}
		return nil
	})
	return list
}

// Record returns one record of a zone. It returns false if the zone or the record does not exist.
func (s *Server) Record(zoneID, id string) (Record, bool) {
	var found *record
	_ = s.withZone(zoneID, func(z *zone, _ time.Time) error { // An unknown zone has no record.
		found = z.records[id]
		return nil
	})
	if found == nil {
		return Record{}, false
	}
	return found.public(rendering{}), true
}

// CreateRecord creates a record as a dashboard user does: without a token and a rate limit, under
// the same rules. It returns an *Error if the record breaks a rule.
func (s *Server) CreateRecord(zoneID string, body map[string]any) (Record, error) {
	return s.edit(zoneID, http.MethodPost, body, func(t *txn, object fields) (*record, *Error) { return t.create(object) })
}

// PatchRecord changes fields of a record as a dashboard user does.
func (s *Server) PatchRecord(zoneID, id string, body map[string]any) (Record, error) {
	return s.edit(zoneID, http.MethodPatch, body, func(t *txn, object fields) (*record, *Error) { return t.patch(id, object) })
}

// DeleteRecord deletes a record as a dashboard user does.
func (s *Server) DeleteRecord(zoneID, id string) error {
	_, err := s.edit(zoneID, http.MethodDelete, nil, func(t *txn, _ fields) (*record, *Error) { return t.delete(id) })
	return err
}

// SetRecordMeta replaces Cloudflare's own metadata of a record. If read_only is true, only another
// SetRecordMeta can change the record.
func (s *Server) SetRecordMeta(zoneID, id string, meta map[string]any) error {
	_, err := s.edit(zoneID, "", nil, func(t *txn, _ fields) (*record, *Error) {
		before := t.z.records[id]
		if before == nil {
			return nil, errNoRecord()
		}
		after := before.clone()
		after.meta = meta
		after = after.clone() // A copy, because meta belongs to the caller.
		t.put(id, after)
		return after, nil
	})
	return err
}

// Settings returns the settings of a zone as the API lists them.
func (s *Server) Settings(zoneID string) ([]any, error) {
	result, err := s.ofSetting(zoneID, http.MethodGet, "", nil, listSettings)
	list, _ := result.([]any)
	return list, err
}

// PatchSetting changes a setting of a zone as a dashboard user does.
func (s *Server) PatchSetting(zoneID, id string, body map[string]any) (map[string]any, error) {
	result, err := s.ofSetting(zoneID, http.MethodPatch, id, body, patchSetting)
	shown, _ := result.(map[string]any)
	return shown, err
}

// ofSetting executes a request of the dashboard about settings.
func (s *Server) ofSetting(zoneID, method, id string, body map[string]any, handle func(*call) (reply, *Error)) (result any, err error) {
	raw, err := json.Marshal(body)
	if err != nil {
		return nil, fmt.Errorf("cannot encode the setting: %w", err)
	}
	err = s.withZone(zoneID, func(z *zone, now time.Time) error {
		r := &http.Request{Method: method, URL: &url.URL{Path: BasePath + "/zones/" + zoneID + "/settings/" + id}, Header: http.Header{}}
		r.SetPathValue("zone_id", zoneID)
		r.SetPathValue("setting_id", id)
		c := &call{s: s, r: r, body: raw, now: now, zone: z, cred: &credential{email: "dashboard"}}
		shown, refused := handle(c)
		if refused != nil {
			return refused
		}
		if result = shown.result; method != http.MethodGet {
			s.keepAudit(auditedChange{
				method: method, path: c.path(), route: method + " /zones/{zone_id}/settings/{setting_id}", body: raw, status: http.StatusOK,
				result: result, zone: z, actor: s.dashboard(z.accountID),
			})
		}
		return nil
	})
	return result, err
}

// edit changes a record. The audit log shows the change as a request with the method. If method is
// "", there is no entry.
func (s *Server) edit(zoneID, method string, body map[string]any, do func(*txn, fields) (*record, *Error)) (Record, error) {
	// Encoded as JSON, so that callers may pass Go numbers and lists of all types.
	raw, err := json.Marshal(body)
	if err != nil {
		return Record{}, fmt.Errorf("cannot encode the record: %w", err)
	}
	object := fields{}
	if body != nil {
		var malformed *Error
		if object, malformed = decodeObject(raw); malformed != nil {
			return Record{}, malformed
		}
	}
	var done Record
	err = s.withZone(zoneID, func(z *zone, _ time.Time) error {
		refused := s.transact(z, func(t *txn) *Error {
			r, err := do(t, object)
			if err == nil {
				done = r.public(rendering{})
			}
			return err
		})
		if refused != nil {
			return refused
		}
		if method != "" {
			s.auditRecord(method, z, done.ID, object)
		}
		return nil
	})
	return done, err
}
