// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package described

import (
	"bytes"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/crossplane/crossplane-runtime/v2/pkg/meta"
	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"
	"k8s.io/utils/ptr"

	rulesetv1alpha1 "github.com/provider-cloudflare/provider-cloudflare/apis/ruleset/v1alpha1"
	tunnelv1alpha1 "github.com/provider-cloudflare/provider-cloudflare/apis/tunnel/v1alpha1"
	"github.com/provider-cloudflare/provider-cloudflare/internal/cloudflare"
	"github.com/provider-cloudflare/provider-cloudflare/internal/kind"
	"github.com/provider-cloudflare/provider-cloudflare/internal/kind/kindapi"
	"github.com/provider-cloudflare/provider-cloudflare/internal/kinds/tunnel"
	"github.com/provider-cloudflare/provider-cloudflare/internal/parent"
	"github.com/provider-cloudflare/provider-cloudflare/test/simulator"
)

// notThere returns the answer that the resource does not exist.
func notThere(r *http.Request) *http.Response {
	const body = `{"success":false,"errors":[{"code":10003,"message":"not found"}],"messages":[],"result":null}`
	return &http.Response{
		StatusCode: http.StatusNotFound, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1, Header: http.Header{"Content-Type": {"application/json"}},
		Body: io.NopCloser(strings.NewReader(body)), Request: r, ContentLength: int64(len(body)),
	}
}

// lieOnce makes one read return that the resource does not exist: the first one after skip reads. The result is true
// once that has happened.
func (s *stage) lieOnce(skip int) *bool {
	lied := false
	s.answers = func(r *http.Request) *http.Response {
		if r.Method != http.MethodGet || lied {
			return nil
		}
		skip--
		if skip >= 0 {
			return nil
		}
		lied = true
		return notThere(r)
	}
	return &lied
}

// addTheirs adds an element of another client to the document of the object.
func (s *stage) addTheirs() {
	s.t.Helper()
	switch s.kind {
	case "RulesetRule":
		at := "/zones/" + s.sim.Zones()[0].ID + "/rulesets"
		for _, doc := range s.sim.Resources(at) {
			must(s.t, s.sim.EditResource(at+"/"+kind.Text(doc, "id"), func(doc map[string]any) {
				rules, _ := doc["rules"].([]any)
				doc["rules"] = append([]any{map[string]any{"id": "a1", "ref": "theirs", "action": "block", "expression": "true", "enabled": true, "version": "1"}}, rules...)
			}))
		}
	case "TunnelIngress":
		at := strings.TrimPrefix(s.document, "http://cloudflare.test"+simulator.BasePath)
		doc, err := s.sim.GetResource(at)
		must(s.t, err)
		config, _ := doc["config"].(map[string]any)
		rules, _ := config["ingress"].([]any)
		config["ingress"] = append([]any{map[string]any{"hostname": "theirs.example.com", "service": "http://theirs"}}, rules...)
		_, err = s.sim.PutResource(at, map[string]any{"config": config})
		must(s.t, err)
	case "RulesListItem":
		s.addItem()
	}
}

func (s *stage) addItem() {
	s.t.Helper()
	r := httptest.NewRequestWithContext(s.t.Context(), http.MethodPost, "http://cloudflare.test"+simulator.BasePath+s.made, strings.NewReader(`[{"ip":"192.0.2.77"}]`))
	r.Header.Set("Authorization", "Bearer "+s.token)
	w := httptest.NewRecorder()
	s.sim.ServeHTTP(w, r)
	if w.Code != http.StatusOK {
		s.t.Fatalf("no item is added: %s", w.Body)
	}
}

// elements returns the keys of the elements in the document of the object.
func (s *stage) elements(e entry) []string {
	if e.Description.Bulk == "" {
		return s.fragments(e)
	}
	var out []string
	for _, doc := range s.sim.Resources(s.made) {
		out = append(out, e.Description.FragmentKey(doc))
	}
	return out
}

