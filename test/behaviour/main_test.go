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

// listLag is how far behind a list may be before it is taken at its word.
const listLag = 6 * time.Second

// settle is longer than any list here lags behind.
const settle = 3 * time.Second

// suite is an API server, a simulator and a provider: those of one test, whose time is virtual, or, where the
// API server is a real one, those of all tests on it.
type suite struct {
	// env is the real API server, and bubble has one in memory: one of them is nil.
	env    *envtest.Environment
	bubble *harness.Bubble
	cfg    *rest.Config
	kube   client.Client
	sim    *simulator.Server
	url    string
	// transport carries calls to the simulator; nil is http.DefaultTransport.
	transport http.RoundTripper
	logs      *logBook
	// out is what else came out.
	out *leak.Output
	// changes is what it logged of its changes; nil in a bubble.
	changes *changeLog
	// traffic of the provider to the Kubernetes API.
	traffic *traffic
	// lost counts the events that the provider recorded, and that a test waited for in vain.
	lost atomic.Int32

	stop func() error
	// ends are to be called, the last one first, when no test needs the suite any more.
	ends []func() error
}

// realAPIServer is the environment variable that has all tests run on a real API server: REAL_API_SERVER=1.
const realAPIServer = "REAL_API_SERVER"

// emitted is what comes out of the process, whichever test does it: what its libraries log, and its standard
// error. The suite on the real API server adds what comes out of that.
var emitted = struct {
	logs *logBook
	out  *leak.Output
}{&logBook{}, &leak.Output{}}

func TestMain(m *testing.M) {
	flag.Parse()
	if flag.Lookup("test.list").Value.String() != "" {
		os.Exit(m.Run())
	}
	// Tests on a real API server wait more than they work. Of what a fuzz target does, a provider does one
	// thing after the other.
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
	shared.once.Do(func() {}) // It starts no more.
	// Of a real API server everything is seen for as long as it runs.
	return code, errors.Join(shared.stopProvider(), sweep(), shared.end())
}

// shared is the suite on the real API server. It starts when the first test needs it.
var shared onlySuite

type onlySuite struct {
	once sync.Once
	// inUse is locked by each test, and by one that no other may run beside as a writer.
	inUse sync.RWMutex
	*suite
	err error
}

// get starts it, the first time.
func (o *onlySuite) get() (*suite, error) {
	o.once.Do(func() {
		o.suite = &suite{logs: emitted.logs, out: emitted.out, traffic: newTraffic()}
		o.err = o.startOnReal()
	})
	return o.suite, o.err
}

// stopProvider ends the provider, if there is one.
func (o *onlySuite) stopProvider() error {
	if o.suite == nil || o.stop == nil {
		return nil
	}
	err := o.stop()
	o.out.Asked(o.sim.Requests())
	return errors.Join(err, o.lostEvents())
}

// end ends everything else.
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

// inParallel runs a test beside others: in a bubble of its own, unless all are to run on a real API server.
// The kinds are those that it creates objects of beside Records and Zones.
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

// everyKind has a bubble serve all kinds. To count the users of a config whose users are less than before, the
// provider asks whether the API server has other kinds meanwhile, and holds a lock while it waits for its turn to
// ask: of many configs at once, the others would wait for the lock, and no time goes on in a bubble for that.
const everyKind = "every kind"

// undisturbed runs a test that others would disturb, or that disturbs others, such as one that ends the provider. In a
// bubble there are no others.
func undisturbed(t *testing.T, f func(*testing.T), kinds ...string) {
	t.Helper()
	if os.Getenv(realAPIServer) == "1" {
		onReal(t)
		f(t)
		return
	}
	inParallel(t, f, kinds...)
}

// suites are those of the tests that run.
var suites sync.Map

// onReal has a test run on the real API server, which it shares with others.
func onReal(t *testing.T) {
	t.Helper()
	shared.inUse.RLock()
	t.Cleanup(shared.inUse.RUnlock)
	useReal(t)
}

// aloneOnReal is onReal for a test that others there would not survive.
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

// inBubble runs a test whose time is virtual, with a suite of its own.
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
	// What is secret in one bubble must not be an ID in another: what all of them log is searched for both.
	h := fnv.New64a()
	_, _ = h.Write([]byte(t.Name())) // It does not fail.
	harness.InBubble(t, simulator.Options{Seed: h.Sum64()}, start, f, kinds...)
}

// suiteOf gives the suite of a test.
func suiteOf(t *testing.T) *suite {
	t.Helper()
	all, ok := suites.Load(t)
	if !ok {
		t.Fatal("the test has no suite: see inParallel, undisturbed and onReal")
	}
	s, _ := all.(*suite)
	return s
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

// restart ends the provider and runs a new one, as an upgrade does.
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

// logged are the lines that the provider logged, and in a bubble all lines that the libraries of the process did.
func (s *suite) logged() []string {
	if s.bubble == nil {
		return s.logs.all() // The libraries log there.
	}
	return append(s.logs.all(), emitted.logs.all()...)
}

// client makes calls at the simulator that are not the provider's.
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

// all gives every line so far.
func (b *logBook) all() []string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return append([]string(nil), b.lines...)
}
