// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/crossplane/crossplane-runtime/v2/pkg/meta"
	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"
	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/utils/ptr"

	dnsv1alpha1 "github.com/provider-cloudflare/provider-cloudflare/apis/dns/v1alpha1"
	zonev1alpha1 "github.com/provider-cloudflare/provider-cloudflare/apis/zone/v1alpha1"
	"github.com/provider-cloudflare/provider-cloudflare/test/simulator"
)

const testZone = "alpha.example"

// scene is a valid world at rest, in which tests plant violations.
type scene struct {
	facts
	t *testing.T
}

func newScene(t *testing.T) *scene {
	t.Helper()
	s := &scene{t: t, facts: facts{
		Zones: map[string]string{testZone: "z1"}, LiveZones: []simulator.Zone{{ID: "z1", Name: testZone}}, Live: map[string][]liveRecord{}, Foreign: map[string]json.RawMessage{},
	}}
	s.live("foreign", "foreign-1", value{"A", 9})
	s.Foreign["foreign"] = s.Live[testZone][0].raw
	s.object("www", roleReady, "id-www", value{"A", 1})
	s.live("id-www", "www", value{"A", 1})
	s.object("mail", roleReady, "id-mail", value{"MX", 2})
	s.live("id-mail", "mail", value{"MX", 2})
	s.object("won", roleContend, "id-won", value{"TXT", 3})
	s.live("id-won", "shared", value{"TXT", 3})
	s.record("won").Spec.ForProvider.Name = ptr.To("shared")
	lost := s.object("lost", roleContend, "", value{"TXT", 3})
	lost.Spec.ForProvider.Name = ptr.To("shared")
	lost.SetConditions(xpv2.ReconcileError(errors.New("id-won is already managed by team-a/won: delete one")), xpv2.Unavailable())
	refused := s.object("refused", roleRefuse, "", value{"A", 9})
	refused.Spec.ForProvider.Name = ptr.To("foreign-1")
	refused.SetConditions(xpv2.ReconcileError(errors.New("an identical record exists with ID foreign, and so on")), xpv2.Unavailable())
	shown := s.object("shown", roleObserve, "foreign", value{"A", 9})
	shown.Spec.ForProvider.Name = ptr.To("foreign-1")
	s.live("left", "old", value{"A", 5})
	s.Grants = []grant{{Object: "team-a/old", Zone: testZone, Names: []string{"older", "old"}, ID: "left"}, {Object: "team-a/none", Zone: testZone, Names: []string{"none"}}}
	s.domain("made", "id-made")
	s.liveZone("id-made", "made.example")
	s.liveZone("id-left", "left.example")
	s.Grants = append(s.Grants, grant{Object: "domains-a/left", Zone: "left.example", ID: "id-left"}, grant{Object: "domains-a/early", Zone: "early.example"})
	s.Namespaces = []corev1.Namespace{{ObjectMeta: metav1.ObjectMeta{Name: "visit-1"}}}
	s.journal("[]")
	s.resources()
	return s
}

// domain adds a Zone that is Ready and manages the zone of that ID.
func (s *scene) domain(name, id string) *zonev1alpha1.Zone {
	z := zonev1alpha1.Zone{ObjectMeta: metav1.ObjectMeta{Namespace: "domains-a", Name: name, Generation: 3}}
	z.Spec.ForProvider = zonev1alpha1.ZoneParameters{Name: ptr.To(name + ".example"), Paused: ptr.To(false)}
	meta.SetExternalName(&z, id)
	z.Status.AtProvider.ID = id
	z.SetConditions(xpv2.ReconcileSuccess(), xpv2.Available().WithObservedGeneration(3),
		xpv2.Condition{Type: "UpToDate", Status: "True", ObservedGeneration: 3})
	s.ZoneObjects = append(s.ZoneObjects, z)
	return &s.ZoneObjects[len(s.ZoneObjects)-1]
}

// journal adds a ConfigMap of the journal of creations.
func (s *scene) journal(entries string) {
	s.Journal = append(s.Journal, corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Namespace: home, Name: "journal-1"}, Data: map[string]string{journalKey: entries}})
}

