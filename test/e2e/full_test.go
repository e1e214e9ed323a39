// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package e2e

import (
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"text/template"

	"golang.org/x/sys/unix"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/provider-cloudflare/provider-cloudflare/test/e2e/registry"
	"github.com/provider-cloudflare/provider-cloudflare/test/e2e/sandbox"
)

// settings are the configurations of a node's programs.
//
//go:embed settings
var settings embed.FS

const (
	pauseImage  = "pause:e2e"
	cniPrograms = "/usr/lib/cni" // where Debian has them
)

// startFullNode adds a node that runs containers: containerd, kubelet, kube-proxy and
// CoreDNS, as they come.
func (c *cluster) startFullNode() {
	if !sandbox.Root() {
		c.t.Fatal("containers need root: run make e2e-full as root")
	}
	c.must(furnishNode())
	values := map[string]string{
		"Address": sandbox.Address, "Registry": registryAddress, "Pause": registryAddress + "/" + pauseImage,
		"Dir": c.dir, "Kubeconfig": c.kubeconfig, "CNI": cniPrograms,
	}
	c.must(writeSettings(filepath.Join(c.dir, "settings"), values))
	c.must(registry.Push(c.ctx, registryAddress+"/"+pauseImage, registry.Content{
		Files: map[string]string{"/pause": tool("pause")}, Entrypoint: []string{"/pause"},
	}))
	in := func(name string) string { return filepath.Join(c.dir, "settings", name) }
	c.start("containerd", "--config", in("containerd.toml"))
	c.eventually(func() error {
		_, err := os.Stat("/run/containerd/containerd.sock")
		return err
	})
	c.start("coredns", "-conf", in("Corefile"))
	c.start("kubelet", "--config", in("kubelet.yaml"), "--kubeconfig", c.kubeconfig, "--hostname-override", "node",
		"--node-ip", sandbox.Address, "--root-dir", filepath.Join(c.dir, "kubelet"), "--cert-dir", filepath.Join(c.dir, "kubelet-pki"))
	c.start("kube-proxy", "--config", in("kube-proxy.yaml"))
	c.logs = c.containerLogs
	c.eventually(func() error {
		n, err := c.object(schema.GroupVersionKind{Version: "v1", Kind: "Node"}, "", "node")
		if err != nil {
			return err
		}
		return has(n, "Ready")
	})
}

// must ends the step where something that has no reason to fail does.
func (c *cluster) must(err error) {
	c.t.Helper()
	if err != nil {
		c.t.Fatal(err)
	}
}

// furnishNode has the sandbox forward packets, and hides the machine's own /run.
func furnishNode() error {
	for file, value := range map[string]string{"/proc/sys/net/ipv4/ip_forward": "1"} {
		if err := os.WriteFile(file, []byte(value), 0o600); err != nil {
			return fmt.Errorf("cannot set %s: %w", file, err)
		}
	}
	if err := unix.Mount("tmpfs", "/run", "tmpfs", 0, ""); err != nil {
		return fmt.Errorf("cannot have a /run of our own: %w", err)
	}
	return os.MkdirAll("/run/containerd", 0o711)
}

// writeSettings fills the templates in. In names "@" is a folder's separator, and REGISTRY its address.
func writeSettings(dir string, values map[string]string) error {
	return fs.WalkDir(settings, "settings", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		t, err := template.ParseFS(settings, path)
		if err != nil {
			return err
		}
		to := filepath.Join(dir, strings.NewReplacer("@", "/", "REGISTRY", values["Registry"]).Replace(d.Name()))
		if err := os.MkdirAll(filepath.Dir(to), 0o750); err != nil {
			return err
		}
		f, err := os.Create(to)
		if err != nil {
			return err
		}
		return errors.Join(t.Option("missingkey=error").Execute(f, values), f.Close())
	})
}

// containerLogs is what the containers of Crossplane's namespace whose pods have a name
// prefix have written.
func (c *cluster) containerLogs(prefix string) ([]byte, error) { return c.podLogs(system, prefix) }

// podLogs is what the containers of a namespace's pods of a name prefix have written.
func (c *cluster) podLogs(namespace, prefix string) ([]byte, error) {
	files, err := filepath.Glob(filepath.Join(c.dir, "pods", namespace+"_"+prefix+"*", "*", "*.log"))
	var out []byte
	for _, f := range files {
		raw, readErr := os.ReadFile(f)
		err = errors.Join(err, readErr)
		out = append(out, raw...)
	}
	return out, err
}
