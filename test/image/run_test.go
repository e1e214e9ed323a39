// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package image

import (
	"archive/tar"
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	stdruntime "runtime"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"
	"github.com/go-logr/logr"
	authenticationv1 "k8s.io/api/authentication/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/wait"
	clientgoscheme "k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/rest"
	"k8s.io/utils/ptr"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/envtest"

	"github.com/provider-cloudflare/provider-cloudflare/apis"
	dnsv1alpha1 "github.com/provider-cloudflare/provider-cloudflare/apis/dns/v1alpha1"
	cfv1alpha1 "github.com/provider-cloudflare/provider-cloudflare/apis/v1alpha1"
	"github.com/provider-cloudflare/provider-cloudflare/test/harness"
	"github.com/provider-cloudflare/provider-cloudflare/test/manifest"
	"github.com/provider-cloudflare/provider-cloudflare/test/simulator"
	"github.com/provider-cloudflare/provider-cloudflare/test/simulator/openapi"
)

const (
	patience  = 3 * time.Minute
	namespace = "crossplane-system"
)

// TestRun runs the image like a pod with a hardened security context: its files and those of a
// service account are read-only, the user is another one, and there are no capabilities. It
// finds the API server as in a pod, becomes the leader, and creates a record.
func TestRun(t *testing.T) {
	ctrl.SetLogger(logr.Discard())
	cfg, kube := cluster(t)
	sim := simulator.New(simulator.Options{})
	srv := httptest.NewServer(openapi.StrictHandler(t, sim))
	t.Cleanup(srv.Close)

	dir := t.TempDir()
	ofCheckout(t, stdruntime.GOARCH).extract(t, dir)
	serviceAccount(t, kube, cfg, filepath.Join(dir, "var", "run", "secrets", "kubernetes.io", "serviceaccount"))
	probes := harness.FreeAddress(t)
	p := start(t, confine(t, dir, inPod(t, cfg),
		"--cloudflare-api-url="+srv.URL+simulator.BasePath, "--drift-interval=1s", "--leader-election",
		"--metrics-bind-address="+harness.FreeAddress(t), "--health-probe-bind-address="+probes))
	for _, path := range []string{"/healthz", "/readyz"} {
		p.eventually(func() error { return ok(t, "http://"+probes+path) })
	}
	p.is(t, map[string]string{
		"Uid": strings.Repeat(fmt.Sprintf("\t%d", inHost()), 4), "CapEff": "\t0000000000000000", "CapPrm": "\t0000000000000000",
		"CapAmb": "\t0000000000000000", "NoNewPrivs": "\t1",
	})

	r := objects(t, kube, sim)
	p.eventually(func() error {
		if err := kube.Get(t.Context(), client.ObjectKeyFromObject(r), r); err != nil {
			return err
		}
		if c := r.GetCondition(xpv2.TypeReady); c.Status != corev1.ConditionTrue {
			return fmt.Errorf("Ready is %+v, Synced %+v", c, r.GetCondition(xpv2.TypeSynced))
		}
		return nil
	})
	p.stop()
}

// inHost returns the user ID of the program outside of its user namespace.
func inHost() int {
	if os.Geteuid() == 0 {
		return arbitrary
	}
	return os.Geteuid()
}

// cluster returns an API server on which the provider has the rights of cluster/rbac.
func cluster(t *testing.T) (*rest.Config, client.Client) {
	t.Helper()
	env := &envtest.Environment{CRDDirectoryPaths: []string{filepath.Join(root, "package", "crds")}, ErrorIfCRDPathMissing: true}
	cfg, end, err := harness.StartAPIServer(env)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := end(); err != nil {
			t.Errorf("cannot stop the API server: %v", err)
		}
	})
	scheme := runtime.NewScheme()
	if err := errors.Join(clientgoscheme.AddToScheme(scheme), apis.AddToScheme(scheme)); err != nil {
		t.Fatal(err)
	}
	kube, err := client.New(cfg, client.Options{Scheme: scheme})
	if err != nil {
		t.Fatal(err)
	}
	if err := kube.Create(t.Context(), &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: namespace}}); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"provider.yaml", "kinds.yaml"} { // A kind that cannot be listed delays the others.
		roles, err := manifest.Read(filepath.Join(root, "cluster", "rbac", name))
		if err != nil {
			t.Fatal(err)
		}
		for _, o := range roles {
			if err := kube.Create(t.Context(), o); err != nil {
				t.Fatal(err)
			}
		}
	}
	return cfg, kube
}

