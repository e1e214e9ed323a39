// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package rights

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/crossplane/crossplane-runtime/v2/pkg/logging"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	networkingv1 "k8s.io/api/networking/v1"
	policyv1 "k8s.io/api/policy/v1"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/utils/ptr"

	cfv1alpha1 "github.com/provider-cloudflare/provider-cloudflare/apis/v1alpha1"
	"github.com/provider-cloudflare/provider-cloudflare/internal/provider"
	"github.com/provider-cloudflare/provider-cloudflare/test/harness"
	"github.com/provider-cloudflare/provider-cloudflare/test/simulator"
)

// own is the namespace of an installation without Crossplane.
const own = "provider-cloudflare"

// TestStandaloneManifests checks the objects that kubectl renders from cluster/standalone.
func TestStandaloneManifests(t *testing.T) {
	all := rendered(t, standalone())
	files, err := filepath.Glob(filepath.Join(harness.Kinds(), "*.yaml"))
	if err != nil || len(of(all, "CustomResourceDefinition")) != len(files) {
		t.Errorf("there are %d CRDs, want the %d of the package (%v): run make generate", len(of(all, "CustomResourceDefinition")), len(files), err)
	}
	want := rights(append(rules(t, minimum()), rules(t, generatedKinds())...)...)
	for _, file := range []string{"people.yaml", "kinds-people.yaml"} {
		for r := range rights(rules(t, filepath.Join("..", "..", "cluster", "rbac", file))...) {
			want[r] = true
		}
	}
	got := rights(rulesOf(t, append(of(all, "ClusterRole"), of(all, "Role")...))...)
	if g, w := sorted(got), sorted(want); !slices.Equal(g, w) {
		t.Errorf("the rights are %q, want those of cluster/rbac, %q", g, w)
	}
	for _, o := range all {
		if strings.HasSuffix(o.GroupVersionKind().Group, "crossplane.io") {
			t.Errorf("%s %s needs Crossplane", o.GetKind(), o.GetName())
		}
		if ns := o.GetNamespace(); ns != "" && ns != own {
			t.Errorf("%s %s is in the namespace %s", o.GetKind(), o.GetName(), ns)
		}
		subjects, _ := o.Object["subjects"].([]any)
		for _, s := range subjects {
			if got := fmt.Sprint(s); got != "map[kind:ServiceAccount name:"+account+" namespace:"+own+"]" {
				t.Errorf("%s %s is bound to %s", o.GetKind(), o.GetName(), got)
			}
		}
	}
	sa := one[corev1.ServiceAccount](t, all, "ServiceAccount")
	if sa.Name != account || sa.AutomountServiceAccountToken == nil || *sa.AutomountServiceAccountToken {
		t.Errorf("the service account's token is for whoever runs in the namespace: %+v", sa)
	}
	for _, mode := range []string{"enforce", "audit", "warn"} {
		if got := one[corev1.Namespace](t, all, "Namespace").Labels["pod-security.kubernetes.io/"+mode]; got != "restricted" {
			t.Errorf("pod security of the namespace: %s is %q, want restricted", mode, got)
		}
	}
	hardened(t, one[appsv1.Deployment](t, all, "Deployment"))
	guarded(t, one[appsv1.Deployment](t, all, "Deployment"), one[policyv1.PodDisruptionBudget](t, all, "PodDisruptionBudget"))
	walled(t, one[appsv1.Deployment](t, all, "Deployment"), one[networkingv1.NetworkPolicy](t, all, "NetworkPolicy"))
	if got, want := of(all, "ValidatingAdmissionPolicyBinding"), manifests(t, secretsPolicy()); len(got) != 1 || got[0].GetName() != want[0].GetName() {
		t.Errorf("there are %d bindings of policies, want that of %s", len(got), want[0].GetName())
	}
}

// hardened checks settings that the restricted standard does not require.
func hardened(t *testing.T, d appsv1.Deployment) {
	t.Helper()
	pod := d.Spec.Template.Spec
	if len(pod.Containers) != 1 || len(pod.Volumes) != 0 || pod.ServiceAccountName != account || pod.SecurityContext.RunAsUser != nil {
		t.Fatalf("the pod is %+v, want one container, no volume, any user", pod)
	}
	c := pod.Containers[0]
	if s := c.SecurityContext; !ptr.Deref(s.ReadOnlyRootFilesystem, false) || !ptr.Deref(s.RunAsNonRoot, false) || s.RunAsUser != nil {
		t.Errorf("the container is not confined: %+v", s)
	}
	for name, p := range map[string]*corev1.Probe{"/healthz": c.LivenessProbe, "/readyz": c.ReadinessProbe} {
		if p == nil || p.HTTPGet == nil || p.HTTPGet.Path != name || p.HTTPGet.Port.String() != "probes" {
			t.Errorf("the probe of %s is %+v", name, p)
		}
	}
	if c.Resources.Requests.Cpu().IsZero() || c.Resources.Requests.Memory().IsZero() || c.Resources.Limits.Memory().IsZero() {
		t.Errorf("resources are %+v", c.Resources)
	}
	ports := map[string]int32{}
	for _, p := range c.Ports {
		ports[p.Name] = p.ContainerPort
	}
	if ports["metrics"] != 8080 || ports["probes"] != 8081 {
		t.Errorf("ports are %v", ports)
	}
	if name, tag, ok := strings.Cut(c.Image, ":"); !ok || name != "ghcr.io/provider-cloudflare/provider-cloudflare" || tag == "" || tag == "latest" {
		t.Errorf("the image %q is not pinned", c.Image)
	}
}

