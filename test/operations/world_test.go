// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package operations

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/crossplane/crossplane-runtime/v2/pkg/resource"
	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"
	"github.com/go-logr/logr"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	clientgoscheme "k8s.io/client-go/kubernetes/scheme"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/provider-cloudflare/provider-cloudflare/apis"
	"github.com/provider-cloudflare/provider-cloudflare/test/rig"
	"github.com/provider-cloudflare/provider-cloudflare/test/simulator"
)

const (
	repository = "../.."
	patience   = 3 * time.Minute
	tick       = 50 * time.Millisecond
	version    = "v0.0.0-operations"
)

// A world is a real provider between a real API server and the simulator. It keeps two scrapes
// of the provider's metrics, and objects in every state that an operator may see.
type world struct {
	kube     client.Client
	cp       *rig.ControlPlane
	sim      *simulator.Server
	zone     simulator.Zone
	url      string
	token    string
	provider *rig.Provider
	binary   string

	// before and after are the scrapes before and after the scene.
	before, after string
	// objects are keyed by the names of their states.
	objects map[string]*unstructured.Unstructured
	// applied are the objects that were applied twice from manifests.
	applied []applied
	// log is the provider's standard error.
	log lines
	// changes are those that the provider logged on the socket.
	changes changeLog
	socket  string

	stops []func() error
	gate  atomic.Pointer[gate]
}

// A gate holds the calls of a method back until it is opened.
type gate struct {
	method string
	opened chan struct{}
	held   atomic.Bool
}

// holdBack holds the calls of a method back until open is called.
func (w *world) holdBack(method string) (g *gate, open func()) {
	g = &gate{method: method, opened: make(chan struct{})}
	w.gate.Store(g)
	return g, sync.OnceFunc(func() {
		w.gate.Store(nil)
		close(g.opened)
	})
}

// ServeHTTP forwards calls to the simulator.
func (w *world) ServeHTTP(rw http.ResponseWriter, r *http.Request) {
	if g := w.gate.Load(); g != nil && g.method == r.Method {
		g.held.Store(true)
		<-g.opened
	}
	w.sim.ServeHTTP(rw, r)
}

// shared is set by TestMain, before any test runs.
var shared *world

func TestMain(m *testing.M) {
	code, err := run(m)
	if err != nil {
		fmt.Fprintln(os.Stderr, "outside of the tests:", err) // the format of test/harness
		code = 1
	}
	os.Exit(code)
}

func run(m *testing.M) (code int, err error) {
	ctrl.SetLogger(logr.Discard())
	w := &world{objects: map[string]*unstructured.Unstructured{}}
	defer func() {
		for i := len(w.stops) - 1; i >= 0; i-- {
			err = errors.Join(err, w.stops[i]())
		}
	}()
	ctx, cancel := context.WithTimeoutCause(context.Background(), 3*patience, errors.New("it takes too long to set the scene"))
	defer cancel()
	if err := w.start(ctx); err != nil {
		return 1, err
	}
	if err := w.play(ctx); err != nil {
		return 1, fmt.Errorf("cannot set the scene: %w", err)
	}
	shared = w
	return m.Run(), nil
}

