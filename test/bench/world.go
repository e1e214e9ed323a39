// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"time"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/runtime"
	clientgoscheme "k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/provider-cloudflare/provider-cloudflare/apis"
	"github.com/provider-cloudflare/provider-cloudflare/test/rig"
	"github.com/provider-cloudflare/provider-cloudflare/test/simulator"
)

// A world is a control plane, a simulated Cloudflare and a provider. It shares nothing
// with another world.
type world struct {
	name string
	*bench

	cfg        *rest.Config
	http       *http.Client // to the API server
	kubeconfig string
	kube       client.Client
	sim        *rig.Simulator
	requests   *requestLog
	ready      *readiness

	provider    *rig.Provider
	startedAt   time.Time
	providerRun int

	fail  context.CancelCauseFunc
	stops []func() error
}

// latency is that of the simulator. Half of it passes before a request is carried out.
const latency = 50 * time.Millisecond

// A worldSpec describes a world before the provider starts.
type worldSpec struct {
	seed simulator.Seed
	// crds are files of package/crds. If empty, all are installed.
	crds []string
	// simulator has additional arguments of the simulator.
	simulator []string
}

// newWorld starts a control plane and a simulator. All have ended when stop returns. live
// ends when something in the world fails.
func (b *bench) newWorld(ctx context.Context, name string, spec worldSpec) (_ *world, live context.Context, err error) {
	w := &world{name: name, bench: b}
	live, w.fail = context.WithCancelCause(ctx)
	defer func() {
		if err != nil {
			err = errors.Join(err, w.stop())
		}
	}()
	if err := os.MkdirAll(w.path(""), 0o750); err != nil {
		return nil, nil, fmt.Errorf("cannot make a folder for logs: %w", err)
	}
	began := time.Now()
	if err := w.startControlPlane(live, crdPaths(spec.crds)); err != nil {
		return nil, nil, err
	}
	if err := w.startSimulator(live, spec.seed, spec.simulator); err != nil {
		return nil, nil, err
	}
	if w.ready, err = watchRecords(live, w.cfg); err != nil {
		return nil, nil, err
	}
	up := time.Since(began)
	if err := w.calm(live); err != nil {
		return nil, nil, err
	}
	b.log.say("%s: control plane and simulator are up after %s, and at rest after %s", name, seconds(up), seconds(time.Since(began)))
	return w, live, nil
}

// calm waits until the control plane has finished the work after its start. That work
// takes a core for some seconds, which must not count for a case.
func (w *world) calm(ctx context.Context) error {
	const look = time.Second
	before, err := cpuTimes()
	if err != nil {
		return err
	}
	began, looked := time.Now(), time.Now()
	return w.until(ctx, look, "the control plane is at rest", func(context.Context) (bool, error) {
		if time.Since(looked) < look/2 {
			return false, nil // The first call comes at once.
		}
		now, err := cpuTimes()
		took := now["kube-apiserver"] + now["etcd"] - before["kube-apiserver"] - before["etcd"]
		rests := took < time.Since(looked)/10
		before, looked = now, time.Now()
		return rests || time.Since(began) > calmPatience, err
	})
}

// calmPatience limits the wait for an idle control plane: a busy machine never becomes
// idle.
const calmPatience = 20 * time.Second

func (w *world) path(name string) string { return filepath.Join(w.dir, w.name, name) }

// logFile opens a log that is closed with the world.
func (w *world) logFile(name string) (*os.File, error) {
	f, err := os.Create(w.path(name))
	if err != nil {
		return nil, fmt.Errorf("cannot log: %w", err)
	}
	w.stops = append(w.stops, f.Close)
	return f, nil
}

// stop ends everything of this world in reverse order.
func (w *world) stop() error {
	var errs []error
	if w.provider != nil {
		errs = append(errs, w.provider.Stop())
	}
	w.fail(errors.New("the world has ended"))
	for i := len(w.stops) - 1; i >= 0; i-- {
		errs = append(errs, w.stops[i]())
	}
	w.stops = nil
	return errors.Join(errs...)
}

func newScheme() (*runtime.Scheme, error) {
	s := runtime.NewScheme()
	if err := errors.Join(clientgoscheme.AddToScheme(s), apiextensionsv1.AddToScheme(s), apis.AddToScheme(s)); err != nil {
		return nil, fmt.Errorf("cannot register the kinds: %w", err)
	}
	return s, nil
}

// crdPaths returns the paths of files in package/crds, or of the folder if there are
// none.
func crdPaths(files []string) []string {
	folder := filepath.Join("package", "crds")
	if len(files) == 0 {
		return []string{folder}
	}
	paths := make([]string, len(files))
	for i, f := range files {
		paths[i] = filepath.Join(folder, f)
	}
	return paths
}

