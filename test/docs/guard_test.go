// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package docs

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
)

// guarding kills the process groups that a file lists when its standard input ends.
const guarding = `read -r; [ ! -e "$1" ] || while read -r group; do kill -KILL -- "-$group"; done <"$1"`

// guard kills the process groups that the file lists, one number a line, when the test ends,
// and also when the test's own process is killed. The file may be written later.
func guard(t *testing.T, file string) {
	t.Helper()
	cmd := exec.CommandContext(context.Background(), "/bin/bash", "-c", guarding, "guard", file)
	// A signal to the test's process group does not reach the guard.
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	// No other process has this end of the pipe, so it closes when the test's process ends.
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := in.Close(); err != nil {
			t.Error(err)
		}
		_ = cmd.Wait() // kill fails for groups that have ended
	})
}

// TestGuard shows that processes that a page started end with the test. Killing the test's
// process closes the pipe to the guard, like the end of a test.
func TestGuard(t *testing.T) {
	t.Parallel()
	cmd := exec.CommandContext(context.Background(), "/bin/bash", "-c", "sleep 3600 & sleep 3600")
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	said, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	t.Run("a test that leaves something running", func(t *testing.T) {
		file := filepath.Join(t.TempDir(), "groups")
		guard(t, file)
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, fmt.Appendln(nil, cmd.Process.Pid), 0o600); err != nil {
			t.Fatal(err)
		}
	})
	// The pipe ends when the last process of the group has ended.
	if _, err := io.ReadAll(said); err != nil {
		t.Error(err)
	}
	if err := cmd.Wait(); err == nil {
		t.Error("it ended by itself")
	}
}
