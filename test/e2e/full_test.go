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

// settings are the configuration files of a node's programs.
//
//go:embed settings
var settings embed.FS

const (
	pauseImage  = "pause:e2e"
	cniPrograms = "/usr/lib/cni" // Debian's folder
)

// startFullNode adds a node that runs containers: the original containerd, kubelet, kube-proxy
// and CoreDNS.
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

// must ends the step on an unexpected error.
func (c *cluster) must(err error) {
	c.t.Helper()
	if err != nil {
		c.t.Fatal(err)
	}
}

// furnishNode makes the sandbox forward packets, and hides the machine's /run.
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

// writeSettings executes the templates and writes them below dir. In names, "@" stands for the
// separator of folders, and REGISTRY for the registry's address.
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

// containerLogs returns the logs of the pods in Crossplane's namespace whose names have that
// prefix.
func (c *cluster) containerLogs(prefix string) ([]byte, error) { return c.podLogs(system, prefix) }

// podLogs returns the logs of the pods in a namespace whose names have that prefix.
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
