// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/pflag"
	"go.etcd.io/etcd/server/v3/embed"
	utilerrors "k8s.io/apimachinery/pkg/util/errors"
	"k8s.io/client-go/rest"
	cliflag "k8s.io/component-base/cli/flag"
	"k8s.io/klog/v2"
	apiserver "k8s.io/kubernetes/cmd/kube-apiserver/app"
	apiserveroptions "k8s.io/kubernetes/cmd/kube-apiserver/app/options"
	controllermanager "k8s.io/kubernetes/cmd/kube-controller-manager/app"
	controllermanageroptions "k8s.io/kubernetes/cmd/kube-controller-manager/app/options"
	scheduler "k8s.io/kubernetes/cmd/kube-scheduler/app"
	scheduleroptions "k8s.io/kubernetes/cmd/kube-scheduler/app/options"
)

// serviceClusterIPs may be any range if no node routes to it. Its first address is that of the
// kubernetes Service, so the serving certificate has it.
const serviceClusterIPs = "10.0.0.0/24"

var errEtcdStopped = errors.New("etcd stopped before it was ready")

// startEtcd starts a single member on free loopback ports. It does not sync to disk: a power
// failure may lose data, but the start takes less than a second.
func startEtcd(f files) (*embed.Etcd, error) {
	loopback := url.URL{Scheme: "http", Host: "127.0.0.1:0"}
	cfg := embed.NewConfig()
	cfg.Name = "controlplane"
	cfg.Dir = f.etcdDir
	cfg.ListenClientUrls, cfg.AdvertiseClientUrls = []url.URL{loopback}, []url.URL{loopback}
	cfg.ListenPeerUrls, cfg.AdvertisePeerUrls = []url.URL{loopback}, []url.URL{loopback}
	cfg.InitialCluster = cfg.InitialClusterFromName(cfg.Name)
	cfg.UnsafeNoFsync = true
	cfg.EnableGRPCGateway = false
	// With the zero value, every request counts as slow and is logged.
	cfg.WarningUnaryRequestDuration = embed.DefaultWarningUnaryRequestDuration
	cfg.LogLevel = "warn"
	cfg.LogOutputs = []string{filepath.Join(filepath.Dir(f.log), "etcd.log")}

	e, err := embed.StartEtcd(cfg)
	if err != nil {
		return nil, err
	}
	select {
	case <-e.Server.ReadyNotify():
		return e, nil
	case <-e.Server.StopNotify():
		err = errEtcdStopped
	case err = <-e.Err():
	case <-time.After(readyTimeout):
		err = fmt.Errorf("etcd is not ready after %s", readyTimeout)
	}
	e.Close()
	return nil, err
}

func serveEtcd(ctx context.Context, e *embed.Etcd) error {
	defer e.Close()
	select {
	case <-ctx.Done():
		return nil
	case <-e.Server.StopNotify():
		return errEtcdStopped
	case err := <-e.Err():
		return err
	}
}

// newAPIServer prepares kube-apiserver on l. It uses the options directly, because
// NewAPIServerCommand would handle the signals of the process.
func newAPIServer(l net.Listener, etcd string, f files) (func(context.Context) error, error) {
	addr, ok := l.Addr().(*net.TCPAddr)
	if !ok {
		return nil, fmt.Errorf("cannot serve at %s: not TCP", l.Addr())
	}
	reconciler := "lease"
	if addr.IP.IsLoopback() {
		reconciler = "none" // An Endpoints object must not have a loopback address.
	}
	o := apiserveroptions.NewServerRunOptions()
	args := []string{
		"--etcd-servers=http://" + etcd,
		"--bind-address=" + addr.IP.String(),
		"--advertise-address=" + addr.IP.String(),
		"--endpoint-reconciler-type=" + reconciler,
		"--service-cluster-ip-range=" + serviceClusterIPs,
		"--tls-cert-file=" + f.serverCert,
		"--tls-private-key-file=" + f.serverKey,
		"--client-ca-file=" + f.ca,
		"--service-account-issuer=https://kubernetes.default.svc",
		"--service-account-key-file=" + f.serviceAccountKey,
		"--service-account-signing-key-file=" + f.serviceAccountKey,
		"--authorization-mode=RBAC",
		"--allow-privileged=true",
		"--profiling=false",
	}
	if err := parse(o.Flags(), args); err != nil {
		return nil, err
	}
	o.SecureServing.Listener = l
	o.SecureServing.BindPort = addr.Port // The port is validated although the listener exists.

	// The registry is shared by the process: the controller manager uses its values.
	if err := o.GenericServerRunOptions.ComponentGlobalsRegistry.Set(); err != nil {
		return nil, err
	}
	rest.SetDefaultWarningHandler(rest.NoWarnings{})
	completed, err := o.Complete(context.Background())
	if err != nil {
		return nil, err
	}
	if errs := completed.Validate(); len(errs) > 0 {
		return nil, utilerrors.NewAggregate(errs)
	}
	return func(ctx context.Context) error { return apiserver.Run(ctx, completed) }, nil
}

