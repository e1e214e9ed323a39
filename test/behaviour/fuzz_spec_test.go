// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package behaviour

import (
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/crossplane/crossplane-runtime/v2/pkg/meta"
	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"
	corev1 "k8s.io/api/core/v1"
	kerrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/controller-runtime/pkg/client"

	zonev1alpha1 "github.com/provider-cloudflare/provider-cloudflare/apis/zone/v1alpha1"
	"github.com/provider-cloudflare/provider-cloudflare/test/leak"
	"github.com/provider-cloudflare/provider-cloudflare/test/simulator"
)

const (
	// batch is the number of objects that one input of a fuzz target makes.
	batch = 3
	// mostCalls and mostRequests limit the calls to Cloudflare and the API server for
	// an object until it has a condition. A loop would exceed them.
	mostCalls, mostRequests = 40, 40
)

// bytesSource uses one byte of the fuzzer for each decision, and random numbers after
// the last byte.
type bytesSource struct {
	bytes []byte
	then  rand.Source
}

func newBytesSource(raw []byte) *bytesSource {
	h := fnv.New64a()
	_, _ = h.Write(raw) // It does not fail.
	return &bytesSource{raw, rand.NewPCG(h.Sum64(), 0)}
}

// Uint64 implements rand.Source.
func (s *bytesSource) Uint64() uint64 {
	if len(s.bytes) == 0 {
		return s.then.Uint64()
	}
	b := s.bytes[0]
	s.bytes = s.bytes[1:]
	return uint64(b) * 0x0101010101010101
}

// FuzzRecordSpec sends Records of any shape through the validation of the API server
// to the provider. Its seeds run with every test.
func FuzzRecordSpec(f *testing.F) {
	fuzzSpecs(f, func(g *specs) *unstructured.Unstructured { return g.record() })
}

// FuzzZoneSpec does the same with Zones.
func FuzzZoneSpec(f *testing.F) {
	fuzzSpecs(f, func(g *specs) *unstructured.Unstructured { return g.zoneSpec() })
}

// FuzzProviderConfigSpec does the same with ProviderConfigs.
func FuzzProviderConfigSpec(f *testing.F) {
	fuzzSpecs(f, func(g *specs) *unstructured.Unstructured { return g.config() })
}

// fuzzSpecs makes objects from the bytes of an input. Each is refused with an error
// about its fault, or gets a condition. Meanwhile nothing panics, nothing loops, no
// foreign zone or record is changed, no undeclared value is written to Cloudflare, and
// no secret is shown. Then all objects are deleted.
func fuzzSpecs(f *testing.F, next func(*specs) *unstructured.Unstructured) {
	f.Helper()
	for _, seed := range []string{"", "\x00\x40\x80\xc0", "a record, a zone, a config", strings.Repeat("\xff\x01", 40)} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		onReal(t)
		w := newWorld(t)
		g := &specs{world: w, rng: rand.New(newBytesSource(raw))}
		g.other = w.sim.AddToken(simulator.TokenOptions{Grants: []simulator.Grant{{Account: w.account.ID, Permission: simulator.ZoneRead}}})
		foreign := w.dashboard(map[string]any{"type": "A", "name": "foreign", "content": "203.0.113.7", "ttl": 300})
		others, err := w.sim.AddZone(w.account.ID, "others-"+w.ns+".example", simulator.ZoneOptions{})
		if err != nil {
			t.Fatal(err)
		}
		before := len(w.logs.all())
		var accepted []*unstructured.Unstructured
		for range batch {
			if o := next(g); g.sent(o) {
				accepted = append(accepted, o)
			}
		}
		for _, o := range accepted {
			w.saysSomething(o)
		}
		g.writesWhatSpecsSay(accepted)
		if now, ok := w.sim.Record(w.zone.ID, foreign.ID); !ok || now.Content != foreign.Content || now.TTL != foreign.TTL || now.Name != foreign.Name {
			t.Errorf("a foreign record became %+v (%t)", now, ok)
		}
		if z, ok := w.simZone(others.Name); !ok || z.Paused || z.ID != others.ID {
			t.Errorf("a foreign zone became %+v (%t)", z, ok)
		}
		g.costsLittle(len(accepted))
		g.showsNoSecret(before, accepted)
		g.allGo(accepted)
		g.nothingPanicked(before)
	})
}

