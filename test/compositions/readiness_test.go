// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package compositions

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// TestUnreadyRecordIsReported checks that the composite resource shows a Record that fails.
func TestUnreadyRecordIsReported(t *testing.T) {
	t.Parallel()
	g := compositionCases()["Website"].given(t)
	g.observed = settled(t, mustRender(t, website, g))
	refuse(g.observed, "mx-2")
	r := mustRender(t, website, g)
	if got := condition(r.xr, "Ready"); got != "False Creating" || !strings.Contains(message(r.xr, "Ready"), "mx-2") {
		t.Errorf("Ready is %q (%s) with a Record that is refused, want it to name that", got, message(r.xr, "Ready"))
	}
	if got := message(r.xr, "RecordsReady"); got != "MX record of example.net: no such zone" {
		t.Errorf("RecordsReady says %q", got)
	}
	if got, _, _ := unstructured.NestedString(r.xr.Object, "status", "readyRecords"); got != "12/13" {
		t.Errorf("got %s records ready, want 12/13", got)
	}
	if !strings.Contains(r.text, "message: no such zone") {
		t.Errorf("what the provider says of the Record is not in the status:\n%s", r.text)
	}
}

// refuse marks a composed resource as one whose change Cloudflare refuses: it is still Ready, but
// not Synced.
func refuse(observed []*unstructured.Unstructured, name string) {
	for _, o := range observed {
		if o.GetAnnotations()["crossplane.io/composition-resource-name"] == name {
			o.Object["status"] = map[string]any{"conditions": []any{
				map[string]any{"type": "Ready", "status": "True", "reason": "Available", "lastTransitionTime": "2024-01-01T00:00:00Z"},
				map[string]any{"type": "Synced", "status": "False", "reason": "ReconcileError", "message": "no such zone", "lastTransitionTime": "2024-01-01T00:00:00Z"},
			}}
		}
	}
}

// TestMyAppIsNotReady checks that a MyApp is not Ready if its Record is refused.
func TestMyAppIsNotReady(t *testing.T) {
	t.Parallel()
	g := compositionCases()["MyApp"].given(t)
	settle(t, myapp, &g, mustRender(t, myapp, g))
	refuse(g.observed, "record")
	r := mustRender(t, myapp, g)
	if got := condition(r.xr, "Ready"); got != "False Creating" || !strings.Contains(message(r.xr, "Ready"), "record") {
		t.Errorf("Ready is %q (%s) with a Record that is refused, want it to name that", got, message(r.xr, "Ready"))
	}
}

// TestMyAppWaitsForItsRecord checks that a MyApp has no Ingress for a host until its Record is
// ready, and has one then. A user who may edit a MyApp may also write its status, so the status
// must not decide the host.
func TestMyAppWaitsForItsRecord(t *testing.T) {
	t.Parallel()
	g := compositionCases()["MyApp"].given(t)
	g.observed = settled(t, mustRender(t, myapp, g))
	refuse(g.observed, "record")
	for _, o := range g.observed {
		if o.GetKind() == "Record" { // A refused Record that another one precedes has this status.
			if err := unstructured.SetNestedField(o.Object, "hello.example.com", "status", "atProvider", "fqdn"); err != nil {
				t.Fatal(err)
			}
		}
	}
	if r := mustRender(t, myapp, forged(t, g)); r.composed["ingress"] != nil {
		t.Errorf("there is an Ingress with a Record that is refused, for what the status of the MyApp has: %s", text(r.composed["ingress"], "spec", "rules"))
	}
	r := mustRender(t, myapp, g)
	for range 2 {
		if r.composed["ingress"] != nil || text(r.xr, "status", "url") != "" || condition(r.xr, "Ready") != "False Creating" {
			t.Errorf("there is an Ingress (%t) with a Record that is refused, and the status has the URL %q", r.composed["ingress"] != nil, text(r.xr, "status", "url"))
		}
		g.xr = g.xr.DeepCopy()
		g.xr.Object["status"] = r.xr.Object["status"]
		r = mustRender(t, myapp, g)
	}
	r = settle(t, myapp, &g, r)
	if r.composed["ingress"] == nil || !strings.Contains(text(r.composed["ingress"], "spec", "rules"), "host:hello.example.com") {
		t.Errorf("there is no Ingress of the host with a Record that is ready: %v", r.composed["ingress"])
	}
	g.observed = settled(t, r)
	if rules := text(mustRender(t, myapp, forged(t, g)).composed["ingress"], "spec", "rules"); !strings.Contains(rules, "host:hello.example.com") {
		t.Errorf("the Ingress has the rules %s, for what the status of the MyApp has", rules)
	}
	for _, o := range g.observed {
		if o.GetKind() == "Record" {
			delete(o.Object, "status")
		}
	}
	delete(g.xr.Object, "status")
	r = mustRender(t, myapp, g)
	if r.composed["ingress"] == nil || !strings.Contains(text(r.composed["ingress"], "spec", "rules"), "host:hello.example.com") {
		t.Errorf("an Ingress loses its host with the status of the Record: %v", r.composed["ingress"])
	}
}

