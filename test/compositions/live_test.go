// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package compositions

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/provider-cloudflare/provider-cloudflare/test/harness"
	"github.com/provider-cloudflare/provider-cloudflare/test/simulator"
)

// patience is the most time that a step may take.
const patience = 2 * time.Minute

// The account and the zone of the examples.
const (
	exampleAccount = "0123456789abcdef0123456789abcdef"
	exampleZone    = "example.com"
)

// A team has a namespace with a credential for its account.
type team struct {
	harness.Objects

	ns      string
	token   string
	account simulator.Account
	zone    simulator.Zone
}

// newTeam returns a team with an account and a zone of its own.
func newTeam(t *testing.T) *team {
	t.Helper()
	sim := shared.cloud.Sim
	account := sim.AddAccount(t.Name())
	zone, err := sim.AddZone(account.ID, strings.ToLower(strings.ReplaceAll(t.Name(), "/", "-"))+".test", simulator.ZoneOptions{Plan: simulator.PlanPro})
	if err != nil {
		t.Fatal(err)
	}
	return join(t, account, zone)
}

// join returns another team in the same account, which shares the zone.
func join(t *testing.T, account simulator.Account, zone simulator.Zone) *team {
	t.Helper()
	return joinIn(t, metav1.ObjectMeta{GenerateName: "team-"}, account, zone)
}

// joinIn returns another team like join, with the given namespace.
func joinIn(t *testing.T, name metav1.ObjectMeta, account simulator.Account, zone simulator.Zone) *team {
	t.Helper()
	m := &team{Objects: harness.Objects{T: t, Kube: shared.kube, Patience: patience}, account: account, zone: zone}
	ns := &corev1.Namespace{ObjectMeta: name}
	m.Create(ns)
	m.ns = ns.Name
	m.token = shared.cloud.Sim.AddToken(simulator.TokenOptions{Grants: []simulator.Grant{{Account: account.ID, Permission: simulator.Everything}}})
	m.Create(&corev1.Secret{ObjectMeta: metav1.ObjectMeta{Namespace: m.ns, Name: "cloudflare"}, StringData: map[string]string{"token": m.token}})
	config := read(t, filepath.Join("..", "providerconfig"), "providerconfig.yaml")
	config.SetNamespace(m.ns)
	if err := unstructured.SetNestedField(config.Object, account.ID, "spec", "accountId"); err != nil {
		t.Fatal(err)
	}
	m.Create(config)
	return m
}

// own returns a file of an example with the values that readers replace: the account, the zone, and
// the credential. The credential is the namespace's, not the platform's.
func (m *team) own(name, file string) string {
	m.T.Helper()
	raw, err := os.ReadFile(example(name, file))
	if err != nil {
		m.T.Fatal(err)
	}
	path := filepath.Join(m.T.TempDir(), file)
	text := strings.NewReplacer(exampleAccount, m.account.ID, exampleZone, m.zone.Name, "kind: ClusterProviderConfig", "kind: ProviderConfig").Replace(string(raw))
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		m.T.Fatal(err)
	}
	return path
}

// compose creates a composite resource, and does what Crossplane does until it is Ready: it
// renders, applies the result, and renders again with the state of the applied objects.
func (m *team) compose(name string, xr *unstructured.Unstructured) rendering {
	m.T.Helper()
	m.Create(xr)
	var r rendering
	m.Eventually(func() error {
		if r = m.pass(name, xr, r); condition(r.xr, "Ready") != "True Available" {
			return fmt.Errorf("not Ready:\n%s", r.text)
		}
		return nil
	})
	return r
}

// composite returns the manifest of a team.
func (m *team) composite(name string) *unstructured.Unstructured {
	m.T.Helper()
	xr := only(m.T, m.own(name, name+".yaml"))
	xr.SetNamespace(m.ns)
	return xr
}

// pass renders a composite resource with the state of the objects of the last rendering, and
// applies the result.
func (m *team) pass(name string, xr *unstructured.Unstructured, last rendering) rendering {
	m.T.Helper()
	if err := m.Get(xr); err != nil {
		m.T.Fatal(err)
	}
	g := given{xr: xr, composition: m.own(name, "composition.yaml")}
	g.observed, g.secrets = m.observe(last)
	r := mustRender(m.T, name, g)
	for _, o := range r.composed {
		m.apply(o)
	}
	m.applyStatus(xr, r)
	return r
}

