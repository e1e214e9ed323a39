// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package e2e

import (
	"errors"
	"fmt"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// The address at which a release is published, with its version.
const (
	release            = "v0.1.0"
	registryOfReleases = "ghcr.io/"
	provider           = "provider-cloudflare/" + providerName
	configuration      = "provider-cloudflare/configuration-cloudflare"
)

// pushConfiguration builds a Configuration of files and pushes it.
func (c *cluster) pushConfiguration(files ...string) {
	file := filepath.Join(c.dir, "configuration.xpkg")
	args := []string{"build", "--root", root("configuration"), "--version", release, "--out", file}
	for _, f := range files {
		args = append(args, "--objects", f)
	}
	_, err := c.run("package", args...)
	c.must(err)
	_, err = c.run("crossplane", "xpkg", "push", "--package-files", file, mirror+"/"+configuration+":"+release)
	c.must(err)
}

// configurationManifest returns a Configuration with additional members of its spec.
func configurationManifest(spec map[string]any) map[string]any {
	spec["package"] = registryOfReleases + configuration + ":" + release
	return map[string]any{
		"apiVersion": "pkg.crossplane.io/v1", "kind": "Configuration", "metadata": map[string]any{"name": "configuration-cloudflare"}, "spec": spec,
	}
}

// configured returns an error unless the Configuration is Healthy.
func (c *cluster) configured() error {
	u, err := c.object(configurationKind, "", "configuration-cloudflare")
	if err != nil {
		return err
	}
	return has(u, "Installed", "Healthy")
}

// TestConfigurationInstallsItsDependencies installs the published Configuration in a cluster
// with Crossplane only: Crossplane installs the provider and the functions with it.
func TestConfigurationInstallsItsDependencies(t *testing.T) {
	c := newCluster(t)
	startNode(c)
	c.installCrossplane()
	want := map[string]string{registryOfReleases + provider: release}
	for _, f := range c.mirrorFunctions() {
		name, version, _ := strings.Cut(field(f, "spec", "package"), ":")
		want[name] = version
	}
	file := root("_output", "xpkg", providerName+"-"+*current+"-"+runtime.GOARCH+".xpkg")
	_, err := c.run("crossplane", "xpkg", "push", "--package-files", file, mirror+"/"+provider+":"+release)
	c.must(err)
	files, err := filepath.Glob(example("composition", "*", "*.yaml"))
	c.must(err)
	c.pushConfiguration(slices.DeleteFunc(files, func(f string) bool {
		return !slices.Contains([]string{"xrd.yaml", "composition.yaml"}, filepath.Base(f))
	})...)

	began := time.Now()
	c.apply(configurationManifest(map[string]any{}))
	c.eventually(c.configured)
	c.eventually(func() error {
		got, err := c.dependencies()
		if diff := cmp.Diff(want, got); err == nil && diff != "" {
			err = fmt.Errorf("packages that are Healthy (-want +got):\n%s", diff)
		}
		return err
	})
	c.took("Configuration and its dependencies from apply to Healthy", began)
	c.kubectl("wait", "xrd", "--all", "--for=condition=Established", "--timeout="+patience.String())
	c.kubectl("get", "configurations,providers.pkg.crossplane.io,functions,xrd")
}

// dependencies returns the versions of the providers and functions by their packages. It fails
// unless all are Healthy.
func (c *cluster) dependencies() (map[string]string, error) {
	out := map[string]string{}
	for _, kind := range []schema.GroupVersionKind{providerKind, functionKind} {
		all, err := c.list(kind)
		if err != nil {
			return nil, err
		}
		for i := range all {
			name, version, _ := strings.Cut(field(&all[i], "spec", "package"), ":")
			out[name] = version
			if unhealthy := has(&all[i], "Installed", "Healthy"); unhealthy != nil {
				err = errors.Join(err, unhealthy)
			}
		}
		if err != nil {
			return nil, err
		}
	}
	return out, nil
}
