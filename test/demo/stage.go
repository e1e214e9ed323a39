// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"time"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/envtest"

	"github.com/provider-cloudflare/provider-cloudflare/apis"
)

// A stage is where the demo plays: the processes that run, and how to reach them.
type stage struct {
	dir, bin, assets string
	out              io.Writer

	kubeconfig string
	kube       client.WithWatch
	sim        simulator

	// stops end what was started, the latest first.
	stops []func() error
	steps []played
}

// simulator is what cfsim says of itself when it is ready.
type simulator struct {
	URL      string            `json:"url"`
	AdminURL string            `json:"admin_url"`
	Zones    map[string]string `json:"zones"`
	Tokens   []string          `json:"tokens"`
}

// A step is one thing the demo shows.
type step struct {
	title string
	do    func(context.Context) error
}

type played struct {
	title string
	took  time.Duration
}

// play plays the steps one after the other, until one fails.
func (s *stage) play(ctx context.Context, steps []step) error {
	for _, st := range steps {
		s.say("\n=== %s\n", st.title)
		began := time.Now()
		own, cancel := context.WithTimeoutCause(ctx, stepTimeout, fmt.Errorf("it took over %s", stepTimeout))
		err := st.do(own)
		if err == nil && own.Err() != nil {
			err = context.Cause(own)
		}
		cancel()
		if err != nil {
			return fmt.Errorf("%s: %w", st.title, err)
		}
		s.steps = append(s.steps, played{st.title, time.Since(began)})
	}
	return nil
}

func (s *stage) say(format string, args ...any) {
	_, _ = fmt.Fprintf(s.out, format, args...) // a closed terminal is its owner's business
}

// stop ends everything that was started.
func (s *stage) stop() error {
	var errs []error
	for i := len(s.stops) - 1; i >= 0; i-- {
		errs = append(errs, s.stops[i]())
	}
	s.stops = nil
	return errors.Join(errs...)
}

// startControlPlane starts a control plane with this provider's kinds: our own
// with its controllers where that is built, else envtest's API server alone.
func (s *stage) startControlPlane(ctx context.Context) error {
	if _, err := os.Stat(filepath.Join(s.assets, "controlplane")); err == nil {
		return s.startWholeControlPlane(ctx)
	}
	env := &envtest.Environment{
		CRDDirectoryPaths:     []string{filepath.Join("package", "crds")},
		ErrorIfCRDPathMissing: true,
		BinaryAssetsDirectory: s.assets,
	}
	cfg, err := env.Start()
	if err != nil {
		return fmt.Errorf("cannot start the control plane: %w", err)
	}
	s.stops = append(s.stops, env.Stop)
	s.kubeconfig = filepath.Join(s.dir, "kubeconfig")
	if err := os.WriteFile(s.kubeconfig, env.KubeConfig, 0o600); err != nil {
		return fmt.Errorf("cannot write the kubeconfig: %w", err)
	}
	s.say("The API server is at %s\n", cfg.Host)
	return s.connect(cfg)
}

// startWholeControlPlane also runs the garbage collector and the namespace
// controller, so that whatever a user tries ends as in a cluster.
func (s *stage) startWholeControlPlane(ctx context.Context) error {
	s.kubeconfig = filepath.Join(s.dir, "kubeconfig")
	stdout, err := s.process(ctx, filepath.Join(s.assets, "controlplane"),
		[]string{"up", "--dir", filepath.Join(s.dir, "controlplane"), "--kubeconfig", s.kubeconfig})
	if err != nil {
		return err
	}
	line, err := bufio.NewReader(stdout).ReadString('\n')
	if err != nil {
		return fmt.Errorf("the control plane ended before it was ready: %w", err)
	}
	s.say("The control plane is %s", line)
	cfg, err := clientcmd.BuildConfigFromFlags("", s.kubeconfig)
	if err != nil {
		return fmt.Errorf("cannot read the kubeconfig: %w", err)
	}
	if _, err := envtest.InstallCRDs(cfg, envtest.CRDInstallOptions{
		Paths: []string{filepath.Join("package", "crds")}, ErrorIfPathMissing: true,
	}); err != nil {
		return fmt.Errorf("cannot install the kinds: %w", err)
	}
	return s.connect(cfg)
}

func (s *stage) connect(cfg *rest.Config) error {
	scheme := runtime.NewScheme()
	if err := apis.AddToScheme(scheme); err != nil {
		return fmt.Errorf("cannot register the kinds: %w", err)
	}
	var err error
	if s.kube, err = client.NewWithWatch(cfg, client.Options{Scheme: scheme}); err != nil {
		return fmt.Errorf("cannot make a client: %w", err)
	}
	return nil
}

// startSimulator starts a Cloudflare with one account and one zone.
func (s *stage) startSimulator(ctx context.Context) error {
	stdout, err := s.process(ctx, filepath.Join(s.bin, "cfsim"), []string{"--zone", zoneName, "--plan", "pro"})
	if err != nil {
		return err
	}
	line, err := bufio.NewReader(stdout).ReadBytes('\n')
	if err != nil {
		return fmt.Errorf("cannot read what the simulator says: %w", err)
	}
	if err := json.Unmarshal(line, &s.sim); err != nil {
		return fmt.Errorf("cannot understand what the simulator says: %w", err)
	}
	s.say("The simulated Cloudflare API is at %s, with the zone %s\n", s.sim.URL, zoneName)
	return nil
}

// startProvider starts the provider as it runs in a cluster, but for a shorter
// drift interval.
func (s *stage) startProvider(ctx context.Context) error {
	_, err := s.process(ctx, filepath.Join(s.bin, "provider"), []string{
		"--cloudflare-api-url", s.sim.URL, "--drift-interval", driftInterval.String(),
		"--metrics-bind-address", "127.0.0.1:0", "--health-probe-bind-address", "127.0.0.1:0",
	}, "KUBECONFIG="+s.kubeconfig)
	if err != nil {
		return err
	}
	s.say("The provider is running and lists each zone every %s (60s by default)\n", driftInterval)
	return nil
}

// process starts a binary that logs into the demo's folder and is ended with the
// demo. It gives its standard output.
func (s *stage) process(ctx context.Context, path string, args []string, env ...string) (io.Reader, error) {
	name := filepath.Base(path)
	logs, err := os.Create(filepath.Join(s.dir, name+".log"))
	if err != nil {
		return nil, fmt.Errorf("cannot log: %w", err)
	}
	// A step's context ends with the step; the process ends with the stage.
	cmd := exec.CommandContext(context.WithoutCancel(ctx), path, args...) //nolint:gosec // Our own binaries.
	cmd.Env = append(os.Environ(), env...)
	cmd.Stderr = logs
	// An interrupt at the terminal reaches the demo, which ends its processes in order.
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		return nil, fmt.Errorf("cannot read from %s: %w", name, err)
	}
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("cannot start %s: %w", name, err)
	}
	s.stops = append(s.stops, func() error {
		err := cmd.Process.Signal(syscall.SIGTERM)
		return errors.Join(err, endedWell(name, cmd.Wait()), logs.Close())
	})
	return stdout, nil
}

func endedWell(name string, err error) error {
	if err != nil {
		return fmt.Errorf("%s did not end well: %w", name, err)
	}
	return nil
}
