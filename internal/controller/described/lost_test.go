// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package described

import (
	"bytes"
	"encoding/json"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/crossplane/crossplane-runtime/v2/pkg/meta"
	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/provider-cloudflare/provider-cloudflare/internal/external"
	"github.com/provider-cloudflare/provider-cloudflare/internal/kind"
)

// unnamed returns the kinds whose resources have no natural key.
func unnamed(t *testing.T) []entry {
	t.Helper()
	var out []entry
	for _, e := range roster() {
		if e.Description.Shape != kind.Collection {
			continue
		}
		if len(e.Description.Natural) == 0 {
			out = append(out, e)
		}
	}
	if len(out) < 10 {
		t.Fatalf("%d kinds without a natural key are fewer than there were", len(out))
	}
	return out
}

// answered returns an answer that does not come from Cloudflare.
func answered(r *http.Request, status int, body string) *http.Response {
	return &http.Response{
		StatusCode: status, Header: http.Header{"Content-Type": {"application/json"}}, Request: r,
		Body: io.NopCloser(bytes.NewReader([]byte(body))), ContentLength: int64(len(body)),
	}
}

// loseCreations loses the answers to the next n creations. The creations are carried out or not.
func (s *stage) loseCreations(n int, carriedOut bool) {
	s.answers = func(r *http.Request) *http.Response {
		if n == 0 || r.Method != s.creates {
			return nil
		}
		n--
		if carriedOut {
			s.sim.ServeHTTP(httptest.NewRecorder(), r)
		}
		return answered(r, http.StatusBadGateway, "<html>Bad gateway</html>")
	}
}

// ids returns the IDs of the kind's resources in a list.
func (s *stage) ids(d kind.Description, list string) []string {
	s.t.Helper()
	var out []string
	for _, doc := range s.sim.Resources(list) {
		if doc["deleted_at"] != nil || doc["revoked_at"] != nil || d.Skip != nil && d.Skip(doc) {
			continue
		}
		out = append(out, kind.Text(parsed(s.t, doc), d.IDPath()))
	}
	slices.Sort(out)
	return out
}

func parsed(t *testing.T, doc map[string]any) kind.Document {
	t.Helper()
	raw, err := json.Marshal(doc)
	must(t, err)
	v, err := kind.Parse(raw)
	must(t, err)
	out, _ := v.(kind.Document)
	return out
}

// madeOn sets when a resource was created, if its kind shows that.
func (s *stage) madeOn(id string, at time.Time) {
	s.t.Helper()
	must(s.t, s.sim.EditResource(s.made+"/"+id, func(doc map[string]any) {
		for _, name := range madeAt() {
			if _, has := doc[name]; has {
				doc[name] = at.UTC().Format(time.RFC3339)
			}
		}
	}))
}

// abandoned creates the object's resource, and replaces that object by another one. It returns the list of the kind
// and the ID.
func (s *stage) abandoned(e entry) (list, id string) {
	s.t.Helper()
	s.settle(s.kind, s.key)
	list, id = s.made, meta.GetExternalName(s.read(s.kind, s.key))
	s.forgetful()
	s.collectGarbage()
	s.inner[s.kind] = s.reconciler(e)
	return list, id
}

// TestLostAnswerTakesNothingForeign checks each kind whose resources have no natural key. Another client has a
// resource with all that the object declares, and the answer to the object's creation is lost. The object takes its
// own resource, or creates one. It leaves the other resource when it is deleted.
func TestLostAnswerTakesNothingForeign(t *testing.T) {
	t.Parallel()
	for _, e := range unnamed(t) {
		for reason, carriedOut := range map[string]bool{"the creation was carried out": true, "the creation made nothing": false} {
			t.Run(e.GVK.Kind+"/"+reason, func(t *testing.T) {
				t.Parallel()
				s := newStage(t, e)
				list, theirs := s.abandoned(e)
				s.madeOn(theirs, time.Now().AddDate(-1, 0, 0))
				s.loseCreations(1, carriedOut)
				for range 6 {
					s.reconcile(s.kind, s.key)
				}
				mg := s.read(s.kind, s.key)
				own := meta.GetExternalName(mg)
				if all := s.ids(e.Description, list); own == "" || own == theirs || len(all) != 2 {
					t.Fatalf("the object has %q of %v, where %s is somebody else's: %v", own, all, theirs, mg.GetCondition(xpv2.TypeSynced))
				}
				s.delete()
				for range 4 {
					s.reconcile(s.kind, s.key)
				}
				if left := s.ids(e.Description, list); !slices.Equal(left, []string{theirs}) || s.read(s.kind, s.key) != nil {
					t.Errorf("after the deletion there are %v, want %s alone", left, theirs)
				}
			})
		}
	}
}

