// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package simulator

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"strconv"
	"strings"
)

// The methods of this file read generic resources, and edit them as a dashboard user does: under the API's
// rules, but without a token and without a request in the log. Paths are those of the API below BasePath, such
// as "/accounts/<id>/cfd_tunnel/<id>". The buckets of a jurisdiction are at
// "/accounts/<id>/r2/buckets;jurisdiction=eu".

// Resources returns the stored documents of a collection in the order of their creation, including secrets and
// softly deleted resources.
func (s *Server) Resources(path string) []map[string]any {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.settle(s.now())
	list := []map[string]any{}
	if sh := s.shelves[path]; sh != nil {
		for _, r := range sh.sorted() {
			list = append(list, copyOf(r.doc))
		}
	}
	return list
}

// CountResources returns the number of resources of a collection that are neither deleted nor revoked.
func (s *Server) CountResources(path string) int {
	n := 0
	for _, doc := range s.Resources(path) {
		if doc["deleted_at"] == nil && doc["revoked_at"] == nil {
			n++
		}
	}
	return n
}

// Seeded returns the number of resources that a collection has from the start, such as an account's default
// virtual network.
func (s *Server) Seeded(path string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	if sh := s.shelves[path]; sh != nil {
		return sh.seeded
	}
	return 0
}

// Resource returns one document as it is stored. For the configuration of a tunnel, it returns the private
// state of the tunnel.
func (s *Server) Resource(path string) (map[string]any, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if r, ok := s.configured(path); ok {
		return copyOf(r.private), nil
	}
	r, err := s.stored(path)
	if err != nil {
		return nil, err
	}
	return copyOf(r.doc), nil
}

// EditResource changes a stored document without the rules of the API. Examples are a status, or a member that
// the document does not allow. For the configuration of a tunnel, f changes the private state of the tunnel. A
// version that is a number is incremented, as with each change at Cloudflare. f must not call the simulator.
func (s *Server) EditResource(path string, f func(doc map[string]any)) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if r, ok := s.configured(path); ok {
		doc := copyOf(r.private)
		f(doc)
		version, _ := doc["version"].(int)
		doc["version"], doc["configured"] = version+1, cmp.Or[any](doc["configured"], timestamp(s.now()))
		r.private = doc
		r.keep(s.now())
		return nil
	}
	r, err := s.stored(path)
	if err != nil {
		return err
	}
	doc := copyOf(r.doc)
	f(doc)
	if version, err := strconv.Atoi(r.text("version")); err == nil {
		doc["version"] = strconv.Itoa(version + 1)
	}
	r.set(doc, s.now())
	return nil
}

// A StoredResource is a copy of the whole stored state of a resource, for PlantResource.
type StoredResource struct{ doc, private map[string]any }

// StoredResource returns a copy of the whole stored state of a resource.
func (s *Server) StoredResource(path string) (StoredResource, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	r, err := s.stored(path)
	if err != nil {
		return StoredResource{}, err
	}
	return StoredResource{doc: copyOf(r.doc), private: maps.Clone(r.private)}, nil
}

// PlantResource adds a resource to a collection without the rules of the API, as if it had always existed, and
// returns its path. change modifies the copied document. The resource gets an ID of its own, unless a member of
// its document names it.
func (s *Server) PlantResource(collection string, stored StoredResource, change func(doc map[string]any)) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	sh := s.known(collection)
	doc := copyOf(stored.doc)
	change(doc)
	id := s.newResourceID(sh.f, doc)
	sh.f.identify(doc, id)
	r := s.put(sh, id, doc)
	r.private = maps.Clone(stored.private)
	r.versions = []version{{doc: doc, private: maps.Clone(stored.private)}}
	return collection + "/" + id
}

// AllResources returns the stored documents of all collections, by path.
func (s *Server) AllResources() map[string]map[string]any {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.settle(s.now())
	all := map[string]map[string]any{}
	for path, sh := range s.shelves {
		for id, r := range sh.items {
			all[path+"/"+id] = copyOf(r.doc)
		}
	}
	return all
}

// OpenConnections sets the number of open connections of a tunnel.
func (s *Server) OpenConnections(path string, n int) error {
	return s.setPrivate(path, "connections", n)
}

