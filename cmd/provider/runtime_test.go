// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	pkgv1beta1 "github.com/crossplane/crossplane/apis/v2/pkg/v1beta1"
	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	networkingv1 "k8s.io/api/networking/v1"
	policyv1 "k8s.io/api/policy/v1"
	"k8s.io/utils/ptr"
	"sigs.k8s.io/yaml"
)

func examples() string { return filepath.Join("..", "..", "examples", "runtime") }

// example reads an example of examples/runtime.
func example[T any](t *testing.T, name string) T {
	t.Helper()
	return read[T](t, filepath.Join(examples(), name))
}

// read reads a manifest. A field that the type does not have is an error: a cluster would ignore it.
func read[T any](t *testing.T, file string) T {
	t.Helper()
	var out T
	raw, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := yaml.UnmarshalStrict(raw, &out); err != nil {
		t.Fatalf("%s: %v", file, err)
	}
	return out
}

// labels returns the labels that Crossplane puts on the pods of a provider.
func labels() map[string]string {
	return map[string]string{"pkg.crossplane.io/provider": "provider-cloudflare"}
}

func TestRuntimeConfigExample(t *testing.T) {
	d := example[pkgv1beta1.DeploymentRuntimeConfig](t, "deploymentruntimeconfig.yaml")
	spec := d.Spec.DeploymentTemplate.Spec
	pod := spec.Template.Spec
	if len(pod.Containers) != 1 || pod.Containers[0].Name != "package-runtime" {
		t.Fatalf("the containers are %+v: Crossplane would add a second beside its own", pod.Containers)
	}
	c := pod.Containers[0]

	f, err := parse(t, environment(t, c.Env), c.Args...)
	if err != nil {
		t.Fatalf("the provider refuses the flags %q: %v", c.Args, err)
	}
	if ptr.Deref(spec.Replicas, 1) > 1 && !f.LeaderElection {
		t.Errorf("%d replicas without leader election all act", *spec.Replicas)
	}
	want := &corev1.SecurityContext{
		AllowPrivilegeEscalation: ptr.To(false), Privileged: ptr.To(false), RunAsNonRoot: ptr.To(true), ReadOnlyRootFilesystem: ptr.To(true),
		Capabilities: &corev1.Capabilities{Drop: []corev1.Capability{"ALL"}},
	}
	if diff := cmp.Diff(want, c.SecurityContext); diff != "" {
		t.Errorf("the container's security context (-want +got):\n%s", diff)
	}
	if p := pod.SecurityContext; p == nil || p.SeccompProfile == nil || p.SeccompProfile.Type != corev1.SeccompProfileTypeRuntimeDefault || !ptr.Deref(p.RunAsNonRoot, false) {
		t.Errorf("the pod's security context is %+v", p)
	}
	if len(c.VolumeMounts)+len(pod.Volumes) > 0 || pod.HostNetwork || pod.HostPID || pod.HostIPC {
		t.Error("the provider needs no volumes, and nothing of the host")
	}
	probes(t, c, f)
	r := c.Resources
	if r.Requests.Memory().IsZero() || r.Requests.Cpu().IsZero() || r.Limits.Memory().Cmp(*r.Requests.Memory()) <= 0 || !r.Limits.Cpu().IsZero() {
		t.Errorf("resources are %+v: a limit of memory above the request, and none of CPU time", r)
	}
	for _, s := range pod.TopologySpreadConstraints {
		if diff := cmp.Diff(labels(), s.LabelSelector.MatchLabels); diff != "" {
			t.Errorf("what is spread (-want +got):\n%s", diff)
		}
	}
}

// environment returns the container's variables that the provider or the Go runtime reads, in a cluster.
// Any other variable is an error, because it has no effect.
func environment(t *testing.T, env []corev1.EnvVar) map[string]string {
	t.Helper()
	ours := map[string]string{"KUBERNETES_SERVICE_HOST": "10.0.0.1"}
	known := []string{"GOMEMLIMIT", "GOGC", "GOMAXPROCS", "HTTPS_PROXY", "NO_PROXY"}
	for i := range reflect.TypeFor[flags]().NumField() {
		if name := reflect.TypeFor[flags]().Field(i).Tag.Get("env"); name != "" {
			known = append(known, name)
		}
	}
	for _, e := range env {
		if !slices.Contains(known, e.Name) {
			t.Errorf("the environment has %s, which the provider does not read", e.Name)
		}
		ours[e.Name] = e.Value
	}
	return ours
}

// probes compares the probes with the address that f serves them on.
func probes(t *testing.T, c corev1.Container, f *flags) {
	t.Helper()
	_, port, _ := strings.Cut(f.HealthProbeBindAddress, ":")
	served, err := strconv.Atoi(port)
	if err != nil {
		t.Fatal(err)
	}
	named := map[string]int{}
	for _, p := range c.Ports {
		named[p.Name] = int(p.ContainerPort)
	}
	for path, p := range map[string]*corev1.Probe{"/healthz": c.LivenessProbe, "/readyz": c.ReadinessProbe} {
		if p == nil || p.HTTPGet == nil || p.HTTPGet.Path != path || named[p.HTTPGet.Port.String()] != served {
			t.Errorf("the probe is %+v, want %s on port %d", p, path, served)
		}
	}
}

