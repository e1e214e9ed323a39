// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"sync/atomic"
	"syscall"
	"time"
)

// stopTimeout is how long a process that was asked to end may take.
const stopTimeout = 30 * time.Second

// A process is something that was started and has not been stopped.
type process struct {
	name     string
	cmd      *exec.Cmd
	stopping atomic.Bool
	done     chan struct{} // closed when it has ended and its output was read
}

// command is what to start.
type command struct {
	path           string
	args, env      []string
	stdout, stderr io.Writer
}

// start starts a process that lives until it is stopped. If it ends before, fail
// is told why.
func start(ctx context.Context, c command, fail func(error)) (*process, error) {
	p := &process{name: filepath.Base(c.path), done: make(chan struct{})}
	p.cmd = exec.CommandContext(context.WithoutCancel(ctx), c.path, c.args...) //nolint:gosec // Our own binaries.
	p.cmd.Env = append(os.Environ(), c.env...)
	p.cmd.Stdout, p.cmd.Stderr = c.stdout, c.stderr
	// An interrupt at the terminal reaches this process alone, which ends the others in order.
	p.cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := p.cmd.Start(); err != nil {
		return nil, fmt.Errorf("cannot start %s: %w", p.name, err)
	}
	go func() {
		defer close(p.done)
		if err := p.cmd.Wait(); !p.stopping.Load() {
			fail(fmt.Errorf("%s ended by itself: %w", p.name, errors.Join(err, errEnded)))
		}
	}()
	return p, nil
}

var errEnded = errors.New("nobody asked it to end")

func (p *process) pid() int { return p.cmd.Process.Pid }

// stop ends the process and all it may have started, by force if it must.
func (p *process) stop() error {
	p.stopping.Store(true)
	select {
	case <-p.done:
		return nil
	default:
	}
	_ = syscall.Kill(-p.pid(), syscall.SIGTERM) // it may have ended just now
	select {
	case <-p.done:
		return nil
	case <-time.After(stopTimeout):
	}
	_ = syscall.Kill(-p.pid(), syscall.SIGKILL) // as above
	<-p.done
	return fmt.Errorf("%s had to be killed: it did not end within %s", p.name, stopTimeout)
}

// firstLine takes output and tells its first line.
type firstLine struct {
	buffer []byte
	told   bool
	line   chan []byte // holds one
}

func newFirstLine() *firstLine { return &firstLine{line: make(chan []byte, 1)} }

// Write implements io.Writer.
func (f *firstLine) Write(p []byte) (int, error) {
	for _, c := range p {
		if f.told {
			break
		}
		if c == '\n' {
			f.told = true
			f.line <- f.buffer
			break
		}
		f.buffer = append(f.buffer, c)
	}
	return len(p), nil
}

// freeAddress is an address on loopback that nobody listens on.
func freeAddress(ctx context.Context) (string, error) {
	l, err := new(net.ListenConfig).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return "", fmt.Errorf("cannot find a free port: %w", err)
	}
	defer func() { _ = l.Close() }() // nobody has connected
	return l.Addr().String(), nil
}
