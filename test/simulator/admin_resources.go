// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package simulator

import (
	"fmt"
	"net/http"
	"strconv"
)

// handleResources adds the endpoints of generic resources and of traps. A resource is
// named by its path in the API.
func (s *Server) handleResources(handle func(string, func(*http.Request) (any, error))) {
	const resources = AdminPath + "/resources/{path...}"
	handle("GET "+resources, s.adminResources)
	handle("POST "+resources, s.adminWrite(s.PostResource))
	handle("PUT "+resources, s.adminWrite(s.PutResource))
	handle("PATCH "+resources, s.adminWrite(s.PatchResource))
	handle("DELETE "+resources, func(r *http.Request) (any, error) { return nil, s.DeleteResource(resourcePath(r)) })
	handle("PUT "+AdminPath+"/connections/{path...}", s.adminConnections)

	handle("GET "+AdminPath+"/traps", func(*http.Request) (any, error) { return s.Traps(), nil })
	handle("POST "+AdminPath+"/traps", s.adminAddTrap)
	handle("DELETE "+AdminPath+"/traps", func(*http.Request) (any, error) { s.ClearTraps(); return nil, nil })
	handle("DELETE "+AdminPath+"/traps/{id}", s.adminRemoveTrap)
}

func resourcePath(r *http.Request) string { return "/" + r.PathValue("path") }

// adminResources returns one document, or all documents of a collection, as they are
// stored.
func (s *Server) adminResources(r *http.Request) (any, error) {
	path := resourcePath(r)
	if doc, err := s.Resource(path); err == nil {
		return doc, nil
	}
	return s.Resources(path), nil
}

func (s *Server) adminWrite(write func(string, map[string]any) (map[string]any, error)) func(*http.Request) (any, error) {
	return func(r *http.Request) (any, error) {
		body, err := readBody(r)
		if err != nil {
			return nil, err
		}
		return write(resourcePath(r), body)
	}
}

func (s *Server) adminConnections(r *http.Request) (any, error) {
	open, err := readAdmin[struct {
		Connections int `json:"connections"`
	}](r)
	if err != nil {
		return nil, err
	}
	return nil, s.OpenConnections(resourcePath(r), open.Connections)
}

func (s *Server) adminAddTrap(r *http.Request) (any, error) {
	t, err := readAdmin[Trap](r)
	if err != nil {
		return nil, err
	}
	if err := t.Check(); err != nil {
		return nil, fmt.Errorf("%w: %w", errBadRequest, err)
	}
	return map[string]any{"id": s.AddTrap(t)}, nil
}

func (s *Server) adminRemoveTrap(r *http.Request) (any, error) {
	id, err := strconv.Atoi(r.PathValue("id"))
	if err != nil || !s.RemoveTrap(id) {
		return nil, fmt.Errorf("trap %q: %w", r.PathValue("id"), ErrUnknown)
	}
	return nil, nil
}
