// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package simulator

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"time"
)

// adminMux returns the handler of the simulator's own endpoints, which the package
// documentation lists. They need no credential: a simulator listens on loopback.
func (s *Server) adminMux() *http.ServeMux {
	mux := http.NewServeMux()
	handle := func(pattern string, f func(*http.Request) (any, error)) {
		mux.HandleFunc(pattern, func(w http.ResponseWriter, r *http.Request) { writeAdmin(w, r, f) })
	}
	const zone = AdminPath + "/zones/{zone_id}"
	handle("GET "+AdminPath+"/state", func(*http.Request) (any, error) { return s.state(), nil })
	handle("POST "+AdminPath+"/seed", s.adminSeed)

	handle("POST "+AdminPath+"/zones", s.adminAddZone)
	handle("PATCH "+zone, s.adminPatchZone)
	handle("DELETE "+zone, func(r *http.Request) (any, error) { return nil, s.DeleteZone(r.PathValue("zone_id")) })
	handle("POST "+zone+"/activate", func(r *http.Request) (any, error) { return nil, s.ActivateZone(r.PathValue("zone_id")) })
	handle("GET "+zone+"/records", s.adminRecords)
	handle("POST "+zone+"/records", s.adminCreateRecord)
	handle("PATCH "+zone+"/records/{id}", s.adminPatchRecord)
	handle("DELETE "+zone+"/records/{id}", func(r *http.Request) (any, error) {
		return nil, s.DeleteRecord(r.PathValue("zone_id"), r.PathValue("id"))
	})
	handle("PUT "+zone+"/records/{id}/meta", s.adminSetMeta)
	handle("GET "+zone+"/settings", func(r *http.Request) (any, error) { return s.Settings(r.PathValue("zone_id")) })
	handle("PATCH "+zone+"/settings/{id}", s.adminPatchSetting)

	handle("GET "+AdminPath+"/faults", func(*http.Request) (any, error) { return s.Faults(), nil })
	handle("GET "+AdminPath+"/faults/added", func(*http.Request) (any, error) { return s.AddedFaults(), nil })
	handle("POST "+AdminPath+"/faults", s.adminAddFault)
	handle("DELETE "+AdminPath+"/faults", func(*http.Request) (any, error) { s.ClearFaults(); return nil, nil })
	handle("DELETE "+AdminPath+"/faults/{id}", s.adminRemoveFault)

	s.handleResources(handle)

	handle("GET "+AdminPath+"/clock", func(*http.Request) (any, error) { return map[string]any{"now": s.Now()}, nil })
	handle("POST "+AdminPath+"/clock/advance", s.adminAdvance)

	mux.HandleFunc("GET "+AdminPath+"/log", s.adminLog)
	handle("DELETE "+AdminPath+"/log", func(*http.Request) (any, error) { s.ResetLog(); return nil, nil })
	return mux
}

// errBadRequest marks errors in an administrator's request.
var errBadRequest = errors.New("bad request")

