// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package kindref

import (
	"slices"
	"strings"
	"testing"

	"github.com/crossplane/crossplane-runtime/v2/pkg/meta"
	"github.com/crossplane/crossplane-runtime/v2/pkg/resource"
	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/utils/ptr"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/fake"

	"github.com/provider-cloudflare/provider-cloudflare/apis"
	zonev1alpha1 "github.com/provider-cloudflare/provider-cloudflare/apis/zone/v1alpha1"
)

// A spec has references in the form of generated types.
type spec struct {
	ZoneID         *string                    `json:"zoneId,omitempty" ref:"zone.Zone"`
	ZoneIDRef      *xpv2.NamespacedReference  `json:"zoneIdRef,omitempty"`
	ZoneIDSelector *xpv2.NamespacedSelector   `json:"zoneIdSelector,omitempty"`
	Zones          []string                   `json:"zones,omitempty" ref:"zone.Zone"`
	ZoneRefs       []xpv2.NamespacedReference `json:"zoneRefs,omitempty"`
	ZoneSelector   *xpv2.NamespacedSelector   `json:"zoneSelector,omitempty"`
	Parts          []part                     `json:"parts,omitempty"`
	Inner          *part                      `json:"inner,omitempty"`
	Named          map[string]part            `json:"named,omitempty"`
	Needy          []needy                    `json:"needy,omitempty"`
}

type part struct {
	ID         *string                   `json:"id,omitempty" ref:"zone.Zone"`
	IDRef      *xpv2.NamespacedReference `json:"idRef,omitempty"`
	IDSelector *xpv2.NamespacedSelector  `json:"idSelector,omitempty"`
}

type needy struct {
	ID         *string                   `json:"id,omitempty" ref:"zone.Zone,required"`
	IDRef      *xpv2.NamespacedReference `json:"idRef,omitempty"`
	IDSelector *xpv2.NamespacedSelector  `json:"idSelector,omitempty"`
}

type needyList struct {
	IDs        []string                   `json:"ids,omitempty" ref:"zone.Zone,required"`
	IDRefs     []xpv2.NamespacedReference `json:"idRefs,omitempty"`
	IDSelector *xpv2.NamespacedSelector   `json:"idSelector,omitempty"`
}

func targets() Targets {
	return Targets{"zone.Zone": {
		New:     func() resource.Managed { return &zonev1alpha1.Zone{} },
		NewList: func() resource.ManagedList { return &zonev1alpha1.ZoneList{} },
	}}
}

// zone returns an object to refer to. Without an ID it does not exist at Cloudflare yet.
func zone(namespace, name, id string, labels map[string]string) *zonev1alpha1.Zone {
	z := &zonev1alpha1.Zone{ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: name, Labels: labels}}
	if id != "" {
		meta.SetExternalName(z, id)
	}
	return z
}

func reader(t *testing.T) client.Reader {
	t.Helper()
	s := runtime.NewScheme()
	if err := apis.AddToScheme(s); err != nil {
		t.Fatal(err)
	}
	blue := map[string]string{"team": "blue"}
	return fake.NewClientBuilder().WithScheme(s).WithObjects(
		zone("team", "first", "id1", blue), zone("team", "second", "id2", blue), zone("team", "young", "", nil),
		zone("other", "foreign", "id3", nil),
	).Build()
}

func to(name string) *xpv2.NamespacedReference { return &xpv2.NamespacedReference{Name: name} }

func always(name string) *xpv2.NamespacedReference {
	return &xpv2.NamespacedReference{Name: name, Policy: &xpv2.Policy{Resolve: ptr.To(xpv2.ResolvePolicyAlways)}}
}

func perhaps(name string) *xpv2.NamespacedReference {
	return &xpv2.NamespacedReference{Name: name, Policy: &xpv2.Policy{Resolution: ptr.To(xpv2.ResolutionPolicyOptional)}}
}