// resources adds valid objects of described kinds, a foreign resource of each of two kinds, and
// an orphan.
func (s *scene) resources() {
	s.Strangers = map[string]json.RawMessage{}
	s.described("AccessGroup", "one", map[string]any{"name": "k1", "include": "a"})
	s.liveResource("AccessGroup", "g1", "k1", encode("a"))
	s.described("ZoneSetting", "two", map[string]any{"settingId": "brotli", "value": "on"})
	s.liveResource("ZoneSetting", "brotli", "brotli", "on")
	for id, family := range map[string]string{"r1": "RulesetRule", "g0": "AccessGroup"} {
		s.liveResource(family, id, "foreign-0", encode("a"))
		s.Strangers[family+" "+id] = s.findResource(id).raw
	}
	s.liveResource("AccessGroup", "g7", "left", encode("a"))
	s.Grants = append(s.Grants, grant{Object: "kinds-a/left", Zone: "AccessGroup", Names: []string{"left"}})
}

// described adds a valid object of a described kind.
func (s *scene) described(kind, name string, params map[string]any) {
	o := described{&unstructured.Unstructured{Object: map[string]any{"spec": map[string]any{"forProvider": params}}}}
	o.SetGroupVersionKind(familyOf(kind).gvk)
	o.SetNamespace("kinds-a")
	o.SetName(name)
	o.SetGeneration(2)
	for _, typ := range []string{"Synced", "Ready", "UpToDate"} {
		o.condition(typ, "True")
	}
	s.ResourceObjects = append(s.ResourceObjects, o)
}

// condition adds a condition before the existing ones of the same type.
func (d described) condition(typ, status string) {
	all, _, _ := unstructured.NestedSlice(d.Object, "status", "conditions")
	c := map[string]any{"type": typ, "status": status, "observedGeneration": int64(2), "lastTransitionTime": "2026-01-02T03:04:05Z", "reason": "X"}
	if err := unstructured.SetNestedSlice(d.Object, append([]any{c}, all...), "status", "conditions"); err != nil {
		panic(err)
	}
}

func (s *scene) liveResource(family, id, key, value string) {
	s.LiveResources = append(s.LiveResources, liveResource{Family: family, ID: id, Key: key, Value: value, raw: json.RawMessage(encode(id + key))})
}

func (s *scene) findResource(id string) *liveResource {
	i := slices.IndexFunc(s.LiveResources, func(l liveResource) bool { return l.ID == id })
	return &s.LiveResources[i]
}

func (s *scene) dropResource(id string) {
	s.LiveResources = slices.DeleteFunc(s.LiveResources, func(l liveResource) bool { return l.ID == id })
}

func (s *scene) liveZone(id, name string) {
	s.LiveZones = append(s.LiveZones, simulator.Zone{ID: id, Name: name})
}

func (s *scene) dropZone(id string) {
	s.LiveZones = slices.DeleteFunc(s.LiveZones, func(z simulator.Zone) bool { return z.ID == id })
}

// object adds an object that is Ready and manages the record of that ID.
func (s *scene) object(name string, r role, id string, v value) *dnsv1alpha1.Record {
	o := dnsv1alpha1.Record{ObjectMeta: metav1.ObjectMeta{Namespace: "team-a", Name: name, Generation: 2, Labels: map[string]string{roleLabel: string(r)}}}
	o.Spec.ForProvider = dnsv1alpha1.RecordParameters{ZoneID: ptr.To("z1"), Type: ptr.To(v.Type)}
	declare(&o.Spec.ForProvider, thing{Name: name, Value: v})
	if id != "" {
		meta.SetExternalName(&o, id)
		o.Status.AtProvider.ID = id
		o.SetConditions(xpv2.ReconcileSuccess(), xpv2.Available().WithObservedGeneration(2),
			xpv2.Condition{Type: "UpToDate", Status: "True", ObservedGeneration: 2})
	}
	s.Objects = append(s.Objects, o)
	return &s.Objects[len(s.Objects)-1]
}

