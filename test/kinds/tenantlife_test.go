// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package kinds

import (
	"bytes"
	"encoding/json"
	"errors"
	"maps"
	"net/http"
	"slices"
	"strings"

	"github.com/crossplane/crossplane-runtime/v2/pkg/meta"
	"github.com/crossplane/crossplane-runtime/v2/pkg/resource"
	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/controller-runtime/pkg/client"

	cfv1alpha1 "github.com/provider-cloudflare/provider-cloudflare/apis/v1alpha1"
	"github.com/provider-cloudflare/provider-cloudflare/internal/controller/described"
	"github.com/provider-cloudflare/provider-cloudflare/internal/kind"
	"github.com/provider-cloudflare/provider-cloudflare/test/harness"
	"github.com/provider-cloudflare/provider-cloudflare/test/simulator"
)

// notes are what the provider has written outside of the spec of two objects of a kind in their normal life.
type notes struct {
	// moments are all annotations of an object, at each change of them.
	moments []map[string]string
	// values are all values of an annotation, by its key.
	values map[string][]string
	// labels and finalizers are those of all moments.
	labels     map[string]string
	finalizers []string
	// status is the last status of the object of B.
	status any
	// names are the external names of all objects of B.
	names []string
}

// isNote reports whether an annotation is one of the provider.
func isNote(key string) bool { return strings.Contains(key, "cloudflare.m.crossplane.io/") }

// rehearsal is the name of the object that lives its whole life before that of B is created.
const rehearsal = "rehearsal"

// observer is the prefix of the names of the objects that observe the resources of these two.
const observer = "observer"

// learn collects what the provider has written outside of the spec of the object of B and of the rehearsal. In the
// notes of the latter, its resource is replaced by that of B.
func (x *tenants) learn(n *notes) {
	x.T.Helper()
	n.values, n.labels = map[string][]string{}, map[string]string{}
	inB := []byte(`"namespace":"` + x.ns + `"`)
	x.bubble.API.History(func(_ string, raw []byte) {
		if !bytes.Contains(raw, inB) {
			return
		}
		u := &unstructured.Unstructured{}
		if err := json.Unmarshal(raw, &u.Object); err != nil {
			x.T.Fatal(err)
		}
		if name := meta.GetExternalName(u); name != "" && !slices.Contains(n.names, name) {
			n.names = append(n.names, name)
		}
		if u.GetKind() == x.d.Name && u.GetNamespace() == x.ns && !slices.ContainsFunc(x.before, func(o client.Object) bool { return o.GetName() == u.GetName() }) {
			n.see(u, strings.NewReplacer(x.rehearsed, x.id, rehearsal, x.object.GetName()))
		}
	})
}

// see records the notes of an object at a moment.
func (n *notes) see(u *unstructured.Unstructured, theirs *strings.Replacer) {
	now := map[string]string{}
	for key, v := range u.GetAnnotations() {
		now[key] = theirs.Replace(v)
		if !slices.Contains(n.values[key], now[key]) {
			n.values[key] = append(n.values[key], now[key])
		}
	}
	if !slices.ContainsFunc(n.moments, func(m map[string]string) bool { return maps.Equal(m, now) }) {
		n.moments = append(n.moments, now)
	}
	maps.Copy(n.labels, u.GetLabels())
	for _, f := range u.GetFinalizers() {
		if !slices.Contains(n.finalizers, f) {
			n.finalizers = append(n.finalizers, f)
		}
	}
	n.status = u.Object["status"]
}

// rehearses leads an object of B through a whole life. The answer to its creation is lost, and its deletion is refused
// at first.
func (x *tenants) rehearses() {
	x.T.Helper()
	u := x.manifestOfB()
	fresh(u, x.ns, rehearsal)
	x.it.rehearse(u)
	x.lives(u)
	x.rehearsed = meta.GetExternalName(x.object)
	x.waitsFor()
	fault := x.sim.AddFault(simulator.Fault{Kind: simulator.FaultHTML502, Method: http.MethodDelete, Token: x.token})
	x.Delete(x.object)
	x.Gone(x.object, func() string { return harness.Conditions(x.object) })
	x.sim.RemoveFault(fault)
}

