// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package docs

import (
	"bufio"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/crossplane/crossplane-runtime/v2/pkg/logging"
	"github.com/go-logr/logr"
	"github.com/prometheus/client_golang/prometheus"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/runtime"
	clientgoscheme "k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/envtest"

	"github.com/provider-cloudflare/provider-cloudflare/apis"
	"github.com/provider-cloudflare/provider-cloudflare/internal/cfsim"
	"github.com/provider-cloudflare/provider-cloudflare/internal/cfsim/openapi"
	"github.com/provider-cloudflare/provider-cloudflare/internal/provider"
)

// controllers that pages rely on: the control plane's own choice, and quotas.
const controllers = "namespace-controller,garbage-collector-controller,serviceaccount-controller,clusterrole-aggregation-controller," +
	"root-ca-certificate-publisher-controller,resourcequota-controller"

// A cluster is what the pages share: an API server with its controllers, our kinds
// and Crossplane's.
type cluster struct {
	cfg        *rest.Config
	kube       client.Client
	dir        string // of its data, between starts
	kubeconfig string
	// document is Cloudflare's own, which judges what is said to the simulator.
	document *openapi.Document
}

// shared is set by TestMain, before any test runs.
var shared *cluster

func TestMain(m *testing.M) {
	flag.Parse()
	code, err := run(m)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		code = 1
	}
	os.Exit(code)
}

func run(m *testing.M) (code int, err error) {
	ctrl.SetLogger(logr.Discard())
	c := &cluster{}
	if c.dir, err = os.MkdirTemp("", "docs-"); err != nil {
		return 1, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(c.dir)) }()
	// The controller of quotas looks for kinds when it starts, and minutes later.
	if err := c.installKinds(); err != nil {
		return 1, err
	}
	end, err := c.start(controllers)
	if err != nil {
		return 1, err
	}
	defer func() { err = errors.Join(err, end()) }()
	scheme := runtime.NewScheme()
	if err := errors.Join(clientgoscheme.AddToScheme(scheme), apiextensionsv1.AddToScheme(scheme), apis.AddToScheme(scheme)); err != nil {
		return 1, err
	}
	if c.kube, err = client.New(c.cfg, client.Options{Scheme: scheme}); err != nil {
		return 1, err
	}
	if c.document, err = openapi.Load(); err != nil {
		return 1, err
	}
	shared = c
	return m.Run(), nil
}

// installKinds starts the control plane for as long as it takes to give it our kinds
// and Crossplane's.
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
	if _, err := envtest.InstallCRDs(c.cfg, envtest.CRDInstallOptions{
		Paths: []string{filepath.Join(root, "package", "crds"), core}, ErrorIfPathMissing: true, MaxTime: time.Minute,
	}); err != nil {
		return fmt.Errorf("cannot install the kinds: %w", err)
	}
	return nil
}

// start starts etcd, the API server and the controller manager as one process, with
// what they had before.
func (c *cluster) start(controllers string) (end func() error, err error) {
	bin := filepath.Join(os.Getenv("KUBEBUILDER_ASSETS"), "controlplane")
	if _, err := os.Stat(bin); err != nil {
		return nil, fmt.Errorf("pages are run on a whole control plane: "+
			`run them with make test, or with KUBEBUILDER_ASSETS="$(hack/controlplane.sh --full)" (%w)`, err)
	}
	c.kubeconfig = filepath.Join(c.dir, "kubeconfig")
	cmd := exec.CommandContext(context.Background(), bin, "up",
		"--dir", filepath.Join(c.dir, "controlplane"), "--kubeconfig", c.kubeconfig, "--controllers", controllers)
	cmd.Stderr = os.Stderr
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("cannot start the control plane: %w", err)
	}
	end = func() error {
		return errors.Join(cmd.Process.Signal(syscall.SIGTERM), cmd.Wait())
	}
	if _, err := bufio.NewReader(stdout).ReadString('\n'); err != nil {
		return nil, errors.Join(fmt.Errorf("the control plane ended before it was ready: %w", err), end())
	}
	if c.cfg, err = clientcmd.BuildConfigFromFlags("", c.kubeconfig); err != nil {
		return nil, errors.Join(err, end())
	}
	c.cfg.QPS, c.cfg.Burst = -1, -1
	return end, nil
}

// crossplaneKinds is the folder of Crossplane's own kinds, in the module that the
// tools are built from.
func crossplaneKinds() (string, error) {
	dir, err := moduleDir(filepath.Join(root, "hack", "tools", "core"), "github.com/crossplane/crossplane/v2")
	if err != nil {
		return "", err
	}
	return filepath.Join(dir, "cluster", "crds"), nil
}

// moduleDir is where the source of a module is that the one in a folder requires.
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

// A cloud is a Cloudflare of a page's own, with a provider that works with it.
type cloud struct {
	sim *cfsim.Server
	url string

	mu         sync.Mutex
	violations []error
	stop       func() error
}

// newCloud starts a simulator and a provider that ends with the test.
func newCloud(t *testing.T) *cloud {
	t.Helper()
	c := &cloud{sim: cfsim.New(cfsim.Options{})}
	srv := httptest.NewServer(shared.document.WrapStrict(c.sim, c.violation))
	c.url = srv.URL + cfsim.BasePath
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() {
		done <- provider.Run(ctx, rest.CopyConfig(shared.cfg), provider.Options{
			Version:          "test",
			CloudflareAPIURL: c.url,
			// Pages wait for drift, readers for a minute.
			DriftInterval:          time.Second,
			Poll:                   time.Hour,
			MaxReconcileRate:       100,
			MetricsBindAddress:     "0",
			HealthProbeBindAddress: "0",
			Log:                    logging.NewNopLogger(),
			Registry:               prometheus.NewRegistry(),
			Embedded:               true,
		})
	}()
	c.stop = sync.OnceValue(func() error {
		cancel()
		err := <-done
		if errors.Is(err, context.Canceled) {
			err = nil // It was still starting: the page had nothing for it to do.
		}
		srv.Close()
		c.mu.Lock()
		defer c.mu.Unlock()
		return errors.Join(append(c.violations, err)...)
	})
	return c
}

func (c *cloud) violation(err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.violations = append(c.violations, err)
}

// tool runs a program and gives what it prints.
func tool(ctx context.Context, dir string, env []string, in io.Reader, name string, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir, cmd.Env, cmd.Stdin = dir, env, in
	// What it started ends with it.
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	out, err := cmd.CombinedOutput()
	return string(out), err
}