// writesWhatSpecsSay compares the records and zones at Cloudflare with what the
// objects declare.
func (g *specs) writesWhatSpecsSay(accepted []*unstructured.Unstructured) {
	g.t.Helper()
	if len(accepted) == 0 || accepted[0].GetKind() == "ProviderConfig" {
		if n := g.writes(); n > 0 {
			g.t.Errorf("%d writes to Cloudflare of nothing that is managed", n)
		}
		return
	}
	mayWrite := false
	for _, o := range accepted {
		mayWrite = mayWrite || g.may(o, "Create") || g.may(o, "Update")
	}
	if n := g.writes(); n > 0 && !mayWrite {
		g.t.Errorf("%d writes to Cloudflare, and nobody may write: %v", n, accepted)
	}
	g.eventually(func() error { // A creation may be under way.
		for _, live := range g.sim.Records(g.zone.ID) {
			if live.Name != "foreign."+g.zone.Name && !slices.ContainsFunc(accepted, func(o *unstructured.Unstructured) bool { return g.declares(o, live) }) {
				return fmt.Errorf("no spec says %+v", live)
			}
		}
		return nil
	})
	for _, z := range g.sim.Zones() {
		if z.AccountID == g.account.ID && z.ID != g.zone.ID && !strings.HasPrefix(z.Name, "others-") &&
			!slices.ContainsFunc(accepted, func(o *unstructured.Unstructured) bool { return g.declaresZone(o, z) }) {
			g.t.Errorf("no spec says the zone %+v", z)
		}
	}
}

// may reports whether the management policies of an object allow an action.
func (g *specs) may(o *unstructured.Unstructured, action string) bool {
	policies, there, _ := unstructured.NestedStringSlice(o.Object, "spec", "managementPolicies")
	return !there || slices.Contains(policies, "*") || slices.Contains(policies, action)
}

// declares reports whether an object declares a live record: by its ID, or by its type
// and name.
func (g *specs) declares(o *unstructured.Unstructured, live simulator.Record) bool {
	if err := g.get(o); err != nil {
		return false
	}
	text := func(field string) string {
		v, _, _ := unstructured.NestedString(o.Object, "spec", "forProvider", field)
		return v
	}
	name := strings.ToLower(text("name"))
	return o.GetAnnotations()[meta.AnnotationKeyExternalName] == live.ID && text("type") == live.Type &&
		(!plainName.MatchString(name) || strings.HasPrefix(live.Name, name))
}

// plainName matches a name that Cloudflare does not write in another form.
var plainName = regexp.MustCompile(`^[a-z0-9.-]*[a-z0-9]$`)

// declaresZone reports whether an object declares a zone of that name.
func (g *specs) declaresZone(o *unstructured.Unstructured, z simulator.Zone) bool {
	name, _, _ := unstructured.NestedString(o.Object, "spec", "forProvider", "name")
	name = strings.TrimSuffix(strings.ToLower(name), ".")
	return g.may(o, "Create") && (name == z.Name || !plainName.MatchString(name))
}

// costsLittle limits the calls to Cloudflare and the writes to the API server.
func (g *specs) costsLittle(objects int) {
	g.t.Helper()
	calls := len(otherThanLists(g.calls(0)))
	if most := mostCalls * (objects + 1); calls > most {
		g.t.Errorf("%d objects cost %d calls to Cloudflare, want %d at most: something loops", objects, calls, most)
	}
	requests := g.traffic.requests(g.ns, func(r request) bool { return r.method != http.MethodGet && r.resource != "events" })
	if most := mostRequests * (objects + 1); len(requests) > most {
		g.t.Errorf("%d objects cost %d writes to the API server, want %d at most: something loops", objects, len(requests), most)
	}
}

