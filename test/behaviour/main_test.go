// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package behaviour

import (
	"errors"
	"flag"
	"fmt"
	"hash/fnv"
	"net/http"
	"os"
	"slices"
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

	dnsv1alpha1 "github.com/provider-cloudflare/provider-cloudflare/apis/dns/v1alpha1"
	zonev1alpha1 "github.com/provider-cloudflare/provider-cloudflare/apis/zone/v1alpha1"
	"github.com/provider-cloudflare/provider-cloudflare/test/harness"
	"github.com/provider-cloudflare/provider-cloudflare/test/leak"
	"github.com/provider-cloudflare/provider-cloudflare/test/simulator"
)

// driftInterval is short, so that tests of drift need not wait a minute.
const driftInterval = time.Second

// listLag is how long a list may lag behind before its content is trusted.
const listLag = 6 * time.Second

// settle is longer than any list lags behind in these tests.
const settle = 3 * time.Second

// suite is an API server, a simulator and a provider. A test in a bubble has a suite of its own. All tests on the real
// API server share one.
type suite struct {
	// env is the real API server, and bubble has one in memory. One of them is nil.
	env    *envtest.Environment
	bubble *harness.Bubble
	cfg    *rest.Config
	kube   client.Client
	sim    *simulator.Server
	url    string
	// transport carries calls to the simulator. If it is nil, http.DefaultTransport does.
	transport http.RoundTripper
	logs      *logBook
	// out is all other output.
	out *leak.Output
	// changes is the change log of the provider. It is nil in a bubble.
	changes *changeLog
	// traffic is that of the provider to the Kubernetes API.
	traffic *traffic
	// lost counts the events that the provider recorded and for which a test waited in vain.
	lost atomic.Int32

	stop func() error
	// ends are called when no test needs the suite any more, the last one first.
	ends []func() error
}

// realAPIServer is the environment variable that makes all tests run on a real API server: REAL_API_SERVER=1.
const realAPIServer = "REAL_API_SERVER"

// emitted is the output of the process in all tests: the logs of its libraries, and its standard error. The suite on
// the real API server adds its own output.
var emitted = struct {
	logs *logBook
	out  *leak.Output
}{&logBook{}, &leak.Output{}}

func TestMain(m *testing.M) {
	flag.Parse()
	if flag.Lookup("test.list").Value.String() != "" {
		os.Exit(m.Run())
	}
	// Tests on a real API server wait more than they work. A fuzz target needs one provider, and does one thing after
	// the other.
	parallel := "12"
	if fuzzing() {
		parallel = "1"
	}
	if err := flag.Set("test.parallel", parallel); err != nil {
		panic(err)
	}
	harness.PrepareBubbles()
	harness.Main(m, run)
}

func run(m *testing.M) (code int, err error) {
	ctrl.SetLogger(emitted.logs.logger())
	captureKlog(emitted.logs)
	if fuzzing() && !fuzzWorker() {
		return fuzz(m)
	}
	if err := emitted.out.Streams(); err != nil {
		return 1, err
	}
	code = m.Run()
	shared.once.Do(func() {}) // It does not start any more.
	// All output of a real API server is read while it runs.
	return code, errors.Join(shared.stopProvider(), sweep(), shared.end())
}

// shared is the suite on the real API server. It starts when the first test needs it.
var shared onlySuite

type onlySuite struct {
	once sync.Once
	// inUse is locked for reading by each test, and for writing by a test that must run alone.
	inUse sync.RWMutex
	*suite
	err error
}

// get returns the suite. The first call starts it.
func (o *onlySuite) get() (*suite, error) {
	o.once.Do(func() {
		o.suite = &suite{logs: emitted.logs, out: emitted.out, traffic: newTraffic()}
		o.err = o.startOnReal()
	})
	return o.suite, o.err
}

// stopProvider stops the provider, if there is one.
func (o *onlySuite) stopProvider() error {
	if o.suite == nil || o.stop == nil {
		return nil
	}
	err := o.stop()
	o.out.Asked(o.sim.Requests())
	return errors.Join(err, o.lostEvents())
}

// end ends the rest of the suite.
func (o *onlySuite) end() error {
	if o.suite == nil {
		return nil
	}
	var errs []error
	for _, end := range slices.Backward(o.ends) {
		errs = append(errs, end())
	}
	return errors.Join(errs...)
}

// startOnReal starts everything, with a real API server.
func (s *suite) startOnReal() error {
	end, err := s.startAPIServer()
	if err != nil {
		return err
	}
	s.ends = append(s.ends, end)
	if s.kube, err = harness.Client(s.cfg); err != nil {
		return err
	}
	if err := s.out.Watch(s.cfg); err != nil {
		return err
	}
	cloud, err := harness.StartCloud(simulator.Options{})
	if err != nil {
		return err
	}
	s.ends = append(s.ends, cloud.End)
	s.sim, s.url = cloud.Sim, cloud.URL
	s.changes = &changeLog{out: s.out}
	stopLog, err := s.changes.serve()
	if err != nil {
		return err
	}
	s.ends = append(s.ends, func() error {
		stopLog()
		return nil
	})
	s.start()
	return nil
}

// inParallel runs a test in parallel with others: in a bubble of its own, unless all tests run on a real API server.
// kinds are the kinds of its objects, beside Records and Zones.
func inParallel(t *testing.T, f func(*testing.T), kinds ...string) {
	t.Helper()
	t.Parallel()
	if os.Getenv(realAPIServer) == "1" {
		onReal(t)
		f(t)
		return
	}
	inBubble(t, f, kinds...)
}

