// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

// Command demo shows the provider in about a minute. It runs a control plane, the simulator of
// the Cloudflare API and the provider, each as a process. It creates, lists and deletes DNS
// records, changes one without the provider, which reverts the change, and adds a rule to a
// document that has other owners, too. It fails if a step fails or takes longer than three
// minutes.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"time"

	"github.com/alecthomas/kong"
	"github.com/go-logr/logr"
	ctrl "sigs.k8s.io/controller-runtime"
)

// stepTimeout is the most time that a step may take.
const stepTimeout = 3 * time.Minute

type flags struct {
	Bin    string `help:"Folder with the provider and cfsim binaries." default:"bin" type:"existingdir"`
	Keep   bool   `help:"Leave everything running after the records are there, until interrupted."`
	Record string `help:"File to write a recording to, as an animated SVG." type:"path"`
}

func main() {
	f := &flags{}
	kong.Parse(f, kong.Name("demo"), kong.Description("Shows provider-cloudflare against a simulated Cloudflare."))
	ctrl.SetLogger(logr.Discard())
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := run(ctx, f)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "demo:", err)
		os.Exit(1)
	}
}

// run plays the demo. All processes that it started have ended when it returns.
func run(ctx context.Context, f *flags) (err error) {
	dir, err := os.MkdirTemp("", "provider-cloudflare-demo-")
	if err != nil {
		return fmt.Errorf("cannot make a folder for the demo: %w", err)
	}
	rec := newRecorder(time.Now)
	s := &stage{dir: dir, bin: f.Bin, assets: os.Getenv("KUBEBUILDER_ASSETS"), out: io.MultiWriter(os.Stdout, rec)}
	defer func() {
		err = errors.Join(err, s.stop())
		if err == nil {
			err = os.RemoveAll(dir)
		} else {
			fmt.Fprintln(os.Stderr, "demo: the logs are in", dir)
		}
	}()
	if err := s.play(ctx, s.setUp()); err != nil {
		return err
	}
	if f.Keep {
		return s.keep(ctx)
	}
	if err := s.play(ctx, s.lifecycle()); err != nil {
		return err
	}
	if err := s.summary(); err != nil || f.Record == "" {
		return err
	}
	return rec.save(f.Record, strings.NewReplacer(dir, folder, s.sim.Tokens[0], "TOKEN"))
}

// keep keeps everything running until the demo is interrupted.
func (s *stage) keep(ctx context.Context) error {
	_, err := fmt.Fprintf(s.out, `
Everything is running. In another terminal:

  export KUBECONFIG=%s
  export PATH=%s:$PATH
  kubectl get managed -o wide

The simulated API is at %s, its administration at %s.
Logs are in %s. Interrupt (Ctrl-C) to stop.
`, s.kubeconfig, s.assets, s.sim.URL, s.sim.AdminURL, s.dir)
	if err != nil {
		return err
	}
	<-ctx.Done()
	return nil
}