// allGo deletes the objects. Each has to be gone, or report why not.
func (g *specs) allGo(accepted []*unstructured.Unstructured) {
	g.t.Helper()
	for _, o := range accepted {
		if err := client.IgnoreNotFound(g.kube.Delete(g.t.Context(), o)); err != nil {
			g.t.Fatal(err)
		}
	}
	for _, o := range accepted {
		g.eventually(func() error {
			err := g.get(o)
			if kerrors.IsNotFound(err) {
				return nil
			}
			if err != nil {
				return err
			}
			conditions, _, _ := unstructured.NestedSlice(o.Object, "status", "conditions")
			for _, c := range conditions {
				m, _ := c.(map[string]any)
				text, _ := m["message"].(string)
				if m["status"] != string(corev1.ConditionTrue) && (text != "" || m["reason"] == string(xpv2.ReasonReconcilePaused)) {
					return nil
				}
			}
			return fmt.Errorf("%s %s stays and does not say why: %.2000v", o.GetKind(), o.GetName(), o.Object)
		})
	}
}

// nothingPanicked searches the log for panics, from a line on.
func (g *specs) nothingPanicked(from int) {
	g.t.Helper()
	for _, line := range g.logs.all()[from:] {
		if strings.Contains(strings.ToLower(line), "panic") && !strings.Contains(line, onPurpose) {
			g.t.Errorf("something panicked: %.2000s", line)
		}
	}
}

// showsNoSecret searches the log from a line on, the objects and the events for the
// values in the Secrets of the namespace.
func (g *specs) showsNoSecret(from int, accepted []*unstructured.Unstructured) {
	g.t.Helper()
	held, events := &corev1.SecretList{}, &corev1.EventList{}
	for _, l := range []client.ObjectList{held, events} {
		if err := g.kube.List(g.t.Context(), l, client.InNamespace(g.ns)); err != nil {
			g.t.Fatal(err)
		}
	}
	secrets, out := &leak.Secrets{}, &leak.Record{}
	for _, s := range held.Items {
		for _, v := range s.Data {
			secrets.AddCredential(string(v))
		}
	}
	for _, line := range g.logs.all()[from:] {
		out.Keep("log", line)
	}
	for _, o := range accepted {
		status, _, _ := unstructured.NestedMap(o.Object, "status")
		out.Keep(o.GetKind(), fmt.Sprint(status, o.GetAnnotations()))
	}
	for _, e := range events.Items {
		out.Keep("event", e.Message)
	}
	for _, f := range out.Search(secrets) {
		g.t.Error(f)
	}
}

// zoneSpec returns a Zone.
func (g *specs) zoneSpec() *unstructured.Unstructured {
	p := map[string]any{"name": fmt.Sprintf("new-%d-%s.example", g.n, g.ns)}
	for range g.rng.IntN(4) {
		k := pick(g, "name", "accountId", "type", "paused", "vanityNameServers", "unknown")
		if g.rng.IntN(5) == 0 {
			p[k] = g.anything(k)
			continue
		}
		p[k] = g.anythingOfZone(k)
	}
	spec := map[string]any{"forProvider": p, "providerConfigRef": map[string]any{"kind": "ProviderConfig", "name": "default"}}
	for range g.rng.IntN(2) {
		k := pick(g, "managementPolicies", "deletionPolicy", "adoptionPolicy", "providerConfigRef", "writeConnectionSecretToRef")
		spec[k] = g.anything(k)
	}
	o := g.object(zonev1alpha1.ZoneKind, spec)
	o.SetAPIVersion(zonev1alpha1.SchemeGroupVersion.String())
	if g.rng.IntN(6) == 0 {
		o.SetAnnotations(map[string]string{
			pick(g, meta.AnnotationKeyExternalName, zonev1alpha1.Group+"/pending-zone", meta.AnnotationKeyExternalCreatePending): g.text(),
		})
	}
	return o
}

// anythingOfZone returns a value for a member of a Zone.
func (g *specs) anythingOfZone(member string) any {
	switch member {
	case "name":
		return pick[any](g, g.zone.Name, strings.ToUpper(g.zone.Name), "sub."+g.zone.Name, g.zone.Name+".", g.text())
	case "accountId":
		return pick[any](g, g.account.ID, strings.Repeat("0", 32), "../zones", g.text())
	case "type":
		return pick[any](g, "full", "partial", "secondary", "internal", "FULL", g.text())
	case "paused":
		return g.rng.IntN(2) == 0
	case "vanityNameServers":
		return pick[any](g, []any{}, []any{"ns1." + g.zone.Name, "ns2." + g.zone.Name}, []any{g.text()}, g.many(11))
	}
	return g.text()
}