// everyKind makes a bubble serve all kinds. When a config has fewer users than before, the provider asks the API
// server for new kinds before it counts them. It holds a lock while it waits for its turn to ask. With many configs at
// once, the others wait for that lock, and virtual time stops in a bubble while they do.
const everyKind = "every kind"

// undisturbed runs a test that must not run beside others, such as one that stops the provider. In a bubble there are
// no others.
func undisturbed(t *testing.T, f func(*testing.T), kinds ...string) {
	t.Helper()
	if os.Getenv(realAPIServer) == "1" {
		onReal(t)
		f(t)
		return
	}
	inParallel(t, f, kinds...)
}

// suites are the suites of the running tests.
var suites sync.Map

// onReal makes a test run on the real API server, which it shares with others.
func onReal(t *testing.T) {
	t.Helper()
	shared.inUse.RLock()
	t.Cleanup(shared.inUse.RUnlock)
	useReal(t)
}

// aloneOnReal is onReal for a test that must run alone.
func aloneOnReal(t *testing.T) {
	t.Helper()
	shared.inUse.Lock()
	t.Cleanup(shared.inUse.Unlock)
	useReal(t)
}

func useReal(t *testing.T) {
	t.Helper()
	s, err := shared.get()
	if err != nil {
		t.Fatal(err)
	}
	suites.Store(t, s)
	t.Cleanup(func() { suites.Delete(t) })
}

// inBubble runs a test with virtual time and a suite of its own.
func inBubble(t *testing.T, f func(*testing.T), kinds ...string) {
	t.Helper()
	start := func(t *testing.T, b *harness.Bubble) (stop func() error) {
		t.Helper()
		s := &suite{
			logs: &logBook{}, out: &leak.Output{}, traffic: newTraffic(),
			bubble: b, cfg: b.Config, kube: b.Kube, sim: b.Cloud.Sim, url: b.Cloud.URL, transport: b.Cloud.Transport,
		}
		suites.Store(t, s)
		t.Cleanup(func() {
			suites.Delete(t)
			if err := s.sweep(); err != nil {
				t.Error(err)
			}
		})
		s.start()
		return func() error { return s.stop() }
	}
	kinds = append(kinds, dnsv1alpha1.RecordKind, zonev1alpha1.ZoneKind)
	if slices.Contains(kinds, everyKind) {
		kinds = nil
	}
	// A secret of one bubble must not be an ID in another, as the log of all bubbles is searched for the secrets of
	// all.
	h := fnv.New64a()
	_, _ = h.Write([]byte(t.Name())) // It does not fail.
	harness.InBubble(t, simulator.Options{Seed: h.Sum64()}, start, f, kinds...)
}

// suiteOf returns the suite of a test.
func suiteOf(t *testing.T) *suite {
	t.Helper()
	all, ok := suites.Load(t)
	if !ok {
		t.Fatal("the test has no suite: see inParallel, undisturbed and onReal")
	}
	s, _ := all.(*suite)
	return s
}

// mostLost is the number of events that may get lost. With both cores of a machine busy all the time, four of some
// hundred events were lost.
const mostLost = 20

// lostEvents prints how many events got lost. It returns an error if the number is more than a busy machine explains.
func (s *suite) lostEvents() error {
	n := s.lost.Load()
	if n > mostLost {
		return fmt.Errorf("%d events that the provider recorded did not reach the API server, want %d at most", n, mostLost)
	}
	fmt.Fprintf(os.Stderr, "%d events that the provider recorded did not reach the API server\n", n)
	return nil
}

// startAPIServer starts an API server with the kinds of the provider. A fuzz worker uses that of the process that
// started it.
func (s *suite) startAPIServer() (end func() error, err error) {
	if fuzzWorker() {
		s.cfg, err = ofCoordinator()
		return func() error { return nil }, err
	}
	env := &envtest.Environment{CRDDirectoryPaths: []string{harness.Kinds()}, ErrorIfCRDPathMissing: true}
	s.env = env
	// After a restart, the server has to use the same certificate.
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
	o.DriftInterval, o.Settle, o.AuditLogs = driftInterval, settle, true
	o.Log, o.Registry, o.CloudflareTransport = logging.NewLogrLogger(s.logs.logger()), registry, s.transport
	if s.changes != nil {
		o.ChangeLogsSocket = s.changes.socket()
	}
	stop := harness.StartProvider(cfg, o)
	s.stop = func() error {
		s.out.Measure(registries(registry)...)
		return stop()
	}
}

// restart stops the provider and starts a new one, as an upgrade does.
func (s *suite) restart(t *testing.T, between func()) {
	t.Helper()
	stop := s.stop
	if s.bubble != nil {
		stop = func() error { return s.bubble.Stop(s.stop) }
	}
	if err := stop(); err != nil {
		t.Fatalf("the provider did not end well: %v", err)
	}
	between()
	s.start()
}

// restartAPIServer stops the API server under the running provider, and starts it again on the same port.
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

// logged returns the log lines of the provider. In a bubble it adds all log lines of the libraries of the process.
func (s *suite) logged() []string {
	if s.bubble == nil {
		return s.logs.all() // The libraries log there.
	}
	return append(s.logs.all(), emitted.logs.all()...)
}

// client returns a client for calls that are not those of the provider.
func (s *suite) client() *http.Client { return &http.Client{Transport: s.transport} }

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

// all returns all lines so far.
func (b *logBook) all() []string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return append([]string(nil), b.lines...)
}