func TestDisruptionBudgetExample(t *testing.T) {
	b := example[policyv1.PodDisruptionBudget](t, "poddisruptionbudget.yaml")
	d := example[pkgv1beta1.DeploymentRuntimeConfig](t, "deploymentruntimeconfig.yaml")
	if diff := cmp.Diff(labels(), b.Spec.Selector.MatchLabels); diff != "" {
		t.Errorf("the pods (-want +got):\n%s", diff)
	}
	if least, replicas := b.Spec.MinAvailable.IntValue(), int(*d.Spec.DeploymentTemplate.Spec.Replicas); least < 1 || least >= replicas {
		t.Errorf("%d of %d replicas must stay: no node could be drained, or all replicas go at once", least, replicas)
	}
}

// TestNetworkPolicies checks the policy of the examples and that of cluster/standalone.
func TestNetworkPolicies(t *testing.T) {
	for _, tc := range []struct {
		reason, file string
		pods         map[string]string
	}{
		{"of the package, where it is an example", filepath.Join(examples(), "networkpolicy.yaml"), labels()},
		{"without Crossplane, where it is installed", filepath.Join("..", "..", "cluster", "standalone", "base", "networkpolicy.yaml"), map[string]string{"app.kubernetes.io/name": "provider-cloudflare"}},
	} {
		t.Run(tc.reason, func(t *testing.T) {
			p := read[networkingv1.NetworkPolicy](t, tc.file)
			if diff := cmp.Diff(tc.pods, p.Spec.PodSelector.MatchLabels); diff != "" {
				t.Errorf("the pods (-want +got):\n%s", diff)
			}
			if !slices.Equal(p.Spec.PolicyTypes, []networkingv1.PolicyType{networkingv1.PolicyTypeIngress, networkingv1.PolicyTypeEgress}) {
				t.Errorf("it is about %v", p.Spec.PolicyTypes)
			}
			ingress(t, p.Spec.Ingress)
			egress(t, p.Spec.Egress)
		})
	}
}

// ingress checks that only the metrics can be reached, and only from some peers.
func ingress(t *testing.T, rules []networkingv1.NetworkPolicyIngressRule) {
	t.Helper()
	f, err := parse(t, nil)
	if err != nil {
		t.Fatal(err)
	}
	var in []string
	for _, r := range rules {
		if len(r.From) == 0 {
			t.Error("anyone may come in")
		}
		for _, port := range r.Ports {
			in = append(in, ":"+port.Port.String())
		}
	}
	if !slices.Equal(in, []string{f.MetricsBindAddress}) {
		t.Errorf("%q may be reached, want the metrics at %s alone", in, f.MetricsBindAddress)
	}
}

// egress checks that the provider reaches name servers, the API server and Cloudflare's API, and
// nothing else.
func egress(t *testing.T, rules []networkingv1.NetworkPolicyEgressRule) {
	t.Helper()
	reached := map[string]bool{}
	for _, r := range rules {
		if len(r.Ports) == 0 {
			t.Errorf("the provider may reach every port of %v", r.To)
		}
		for _, port := range r.Ports {
			reached[port.Port.String()] = true
		}
		if !slices.ContainsFunc(r.Ports, names) {
			noMetadataService(t, r.To)
		}
	}
	ports := slices.Sorted(maps.Keys(reached))
	others := slices.DeleteFunc(slices.Clone(ports), func(port string) bool { return slices.Contains([]string{"53", "5353", "443", "6443"}, port) })
	if len(others) > 0 || !reached["53"] || !reached["443"] {
		t.Errorf("the provider may reach the ports %q, want those of names, of the API server and of Cloudflare's API", ports)
	}
}

// names reports whether a port is one of name servers.
func names(p networkingv1.NetworkPolicyPort) bool {
	return p.Port.IntValue() == 53 || p.Port.IntValue() == 5353
}

// noMetadataService checks that a rule leaves out the addresses at which a cloud hands out credentials
// to every client.
func noMetadataService(t *testing.T, to []networkingv1.NetworkPolicyPeer) {
	t.Helper()
	left := map[string][]string{}
	for _, peer := range to {
		if peer.IPBlock != nil {
			left[peer.IPBlock.CIDR] = peer.IPBlock.Except
		}
	}
	want := map[string][]string{"0.0.0.0/0": {"169.254.0.0/16"}, "::/0": {"fd00:ec2::254/128"}}
	if diff := cmp.Diff(want, left); diff != "" {
		t.Errorf("what is left out (-want +got):\n%s", diff)
	}
}
