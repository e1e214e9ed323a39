// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bufio"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestEndsWithParent checks that a component ends when its parent is killed, so that a killed
// test run leaves no etcd and no API server behind.
func TestEndsWithParent(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	etcd := filepath.Join(t.TempDir(), "etcd")
	if err := os.Symlink(self, etcd); err != nil {
		t.Fatal(err)
	}
	const anyPort = "http://127.0.0.1:0"
	shell := exec.CommandContext(t.Context(), "sh", "-c", `"$0" "$@" & wait`, etcd, "--data-dir", filepath.Join(t.TempDir(), "data"),
		"--listen-client-urls", anyPort, "--advertise-client-urls", anyPort, "--listen-peer-urls", anyPort)
	shell.Env = append(os.Environ(), asMain+"=1", endsWithParent+"=1")
	// The pipe is open as long as etcd lives, also after the shell has ended.
	out, theirs, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	shell.Stdout, shell.Stderr = theirs, theirs
	if err := shell.Start(); err != nil {
		t.Fatal(err)
	}
	_ = theirs.Close()

	lines := bufio.NewReader(out)
	for line := ""; !strings.Contains(line, "ready to serve client requests"); {
		if line, err = lines.ReadString('\n'); err != nil {
			t.Fatalf("etcd does not start: %v", err)
		}
	}
	if err := shell.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = shell.Wait() // It was killed.
	ended := make(chan error, 1)
	go func() {
		_, err := io.Copy(io.Discard, lines)
		ended <- err
	}()
	select {
	case err := <-ended:
		if err != nil {
			t.Error(err)
		}
	case <-time.After(3 * time.Minute):
		t.Error("etcd lives on without its parent")
	}
}
