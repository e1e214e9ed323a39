// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package rig

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"time"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
	clientcmdapi "k8s.io/client-go/tools/clientcmd/api"
	"k8s.io/client-go/util/cert"
	"k8s.io/client-go/util/keyutil"
	"sigs.k8s.io/controller-runtime/pkg/envtest"
)

// A ControlPlane is a running Kubernetes API.
type ControlPlane struct {
	// Config is an administrator's, without a client-side rate limit.
	Config     *rest.Config
	Kubeconfig string

	spec        ControlPlaneSpec
	address     string // the API server's
	args        []string
	etcd        *Process
	server      *Process
	controllers *controllers // nil if there are none
	kinds       []*apiextensionsv1.CustomResourceDefinition
	ended       func(error)
}

// A ControlPlaneSpec describes a control plane.
type ControlPlaneSpec struct {
	// Assets is the folder with etcd and kube-apiserver.
	Assets string
	// Dir has data, certificates and logs.
	Dir string
	// Kinds are files and folders of CRDs to install.
	Kinds []string
	// Patience is the most time that a start may take.
	Patience time.Duration
	// Controllers are those of Kubernetes to run, by their names in kube-controller-manager.
	// They need a kube-controller-manager in Assets.
	Controllers []string
}

// StartControlPlane starts etcd, kube-apiserver and the controllers of the spec, each as a
// process, and installs the kinds. It returns when they answer. It calls ended when a process
// ends that was not stopped.
func StartControlPlane(ctx context.Context, spec ControlPlaneSpec, ended func(error)) (*ControlPlane, error) {
	if err := os.MkdirAll(spec.Dir, 0o700); err != nil {
		return nil, fmt.Errorf("cannot make a folder for the control plane: %w", err)
	}
	c := &ControlPlane{spec: spec, Kubeconfig: filepath.Join(spec.Dir, "kubeconfig"), ended: ended}
	if err := c.startAll(ctx); err != nil {
		return nil, errors.Join(fmt.Errorf("cannot start the control plane: %w", err), c.Stop())
	}
	return c, nil
}

func (c *ControlPlane) startAll(ctx context.Context) error {
	etcd, err := c.startEtcd(ctx)
	if err != nil {
		return err
	}
	if c.address, err = FreeAddress(ctx); err != nil {
		return err
	}
	if err := c.prepareServer(etcd); err != nil {
		return err
	}
	if err := c.StartServer(ctx); err != nil {
		return err
	}
	if err := c.installKinds(); err != nil {
		return err
	}
	return c.startControllers(ctx)
}

// StartWholeControlPlane starts the program that also has the garbage collector and the
// namespace controller, so that objects are deleted as in a cluster. Its parts cannot be
// stopped separately. If it ends before it is ready, StartWholeControlPlane starts it once
// more: the start of the API server has a limit of half a minute, which is too short for a
// machine that stalls.
func StartWholeControlPlane(ctx context.Context, spec ControlPlaneSpec, ended func(error)) (*ControlPlane, error) {
	c, err := startWholeOnce(ctx, spec, ended)
	if errors.Is(err, errEarlyEnd) {
		return startWholeOnce(ctx, spec, ended)
	}
	return c, err
}

func startWholeOnce(ctx context.Context, spec ControlPlaneSpec, ended func(error)) (*ControlPlane, error) {
	if err := os.MkdirAll(spec.Dir, 0o700); err != nil {
		return nil, fmt.Errorf("cannot make a folder for the control plane: %w", err)
	}
	c := &ControlPlane{spec: spec, Kubeconfig: filepath.Join(spec.Dir, "kubeconfig"), ended: ended}
	if err := c.startWhole(ctx); err != nil {
		return nil, errors.Join(fmt.Errorf("cannot start the control plane (%s): %w", c.path(wholeLog), err), c.Stop())
	}
	return c, nil
}

// wholeLog has the program's standard error.
const wholeLog = "stderr.log"

func (c *ControlPlane) startWhole(ctx context.Context) error {
	log, err := c.log(wholeLog)
	if err != nil {
		return err
	}
	defer func() { _ = log.Close() }() // The process has its own descriptor.
	first := NewFirstLine()
	c.server, err = Start(ctx, Command{
		Path: filepath.Join(c.spec.Assets, "controlplane"),
		Args: []string{"up", "--dir", c.spec.Dir, "--kubeconfig", c.Kubeconfig}, Stdout: first, Stderr: log,
	}, c.ended)
	if err != nil {
		return err
	}
	if _, err := first.wait(ctx, c.server); err != nil {
		return err
	}
	if c.Config, err = clientcmd.BuildConfigFromFlags("", c.Kubeconfig); err != nil {
		return fmt.Errorf("cannot read the kubeconfig: %w", err)
	}
	c.Config.QPS = -1
	return c.installKinds()
}

// HasWhole reports whether a folder has the program of StartWholeControlPlane.
func HasWhole(assets string) bool {
	_, err := os.Stat(filepath.Join(assets, "controlplane"))
	return err == nil
}

func (c *ControlPlane) path(name string) string { return filepath.Join(c.spec.Dir, name) }

