// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package rig

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"sync/atomic"
	"syscall"
	"time"
)

// stopTimeout is how long a process that was asked to end may take.
const stopTimeout = 3 * time.Minute

// A Command is what to start.
type Command struct {
	Path           string
	Args, Env      []string
	Stdout, Stderr io.Writer
}

// A Process is something that was started.
type Process struct {
	name     string
	cmd      *exec.Cmd
	stopping atomic.Bool
	done     chan struct{} // closed when it has ended and its output was read
	err      error         // how it ended, once done is closed
}

// errEnded says that a process has ended that was to live on.
var errEnded = errors.New("nobody asked it to end")

// errEarlyEnd says that a process has ended before it said that it is ready.
var errEarlyEnd = errors.New("ended before it was ready")

// Start starts a process that lives until it is stopped or killed, whatever
// becomes of ctx. If it ends before, ended receives the reason.
func Start(ctx context.Context, c Command, ended func(error)) (*Process, error) {
	p := &Process{name: filepath.Base(c.Path), done: make(chan struct{})}
	p.cmd = exec.CommandContext(context.WithoutCancel(ctx), c.Path, c.Args...) //nolint:gosec // Our own binaries.
	p.cmd.Env = append(os.Environ(), c.Env...)
	p.cmd.Stdout, p.cmd.Stderr = c.Stdout, c.Stderr
	// An interrupt at the terminal reaches the program that runs this, which ends the
	// others in order. Where that is killed, the process is, too.
	p.cmd.SysProcAttr = attributes()
	started := make(chan error)
	go func() {
		// Linux kills the process when the thread ends that started it.
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		err := p.cmd.Start()
		started <- err
		if err != nil {
			return
		}
		p.err = p.cmd.Wait()
		asked := p.stopping.Load()
		close(p.done)
		if !asked {
			ended(fmt.Errorf("%s ended by itself: %w", p.name, errors.Join(p.err, errEnded)))
		}
	}()
	if err := <-started; err != nil {
		return nil, fmt.Errorf("cannot start %s: %w", p.name, err)
	}
	return p, nil
}

// Name is the file name of what runs.
func (p *Process) Name() string { return p.name }

// PID is its number.
func (p *Process) PID() int { return p.cmd.Process.Pid }

// Done is closed when the process has ended.
func (p *Process) Done() <-chan struct{} { return p.done }

// Kill ends the process, and all it may have started, without warning, and
// returns when it is gone.
func (p *Process) Kill() {
	p.stopping.Store(true)
	p.signal(syscall.SIGKILL)
	<-p.done
}

// Stop asks the process to end, forces it if it must, and returns when it is
// gone.
func (p *Process) Stop() error {
	if !p.StopWithin(stopTimeout) {
		return fmt.Errorf("%s had to be killed: it did not end within %s", p.name, stopTimeout)
	}
	return nil
}

// StopWithin asks the process to end and kills it if it has not after that time,
// of which it then gives false.
func (p *Process) StopWithin(d time.Duration) bool {
	p.stopping.Store(true)
	p.signal(syscall.SIGTERM)
	select {
	case <-p.done:
		return true
	case <-time.After(d):
	}
	p.Kill()
	return false
}

// StopWell is Stop, and an error if the process says that it failed.
func (p *Process) StopWell() error {
	if err := p.Stop(); err != nil {
		return err
	}
	if p.err != nil {
		return fmt.Errorf("%s did not end well: %w", p.name, p.err)
	}
	return nil
}

// signal reaches the process's group, unless the process has ended and its number
// may be another's.
func (p *Process) signal(s syscall.Signal) {
	select {
	case <-p.done:
	default:
		_ = syscall.Kill(-p.PID(), s) // it may have ended just now
	}
}

// A FirstLine takes output and passes on its first line.
type FirstLine struct {
	buffer []byte
	done   bool
	line   chan []byte // holds one
}

// NewFirstLine returns one that has seen nothing.
func NewFirstLine() *FirstLine { return &FirstLine{line: make(chan []byte, 1)} }

// Line gives the line when there is one.
func (f *FirstLine) Line() <-chan []byte { return f.line }

// Write implements io.Writer.
func (f *FirstLine) Write(p []byte) (int, error) {
	for _, c := range p {
		if f.done {
			break
		}
		if c == '\n' {
			f.done = true
			f.line <- f.buffer
			break
		}
		f.buffer = append(f.buffer, c)
	}
	return len(p), nil
}

// wait gives the first line of a process, or why there is none.
func (f *FirstLine) wait(ctx context.Context, p *Process) ([]byte, error) {
	select {
	case line := <-f.line:
		return line, nil
	case <-p.done:
		return nil, fmt.Errorf("%s %w: %w", p.name, errEarlyEnd, errors.Join(p.err, errEnded))
	case <-ctx.Done():
		return nil, fmt.Errorf("%s is not ready: %w", p.name, context.Cause(ctx))
	}
}

// FreeAddress is an address on loopback that nobody listens on.
func FreeAddress(ctx context.Context) (string, error) {
	l, err := new(net.ListenConfig).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return "", fmt.Errorf("cannot find a free port: %w", err)
	}
	defer func() { _ = l.Close() }() // nobody has connected
	return l.Addr().String(), nil
}
