// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package operations

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	customizations "github.com/argoproj/argo-cd/v3/resource_customizations"
	"github.com/fluxcd/cli-utils/pkg/kstatus/status"
	"github.com/fluxcd/pkg/apis/kustomize"
	"github.com/fluxcd/pkg/runtime/cel"
	lua "github.com/yuin/gopher-lua"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	luajson "layeh.com/gopher-json"
	"sigs.k8s.io/yaml"
)

func example(t *testing.T, name string) []byte {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join(repository, "examples", "gitops", name))
	if err != nil {
		t.Fatal(err)
	}
	return raw
}

// argo returns Argo CD's health of an object according to a Lua script, and its message. An
// object in deletion is Progressing, independent of the script. The script has the base and
// table libraries.
func argo(t *testing.T, script string, o *unstructured.Unstructured) (out, message string) {
	t.Helper()
	if o.GetDeletionTimestamp() != nil {
		return "Progressing", "Pending deletion"
	}
	l := lua.NewState(lua.Options{SkipOpenLibs: true})
	defer l.Close()
	for name, open := range map[string]lua.LGFunction{lua.LoadLibName: lua.OpenPackage, lua.BaseLibName: lua.OpenBase, lua.TabLibName: lua.OpenTable} {
		if err := l.CallByParam(lua.P{Fn: l.NewFunction(open), Protect: true}, lua.LString(name)); err != nil {
			t.Fatal(err)
		}
	}
	raw, err := o.MarshalJSON()
	if err != nil {
		t.Fatal(err)
	}
	value, err := luajson.Decode(l, raw)
	if err != nil {
		t.Fatal(err)
	}
	l.SetGlobal("obj", value)
	if err := l.DoString(script); err != nil {
		t.Fatalf("%s: %v", o.GetName(), err)
	}
	said, ok := l.Get(-1).(*lua.LTable)
	if !ok {
		t.Fatalf("%s: the script gives no table", o.GetName())
	}
	out, message = said.RawGetString("status").String(), lua.LVAsString(said.RawGetString("message"))
	if !slices.Contains([]string{"Healthy", "Progressing", "Degraded", "Suspended"}, out) {
		t.Errorf("%s: Argo CD knows no status %q", o.GetName(), out)
	}
	return out, message
}

// builtIn returns Argo CD's built-in script for groups that end in .crossplane.io.
func builtIn(t *testing.T) string {
	t.Helper()
	raw, err := customizations.Embedded.ReadFile("_.crossplane.io/_/health.lua")
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}

// ours returns the script of the published ConfigMap for an object's kind.
func ours(t *testing.T, o *unstructured.Unstructured) string {
	t.Helper()
	var cm corev1.ConfigMap
	if err := yaml.UnmarshalStrict(example(t, "argocd-cm.yaml"), &cm); err != nil {
		t.Fatal(err)
	}
	gvk := o.GroupVersionKind()
	script := cm.Data["resource.customizations.health."+gvk.Group+"_"+gvk.Kind]
	if script == "" {
		t.Fatalf("there is no script for %s", gvk.Kind)
	}
	return script
}

// flux returns Flux's status of an object by itself, and by the expressions of the published
// Kustomization. If an expression cannot be evaluated, the status is Unknown, and Flux waits.
func flux(t *testing.T, o *unstructured.Unstructured) (itself, ours string) {
	t.Helper()
	r, err := status.Compute(o)
	if err != nil {
		t.Fatal(err)
	}
	var k struct {
		Spec struct {
			HealthCheckExprs []kustomize.CustomHealthCheck `json:"healthCheckExprs"`
		} `json:"spec"`
	}
	if err := yaml.Unmarshal(example(t, "flux-kustomization.yaml"), &k); err != nil {
		t.Fatal(err)
	}
	for _, check := range k.Spec.HealthCheckExprs {
		if check.APIVersion != o.GetAPIVersion() || check.Kind != o.GetKind() {
			continue
		}
		e, err := cel.NewStatusEvaluator(&check.HealthCheckExpressions)
		if err != nil {
			t.Fatal(err)
		}
		s, err := e.Evaluate(t.Context(), o)
		if err != nil {
			return r.Status.String(), "Unknown"
		}
		return r.Status.String(), s.Status.String()
	}
	t.Fatalf("there is no expression for %s", o.GetKind())
	return "", ""
}

// TestHealthIsAsDocumented compares the table in docs/how-to/gitops.md with every object of the
// scene.
func TestHealthIsAsDocumented(t *testing.T) {
	raw, err := os.ReadFile(filepath.Join(repository, "docs", "how-to", "gitops.md"))
	if err != nil {
		t.Fatal(err)
	}
	rows := map[string][]string{}
	for line := range strings.Lines(string(raw)) {
		cells := strings.Split(strings.Trim(strings.TrimSpace(line), "|"), "|")
		if len(cells) != 6 {
			continue
		}
		for i := range cells {
			cells[i] = strings.Trim(strings.TrimSpace(cells[i]), "*")
		}
		rows[cells[0]] = cells[2:]
	}
	for _, state := range slices.Sorted(maps.Keys(shared.objects)) {
		o := shared.objects[state]
		itself, expressions := flux(t, o)
		withBuiltIn, _ := argo(t, builtIn(t), o)
		withOurs, why := argo(t, ours(t, o), o)
		if why == "" {
			t.Errorf("%s: %s, and no word on why", state, withOurs)
		}
		want := fmt.Sprint([]string{withBuiltIn, withOurs, itself, expressions})
		if got := fmt.Sprint(rows[state]); got != want {
			t.Errorf("%s: docs/how-to/gitops.md says %s, want %s", state, got, want)
		}
		delete(rows, state)
	}
	for _, extra := range []string{"state", "---"} {
		delete(rows, extra)
	}
	if len(rows) > 0 {
		t.Errorf("docs/how-to/gitops.md has states that nothing was seen in: %v", rows)
	}
}

// TestAClusterProviderConfigIsJudgedAsAProviderConfig checks a ClusterProviderConfig, which the
// scene does not have.
func TestAClusterProviderConfigIsJudgedAsAProviderConfig(t *testing.T) {
	for _, state := range []string{"ProviderConfig new", "ProviderConfig ready", "ProviderConfig refused"} {
		o := shared.objects[state].DeepCopy()
		want, _ := argo(t, ours(t, o), o)
		_, wantFlux := flux(t, o)
		o.SetKind("ClusterProviderConfig")
		if got, _ := argo(t, ours(t, o), o); got != want {
			t.Errorf("%s: %s of a cluster's, want %s", state, got, want)
		}
		if _, got := flux(t, o); got != wantFlux {
			t.Errorf("%s: %s of a cluster's, want %s", state, got, wantFlux)
		}
	}
}
