// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package rig

import (
	"bufio"
	"context"
	"io"
	"os"
	"os/exec"
	"testing"
	"time"
)

// asStarter makes the test binary start a process that does not end by itself.
const asStarter = "RIG_TEST_AS_STARTER"

func TestMain(m *testing.M) {
	if os.Getenv(asStarter) != "" {
		start()
	}
	os.Exit(m.Run())
}

// start starts a shell that prints a line and waits for a signal, and waits for the shell.
func start() {
	p, err := Start(context.Background(), Command{Path: "/bin/sh", Args: []string{"-c", "echo runs; exec sleep 1000"}, Stdout: os.Stdout}, func(error) {})
	if err != nil {
		os.Exit(1)
	}
	<-p.Done()
	os.Exit(1)
}

// TestEndsWithItsStarter checks that a process ends when the program that started it is killed,
// so that a killed bench or chaos run leaves no process behind.
func TestEndsWithItsStarter(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	starter := exec.CommandContext(t.Context(), self)
	starter.Env = append(os.Environ(), asStarter+"=1")
	// The pipe is open as long as the shell lives, also after its starter has ended.
	out, theirs, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	starter.Stdout = theirs
	if err := starter.Start(); err != nil {
		t.Fatal(err)
	}
	_ = theirs.Close()
	lines := bufio.NewReader(out)
	if _, err := lines.ReadString('\n'); err != nil {
		t.Fatalf("the shell does not start: %v", err)
	}
	if err := starter.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = starter.Wait() // It was killed.
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
		t.Error("the shell lives on without its starter")
	}
}