func (s *scene) record(name string) *dnsv1alpha1.Record {
	s.t.Helper()
	for i := range s.Objects {
		if s.Objects[i].Name == name {
			return &s.Objects[i]
		}
	}
	s.t.Fatalf("there is no object %s", name)
	return nil
}

// live adds a record at Cloudflare.
func (s *scene) live(id, name string, v value) {
	s.t.Helper()
	b := v.body(name+"."+testZone, 1)
	b["id"] = id
	b["content"] = v.content()
	raw, err := json.Marshal(b)
	if err != nil {
		s.t.Fatal(err)
	}
	l := liveRecord{raw: raw}
	if err := json.Unmarshal(raw, &l); err != nil {
		s.t.Fatal(err)
	}
	s.Live[testZone] = append(s.Live[testZone], l)
}

// edit changes a record at Cloudflare.
func (s *scene) edit(id string, f func(*liveRecord)) {
	for i := range s.Live[testZone] {
		if l := &s.Live[testZone][i]; l.ID == id {
			f(l)
			l.raw = append([]byte(" "), l.raw...)
		}
	}
}

func (s *scene) drop(id string) {
	var left []liveRecord
	for _, l := range s.Live[testZone] {
		if l.ID != id {
			left = append(left, l)
		}
	}
	s.Live[testZone] = left
}

