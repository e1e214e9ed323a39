// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package kinds

import (
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/crossplane/crossplane-runtime/v2/pkg/meta"
	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/ptr"
	"sigs.k8s.io/controller-runtime/pkg/client"

	rulesetv1alpha1 "github.com/provider-cloudflare/provider-cloudflare/apis/ruleset/v1alpha1"
	tunnelv1alpha1 "github.com/provider-cloudflare/provider-cloudflare/apis/tunnel/v1alpha1"
	"github.com/provider-cloudflare/provider-cloudflare/internal/kind"
	"github.com/provider-cloudflare/provider-cloudflare/internal/kinds/ruleset"
	"github.com/provider-cloudflare/provider-cloudflare/internal/kinds/tunnel"
	"github.com/provider-cloudflare/provider-cloudflare/test/harness"
	"github.com/provider-cloudflare/provider-cloudflare/test/simulator"
)

// document returns the answer of the API about the document that contains the fragment of
// the example.
func (w *world) document() kind.Document {
	w.T.Helper()
	op, _ := kind.ParseOperation(w.d.Read)
	path, err := op.Expand(w.params())
	if err != nil {
		w.T.Fatal(err)
	}
	doc, err := w.call(http.MethodGet, path, nil)
	if err != nil {
		return nil // The document does not exist yet.
	}
	return parsed(doc)
}

// shelf returns the path at which the simulator stores the document of a fragment.
func (w *world) shelf() string {
	w.T.Helper()
	op, _ := kind.ParseOperation(w.d.Read)
	path, err := op.Expand(w.params())
	if err != nil {
		w.T.Fatal(err)
	}
	if phases, _, ok := strings.Cut(path, "/phases/"); ok {
		return phases + "/" + kind.Text(w.document(), "id")
	}
	return path
}

// editStored changes the stored resource of that ID without the rules of the API. If f is
// nil, it removes the resource.
func (w *world) editStored(id string, f func(doc map[string]any)) {
	w.T.Helper()
	var err error
	switch {
	case w.d.Bulk != "" && f == nil:
		err = w.operate(http.MethodDelete, map[string]any{"items": []any{map[string]any{"id": w.listed(id)}}})
	case w.d.Shape == kind.Fragment && w.d.Bulk == "":
		err = w.sim.EditResource(w.shelf(), func(doc map[string]any) { w.editElement(doc, id, f) })
	case f == nil:
		err = w.sim.DeleteResource(w.item(id))
	default:
		err = w.sim.EditResource(w.item(id), f)
	}
	if err != nil {
		w.T.Fatal(err)
	}
}

// listed returns the ID of the fragment of that key in a collection that lists fragments one
// by one.
func (w *world) listed(key string) string {
	for _, doc := range w.sim.Resources(w.collection()) {
		if w.d.FragmentKey(parsed(doc)) == key {
			return kind.Text(doc, w.d.IDPath())
		}
	}
	return "none"
}

// operate starts an operation of another client when no other operation is under way.
func (w *world) operate(method string, body any) error {
	w.T.Helper()
	var err error
	w.Eventually(func() error {
		_, err = w.call(method, w.collection(), body)
		if err != nil && strings.Contains(err.Error(), "still under way") {
			return err
		}
		return nil
	})
	return err
}

func (w *world) editElement(doc map[string]any, id string, f func(doc map[string]any)) {
	path := strings.TrimSuffix(w.d.Part, "[]")
	v, _ := kind.At(doc, path)
	list, _ := v.([]any)
	var out []any
	for _, e := range list {
		element, ok := e.(map[string]any)
		if !ok || w.d.FragmentKey(parsed(element)) != id {
			out = append(out, e)
			continue
		}
		if f != nil {
			f(element)
			out = append(out, element)
		}
	}
	kind.Put(doc, path, out)
}

// element returns a fragment in the document. It returns nil if the document does not have
// it.
func (w *world) element(doc kind.Document, id string) kind.Document {
	for _, e := range w.d.Elements(doc) {
		if w.d.FragmentKey(e) == id {
			return e
		}
	}
	return nil
}

