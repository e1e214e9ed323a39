// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package e2e

import (
	"context"
	"fmt"
	"os/exec"
	"runtime"
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

const providerName = "provider-cloudflare"

// source returns the address of a version of the package in the suite's registry.
func source(version string) string { return registryAddress + "/" + providerName + ":" + version }

// pushPackages pushes both versions of the package to the registry that Crossplane uses. It
// pushes the version under test as a maintainer does, and the previous one with Crossplane's
// CLI, which any user has.
func (c *cluster) pushPackages() {
	out, err := c.run("crossplane", "xpkg", "push", "--package-files", tool(providerName+"-"+*previous+".xpkg"), source(*previous))
	c.must(err)
	c.t.Logf("$ crossplane xpkg push ... %s\n%s", source(*previous), out)

	ctx, cancel := context.WithTimeout(c.ctx, patience)
	defer cancel()
	//nolint:gosec // Our own.
	cmd := exec.CommandContext(ctx, "make", "--no-print-directory", "push", "REGISTRY="+registryAddress, "VERSION="+*current, "ARCHS="+runtime.GOARCH)
	cmd.Dir = root()
	pushed, err := cmd.CombinedOutput()
	c.t.Logf("$ make push REGISTRY=%s\n%s", registryAddress, pushed)
	c.must(err)
}

// runtimeConfig returns the published runtime configuration with the simulator's address and a
// shorter interval.
func (c *cluster) runtimeConfig() map[string]any {
	u := c.manifestOf(example("runtime", "deploymentruntimeconfig.yaml"))
	path := []string{"spec", "deploymentTemplate", "spec", "template", "spec", "containers"}
	containers, _, err := unstructured.NestedSlice(u.Object, path...)
	c.must(err)
	container := containers[0].(map[string]any)
	args := container["args"].([]any)
	container["args"] = append(args, "--cloudflare-api-url="+c.cloudflare.url, "--drift-interval=2s")
	// These are environment variables, which older versions without these flags ignore.
	env, _ := container["env"].([]any)
	for name, value := range map[string]string{
		"LEADER_ELECTION_LEASE_DURATION": "6s", "LEADER_ELECTION_RENEW_DEADLINE": "4s", "LEADER_ELECTION_RETRY_PERIOD": "1s",
		"ALLOW_INSECURE_API_URL": "true", // The simulator has no certificate.
	} {
		env = append(env, map[string]any{"name": name, "value": value})
	}
	container["env"] = env
	if err := unstructured.SetNestedSlice(u.Object, containers, path...); err != nil {
		c.t.Fatal(err)
	}
	return u.Object
}

func example(path ...string) string {
	return root(append([]string{"examples"}, path...)...)
}

// providerManifest returns the manifest with which users install a version.
func providerManifest(version string) map[string]any {
	return map[string]any{
		"apiVersion": "pkg.crossplane.io/v1", "kind": "Provider", "metadata": map[string]any{"name": providerName},
		"spec": map[string]any{
			"package":          source(version),
			"runtimeConfigRef": map[string]any{"name": providerName},
		},
	}
}

// installProvider installs the previous version. No kind is active, so no pod runs.
func installProvider(c *cluster) {
	c.apply(c.runtimeConfig())
	c.kubectl("apply", "-f", example("runtime", "leaderelection.yaml"), "-f", example("runtime", "poddisruptionbudget.yaml"),
		"-f", example("runtime", "networkpolicy.yaml"))
	began := time.Now()
	out, err := c.run("crossplane", "xpkg", "install", "provider", source(*previous), providerName, "--runtime-config="+providerName)
	c.must(err)
	c.t.Logf("$ crossplane xpkg install provider ...\n%s", out)
	c.eventually(func() error { return c.healthy() })
	c.took("Provider from apply to Healthy", began)
	if d := time.Since(began); *full && d > 90*time.Second { // the limit of Crossplane's conformance suite
		c.t.Errorf("it took %s to be installed and Healthy", d)
	}

	definitions, err := c.definitions()
	c.must(err)
	if len(definitions) < 2 {
		c.t.Fatalf("there are %d ManagedResourceDefinitions, want one a kind", len(definitions))
	}
	for _, d := range definitions {
		if state := field(&d, "spec", "state"); state != "Inactive" {
			c.t.Errorf("%s is %s before any policy names it", d.GetName(), state)
		}
	}
	d, err := only(c.deployments(ofProvider()))
	c.must(err)
	if *d.Spec.Replicas != 0 {
		c.t.Errorf("%d replicas run with nothing to do", *d.Spec.Replicas)
	}
	c.kubectl("get", "providers.pkg.crossplane.io,managedresourcedefinitions,deployments", "-n", system)
	c.kubectl("apply", "-f", example("protection", "clusterusage.yaml"))
	if *full {
		c.kubectl("wait", "clusterusage", "provider-cloudflare", "--for=condition=Ready", "--timeout="+patience.String())
	}
}

// unprotect checks that the provider cannot be deleted, and removes its protection. Only a node
// with containers runs Crossplane's webhook, which refuses the deletion.
func (c *cluster) unprotect() {
	usage := c.manifestOf(example("protection", "clusterusage.yaml"))
	if *full {
		out, err := c.run("kubectl", "delete", "provider.pkg.crossplane.io", providerName)
		if reason := field(usage, "spec", "reason"); err == nil || reason == "" || !strings.Contains(err.Error(), reason) {
			c.t.Errorf("the deletion of the provider is not refused with %q: %s: %v", reason, out, err)
		}
	}
	c.kubectl("delete", "clusterusage", usage.GetName(), "--timeout="+patience.String())
}

func ofProvider() client.MatchingLabels {
	return client.MatchingLabels{"pkg.crossplane.io/provider": providerName}
}

// healthy returns an error unless the provider is Installed and Healthy.
func (c *cluster) healthy() error {
	p, err := c.object(providerKind, "", providerName)
	if err != nil {
		return err
	}
	return has(p, "Installed", "Healthy")
}

// definitions returns the provider's ManagedResourceDefinitions.
func (c *cluster) definitions() ([]unstructured.Unstructured, error) {
	all, err := c.list(definitionKind)
	return slices.DeleteFunc(all, func(d unstructured.Unstructured) bool {
		return !strings.HasSuffix(d.GetName(), ".cloudflare.m.crossplane.io")
	}), err
}

// runs returns an error unless the provider runs with its runtime configuration.
func (c *cluster) runs() error {
	d, err := only(c.deployments(ofProvider()))
	if err != nil {
		return err
	}
	if want := *d.Spec.Replicas; want == 0 || d.Status.AvailableReplicas != want || d.Status.Replicas != want {
		return fmt.Errorf("%d of %d replicas (%d wanted)", d.Status.AvailableReplicas, d.Status.Replicas, want)
	}
	return nil
}

// firstRecords uses the previous version.
func firstRecords(c *cluster) {
	c.apply(map[string]any{
		"apiVersion": "v1", "kind": "Secret", "metadata": map[string]any{"name": "cloudflare", "namespace": "default"},
		"stringData": map[string]any{"token": c.cloudflare.token},
	})
	began := time.Now()
	c.kubectl("apply", "-f", example("providerconfig", "providerconfig.yaml"), "-f", example("zone", "zone.yaml"),
		"-f", example("record", "a.yaml"), "-f", example("record", "txt.yaml"), "-f", example("record", "cname.yaml"))
	c.settled()
	c.took("first records from apply to Ready", began)
	c.kubectl("wait", "providerconfigs.cloudflare.m.crossplane.io", "--all", "-n", "default", "--for=condition=Ready", "--timeout="+patience.String())
	c.usagesBefore = c.usages()
}

// settled waits until every managed resource is as declared.
func (c *cluster) settled() {
	c.t.Helper()
	c.eventually(func() error {
		all, err := c.managed()
		if err != nil {
			return err
		}
		for i := range all {
			if err := has(&all[i], "Ready", "Synced", "UpToDate"); err != nil {
				return err
			}
		}
		return nil
	})
}

// managed returns all managed resources of all namespaces.
func (c *cluster) managed() ([]unstructured.Unstructured, error) {
	var out []unstructured.Unstructured
	definitions, err := c.active()
	if err != nil {
		return nil, err
	}
	for _, d := range definitions {
		all, err := c.list(kindOf(&d))
		if err != nil {
			return nil, err
		}
		out = append(out, all...)
	}
	if len(out) == 0 {
		return nil, errNone
	}
	return out, nil
}

// scraped checks that the published PodMonitor selects the provider's pods, and that they have
// its port.
func (c *cluster) scraped() {
	monitor := c.manifestOf(root("cluster", "monitoring", "podmonitor.yaml"))
	selector, _, err := unstructured.NestedStringMap(monitor.Object, "spec", "selector", "matchLabels")
	c.must(err)
	endpoints, _, err := unstructured.NestedSlice(monitor.Object, "spec", "podMetricsEndpoints")
	c.must(err)
	d, err := only(c.deployments(selector))
	c.must(err)
	for _, e := range endpoints {
		want := e.(map[string]any)["port"]
		if !slices.ContainsFunc(d.Spec.Template.Spec.Containers[0].Ports, func(p corev1.ContainerPort) bool { return p.Name == want }) {
			c.t.Errorf("the pods have no port %q: %+v", want, d.Spec.Template.Spec.Containers[0].Ports)
		}
	}
}