// forged returns g with the URL of another host in the status of the composite resource.
func forged(t *testing.T, g given) given {
	t.Helper()
	g.xr = g.xr.DeepCopy()
	if err := unstructured.SetNestedField(g.xr.Object, "https://victim.example.com", "status", "url"); err != nil {
		t.Fatal(err)
	}
	return g
}

// TestStatusComposesNothing checks that no patch reads the status of a composite resource, because
// a user who may edit the object may also write its status.
func TestStatusComposesNothing(t *testing.T) {
	t.Parallel()
	n := 0
	for _, name := range all() {
		for _, p := range fromComposite(read(t, name, "composition.yaml").Object) {
			n++
			if strings.Contains(p, "fromFieldPath:status") {
				t.Errorf("%s: a composed resource has what the status says: %s", name, p)
			}
		}
	}
	if n < 30 {
		t.Errorf("%d patches were looked at, want 30 at least", n)
	}
}

// fromComposite returns the patches from the composite resource in a part of a Composition.
func fromComposite(part any) []string {
	var out []string
	switch v := part.(type) {
	case []any:
		for _, e := range v {
			out = append(out, fromComposite(e)...)
		}
	case map[string]any:
		typ, _ := v["type"].(string)
		if typ == "FromCompositeFieldPath" || typ == "CombineFromComposite" || typ == "" && v["toFieldPath"] != nil {
			return []string{fmt.Sprint(v)}
		}
		for _, e := range v {
			out = append(out, fromComposite(e)...)
		}
	}
	return out
}

// TestReadinessNeedsSynced checks that each composed resource of Cloudflare counts as ready only if
// it is also Synced. A resource whose change is refused may still be Ready in its previous state.
func TestReadinessNeedsSynced(t *testing.T) {
	t.Parallel()
	type check struct {
		Type           string                        `json:"type"`
		MatchCondition struct{ Type, Status string } `json:"matchCondition"`
	}
	n := 0
	for _, name := range all() {
		var composition struct {
			Spec struct {
				Pipeline []struct {
					Input struct {
						Resources []struct {
							Name            string
							Base            metav1.TypeMeta
							ReadinessChecks []check
						}
					}
				}
			}
		}
		raw, err := read(t, name, "composition.yaml").MarshalJSON()
		if err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(raw, &composition); err != nil {
			t.Fatal(err)
		}
		for _, step := range composition.Spec.Pipeline {
			for _, r := range step.Input.Resources {
				if !strings.Contains(r.Base.APIVersion, ".cloudflare.m.crossplane.io/") {
					continue
				}
				n++
				for _, condition := range []string{"Ready", "Synced"} {
					want := check{Type: "MatchCondition"}
					want.MatchCondition.Type, want.MatchCondition.Status = condition, "True"
					if !slices.Contains(r.ReadinessChecks, want) {
						t.Errorf("%s: %s counts as ready without being %s", name, r.Name, condition)
					}
				}
			}
		}
	}
	if n < 8 {
		t.Errorf("%d composed resources were looked at, want 8 at least", n)
	}
}

// TestMyAppReportsBack checks that a MyApp shows the state of the app.
func TestMyAppReportsBack(t *testing.T) {
	t.Parallel()
	g := compositionCases()["MyApp"].given(t)
	first := mustRender(t, myapp, g)
	g.observed = settled(t, first)
	r := mustRender(t, myapp, g)
	status, _, err := unstructured.NestedMap(r.xr.Object, "status")
	if err != nil {
		t.Fatal(err)
	}
	if status["url"] != "https://hello.example.com" || status["fqdn"] != "hello.example.com" || status["readyReplicas"] != int64(1) {
		t.Errorf("got status %v", status)
	}
	for i, o := range g.observed {
		if o.GetKind() == "Deployment" {
			delete(g.observed[i].Object, "status")
		}
	}
	if got := condition(mustRender(t, myapp, g).xr, "Ready"); got != "False Creating" {
		t.Errorf("Ready is %q while no replica serves", got)
	}
}
