// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package harness

import (
	"bufio"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/crossplane/crossplane-runtime/v2/pkg/logging"
	"github.com/prometheus/client_golang/prometheus"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/runtime"
	clientgoscheme "k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/envtest"

	"github.com/provider-cloudflare/provider-cloudflare/apis"
	"github.com/provider-cloudflare/provider-cloudflare/internal/provider"
	"github.com/provider-cloudflare/provider-cloudflare/test/simulator"
	"github.com/provider-cloudflare/provider-cloudflare/test/simulator/openapi"
)

// Kinds is the folder of the CRDs, for tests two folders below the root.
func Kinds() string { return filepath.Join("..", "..", "package", "crds") }

// Client knows Kubernetes' kinds, CRDs and ours.
func Client(cfg *rest.Config) (client.Client, error) {
	s, err := scheme()
	if err != nil {
		return nil, err
	}
	return client.New(cfg, client.Options{Scheme: s})
}

// scheme is the one of all clients, of which a suite in bubbles has thousands.
//
//nolint:gochecknoglobals // It is made once, and never changes.
var scheme = sync.OnceValues(func() (*runtime.Scheme, error) {
	s := runtime.NewScheme()
	return s, errors.Join(clientgoscheme.AddToScheme(s), apiextensionsv1.AddToScheme(s), apis.AddToScheme(s))
})

// slowest is how long a step of starting an API server may take on the slowest machine that the
// tests have to pass on.
const slowest = 3 * time.Minute

// endsWithParent makes programs of test/controlplane end when this process has ended, however it
// ends: a run that is killed leaves nothing behind.
const endsWithParent = "CONTROLPLANE_ENDS_WITH_PARENT"

// StartAPIServer starts etcd and an API server as env says. Its clients are not
// limited. A start that fails is tried once more: envtest waits five seconds for the
// default namespace, which is too short for a machine that stalls.
func StartAPIServer(env *envtest.Environment) (cfg *rest.Config, end func() error, err error) {
	// envtest gives its processes this one's environment.
	if err := os.Setenv(endsWithParent, "1"); err != nil {
		return nil, nil, err
	}
	env.ControlPlaneStartTimeout, env.ControlPlaneStopTimeout = slowest, slowest
	env.CRDInstallOptions.MaxTime = slowest
	// Without it, a server that stops lets its watches run for a minute.
	env.ControlPlane.GetAPIServer().Configure().Set("shutdown-watch-termination-grace-period", slowest.String())
	token, removeToken, err := acceptToken(env)
	if err != nil {
		return nil, nil, err
	}
	stop := func() error { return errors.Join(env.Stop(), removeToken()) }
	cfg, err = env.Start()
	if err != nil {
		if stopped := env.Stop(); stopped != nil {
			return nil, nil, fmt.Errorf("cannot start the API server (run the tests with make test): %w", errors.Join(err, stopped, removeToken()))
		}
		cfg, err = env.Start()
	}
	if err != nil {
		return nil, nil, fmt.Errorf("cannot start the API server (run the tests with make test): %w", errors.Join(err, stop()))
	}
	cfg.QPS, cfg.Burst = -1, -1
	cfg.BearerToken, cfg.CertData, cfg.KeyData = token, nil, nil
	return cfg, stop, nil
}

// acceptToken has the API server of env take its bearer for an administrator. envtest gives a
// client certificate, and the API server would verify that for each request: 7% of its time.
func acceptToken(env *envtest.Environment) (token string, remove func() error, err error) {
	dir, err := os.MkdirTemp("", "apiserver-")
	if err != nil {
		return "", nil, fmt.Errorf("cannot make a folder for the token: %w", err)
	}
	token = rand.Text()
	file := filepath.Join(dir, "tokens.csv")
	if err := os.WriteFile(file, []byte(token+`,tests,tests,"system:masters"`+"\n"), 0o600); err != nil {
		return "", nil, fmt.Errorf("cannot write the token: %w", errors.Join(err, os.RemoveAll(dir)))
	}
	env.ControlPlane.GetAPIServer().Configure().Set("token-auth-file", file)
	return token, func() error { return os.RemoveAll(dir) }, nil
}

// InstallCRDs installs the CRDs of files and folders, and waits until they are served.
func InstallCRDs(cfg *rest.Config, paths ...string) error {
	_, err := envtest.InstallCRDs(cfg, envtest.CRDInstallOptions{Paths: paths, ErrorIfPathMissing: true, MaxTime: slowest})
	return err
}

// A ControlPlane is etcd, the API server and the controller manager in one process.
type ControlPlane struct {
	// Dir takes the data, which a second start finds again.
	Dir string
	// Controllers to run, as kube-controller-manager's flag has them; "" for those
	// that lifecycles of objects need.
	Controllers string
}

// Kubeconfig is the file of an administrator.
func (c ControlPlane) Kubeconfig() string { return filepath.Join(c.Dir, "kubeconfig") }

// errEarlyEnd is why a control plane is started once more.
var errEarlyEnd = errors.New("the control plane ended before it was ready")

// Start returns when the control plane answers. Its clients are not limited. One that ends
// early is started once more: what the API server does at its start may take half a minute at
// most, which is too short for a machine that stalls.
func (c ControlPlane) Start() (cfg *rest.Config, end func() error, err error) {
	if cfg, end, err = c.start(); errors.Is(err, errEarlyEnd) {
		return c.start()
	}
	return cfg, end, err
}

