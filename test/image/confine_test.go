// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package image

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"
)

// arbitrary is a user ID that the image does not know, like those that OpenShift chooses.
const arbitrary = 1000680000

// confined is the environment variable with the folder that the test's binary makes its
// read-only root before it becomes the image's program.
const confined = "TEST_IMAGE_ROOT"

func TestMain(m *testing.M) {
	if dir := os.Getenv(confined); dir != "" {
		fmt.Fprintln(os.Stderr, "cannot confine:", becomeProgram(dir))
		os.Exit(3)
	}
	os.Exit(m.Run())
}

// confine returns a command that runs the image's program with the arguments and the
// environment. The program runs in a mount namespace of its own with the read-only root dir, as
// an arbitrary user without capabilities, and cannot get any.
func confine(t *testing.T, dir string, env []string, args ...string) *exec.Cmd {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), self, args...)
	cmd.Env = slices.Concat(env, []string{confined + "=" + dir})
	cmd.SysProcAttr = &syscall.SysProcAttr{Cloneflags: syscall.CLONE_NEWNS}
	if os.Geteuid() != 0 {
		cmd.SysProcAttr.Cloneflags |= syscall.CLONE_NEWUSER
		cmd.SysProcAttr.UidMappings = []syscall.SysProcIDMap{{ContainerID: arbitrary, HostID: os.Geteuid(), Size: 1}}
		cmd.SysProcAttr.GidMappings = []syscall.SysProcIDMap{{ContainerID: arbitrary, HostID: os.Getegid(), Size: 1}}
		cmd.SysProcAttr.AmbientCaps = []uintptr{capChroot, capSysAdmin}
	}
	return cmd
}

const (
	capChroot   = 18
	capSysAdmin = 21

	prSetNoNewPrivs  = 38
	prCapAmbient     = 47
	prAmbientClear   = 4
	mountFlagsLocked = syscall.MS_NOSUID | syscall.MS_NODEV
)

// becomeProgram makes dir the root and executes the image's program. It returns only if that
// fails.
func becomeProgram(dir string) error {
	// A thread drops the privileges, and the program that it executes keeps them dropped.
	runtime.LockOSThread()
	steps := []struct {
		what string
		do   func() error
	}{
		{"keep mounts to itself", func() error { return syscall.Mount("", "/", "", syscall.MS_REC|syscall.MS_PRIVATE, "") }},
		{"mount the root", func() error { return syscall.Mount(dir, dir, "", syscall.MS_BIND|syscall.MS_REC, "") }},
		{"make it read-only", func() error {
			return syscall.Mount("", dir, "", syscall.MS_BIND|syscall.MS_REMOUNT|syscall.MS_RDONLY|mountFlagsLocked, "")
		}},
		{"enter it", func() error { return errors.Join(syscall.Chroot(dir), syscall.Chdir("/")) }},
		{"become another user", becomeArbitrary},
		{"give up capabilities", func() error { return prctl(prCapAmbient, prAmbientClear) }},
		{"give up ways to more", func() error { return prctl(prSetNoNewPrivs, 1) }},
		{"find nothing to write to", nowhereToWrite},
	}
	for _, s := range steps {
		if err := s.do(); err != nil {
			return fmt.Errorf("%s: %w", s.what, err)
		}
	}
	var env []string
	for _, e := range os.Environ() {
		if !strings.HasPrefix(e, confined+"=") {
			env = append(env, e)
		}
	}
	return syscall.Exec("/"+binaryPath, append([]string{"/" + binaryPath}, os.Args[1:]...), env)
}

func becomeArbitrary() error {
	if os.Geteuid() != 0 {
		return nil // The user namespace denies it already.
	}
	return errors.Join(syscall.Setgroups(nil), syscall.Setgid(arbitrary), syscall.Setuid(arbitrary))
}

func prctl(option, value uintptr) error {
	if _, _, e := syscall.RawSyscall6(syscall.SYS_PRCTL, option, value, 0, 0, 0, 0); e != 0 {
		return e
	}
	return nil
}

// nowhereToWrite returns an error if the root is writable.
func nowhereToWrite() error {
	if os.Getuid() != arbitrary {
		return fmt.Errorf("this is user %d", os.Getuid())
	}
	return filepath.WalkDir("/", func(path string, d os.DirEntry, err error) error {
		if err != nil || !d.IsDir() {
			return err
		}
		err = os.WriteFile(filepath.Join(path, "probe"), nil, 0o600)
		if !errors.Is(err, syscall.EROFS) {
			return fmt.Errorf("%s is not read-only: %w", path, err)
		}
		return nil
	})
}
