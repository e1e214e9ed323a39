// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package rig

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/provider-cloudflare/provider-cloudflare/test/simulator"
)

func TestFirstLine(t *testing.T) {
	f := NewFirstLine()
	for _, part := range []string{"{\"url\"", ":1}\nand ", "more\n"} {
		if n, err := io.WriteString(f, part); n != len(part) || err != nil {
			t.Errorf("%q: wrote %d, %v", part, n, err)
		}
	}
	if got := string(<-f.Line()); got != `{"url":1}` {
		t.Errorf("got %q", got)
	}
	if len(f.line) != 0 {
		t.Error("there is a second line")
	}
}

func TestRequestLog(t *testing.T) {
	var requests, others []string
	l := NewRequestLog(
		func(r simulator.LoggedRequest) { requests = append(requests, r.Method) },
		func(line []byte) { others = append(others, string(line)) })
	for _, part := range []string{`{"meth`, "od\":\"GET\"}\n{\"method\":\"POST\"}\ncfsim: so", "mething else\n{"} {
		if n, err := io.WriteString(l, part); n != len(part) || err != nil {
			t.Errorf("%q: wrote %d, %v", part, n, err)
		}
	}
	if diff := cmp.Diff([]string{"GET", "POST"}, requests); diff != "" {
		t.Errorf("requests (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"cfsim: something else"}, others); diff != "" {
		t.Errorf("other lines (-want +got):\n%s", diff)
	}
}

func TestUntil(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		late, impatient := errors.New("not yet"), errors.New("patience has ended")
		calls := 0
		f := func(context.Context) error {
			calls++
			if calls < 3 {
				return late
			}
			return nil
		}
		if err := Until(t.Context(), time.Second, f); err != nil || calls != 3 {
			t.Errorf("%d calls, %v", calls, err)
		}
		ctx, cancel := context.WithTimeoutCause(t.Context(), 5*time.Second, impatient)
		defer cancel()
		if err := Until(ctx, time.Second, func(context.Context) error { return late }); !errors.Is(err, late) || !errors.Is(err, impatient) {
			t.Errorf("%v does not say why it waited and why it gave up", err)
		}
	})
}

// TestProcess checks that ended is called for a process that ended by itself, and not for one
// that was stopped.
func TestProcess(t *testing.T) {
	start := func(script string) (*Process, chan error) {
		ended := make(chan error, 1)
		p, err := Start(t.Context(), Command{Path: "/bin/sh", Args: []string{"-c", script}}, func(err error) { ended <- err })
		if err != nil {
			t.Fatal(err)
		}
		return p, ended
	}
	p, ended := start("exit 3")
	if err := <-ended; !errors.Is(err, errEnded) || !strings.Contains(err.Error(), "exit status 3") {
		t.Errorf("who ended by itself says %v", err)
	}
	if err := p.Stop(); err != nil {
		t.Errorf("it cannot be stopped after that: %v", err)
	}
	// A process that was stopped has ended when Kill or Stop returns, and ended is not called.
	for name, end := range map[string]func(*Process){
		"Kill": (*Process).Kill,
		"Stop": func(p *Process) {
			if err := p.Stop(); err != nil {
				t.Error(err)
			}
		},
	} {
		p, ended = start("sleep 1000 & sleep 1000")
		end(p)
		select {
		case <-p.Done():
		default:
			t.Errorf("%s returned before the process had ended", name)
		}
		if len(ended) != 0 {
			t.Errorf("%s: %v, though it was asked to", name, <-ended)
		}
	}
}

// TestEarlyEndIsStartedOnceMore checks that a control plane that ends before it is ready is
// started once more.
func TestEarlyEndIsStartedOnceMore(t *testing.T) {
	dir := t.TempDir()
	script := "#!/bin/sh\necho up >>" + filepath.Join(dir, "starts") + "\necho broken >&2\nexit 3\n"
	if err := os.WriteFile(filepath.Join(dir, "controlplane"), []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
	spec := ControlPlaneSpec{Assets: dir, Dir: filepath.Join(dir, "data")}
	_, err := StartWholeControlPlane(t.Context(), spec, func(error) {})
	if !errors.Is(err, errEarlyEnd) || !strings.Contains(err.Error(), wholeLog) {
		t.Errorf("it says %v, and not where the log is", err)
	}
	for file, want := range map[string]string{filepath.Join(dir, "starts"): "up\nup\n", filepath.Join(spec.Dir, wholeLog): "broken\nbroken\n"} {
		if got, err := os.ReadFile(file); err != nil || string(got) != want {
			t.Errorf("%s has %q: %v", file, got, err)
		}
	}
}