// TestTeamsShareAPhase has rules of two teams and a foreign rule in one phase of a zone.
// None of them moves or changes another one. A foreign edit of a managed rule is reverted.
// The deletion of the last managed rule leaves the phase as it was before.
func TestTeamsShareAPhase(t *testing.T) {
	inParallel(t, func(t *testing.T) {
		w := newWorld(t, ruleset.RulesetRule())
		w.prepare()
		first, ok := w.example.(*rulesetv1alpha1.RulesetRule)
		if !ok {
			t.Fatalf("the example is %T", w.example)
		}
		w.Create(first)
		w.Settled(first)
		foreign := map[string]any{"description": "theirs", "expression": "ip.src eq 192.0.2.7", "action": "log", "x_future": map[string]any{"a": "b"}}
		entry := fmt.Sprintf("/zones/%s/rulesets", *first.Spec.ForProvider.ZoneID)
		before := w.document()
		if _, err := w.sim.PostResource(entry+"/"+kind.Text(before, "id")+"/rules", foreign); err != nil {
			t.Fatal(err)
		}
		second := first.DeepCopy()
		second.SetName("second")
		second.SetUID("")
		second.SetResourceVersion("")
		second.SetAnnotations(nil)
		second.SetFinalizers(nil)
		second.Spec.ForProvider.Expression = ptr.To(`http.host eq "b.example.com"`)
		w.Create(second)
		w.Settled(second)

		rules := w.d.Elements(w.document())
		if len(rules) != 3 || kind.Text(rules[0], "ref") != meta.GetExternalName(first) || kind.Text(rules[2], "ref") != meta.GetExternalName(second) {
			t.Fatalf("the phase has %v", rules)
		}
		theirs := kind.Hash(rules[1])
		harness.Edit(w.Objects, first, func(r *rulesetv1alpha1.RulesetRule) { r.Spec.ForProvider.Action = ptr.To("managed_challenge") })
		w.Settled(first)
		if got := kind.Text(w.d.Elements(w.document())[0], "action"); got != "managed_challenge" {
			t.Errorf("the action is %s after an edit", got)
		}
		if err := w.sim.EditResource(entry+"/"+kind.Text(before, "id"), func(doc map[string]any) {
			list, _ := doc["rules"].([]any)
			if rule, ok := list[2].(map[string]any); ok {
				rule["expression"] = "true"
			}
		}); err != nil {
			t.Fatal(err)
		}
		w.Eventually(func() error { return w.event(second, "DriftDetected", "expression") })
		w.Settled(second)
		w.Eventually(func() error {
			if got := kind.Text(w.d.Elements(w.document())[2], "expression"); got != *second.Spec.ForProvider.Expression {
				return fmt.Errorf("the expression is %q", got)
			}
			return nil
		})
		for _, mg := range []*rulesetv1alpha1.RulesetRule{first, second} {
			w.Delete(mg)
			w.Gone(mg, func() string { return harness.Conditions(mg) })
		}
		rules = w.d.Elements(w.document())
		if len(rules) != 1 || kind.Hash(rules[0]) != theirs {
			t.Errorf("the phase has %v, want the foreign rule as it was", rules)
		}
	})
}

