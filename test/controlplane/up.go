// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	authenticationv1 "k8s.io/api/authentication/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
	"k8s.io/kubernetes/cmd/kube-controller-manager/names"
)

// readyTimeout limits the start. It takes about 4 s on an idle machine with two cores, and much
// longer on a busy one.
const readyTimeout = 3 * time.Minute

type upOptions struct {
	dir         string // Data, certificates and the log. If empty, a temporary folder, removed at the end.
	kubeconfig  string // The path of the admin kubeconfig. If empty, admin.kubeconfig in dir.
	address     string // The API server's. Pods can reach one that is not on loopback.
	port        int    // The API server's. 0 is any free one.
	controllers string // The value of kube-controller-manager's --controllers.
	scheduler   bool   // Whether the scheduler runs.
}

// defaultControllers returns the controllers on which objects rely if no pods run. "*" starts
// every controller that Kubernetes starts by default.
func defaultControllers() []string {
	return []string{
		names.NamespaceController,
		names.GarbageCollectorController,
		names.ServiceAccountController,
		names.ClusterRoleAggregationController,
		names.RootCACertificatePublisherController,
		names.ValidatingAdmissionPolicyStatusController,
	}
}

func parseUp(args []string, stderr io.Writer) (upOptions, error) {
	var o upOptions
	fs := flag.NewFlagSet("controlplane up", flag.ContinueOnError)
	fs.SetOutput(stderr)
	fs.StringVar(&o.dir, "dir", "", "folder for data, certificates and controlplane.log (default a temporary one, removed at the end)")
	fs.StringVar(&o.kubeconfig, "kubeconfig", "", "file to write the admin kubeconfig to (default admin.kubeconfig in --dir)")
	fs.StringVar(&o.address, "address", "127.0.0.1", "address to serve the API at; the kubernetes Service leads to it unless it is loopback")
	fs.IntVar(&o.port, "port", 0, "port of the API server; 0 takes a free one")
	fs.BoolVar(&o.scheduler, "scheduler", false, "run the scheduler too, for nodes that somebody else adds")
	fs.StringVar(&o.controllers, "controllers", strings.Join(defaultControllers(), ","), `controllers to run, "*" for all that are on by default`)
	if err := fs.Parse(args); err != nil {
		return o, err
	}
	if fs.NArg() > 0 {
		err := fmt.Errorf("unexpected argument %q", fs.Arg(0))
		fmt.Fprintln(stderr, err)
		return o, err
	}
	if net.ParseIP(o.address) == nil {
		err := fmt.Errorf("--address %q is no IP address", o.address)
		fmt.Fprintln(stderr, err)
		return o, err
	}
	return o, nil
}

// up runs the control plane until ctx ends or a component ends. It returns nil only if ctx has
// ended and everything has stopped.
func up(ctx context.Context, o upOptions, stdout io.Writer) (err error) {
	began := time.Now()
	if o.dir == "" {
		tmp, tmpErr := os.MkdirTemp("", "controlplane-")
		if tmpErr != nil {
			return tmpErr
		}
		defer func() { err = errors.Join(err, os.RemoveAll(tmp)) }()
		o.dir = tmp
	}
	if o.kubeconfig == "" {
		o.kubeconfig = filepath.Join(o.dir, "admin.kubeconfig")
	}

	l, err := new(net.ListenConfig).Listen(ctx, "tcp", net.JoinHostPort(o.address, strconv.Itoa(o.port)))
	if err != nil {
		return fmt.Errorf("cannot listen for the API server: %w", err)
	}
	defer func() { _ = l.Close() }() // The API server has closed it, unless it never ran.
	url := "https://" + l.Addr().String()

	f, err := writeFiles(o.dir, o.kubeconfig, url, net.ParseIP(o.address))
	if err != nil {
		return fmt.Errorf("cannot write certificates and kubeconfigs: %w", err)
	}
	closeLog, err := logTo(f.log)
	if err != nil {
		return fmt.Errorf("cannot open the log: %w", err)
	}
	defer func() { err = errors.Join(err, closeLog()) }()

	live, fail := context.WithCancelCause(ctx)
	defer fail(nil)
	running := &components{fail: fail}
	defer func() { err = errors.Join(err, running.stop()) }()

	if err := startAll(live, running, l, f, o); err != nil && live.Err() == nil {
		return fmt.Errorf("%w (log: %s)", err, f.log)
	}
	if live.Err() == nil {
		fmt.Fprintf(stdout, "ready in %.1fs: %s (export KUBECONFIG=%s)\n", time.Since(began).Seconds(), url, f.adminKubeconfig)
	}

	<-live.Done()
	if ctx.Err() != nil {
		return nil // stopped
	}
	return fmt.Errorf("%w (log: %s)", context.Cause(live), f.log)
}

