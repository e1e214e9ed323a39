// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package described

import (
	"cmp"
	"fmt"
	"maps"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/crossplane/crossplane-runtime/v2/pkg/meta"
	"github.com/crossplane/crossplane-runtime/v2/pkg/reconciler/managed"
	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/provider-cloudflare/provider-cloudflare/internal/kind"
	"github.com/provider-cloudflare/provider-cloudflare/test/simulator"
)

// A spelling is a way to name the resource of another object.
type spelling struct {
	because string
	// name is the external name.
	name string
	// set has values of the spec, by their paths on the wire.
	set map[string]string
	// unset are the paths on the wire that the spec does not have.
	unset []string
	// takes has the spellings that the API accepts as equal, by what is sent.
	takes map[string]string
	// says is a part of the refusal.
	says string
}

const (
	saysManaged  = "is already managed by default/"
	saysSpelling = "in another spelling: set the annotation " + meta.AnnotationKeyExternalName
	// saysNoID is about an ID that does not follow from the spec.
	saysNoID = "is not the ID of"
)

// A second is an object in another namespace, beside one that has a resource.
type second struct {
	*stage
	e   entry
	own Object
	// id is the ID of the first object's resource, and at are the parameters of its path.
	id string
	at map[string]string
}

// newSecond returns the stage of a second object. The first one has its resource.
func newSecond(t *testing.T, e entry) *second {
	t.Helper()
	s := newStage(t, e)
	s.settle(s.kind, s.key)
	for range 2 {
		s.reconcile(s.kind, s.key)
	}
	own := s.read(s.kind, s.key)
	must(t, targets(s.roster).Resolve(t.Context(), s.server, own, own.GetForProvider()))
	withoutReferences(reflect.ValueOf(own.GetForProvider()))
	at := kind.Parameters(own.GetForProvider())
	if _, has := kind.Names(own.GetForProvider())["account_id"]; has {
		at["account_id"] = cmp.Or(at["account_id"], s.session.AccountID)
	}
	s.copyInputs()
	return &second{stage: s, e: e, own: own, id: meta.GetExternalName(own), at: at}
}

// withoutReferences removes the references to objects of the namespace.
func withoutReferences(v reflect.Value) {
	switch v.Kind() { //nolint:exhaustive // Nothing else has references in it.
	case reflect.Pointer:
		if !v.IsNil() {
			withoutReferences(v.Elem())
		}
	case reflect.Slice:
		for i := range v.Len() {
			withoutReferences(v.Index(i))
		}
	case reflect.Struct:
		for i := range v.NumField() {
			switch f := v.Field(i); f.Interface().(type) {
			case *xpv2.NamespacedReference, *xpv2.NamespacedSelector, []xpv2.NamespacedReference:
				f.SetZero()
			default:
				withoutReferences(f)
			}
		}
	}
}

const otherNamespace = "other"

// copyInputs copies the Secrets and ConfigMaps that the spec takes values from into the namespace of the second
// object.
func (s *stage) copyInputs() {
	s.t.Helper()
	secrets, files := &corev1.SecretList{}, &corev1.ConfigMapList{}
	must(s.t, s.server.List(s.t.Context(), secrets))
	must(s.t, s.server.List(s.t.Context(), files))
	for i := range secrets.Items {
		if metav1.GetControllerOf(&secrets.Items[i]) == nil {
			s.copyInput(&secrets.Items[i])
		}
	}
	for i := range files.Items {
		s.copyInput(&files.Items[i])
	}
}

func (s *stage) copyInput(o client.Object) {
	s.t.Helper()
	o.SetNamespace(otherNamespace)
	o.SetResourceVersion("")
	must(s.t, s.server.Create(s.t.Context(), o))
}

// anID matches the IDs that Cloudflare assigns.
var anID = regexp.MustCompile(`^([0-9a-f]{32}|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12})$`)

