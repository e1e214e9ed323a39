// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

// Command bench measures the whole system: a real etcd and kube-apiserver, the simulator
// of the Cloudflare API with 50 ms of latency and the real limit of 1,200 requests in
// five minutes, and the provider. Each is a process of its own. It prints one table. It
// also writes a document with the table, the machine and all details.
//
// A missed target is part of the result. The command fails only if a case could not be
// run.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"
	"strings"
	"syscall"

	"github.com/alecthomas/kong"
	"github.com/crossplane/crossplane-runtime/v2/pkg/logging"
	"github.com/go-logr/logr/funcr"
	ctrl "sigs.k8s.io/controller-runtime"
)

type flags struct {
	Cases        []string `help:"Cases to run: create, bad, ratio, baseline, scale, memory, adopt, steady, drift, edit, restart, idle, kinds, mixed, sets, refused, waiting. All by default."`
	Quick        bool     `help:"Run the same cases small, in a few minutes."`
	Bin          string   `help:"Folder with the provider and cfsim binaries." default:"bin" type:"existingdir"`
	Baseline     string   `help:"Binary of the plain connector to compare with." default:"_output/provider-baseline" type:"existingfile"`
	Minimal      string   `help:"Binary that sends the fewest requests a creation takes." default:"_output/provider-minimal" type:"existingfile"`
	Out          string   `help:"Document to write." default:"docs/reference/benchmarks.md"`
	Data         string   `help:"File for the figures of the charts, which the case scale writes." default:"docs/assets/benchmarks.json"`
	ProviderArgs string   `help:"More flags for the provider, separated by spaces."`
	KeepLogs     string   `help:"Folder to keep the processes' logs in. By default they are kept only where a case could not be run."`
}

// Validate checks the names of the cases. Kong calls it.
func (f *flags) Validate() error {
	for _, c := range f.Cases {
		if !slices.Contains(caseNames(), c) {
			return fmt.Errorf("--cases: there is no case %q, only %s", c, strings.Join(caseNames(), ", "))
		}
	}
	return nil
}

// wants reports whether one of the cases is selected.
func (f *flags) wants(cases ...string) bool {
	return len(f.Cases) == 0 || slices.ContainsFunc(cases, func(c string) bool { return slices.Contains(f.Cases, c) })
}

func main() {
	f := &flags{}
	kong.Parse(f, kong.Name("bench"), kong.Description("Measures provider-cloudflare against a simulated Cloudflare."))
	silent := funcr.New(func(string, string) {}, funcr.Options{})
	ctrl.SetLogger(silent)
	logging.SetFilteredKlogLogger(silent)
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := run(ctx, f, os.Stdout, os.Stderr)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

// run runs the cases, prints the table and writes the document. All processes that it
// started have ended when it returns.
func run(ctx context.Context, f *flags, stdout, stderr io.Writer) error {
	b := &bench{flags: f, size: fullSize(), log: newLog(stderr), machine: thisMachine(ctx)}
	if f.Quick {
		b.size = quickSize()
	}
	var err error
	if b.dir, err = logsFolder(f.KeepLogs); err != nil {
		return err
	}
	err = b.runAll(ctx)
	if ctx.Err() != nil {
		return errors.Join(fmt.Errorf("interrupted; the logs are in %s", b.dir), err)
	}
	fmt.Fprint(stdout, b.scale(), b.table.text())
	if len(b.table.rows) > 0 {
		err = errors.Join(err, b.write())
	}
	if err != nil {
		return fmt.Errorf("%w (the logs are in %s)", err, b.dir)
	}
	if f.KeepLogs == "" {
		return os.RemoveAll(b.dir)
	}
	return nil
}

func logsFolder(keep string) (string, error) {
	if keep == "" {
		dir, err := os.MkdirTemp("", "provider-cloudflare-bench-")
		if err != nil {
			return "", fmt.Errorf("cannot make a folder for logs: %w", err)
		}
		return dir, nil
	}
	if err := os.MkdirAll(keep, 0o750); err != nil {
		return "", fmt.Errorf("cannot make a folder for logs: %w", err)
	}
	return keep, nil
}