// writeAdmin writes a JSON response: what f returns, or {"error": ...}.
func writeAdmin(w http.ResponseWriter, r *http.Request, f func(*http.Request) (any, error)) {
	result, err := f(r)
	status := http.StatusOK
	var refused *Error
	switch {
	case err == nil && result == nil:
		w.WriteHeader(http.StatusNoContent)
		return
	case errors.As(err, &refused):
		status = refused.Status
	case errors.Is(err, ErrUnknown):
		status = http.StatusNotFound
	case err != nil:
		status = http.StatusBadRequest
	}
	if err != nil {
		result = map[string]any{"error": err.Error()}
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	if err := json.NewEncoder(w).Encode(result); err != nil {
		return // The client has disconnected.
	}
}

func readAdmin[T any](r *http.Request) (T, error) {
	var v T
	dec := json.NewDecoder(r.Body)
	dec.DisallowUnknownFields()
	if err := dec.Decode(&v); err != nil {
		return v, fmt.Errorf("%w: %w", errBadRequest, err)
	}
	return v, nil
}

// readBody decodes a body with the API's own members, such as a record.
func readBody(r *http.Request) (map[string]any, error) {
	var v map[string]any
	dec := json.NewDecoder(r.Body)
	dec.UseNumber()
	if err := dec.Decode(&v); err != nil {
		return v, fmt.Errorf("%w: %w", errBadRequest, err)
	}
	return v, nil
}

// state returns the response to GET /_sim/state.
func (s *Server) state() any {
	type zoneState struct {
		Zone
		Records int `json:"records"`
	}
	zones := []zoneState{}
	for _, z := range s.Zones() {
		zones = append(zones, zoneState{Zone: z, Records: len(s.Records(z.ID))})
	}
	return map[string]any{"now": s.Now(), "accounts": s.Accounts(), "zones": zones, "faults": s.Faults(), "requests": len(s.Requests())}
}

func (s *Server) adminSeed(r *http.Request) (any, error) {
	seed, err := readAdmin[Seed](r)
	if err != nil {
		return nil, err
	}
	return s.Apply(seed)
}

func (s *Server) adminAddZone(r *http.Request) (any, error) {
	z, err := readAdmin[struct {
		Account string `json:"account"`
		Name    string `json:"name"`
		ZoneOptions
	}](r)
	if err != nil {
		return nil, err
	}
	return s.AddZone(z.Account, z.Name, z.ZoneOptions)
}

func (s *Server) adminPatchZone(r *http.Request) (any, error) {
	id := r.PathValue("zone_id")
	change, err := readAdmin[struct {
		Plan      Plan       `json:"plan"`
		Status    ZoneStatus `json:"status"`
		Delegated *bool      `json:"delegated"`
	}](r)
	if err == nil && change.Plan != "" {
		err = s.SetPlan(id, change.Plan)
	}
	if err == nil && change.Status != "" {
		err = s.SetZoneStatus(id, change.Status)
	}
	if err == nil && change.Delegated != nil {
		err = s.SetDelegated(id, *change.Delegated)
	}
	return nil, err
}

func (s *Server) adminRecords(r *http.Request) (any, error) {
	list := []any{}
	err := s.withZone(r.PathValue("zone_id"), func(z *zone, _ time.Time) error {
		for _, rec := range z.sorted() {
			list = append(list, rec.body(rendering{}))
		}
		return nil
	})
	return list, err
}

func (s *Server) adminCreateRecord(r *http.Request) (any, error) {
	body, err := readBody(r)
	if err != nil {
		return nil, err
	}
	return s.CreateRecord(r.PathValue("zone_id"), body)
}

func (s *Server) adminPatchRecord(r *http.Request) (any, error) {
	body, err := readBody(r)
	if err != nil {
		return nil, err
	}
	return s.PatchRecord(r.PathValue("zone_id"), r.PathValue("id"), body)
}

func (s *Server) adminPatchSetting(r *http.Request) (any, error) {
	body, err := readBody(r)
	if err != nil {
		return nil, err
	}
	return s.PatchSetting(r.PathValue("zone_id"), r.PathValue("id"), body)
}

func (s *Server) adminSetMeta(r *http.Request) (any, error) {
	body, err := readBody(r)
	if err != nil {
		return nil, err
	}
	return nil, s.SetRecordMeta(r.PathValue("zone_id"), r.PathValue("id"), body)
}

func (s *Server) adminAddFault(r *http.Request) (any, error) {
	f, err := readAdmin[Fault](r)
	if err != nil {
		return nil, err
	}
	if !f.Kind.valid() {
		return nil, fmt.Errorf("%w: there is no fault %q", errBadRequest, f.Kind)
	}
	return map[string]any{"id": s.AddFault(f)}, nil
}

func (s *Server) adminRemoveFault(r *http.Request) (any, error) {
	id, err := strconv.Atoi(r.PathValue("id"))
	if err != nil || !s.RemoveFault(id) {
		return nil, fmt.Errorf("fault %q: %w", r.PathValue("id"), ErrUnknown)
	}
	return nil, nil
}

func (s *Server) adminAdvance(r *http.Request) (any, error) {
	change, err := readAdmin[struct {
		Duration string `json:"duration"`
	}](r)
	if err != nil {
		return nil, err
	}
	d, err := time.ParseDuration(change.Duration)
	if err != nil || d < 0 {
		return nil, fmt.Errorf("%w: %q is no duration to advance by", errBadRequest, change.Duration)
	}
	s.Advance(d)
	return map[string]any{"now": s.Now()}, nil
}

// adminLog writes the request log, as text if the query has format=text.
func (s *Server) adminLog(w http.ResponseWriter, r *http.Request) {
	if r.URL.Query().Get("format") == "text" {
		w.Header().Set("Content-Type", "text/plain; charset=utf-8")
		_ = s.PrintLog(w) // An error means that the client has disconnected.
		return
	}
	writeAdmin(w, r, func(*http.Request) (any, error) {
		log := s.Requests()
		if log == nil {
			log = []LoggedRequest{}
		}
		return log, nil
	})
}