// startAll adds the components in the order of their dependencies, and returns when clients can
// use the control plane. The controller manager fails if the API server is not ready after ten
// seconds, which is too short on a busy machine, so it starts after the API server is ready.
func startAll(ctx context.Context, running *components, l net.Listener, f files, o upOptions) error {
	etcd, err := startEtcd(f)
	if err != nil {
		return fmt.Errorf("cannot start etcd: %w", err)
	}
	running.add("etcd", func(ctx context.Context) error { return serveEtcd(ctx, etcd) })

	server, err := newAPIServer(l, etcd.Clients[0].Addr().String(), f)
	if err != nil {
		return fmt.Errorf("cannot start the API server: %w", err)
	}
	running.add("kube-apiserver", server)
	client, err := clientOf(f.adminKubeconfig)
	if err != nil {
		return err
	}
	if err := waitUntil(ctx, client, ready); err != nil {
		return err
	}
	if err := startControllers(running, f, o); err != nil {
		return err
	}
	return waitUntil(ctx, client, usable)
}

func startControllers(running *components, f files, o upOptions) error {
	manager, err := newControllerManager(f, o.controllers)
	if err != nil {
		return fmt.Errorf("cannot start the controller manager: %w", err)
	}
	running.add("kube-controller-manager", manager)
	if !o.scheduler {
		return nil
	}

	scheduler, err := newScheduler(f)
	if err != nil {
		return fmt.Errorf("cannot start the scheduler: %w", err)
	}
	running.add("kube-scheduler", scheduler)
	return nil
}

func clientOf(kubeconfig string) (kubernetes.Interface, error) {
	cfg, err := clientcmd.BuildConfigFromFlags("", kubeconfig)
	if err != nil {
		return nil, err
	}
	return kubernetes.NewForConfig(rest.AddUserAgent(cfg, "controlplane"))
}

// waitUntil returns when probe returns nil.
func waitUntil(ctx context.Context, client kubernetes.Interface, probe func(context.Context, kubernetes.Interface) error) error {
	last := errors.New("not tried")
	err := wait.PollUntilContextTimeout(ctx, 50*time.Millisecond, readyTimeout, true, func(ctx context.Context) (bool, error) {
		last = probe(ctx, client)
		return last == nil, nil
	})
	if err != nil {
		return fmt.Errorf("not ready after %s: %w", readyTimeout, last)
	}
	return nil
}

// ready returns nil if the API server is ready.
func ready(ctx context.Context, client kubernetes.Interface) error {
	var code int
	if err := client.Discovery().RESTClient().Get().AbsPath("/readyz").Do(ctx).StatusCode(&code).Error(); err != nil {
		return fmt.Errorf("cannot get /readyz: %w", err)
	}
	if code != http.StatusOK {
		return fmt.Errorf("/readyz answers %d", code)
	}
	return nil
}

// usable returns nil if the default namespace has its service account, and if the API server
// issues a token for it.
func usable(ctx context.Context, client kubernetes.Interface) error {
	_, err := client.CoreV1().ServiceAccounts(metav1.NamespaceDefault).
		CreateToken(ctx, "default", &authenticationv1.TokenRequest{}, metav1.CreateOptions{})
	if err != nil {
		return fmt.Errorf("cannot get a token for the default service account: %w", err)
	}
	return nil
}
