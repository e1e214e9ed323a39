// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

// Program mutants puts faults into the engine, one at a time, and fails unless the conformance suite finds
// each of them: make mutants. The files of the project stay as they are. With arguments it tries those mutants
// whose name has one of them: go run ./test/mutants "an echo" finalizer
package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"slices"
	"strings"
	"time"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	err := run(ctx, os.Args[1:])
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "mutants:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, words []string) error {
	root, err := os.Getwd()
	if err != nil {
		return err
	}
	tried := slices.DeleteFunc(mutants(), func(m mutant) bool { return !m.named(words) })
	if len(tried) == 0 {
		return fmt.Errorf("no mutant has one of %q in its name", words)
	}
	var alive []string
	for _, m := range tried {
		began := time.Now()
		by, err := m.foundBy(ctx, root)
		if err != nil {
			return fmt.Errorf("cannot try the mutant that %s: %w", m.name, err)
		}
		if by == "" {
			alive, by = append(alive, m.name), "NOTHING"
		}
		fmt.Printf("%-52s %4.0f s  %s\n", m.name, time.Since(began).Seconds(), by)
	}
	if len(alive) > 0 {
		return fmt.Errorf("the suite does not find what %s", strings.Join(alive, "; what "))
	}
	return nil
}

// first are kinds that stand for all forms of kinds, see shapes in test/kinds. They find most mutants, sooner than all
// kinds do.
const first = "Tunnel|KVNamespace|LoadBalancer|ZoneSetting|R2BucketLifecycle|RulesetRule|TunnelIngress|RulesListItem|OriginCACertificate|WorkerScript"

// foundBy returns the first test of the suite that fails with the mutant, or "" if all pass.
func (m mutant) foundBy(ctx context.Context, root string) (string, error) {
	dir, err := os.MkdirTemp("", "mutant-")
	if err != nil {
		return "", err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	list, err := m.overlay(root, dir)
	if err != nil {
		return "", err
	}
	for _, kinds := range []string{first, "."} {
		if by, err := suite(ctx, root, list, kinds); by != "" || err != nil {
			return by, err
		}
	}
	return "", nil
}

// suite runs the suite with an overlay. kinds is a pattern for the whole name of a kind, or "." for all. It returns the
// first test that fails.
func suite(ctx context.Context, root, overlay, kinds string) (string, error) {
	run := "^(TestKinds|TestKilledBetween|TestSingleAnswers|TestTwoCredentials)$"
	if kinds != "." {
		run += "/^(" + kinds + ")$"
	}
	cmd := exec.CommandContext(ctx, "go", "test", "-overlay", overlay, "-vet=off", "-count=1", "-timeout", "30m", "-run", run, "./test/kinds") //nolint:gosec // Our own list.
	cmd.Dir = root
	out, err := cmd.CombinedOutput()
	var failed *exec.ExitError
	switch {
	case err == nil:
		return "", nil
	case !errors.As(err, &failed):
		return "", err
	}
	if by := firstFailed(out); by != "" {
		return by, nil
	}
	return "", fmt.Errorf("no test failed, and yet: %w\n%s", err, out)
}

// firstFailed returns the test that failed first and has no failed subtest.
func firstFailed(out []byte) string {
	by := ""
	for s := bufio.NewScanner(bytes.NewReader(out)); s.Scan(); {
		line := strings.TrimSpace(s.Text())
		name, failed := strings.CutPrefix(line, "--- FAIL: ")
		if !failed {
			continue
		}
		name, _, _ = strings.Cut(name, " ")
		if by != "" && !strings.HasPrefix(name, by+"/") {
			break
		}
		by = name
	}
	return by
}
