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

// stopTimeout is the most time that a process may take to end after it was asked to.
const stopTimeout = 3 * time.Minute

// A Command describes a process to start.
type Command struct {
	Path           string
	Args, Env      []string
	Stdout, Stderr io.Writer
}

// A Process is a started process.
type Process struct {
	name     string
	cmd      *exec.Cmd
	stopping atomic.Bool
	done     chan struct{} // closed when it has ended and its output was read
	err      error         // the result, after done is closed
}

// errEnded is the error of a process that ended without being stopped.
var errEnded = errors.New("nobody asked it to end")

// errEarlyEnd is the error of a process that ended before it was ready.
var errEarlyEnd = errors.New("ended before it was ready")

// Start starts a process that runs until it is stopped or killed, also after ctx has ended. If
// it ends by itself, ended receives the reason.
func Start(ctx context.Context, c Command, ended func(error)) (*Process, error) {
	p := &Process{name: filepath.Base(c.Path), done: make(chan struct{})}
	p.cmd = exec.CommandContext(context.WithoutCancel(ctx), c.Path, c.Args...) //nolint:gosec // Our own binaries.
	p.cmd.Env = append(os.Environ(), c.Env...)
	p.cmd.Stdout, p.cmd.Stderr = c.Stdout, c.Stderr
	// An interrupt at the terminal reaches only this program, which stops the others in order.
	// On Linux the process ends also if this program is killed.
	p.cmd.SysProcAttr = attributes()
	started := make(chan error)
	go func() {
		// Linux kills the process when the thread that started it ends.
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

// Name returns the file name of the program.
func (p *Process) Name() string { return p.name }

// PID returns the ID of the process.
func (p *Process) PID() int { return p.cmd.Process.Pid }

// Done returns a channel that is closed when the process has ended.
func (p *Process) Done() <-chan struct{} { return p.done }

// Kill kills the process and all processes of its group, and returns when the process has
// ended.
func (p *Process) Kill() {
	p.stopping.Store(true)
	p.signal(syscall.SIGKILL)
	<-p.done
}

// Stop asks the process to end, kills it if necessary, and returns when it has ended.
func (p *Process) Stop() error {
	if !p.StopWithin(stopTimeout) {
		return fmt.Errorf("%s had to be killed: it did not end within %s", p.name, stopTimeout)
	}
	return nil
}

// StopWithin asks the process to end, and kills it after that time. It returns false if it had
// to kill it.
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

// StopWell stops the process, and returns an error also if the process failed.
func (p *Process) StopWell() error {
	if err := p.Stop(); err != nil {
		return err
	}
	if p.err != nil {
		return fmt.Errorf("%s did not end well: %w", p.name, p.err)
	}
	return nil
}

// signal sends a signal to the process's group, unless the process has ended: another process
// may have its ID then.
func (p *Process) signal(s syscall.Signal) {
	select {
	case <-p.done:
	default:
		_ = syscall.Kill(-p.PID(), s) // It may have ended a moment ago.
	}
}

// A FirstLine receives output and passes its first line on.
type FirstLine struct {
	buffer []byte
	done   bool
	line   chan []byte // holds one line
}

// NewFirstLine returns a FirstLine without output.
func NewFirstLine() *FirstLine { return &FirstLine{line: make(chan []byte, 1)} }

// Line returns a channel that receives the line.
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

// wait returns the first line of a process, or the reason why there is none.
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

// FreeAddress returns an address on loopback that is not in use.
func FreeAddress(ctx context.Context) (string, error) {
	l, err := new(net.ListenConfig).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return "", fmt.Errorf("cannot find a free port: %w", err)
	}
	defer func() { _ = l.Close() }() // It has no connections.
	return l.Addr().String(), nil
}