// guarded checks what several replicas need.
func guarded(t *testing.T, d appsv1.Deployment, b policyv1.PodDisruptionBudget) {
	t.Helper()
	if ptr.Deref(d.Spec.Replicas, 1) < 2 || !slices.Contains(d.Spec.Template.Spec.Containers[0].Args, "--leader-election") {
		t.Errorf("there are %d replicas with %q", ptr.Deref(d.Spec.Replicas, 1), d.Spec.Template.Spec.Containers[0].Args)
	}
	s, err := metav1.LabelSelectorAsSelector(b.Spec.Selector)
	if err != nil || s.Empty() || !s.Matches(labels.Set(d.Spec.Template.Labels)) {
		t.Errorf("the disruption budget does not select the pods: %v, %v", s, err)
	}
}

// walled checks which pods the NetworkPolicy selects. TestNetworkPolicies checks its rules.
func walled(t *testing.T, d appsv1.Deployment, p networkingv1.NetworkPolicy) {
	t.Helper()
	s, err := metav1.LabelSelectorAsSelector(&p.Spec.PodSelector)
	if err != nil || s.Empty() || !s.Matches(labels.Set(d.Spec.Template.Labels)) {
		t.Errorf("the NetworkPolicy does not select the pods: %v, %v", s, err)
	}
}

// TestStandalone installs cluster/standalone on an API server without Crossplane's kinds, and
// checks that the provider works with the rights in it.
func TestStandalone(t *testing.T) {
	w := newWorld(t)
	w.install(rendered(t, standalone()))
	w.inForce(own, account)
	if err := w.out.Watch(w.cfg); err != nil {
		t.Fatal(err)
	}
	crds := &apiextensionsv1.CustomResourceDefinitionList{}
	if err := w.kube.List(t.Context(), crds); err != nil {
		t.Fatal(err)
	}
	for _, c := range crds.Items {
		if !strings.HasSuffix(c.Spec.Group, "cloudflare.m.crossplane.io") {
			t.Errorf("%s is not the provider's", c.Name)
		}
	}
	d := one[appsv1.Deployment](t, rendered(t, standalone()), "Deployment")
	w.create(&corev1.Pod{ObjectMeta: in(own, "provider"), Spec: d.Spec.Template.Spec})
	t.Cleanup(func() { w.notRefusedTo("system:serviceaccount:" + own + ":" + account) })
	stop := w.runAs(w.identity(own, account), func(o *provider.Options) {
		o.Namespace, o.Log = own, strict{o.Log, t}
	})

	z := w.zone()
	w.credential(tenant, z)
	r := w.record(z, "standalone", "A", "192.0.2.1")
	w.create(r)
	w.settled(r)
	if n := len(w.sim.Records(z.ID)); n != 1 {
		t.Errorf("there are %d records", n)
	}
	w.delete(r)
	w.gone(r)
	stop()
}

// strict is a logger that fails the test at an error.
type strict struct {
	logging.Logger

	t *testing.T
}

func (s strict) WithValues(v ...any) logging.Logger { return strict{s.Logger.WithValues(v...), s.t} }

func (s strict) Info(msg string, v ...any) {
	if slices.Contains(v, any("error")) {
		s.t.Errorf("the provider complains: %s %v", msg, v)
	}
	s.Logger.Info(msg, v...)
}

// zone returns the only zone of a new account.
func (w *world) zone() simulator.Zone {
	w.t.Helper()
	z, err := w.sim.AddZone(w.sim.AddAccount("Example Inc").ID, "example.com", simulator.ZoneOptions{})
	if err != nil {
		w.t.Fatal(err)
	}
	return z
}

// credential creates the ProviderConfig "default" of a namespace, with its Secret.
func (w *world) credential(namespace string, z simulator.Zone) *cfv1alpha1.ProviderConfig {
	w.t.Helper()
	w.create(&corev1.Secret{ObjectMeta: in(namespace, "cloudflare"), StringData: map[string]string{"token": w.token(z.AccountID)}})
	config, _ := configs(z.AccountID)
	config.Namespace = namespace
	w.create(config)
	w.verified(config)
	return config
}