// FillBucket sets the number of objects in a bucket.
func (s *Server) FillBucket(path string, n int) error { return s.setPrivate(path, "objects", n) }

func (s *Server) setPrivate(path, name string, value any) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	r, err := s.stored(path)
	if err != nil {
		return err
	}
	r.private[name] = value
	return nil
}

// stored returns the resource of a path.
func (s *Server) stored(path string) (*resource, error) {
	for _, f := range s.api.families {
		if f.single && fits(f.list, path) {
			return s.shelf(path, f).sorted()[0], nil
		}
	}
	i := strings.LastIndex(path, "/")
	if i < 0 || s.shelves[path[:i]] == nil || s.shelves[path[:i]].items[path[i+1:]] == nil {
		return nil, fmt.Errorf("resource %s: %w", path, ErrUnknown)
	}
	return s.shelves[path[:i]].items[path[i+1:]], nil
}

// configured returns the tunnel whose configuration has the path.
func (s *Server) configured(path string) (*resource, bool) {
	tunnel, ok := strings.CutSuffix(path, "/configurations")
	if !ok || !fits(tunnels+"/{tunnel_id}", tunnel) {
		return nil, false
	}
	r, err := s.stored(tunnel)
	return r, err == nil
}

// GetResource returns a resource as the API shows it, or a document such as a tunnel's configuration or the
// entry point of a phase.
func (s *Server) GetResource(path string) (map[string]any, error) {
	return s.editResource(http.MethodGet, path, nil)
}

// PostResource creates a resource in a collection and returns the result.
func (s *Server) PostResource(path string, body map[string]any) (map[string]any, error) {
	return s.editResource(http.MethodPost, path, body)
}

// PutResource replaces a resource, or a document such as a tunnel's configuration.
func (s *Server) PutResource(path string, body map[string]any) (map[string]any, error) {
	return s.editResource(http.MethodPut, path, body)
}

// PatchResource merges a body into a resource.
func (s *Server) PatchResource(path string, body map[string]any) (map[string]any, error) {
	return s.editResource(http.MethodPatch, path, body)
}

// DeleteResource deletes a resource.
func (s *Server) DeleteResource(path string) error {
	_, err := s.editResource(http.MethodDelete, path, nil)
	return err
}

// editResource executes a request of the dashboard.
func (s *Server) editResource(method, path string, body map[string]any) (map[string]any, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	collection, jurisdiction, _ := strings.Cut(path, ";jurisdiction=")
	jurisdiction, item, _ := strings.Cut(jurisdiction, "/")
	if item != "" {
		collection += "/" + item
	}
	r := &http.Request{Method: method, URL: &url.URL{Path: BasePath + collection}, Header: http.Header{}}
	if jurisdiction != "" {
		r.Header.Set(jurisdictionHeader, jurisdiction)
	}
	raw, err := json.Marshal(body)
	if err != nil {
		return nil, fmt.Errorf("cannot encode the body: %w", err)
	}
	found, ok := s.find(r)
	if !ok || len(found.groups) == 0 {
		return nil, fmt.Errorf("%s %s is no operation on a generic resource: %w", method, path, ErrUnknown)
	}
	c := &call{s: s, r: r, body: raw, now: s.now(), zone: s.zones[r.PathValue("zone_id")], cred: &credential{email: "dashboard"}}
	result, refused := found.handle(c)
	if refused != nil {
		return nil, refused
	}
	if method != http.MethodGet {
		s.keepAudit(auditedChange{
			method: method, path: c.path(), route: found.pattern, body: raw, status: http.StatusOK, result: result.result, zone: c.zone,
			actor: s.dashboard(c.accountID()),
		})
	}
	shown, _ := result.result.(map[string]any)
	return maps.Clone(shown), nil
}

// SetGrants replaces the grants of a token.
func (s *Server) SetGrants(token string, grants ...Grant) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	cred := s.creds[token]
	if cred == nil {
		return fmt.Errorf("cannot set the token's grants: %w", ErrUnknown)
	}
	cred.grants = grants
	return nil
}
