// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package kinds

import (
	"errors"
	"flag"
	"net/http"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/crossplane/crossplane-runtime/v2/pkg/logging"
	"github.com/go-logr/logr"
	"github.com/go-logr/logr/funcr"
	"k8s.io/client-go/rest"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/envtest"

	"github.com/provider-cloudflare/provider-cloudflare/test/harness"
	"github.com/provider-cloudflare/provider-cloudflare/test/leak"
	"github.com/provider-cloudflare/provider-cloudflare/test/manifest"
	"github.com/provider-cloudflare/provider-cloudflare/test/simulator"
)

// interval is the time between two looks for drift. settle is the time after an unanswered creation in
// which the absence of its resource is not trusted.
const (
	interval = time.Second
	settle   = 3 * time.Second
)

// suite is an API server, a simulator and a provider. Each test in a bubble has a suite of its own. With a
// real API server, all tests share one.
type suite struct {
	kube client.Client
	cfg  *rest.Config
	// bubble is nil if the API server is a real one.
	bubble *harness.Bubble
	sim    *simulator.Server
	url    string
	// transport carries calls to the simulator. If it is nil, http.DefaultTransport does.
	transport http.RoundTripper
	// wire is the transport of a bubble.
	wire *wire
	logs *logBook
	// hidden are the secrets of all worlds.
	hidden hidden

	// provider is the provider that runs.
	provider *harness.Mortal
}

// delay is how long these take: DNSSEC, the tenants of custom hostnames, and operations on the items of
// lists.
const delay = time.Second

// realAPIServer is the environment variable that makes the tests run on a real API server:
// REAL_API_SERVER=1.
const realAPIServer = "REAL_API_SERVER"

// shared is set by TestMain, before any test runs, if the API server is a real one. bubbles are the suites
// of the tests that run in a bubble.
var (
	shared  *suite
	bubbles sync.Map
)

func TestMain(m *testing.M) {
	flag.Parse()
	harness.PrepareBubbles()
	if os.Getenv(realAPIServer) != "1" || flag.Lookup("test.list").Value.String() != "" {
		os.Exit(m.Run())
	}
	// Tests wait more than they work.
	if err := flag.Set("test.parallel", "32"); err != nil {
		panic(err)
	}
	harness.Main(m, runOnReal)
}

func runOnReal(m *testing.M) (code int, err error) {
	s := &suite{logs: &logBook{}}
	ctrl.SetLogger(s.logs.logger())
	env := &envtest.Environment{CRDDirectoryPaths: []string{harness.Kinds()}, ErrorIfCRDPathMissing: true}
	cfg, end, err := harness.StartAPIServer(env)
	if err != nil {
		return 1, err
	}
	defer func() { err = errors.Join(err, end()) }()
	s.cfg = cfg
	if s.kube, err = harness.Client(cfg); err != nil {
		return 1, err
	}
	cloud, err := harness.StartCloud(simulated())
	if err != nil {
		return 1, err
	}
	defer func() { err = errors.Join(err, cloud.End()) }()
	s.sim, s.url = cloud.Sim, cloud.URL
	s.start()
	shared = s
	code = m.Run()
	return code, errors.Join(s.provider.Stop(), s.hidden.searchIn(s.logs.all()))
}

func simulated() simulator.Options {
	return simulator.Options{DNSSECDelay: delay, TenantDelay: delay, OperationDelay: delay}
}

// inParallel runs a test in parallel with others: in a bubble of its own, unless the API server is a real
// one. kinds are the kinds of its objects. Without kinds, the test has all of them, which takes longer.
func inParallel(t *testing.T, f func(*testing.T), kinds ...string) {
	t.Helper()
	t.Parallel()
	if shared != nil {
		f(t)
		return
	}
	inBubble(t, f, kinds...)
}