// editDocument changes what the object declares, as a user does.
func (s *stage) editDocument() {
	s.t.Helper()
	mg := s.read(s.kind, s.key)
	switch mg := mg.(type) {
	case *rulesetv1alpha1.RulesetRule:
		mg.Spec.ForProvider.Description = ptr.To("edited")
	case *rulesetv1alpha1.RulesListItem:
		mg.Spec.ForProvider.Comment = ptr.To("edited")
	case *tunnelv1alpha1.TunnelIngress:
		mg.Spec.ForProvider.Service = ptr.To("http://edited:1")
	default:
		s.t.Fatalf("no edit of a %T is known", mg)
	}
	mg.SetGeneration(mg.GetGeneration() + 1)
	must(s.t, s.server.Update(s.t.Context(), mg))
}

// TestOneWrongAbsence checks, for each kind of fragment, one read that returns that nothing exists, both in a process
// that knows the document and in a new one. No element of others is lost, no element is left without its object, and
// in the end all is as it should be.
func TestOneWrongAbsence(t *testing.T) {
	t.Parallel()
	for _, e := range roster() {
		if e.Description.Shape != kind.Fragment {
			continue
		}
		for _, tc := range []struct {
			reason    string
			act       func(s *stage)
			skip      int
			restarted bool
			gone      bool
		}{
			{"an edit", (*stage).editDocument, 0, false, false},
			{"the read before the write of an edit", (*stage).editDocument, 1, false, false},
			{"an edit after a restart", (*stage).editDocument, 0, true, false},
			{"a deletion", (*stage).delete, 0, false, true},
			{"the second read of a deletion", (*stage).delete, 1, false, true},
			{"a deletion after a restart", (*stage).delete, 0, true, true},
			{"the second read of a deletion after a restart", (*stage).delete, 1, true, true},
			{"a look", func(*stage) {}, 0, true, false},
		} {
			t.Run(e.GVK.Kind+"/"+tc.reason, func(t *testing.T) {
				t.Parallel()
				synctest.Test(t, func(t *testing.T) {
					s := newStage(t, e)
					s.settle(s.kind, s.key)
					s.reconcile(s.kind, s.key)
					s.addTheirs()
					before := s.elements(e)
					if tc.restarted {
						s.inner[s.kind] = s.reconciler(e)
					}
					tc.act(s)
					lied := s.lieOnce(tc.skip)
					for range 12 {
						s.reconcile(s.kind, s.key)
						s.whole(e, before, tc.gone)
						<-time.After(parent.Lag / 2)
					}
					s.atRest(e, before, tc.gone)
					if !*lied && tc.skip == 0 {
						t.Error("no read was answered wrongly")
					}
				})
			})
		}
	}
}

// whole fails the test if an element of others is missing, or if the object is gone before its element.
func (s *stage) whole(e entry, before []string, gone bool) {
	s.t.Helper()
	now := s.elements(e)
	if len(now) < len(before)-1 || len(now) < len(before) && !gone {
		s.t.Fatalf("the document has %v, and had %v", now, before)
	}
	if s.read(s.kind, s.key) == nil && len(now) == len(before) {
		s.t.Fatalf("the object is gone, and its element is not: %v", now)
	}
}

// atRest fails the test if the object is not well, or, after its deletion, not gone.
func (s *stage) atRest(e entry, before []string, gone bool) {
	s.t.Helper()
	mg, now := s.read(s.kind, s.key), s.elements(e)
	if gone {
		if mg != nil || len(now) != len(before)-1 {
			s.t.Errorf("in the end the object is %v, and the document has %v of %v", mg, now, before)
		}
		return
	}
	if synced := mg.GetCondition(xpv2.TypeSynced); synced.Status != "True" || !slices.Equal(now, before) {
		s.t.Errorf("in the end the object says %v, and the document has %v of %v", synced, now, before)
	}
}

// A tripper is a function that carries calls.
type tripper func(*http.Request) (*http.Response, error)

func (f tripper) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// A sharedTunnel is a tunnel that several credentials write to.
type sharedTunnel struct {
	t         *testing.T
	sim       *simulator.Server
	documents documents
	known     *knowledge
	path      string
	params    map[string]string
	// instead is called with each request. It answers the request in place of the API unless it returns nil.
	instead func(r *http.Request, own func() *http.Response) *http.Response
}

