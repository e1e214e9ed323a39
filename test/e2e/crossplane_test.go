// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package e2e

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/provider-cloudflare/provider-cloudflare/test/e2e/registry"
	"github.com/provider-cloudflare/provider-cloudflare/test/manifest"
)

// Crossplane's own kinds.
//
//nolint:gochecknoglobals // Constants but for their type.
var (
	providerKind      = schema.GroupVersionKind{Group: "pkg.crossplane.io", Version: "v1", Kind: "Provider"}
	functionKind      = schema.GroupVersionKind{Group: "pkg.crossplane.io", Version: "v1", Kind: "Function"}
	configurationKind = schema.GroupVersionKind{Group: "pkg.crossplane.io", Version: "v1", Kind: "Configuration"}
	revisionKind      = schema.GroupVersionKind{Group: "pkg.crossplane.io", Version: "v1", Kind: "ProviderRevision"}
	definitionKind    = schema.GroupVersionKind{Group: "apiextensions.crossplane.io", Version: "v1alpha1", Kind: "ManagedResourceDefinition"}
	crdKind           = schema.GroupVersionKind{Group: "apiextensions.k8s.io", Version: "v1", Kind: "CustomResourceDefinition"}
)

// installCrossplane installs Crossplane with its own chart. No kind is activated.
func (c *cluster) installCrossplane() {
	image := registryAddress + "/crossplane/crossplane"
	core := filepath.Join(*bin, "core-module", "cluster")
	err := registry.Push(c.ctx, image+":e2e", registry.Content{
		Files: map[string]string{
			"/usr/local/bin/crossplane": tool("crossplane-core"),
			"/crds":                     filepath.Join(core, "crds"),
			"/webhookconfigurations":    filepath.Join(core, "webhookconfigurations"),
		},
		Entrypoint: []string{"/usr/local/bin/crossplane"},
	})
	c.must(err)
	began := time.Now()
	out, err := c.run("helm", "install", "crossplane", filepath.Join(core, "charts", "crossplane"),
		"--namespace", system, "--create-namespace", "--wait", "--timeout", patience.String(),
		"--set", "image.repository="+image, "--set", "image.tag=e2e",
		// Without containers, no Service works.
		"--set", fmt.Sprintf("webhooks.enabled=%t", *full),
		// The suite's own policy decides which kinds are active.
		"--set", "provider.defaultActivations=null")
	c.must(err)
	c.t.Logf("$ helm install crossplane ...\n%s", out)
	c.eventually(func() error {
		_, err := c.list(providerKind)
		return err
	})
	c.took("Crossplane installed", began)
}

// deployments returns the Deployments of a package's revisions, whose pods have these labels.
func (c *cluster) deployments(of client.MatchingLabels) ([]appsv1.Deployment, error) {
	l := &appsv1.DeploymentList{}
	err := c.kube.List(c.ctx, l, client.InNamespace(system))
	return slices.DeleteFunc(l.Items, func(d appsv1.Deployment) bool {
		return !labels.SelectorFromSet(labels.Set(of)).Matches(labels.Set(d.Spec.Template.Labels))
	}), err
}

var errNone = errors.New("there is none yet")

// only returns the element of a list of one, and an error for another number.
func only[T any](all []T, err error) (*T, error) {
	switch {
	case err != nil:
		return nil, err
	case len(all) == 0:
		return nil, errNone
	case len(all) > 1:
		return nil, fmt.Errorf("there are %d, not one", len(all))
	}
	return &all[0], nil
}

// manifestOf returns the object in a file of the repository with one object.
func (c *cluster) manifestOf(path string) *unstructured.Unstructured {
	c.t.Helper()
	u, err := only(manifest.Read(path))
	c.must(err)
	return *u
}

// took records a duration for the report.
func (c *cluster) took(what string, began time.Time) {
	d := time.Since(began).Round(100 * time.Millisecond)
	c.said = append(c.said, fmt.Sprintf("%-40s %s", what, d))
	c.t.Logf("%s: %s", what, d)
}

// note records the load of the machine: the memory of all processes of the suite.
func (c *cluster) note() {
	var sum uint64
	files, err := filepath.Glob("/proc/[0-9]*/statm")
	c.must(err)
	for _, f := range files {
		raw, err := os.ReadFile(f)
		if err != nil {
			continue // It has ended.
		}
		var size, resident uint64
		if _, err := fmt.Sscan(string(raw), &size, &resident); err == nil {
			sum += resident * uint64(os.Getpagesize())
		}
	}
	c.said = append(c.said, fmt.Sprintf("%-40s %d MB in %d processes", "memory of all processes", sum>>20, len(files)))
}