// spellings returns the ways to name the resource of the first object.
func (s *second) spellings() []spelling {
	s.t.Helper()
	d := s.e.Description
	out := []spelling{{because: "its ID", name: s.id, says: saysManaged}}
	_, never := d.Excused["Adopted"]
	if d.Shape == kind.Singleton || !never && d.Mark == "" && len(d.Natural) > 0 {
		out = append(out, spelling{because: "nothing but its spec", says: saysManaged})
		out = append(out, s.natural()...)
	}
	if upper := strings.ToUpper(s.id); upper != s.id && d.Mark == "" {
		says := map[kind.Shape]string{kind.Collection: saysSpelling, kind.Singleton: saysNoID, kind.Fragment: saysManaged}[d.Shape]
		out = append(out, spelling{because: "its ID in upper case", name: upper, takes: map[string]string{upper: s.id}, says: says})
	}
	if regexp.MustCompile(`^\d+$`).MatchString(s.id) {
		out = append(out, spelling{because: "a number with zeros", name: "00" + s.id, takes: map[string]string{"00" + s.id: s.id}, says: saysSpelling})
	}
	for _, name := range slices.Sorted(maps.Keys(s.at)) {
		out = append(out, s.parameter(name)...)
	}
	return slices.Concat(out, s.headers(), s.scopes())
}

// scopes returns the account of a zone in the place of the zone, or a zone in the place of the account: the API
// accepts either for a resource that both have.
func (s *second) scopes() []spelling {
	d := s.e.Description
	if d.Scope != kind.Either || d.Shape != kind.Collection || !anID.MatchString(s.id) {
		return nil
	}
	zone, account := s.sim.Zones()[0].ID, s.session.AccountID
	if s.at["zone_id"] != "" {
		return []spelling{{
			because: "the account of its zone", name: s.id, set: map[string]string{"account_id": account}, unset: []string{"zone_id"},
			takes: map[string]string{"accounts": "zones", account: zone}, says: saysManaged,
		}}
	}
	return []spelling{{
		because: "a zone of its account", name: s.id, set: map[string]string{"zone_id": zone}, unset: []string{"account_id"},
		takes: map[string]string{"zones": "accounts", zone: account}, says: saysManaged,
	}}
}

// natural returns names in upper case.
func (s *second) natural() []spelling {
	s.t.Helper()
	d := s.e.Description
	want, err := kind.Encode(s.own.GetForProvider())
	must(s.t, err)
	var out []spelling
	for _, path := range d.NaturalPaths(want) {
		v, canonical := kind.Text(want, path), d.Fields[path].Canonical
		// A PUT that creates a resource also moves it, and the API ignores the case of a host name.
		moves := strings.HasPrefix(d.Create, "PUT ") && path == "hostname"
		if upper := strings.ToUpper(v); upper != v && (moves || canonical != nil && canonical(upper) == canonical(v)) {
			out = append(out, spelling{because: "its name in upper case", set: map[string]string{path: upper}, says: saysManaged})
		}
	}
	return out
}

// parameter returns other values of a parameter that lead to the same resource.
func (s *second) parameter(name string) []spelling {
	s.t.Helper()
	v := s.at[name]
	var out []spelling
	if name == "zone_id" && !strings.Contains(s.e.Description.Read, "zone") {
		other, err := s.sim.AddZone(s.session.AccountID, "other.example", simulator.ZoneOptions{})
		must(s.t, err)
		out = append(out, spelling{because: "another zone", name: s.id, set: map[string]string{name: other.ID}, says: saysManaged})
	}
	if !anID.MatchString(v) {
		return out
	}
	others := map[string]string{name + " in upper case": strings.ToUpper(v)}
	if name == "tunnel_id" {
		others[name+" without hyphens"] = strings.ReplaceAll(v, "-", "")
	}
	for because, other := range others {
		out = append(out, spelling{
			because: because, name: strings.ReplaceAll(s.id, v, other), set: map[string]string{name: other},
			takes: map[string]string{other: v}, says: saysManaged,
		})
	}
	return out
}