func (w *world) startControlPlane(ctx context.Context, kinds []string) error {
	cp, err := rig.StartControlPlane(ctx, rig.ControlPlaneSpec{
		Assets: os.Getenv("KUBEBUILDER_ASSETS"), Dir: w.path("controlplane"), Kinds: kinds, Patience: w.size.patience,
	}, w.fail)
	if err != nil {
		return err
	}
	w.stops = append(w.stops, cp.Stop, func() error { return os.Remove(cp.Kubeconfig) })
	w.cfg, w.kubeconfig = cp.Config, cp.Kubeconfig
	s, err := newScheme()
	if err != nil {
		return err
	}
	if w.http, err = rest.HTTPClientFor(w.cfg); err != nil {
		return fmt.Errorf("cannot make a client: %w", err)
	}
	if w.kube, err = client.New(w.cfg, client.Options{Scheme: s}); err != nil {
		return fmt.Errorf("cannot make a client: %w", err)
	}
	return nil
}

func (w *world) startSimulator(ctx context.Context, seed simulator.Seed, more []string) error {
	raw, err := json.Marshal(seed)
	if err != nil {
		return fmt.Errorf("cannot write the simulator's seed: %w", err)
	}
	if err := os.WriteFile(w.path("seed.json"), raw, 0o600); err != nil {
		return fmt.Errorf("cannot write the simulator's seed: %w", err)
	}
	logs, err := w.logFile("cfsim.log")
	if err != nil {
		return err
	}
	w.requests = newRequestLog(logs)
	w.sim, err = rig.StartSimulator(ctx, filepath.Join(w.flags.Bin, "cfsim"), append([]string{
		"--seed", w.path("seed.json"), "--log", "json",
		"--fault", fmt.Sprintf("%s,times=-1,delay=%s", simulator.FaultSlowBefore, latency/2),
		"--fault", fmt.Sprintf("%s,times=-1,delay=%s", simulator.FaultSlow, latency/2),
	}, more...), w.requests, w.fail)
	if err != nil {
		return err
	}
	w.stops = append(w.stops, w.sim.Stop)
	return nil
}

// startProvider starts a provider and returns when its controller of Records runs.
func (w *world) startProvider(ctx context.Context, binary string, args ...string) error {
	w.providerRun++
	logs, err := w.logFile(fmt.Sprintf("%s-%d.log", filepath.Base(binary), w.providerRun))
	if err != nil {
		return err
	}
	w.log.say("%s: starting %s %s", w.name, filepath.Base(binary), strings.Join(args, " "))
	w.startedAt = time.Now()
	w.provider, err = rig.StartProvider(ctx, rig.ProviderSpec{
		Binary: binary, Kubeconfig: w.kubeconfig, APIURL: w.sim.URL, Args: args, Log: logs,
	}, w.fail)
	if err != nil {
		return err
	}
	return w.until(ctx, 100*time.Millisecond, "the provider runs", func(ctx context.Context) (bool, error) {
		body, err := get(ctx, http.DefaultClient, w.provider.ReadyURL)
		if err != nil {
			return false, err
		}
		_ = body.Close() // only the status is needed
		s, err := scrape(ctx, http.DefaultClient, w.provider.MetricsURL, metricActive)
		return s.has(metricActive, ofRecords), err
	})
}

// ours starts this repository's provider with the flags of the command line.
func (w *world) ours(ctx context.Context, args ...string) error {
	return w.startProvider(ctx, filepath.Join(w.flags.Bin, "provider"), append(args, strings.Fields(w.flags.ProviderArgs)...)...)
}

// wait waits for d. It returns the cause if the context ends first.
func wait(ctx context.Context, d time.Duration) error {
	select {
	case <-time.After(d):
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// errPatience is the error of a wait that took too long.
type errPatience struct{ what string }

func (e *errPatience) Error() string { return "gave up waiting until " + e.what }

// until calls f until it returns true, the context ends, or the patience is used up. An
// error of f does not end it, because the process that f calls may answer later. A
// process that has ended ends the context.
func (w *world) until(ctx context.Context, every time.Duration, what string, f func(context.Context) (bool, error)) error {
	ctx, cancel := context.WithTimeoutCause(ctx, w.size.patience, &errPatience{what})
	defer cancel()
	t := time.NewTicker(every)
	defer t.Stop()
	for {
		ok, err := f(ctx)
		if ok && err == nil {
			return nil
		}
		select {
		case <-t.C:
		case <-ctx.Done():
			return errors.Join(context.Cause(ctx), err)
		}
	}
}
