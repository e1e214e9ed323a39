// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package rights

import (
	"errors"
	"fmt"
	"strings"

	"github.com/crossplane/crossplane-runtime/v2/pkg/meta"
	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/utils/ptr"
	"sigs.k8s.io/controller-runtime/pkg/client"

	tunnelv1alpha1 "github.com/provider-cloudflare/provider-cloudflare/apis/tunnel/v1alpha1"
	cfv1alpha1 "github.com/provider-cloudflare/provider-cloudflare/apis/v1alpha1"
	workersv1alpha1 "github.com/provider-cloudflare/provider-cloudflare/apis/workers/v1alpha1"
	"github.com/provider-cloudflare/provider-cloudflare/test/simulator"
)

// connection is the name of the tunnel's connection secret.
const connection = "tunnel-connection"

// described makes the engine of described kinds do everything that it can: adopt and create, write
// a connection secret and complete it, follow a reference, and revert drift. One kind is enough,
// because all share the engine.
func (w *world) described(account string) {
	w.t.Helper()
	w.configEverything(account)
	tunnels := "/accounts/" + account + "/cfd_tunnel"
	found, err := w.sim.PostResource(tunnels, map[string]any{"name": "found", "config_src": "cloudflare"})
	if err != nil {
		w.t.Fatal(err)
	}
	adopted := tunnel("found")
	w.create(adopted)
	w.settled(adopted)
	if got := meta.GetExternalName(adopted); got != found["id"] {
		w.t.Errorf("adopted %q, want %q", got, found["id"])
	}
	made := tunnel("made")
	made.Spec.WriteConnectionSecretToReference = &xpv2.LocalSecretReference{Name: connection}
	w.create(made)
	w.settled(made)
	w.out.Public(account, meta.GetExternalName(made)) // They are in the connection secret, too.
	w.completesSecret()
	rule := &tunnelv1alpha1.TunnelIngress{ObjectMeta: in(tenant, "rule")}
	rule.Spec.ForProvider = tunnelv1alpha1.TunnelIngressParameters{
		TunnelIDRef: &xpv2.NamespacedReference{Name: made.Name}, Hostname: ptr.To("app.example.com"), Service: ptr.To("http://app:80"),
	}
	rule.Spec.ProviderConfigReference = made.Spec.ProviderConfigReference
	w.create(rule)
	w.settled(rule)
	w.renamed(tunnels+"/"+meta.GetExternalName(made), made)
	script := w.uploads()
	for _, o := range []client.Object{script, rule, made, adopted} {
		w.delete(o)
		w.gone(o)
	}
}

// uploads creates a Worker whose code is in a ConfigMap, and waits until the provider applies a
// change of the code.
func (w *world) uploads() *workersv1alpha1.WorkerScript {
	w.t.Helper()
	code := &corev1.ConfigMap{ObjectMeta: in(tenant, "code"), Data: map[string]string{"worker.js": "export default {}"}}
	w.create(code)
	script := &workersv1alpha1.WorkerScript{ObjectMeta: in(tenant, "script")}
	script.Spec.ForProvider = workersv1alpha1.WorkerScriptParameters{
		ScriptName: ptr.To("script"), MainModule: ptr.To("worker.js"), Modules: []workersv1alpha1.WorkerScriptFiles{{
			Name: ptr.To("worker.js"), Type: ptr.To("esm"), ConfigMapKeyRef: &cfv1alpha1.ConfigMapKeyReference{Name: code.Name, Key: "worker.js"},
		}},
	}
	script.Spec.ProviderConfigReference = &xpv2.ProviderConfigReference{Kind: "ProviderConfig", Name: "everything"}
	w.create(script)
	w.settled(script)
	first := script.Status.AtProvider.Etag
	edit(w, code, func(m *corev1.ConfigMap) { m.Data["worker.js"] += " // changed" })
	w.eventually(func() error {
		if err := w.Get(script); err != nil {
			return err
		}
		if now := script.Status.AtProvider.Etag; first == nil || now == nil || *now == *first {
			return errors.New("the code is the old one")
		}
		return nil
	})
	w.settled(script)
	return script
}

// configEverything creates the provider config "everything" with a token that may do anything in
// the account.
func (w *world) configEverything(account string) {
	w.t.Helper()
	token := w.sim.AddToken(simulator.TokenOptions{Grants: []simulator.Grant{{Account: account, Permission: simulator.Everything}}})
	w.create(&corev1.Secret{ObjectMeta: in(tenant, "everything"), StringData: map[string]string{"token": token}})
	config := &cfv1alpha1.ProviderConfig{ObjectMeta: in(tenant, "everything"), Spec: cfv1alpha1.ProviderConfigSpec{
		Credentials: cfv1alpha1.Credentials{SecretRef: cfv1alpha1.LocalSecretKeySelector{Name: "everything", Key: "token"}},
		CommonSpec:  cfv1alpha1.CommonSpec{AccountID: ptr.To(account)},
	}}
	w.create(config)
	w.verified(config)
}

func tunnel(name string) *tunnelv1alpha1.Tunnel {
	t := &tunnelv1alpha1.Tunnel{ObjectMeta: in(tenant, name)}
	t.Spec.ForProvider = tunnelv1alpha1.TunnelParameters{Name: ptr.To(name), ConfigSrc: ptr.To("cloudflare")}
	t.Spec.ProviderConfigReference = &xpv2.ProviderConfigReference{Kind: "ProviderConfig", Name: "everything"}
	return t
}

// completesSecret removes a value from the connection secret, and waits until it is restored.
func (w *world) completesSecret() {
	w.t.Helper()
	s := &corev1.Secret{ObjectMeta: in(tenant, connection)}
	edit(w, s, func(s *corev1.Secret) { delete(s.Data, "id") })
	w.eventually(func() error {
		if err := w.Get(s); err != nil {
			return err
		}
		if len(s.Data["id"]) == 0 {
			return errors.New("the connection secret lacks a value")
		}
		return nil
	})
}

// renamed changes the tunnel's name without the provider, and waits until the provider reverts it.
func (w *world) renamed(path string, t *tunnelv1alpha1.Tunnel) {
	w.t.Helper()
	if _, err := w.sim.PatchResource(path, map[string]any{"name": "renamed"}); err != nil {
		w.t.Fatal(err)
	}
	w.eventually(func() error {
		l := &corev1.EventList{}
		if err := w.kube.List(w.t.Context(), l, client.InNamespace(tenant)); err != nil {
			return err
		}
		for _, e := range l.Items {
			if e.Reason == "DriftDetected" && e.InvolvedObject.UID == t.UID && strings.Contains(e.Message, "renamed") {
				return nil
			}
		}
		return fmt.Errorf("no event of drift among %d", len(l.Items))
	})
	w.settled(t)
}