func newSharedTunnel(t *testing.T) *sharedTunnel {
	t.Helper()
	s := &sharedTunnel{t: t, sim: simulator.New(simulator.Options{}), documents: documents{sending: parent.NewBackground()}, known: newKnowledge(time.Now)}
	account := s.sim.AddAccount("one").ID
	doc, err := s.sim.PostResource("/accounts/"+account+"/cfd_tunnel", map[string]any{"name": "shared", "config_src": "cloudflare"})
	must(t, err)
	s.params = map[string]string{"account_id": account, "tunnel_id": kind.Text(doc, "id")}
	s.path = "/accounts/" + account + "/cfd_tunnel/" + s.params["tunnel_id"] + "/configurations"
	return s
}

// writing returns the tunnel with a credential of its own.
func (s *sharedTunnel) writing() writing {
	token := s.sim.AddToken(simulator.TokenOptions{Grants: []simulator.Grant{{Account: s.params["account_id"], Permission: simulator.Everything}}})
	api := cloudflare.New(cloudflare.NewToken(token), cloudflare.Options{BaseURL: "http://cloudflare.test" + simulator.BasePath, Transport: tripper(func(r *http.Request) (*http.Response, error) {
		own := func() *http.Response {
			w, in := httptest.NewRecorder(), r.Clone(r.Context())
			if in.Body == nil {
				in.Body = http.NoBody
			}
			s.sim.ServeHTTP(w, in)
			return w.Result()
		}
		if s.instead != nil {
			return s.instead(r, own), nil
		}
		return own(), nil
	})})
	d := tunnel.TunnelIngress()
	return writing{d: d, all: kindapi.New(api, d, s.params, nil), document: s.known.at(s.path, d, api.Fingerprint()), credential: api.Fingerprint()}
}

// put adds a rule.
func (s *sharedTunnel) put(to writing, host string) (*change, error) {
	c := &change{key: host, want: kind.Document{"hostname": host, "service": "http://x"}}
	_, err := s.documents.apply(s.t.Context(), to, c)
	return c, err
}

// hosts returns the host names of all rules except the last one.
func (s *sharedTunnel) hosts() []string {
	s.t.Helper()
	doc, err := s.sim.GetResource(s.path)
	must(s.t, err)
	var out []string
	for _, e := range tunnel.TunnelIngress().Elements(doc) {
		if host := kind.Text(e, "hostname"); host != "" {
			out = append(out, host)
		}
	}
	slices.Sort(out)
	return out
}

// TestTwoCredentialsOneDocument checks two credentials that each add rules at the same time. They take turns, each
// with its own client: the changes that wait during the first write belong to both, and are not written together.
func TestTwoCredentialsOneDocument(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := newSharedTunnel(t)
		var tokens sync.Map
		s.instead = func(r *http.Request, own func() *http.Response) *http.Response {
			if r.Method == http.MethodPut {
				tokens.Store(r.Header.Get("Authorization"), true)
				<-time.After(time.Second) // A writer that does not wait has read by then.
			}
			return own()
		}
		var wg sync.WaitGroup
		all := []string{"a.example.com", "b.example.com", "c.example.com"}
		for _, host := range all {
			to := s.writing()
			wg.Go(func() {
				_, err := s.put(to, host)
				must(t, err)
			})
		}
		wg.Wait()
		if got := s.hosts(); !slices.Equal(got, all) {
			t.Errorf("the tunnel has %v, want %v", got, all)
		}
		clients := 0
		tokens.Range(func(any, any) bool { clients++; return true })
		if clients != len(all) {
			t.Errorf("%d credentials wrote, want each its own change", clients)
		}
	})
}

