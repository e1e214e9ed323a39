// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

// Package plugin runs the built kubectl plugin against the simulator and a real API server.
package plugin

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/go-logr/logr"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/envtest"

	"github.com/provider-cloudflare/provider-cloudflare/test/harness"
	"github.com/provider-cloudflare/provider-cloudflare/test/simulator"
)

// patience is the most time that a wait may take.
const patience = 3 * time.Minute

// suite is what all tests share.
type suite struct {
	kube       client.Client
	kubeconfig string
	// binary is the path of the plugin.
	binary string
	sim    *simulator.Server
	url    string
}

// shared is set by TestMain, before any test runs.
var shared *suite

func TestMain(m *testing.M) {
	flag.Parse()
	if flag.Lookup("test.list").Value.String() != "" {
		os.Exit(m.Run())
	}
	harness.Main(m, run)
}

func run(m *testing.M) (code int, err error) {
	ctrl.SetLogger(logr.Discard())
	dir, err := os.MkdirTemp("", "plugin-")
	if err != nil {
		return 1, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	s := &suite{kubeconfig: filepath.Join(dir, "kubeconfig"), binary: filepath.Join(dir, "kubectl-cloudflare")}
	if out, err := exec.Command("go", "build", "-o", s.binary, "../../cmd/kubectl-cloudflare").CombinedOutput(); err != nil {
		return 1, fmt.Errorf("cannot build the plugin: %w: %s", err, out)
	}
	env := &envtest.Environment{CRDDirectoryPaths: []string{harness.Kinds()}, ErrorIfCRDPathMissing: true}
	cfg, end, err := harness.StartAPIServer(env)
	if err != nil {
		return 1, err
	}
	defer func() { err = errors.Join(err, end()) }()
	if err := os.WriteFile(s.kubeconfig, env.KubeConfig, 0o600); err != nil {
		return 1, err
	}
	if s.kube, err = harness.Client(cfg); err != nil {
		return 1, err
	}
	cloud, err := harness.StartCloud(simulator.Options{DNSSECDelay: time.Second, TenantDelay: time.Second, OperationDelay: time.Second})
	if err != nil {
		return 1, err
	}
	defer func() { err = errors.Join(err, cloud.End()) }()
	s.sim, s.url = cloud.Sim, cloud.URL
	stop := harness.StartProvider(cfg, harness.Options(cloud.URL))
	shared = s
	code = m.Run()
	return code, stop()
}
