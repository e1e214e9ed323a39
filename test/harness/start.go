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

// Kinds returns the folder of the CRDs, for tests two folders below the root.
func Kinds() string { return filepath.Join("..", "..", "package", "crds") }

// Client returns a client for the kinds of Kubernetes, CRDs and the kinds of the provider.
func Client(cfg *rest.Config) (client.Client, error) {
	s, err := scheme()
	if err != nil {
		return nil, err
	}
	return client.New(cfg, client.Options{Scheme: s})
}

// scheme returns the scheme that all clients share: a suite in bubbles has thousands of clients.
//
//nolint:gochecknoglobals // It is made once, and never changes.
var scheme = sync.OnceValues(func() (*runtime.Scheme, error) {
	s := runtime.NewScheme()
	return s, errors.Join(clientgoscheme.AddToScheme(s), apiextensionsv1.AddToScheme(s), apis.AddToScheme(s))
})

// slowest is how long a step of the start of an API server may take, on the slowest machine on
// which the tests have to pass.
const slowest = 3 * time.Minute

// endsWithParent makes the programs of test/controlplane end when this process has ended in any
// way, so that a killed run leaves no process behind.
const endsWithParent = "CONTROLPLANE_ENDS_WITH_PARENT"

// StartAPIServer starts etcd and an API server as env specifies. The rate of its clients is not
// limited. It tries a failed start once more: envtest waits five seconds for the default
// namespace, which is too short for a machine that stalls.
func StartAPIServer(env *envtest.Environment) (cfg *rest.Config, end func() error, err error) {
	// envtest passes the environment of this process to its processes.
	if err := os.Setenv(endsWithParent, "1"); err != nil {
		return nil, nil, err
	}
	env.ControlPlaneStartTimeout, env.ControlPlaneStopTimeout = slowest, slowest
	env.CRDInstallOptions.MaxTime = slowest
	// Without it, a server that stops keeps its watches open for a minute.
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

// acceptToken makes the API server of env accept a bearer token as that of an administrator.
// envtest uses a client certificate, which the API server would verify for each request: this
// takes 7% of its time.
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
	// Dir is the folder of the data. A second start finds the data again.
	Dir string
	// Controllers are the controllers to run, in the form of the flag of kube-controller-manager.
	// "" stands for those that the life cycle of objects needs.
	Controllers string
}

// Kubeconfig returns the path of the kubeconfig of an administrator.
func (c ControlPlane) Kubeconfig() string { return filepath.Join(c.Dir, "kubeconfig") }

// errEarlyEnd is the reason to start a control plane once more.
var errEarlyEnd = errors.New("the control plane ended before it was ready")

// Start returns when the control plane answers. The rate of its clients is not limited. A control
// plane that ends early is started once more: the start of the API server may take half a minute
// at most, which is too short for a machine that stalls.
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

// A Cloud is a simulator that is served over HTTP. End returns an error for each exchange that
// the official document does not allow.
type Cloud struct {
	Sim *simulator.Server
	// URL is the URL of the API.
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

// End stops the server. It returns the violations of the official document.
func (c *Cloud) End() error {
	c.server.Close()
	return c.violations.all()
}

// violations are violations of the official document.
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

// Options returns the options of a provider for tests. It finds drift within a second, does not
// listen, does not log, has a metrics registry of its own, and may take three minutes to stop.
func Options(url string) provider.Options {
	return provider.Options{
		Version: "test", CloudflareAPIURL: url, DriftInterval: time.Second, ResourceInterval: time.Second, Poll: time.Hour, MaxReconcileRate: 100,
		MetricsBindAddress: "0", HealthProbeBindAddress: "0",
		Log: logging.NewNopLogger(), Registry: prometheus.NewRegistry(), Embedded: true, ShutdownGrace: slowest,
	}
}

// A Mortal is a provider that can be killed.
type Mortal struct {
	// Stop stops the provider, as the function that StartProvider returns does.
	Stop func() error

	cancel context.CancelFunc
	cut    atomic.Bool
	mu     sync.Mutex
	losing []func(*http.Request) bool
}

// Lose makes requests to the Kubernetes API fail from now on if lost returns true for them. After
// Kill, all requests fail.
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

// Kill ends the provider as if its process was killed. From then on it records nothing in the
// Kubernetes API, even if Cloudflare still answers. Kill does not wait for these answers.
func (m *Mortal) Kill() {
	m.cut.Store(true)
	m.cancel()
}

// errKilled is the error of requests to the Kubernetes API after Kill.
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

// StartProvider starts a provider, and returns the function that stops it. That function returns
// when the provider has ended. A second call returns the same error.
func StartProvider(cfg *rest.Config, o provider.Options) (stop func() error) {
	ctx, cancel := context.WithCancel(context.Background())
	return run(ctx, cancel, rest.CopyConfig(cfg), o)
}

// run starts a provider with a configuration that it may change, and returns the function that
// stops it.
func run(ctx context.Context, cancel context.CancelFunc, cfg *rest.Config, o provider.Options) (stop func() error) {
	done := make(chan error, 1)
	go func() { done <- provider.Run(ctx, cfg, o) }()
	return sync.OnceValue(func() error {
		cancel()
		return <-done
	})
}
