// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package reach_test

import (
	"encoding/json"
	"errors"
	"reflect"
	"slices"
	"strings"
	"testing"

	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"
	kerrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/utils/ptr"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/fake"

	"github.com/provider-cloudflare/provider-cloudflare/apis"
	accessv1alpha1 "github.com/provider-cloudflare/provider-cloudflare/apis/access/v1alpha1"
	dnsv1alpha1 "github.com/provider-cloudflare/provider-cloudflare/apis/dns/v1alpha1"
	cfv1alpha1 "github.com/provider-cloudflare/provider-cloudflare/apis/v1alpha1"
	zonev1alpha1 "github.com/provider-cloudflare/provider-cloudflare/apis/zone/v1alpha1"
	"github.com/provider-cloudflare/provider-cloudflare/internal/external/reach"
)

func record(change func(p *dnsv1alpha1.RecordParameters)) *dnsv1alpha1.Record {
	r := &dnsv1alpha1.Record{ObjectMeta: metav1.ObjectMeta{Namespace: "team", Name: "www"}}
	change(&r.Spec.ForProvider)
	return r
}

func TestCheck(t *testing.T) {
	t.Parallel()
	tests := []struct {
		reason string
		object client.Object
		field  string
	}{
		{"there is no reference", record(func(*dnsv1alpha1.RecordParameters) {}), ""},
		{"no namespace is that of the object", record(func(p *dnsv1alpha1.RecordParameters) {
			p.ZoneIDRef, p.TunnelIDSelector = &xpv2.NamespacedReference{Name: "a"}, &xpv2.NamespacedSelector{}
		}), ""},
		{"the namespace of the object", record(func(p *dnsv1alpha1.RecordParameters) {
			p.ZoneIDRef = &xpv2.NamespacedReference{Name: "a", Namespace: "team"}
			p.ZoneIDSelector = &xpv2.NamespacedSelector{Namespace: "team"}
		}), ""},
		{"a reference", record(func(p *dnsv1alpha1.RecordParameters) {
			p.ZoneIDRef = &xpv2.NamespacedReference{Name: "a", Namespace: "victim"}
		}), "spec.forProvider.zoneIdRef"},
		{"a selector beside what it selected before", record(func(p *dnsv1alpha1.RecordParameters) {
			p.ZoneID, p.ZoneIDRef = ptr.To("id"), &xpv2.NamespacedReference{Name: "a"}
			p.ZoneIDSelector = &xpv2.NamespacedSelector{Namespace: "victim"}
		}), "spec.forProvider.zoneIdSelector"},
		{"a value that a reference has filled in already", record(func(p *dnsv1alpha1.RecordParameters) {
			p.TunnelID, p.TunnelIDRef = ptr.To("id"), &xpv2.NamespacedReference{Name: "a", Namespace: "victim"}
		}), "spec.forProvider.tunnelIdRef"},
		{"one of a list", &accessv1alpha1.AccessApplication{
			ObjectMeta: metav1.ObjectMeta{Namespace: "team"},
			Spec: accessv1alpha1.AccessApplicationSpec{ForProvider: accessv1alpha1.AccessApplicationParameters{
				AllowedIDPRefs: []xpv2.NamespacedReference{{Name: "a"}, {Name: "b", Namespace: "victim"}},
			}},
		}, "spec.forProvider.allowedIdpRefs[1]"},
		{"the Secret of a ClusterProviderConfig is named by an administrator", &cfv1alpha1.ClusterProviderConfig{
			Spec: cfv1alpha1.ClusterProviderConfigSpec{Credentials: cfv1alpha1.ClusterCredentials{
				SecretRef: cfv1alpha1.SecretKeySelector{Namespace: "system"},
			}},
		}, ""},
	}
	for _, tc := range tests {
		err := reach.Policy{}.Check(tc.object)
		var outside *reach.OutsideError
		switch {
		case tc.field == "" && err != nil:
			t.Errorf("%s: %v", tc.reason, err)
		case tc.field != "" && (!errors.As(err, &outside) || outside.Field != tc.field || outside.Namespace != "victim" || outside.From != "team"):
			t.Errorf("%s: %v, want a refusal of %s", tc.reason, err, tc.field)
		}
		if err := (reach.Policy{Anywhere: true}).Check(tc.object); err != nil {
			t.Errorf("%s, where everything is allowed: %v", tc.reason, err)
		}
	}
}

