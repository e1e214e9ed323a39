// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package docs

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/go-logr/logr"
	"k8s.io/client-go/rest"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/provider-cloudflare/provider-cloudflare/test/harness"
	"github.com/provider-cloudflare/provider-cloudflare/test/simulator"
)

// controllers are those on which pages rely: the control plane's defaults, and the one of
// quotas.
const controllers = "namespace-controller,garbage-collector-controller,serviceaccount-controller,clusterrole-aggregation-controller," +
	"root-ca-certificate-publisher-controller,resourcequota-controller"

// A cluster is what the pages share: an API server with its controllers, the provider's kinds
// and Crossplane's kinds.
type cluster struct {
	cfg        *rest.Config
	kube       client.Client
	dir        string // the data's, between starts
	kubeconfig string
	// programs returns the folder of the programs that pages take from make build. It builds
	// them at the first call.
	programs func() (string, error)
}

// shared is set by TestMain, before any test runs.
var shared *cluster

func TestMain(m *testing.M) {
	flag.Parse()
	harness.Main(m, run)
}

func run(m *testing.M) (code int, err error) {
	ctrl.SetLogger(logr.Discard())
	// These tests mostly wait: the pages, the pages with a cluster of their own, and four
	// walkthroughs.
	if err := flag.Set("test.parallel", "6"); err != nil {
		return 1, err
	}
	c := &cluster{}
	if c.dir, err = os.MkdirTemp("", "docs-"); err != nil {
		return 1, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(c.dir)) }()
	// The quota controller looks up kinds when it starts, and then only minutes later.
	if err := c.installKinds(); err != nil {
		return 1, err
	}
	end, err := c.start(controllers)
	if err != nil {
		return 1, err
	}
	defer func() { err = errors.Join(err, end()) }()
	if c.kube, err = harness.Client(c.cfg); err != nil {
		return 1, err
	}
	c.programs = sync.OnceValues(func() (string, error) { return build(filepath.Join(c.dir, "bin")) })
	shared = c
	return m.Run(), nil
}

// build builds the programs of make build into a folder.
func build(folder string) (string, error) {
	out, err := tool(context.Background(), root, append(os.Environ(), "GOWORK=off"), nil,
		"go", "build", "-o", folder+"/", "./cmd/provider", "./cmd/cfsim", "./cmd/kubectl-cloudflare")
	if err != nil {
		return "", fmt.Errorf("cannot build: %w: %s", err, out)
	}
	return folder, nil
}

// installKinds starts the control plane, installs the provider's kinds and Crossplane's, and
// stops it.
func (c *cluster) installKinds() (err error) {
	core, err := crossplaneKinds()
	if err != nil {
		return err
	}
	end, err := c.start("namespace-controller,serviceaccount-controller")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, end()) }()
	if err := harness.InstallCRDs(c.cfg, filepath.Join(root, "package", "crds"), core); err != nil {
		return fmt.Errorf("cannot install the kinds: %w", err)
	}
	return nil
}

// start starts the control plane with its previous data.
func (c *cluster) start(controllers string) (end func() error, err error) {
	cp := harness.ControlPlane{Dir: c.dir, Controllers: controllers}
	c.kubeconfig = cp.Kubeconfig()
	c.cfg, end, err = cp.Start()
	return end, err
}

// crossplaneKinds returns the folder of Crossplane's CRDs in the module from which the tools
// are built.
func crossplaneKinds() (string, error) {
	dir, err := moduleDir(filepath.Join(root, "hack", "tools", "core"), "github.com/crossplane/crossplane/v2")
	if err != nil {
		return "", err
	}
	return filepath.Join(dir, "cluster", "crds"), nil
}

// moduleDir returns the source folder of a module that the module in a folder requires.
func moduleDir(in, module string) (string, error) {
	cmd := exec.CommandContext(context.Background(), "go", "mod", "download", "-json", module)
	cmd.Dir, cmd.Env = in, append(os.Environ(), "GOWORK=off")
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("cannot download %s: %w: %s", module, err, out)
	}
	cmd = exec.CommandContext(context.Background(), "go", "list", "-m", "-f", "{{.Dir}}", module)
	cmd.Dir, cmd.Env = in, append(os.Environ(), "GOWORK=off")
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("cannot find %s: %w", module, err)
	}
	return strings.TrimSpace(string(out)), nil
}

// A cloud is a simulated Cloudflare for one page, with a provider that uses it.
type cloud struct {
	sim  *simulator.Server
	url  string
	stop func() error
}

// newCloud starts a simulator and a provider, which run until stop is called. The drift
// interval is short, because pages wait for drift.
func newCloud(t *testing.T) *cloud {
	t.Helper()
	served, err := harness.StartCloud(simulator.Options{})
	if err != nil {
		t.Fatal(err)
	}
	stop := harness.StartProvider(shared.cfg, harness.Options(served.URL))
	return &cloud{served.Sim, served.URL, sync.OnceValue(func() error {
		err := stop()
		if errors.Is(err, context.Canceled) {
			err = nil // It was still starting, because the page had no work for it.
		}
		return errors.Join(err, served.End())
	})}
}

// tool runs a program and returns its output.
func tool(ctx context.Context, dir string, env []string, in io.Reader, name string, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir, cmd.Env, cmd.Stdin = dir, env, in
	// The program's children end with it.
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	out, err := cmd.CombinedOutput()
	return string(out), err
}
