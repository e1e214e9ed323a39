// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

// Command controlplane is a Kubernetes control plane in one file.
//
// Under the name of a component (through a symlink, see busybox) it is that component,
// unchanged: etcd, kube-apiserver, kube-controller-manager, kubectl. A folder with these
// symlinks can be KUBEBUILDER_ASSETS for envtest.
//
// "controlplane up" runs etcd, the API server and the controller manager in one process on
// loopback. It writes an admin kubeconfig, prints one line when clients can use the API server,
// and ends on SIGINT or SIGTERM.
//
// With CONTROLPLANE_ENDS_WITH_PARENT set, each of them ends when the process that started it
// has ended.
//
// It is for tests and demonstrations: etcd does not sync to disk and serves loopback without
// TLS, so that every user with an account on the host can read its data.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"

	"go.etcd.io/etcd/server/v3/etcdmain"
	_ "k8s.io/client-go/plugin/pkg/client/auth" // kubectl's authentication plugins.
	"k8s.io/component-base/cli"
	kubectl "k8s.io/kubectl/pkg/cmd"
	kubectlutil "k8s.io/kubectl/pkg/cmd/util"
	apiserver "k8s.io/kubernetes/cmd/kube-apiserver/app"
	controllermanager "k8s.io/kubernetes/cmd/kube-controller-manager/app"
)

func main() {
	watchParent()
	switch filepath.Base(os.Args[0]) {
	case "etcd":
		etcdmain.Main(os.Args)
	case "kube-apiserver":
		os.Exit(cli.Run(apiserver.NewAPIServerCommand()))
	case "kube-controller-manager":
		os.Exit(cli.Run(controllermanager.NewControllerManagerCommand()))
	case "kubectl":
		kubectlutil.CheckErr(cli.RunNoErrOutput(kubectl.NewDefaultKubectlCommand()))
	default:
		os.Exit(controlplane(os.Args[1:], os.Stdout, os.Stderr))
	}
}

// controlplane runs "controlplane up" and returns the exit code of the process.
func controlplane(args []string, stdout, stderr io.Writer) int {
	if len(args) == 0 || args[0] != "up" {
		fmt.Fprintln(stderr, "usage: controlplane up [flags], or call it as etcd, kube-apiserver, kube-controller-manager or kubectl")
		return 2
	}
	opts, err := parseUp(args[1:], stderr)
	if errors.Is(err, flag.ErrHelp) {
		return 0
	}
	if err != nil {
		return 2 // The flag package has printed the error.
	}

	// A second signal changes nothing: the shutdown has a time limit, and wrappers such as
	// timeout and make forward the same signal twice.
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
	defer stop()

	if err := up(ctx, opts, stdout); err != nil {
		fmt.Fprintln(stderr, "controlplane:", err)
		return 1
	}
	return 0
}
