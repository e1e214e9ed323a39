// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

// Command chaos breaks the system on purpose, and checks that no resource was lost or
// duplicated, and that no foreign resource was changed. Users create, edit and delete Records
// in namespaces and zones, and also these. Meanwhile the provider is killed at any instant, the
// Cloudflare API fails in every way that the simulator knows, the API server stops, and leaders
// are killed. Then chaos waits until the system is at rest. An oracle compares the declared
// state with the live one. It knows nothing of how the provider works.
//
// The deeds of users, the times of kills and the faults follow from a seed. How they interleave
// does not: the same seed makes a similar run, not a replay.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/alecthomas/kong"
	"github.com/crossplane/crossplane-runtime/v2/pkg/logging"
	"github.com/go-logr/logr/funcr"
	ctrl "sigs.k8s.io/controller-runtime"
)

type flags struct {
	Duration time.Duration `help:"How long things are broken, in all." default:"30m"`
	Seed     []uint64      `help:"Seed; 0 is to choose one. Several run one after the other."`
	Phases   []string      `help:"What is done, in equal parts of its weight: kills, storms, copies, calm, outages, api-server, leaders. All by default."`
	Users    int           `help:"How many users there are, 7 to 15." default:"14"`
	Bin      string        `help:"Folder with the provider and cfsim binaries." default:"bin" type:"existingdir"`
	Out      string        `help:"File to write the results to, as JSON." default:"_output/chaos.json"`
	Doc      string        `help:"File to write the results to, as a page of Markdown. None by default."`
	Revision string        `help:"What is tested, for the page."`
	KeepLogs string        `help:"Folder to keep the processes' logs in. By default they are kept only where something is wrong."`
}

// Validate checks what the parser cannot check. Kong calls it.
func (f *flags) Validate() error {
	for _, name := range f.Phases {
		if !slices.ContainsFunc(phases(), func(p phase) bool { return p.name == name }) {
			return fmt.Errorf("--phases: there is no %q", name)
		}
	}
	switch {
	case f.Users < leastUsers || f.Users > 15:
		return errors.New("--users: must be 7 to 15")
	case f.Duration < time.Second:
		return errors.New("--duration: must be a second or more")
	}
	return nil
}

func main() {
	f := &flags{}
	kong.Parse(f, kong.Name("chaos"), kong.Description("Breaks provider-cloudflare on purpose and looks what becomes of records."))
	silent := funcr.New(func(string, string) {}, funcr.Options{})
	ctrl.SetLogger(silent)
	logging.SetFilteredKlogLogger(silent)
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := runAll(ctx, f, os.Stdout, os.Stderr)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "chaos:", err)
		os.Exit(1)
	}
}

var (
	// errViolations is the error of a run with violations.
	errViolations = errors.New("there are violations, see above")
	// errTooLittle is the error of a run that broke less than its minimum.
	errTooLittle = errors.New("too little was broken for the result to mean anything, see above")
)

// runAll runs each seed and writes the results of all.
func runAll(ctx context.Context, f *flags, stdout, stderr io.Writer) error {
	seeds := f.Seed
	if len(seeds) == 0 {
		seeds = []uint64{0}
	}
	var (
		results []*result
		errs    []error
	)
	for _, seed := range seeds {
		for seed == 0 {
			seed = rand.Uint64N(1_000_000) //nolint:gosec // easy to type, and nobody is to be surprised
		}
		r, err := runOne(ctx, f, seed, stderr)
		if r != nil {
			results = append(results, r)
			fmt.Fprint(stdout, r.text())
		}
		if err != nil {
			errs = append(errs, fmt.Errorf("seed %d: %w", seed, err))
		}
		if ctx.Err() != nil {
			break
		}
	}
	if f.Doc != "" && len(results) > 0 {
		errs = append(errs, writeDocument(f.Doc, results))
	}
	return errors.Join(append(errs, writeResults(f.Out, results))...)
}

// runOne runs one seed. All processes that it started have ended when it returns.
func runOne(ctx context.Context, f *flags, seed uint64, stderr io.Writer) (*result, error) {
	say := func(format string, args ...any) {
		fmt.Fprintf(stderr, "%s %s\n", time.Now().Format(time.TimeOnly), fmt.Sprintf(format, args...))
	}
	dir, err := logsFolder(f.KeepLogs, seed)
	if err != nil {
		return nil, err
	}
	say("seed %d, %s, logs in %s", seed, f.Duration, dir)
	ctx, fail := context.WithCancelCause(ctx)
	defer fail(nil)
	c := &chaos{flags: f, seed: seed, say: say, fail: fail}
	err = c.run(ctx, dir)
	if c.result == nil || c.result.Counts == nil { // The run ended before the judgement.
		return nil, fmt.Errorf("%w (the logs are in %s)", err, dir)
	}
	if len(c.result.Violations) > 0 {
		err = errors.Join(err, errViolations)
	}
	if len(c.result.Shortfalls) > 0 {
		err = errors.Join(err, errTooLittle)
	}
	if err != nil {
		c.result.Logs = dir
		return c.result, err
	}
	if f.KeepLogs == "" {
		return c.result, os.RemoveAll(dir)
	}
	return c.result, nil
}

func logsFolder(keep string, seed uint64) (string, error) {
	if keep != "" {
		dir := filepath.Join(keep, fmt.Sprint(seed))
		if err := os.MkdirAll(dir, 0o750); err != nil {
			return "", fmt.Errorf("cannot make a folder for logs: %w", err)
		}
		return dir, nil
	}
	dir, err := os.MkdirTemp("", "provider-cloudflare-chaos-")
	if err != nil {
		return "", fmt.Errorf("cannot make a folder for logs: %w", err)
	}
	return dir, nil
}

// wants reports whether a phase is selected.
func (f *flags) wants(name string) bool {
	return len(f.Phases) == 0 || slices.ContainsFunc(f.Phases, func(p string) bool { return strings.EqualFold(p, name) })
}
