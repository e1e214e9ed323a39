// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package kinds

import (
	"errors"
	"flag"
	"os"
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

	"github.com/provider-cloudflare/provider-cloudflare/internal/cfsim"
	"github.com/provider-cloudflare/provider-cloudflare/test/harness"
	"github.com/provider-cloudflare/provider-cloudflare/test/leak"
)

// interval is how often drift is looked for, and settle how long the absence of what an
// unanswered creation may have made is not believed.
const (
	interval = time.Second
	settle   = 3 * time.Second
)

// suite is what all tests share.
type suite struct {
	kube client.Client
	cfg  *rest.Config
	sim  *cfsim.Server
	url  string
	logs *logBook
	// hidden are the secrets of all worlds.
	hidden hidden

	// provider is the one that runs.
	provider *harness.Mortal
}

// delay is how long DNSSEC, the tenants of custom hostnames, and operations on the items of
// lists take.
const delay = time.Second

// shared is set by TestMain, before any test runs.
var shared *suite

func TestMain(m *testing.M) {
	flag.Parse()
	if flag.Lookup("test.list").Value.String() != "" {
		os.Exit(m.Run())
	}
	// Tests wait more than they work.
	if err := flag.Set("test.parallel", "32"); err != nil {
		panic(err)
	}
	harness.Main(m, runAll)
}

func runAll(m *testing.M) (code int, err error) {
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
	cloud, err := harness.StartCloud(cfsim.Options{DNSSECDelay: delay, TenantDelay: delay, OperationDelay: delay})
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

// start runs a provider.
func (s *suite) start() {
	o := harness.Options(s.url)
	o.ResourceInterval, o.Settle, o.Log = interval, settle, logging.NewLogrLogger(s.logs.logger())
	s.provider = harness.StartMortal(s.cfg, o)
}

// hidden are values that nothing may show.
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

// searchIn is nil if none of the values is in what was logged, and with it in no event.
func (h *hidden) searchIn(lines []string) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	secrets, record := &leak.Secrets{}, &leak.Record{}
	// URLs that are secret are in a zone. The last letters of its name, of which there are few, are
	// by chance those of another world's zone.
	// The first line of a certificate begins as that of a request for one, which a Secret may have.
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

// all gives every line so far.
func (b *logBook) all() []string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return append([]string(nil), b.lines...)
}
