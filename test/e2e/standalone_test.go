// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package e2e

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"sigs.k8s.io/yaml"
)

// alone is the namespace of an installation without Crossplane.
const alone = "provider-cloudflare"

// standalone installs cluster/standalone before Crossplane exists, creates and deletes a
// Record, and uninstalls. It is a step of the full node only, because only containers show that
// the published Deployment works.
func standalone(c *cluster) {
	dir := c.overlay()
	began := time.Now()
	c.kubectl("apply", "-k", dir)
	c.kubectl("rollout", "status", "-n", alone, "deployment/"+providerName, "--timeout="+patience.String())
	c.took("cluster/standalone from apply to rolled out", began)
	for crd := range strings.FieldsSeq(c.kubectl("get", "crds", "-o", "name")) {
		if !strings.HasSuffix(crd, ".cloudflare.m.crossplane.io") {
			c.t.Errorf("%s is not the provider's: this shows nothing about a cluster without Crossplane", crd)
		}
	}
	c.worksAlone()
	c.kubectl("delete", "-k", dir, "--timeout="+patience.String())
	if out := c.kubectl("get", "crds", "-o", "name"); out != "" {
		c.t.Errorf("after the uninstallation there are %s", out)
	}
}

// overlay returns the kustomization of a user who has the image in another registry.
func (c *cluster) overlay() string {
	dir := filepath.Join(c.dir, "standalone")
	base, err := filepath.Rel(dir, root("cluster", "standalone"))
	c.must(err)
	raw, err := yaml.Marshal(map[string]any{
		"apiVersion": "kustomize.config.k8s.io/v1beta1", "kind": "Kustomization", "resources": []string{base},
		"images": []any{map[string]any{
			"name": "ghcr.io/provider-cloudflare/provider-cloudflare", "newName": registryAddress + "/" + providerName, "newTag": *current,
		}},
		"patches": []any{map[string]any{
			"target": map[string]any{"kind": "Deployment", "name": providerName},
			"patch": fmt.Sprintf("- {op: add, path: /spec/template/spec/containers/0/args/-, value: --cloudflare-api-url=%s}\n"+
				"- {op: add, path: /spec/template/spec/containers/0/args/-, value: --allow-insecure-api-url}\n"+
				"- {op: add, path: /spec/template/spec/containers/0/args/-, value: --drift-interval=2s}\n", c.cloudflare.url),
		}},
	})
	c.must(err)
	c.must(os.MkdirAll(dir, 0o750))
	c.must(os.WriteFile(filepath.Join(dir, "kustomization.yaml"), raw, 0o600))
	return dir
}

// worksAlone waits until a Record is Ready, and removes it.
func (c *cluster) worksAlone() {
	c.apply(map[string]any{
		"apiVersion": "v1", "kind": "Secret", "metadata": map[string]any{"name": "cloudflare", "namespace": "default"},
		"stringData": map[string]any{"token": c.cloudflare.token},
	})
	files := []string{"-f", example("providerconfig", "providerconfig.yaml"), "-f", example("record", "zone-by-name.yaml")}
	c.kubectl(append([]string{"apply"}, files...)...)
	c.kubectl("wait", "records.dns.cloudflare.m.crossplane.io", "--all", "-n", "default", "--for=condition=Ready", "--timeout="+patience.String())
	if n := len(c.cloudflare.Records(c.cloudflare.zone)); n != 1 {
		c.t.Errorf("there are %d records, want one", n)
	}
	c.kubectl("delete", "records.dns.cloudflare.m.crossplane.io", "--all", "-n", "default", "--timeout="+patience.String())
	c.eventually(func() error {
		if len(c.cloudflare.Records(c.cloudflare.zone)) > 0 {
			return errors.New("the record is still there")
		}
		return nil
	})
	c.kubectl("delete", "providerconfigs.cloudflare.m.crossplane.io,secrets", "--all", "-n", "default", "--timeout="+patience.String())
}