// inBubble runs a test with virtual time and a suite of its own, which has these kinds.
func inBubble(t *testing.T, f func(*testing.T), kinds ...string) {
	t.Helper()
	start := func(t *testing.T, b *harness.Bubble) (stop func() error) {
		t.Helper()
		s := &suite{
			logs: &logBook{}, bubble: b, kube: b.Kube, cfg: b.Config,
			sim: b.Cloud.Sim, url: b.Cloud.URL, wire: &wire{RoundTripper: b.Cloud.Transport},
		}
		s.transport = s.wire
		bubbles.Store(t, s)
		t.Cleanup(func() {
			bubbles.Delete(t)
			if err := s.hidden.searchIn(s.logs.all()); err != nil {
				t.Error(err)
			}
		})
		s.start()
		return func() error { return s.provider.Stop() }
	}
	harness.InBubble(t, simulated(), start, f, kinds...)
}

// A wire is a transport that can run a function before a call.
type wire struct {
	http.RoundTripper

	mu     sync.Mutex
	before func(*http.Request)
}

// interrupt makes the wire call f before each call, until the next interrupt. f may make calls itself.
func (w *wire) interrupt(f func(*http.Request)) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.before = f
}

// RoundTrip implements http.RoundTripper.
func (w *wire) RoundTrip(r *http.Request) (*http.Response, error) {
	w.mu.Lock()
	before := w.before
	w.mu.Unlock()
	if before != nil {
		before(r)
	}
	return w.RoundTripper.RoundTrip(r)
}

// suiteOf returns the suite of a test.
func suiteOf(t *testing.T) *suite {
	t.Helper()
	if s, ok := bubbles.Load(t); ok {
		own, _ := s.(*suite)
		return own
	}
	if shared == nil {
		t.Fatal("the test is in no bubble: see inParallel")
	}
	return shared
}

// kindsOf returns the kinds of the objects in the example of a kind.
func kindsOf(t *testing.T, kind string) []string {
	t.Helper()
	all, err := examples("example.com", "default").Of(kind)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, o := range all {
		out = append(out, o.GetKind())
	}
	return out
}

// examples returns the examples of the kinds, for a zone and a namespace.
func examples(zone, namespace string) manifest.Examples {
	return manifest.Examples{Folder: filepath.Join("..", "..", "examples"), Zone: zone, Namespace: namespace}
}

// start starts a provider.
func (s *suite) start() {
	o := harness.Options(s.url)
	o.ResourceInterval, o.Settle, o.Log, o.CloudflareTransport = interval, settle, logging.NewLogrLogger(s.logs.logger()), s.transport
	s.provider = harness.StartMortal(s.cfg, o)
}

// kill kills the provider, in a bubble, and returns when it has ended.
func (s *suite) kill() {
	_ = s.bubble.Stop(func() error { // A killed provider ends with an error.
		s.provider.Kill()
		return s.provider.Stop()
	})
	<-time.After(patience)
}

// stop stops the provider, in a bubble.
func (s *suite) stop() error {
	err := s.bubble.Stop(s.provider.Stop)
	<-time.After(patience) // Events that are under way arrive, or the attempts to send them end.
	return err
}

// hidden are values that no output may show.
type hidden struct {
	mu     sync.Mutex
	values map[string]struct{}
}

func (h *hidden) add(values ...string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.values == nil {
		h.values = map[string]struct{}{}
	}
	for _, v := range values {
		h.values[v] = struct{}{}
	}
}

// searchIn returns nil if none of the values is in the log lines. The events are in the log, too.
func (h *hidden) searchIn(lines []string) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	secrets, record := &leak.Secrets{}, &leak.Record{}
	// Secret URLs contain the name of a zone. The last letters of that name are few, and by chance equal
	// those of the zone of another world. The first line of a certificate begins like that of a certificate
	// request, which a Secret may contain.
	record.Public(zoneSuffix, "-----BEGIN CERTIFICATE-----")
	for v := range h.values {
		secrets.Add(v)
	}
	for _, line := range lines {
		record.Keep("log", line)
	}
	var errs []error
	for _, f := range record.Search(secrets) {
		errs = append(errs, errors.New(f.String()))
	}
	return errors.Join(errs...)
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

// all returns all lines so far.
func (b *logBook) all() []string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return append([]string(nil), b.lines...)
}