// TestLostAnswerWithoutEvidence checks a resource that has all values of a lost creation, if nothing shows whether it
// existed before, as after an upgrade. The object names the resource, and takes it once its user says so.
func TestLostAnswerWithoutEvidence(t *testing.T) {
	t.Parallel()
	tried := 0
	for _, e := range unnamed(t) {
		if !e.Description.Undated || e.Description.Issue != nil {
			continue // No other client has the provider's request for a certificate.
		}
		tried++
		t.Run(e.GVK.Kind, func(t *testing.T) {
			t.Parallel()
			s := newStage(t, e)
			list, theirs := s.abandoned(e)
			s.loseCreations(1, false)
			s.reconcile(s.kind, s.key)
			s.loseEvidence()
			for range 3 {
				s.reconcileWithoutWrites()
			}
			mg := s.read(s.kind, s.key)
			said := mg.GetCondition(xpv2.TypeSynced)
			if !strings.Contains(said.Message, "(ID "+theirs+")") || meta.GetExternalName(mg) != "" {
				t.Fatalf("the object has %q and says %v", meta.GetExternalName(mg), said)
			}
			meta.SetExternalName(mg, theirs)
			must(t, s.server.Update(t.Context(), mg))
			s.settle(s.kind, s.key)
			if all := s.ids(e.Description, list); !slices.Equal(all, []string{theirs}) {
				t.Errorf("there are %v, want %s alone", all, theirs)
			}
		})
	}
	if tried < 3 {
		t.Errorf("%d undated kinds are fewer than there were", tried)
	}
}

// loseEvidence makes the journal that of an earlier version, which did not record what existed before.
func (s *stage) loseEvidence() {
	s.t.Helper()
	entries := s.journal.Entries()
	s.journal.Reset()
	for _, e := range entries {
		var about map[string]any
		must(s.t, json.Unmarshal(e.Subject, &about))
		delete(about, "others")
		raw, err := json.Marshal(about)
		must(s.t, err)
		e.Subject = raw
		must(s.t, s.journal.Begin(s.t.Context(), e))
		s.journal.Unanswered(e)
	}
}

// TestDatedAnswers checks that Undated is set for exactly those kinds without a natural key whose answers do not show
// when a resource was created.
func TestDatedAnswers(t *testing.T) {
	t.Parallel()
	for _, e := range unnamed(t) {
		s := newStage(t, e)
		s.settle(s.kind, s.key)
		for _, doc := range s.sim.Resources(s.made) {
			if undated := newLive(e.Description, "", parsed(t, doc)).made().IsZero(); undated != e.Description.Undated {
				t.Errorf("%s: no answer says when a resource was made: %t, described: %t", e.GVK.Kind, undated, e.Description.Undated)
			}
		}
	}
}

// TestTwoLostAnswers checks two objects that declare the same without a name, if the answers to both creations are
// lost. Each has its own resource in the end.
func TestTwoLostAnswers(t *testing.T) {
	t.Parallel()
	for _, e := range unnamed(t) {
		t.Run(e.GVK.Kind, func(t *testing.T) {
			t.Parallel()
			s := newStage(t, e)
			twin, _ := s.fresh.DeepCopyObject().(Object)
			twin.SetName("twin")
			twin.SetUID("twin")
			twin.SetResourceVersion("")
			if twin.GetConnectionSecretName() != "" {
				twin.SetWriteConnectionSecretToReference(&xpv2.LocalSecretReference{Name: "twin"})
			}
			must(t, s.server.Create(t.Context(), twin))
			second := client.ObjectKeyFromObject(twin)
			s.loseCreations(2, true)
			s.reconcile(s.kind, s.key)
			list := s.made
			for range 5 {
				s.reconcile(s.kind, second)
				s.reconcile(s.kind, s.key)
			}
			want := s.ids(e.Description, list)
			has := []string{meta.GetExternalName(s.read(s.kind, s.key)), meta.GetExternalName(s.read(s.kind, second))}
			slices.Sort(has)
			if len(want) != 2 || !slices.Equal(has, want) {
				t.Errorf("the objects have %q, and there are %q", has, want)
			}
		})
	}
}

// TestWhoseWork checks the verdicts on a resource that an attempt may have created.
func TestWhoseWork(t *testing.T) {
	t.Parallel()
	begun := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	w := external.Window{Begun: begun, Settled: begun.Add(time.Minute)}
	body := kind.Document{"name": "n", "config": kind.Document{"url": "u"}}
	at := func(made time.Time, doc kind.Document) kind.Document {
		out := maps.Clone(doc)
		if !made.IsZero() {
			out["created_at"] = made.Format(time.RFC3339)
		}
		return out
	}
	other := kind.Document{"name": "n", "config": kind.Document{"url": "another"}}
	for _, tc := range []struct {
		reason string
		others []string
		alone  bool
		live   kind.Document
		want   whose
	}{
		{"it has all values and the age", nil, false, at(begun, body), ours},
		{"it is older", nil, false, at(begun.AddDate(0, 0, -1), body), theirs},
		{"it is younger than any work of the attempt", nil, false, at(begun.AddDate(0, 0, 1), body), theirs},
		{"it has another name", nil, false, at(begun, kind.Document{"name": "m", "config": body["config"]}), theirs},
		{"it has another value inside, as Cloudflare may have made it", nil, false, at(begun, other), unclear},
		{"it has another value inside and is older", nil, false, at(begun.AddDate(0, 0, -1), other), theirs},
		{"nothing tells its age", nil, false, body, unclear},
		{"nothing tells its age, and it was not there before", []string{}, false, body, ours},
		{"it was there before", []string{"id"}, false, body, theirs},
		{"it was there before, whatever its age", []string{"id"}, false, at(begun, body), theirs},
		{"nothing else has what was sent", nil, true, body, ours},
		{"Cloudflare adds a value that was not sent", []string{}, false, kind.Document{"name": "n", "config": kind.Document{"url": "u", "ttl": "5"}}, ours},
	} {
		l := Live{id: "id", doc: tc.live}
		if got := (&attempted{Others: tc.others}).whose(kind.Description{}, l, body, tc.alone, w); got != tc.want {
			t.Errorf("%s: got %v, want %v", tc.reason, got, tc.want)
		}
	}
}