// start starts everything except the provider.
func (w *world) start(ctx context.Context) error {
	dir, err := os.MkdirTemp("", "operations-")
	if err != nil {
		return err
	}
	w.stops = append(w.stops, func() error { return os.RemoveAll(dir) })
	w.binary = filepath.Join(dir, "provider")
	// "make build" uses the same flags, and so the same cache.
	build := exec.CommandContext(ctx, "go", "build", "-trimpath", "-ldflags", "-s -w -X main.version="+version, "-o", w.binary, "./cmd/provider")
	build.Dir, build.Env = repository, append(os.Environ(), "CGO_ENABLED=0", "GOWORK=off")
	if out, err := build.CombinedOutput(); err != nil {
		return fmt.Errorf("cannot build the provider: %w\n%s", err, out)
	}
	assets := os.Getenv("KUBEBUILDER_ASSETS")
	if assets == "" {
		return errors.New("KUBEBUILDER_ASSETS is not set (run the tests with make test)")
	}
	w.cp, err = rig.StartControlPlane(ctx, rig.ControlPlaneSpec{
		Assets: assets, Dir: filepath.Join(dir, "controlplane"), Kinds: []string{filepath.Join(repository, "package", "crds")}, Patience: patience,
	}, func(error) {})
	if err != nil {
		return err
	}
	w.stops = append(w.stops, w.cp.Stop)
	scheme := runtime.NewScheme()
	if err := errors.Join(clientgoscheme.AddToScheme(scheme), apis.AddToScheme(scheme)); err != nil {
		return err
	}
	if w.kube, err = client.New(w.cp.Config, client.Options{Scheme: scheme}); err != nil {
		return err
	}
	if err := w.listenForChanges(ctx, dir); err != nil {
		return err
	}
	w.sim = simulator.New(simulator.Options{})
	srv := httptest.NewServer(w)
	w.url = srv.URL + simulator.BasePath
	w.stops = append(w.stops, func() error { srv.Close(); return nil })
	return nil
}

// startProvider starts the provider as a process.
func (w *world) startProvider(ctx context.Context) error {
	p, err := rig.StartProvider(ctx, rig.ProviderSpec{
		Binary: w.binary, Kubeconfig: w.cp.Kubeconfig, APIURL: w.url, Log: &w.log,
		Args: []string{"--drift-interval=1s", "--resource-interval=1s", "--leader-election", "--leader-election-namespace=default", "--enable-changelogs", "--changelogs-socket=" + w.socket},
	}, func(error) {})
	if err != nil {
		return err
	}
	w.provider = p
	w.stops = append(w.stops, p.Stop)
	return nil
}

// scrape returns the text of the provider's metrics.
func (w *world) scrape(ctx context.Context) (string, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, w.provider.MetricsURL, http.NoBody)
	if err != nil {
		return "", err
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return "", err
	}
	defer func() { _ = resp.Body.Close() }()
	raw, err := io.ReadAll(resp.Body)
	return string(raw), err
}

// until waits until an object has a condition with that status and, unless it is "", that
// reason. The condition must be about the current generation.
func (w *world) until(ctx context.Context, o client.Object, c xpv2.ConditionType, status corev1.ConditionStatus, reason xpv2.ConditionReason) error {
	conditioned, ok := o.(resource.Conditioned)
	if !ok {
		return fmt.Errorf("%T has no conditions", o)
	}
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	return rig.Until(ctx, tick, func(ctx context.Context) error {
		// The read must not end with ctx: after a timeout, the error has the state of the
		// object.
		if err := w.kube.Get(context.WithoutCancel(ctx), client.ObjectKeyFromObject(o), o); err != nil {
			return err
		}
		got := conditioned.GetCondition(c)
		if got.Status != status || (reason != "" && got.Reason != reason) || got.ObservedGeneration != o.GetGeneration() {
			return fmt.Errorf("%s of %s is %s %s at %d: %s", c, o.GetName(), got.Status, got.Reason, got.ObservedGeneration, got.Message)
		}
		return nil
	})
}

// keep stores the current version of an object under the name of its state.
func (w *world) keep(ctx context.Context, state string, o client.Object) error {
	gvk, err := w.kube.GroupVersionKindFor(o)
	if err != nil {
		return err
	}
	u := &unstructured.Unstructured{}
	u.SetGroupVersionKind(gvk)
	if err := w.kube.Get(ctx, client.ObjectKeyFromObject(o), u); err != nil {
		return fmt.Errorf("cannot keep %s: %w", state, err)
	}
	w.objects[state] = u
	return nil
}

func secret(name, token string) *corev1.Secret {
	return &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Name: name, Namespace: "default"}, StringData: map[string]string{"token": token}}
}
