// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package lifecycle

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"testing"
	"time"

	"github.com/crossplane/crossplane-runtime/v2/pkg/logging"
	"github.com/prometheus/client_golang/prometheus"
	"k8s.io/apiextensions-apiserver/pkg/apihelpers"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/client-go/rest"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/envtest"
	"sigs.k8s.io/controller-runtime/pkg/metrics"

	"github.com/provider-cloudflare/provider-cloudflare/test/harness"
	"github.com/provider-cloudflare/provider-cloudflare/test/leak"
	"github.com/provider-cloudflare/provider-cloudflare/test/simulator"
)

// suite is what all tests share.
type suite struct {
	cfg   *rest.Config
	kube  client.Client
	sim   *simulator.Server
	cloud *harness.Cloud
	// kubeconfig is the path of a kubeconfig for the control plane.
	kubeconfig string
	// out is the output of the provider, which must show no secret.
	out *leak.Output
	// stop stops the provider that runs. It is nil if none runs.
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
	harness.Main(m, run)
}

func run(m *testing.M) (code int, err error) {
	s := &suite{out: &leak.Output{}}
	ctrl.SetLogger(s.out.Logger())
	logging.SetFilteredKlogLogger(s.out.Logger())
	dir, err := os.MkdirTemp("", "lifecycle-")
	if err != nil {
		return 1, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	var end func() error
	plane := harness.ControlPlane{Dir: dir}
	if s.cfg, end, err = plane.Start(); err != nil {
		return 1, err
	}
	s.kubeconfig = plane.Kubeconfig()
	defer func() { err = errors.Join(err, end()) }()
	if s.kube, err = harness.Client(s.cfg); err != nil {
		return 1, err
	}
	if s.cloud, err = harness.StartCloud(simulator.Options{}); err != nil {
		return 1, err
	}
	s.sim = s.cloud.Sim
	defer func() { err = errors.Join(err, s.cloud.End()) }()
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
	return code, s.out.End()
}

// installKinds creates the CRDs of the provider, as the package manager does, and waits
// until they are served. A CRD that is being deleted stays as it is.
func (s *suite) installKinds() error {
	o := envtest.CRDInstallOptions{Paths: []string{harness.Kinds()}, ErrorIfPathMissing: true}
	if err := envtest.ReadCRDFiles(&o); err != nil {
		return err
	}
	for _, k := range o.CRDs {
		if err := client.IgnoreAlreadyExists(s.kube.Create(context.Background(), k)); err != nil {
			return err
		}
	}
	for _, k := range o.CRDs {
		if err := s.served(k.Name); err != nil {
			return err
		}
	}
	return nil
}

// served waits until a kind is served.
func (s *suite) served(name string) error {
	return harness.Poll(context.Background(), patience, func() error {
		k := &apiextensionsv1.CustomResourceDefinition{}
		if err := s.kube.Get(context.Background(), client.ObjectKey{Name: name}, k); err != nil {
			return err
		}
		if !apihelpers.IsCRDConditionTrue(k, apiextensionsv1.Established) {
			return fmt.Errorf("%s is not served: %+v", name, k.Status.Conditions)
		}
		return nil
	})
}

// start runs a provider until stop is called.
func (s *suite) start() {
	registry := prometheus.NewRegistry()
	o := harness.Options(s.cloud.URL)
	o.Log, o.Registry = logging.NewLogrLogger(s.out.Logger()), registry
	// A config waits this long after the deletion of an object that was created with it.
	o.JournalRetention = 20 * time.Second
	stop := harness.StartProvider(s.cfg, o)
	s.stop = func() error {
		s.out.Measure(registry, metrics.Registry)
		s.stop = nil
		return stop()
	}
}

// without calls do while no provider runs. Tests that use it are not parallel.
func (s *suite) without(t *testing.T, do func()) {
	t.Helper()
	if err := s.stop(); err != nil {
		t.Fatalf("the provider did not end well: %v", err)
	}
	defer s.start()
	do()
}
