// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package record

import (
	"errors"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/crossplane/crossplane-runtime/v2/pkg/meta"
	"github.com/crossplane/crossplane-runtime/v2/pkg/reconciler/managed"
	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"
	"k8s.io/utils/ptr"

	"github.com/provider-cloudflare/provider-cloudflare/apis/dns/v1alpha1"
	apisv1alpha1 "github.com/provider-cloudflare/provider-cloudflare/apis/v1alpha1"
	"github.com/provider-cloudflare/provider-cloudflare/internal/drift"
	"github.com/provider-cloudflare/provider-cloudflare/internal/external/journal"
)

// foreign creates a record that no object has, and returns its ID.
func (s *stage) foreign() string {
	s.t.Helper()
	s.call(http.MethodPost, "", `{"type":"A","name":"www.example.com","content":"192.0.2.10","ttl":300}`)
	all := s.records()
	if len(all) != 1 {
		s.t.Fatalf("there are records %v, want one", all)
	}
	return all[0]
}

// forgeries returns annotations that claim the record with that ID for the object, each in a form that the provider or
// an earlier version writes.
func forgeries(id string) map[string]map[string]string {
	const then = "2026-01-02T03:04:05Z"
	note := map[string]string{AnnotationPending: `{"Name":"www.example.com","Type":"A","Rdata":"192.0.2.10"}`}
	with := func(more ...string) map[string]string {
		out := maps.Clone(note)
		for i := 0; i < len(more); i += 2 {
			out[more[i]] = more[i+1]
		}
		return out
	}
	const noted = journal.Annotation
	return map[string]map[string]string{
		"a note":                        note,
		"a note of this journal":        with(noted, "journal"),
		"a creation without an answer":  with(noted, "journal", meta.AnnotationKeyExternalCreatePending, then),
		"a creation that failed":        with(noted, "journal", meta.AnnotationKeyExternalCreatePending, then, meta.AnnotationKeyExternalCreateFailed, then),
		"a creation":                    with(noted, "journal", meta.AnnotationKeyExternalCreatePending, then, meta.AnnotationKeyExternalCreateSucceeded, then, meta.AnnotationKeyExternalName, id),
		"an external name":              {meta.AnnotationKeyExternalName: id},
		"another one observed":          {meta.AnnotationKeyExternalName: id, v1alpha1.Group + "/observed-record": "other"},
		"a creation by a lost provider": {meta.AnnotationKeyExternalName: id, meta.AnnotationKeyExternalCreateSucceeded: then},
	}
}

// TestForgedAnnotations: a record that no object has stays unchanged, regardless of the annotations of a Record that
// declares another record, or none.
func TestForgedAnnotations(t *testing.T) {
	declares := map[string]func(*v1alpha1.RecordParameters){
		"nothing": func(p *v1alpha1.RecordParameters) { *p = v1alpha1.RecordParameters{ZoneID: p.ZoneID} },
		"another name": func(p *v1alpha1.RecordParameters) {
			p.Name, p.Content = ptr.To("x.team-b.example.com."), ptr.To("203.0.113.66")
		},
	}
	policies := []xpv2.ManagementPolicies{{xpv2.ManagementActionObserve, xpv2.ManagementActionDelete}, {xpv2.ManagementActionAll}}
	tried := 0
	for what, declare := range declares {
		for _, policy := range policies {
			for _, adoption := range []v1alpha1.AdoptionPolicy{v1alpha1.AdoptNever, v1alpha1.AdoptIdentical, v1alpha1.AdoptNameAndType} {
				for reason := range forgeries("") {
					tried++
					t.Run(strings.Join([]string{what, string(policy[0]), string(adoption), reason}, "/"), func(t *testing.T) {
						s := newStage(t)
						id := s.foreign()
						s.forge(func(r *v1alpha1.Record) {
							r.Spec.AdoptionPolicy, r.Spec.ManagementPolicies = adoption, policy
							r.Spec.ForProvider.ZoneID = ptr.To(s.zone)
							declare(&r.Spec.ForProvider)
							meta.AddAnnotations(r, forgeries(id)[reason])
						})
						s.untouched(id, reason)
					})
				}
			}
		}
	}
	if tried < 90 {
		t.Errorf("%d forgeries are fewer than there were", tried)
	}
}

// forge changes the object, reconciles it, deletes it, and reconciles the deletion.
func (s *stage) forge(change func(*v1alpha1.Record)) {
	s.t.Helper()
	s.read()
	change(s.now)
	must(s.t, s.server.Update(s.t.Context(), s.now))
	for range 4 {
		s.reconcile()
	}
	if s.read() {
		must(s.t, s.server.Delete(s.t.Context(), s.now))
	}
	for range 4 {
		s.reconcile()
	}
}

// untouched fails if the record has changed.
func (s *stage) untouched(id, reason string) {
	s.t.Helper()
	got := string(s.call(http.MethodGet, "/"+id, ""))
	for _, want := range []string{`"name":"www.example.com"`, `"content":"192.0.2.10"`, `"ttl":300`} {
		if !strings.Contains(got, want) {
			s.t.Errorf("%s: the record that no object has is now %s", reason, got)
			return
		}
	}
}

