// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package described

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/provider-cloudflare/provider-cloudflare/internal/cloudflare"
	"github.com/provider-cloudflare/provider-cloudflare/internal/kind"
	"github.com/provider-cloudflare/provider-cloudflare/internal/kind/kindapi"
	"github.com/provider-cloudflare/provider-cloudflare/internal/kinds/ruleset"
	"github.com/provider-cloudflare/provider-cloudflare/internal/parent"
	"github.com/provider-cloudflare/provider-cloudflare/test/simulator"
)

// A bulkStage is a list at Cloudflare with the writer of its items.
type bulkStage struct {
	t       *testing.T
	sim     *simulator.Server
	account string
	path    string // of the items
	to      target
	bulks   bulks
	pool    *parent.Pool[Live]

	mu    sync.Mutex
	calls map[string]int
	// slow is how long each list takes.
	slow time.Duration
	// rewrite, unless nil, returns what Cloudflare makes of the address and the comment of each item.
	rewrite func(ip, comment string) (string, string)
}

// RoundTrip carries a call to Cloudflare, and counts it.
func (s *bulkStage) RoundTrip(r *http.Request) (*http.Response, error) {
	what := r.Method + " items"
	if strings.Contains(r.URL.Path, "/bulk_operations/") {
		what = "looks"
	}
	s.mu.Lock()
	s.calls[what]++
	s.mu.Unlock()
	if what == "GET items" {
		<-time.After(s.slow)
	}
	in := r.Clone(r.Context())
	if in.Body == nil {
		in.Body = http.NoBody
	}
	if r.Method == http.MethodPost && s.rewrite != nil {
		s.rewritten(in)
	}
	w := httptest.NewRecorder()
	s.sim.ServeHTTP(w, in)
	return w.Result(), nil
}

// rewritten makes a call store what rewrite returns for its items.
func (s *bulkStage) rewritten(r *http.Request) {
	s.t.Helper()
	var items []map[string]any
	must(s.t, json.NewDecoder(r.Body).Decode(&items))
	for _, doc := range items {
		ip, _ := doc["ip"].(string)
		comment, _ := doc["comment"].(string)
		doc["ip"], doc["comment"] = s.rewrite(ip, comment)
	}
	raw, err := json.Marshal(items)
	must(s.t, err)
	r.Body, r.ContentLength = io.NopCloser(bytes.NewReader(raw)), int64(len(raw))
}

// newBulkStage has to be called in a bubble.
func newBulkStage(t *testing.T) *bulkStage {
	t.Helper()
	s := &bulkStage{t: t, calls: map[string]int{}, bulks: bulks{sending: parent.NewBackground()}, pool: parent.NewPool[Live](parent.Options{})}
	s.sim = simulator.New(simulator.Options{OperationDelay: time.Second})
	s.account = s.sim.AddAccount("one").ID
	s.to, s.path = s.newTarget("a")
	t.Cleanup(func() { must(t, s.pool.Drain(context.Background())) })
	return s
}

// newTarget creates a list, and a credential of its own to write to it. It returns the path of the items.
func (s *bulkStage) newTarget(name string) (target, string) {
	s.t.Helper()
	list, err := s.sim.PostResource("/accounts/"+s.account+"/rules/lists", map[string]any{"name": name, "kind": "ip"})
	must(s.t, err)
	return s.targetOf(kind.Text(list, "id"))
}

// withAnother returns the target with another credential.
func (s *bulkStage) withAnother(to target) target {
	s.t.Helper()
	key, err := to.all.Key()
	must(s.t, err)
	parts := strings.Split(key, "/")
	other, _ := s.targetOf(parts[len(parts)-2])
	return other
}

// targetOf returns a list as a credential of its own sees it.
func (s *bulkStage) targetOf(id string) (target, string) {
	s.t.Helper()
	token := s.sim.AddToken(simulator.TokenOptions{Grants: []simulator.Grant{{Account: s.account, Permission: simulator.Everything}}})
	api := cloudflare.New(cloudflare.NewToken(token), cloudflare.Options{BaseURL: "http://cloudflare.test" + simulator.BasePath, Transport: s})
	d := ruleset.RulesListItem()
	all := kindapi.New(api, d, map[string]string{"account_id": s.account, "list_id": id}, nil)
	key, err := all.Key()
	must(s.t, err)
	coll := s.pool.Collection(key, elementCalls{calls{caller: api, d: d, all: all}}, terms(d, time.Minute))
	return target{d: d, all: all, list: coll, place: api.Fingerprint() + " " + key}, strings.TrimPrefix(key, "ruleset RulesListItem ")
}

// item returns a change that creates or changes an item. A nil comment deletes the item.
func item(ip string, comment any) *change {
	if comment == nil {
		return &change{key: ip}
	}
	return &change{key: ip, want: kind.Document{"ip": ip, "comment": comment}}
}

// apply carries out changes at once, and returns the error of each.
func (s *bulkStage) apply(changes ...*change) []error {
	s.t.Helper()
	errs := make([]error, len(changes))
	var wg sync.WaitGroup
	for i, c := range changes {
		wg.Go(func() { _, errs[i] = s.bulks.apply(s.t.Context(), s.account, &bulkChange{change: c, to: s.to}) })
	}
	wg.Wait()
	return errs
}

// comments returns the comments of the items, by address.
func (s *bulkStage) comments() map[string]any {
	out := map[string]any{}
	for _, doc := range s.sim.Resources(s.path) {
		out[fmt.Sprint(doc["ip"])] = doc["comment"]
	}
	return out
}

// counted returns the calls since the last time.
func (s *bulkStage) counted() map[string]int {
	s.mu.Lock()
	defer s.mu.Unlock()
	out := s.calls
	s.calls = map[string]int{}
	return out
}
