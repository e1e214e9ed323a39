// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package lifecycle

import (
	"bufio"
	"context"
	"errors"
	"flag"
	"fmt"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/crossplane/crossplane-runtime/v2/pkg/logging"
	"github.com/prometheus/client_golang/prometheus"
	"k8s.io/apiextensions-apiserver/pkg/apihelpers"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/wait"
	clientgoscheme "k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/envtest"
	"sigs.k8s.io/controller-runtime/pkg/metrics"

	"github.com/provider-cloudflare/provider-cloudflare/apis"
	"github.com/provider-cloudflare/provider-cloudflare/internal/cfsim"
	"github.com/provider-cloudflare/provider-cloudflare/internal/cfsim/openapi"
	"github.com/provider-cloudflare/provider-cloudflare/internal/provider"
	"github.com/provider-cloudflare/provider-cloudflare/test/leak"
)

// suite is what all tests share.
type suite struct {
	cfg  *rest.Config
	kube client.Client
	sim  *cfsim.Server
	url  string
	// out is what came out of the provider, which must show no secret.
	out *leak.Output

	mu         sync.Mutex
	violations []error
	// stop ends the provider that runs; nil when none does.
	stop func() error
}

// shared is set by TestMain, before any test runs.
var shared *suite

func TestMain(m *testing.M) {
	flag.Parse()
	// Tests wait more than they work.
	if err := flag.Set("test.parallel", "12"); err != nil {
		panic(err)
	}
	code, err := run(m)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		code = 1
	}
	os.Exit(code)
}

func run(m *testing.M) (code int, err error) {
	s := &suite{sim: cfsim.New(cfsim.Options{}), out: &leak.Output{}}
	ctrl.SetLogger(s.out.Logger())
	logging.SetFilteredKlogLogger(s.out.Logger())
	end, err := s.startControlPlane()
	if err != nil {
		return 1, err
	}
	defer func() { err = errors.Join(err, end()) }()
	scheme := runtime.NewScheme()
	if err := errors.Join(clientgoscheme.AddToScheme(scheme), apiextensionsv1.AddToScheme(scheme), apis.AddToScheme(scheme)); err != nil {
		return 1, err
	}
	if s.kube, err = client.New(s.cfg, client.Options{Scheme: scheme}); err != nil {
		return 1, err
	}
	doc, err := openapi.Load()
	if err != nil {
		return 1, err
	}
	srv := httptest.NewServer(doc.Wrap(s.sim, s.violation))
	defer srv.Close()
	s.url = srv.URL + cfsim.BasePath
	if err := s.installKinds(); err != nil {
		return 1, err
	}
	if err := errors.Join(s.out.Watch(s.cfg), s.out.Streams()); err != nil {
		return 1, err
	}
	s.start()
	shared = s
	code = m.Run()
	if s.stop != nil {
		if err := s.stop(); err != nil {
			return 1, err
		}
	}
	s.out.Asked(s.sim.Requests())
	return code, errors.Join(append(s.violations, s.out.End())...)
}

// startControlPlane starts etcd, the API server and the controller manager as one
// process.
func (s *suite) startControlPlane() (end func() error, err error) {
	bin := filepath.Join(os.Getenv("KUBEBUILDER_ASSETS"), "controlplane")
	if _, err := os.Stat(bin); err != nil {
		return nil, fmt.Errorf("these tests need the namespace controller and the garbage collector: "+
			`run them with make test, or with KUBEBUILDER_ASSETS="$(hack/controlplane.sh --full)" (%w)`, err)
	}
	dir, err := os.MkdirTemp("", "lifecycle-")
	if err != nil {
		return nil, err
	}
	kubeconfig := filepath.Join(dir, "kubeconfig")
	cmd := exec.CommandContext(context.Background(), bin, "up", "--dir", filepath.Join(dir, "controlplane"), "--kubeconfig", kubeconfig)
	cmd.Stderr = os.Stderr
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("cannot start the control plane: %w", err)
	}
	end = func() error {
		return errors.Join(cmd.Process.Signal(syscall.SIGTERM), cmd.Wait(), os.RemoveAll(dir))
	}
	if _, err := bufio.NewReader(stdout).ReadString('\n'); err != nil {
		return nil, errors.Join(fmt.Errorf("the control plane ended before it was ready: %w", err), end())
	}
	if s.cfg, err = clientcmd.BuildConfigFromFlags("", kubeconfig); err != nil {
		return nil, errors.Join(err, end())
	}
	s.cfg.QPS, s.cfg.Burst = -1, -1
	return end, nil
}

// installKinds applies the provider's kinds, as the package manager does, and waits
// until those that were not there are served. One that is being deleted stays so.
func (s *suite) installKinds() error {
	o := envtest.CRDInstallOptions{Paths: []string{filepath.Join("..", "..", "package", "crds")}, ErrorIfPathMissing: true}
	if err := envtest.ReadCRDFiles(&o); err != nil {
		return err
	}
	for _, k := range o.CRDs {
		if err := client.IgnoreAlreadyExists(s.kube.Create(context.Background(), k)); err != nil {
			return err
		}
	}
	return wait.PollUntilContextTimeout(context.Background(), tick, patience, true, func(ctx context.Context) (bool, error) {
		l := &apiextensionsv1.CustomResourceDefinitionList{}
		if err := s.kube.List(ctx, l); err != nil {
			return false, err
		}
		served := 0
		for _, k := range l.Items {
			if apihelpers.IsCRDConditionTrue(&k, apiextensionsv1.Established) {
				served++
			}
		}
		return served == len(o.CRDs), nil
	})
}

func (s *suite) violation(err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.violations = append(s.violations, err)
}

// start runs a provider until stop is called.
func (s *suite) start() {
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	registry := prometheus.NewRegistry()
	go func() {
		done <- provider.Run(ctx, rest.CopyConfig(s.cfg), provider.Options{
			Version:                "test",
			CloudflareAPIURL:       s.url,
			DriftInterval:          time.Second,
			Poll:                   time.Hour,
			MaxReconcileRate:       100,
			MetricsBindAddress:     "0",
			HealthProbeBindAddress: "0",
			Log:                    logging.NewLogrLogger(s.out.Logger()),
			Registry:               registry,
			Embedded:               true,
		})
	}()
	s.stop = func() error {
		s.out.Measure(registry, metrics.Registry)
		cancel()
		s.stop = nil
		return <-done
	}
}

// without does something while no provider runs. Tests that use it are not
// parallel.
func (s *suite) without(t *testing.T, do func()) {
	t.Helper()
	if err := s.stop(); err != nil {
		t.Fatalf("the provider did not end well: %v", err)
	}
	defer s.start()
	do()
}