// observe reads the applied objects of a rendering, and the connection secrets.
func (m *team) observe(r rendering) (observed, secrets []*unstructured.Unstructured) {
	m.T.Helper()
	for _, o := range r.composed {
		live := o.DeepCopy()
		if err := m.Get(live); err != nil {
			m.T.Fatal(err)
		}
		observed = append(observed, live)
	}
	all := &unstructured.UnstructuredList{}
	all.SetGroupVersionKind(schema.GroupVersionKind{Version: "v1", Kind: "SecretList"})
	if err := m.Kube.List(m.T.Context(), all, client.InNamespace(m.ns)); err != nil {
		m.T.Fatal(err)
	}
	for i := range all.Items {
		secrets = append(secrets, &all.Items[i])
	}
	return observed, secrets
}

// apply applies a composed resource. For a Deployment it writes the status of ready pods, because
// no controller runs here.
func (m *team) apply(o *unstructured.Unstructured) {
	m.T.Helper()
	send := o.DeepCopy()
	unstructured.RemoveNestedField(send.Object, "status")
	if err := m.Kube.Apply(m.T.Context(), client.ApplyConfigurationFromUnstructured(send), client.FieldOwner("crossplane"), client.ForceOwnership); err != nil {
		m.T.Fatalf("%s %s is refused: %v", o.GetKind(), o.GetName(), err)
	}
	if o.GetKind() != "Deployment" {
		return
	}
	if err := m.Get(send); err != nil {
		m.T.Fatal(err)
	}
	send.Object["status"] = map[string]any{"replicas": int64(2), "readyReplicas": int64(2), "conditions": []any{map[string]any{"type": "Available", "status": "True"}}}
	if err := m.Kube.Status().Update(m.T.Context(), send); err != nil {
		m.T.Fatal(err)
	}
}

// applyStatus applies the status of a composite resource, as Crossplane does.
func (m *team) applyStatus(xr *unstructured.Unstructured, r rendering) {
	m.T.Helper()
	status, _, err := unstructured.NestedMap(r.xr.Object, "status")
	if err != nil {
		m.T.Fatal(err)
	}
	send := &unstructured.Unstructured{Object: map[string]any{"status": status}}
	send.SetGroupVersionKind(xr.GroupVersionKind())
	send.SetNamespace(xr.GetNamespace())
	send.SetName(xr.GetName())
	if err := m.Kube.Status().Apply(m.T.Context(), client.ApplyConfigurationFromUnstructured(send), client.FieldOwner("crossplane"), client.ForceOwnership); err != nil {
		m.T.Fatalf("the status is refused: %v", err)
	}
}

// ready waits until an object is Ready and Synced.
func (m *team) ready(o *unstructured.Unstructured) {
	m.T.Helper()
	m.Eventually(func() error {
		if err := m.Get(o); err != nil {
			return harness.Stop(err)
		}
		for _, c := range []string{"Ready", "Synced"} {
			if got := condition(o, c); !strings.HasPrefix(got, "True ") {
				return fmt.Errorf("%s of %s %s is %q: %v", c, o.GetKind(), o.GetName(), got, o.Object["status"])
			}
		}
		return nil
	})
}

// gone deletes objects and waits until they no longer exist.
func (m *team) gone(objects ...*unstructured.Unstructured) {
	m.T.Helper()
	for _, o := range objects {
		m.Delete(o)
	}
	for _, o := range objects {
		m.Gone(o, func() string { return fmt.Sprint(o.Object["status"]) })
	}
}

// call returns the result of a GET at the Cloudflare API.
func (m *team) call(path string) any {
	m.T.Helper()
	r, err := http.NewRequestWithContext(m.T.Context(), http.MethodGet, shared.cloud.URL+path, http.NoBody)
	if err != nil {
		m.T.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer "+m.token)
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		m.T.Fatal(err)
	}
	var answer struct{ Result any }
	if err := errors.Join(json.NewDecoder(resp.Body).Decode(&answer), resp.Body.Close()); err != nil || resp.StatusCode != http.StatusOK {
		m.T.Fatalf("GET %s: %d (%v)", path, resp.StatusCode, err)
	}
	return answer.Result
}

// secret returns the data of a Secret of the namespace.
func (m *team) secret(name string) map[string][]byte {
	m.T.Helper()
	s := &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Namespace: m.ns, Name: name}}
	if err := m.Get(s); err != nil {
		m.T.Fatal(err)
	}
	return s.Data
}

// text returns a field of an object as text, "" if it does not exist.
func text(o *unstructured.Unstructured, path ...string) string {
	v, _, _ := unstructured.NestedFieldNoCopy(o.Object, path...)
	if v == nil {
		return ""
	}
	return fmt.Sprint(v)
}

// allReady waits until every managed resource of a rendering is Ready.
func (m *team) allReady(r rendering) {
	m.T.Helper()
	for _, o := range r.composed {
		if strings.HasSuffix(o.GroupVersionKind().Group, ".cloudflare.m.crossplane.io") {
			m.ready(o.DeepCopy())
		}
	}
}