// headers returns values of headers that mean the same as none.
func (s *second) headers() []spelling {
	var out []spelling
	for header, field := range s.e.Description.Headers {
		if v := s.e.Description.HeaderDefaults[header]; v != s.at[field] {
			out = append(out, spelling{because: "the default of the header " + header, name: s.id, set: map[string]string{field: v}, says: saysManaged})
		}
	}
	return out
}

// begin creates the second object.
func (s *second) begin(n int, sp spelling, policies xpv2.ManagementPolicies) {
	s.t.Helper()
	u, err := runtime.DefaultUnstructuredConverter.ToUnstructured(s.own)
	must(s.t, err)
	names := kind.Names(s.own.GetForProvider())
	for path, v := range sp.set {
		must(s.t, unstructured.SetNestedField(u, v, append([]string{"spec", "forProvider"}, strings.Split(names[path], ".")...)...))
	}
	for _, path := range sp.unset {
		unstructured.RemoveNestedField(u, append([]string{"spec", "forProvider"}, strings.Split(names[path], ".")...)...)
	}
	for _, field := range []string{"status", "metadata"} {
		delete(u, field)
	}
	mg := s.e.New()
	must(s.t, runtime.DefaultUnstructuredConverter.FromUnstructured(u, mg))
	mg.GetObjectKind().SetGroupVersionKind(s.e.GVK)
	mg.SetNamespace(otherNamespace)
	mg.SetName(fmt.Sprint("second-", n))
	mg.SetUID(types.UID(mg.GetName()))
	mg.SetGeneration(1)
	mg.SetManagementPolicies(policies)
	if sp.name != "" {
		meta.SetExternalName(mg, sp.name)
	}
	must(s.t, s.server.Create(s.t.Context(), mg))
	s.key = client.ObjectKeyFromObject(mg)
}

// deleteForged deletes the second object after it got a finalizer and an external name, as if it had the resource.
func (s *second) deleteForged() {
	s.t.Helper()
	mg := s.read(s.kind, s.key)
	meta.AddFinalizer(mg, managed.FinalizerName)
	if meta.GetExternalName(mg) == "" {
		meta.SetExternalName(mg, s.id)
	}
	must(s.t, s.server.Update(s.t.Context(), mg))
	s.delete()
}

// TestTheSameResource checks, for each kind, that a second object is refused and changes nothing, also with its
// deletion, whichever name it has for the resource of the first one.
func TestTheSameResource(t *testing.T) {
	t.Parallel()
	for _, e := range roster() {
		t.Run(e.GVK.Kind, func(t *testing.T) {
			t.Parallel()
			s := newSecond(t, e)
			owner, n := s.key, 0
			for _, sp := range s.spellings() {
				for _, policies := range []xpv2.ManagementPolicies{{xpv2.ManagementActionAll}, {xpv2.ManagementActionObserve, xpv2.ManagementActionDelete}} {
					n++
					s.refuses(n, sp, policies)
				}
			}
			s.key, s.takes = owner, nil
			s.reconcileWithoutWrites()
			if said := s.read(s.kind, s.key).GetCondition(xpv2.TypeSynced); said.Status != corev1.ConditionTrue {
				t.Errorf("the first object says %v", said)
			}
		})
	}
}

// refuses fails the test if the second object is not refused, or changes anything.
func (s *second) refuses(n int, sp spelling, policies xpv2.ManagementPolicies) {
	s.t.Helper()
	s.inner[s.kind] = s.reconciler(s.e) // Calls that failed for the object before delay none of this one.
	s.takes = sp.takes
	s.begin(n, sp, policies)
	for range 2 {
		s.reconcileWithoutWrites()
	}
	if said := s.read(s.kind, s.key).GetCondition(xpv2.TypeSynced); said.Status != corev1.ConditionFalse || !strings.Contains(said.Message, sp.says) {
		s.t.Errorf("%s, %v: the second object says %q, want %q", sp.because, policies, said.Message, sp.says)
	}
	s.deleteForged()
	for range 2 {
		s.reconcileWithoutWrites()
	}
	if mg := s.read(s.kind, s.key); mg != nil {
		mg.SetFinalizers(nil)
		must(s.t, s.server.Update(s.t.Context(), mg))
	}
}
