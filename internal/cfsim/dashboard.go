// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package cfsim

import (
	"encoding/json"
	"fmt"
	"net/http"
	"time"
)

// Records are the records of a zone by type and name; nil for an unknown zone.
func (s *Server) Records(zoneID string) []Record {
	var list []Record
	_ = s.withZone(zoneID, func(z *zone, _ time.Time) error { // unknown is nil
		for _, r := range z.sorted() {
			list = append(list, r.public(rendering{}))
		}
		return nil
	})
	return list
}

// Record is one record of a zone, and whether there is one of this ID.
func (s *Server) Record(zoneID, id string) (Record, bool) {
	var found *record
	_ = s.withZone(zoneID, func(z *zone, _ time.Time) error { // unknown is not found
		found = z.records[id]
		return nil
	})
	if found == nil {
		return Record{}, false
	}
	return found.public(rendering{}), true
}

// CreateRecord creates a record as a dashboard user does: no token, no rate
// limit, the same rules. The error is an *Error where they are broken.
func (s *Server) CreateRecord(zoneID string, body map[string]any) (Record, error) {
	return s.edit(zoneID, http.MethodPost, body, func(t *txn, object fields) (*record, *Error) { return t.create(object) })
}

// PatchRecord changes the given fields of a record as a dashboard user does.
func (s *Server) PatchRecord(zoneID, id string, body map[string]any) (Record, error) {
	return s.edit(zoneID, http.MethodPatch, body, func(t *txn, object fields) (*record, *Error) { return t.patch(id, object) })
}

// DeleteRecord deletes a record as a dashboard user does.
func (s *Server) DeleteRecord(zoneID, id string) error {
	_, err := s.edit(zoneID, http.MethodDelete, nil, func(t *txn, _ fields) (*record, *Error) { return t.delete(id) })
	return err
}

// SetRecordMeta replaces what Cloudflare says about a record. With read_only true
// it cannot be changed any more, but by another SetRecordMeta.
func (s *Server) SetRecordMeta(zoneID, id string, meta map[string]any) error {
	_, err := s.edit(zoneID, "", nil, func(t *txn, _ fields) (*record, *Error) {
		before := t.z.records[id]
		if before == nil {
			return nil, errNoRecord()
		}
		after := before.clone()
		after.meta = meta
		after = after.clone() // the caller keeps its map
		t.put(id, after)
		return after, nil
	})
	return err
}

// edit changes a record. The audit log has it as made by a method of the API, "" for nobody's edit.
func (s *Server) edit(zoneID, method string, body map[string]any, do func(*txn, fields) (*record, *Error)) (Record, error) {
	// Through JSON, so that any Go numbers and lists will do.
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