// TestStaleDocument checks a second write whose read comes from a copy without the first write. The first rule stays,
// and the next try adds the second one.
func TestStaleDocument(t *testing.T) {
	t.Parallel()
	s := newSharedTunnel(t)
	var old []byte
	reads := 0
	s.instead = func(r *http.Request, own func() *http.Response) *http.Response {
		answer := own()
		if r.Method != http.MethodGet {
			return answer
		}
		body, err := io.ReadAll(answer.Body)
		must(t, err)
		reads++
		if reads == 1 {
			old = body
		}
		if reads == 2 {
			body = old
		}
		answer.Body = io.NopCloser(bytes.NewReader(body))
		return answer
	}
	_, err := s.put(s.writing(), "a.example.com")
	must(t, err)
	_, err = s.put(s.writing(), "b.example.com") // The other credential knows the version, too.
	var unproven *parent.DisputedError
	if !errors.As(err, &unproven) || unproven.RetryAfter() <= 0 || unproven.RetryAfter() > parent.Lag || !slices.Equal(s.hosts(), []string{"a.example.com"}) {
		t.Errorf("the stale answer leads to %v, and the tunnel has %v", err, s.hosts())
	}
	_, err = s.put(s.writing(), "b.example.com")
	must(t, err)
	if got := s.hosts(); !slices.Equal(got, []string{"a.example.com", "b.example.com"}) {
		t.Errorf("the tunnel has %v, want both", got)
	}
}

// TestNothingIsMergedIntoGarbage checks a write whose read returns no configuration of a tunnel. Nothing is written,
// because the rules of others would be lost.
func TestNothingIsMergedIntoGarbage(t *testing.T) {
	t.Parallel()
	for _, result := range []string{
		`{}`, `null`, `{"tunnel_id":"x","version":3}`, `{"config":"other","version":["seven"]}`, `{"config":{"ingress":"other"},"version":3}`,
		`{"config":{"ingress":[7]},"version":3}`,
	} {
		s := newSharedTunnel(t)
		_, err := s.put(s.writing(), "theirs.example.com")
		must(t, err)
		s.instead = func(r *http.Request, own func() *http.Response) *http.Response {
			if r.Method != http.MethodGet {
				return own()
			}
			return answered(r, http.StatusOK, `{"success":true,"errors":[],"messages":[],"result":`+result+`}`)
		}
		_, err = s.put(s.writing(), "a.example.com")
		if got := s.hosts(); err == nil || !slices.Equal(got, []string{"theirs.example.com"}) {
			t.Errorf("%s: the write gives %v, and the tunnel has %v", result, err, got)
		}
	}
}

// TestForeignWriteIsReported checks a rule that another client adds between the read and the write. Cloudflare has no
// conditional write, so the rule is overwritten, and the change reports that with both versions.
func TestForeignWriteIsReported(t *testing.T) {
	t.Parallel()
	s := newSharedTunnel(t)
	puts := 0
	s.instead = func(r *http.Request, own func() *http.Response) *http.Response {
		if r.Method != http.MethodPut {
			return own()
		}
		puts++
		if puts == 1 {
			_, err := s.sim.PutResource(s.path, map[string]any{"config": map[string]any{"ingress": []any{
				map[string]any{"hostname": "theirs.example.com", "service": "http://theirs"}, map[string]any{"service": "http_status:404"},
			}}})
			must(t, err)
		}
		return own()
	}
	to := s.writing()
	c, err := s.put(to, "a.example.com")
	must(t, err)
	if c.overwrote == nil || c.overwrote.Read != 0 || c.overwrote.Wrote != 2 || puts != 1 {
		t.Errorf("after %d writes the change says %v, want that version 1 was overwritten", puts, c.overwrote)
	}
	c, err = s.put(to, "b.example.com")
	must(t, err)
	if c.overwrote != nil {
		t.Errorf("nobody wrote in between, and the change says %v", c.overwrote)
	}
}