// extract writes the image's files into dir, read-only for others.
func (i image) extract(t *testing.T, dir string) {
	t.Helper()
	for d := dir; d != os.TempDir() && d != "/"; d = filepath.Dir(d) {
		if err := os.Chmod(d, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for _, e := range i.files {
		to := filepath.Join(dir, filepath.FromSlash(e.Name))
		var err error
		if e.Typeflag == tar.TypeDir {
			err = os.MkdirAll(to, 0o755)
		} else {
			err = os.WriteFile(to, e.content, e.FileInfo().Mode())
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

// serviceAccount writes the files of a pod's service account into dir.
func serviceAccount(t *testing.T, kube client.Client, cfg *rest.Config, dir string) {
	t.Helper()
	r := &authenticationv1.TokenRequest{}
	sa := &corev1.ServiceAccount{ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: "provider-cloudflare"}}
	if err := kube.SubResource("token").Create(t.Context(), sa, r); err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	for name, content := range map[string][]byte{"token": []byte(r.Status.Token), "ca.crt": cfg.CAData, "namespace": []byte(namespace)} {
		if err := os.WriteFile(filepath.Join(dir, name), content, 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// inPod returns the environment of a pod.
func inPod(t *testing.T, cfg *rest.Config) []string {
	t.Helper()
	u, err := url.Parse(cfg.Host)
	if err != nil {
		t.Fatal(err)
	}
	if u.Host == "" { // a host without a scheme
		u.Host = cfg.Host
	}
	return []string{"KUBERNETES_SERVICE_HOST=" + u.Hostname(), "KUBERNETES_SERVICE_PORT=" + u.Port()}
}

// A program is the running program of the image.
type program struct {
	t    *testing.T
	cmd  *exec.Cmd
	done chan error

	mu  sync.Mutex
	log bytes.Buffer
}

func start(t *testing.T, cmd *exec.Cmd) *program {
	t.Helper()
	p := &program{t: t, cmd: cmd, done: make(chan error, 1)}
	cmd.Stdout, cmd.Stderr = p, p
	if err := cmd.Start(); err != nil {
		t.Fatalf("cannot start the image; this takes root, or user namespaces (sysctl kernel.apparmor_restrict_unprivileged_userns=0): %v", err)
	}
	go func() { p.done <- cmd.Wait() }()
	t.Cleanup(func() { _ = cmd.Process.Kill() })
	return p
}

// Write keeps the program's output.
func (p *program) Write(b []byte) (int, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.log.Write(b)
}

func (p *program) said() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.log.String()
}

// eventually waits until f returns nil, or the program has ended.
func (p *program) eventually(f func() error) {
	p.t.Helper()
	var last error
	err := wait.PollUntilContextTimeout(p.t.Context(), 50*time.Millisecond, patience, true, func(context.Context) (bool, error) {
		select {
		case err := <-p.done:
			return false, fmt.Errorf("the program has ended: %w", errors.Join(err, errors.New("see below")))
		default:
		}
		last = f()
		return last == nil, nil
	})
	if err != nil {
		p.t.Fatalf("%v: %v\n%s", err, last, p.said())
	}
}

// is compares lines of the program's status in /proc with the expected ones.
func (p *program) is(t *testing.T, want map[string]string) {
	t.Helper()
	raw, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", p.cmd.Process.Pid))
	if err != nil {
		t.Fatal(err)
	}
	found := 0
	for line := range strings.Lines(string(raw)) {
		name, value, _ := strings.Cut(strings.TrimSuffix(line, "\n"), ":")
		w, looked := want[name]
		if !looked {
			continue
		}
		found++
		if value != w {
			t.Errorf("%s of the program is %q, want %q", name, value, w)
		}
	}
	if found != len(want) {
		t.Errorf("the kernel tells %d of %d: %s", found, len(want), raw)
	}
}

func (p *program) stop() {
	p.t.Helper()
	if err := p.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		p.t.Fatal(err)
	}
	if err := <-p.done; err != nil {
		p.t.Errorf("the program did not end well: %v\n%s", err, p.said())
	}
}

func ok(t *testing.T, at string) error {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, at, http.NoBody)
	if err != nil {
		return err
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return errors.New(resp.Status)
	}
	return nil
}

// objects creates a Record in a zone of the simulator, and its provider config.
func objects(t *testing.T, kube client.Client, sim *simulator.Server) *dnsv1alpha1.Record {
	t.Helper()
	z, err := sim.AddZone(sim.AddAccount("Example Inc").ID, "example.com", simulator.ZoneOptions{})
	if err != nil {
		t.Fatal(err)
	}
	token := sim.AddToken(simulator.TokenOptions{Grants: []simulator.Grant{{Permission: simulator.DNSWrite}, {Permission: simulator.ZoneRead}}})
	in := metav1.ObjectMeta{Name: "default", Namespace: "default"}
	pc := &cfv1alpha1.ProviderConfig{ObjectMeta: in, Spec: cfv1alpha1.ProviderConfigSpec{Credentials: cfv1alpha1.Credentials{
		SecretRef: cfv1alpha1.LocalSecretKeySelector{Name: "default", Key: "token"},
	}}}
	r := &dnsv1alpha1.Record{ObjectMeta: in, Spec: dnsv1alpha1.RecordSpec{ForProvider: dnsv1alpha1.RecordParameters{
		ZoneID: ptr.To(z.ID), Name: ptr.To("@"), Type: ptr.To("A"), Content: ptr.To("192.0.2.1"),
	}}}
	r.Spec.ProviderConfigReference = &xpv2.ProviderConfigReference{Kind: "ProviderConfig", Name: "default"}
	for _, o := range []client.Object{&corev1.Secret{ObjectMeta: in, StringData: map[string]string{"token": token}}, pc, r} {
		if err := kube.Create(t.Context(), o); err != nil {
			t.Fatalf("cannot create %T: %v", o, err)
		}
	}
	return r
}