// TestEveryField checks, for all kinds, that Outsides finds each field of a spec that can name a
// namespace.
func TestEveryField(t *testing.T) {
	t.Parallel()
	others := map[string]string{
		"ClusterProviderConfig spec.credentials.secretRef": "an administrator names a Secret",
		"WorkerScript spec.forProvider.bindings[0]":        "a namespace of Workers at Cloudflare",
		"WorkerScript spec.forProvider.tailConsumers[0]":   "a namespace of Workers at Cloudflare",
	}
	s := scheme(t)
	kinds := 0
	for gvk := range s.AllKnownTypes() {
		o, err := s.New(gvk)
		if err != nil {
			t.Fatal(err)
		}
		mg, ok := o.(client.Object)
		if !ok || !strings.HasSuffix(gvk.Group, ".cloudflare.m.crossplane.io") {
			continue
		}
		fill(reflect.ValueOf(mg).Elem().FieldByName("Spec"))
		raw, err := json.Marshal(mg)
		if err != nil {
			t.Fatal(err)
		}
		var all map[string]any
		if err := json.Unmarshal(raw, &all); err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, o := range reach.Outsides(mg, "team") {
			got = append(got, o.Field)
		}
		want := slices.DeleteFunc(naming(all["spec"], "spec"), func(at string) bool { return others[gvk.Kind+" "+at] != "" })
		slices.Sort(got)
		slices.Sort(want)
		if !slices.Equal(got, want) {
			t.Errorf("%s: %v are found, and %v name a namespace", gvk.Kind, got, want)
		}
		if len(want) > 0 {
			kinds++
		}
	}
	if kinds < 30 {
		t.Errorf("%d kinds have references", kinds)
	}
}

// fill sets everything within v. The texts are valid numbers, too.
func fill(v reflect.Value) {
	switch v.Kind() { //nolint:exhaustive // Nothing else has texts in it.
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fill(v.Elem())
	case reflect.Slice:
		if v.Type().Elem().Kind() != reflect.Uint8 {
			v.Set(reflect.MakeSlice(v.Type(), 1, 1))
			fill(v.Index(0))
		}
	case reflect.Map:
		one := reflect.New(v.Type().Elem()).Elem()
		fill(one)
		v.Set(reflect.MakeMap(v.Type()))
		v.SetMapIndex(reflect.ValueOf("one").Convert(v.Type().Key()), one)
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				fill(v.Field(i))
			}
		}
	case reflect.String:
		v.SetString("1")
	}
}

// naming returns the paths in a document at which a value names a namespace.
func naming(v any, path string) []string {
	var out []string
	switch v := v.(type) {
	case []any:
		for _, one := range v {
			out = append(out, naming(one, path+"[0]")...)
		}
	case map[string]any:
		if v["namespace"] != nil {
			out = append(out, path)
		}
		for name, one := range v {
			out = append(out, naming(one, path+"."+name)...)
		}
	}
	return out
}

func scheme(t *testing.T) *runtime.Scheme {
	t.Helper()
	s := runtime.NewScheme()
	if err := apis.AddToScheme(s); err != nil {
		t.Fatal(err)
	}
	return s
}

func TestWithin(t *testing.T) {
	t.Parallel()
	zone := func(namespace string) client.Object {
		return &zonev1alpha1.Zone{ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: "a"}}
	}
	all := fake.NewClientBuilder().WithScheme(scheme(t)).WithObjects(zone("team"), zone("victim")).Build()
	tests := []struct {
		reason    string
		policy    reach.Policy
		namespace string
		found     bool
	}{
		{"the own namespace", reach.Policy{}, "team", true},
		{"another namespace", reach.Policy{}, "victim", false},
		{"another namespace, where that is allowed", reach.Policy{Anywhere: true}, "victim", true},
	}
	for _, tc := range tests {
		r := tc.policy.Within(all, "team")
		err := r.Get(t.Context(), client.ObjectKey{Namespace: tc.namespace, Name: "a"}, &zonev1alpha1.Zone{})
		if client.IgnoreNotFound(err) != nil || kerrors.IsNotFound(err) == tc.found {
			t.Errorf("%s: the object is read with %v", tc.reason, err)
		}
		var list zonev1alpha1.ZoneList
		if err := r.List(t.Context(), &list, client.InNamespace(tc.namespace)); err != nil || len(list.Items) > 0 != tc.found {
			t.Errorf("%s: %d are listed, %v", tc.reason, len(list.Items), err)
		}
	}
	var list zonev1alpha1.ZoneList
	if err := (reach.Policy{}).Within(all, "team").List(t.Context(), &list); err != nil || len(list.Items) > 0 {
		t.Errorf("a list of all namespaces has %d, %v", len(list.Items), err)
	}
}