// TestReadsBack checks another process that reads a tunnel's configuration before a write of this one, and then
// writes it without the rule. A lag later the object looks again, and puts its rule back.
func TestReadsBack(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		e := entryOf(t, "TunnelIngress")
		s := newStage(t, e)
		s.settle(s.kind, s.key)
		at := strings.TrimPrefix(s.document, "http://cloudflare.test"+simulator.BasePath)
		_, err := s.sim.PutResource(at, map[string]any{"config": map[string]any{"ingress": []any{map[string]any{"service": "http_status:404"}}}})
		must(t, err)
		s.reconcile(s.kind, s.key)
		if got := s.elements(e); len(got) != 0 {
			t.Fatalf("the configuration has %v before the lag is over", got)
		}
		for range 6 {
			<-time.After(readBackAfter)
			s.reconcile(s.kind, s.key)
		}
		if got := s.elements(e); len(got) != 1 {
			t.Errorf("the configuration has %v, want the object's rule", got)
		}
	})
}

// TestPollsToReadBack checks that an object that has to look again is polled at that time.
func TestPollsToReadBack(t *testing.T) {
	t.Parallel()
	now := time.Now()
	k := &described{memory: newMemory(), now: func() time.Time { return now }, terms: parent.CollectionOptions{Interval: time.Minute}}
	mg := &tunnelv1alpha1.TunnelIngress{}
	mg.SetUID("it")
	meta.SetExternalName(mg, "it")
	k.memory.readsBack("it", now.Add(readBackAfter))
	if got := k.poll(mg, time.Hour); got > 2*readBackAfter {
		t.Errorf("it is polled after %s", got)
	}
	k.memory.readsBack("it", time.Time{})
	if got := k.poll(mg, time.Hour); got < time.Minute {
		t.Errorf("it has looked, and is polled after %s", got)
	}
}

// TestWrongAbsenceBeforeTheFirstRule checks a phase with rules of others if each read before the first write of a new
// object returns that there is no entry point. The entry point is not created again, and its rules are not replaced.
func TestWrongAbsenceBeforeTheFirstRule(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		e := entryOf(t, "RulesetRule")
		s := newStage(t, e)
		at := "/zones/" + s.sim.Zones()[0].ID + "/rulesets"
		_, err := s.sim.PostResource(at, map[string]any{"kind": "zone", "phase": "http_request_firewall_custom", "name": "default", "rules": []any{
			map[string]any{"ref": "theirs", "action": "block", "expression": "true"},
		}})
		must(t, err)
		posted := false
		s.answers = func(r *http.Request) *http.Response {
			posted = posted || r.Method == http.MethodPost
			if r.Method == http.MethodGet && !posted {
				return notThere(r)
			}
			return nil
		}
		for range 10 {
			s.reconcile(s.kind, s.key)
			<-time.After(parent.Lag / 2)
		}
		if got := s.elements(e); !posted || len(got) != 2 || got[0] != "theirs" {
			t.Errorf("the phase has %v, want theirs and ours", got)
		}
		s.atRest(e, s.elements(e), false)
	})
}

// TestCopiesLag checks, for each kind of fragment, reads from copies that are three seconds behind. An edit and a
// deletion are carried out, and nothing of others is lost.
func TestCopiesLag(t *testing.T) {
	t.Parallel()
	for _, e := range roster() {
		if e.Description.Shape != kind.Fragment {
			continue
		}
		for _, tc := range []struct {
			reason string
			act    func(s *stage)
			gone   bool
		}{{"an edit", (*stage).editDocument, false}, {"a deletion", (*stage).delete, true}} {
			t.Run(e.GVK.Kind+"/"+tc.reason, func(t *testing.T) {
				t.Parallel()
				synctest.Test(t, func(t *testing.T) {
					s := newStage(t, e)
					s.settle(s.kind, s.key)
					s.reconcile(s.kind, s.key)
					s.addTheirs()
					before := s.elements(e)
					for _, stale := range []simulator.FaultKind{simulator.FaultStaleGet, simulator.FaultStaleList} {
						s.sim.AddFault(simulator.Fault{Kind: stale, Method: http.MethodGet, Delay: 3 * time.Second, Times: -1})
					}
					tc.act(s)
					for range 20 {
						s.reconcile(s.kind, s.key)
						<-time.After(time.Second)
					}
					s.sim.ClearFaults()
					s.reconcile(s.kind, s.key)
					s.atRest(e, before, tc.gone)
				})
			})
		}
	}
}