// TestTeamsShareATunnel has the hostnames of many objects and a foreign one in one
// configuration. They are written in groups, in an order in which each rule can match. The
// last rule has no hostname.
func TestTeamsShareATunnel(t *testing.T) {
	inParallel(t, func(t *testing.T) {
		w := newWorld(t, tunnel.TunnelIngress())
		w.prepare()
		example, ok := w.example.(*tunnelv1alpha1.TunnelIngress)
		if !ok {
			t.Fatalf("the example is %T", w.example)
		}
		w.Create(example)
		w.Settled(example)
		config := fmt.Sprintf("/accounts/%s/cfd_tunnel/%s/configurations", w.account.ID, *example.Spec.ForProvider.TunnelID)
		doc := w.document()
		cfg, _ := doc["config"].(map[string]any)
		list, _ := cfg["ingress"].([]any)
		foreign := map[string]any{"hostname": "theirs.example.org", "service": "http://192.0.2.1:80", "originRequest": map[string]any{"noTLSVerify": true}}
		cfg["ingress"] = append([]any{foreign}, list...)
		if _, err := w.sim.PutResource(config, map[string]any{"config": cfg}); err != nil {
			t.Fatal(err)
		}

		const n = 20
		// Changes that arrive during a call are written together.
		w.sim.AddFault(simulator.Fault{Kind: simulator.FaultSlow, Method: http.MethodPut, Path: config, Token: w.token, Delay: time.Second, Times: -1})
		from := w.writes()
		var all []*tunnelv1alpha1.TunnelIngress
		for i := range n {
			o := example.DeepCopy()
			o.SetName(fmt.Sprintf("app-%d", i))
			o.SetUID("")
			o.SetResourceVersion("")
			o.SetAnnotations(nil)
			o.SetFinalizers(nil)
			o.Spec.ForProvider.Hostname = ptr.To(fmt.Sprintf("app-%d.example.org", i))
			if i == 0 {
				o.Spec.ForProvider.Hostname = ptr.To("*.example.org")
			}
			w.Create(o)
			all = append(all, o)
		}
		for _, o := range all {
			w.Settled(o)
		}
		if got := w.writes() - from; got > n/2 {
			t.Errorf("%d fragments took %d writes", n, got)
		}
		elements := w.d.Elements(w.document())
		if len(elements) != n+3 || kind.Text(elements[0], "hostname") != "theirs.example.org" || kind.Text(elements[len(elements)-1], "hostname") != "" {
			t.Fatalf("the configuration has %d rules: %v", len(elements), elements)
		}
		for i, e := range elements {
			if strings.HasPrefix(kind.Text(e, "hostname"), "*") && i != len(elements)-2 {
				t.Errorf("the wildcard is rule %d of %d: it hides those after it", i, len(elements))
			}
		}

		// A second object for one hostname is refused, and its condition names the first
		// object.
		twin := all[1].DeepCopy()
		twin.SetName("twin")
		twin.SetUID("")
		twin.SetResourceVersion("")
		twin.SetAnnotations(nil)
		twin.SetFinalizers(nil)
		w.Create(twin)
		w.Says(twin, xpv2.TypeSynced, all[1].GetName())

		for _, o := range append(all, example, twin) {
			w.Delete(o)
		}
		for _, o := range append(all, example, twin) {
			w.Gone(o, func() string { return harness.Conditions(o) })
		}
		elements = w.d.Elements(w.document())
		if len(elements) != 2 || kind.Hash(elements[0]) != kind.Hash(parsed(foreign)) || kind.Text(elements[1], "service") != "http_status:404" {
			t.Errorf("the configuration has %v, want the foreign rule as it was and the last one", elements)
		}
	})
}

// later waits until an object that is created now is younger than o.
func (w *world) later(o client.Object) {
	w.T.Helper()
	w.Eventually(func() error {
		if now := metav1.Now().Truncate(time.Second); !now.After(o.GetCreationTimestamp().Time) {
			return errors.New("the times of objects are whole seconds, and this one is not over")
		}
		return nil
	})
}

// TestOneOwnerOfAConfiguration has one object declare the whole configuration of a tunnel,
// and another one declare a rule in it. The object that was there first works on the
// configuration. The other one reports this, and its deletion leaves no trace.
func TestOneOwnerOfAConfiguration(t *testing.T) {
	inParallel(t, func(t *testing.T) {
		w := newWorld(t, tunnel.TunnelIngress())
		first, ok := w.apply().(*tunnelv1alpha1.TunnelIngress)
		if !ok {
			t.Fatalf("the example is %T", w.example)
		}
		before := kind.Hash(w.document())
		whole := &tunnelv1alpha1.TunnelConfiguration{ObjectMeta: metav1.ObjectMeta{Namespace: w.ns, Name: "whole"}}
		whole.Spec.ProviderConfigReference = first.Spec.ProviderConfigReference
		whole.Spec.ForProvider.TunnelID = first.Spec.ForProvider.TunnelID
		whole.Spec.ForProvider.Config = &tunnelv1alpha1.TunnelConfigurationConfig{
			Ingress: []tunnelv1alpha1.TunnelConfigurationConfigIngress{{Service: ptr.To("http_status:404")}},
		}
		w.later(first)
		w.Create(whole)
		w.Says(whole, xpv2.TypeSynced, first.GetName()+" works on the same document")
		w.Delete(whole)
		w.Gone(whole, func() string { return harness.Conditions(whole) })
		if got := kind.Hash(w.document()); got != before {
			t.Errorf("the configuration is %v, want it as it was", w.document())
		}
	})
}