// lives creates an object and loses the answer to its creation. Then another client changes the resource, the owner
// edits the object, and a second object observes the resource.
func (x *tenants) lives(u *unstructured.Unstructured) {
	x.T.Helper()
	mg, ok := x.typed(u).(resource.Managed)
	if !ok {
		x.T.Fatalf("%s is not managed", u.GetKind())
	}
	x.object = mg
	if d, ok := mg.(described.Object); ok {
		x.example = d
	}
	method, path := x.it.creation()
	lost := 0
	if _, excused := x.d.Excused["LostAnswer"]; !excused {
		lost = x.sim.AddFault(simulator.Fault{Kind: simulator.FaultResetAfter, Method: method, Path: path, Token: x.token})
	}
	x.Create(mg)
	x.it.begun()
	x.Settled(mg)
	if there := x.d.Make != nil && mg.GetName() != rehearsal; lost != 0 && !there && x.sim.Fired(lost) == 0 {
		x.T.Errorf("the answer to %s %s was not lost", method, path)
	}
	x.sim.RemoveFault(lost) // A document that exists is not created again.
	x.it.drifts()
	x.during(2 * interval)
	x.Settled(mg)
	x.it.edits()
	x.Settled(mg)
	looks := x.untyped(mg)
	fresh(looks, x.ns, observer+"-"+mg.GetName())
	x.set(looks, []any{string(xpv2.ManagementActionObserve)}, "managementPolicies")
	x.setName(looks, meta.GetExternalName(mg))
	x.Objects.Create(looks)
	x.during(2 * interval)
	x.Delete(looks)
	x.Gone(looks, func() string { return "" })
	x.Settled(mg)
}

// fresh turns the manifest of an existing object into that of another one.
func fresh(u *unstructured.Unstructured, namespace, name string) {
	delete(u.Object, "status")
	delete(u.Object, "metadata")
	u.SetNamespace(namespace)
	u.SetName(name)
	if _, has, _ := unstructured.NestedMap(u.Object, "spec", "writeConnectionSecretToRef"); has {
		_ = unstructured.SetNestedField(u.Object, name, "spec", "writeConnectionSecretToRef", "name")
	}
}

// manifestOfB returns the example of the kind, with the shared credential.
func (x *tenants) manifestOfB() *unstructured.Unstructured {
	x.T.Helper()
	u := x.manifest.DeepCopy()
	x.set(u, map[string]any{"kind": cfv1alpha1.ClusterProviderConfigKind, "name": sharedConfig}, "providerConfigRef")
	x.it.prepared(u)
	return u
}

// set sets a member of the spec of an object.
func (x *tenants) set(u *unstructured.Unstructured, v any, at ...string) {
	x.T.Helper()
	if err := unstructured.SetNestedField(u.Object, v, append([]string{"spec"}, at...)...); err != nil {
		x.T.Fatal(err)
	}
}

func (x *tenants) setName(o client.Object, name string) { meta.SetExternalName(o, name) }

// withoutReferences returns the spec of the object of B without references. It has the IDs that they resolve to.
func (x *tenants) withoutReferences() map[string]any {
	x.T.Helper()
	u := x.untyped(x.object)
	spec, _ := u.Object["spec"].(map[string]any)
	params, _ := spec["forProvider"].(map[string]any)
	if err := unreferred(params); err != nil {
		x.T.Fatal(err)
	}
	return spec
}

var (
	errNoZone     = errors.New("there is no zone")
	errUnresolved = errors.New("a reference has no value beside it")
)

// unreferred removes references to objects. References to a key of a Secret or ConfigMap stay.
func unreferred(in any) error {
	switch v := in.(type) {
	case []any:
		for _, e := range v {
			if err := unreferred(e); err != nil {
				return err
			}
		}
	case map[string]any:
		for name, member := range v {
			if err := unreferred(member); err != nil {
				return err
			}
			if field, ok := leadsFrom(name, member); ok {
				if v[field] == nil {
					return errors.Join(errUnresolved, errors.New(name))
				}
				delete(v, name)
			}
		}
	}
	return nil
}

// leadsFrom returns the field whose value a member of a spec refers to. It returns false if the member is not a
// reference to an object.
func leadsFrom(name string, member any) (string, bool) {
	ref, _ := member.(map[string]any)
	field, one := strings.CutSuffix(name, "Ref")
	switch {
	case one && ref["name"] != nil && ref["key"] == nil:
		return field, true
	case strings.HasSuffix(name, "Refs"):
		return strings.TrimSuffix(name, "Refs") + "s", true
	}
	field, selects := strings.CutSuffix(name, "Selector")
	return field, selects && ref["matchLabels"] != nil
}

// subjectOf returns the subject of a kind.
func subjectOf(x *tenants) subject {
	switch x.d.Name {
	case "Record":
		x.readManifest()
		return recordSubject(x)
	case "Zone":
		x.readManifest()
		return zoneSubject(x)
	}
	x.readExample()
	return describedSubject(x)
}