// newControllerManager prepares kube-controller-manager. It serves no port. Each controller
// uses its own service account, so that the bootstrap roles apply as in a cluster.
func newControllerManager(f files, controllers string) (func(context.Context) error, error) {
	o, err := controllermanageroptions.NewKubeControllerManagerOptions()
	if err != nil {
		return nil, err
	}
	known, off, aliases := controllermanager.KnownControllers(), controllermanager.ControllersDisabledByDefault(), controllermanager.ControllerAliases()
	args := []string{
		"--kubeconfig=" + f.managerKubeconfig,
		"--kube-api-qps=200",
		"--kube-api-burst=400",
		"--secure-port=0",
		"--leader-elect=false",
		"--use-service-account-credentials=true",
		"--service-account-private-key-file=" + f.serviceAccountKey,
		"--root-ca-file=" + f.ca,
		"--controllers=" + controllers,
	}
	if err := parse(o.Flags(known, off, aliases), args); err != nil {
		return nil, err
	}
	c, err := o.Config(context.Background(), known, off, aliases)
	if err != nil {
		return nil, err
	}
	return func(ctx context.Context) error { return controllermanager.Run(ctx, c.Complete()) }, nil
}

// newScheduler prepares kube-scheduler. It serves no port.
func newScheduler(f files) (func(context.Context) error, error) {
	o := scheduleroptions.NewOptions()
	if err := parse(*o.Flags, []string{
		"--kubeconfig=" + f.schedulerKubeconfig,
		"--authentication-kubeconfig=" + f.schedulerKubeconfig,
		"--authorization-kubeconfig=" + f.schedulerKubeconfig,
		"--secure-port=0",
		"--leader-elect=false",
	}); err != nil {
		return nil, err
	}
	return func(ctx context.Context) error {
		// The scheduler's caches run until the context of its setup ends.
		c, s, err := scheduler.Setup(ctx, o)
		if err != nil {
			return err
		}
		return scheduler.Run(ctx, c, s)
	}, nil
}

func parse(flags cliflag.NamedFlagSets, args []string) error {
	all := pflag.NewFlagSet("", pflag.ContinueOnError)
	for _, fs := range flags.FlagSets {
		all.AddFlagSet(fs)
	}
	return all.Parse(args)
}

// logTo writes the logs of the components to a file and not to stderr. The function that it
// returns flushes and closes the file.
func logTo(path string) (func() error, error) {
	out, err := os.OpenFile(path, os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
	if err != nil {
		return nil, err
	}
	fs := flag.NewFlagSet("klog", flag.ContinueOnError)
	klog.InitFlags(fs)
	for name, value := range map[string]string{"logtostderr": "false", "stderrthreshold": "FATAL", "one_output": "true"} {
		if err := fs.Set(name, value); err != nil {
			return nil, errors.Join(err, out.Close())
		}
	}
	klog.SetOutput(out)
	return func() error {
		klog.Flush()
		klog.SetOutput(os.Stderr)
		return out.Close()
	}, nil
}