func TestOracle(t *testing.T) {
	tests := []struct {
		reason string
		plant  func(*scene)
		want   []string // kinds of violations
	}{
		{"all is well", func(*scene) {}, nil},
		{"a record twice", func(s *scene) { s.live("again", "www", value{"A", 1}) }, []string{vDuplicate, vOrphan}},
		{"two records of one object", func(s *scene) { s.live("again", "www", value{"A", 77}) }, []string{vOrphan}},
		{"a record of nobody", func(s *scene) { s.live("stray", "stray", value{"CNAME", 4}) }, []string{vOrphan}},
		{"two objects with one record", func(s *scene) {
			s.object("twin", roleReady, "id-www", value{"A", 1}).Spec.ForProvider.Name = ptr.To("www")
		}, []string{vDuplicate}},
		{"a record that is gone", func(s *scene) { s.drop("id-mail") }, []string{vLost}},
		{"a record with another content", func(s *scene) { s.edit("id-www", func(l *liveRecord) { l.Content = "192.0.2.66" }) }, []string{vWrong}},
		{"a record with another priority", func(s *scene) { s.edit("id-mail", func(l *liveRecord) { l.Priority = ptr.To[int64](11) }) }, []string{vWrong}},
		{"a record with another ttl", func(s *scene) { s.record("www").Spec.ForProvider.TTL = ptr.To[int64](300) }, []string{vWrong}},
		{"a record without its comment", func(s *scene) { s.record("www").Spec.ForProvider.Comment = ptr.To("x") }, []string{vWrong}},
		{"a record that is proxied", func(s *scene) { s.edit("id-www", func(l *liveRecord) { l.Proxied = true }) }, []string{vWrong}},
		{"a ttl that has no meaning", func(s *scene) {
			s.record("www").Spec.ForProvider.Proxied, s.record("www").Spec.ForProvider.TTL = ptr.To(true), ptr.To[int64](300)
			s.edit("id-www", func(l *liveRecord) { l.Proxied = true })
		}, nil},
		{"a foreign record that was changed", func(s *scene) { s.edit("foreign", func(*liveRecord) {}) }, []string{vForeign}},
		{"a foreign record that is gone", func(s *scene) { s.drop("foreign") }, []string{vWrong, vForeign, vForeign}},
		{"a foreign record that is managed", func(s *scene) {
			s.object("thief", roleReady, "foreign", value{"A", 9}).Spec.ForProvider.Name = ptr.To("foreign-1")
		}, []string{vForeign}},
		{"an object that does not go", func(s *scene) {
			now := metav1.NewTime(time.Now())
			s.record("www").DeletionTimestamp = &now
		}, []string{vOrphan, vStuck}},
		{"an object that is not Synced", func(s *scene) { s.record("www").SetConditions(xpv2.ReconcileError(errors.New("x"))) }, []string{vNotReady}},
		{"an object whose edit was not seen", func(s *scene) { s.record("www").Generation++ }, []string{vNotReady}},
		{"an object that waits for a human", func(s *scene) {
			s.record("www").SetConditions(xpv2.ReconcileError(errors.New("cannot determine creation result - remove the annotation")))
		}, []string{vHuman}},
		{"an object that waits for somebody to look", func(s *scene) {
			s.record("www").SetConditions(xpv2.ReconcileError(errors.New("the journal is lost: look at Cloudflare whether it was created")))
		}, []string{vHuman}},
		{"a creation in the journal", func(s *scene) { s.journal(`[{"id":"x"}]`) }, []string{vOpen}},
		{"a journal that cannot be read", func(s *scene) { s.journal("") }, []string{vOpen}},
		{"a creation that counts as open", func(s *scene) { meta.AddAnnotations(s.record("www"), map[string]string{pendingAnnotation: "{}"}) }, []string{vOpen}},
		{"an external name that is not the ID", func(s *scene) { s.record("www").Status.AtProvider.ID = "id-mail" }, []string{vWrong}},
		{"an object that took what it must not", func(s *scene) {
			s.record("refused").SetConditions(xpv2.ReconcileSuccess(), xpv2.Available())
		}, []string{vRefusal}},
		{"a refusal for another reason", func(s *scene) { s.record("refused").SetConditions(xpv2.ReconcileError(errors.New("429"))) }, []string{vRefusal}},
		{"an observer of something else", func(s *scene) { s.record("shown").Status.AtProvider.ID = "id-www" }, []string{vWrong}},
		{"two that claim the same and both have it", func(s *scene) {
			s.record("lost").SetConditions(xpv2.ReconcileSuccess(), xpv2.Available())
		}, []string{vNotReady, vNotReady, vOrphan}},
		{"a loser that does not know who won", func(s *scene) { s.record("lost").SetConditions(xpv2.ReconcileError(errors.New("x"))) }, []string{vRefusal}},
		{"an orphan that was to stay", func(s *scene) { s.drop("left") }, []string{vLost}},
		{"two orphans where one was to stay", func(s *scene) { s.live("left2", "older", value{"A", 6}) }, []string{vOrphan}},
		{"an orphan that was to stay, under a name that another one may have too", func(s *scene) {
			s.Grants = append([]grant{{Object: "team-a/early", Zone: testZone, Names: []string{"old"}}}, s.Grants...)
		}, nil},
		{"an orphan that may be there", func(s *scene) { s.live("may", "none", value{"A", 6}) }, nil},
		{"a record of an object that went as it got its finalizer", func(s *scene) {
			// A Record "fleeting" existed, but no object or grant is left of it.
			s.live("id-fleeting", "fleeting", value{"A", 8})
		}, []string{vOrphan}},
		{"a record of a namespace that is gone", func(s *scene) {
			s.live("id-visited", "n1-7", value{"A", 8})
			s.Live[visitZone()] = s.Live[testZone][len(s.Live[testZone])-1:]
			s.Live[testZone] = s.Live[testZone][:len(s.Live[testZone])-1]
		}, []string{vOrphan}},
		{"a namespace that does not go", func(s *scene) {
			now := metav1.NewTime(time.Now())
			s.Namespaces[0].DeletionTimestamp = &now
		}, []string{vStuck}},
		{"a zone that is gone", func(s *scene) { s.dropZone("id-made") }, []string{vLost}},
		{"a zone of nobody", func(s *scene) { s.liveZone("id-stray", "stray.example") }, []string{vOrphan}},
		{"a zone twice", func(s *scene) { s.liveZone("id-again", "made.example") }, []string{vDuplicate, vOrphan}},
		{"two objects with one zone", func(s *scene) {
			s.domain("twin", "id-made").Spec.ForProvider.Name = ptr.To("made.example")
		}, []string{vDuplicate}},
		{"a zone of another name", func(s *scene) { s.ZoneObjects[0].Spec.ForProvider.Name = ptr.To("other.example") }, []string{vWrong}},
		{"a zone that is not paused", func(s *scene) { s.ZoneObjects[0].Spec.ForProvider.Paused = ptr.To(true) }, []string{vWrong}},
		{"a Zone that is not Ready", func(s *scene) { s.ZoneObjects[0].SetConditions(xpv2.Unavailable()) }, []string{vNotReady}},
		{"a Zone without a zone", func(s *scene) {
			meta.SetExternalName(&s.ZoneObjects[0], "")
		}, []string{vWrong, vLost, vOrphan}},
		{"a Zone whose creation counts as open", func(s *scene) {
			meta.AddAnnotations(&s.ZoneObjects[0], map[string]string{pendingZoneAnnotation: "made.example"})
		}, []string{vOpen}},
		{"a Zone that does not go", func(s *scene) {
			now := metav1.NewTime(time.Now())
			s.ZoneObjects[0].DeletionTimestamp = &now
		}, []string{vOrphan, vStuck}},
		{"a zone that was to stay", func(s *scene) { s.dropZone("id-left") }, []string{vLost}},
		{"another zone in place of the one that was to stay", func(s *scene) {
			s.dropZone("id-left")
			s.liveZone("id-new", "left.example")
		}, []string{vLost, vOrphan}},
		{"a zone that may be there", func(s *scene) { s.liveZone("id-early", "early.example") }, nil},
		{"a group twice", func(s *scene) { s.liveResource("AccessGroup", "g9", "k1", encode("a")) }, []string{vDuplicate}},
		{"a group that is gone", func(s *scene) { s.dropResource("g1") }, []string{vLost}},
		{"a group with other members", func(s *scene) { s.findResource("g1").Value = encode("b") }, []string{vWrong}},
		{"a group of nobody", func(s *scene) { s.liveResource("AccessGroup", "g9", "k9", encode("a")) }, []string{vOrphan}},
		{"a rule of nobody", func(s *scene) { s.liveResource("RulesetRule", "r9", "k9", "x") }, []string{vOrphan}},
		{"a second orphan where one may be", func(s *scene) { s.liveResource("AccessGroup", "g8", "left", encode("a")) }, []string{vOrphan}},
		{"a foreign rule that is gone", func(s *scene) { s.dropResource("r1") }, []string{vForeign}},
		{"a foreign rule that was changed", func(s *scene) { s.findResource("r1").raw = json.RawMessage(`{}`) }, []string{vForeign}},
		{"a setting of nobody keeps what it was", func(s *scene) { s.liveResource("ZoneSetting", "http3", "http3", "on") }, nil},
		{"a setting that is not as declared", func(s *scene) { s.findResource("brotli").Value = "off" }, []string{vWrong}},
		{"two objects for one group", func(s *scene) {
			s.described("AccessGroup", "twin", map[string]any{"name": "k1", "include": "a"})
		}, []string{vDuplicate}},
		{"an object of a described kind that does not go", func(s *scene) {
			now := metav1.NewTime(time.Now())
			s.ResourceObjects[0].SetDeletionTimestamp(&now)
		}, []string{vStuck}},
		{"an object of a described kind that is not UpToDate", func(s *scene) {
			s.ResourceObjects[0].condition("UpToDate", "False")
		}, []string{vNotReady}},
		{"an object that has a foreign group", func(s *scene) {
			s.described("AccessGroup", "thief", map[string]any{"name": "foreign-0", "include": "a"})
		}, []string{vForeign}},
		{"a foreign zone that is gone", func(s *scene) { s.dropZone("z1") }, []string{vForeign}},
	}
	for _, tc := range tests {
		s := newScene(t)
		tc.plant(s)
		var got []string
		text := ""
		for _, v := range judge(s.facts) {
			got = append(got, v.Kind)
			text += fmt.Sprintf("%s %s %s: %s\n", v.Kind, v.Object, v.Record, v.Detail)
		}
		if diff := cmp.Diff(count(tc.want), count(got)); diff != "" {
			t.Errorf("%s (-want +got):\n%s%s", tc.reason, diff, text)
		}
	}
}