func TestResolve(t *testing.T) {
	blue := &xpv2.NamespacedSelector{MatchLabels: map[string]string{"team": "blue"}}
	cases := map[string]struct {
		reason string
		spec   spec
		got    func(spec) []string
		want   []string
	}{
		"Reference": {
			"a reference gives the external name",
			spec{ZoneIDRef: to("first")},
			func(s spec) []string { return []string{*s.ZoneID, s.ZoneIDRef.Name} },
			[]string{"id1", "first"},
		},
		"SetAlready": {
			"a value that is set stays, so that an edit of the other object moves nothing",
			spec{ZoneID: ptr.To("mine"), ZoneIDRef: to("first")},
			func(s spec) []string { return []string{*s.ZoneID} },
			[]string{"mine"},
		},
		"Always": {
			"the user asked for it to be resolved each time",
			spec{ZoneID: ptr.To("mine"), ZoneIDRef: always("first")},
			func(s spec) []string { return []string{*s.ZoneID} },
			[]string{"id1"},
		},
		"Selector": {
			"a selector finds an object, and notes which",
			spec{ZoneIDSelector: blue},
			func(s spec) []string { return []string{*s.ZoneID, s.ZoneIDRef.Name} },
			[]string{"id1", "first"},
		},
		"Several": {
			"a list of references",
			spec{ZoneRefs: []xpv2.NamespacedReference{*to("second"), *to("first")}},
			func(s spec) []string { return s.Zones },
			[]string{"id1", "id2"},
		},
		"SeveralSelected": {
			"a selector of a list finds all",
			spec{ZoneSelector: blue},
			func(s spec) []string { return s.Zones },
			[]string{"id1", "id2"},
		},
		"Element": {
			"references in the elements of a list",
			spec{Parts: []part{{IDRef: to("first")}, {ID: ptr.To("x")}, {IDRef: to("second")}}},
			func(s spec) []string { return []string{*s.Parts[0].ID, *s.Parts[1].ID, *s.Parts[2].ID} },
			[]string{"id1", "x", "id2"},
		},
		"Member": {
			"and in a member",
			spec{Inner: &part{IDRef: to("second")}},
			func(s spec) []string { return []string{*s.Inner.ID} },
			[]string{"id2"},
		},
		"Name": {
			"references in the values of a map",
			spec{Named: map[string]part{"A": {IDRef: to("first")}, "B": {ID: ptr.To("x")}}},
			func(s spec) []string { return []string{*s.Named["A"].ID, *s.Named["B"].ID} },
			[]string{"id1", "x"},
		},
		"Required": {
			"a value, a reference or a selector is enough where one is required",
			spec{Needy: []needy{{ID: ptr.To("x")}, {IDRef: to("second")}, {IDSelector: blue}}},
			func(s spec) []string { return []string{*s.Needy[0].ID, *s.Needy[1].ID, *s.Needy[2].ID} },
			[]string{"x", "id2", "id1"},
		},
		"Nothing": {
			"nothing refers to anything",
			spec{Inner: &part{}},
			func(s spec) []string {
				if s.ZoneID != nil || s.Inner.ID != nil {
					return []string{"set"}
				}
				return nil
			}, nil,
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			s := tc.spec
			if err := targets().Resolve(t.Context(), reader(t), zone("team", "mg", "", nil), &s); err != nil {
				t.Fatalf("%s: %v", tc.reason, err)
			}
			got := tc.got(s)
			if name == "Several" || name == "SeveralSelected" {
				slices.Sort(got)
			}
			if !slices.Equal(got, tc.want) {
				t.Errorf("%s: got %v, want %v", tc.reason, got, tc.want)
			}
		})
	}
}

func TestResolveFails(t *testing.T) {
	type unknown struct {
		ID         *string                   `json:"id,omitempty" ref:"zone.Nothing"`
		IDRef      *xpv2.NamespacedReference `json:"idRef,omitempty"`
		IDSelector *xpv2.NamespacedSelector  `json:"idSelector,omitempty"`
	}
	cases := map[string]struct {
		reason string
		spec   any
		says   string
	}{
		"Missing":     {"there is no such object: the field is named", &spec{ZoneIDRef: to("none")}, "spec.forProvider.zoneId"},
		"Young":       {"the object has no ID yet", &spec{ZoneIDRef: to("young")}, "spec.forProvider.zoneId"},
		"Foreign":     {"an object of another namespace is none of this one's", &spec{ZoneIDRef: to("foreign")}, "spec.forProvider.zoneId"},
		"Element":     {"the position is named", &spec{Parts: []part{{}, {IDRef: to("none")}}}, "spec.forProvider.parts[1].id"},
		"Name":        {"the name in a map is named", &spec{Named: map[string]part{"A": {IDRef: to("none")}}}, "spec.forProvider.named.A.id"},
		"Required":    {"a value is required, and nothing gives it", &spec{Needy: []needy{{ID: ptr.To("x")}, {}}}, "spec.forProvider.needy[1].id: the value is empty: set it"},
		"RequiredAll": {"so is a list", &needyList{}, "spec.forProvider.ids: the value is empty: set it"},
		"NotFoundYet": {
			"a reference that may lead nowhere is none", &spec{Needy: []needy{{IDRef: perhaps("none")}}}, "spec.forProvider.needy[0].id: the value is empty",
		},
		"UnknownKind": {"a tag names a kind that is not there", &unknown{IDRef: to("first")}, "zone.Nothing"},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			err := targets().Resolve(t.Context(), reader(t), zone("team", "mg", "", nil), tc.spec)
			if err == nil || !strings.Contains(err.Error(), tc.says) {
				t.Fatalf("%s: got %v, want %q in it", tc.reason, err, tc.says)
			}
			if n := strings.Count(err.Error(), "spec.forProvider."); n != 1 {
				t.Errorf("%s: the field is named %d times: %v", tc.reason, n, err)
			}
		})
	}
}