// log opens a log for appending.
func (c *ControlPlane) log(name string) (*os.File, error) {
	f, err := os.OpenFile(c.path(name), os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
	if err != nil {
		return nil, fmt.Errorf("cannot log: %w", err)
	}
	return f, nil
}

// start starts a component that appends to a log of its own.
func (c *ControlPlane) start(ctx context.Context, name string, args []string, ended func(error)) (*Process, error) {
	log, err := c.log(name + ".log")
	if err != nil {
		return nil, err
	}
	p, err := Start(ctx, Command{Path: filepath.Join(c.spec.Assets, name), Args: args, Stdout: log, Stderr: log}, ended)
	_ = log.Close() // The process has its own descriptor.
	return p, err
}

func (c *ControlPlane) startEtcd(ctx context.Context) (url string, err error) {
	clients, err := FreeAddress(ctx)
	if err != nil {
		return "", err
	}
	peers, err := FreeAddress(ctx)
	if err != nil {
		return "", err
	}
	url = "http://" + clients
	c.etcd, err = c.start(ctx, "etcd", []string{
		"--data-dir", c.path("etcd"), "--unsafe-no-fsync",
		"--listen-client-urls", url, "--advertise-client-urls", url,
		"--listen-peer-urls", "http://" + peers, "--initial-advertise-peer-urls", "http://" + peers,
		"--initial-cluster", "default=http://" + peers,
	}, c.ended)
	return url, err
}

// prepareServer prepares the arguments of the API server, which are the same at each start.
func (c *ControlPlane) prepareServer(etcd string) error {
	host, port, err := net.SplitHostPort(c.address)
	if err != nil {
		return fmt.Errorf("cannot understand the API server's address: %w", err)
	}
	crt, key, err := cert.GenerateSelfSignedCertKey(host, []net.IP{net.ParseIP(host)}, nil)
	if err != nil {
		return fmt.Errorf("cannot make a certificate: %w", err)
	}
	accounts, err := keyutil.MakeEllipticPrivateKeyPEM()
	if err != nil {
		return fmt.Errorf("cannot make a key: %w", err)
	}
	token := rand.Text()
	for name, data := range map[string][]byte{
		"apiserver.crt": crt, "apiserver.key": key, "accounts.key": accounts,
		// A member of system:masters passes every authorization check.
		"tokens.csv": []byte(token + ",admin,admin,system:masters\n"),
	} {
		if err := os.WriteFile(c.path(name), data, 0o600); err != nil {
			return fmt.Errorf("cannot prepare the API server: %w", err)
		}
	}
	c.args = []string{
		"--etcd-servers", etcd, "--bind-address", host, "--advertise-address", host, "--secure-port", port,
		"--endpoint-reconciler-type", "none", "--service-cluster-ip-range", "10.0.0.0/24",
		"--tls-cert-file", c.path("apiserver.crt"), "--tls-private-key-file", c.path("apiserver.key"),
		"--service-account-issuer", "https://kubernetes.default.svc",
		"--service-account-key-file", c.path("accounts.key"), "--service-account-signing-key-file", c.path("accounts.key"),
		"--token-auth-file", c.path("tokens.csv"), "--authorization-mode", "RBAC", "--disable-admission-plugins", "ServiceAccount",
	}
	c.Config = &rest.Config{
		Host: "https://" + c.address, BearerToken: token, TLSClientConfig: rest.TLSClientConfig{CAData: crt},
		QPS: -1, WarningHandler: rest.NoWarnings{},
	}
	return c.writeKubeconfig(token, crt)
}

func (c *ControlPlane) writeKubeconfig(token string, ca []byte) error {
	const name = "rig"
	cfg := clientcmdapi.NewConfig()
	cfg.Clusters[name] = &clientcmdapi.Cluster{Server: c.Config.Host, CertificateAuthorityData: ca}
	cfg.AuthInfos[name] = &clientcmdapi.AuthInfo{Token: token}
	cfg.Contexts[name] = &clientcmdapi.Context{Cluster: name, AuthInfo: name}
	cfg.CurrentContext = name
	if err := clientcmd.WriteToFile(*cfg, c.Kubeconfig); err != nil { // with mode 0600
		return fmt.Errorf("cannot write the kubeconfig: %w", err)
	}
	return nil
}

// StartServer starts the API server, also after it was stopped, and returns when it answers and
// serves all kinds.
func (c *ControlPlane) StartServer(ctx context.Context) error {
	var err error
	if c.server, err = c.start(ctx, "kube-apiserver", c.args, c.ended); err != nil {
		return err
	}
	web, err := rest.HTTPClientFor(c.Config)
	if err != nil {
		return fmt.Errorf("cannot make a client: %w", err)
	}
	ctx, cancel := context.WithTimeoutCause(ctx, c.spec.Patience, errors.New("the API server is not ready"))
	defer cancel()
	err = Until(ctx, 50*time.Millisecond, func(ctx context.Context) error {
		select {
		case <-c.server.done:
			cancel() // It has ended and will not answer.
		default:
		}
		if err := answers(ctx, web, c.Config.Host+"/readyz"); err != nil {
			return err
		}
		return c.kindsServed()
	})
	if err != nil {
		return err
	}
	return c.controllers.run()
}

// KillServer kills the API server. etcd keeps the objects.
func (c *ControlPlane) KillServer() {
	c.controllers.stop()
	c.server.Kill()
}

// StopServer stops the API server, and kills it after that time, because it waits for all
// requests under way.
func (c *ControlPlane) StopServer(within time.Duration) {
	c.controllers.stop()
	c.server.StopWithin(within)
}

func (c *ControlPlane) installKinds() error {
	var err error
	if c.kinds, err = envtest.InstallCRDs(c.Config, envtest.CRDInstallOptions{Paths: c.spec.Kinds, ErrorIfPathMissing: true, MaxTime: 3 * time.Minute}); err != nil {
		return fmt.Errorf("cannot install the kinds: %w", err)
	}
	return nil
}

// Stop stops all processes, those that need others first.
func (c *ControlPlane) Stop() error {
	c.controllers.stop()
	var errs []error
	for _, p := range []*Process{c.server, c.etcd} {
		if p != nil {
			errs = append(errs, p.Stop())
		}
	}
	return errors.Join(errs...)
}