func count(kinds []string) map[string]int {
	n := map[string]int{}
	for _, k := range kinds {
		n[k]++
	}
	return n
}

func write(host, path, body string) simulator.LoggedRequest {
	return simulator.LoggedRequest{Method: "POST", Path: path, Host: host, RequestBody: body, Status: 200}
}

func TestWatch(t *testing.T) {
	foreign := "0123456789abcdef0123456789abcdef"
	tests := []struct {
		reason string
		seen   []simulator.LoggedRequest
		want   []string
	}{
		{"one after the other", []simulator.LoggedRequest{write("a", "/x", ""), write("a", "/x", ""), write("b", "/x", ""), write("c", "/x", "")}, nil},
		{"one that writes again", []simulator.LoggedRequest{write("a", "/x", ""), write("b", "/x", ""), write("a", "/x", "")}, []string{vWriters}},
		{"one that only reads again", []simulator.LoggedRequest{write("a", "/x", ""), write("b", "/x", ""), {Method: "GET", Path: "/" + foreign, Host: "a"}}, nil},
		{"a foreign record in a path", []simulator.LoggedRequest{write("a", "/zones/z/dns_records/"+foreign, "")}, []string{vForeign}},
		{"a foreign zone", []simulator.LoggedRequest{write("a", "/zones/z9", "")}, []string{vForeign}},
		{"a record of a foreign zone", []simulator.LoggedRequest{write("a", "/zones/z9/dns_records", "")}, nil},
		{"a limit that was exceeded", []simulator.LoggedRequest{{Method: "GET", Status: 429}}, []string{vLocked}},
		{"a throttle that is a fault", []simulator.LoggedRequest{{Method: "GET", Status: 429, Fired: []simulator.FaultKind{simulator.FaultThrottle}}}, nil},
		{"a limit that was exceeded in spite of a fault", []simulator.LoggedRequest{{Method: "GET", Status: 429, Fired: []simulator.FaultKind{simulator.FaultSlow}}}, []string{vLocked}},
		{"an operation that is under way", []simulator.LoggedRequest{{Method: "POST", Status: 429, Code: simulator.CodeOperationPending}}, nil},
		{"a foreign resource whose ID is a UUID", []simulator.LoggedRequest{write("a", "/accounts/a/access/groups/01234567-89ab-4def-8123-456789abcdef", "")}, []string{vForeign}},
		{"a foreign record in a batch", []simulator.LoggedRequest{write("a", "/x", `{"deletes":[{"id":"`+foreign+`"}]}`)}, []string{vForeign}},
	}
	for _, tc := range tests {
		w := newWatch()
		w.protect(foreign)
		w.protect("01234567-89ab-4def-8123-456789abcdef")
		w.protectZone("z9")
		for _, r := range tc.seen {
			w.take(r)
		}
		var got []string
		for _, v := range w.violations() {
			got = append(got, v.Kind)
		}
		if !cmp.Equal(count(tc.want), count(got)) {
			t.Errorf("%s: got %v, want %v", tc.reason, got, tc.want)
		}
	}
}

func TestBusiest(t *testing.T) {
	start := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	var at []time.Time
	for _, s := range []int{0, 30, 59, 60, 61, 62, 200} {
		at = append(at, start.Add(time.Duration(s)*time.Second))
	}
	if got := busiest(at, time.Minute); got != 5 { // 30 to 62; second 60 is not in the minute that begins at 0
		t.Errorf("got %d, want 5", got)
	}
	if got := busiest(nil, time.Minute); got != 0 {
		t.Errorf("of nothing there are %d", got)
	}
}

func TestSearch(t *testing.T) {
	got := search(map[string][]byte{
		"good": []byte("nothing"), "log": []byte("with token-1 in it"), "crash": []byte("x\npanic: runtime error"), "caught": []byte(`"msg":"Observed a panic"`),
	}, []string{"token-0", "token-1"})
	found := map[string]string{}
	for _, v := range got {
		found[v.Object] = v.Kind
	}
	if diff := cmp.Diff(map[string]string{"log": vLeak, "crash": vPanic, "caught": vPanic}, found); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}