// TestOutdated checks that a value that its reference does not lead to any more is returned, and filled again once it
// is emptied.
func TestOutdated(t *testing.T) {
	blue := &xpv2.NamespacedSelector{MatchLabels: map[string]string{"team": "blue"}}
	for _, tc := range []struct {
		reason string
		spec   spec
		field  string
		now    string
	}{
		{"the object has another ID", spec{ZoneID: ptr.To("old"), ZoneIDRef: to("first")}, "spec.forProvider.zoneId", "id1"},
		{"the same, and it is resolved each time", spec{ZoneID: ptr.To("old"), ZoneIDRef: always("first")}, "spec.forProvider.zoneId", "id1"},
		{"the object has that ID", spec{ZoneID: ptr.To("id1"), ZoneIDRef: to("first")}, "", ""},
		{"the object has no ID yet", spec{ZoneID: ptr.To("old"), ZoneIDRef: to("young")}, "", ""},
		{"the object is gone", spec{ZoneID: ptr.To("old"), ZoneIDRef: to("none")}, "", ""},
		{"the object is gone, and a selector selects another one", spec{ZoneID: ptr.To("old"), ZoneIDRef: to("none"), ZoneIDSelector: blue}, "spec.forProvider.zoneId", "id1"},
		{"a value without a reference", spec{ZoneID: ptr.To("old")}, "", ""},
		{"nothing is resolved yet", spec{ZoneIDRef: to("first")}, "", ""},
		{"in an element", spec{Parts: []part{{ID: ptr.To("x")}, {ID: ptr.To("old"), IDRef: to("second")}}}, "spec.forProvider.parts[1].id", "id2"},
		{"in a map", spec{Named: map[string]part{"A": {ID: ptr.To("old"), IDRef: to("second")}, "B": {ID: ptr.To("x")}}}, "spec.forProvider.named.A.id", "id2"},
		{"in a list", spec{Zones: []string{"id1", "old"}, ZoneRefs: []xpv2.NamespacedReference{*to("first"), *to("second")}}, "spec.forProvider.zones[1]", "id2"},
	} {
		t.Run(tc.reason, func(t *testing.T) {
			s := tc.spec
			mg := zone("team", "mg", "", nil)
			got, err := targets().Outdated(t.Context(), reader(t), mg, &s)
			if err != nil {
				t.Fatal(err)
			}
			if tc.field == "" {
				if len(got) != 0 {
					t.Errorf("got %v", got)
				}
				return
			}
			if len(got) != 1 || got[0].Field != tc.field || got[0].Value != "old" || got[0].Now != tc.now {
				t.Fatalf("got %v, want %s of %s", got, tc.now, tc.field)
			}
			got[0].Empty()
			if err := targets().Resolve(t.Context(), reader(t), mg, &s); err != nil {
				t.Fatal(err)
			}
			if left, err := targets().Outdated(t.Context(), reader(t), mg, &s); err != nil || len(left) != 0 {
				t.Errorf("after it is resolved again, there are %v, %v", left, err)
			}
		})
	}
}

func TestRefers(t *testing.T) {
	for _, tc := range []struct {
		reason string
		spec   spec
		want   bool
	}{
		{"a reference", spec{ZoneIDRef: to("first")}, true},
		{"a selector", spec{ZoneIDSelector: &xpv2.NamespacedSelector{}}, true},
		{"an ID alone", spec{ZoneID: ptr.To("id1")}, false},
	} {
		if got := Refers(&tc.spec, "zoneId"); got != tc.want {
			t.Errorf("%s: got %t", tc.reason, got)
		}
	}
}
