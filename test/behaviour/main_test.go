// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package behaviour

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/crossplane/crossplane-runtime/v2/pkg/logging"
	"github.com/go-logr/logr"
	"github.com/go-logr/logr/funcr"
	"github.com/prometheus/client_golang/prometheus"
	"k8s.io/client-go/rest"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/envtest"

	"github.com/provider-cloudflare/provider-cloudflare/internal/cfsim"
	"github.com/provider-cloudflare/provider-cloudflare/test/harness"
	"github.com/provider-cloudflare/provider-cloudflare/test/leak"
)

// driftInterval is short, so that tests of drift need not wait a minute.
const driftInterval = time.Second

// listLag is how far behind a list may be before it is taken at its word.
const listLag = 6 * time.Second

// settle is longer than any list here lags behind.
const settle = 3 * time.Second

// suite is what all tests share.
type suite struct {
	env  *envtest.Environment
	cfg  *rest.Config
	kube client.Client
	sim  *cfsim.Server
	url  string
	logs *logBook
	// out is what else came out.
	out *leak.Output
	// changes is what it logged of its changes.
	changes *changeLog
	// traffic of the provider to the Kubernetes API.
	traffic *traffic
	// lost counts the events that the provider recorded, and that a test waited for in vain.
	lost atomic.Int32

	stop func() error
}

// shared is set by TestMain, before any test runs.
var shared *suite

func TestMain(m *testing.M) {
	flag.Parse()
	if flag.Lookup("test.list").Value.String() != "" {
		os.Exit(m.Run())
	}
	// Tests wait more than they work. Of what a fuzz target does, a provider does one
	// thing after the other.
	parallel := "12"
	if fuzzing() {
		parallel = "1"
	}
	if err := flag.Set("test.parallel", parallel); err != nil {
		panic(err)
	}
	harness.Main(m, run)
}

func run(m *testing.M) (code int, err error) {
	s := &suite{logs: &logBook{}, out: &leak.Output{}, traffic: &traffic{standing: map[string]*interference{}}}
	ctrl.SetLogger(s.logs.logger())
	captureKlog(s.logs)
	end, err := s.startAPIServer()
	if err != nil {
		return 1, err
	}
	defer func() { err = errors.Join(err, end()) }()
	if fuzzing() && !fuzzWorker() {
		return s.fuzz(m)
	}

	if s.kube, err = harness.Client(s.cfg); err != nil {
		return 1, err
	}
	if err := errors.Join(s.out.Watch(s.cfg), s.out.Streams()); err != nil {
		return 1, err
	}
	cloud, err := harness.StartCloud(cfsim.Options{})
	if err != nil {
		return 1, err
	}
	defer func() { err = errors.Join(err, cloud.End()) }()
	s.sim, s.url = cloud.Sim, cloud.URL

	s.changes = &changeLog{out: s.out}
	stopLog, err := s.changes.serve()
	if err != nil {
		return 1, err
	}
	defer stopLog()

	s.start()
	shared = s
	code = m.Run()
	if err := s.stop(); err != nil {
		return 1, err
	}
	return code, errors.Join(s.sweep(), s.lostEvents())
}

// mostLost is how many events may get lost: on a machine whose cores both had other work all the time, four of the
// some hundred that tests wait for did.
const mostLost = 20

// lostEvents says how many events got lost, and is an error where that is more than a busy machine explains.
func (s *suite) lostEvents() error {
	n := s.lost.Load()
	if n > mostLost {
		return fmt.Errorf("%d events that the provider recorded did not reach the API server, want %d at most", n, mostLost)
	}
	fmt.Fprintf(os.Stderr, "%d events that the provider recorded did not reach the API server\n", n)
	return nil
}

// startAPIServer starts an API server with our kinds. A fuzz worker takes that of the
// process that started it.
func (s *suite) startAPIServer() (end func() error, err error) {
	if fuzzWorker() {
		s.cfg, err = ofCoordinator()
		return func() error { return nil }, err
	}
	env := &envtest.Environment{CRDDirectoryPaths: []string{harness.Kinds()}, ErrorIfCRDPathMissing: true}
	s.env = env
	// One that starts again is to be known by the same certificate.
	certs, err := os.MkdirTemp("", "behaviour-")
	if err != nil {
		return nil, err
	}
	env.ControlPlane.GetAPIServer().CertDir = certs
	var stop func() error
	if s.cfg, stop, err = harness.StartAPIServer(env); err != nil {
		return nil, errors.Join(err, os.RemoveAll(certs))
	}
	return func() error { return errors.Join(stop(), os.RemoveAll(certs)) }, nil
}

// start runs a provider until stop is called.
func (s *suite) start() {
	cfg := rest.CopyConfig(s.cfg)
	cfg.Wrap(s.traffic.wrap)
	registry := prometheus.NewRegistry()
	o := harness.Options(s.url)
	o.DriftInterval, o.Settle, o.ChangeLogsSocket, o.AuditLogs = driftInterval, settle, s.changes.socket(), true
	o.Log, o.Registry = logging.NewLogrLogger(s.logs.logger()), registry
	stop := harness.StartProvider(cfg, o)
	s.stop = func() error {
		s.out.Measure(registries(registry)...)
		return stop()
	}
}

// restart ends the provider and runs a new one, as an upgrade does.
func (s *suite) restart(t *testing.T, between func()) {
	t.Helper()
	if err := s.stop(); err != nil {
		t.Fatalf("the provider did not end well: %v", err)
	}
	between()
	s.start()
}

// restartAPIServer stops the Kubernetes API under the running provider, and starts
// it again on the same port.
func (w *world) restartAPIServer() {
	w.t.Helper()
	api := w.env.ControlPlane.GetAPIServer()
	if err := api.Stop(); err != nil {
		w.t.Fatalf("cannot stop the API server: %v", err)
	}
	if err := api.Start(); err != nil {
		w.t.Fatalf("cannot start the API server again: %v", err)
	}
}

// A logBook keeps what the provider logs.
type logBook struct {
	mu    sync.Mutex
	lines []string
}

func (b *logBook) logger() logr.Logger {
	return funcr.New(func(prefix, args string) {
		b.mu.Lock()
		defer b.mu.Unlock()
		b.lines = append(b.lines, prefix+" "+args)
	}, funcr.Options{Verbosity: leak.Verbosity})
}

// all gives every line so far.
func (b *logBook) all() []string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return append([]string(nil), b.lines...)
}
