// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/provider-cloudflare/provider-cloudflare/apis"
	"github.com/provider-cloudflare/provider-cloudflare/test/rig"
)

// A stage has the processes of the demo, and their addresses.
type stage struct {
	dir, bin, assets string
	out              io.Writer

	kubeconfig string
	kube       client.WithWatch
	sim        *rig.Simulator

	// stops stop the processes, in reverse order.
	stops []func() error
	steps []played
	next  [][]string // commands of the current step that have not run yet
}

type played struct {
	title string
	took  time.Duration
}

// play runs the steps one after the other until one fails.
func (s *stage) play(ctx context.Context, steps []step) error {
	for _, st := range steps {
		s.say("\n%s%s\n", titleMark, st.title)
		began := time.Now()
		s.next = st.commands
		own, cancel := context.WithTimeoutCause(ctx, stepTimeout, fmt.Errorf("it took over %s", stepTimeout))
		err := st.do(own)
		if err == nil && own.Err() != nil {
			err = context.Cause(own)
		}
		if err == nil {
			err = s.ended()
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
	_, _ = fmt.Fprintf(s.out, format, args...) // an error of a closed terminal has no effect
}

// stop stops all processes.
func (s *stage) stop() error {
	var errs []error
	for i := len(s.stops) - 1; i >= 0; i-- {
		errs = append(errs, s.stops[i]())
	}
	s.stops = nil
	return errors.Join(errs...)
}

// startControlPlane starts a control plane with this provider's kinds. If test/controlplane is
// built, it starts that, with its controllers, so that objects are deleted as in a cluster.
// Otherwise it starts an API server only.
func (s *stage) startControlPlane(ctx context.Context) error {
	spec := rig.ControlPlaneSpec{
		Assets: s.assets, Dir: filepath.Join(s.dir, "controlplane"), Kinds: []string{filepath.Join("package", "crds")}, Patience: stepTimeout,
	}
	start := rig.StartControlPlane
	if rig.HasWhole(s.assets) {
		start = rig.StartWholeControlPlane
	}
	cp, err := start(ctx, spec, ignore)
	if err != nil {
		return err
	}
	s.stops = append(s.stops, cp.Stop)
	s.say("The control plane is at %s\n", cp.Config.Host)
	s.kubeconfig = cp.Kubeconfig
	scheme := runtime.NewScheme()
	if err := apis.AddToScheme(scheme); err != nil {
		return fmt.Errorf("cannot register the kinds: %w", err)
	}
	if s.kube, err = client.NewWithWatch(cp.Config, client.Options{Scheme: scheme}); err != nil {
		return fmt.Errorf("cannot make a client: %w", err)
	}
	return nil
}

// ignore receives the error of a process that ended too early. The step that needs the process
// fails.
func ignore(error) {}

// startSimulator starts a simulated Cloudflare with one account and one zone.
func (s *stage) startSimulator(ctx context.Context) error {
	logs, err := s.logFile("cfsim")
	if err != nil {
		return err
	}
	s.sim, err = rig.StartSimulator(ctx, filepath.Join(s.bin, "cfsim"), []string{"--zone", zoneName, "--plan", "pro"}, logs, ignore)
	if err != nil {
		return err
	}
	s.stops = append(s.stops, s.sim.StopWell)
	s.say("The simulated Cloudflare API is at %s, with the zone %s\n", s.sim.URL, zoneName)
	return nil
}

// startProvider starts the provider as it runs in a cluster, except for a shorter drift
// interval.
func (s *stage) startProvider(ctx context.Context) error {
	logs, err := s.logFile("provider")
	if err != nil {
		return err
	}
	p, err := rig.StartProvider(ctx, rig.ProviderSpec{
		Binary: filepath.Join(s.bin, "provider"), Kubeconfig: s.kubeconfig, APIURL: s.sim.URL,
		Args: []string{"--drift-interval", driftInterval.String()}, Log: logs,
	}, ignore)
	if err != nil {
		return err
	}
	s.stops = append(s.stops, p.StopWell)
	s.say("The provider is running and lists each zone every %s (60s by default)\n", driftInterval)
	return nil
}

// logFile creates the log of a process in the demo's folder.
func (s *stage) logFile(name string) (*os.File, error) {
	f, err := os.Create(filepath.Join(s.dir, name+".log"))
	if err != nil {
		return nil, fmt.Errorf("cannot log: %w", err)
	}
	s.stops = append(s.stops, f.Close)
	return f, nil
}