// readManifest reads the example of a kind that is not described.
func (x *tenants) readManifest() {
	x.T.Helper()
	all, err := examples(x.zone.Name, x.ns).Of(x.d.Name)
	if err != nil {
		x.T.Fatal(err)
	}
	for _, o := range all {
		if o.GetKind() == x.d.Name {
			x.manifest = o
			continue
		}
		x.before = append(x.before, x.typed(o))
	}
}

func unchanged(*unstructured.Unstructured) {}

func describedSubject(x *tenants) subject {
	one := func() *leaf {
		_, excused := x.d.Excused["FieldUpdated"]
		if all := x.updatable(); !excused && len(all) > 0 {
			return &all[0]
		}
		return nil
	}
	return subject{
		prepared: unchanged, rehearse: unchanged, begun: func() {},
		live: func(id string) any { return x.answer(id) },
		at: func(id string) string {
			if x.d.Shape == kind.Fragment {
				return ""
			}
			return x.item(id)
		},
		shares: func(at string) bool {
			l := &life{world: x.world, d: x.d}
			return at != x.it.at(x.id) && l.ours(at)
		},
		creation: func() (string, string) { return x.creates(), x.created() },
		drifts: func() {
			if _, excused := x.d.Excused["ForeignChangeReverted"]; excused {
				return
			}
			id, leaves := meta.GetExternalName(x.object), x.leaves()
			if len(leaves) == 0 {
				return
			}
			x.tamper(id, leaves[0])
			x.Eventually(func() error { return x.asDeclared(id) })
		},
		edits: func() { x.edits() },
		other: func(u *unstructured.Unstructured) bool {
			l := one()
			if l == nil {
				return false
			}
			name := kind.Difference{Path: l.path}.Name(kind.Names(x.example.GetForProvider()))
			change(u.Object, "spec.forProvider."+name, func(v any) any { return other(v, x.schemaOf(l.general)) })
			return true
		},
	}
}

func recordSubject(x *tenants) subject {
	collection := "/zones/" + x.zone.ID + "/dns_records"
	return subject{
		prepared: unchanged, rehearse: unchanged, begun: func() {},
		live: func(id string) any {
			r, _ := x.sim.Record(x.zone.ID, id)
			return r
		},
		at:       func(id string) string { return collection + "/" + id },
		shares:   func(string) bool { return false },
		creation: func() (string, string) { return http.MethodPost, collection },
		drifts: func() {
			if _, err := x.sim.PatchRecord(x.zone.ID, meta.GetExternalName(x.object), map[string]any{"content": "192.0.2.99"}); err != nil {
				x.T.Fatal(err)
			}
		},
		edits: func() {
			u := x.untyped(x.object)
			harness.Edit(x.Objects, u, func(u *unstructured.Unstructured) { x.set(u, int64(600), "forProvider", "ttl") })
		},
		other: func(u *unstructured.Unstructured) bool {
			x.set(u, "203.0.113.66", "forProvider", "content")
			return true
		},
	}
}

// zoneSubject is about a zone that the object creates. The zone of the rehearsal is another one, and is deleted with
// its object.
func zoneSubject(x *tenants) subject {
	paused := func(u *unstructured.Unstructured, is bool) { x.set(u, is, "forProvider", "paused") }
	return subject{
		prepared: func(u *unstructured.Unstructured) {
			x.set(u, "owned-"+x.zone.Name, "forProvider", "name")
			paused(u, false)
		},
		rehearse: func(u *unstructured.Unstructured) {
			x.set(u, string(xpv2.DeletionDelete), "deletionPolicy")
		},
		live: func(id string) any {
			for _, z := range x.sim.Zones() {
				if z.ID == id {
					return z
				}
			}
			return nil
		},
		begun: func() { // The owner sets the name servers at the registrar.
			x.Eventually(func() error {
				for _, z := range x.sim.Zones() {
					if z.Name == "owned-"+x.zone.Name {
						return x.sim.ActivateZone(z.ID)
					}
				}
				return errNoZone
			})
		},
		at:       func(id string) string { return "/zones/" + id },
		shares:   func(string) bool { return false },
		creation: func() (string, string) { return http.MethodPost, "/zones" },
		drifts: func() {
			if _, err := x.call(http.MethodPatch, "/zones/"+meta.GetExternalName(x.object), map[string]any{"paused": true}); err != nil {
				x.T.Fatal(err)
			}
		},
		edits: func() {},
		other: func(u *unstructured.Unstructured) bool {
			paused(u, true)
			return true
		},
	}
}