func (c ControlPlane) start() (cfg *rest.Config, end func() error, err error) {
	bin := filepath.Join(os.Getenv("KUBEBUILDER_ASSETS"), "controlplane")
	if _, err := os.Stat(bin); err != nil { //nolint:gosec // Whoever runs the tests says where it is.
		return nil, nil, fmt.Errorf("these tests need a whole control plane: "+
			`run them with make test, or with KUBEBUILDER_ASSETS="$(hack/controlplane.sh --full)" (%w)`, err)
	}
	args := []string{"up", "--dir", filepath.Join(c.Dir, "controlplane"), "--kubeconfig", c.Kubeconfig()}
	if c.Controllers != "" {
		args = append(args, "--controllers", c.Controllers)
	}
	cmd := exec.CommandContext(context.Background(), bin, args...) //nolint:gosec // Our own binary.
	cmd.Env = append(os.Environ(), endsWithParent+"=1")
	cmd.Stderr = os.Stderr
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		return nil, nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, nil, fmt.Errorf("cannot start the control plane: %w", err)
	}
	end = func() error { return errors.Join(cmd.Process.Signal(syscall.SIGTERM), cmd.Wait()) }
	if _, err := bufio.NewReader(stdout).ReadString('\n'); err != nil {
		return nil, nil, errors.Join(fmt.Errorf("%w: %w", errEarlyEnd, err), end())
	}
	if cfg, err = clientcmd.BuildConfigFromFlags("", c.Kubeconfig()); err != nil {
		return nil, nil, errors.Join(err, end())
	}
	cfg.QPS, cfg.Burst = -1, -1
	return cfg, end, nil
}

// A Cloud is a simulator that is served. What the official document does not allow
// of the exchanges with it is an error of End.
type Cloud struct {
	Sim *simulator.Server
	// URL of the API.
	URL string

	server     *httptest.Server
	violations violations
}

// StartCloud serves a simulator.
func StartCloud(o simulator.Options) (*Cloud, error) {
	doc, err := openapi.Load()
	if err != nil {
		return nil, err
	}
	c := &Cloud{Sim: simulator.New(o)}
	c.server = httptest.NewServer(doc.WrapStrict(c.Sim, c.violations.add))
	c.URL = c.server.URL + simulator.BasePath
	return c, nil
}

// End stops serving.
func (c *Cloud) End() error {
	c.server.Close()
	return c.violations.all()
}

// violations of the official document.
type violations struct {
	mu   sync.Mutex
	errs []error
}

func (v *violations) add(err error) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.errs = append(v.errs, err)
}

func (v *violations) all() error {
	v.mu.Lock()
	defer v.mu.Unlock()
	return errors.Join(v.errs...)
}

// Options are those of a provider for tests: it finds drift in a second, listens
// nowhere, logs nothing, has metrics of its own, and may take three minutes to end.
func Options(url string) provider.Options {
	return provider.Options{
		Version: "test", CloudflareAPIURL: url, DriftInterval: time.Second, ResourceInterval: time.Second, Poll: time.Hour, MaxReconcileRate: 100,
		MetricsBindAddress: "0", HealthProbeBindAddress: "0",
		Log: logging.NewNopLogger(), Registry: prometheus.NewRegistry(), Embedded: true, ShutdownGrace: slowest,
	}
}

// A Mortal is a provider that can be killed.
type Mortal struct {
	// Stop is that of StartProvider.
	Stop func() error

	cancel context.CancelFunc
	cut    atomic.Bool
	mu     sync.Mutex
	losing []func(*http.Request) bool
}

// Lose has those requests to the Kubernetes API fail from now on for which lost is true, as all
// of them do after Kill.
func (m *Mortal) Lose(lost func(*http.Request) bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.losing = append(m.losing, lost)
}

func (m *Mortal) loses(r *http.Request) bool {
	if m.cut.Load() {
		return true
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	return slices.ContainsFunc(m.losing, func(lost func(*http.Request) bool) bool { return lost(r) })
}

// Kill ends the provider as a process ends that is killed: from then on it records nothing in
// the Kubernetes API, whatever Cloudflare still answers it. Kill does not wait for these answers.
func (m *Mortal) Kill() {
	m.cut.Store(true)
	m.cancel()
}

// errKilled is what a provider that was killed gets from the Kubernetes API.
var errKilled = errors.New("the provider was killed")

// StartMortal runs a provider until it is stopped or killed.
func StartMortal(cfg *rest.Config, o provider.Options) *Mortal {
	m := &Mortal{}
	own := rest.CopyConfig(cfg)
	own.Wrap(func(next http.RoundTripper) http.RoundTripper {
		return roundTripper(func(r *http.Request) (*http.Response, error) {
			if m.loses(r) {
				return nil, errKilled
			}
			return next.RoundTrip(r)
		})
	})
	ctx, cancel := context.WithCancel(context.Background())
	m.cancel = cancel
	m.Stop = run(ctx, cancel, own, o)
	return m
}

type roundTripper func(*http.Request) (*http.Response, error)

func (f roundTripper) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// StartProvider runs a provider until the function that it gives is called, which
// returns when it has ended. A second call returns the same.
func StartProvider(cfg *rest.Config, o provider.Options) (stop func() error) {
	ctx, cancel := context.WithCancel(context.Background())
	return run(ctx, cancel, rest.CopyConfig(cfg), o)
}

// run runs a provider with a configuration of its own, and gives what ends it.
func run(ctx context.Context, cancel context.CancelFunc, cfg *rest.Config, o provider.Options) (stop func() error) {
	done := make(chan error, 1)
	go func() { done <- provider.Run(ctx, cfg, o) }()
	return sync.OnceValue(func() error {
		cancel()
		return <-done
	})
}
