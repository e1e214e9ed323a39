// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package e2e

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"testing"
	"time"

	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/provider-cloudflare/provider-cloudflare/test/e2e/registry"
	"github.com/provider-cloudflare/provider-cloudflare/test/e2e/sandbox"
	"github.com/provider-cloudflare/provider-cloudflare/test/rig"
	"github.com/provider-cloudflare/provider-cloudflare/test/simulator"
)

// system is Crossplane's namespace.
const system = "crossplane-system"

// registryAddress is the address of the registry of images and packages.
var registryAddress = net.JoinHostPort(sandbox.Address, "5000") //nolint:gochecknoglobals // A constant but for the function.

// cloudflareAddress is the address of the simulator.
var cloudflareAddress = net.JoinHostPort(sandbox.Address, "8443") //nolint:gochecknoglobals // As above.

const (
	apiPort  = "6443"
	zoneName = "example.com" // in the examples of records
	siteName = "example.net" // in the example of a website
)

// A cluster is a control plane with one node.
type cluster struct {
	t          *testing.T // the current step's
	suite      *testing.T
	ctx        context.Context //nolint:containedctx // The suite's, which all of it ends with.
	dir        string          // of logs and data
	kubeconfig string
	config     *rest.Config
	kube       client.Client
	cloudflare cloudflare
	// logs returns the logs of the pods whose names have that prefix.
	logs func(prefix string) ([]byte, error)
	// usagesBefore are the usages that the previous version left.
	usagesBefore []string
	followed     []string // pages of the documentation
	work         string   // folder of a walkthrough's reader, "" for this package's
	said         []string // figures for the report
}

// cloudflare is the simulator, with the IDs and credentials of its content.
type cloudflare struct {
	*simulator.Server
	account, zone, site, token, url string
}

// tool returns the path of a prepared program.
func tool(name string) string { return filepath.Join(*bin, name) }

// logFile returns the log of a process of the cluster.
func (c *cluster) logFile(name string) io.Writer {
	f, err := os.Create(filepath.Join(c.dir, name+".log"))
	c.must(err)
	c.suite.Cleanup(func() { _ = f.Close() }) // The process has ended then.
	return f
}

// start starts a process that runs as long as the suite.
func (c *cluster) start(name string, args ...string) *rig.Process {
	out := c.logFile(name)
	return c.startWith(rig.Command{Path: tool(name), Args: args, Stdout: out, Stderr: out})
}

func (c *cluster) startWith(command rig.Command) *rig.Process {
	p, err := rig.Start(c.ctx, command, c.ended)
	c.must(err)
	c.suite.Cleanup(func() {
		if err := p.Stop(); err != nil {
			c.t.Logf("at the end: %v", err)
		}
	})
	return p
}

// ended reports a process that ended too early.
func (c *cluster) ended(err error) { c.t.Errorf("%v; see %s", err, c.dir) }

// newCluster starts what every test needs: a control plane, a registry and a simulator.
func newCluster(t *testing.T) *cluster {
	t.Helper()
	c := &cluster{t: t, suite: t, ctx: t.Context(), dir: logDir(t)}
	c.kubeconfig = filepath.Join(c.dir, "kubeconfig")
	if err := registry.Serve(c.ctx, registryAddress, c.logFile("registry")); err != nil {
		t.Fatal(err)
	}
	first := rig.NewFirstLine()
	up := c.startWith(rig.Command{
		Path: tool("controlplane"),
		Args: []string{
			"up", "--dir", filepath.Join(c.dir, "controlplane"), "--kubeconfig", c.kubeconfig,
			"--address", sandbox.Address, "--port", apiPort, "--scheduler", "--controllers", "*",
		},
		Stdout: first, Stderr: c.logFile("controlplane"),
	})
	select {
	case line := <-first.Line():
		t.Logf("control plane: %s", line)
	case <-up.Done():
		t.Fatal("the control plane has ended before it was ready")
	}
	var err error
	if c.config, err = clientcmd.BuildConfigFromFlags("", c.kubeconfig); err != nil {
		t.Fatal(err)
	}
	c.config.QPS = -1
	c.config.WarningHandler = rest.NoWarnings{}
	if c.kube, err = client.New(c.config, client.Options{}); err != nil {
		t.Fatal(err)
	}
	c.startSimulator()
	return c
}

// startSimulator serves a simulated Cloudflare with one account and one zone.
func (c *cluster) startSimulator() {
	sim := simulator.New(simulator.Options{RateLimit: simulator.RateLimit{Requests: 1200, Window: 5 * time.Minute}, DNSSECDelay: -1})
	account := sim.AddAccount("Example Inc")
	zone, err := sim.AddZone(account.ID, zoneName, simulator.ZoneOptions{Plan: simulator.PlanEnterprise})
	c.must(err)
	site, err := sim.AddZone(account.ID, siteName, simulator.ZoneOptions{Plan: simulator.PlanFree})
	c.must(err)
	grants := []simulator.Grant{{Account: account.ID, Permission: simulator.Everything}}
	c.cloudflare = cloudflare{
		Server: sim, account: account.ID, zone: zone.ID, site: site.ID,
		token: sim.AddToken(simulator.TokenOptions{Grants: grants}),
		url:   "http://" + cloudflareAddress + simulator.BasePath,
	}
	l, err := new(net.ListenConfig).Listen(c.ctx, "tcp", cloudflareAddress)
	c.must(err)
	server := &http.Server{Handler: sim, ReadHeaderTimeout: 10 * time.Second}
	go func() { _ = server.Serve(l) }() // ends with the suite
	c.suite.Cleanup(func() { _ = server.Close() })
}

// logDir returns a new folder for this run. It is kept, because it explains a failure.
func logDir(t *testing.T) string {
	t.Helper()
	name := "light"
	if *full {
		name = "full"
	}
	dir, err := filepath.Abs(filepath.Join(*bin, "..", name+"-"+t.Name()))
	if err == nil {
		err = errors.Join(os.RemoveAll(dir), os.MkdirAll(dir, 0o750))
	}
	if err != nil {
		t.Fatal(fmt.Errorf("cannot make a folder for logs: %w", err))
	}
	return dir
}