// TestObservedIsNotOwned: a Record does not own what it observed once it manages. It takes the record over only as its
// adoption policy allows, and its deletion leaves the record.
func TestObservedIsNotOwned(t *testing.T) {
	for _, tc := range []struct {
		reason   string
		adoption v1alpha1.AdoptionPolicy
		content  string
		owned    bool
	}{
		{"an identical one", v1alpha1.AdoptIdentical, "192.0.2.10", true},
		{"an identical one under Never", v1alpha1.AdoptNever, "192.0.2.10", false},
		{"another content", v1alpha1.AdoptIdentical, "203.0.113.66", false},
		{"another content under NameAndType", v1alpha1.AdoptNameAndType, "203.0.113.66", true},
	} {
		s := newStage(t)
		id := s.foreign()
		s.read()
		s.now.Spec.ManagementPolicies = xpv2.ManagementPolicies{xpv2.ManagementActionObserve}
		meta.SetExternalName(s.now, id)
		must(t, s.server.Update(t.Context(), s.now))
		for range 3 {
			s.reconcile()
		}
		s.read()
		if s.now.Status.Ownership != apisv1alpha1.OwnershipObserved || s.now.Status.AtProvider.ID != id {
			t.Fatalf("%s: who observes has %q of %q", tc.reason, s.now.Status.Ownership, s.now.Status.AtProvider.ID)
		}
		p := &s.now.Spec.ForProvider
		p.ZoneID, p.Name, p.Type, p.Content = ptr.To(s.zone), ptr.To("www.example.com."), ptr.To("A"), ptr.To(tc.content)
		s.now.Spec.AdoptionPolicy, s.now.Spec.ManagementPolicies = tc.adoption, xpv2.ManagementPolicies{xpv2.ManagementActionAll}
		s.now.Generation++
		must(t, s.server.Update(t.Context(), s.now))
		for range 3 {
			s.reconcile()
		}
		s.read()
		if (s.now.Status.Ownership == apisv1alpha1.OwnershipOwn) != tc.owned {
			t.Errorf("%s: it has %q: %v", tc.reason, s.now.Status.Ownership, s.now.GetCondition(xpv2.TypeSynced))
		}
		must(t, s.server.Delete(t.Context(), s.now))
		for range 4 {
			s.reconcile()
		}
		if left := slices.Contains(s.records(), id); left == tc.owned {
			t.Errorf("%s: the record is left: %t", tc.reason, left)
		}
	}
}

// TestStoredByAnEarlierVersion has an object whose status does not say yet whether it owns the record. An object that
// managed when that version last looked owns it. An object that only observes does not, nor does one that was edited
// since: that edit may have made it manage, regardless of its annotations.
func TestStoredByAnEarlierVersion(t *testing.T) {
	all, observe := xpv2.ManagementPolicies{xpv2.ManagementActionAll}, xpv2.ManagementPolicies{xpv2.ManagementActionObserve}
	looked := func(r *v1alpha1.Record) { r.SetConditions(drift.UpToDate(r, "Record")) }
	refused := func(r *v1alpha1.Record) { r.SetConditions(drift.Pending(r, errors.New("refused"))) }
	gone := func(r *v1alpha1.Record) { r.SetConditions(drift.Unknown(r, "it is gone")) }
	before := func(r *v1alpha1.Record) { r.Generation--; looked(r); r.Generation++ }
	for _, tc := range []struct {
		reason   string
		policies xpv2.ManagementPolicies
		said     func(r *v1alpha1.Record)
		want     apisv1alpha1.Ownership
		left     bool
	}{
		{"it manages", all, looked, apisv1alpha1.OwnershipOwn, false},
		{"it observes", observe, looked, apisv1alpha1.OwnershipObserved, true},
		{"it began to manage after the last look", all, before, "", true},
		{"it began to manage and was refused", all, refused, "", true},
		{"it began to manage what could not be looked at", all, gone, "", true},
	} {
		s := newStage(t)
		id := s.foreign()
		s.read()
		s.now.Spec.AdoptionPolicy, s.now.Spec.ManagementPolicies = v1alpha1.AdoptNever, tc.policies
		p := &s.now.Spec.ForProvider
		p.ZoneID, p.Name, p.Type, p.Content = ptr.To(s.zone), ptr.To("www.example.com."), ptr.To("A"), ptr.To("192.0.2.10")
		meta.SetExternalName(s.now, id)
		meta.AddFinalizer(s.now, managed.FinalizerName)
		s.now.Generation = 2
		must(t, s.server.Update(t.Context(), s.now))
		s.now.Status.AtProvider.ID, s.now.Status.AtProvider.ZoneID = id, s.zone
		tc.said(s.now)
		must(t, s.server.Status().Update(t.Context(), s.now))
		for range 3 {
			s.reconcile()
		}
		s.read()
		if own := apisv1alpha1.OwnershipOwn; (s.now.Status.Ownership == own) != (tc.want == own) {
			t.Errorf("%s: the status says %q, want %q: %v", tc.reason, s.now.Status.Ownership, tc.want, s.now.GetCondition(xpv2.TypeSynced))
		}
		must(t, s.server.Delete(t.Context(), s.now))
		for range 4 {
			s.reconcile()
		}
		if left := slices.Contains(s.records(), id); left != tc.left || s.read() {
			t.Errorf("%s: after its deletion the record is left: %t", tc.reason, left)
		}
	}
}
