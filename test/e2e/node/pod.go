// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package node

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"syscall"
	"time"

	v1 "github.com/google/go-containerregistry/pkg/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/utils/ptr"

	"github.com/provider-cloudflare/provider-cloudflare/test/e2e/sandbox"
)

// graceful is the most time that a process may take to end on request.
const graceful = 15 * time.Second

// A pod is a pod of this node.
type pod struct {
	node    *Processes
	spec    *corev1.Pod
	dir     string
	address string // the pod's own, on loopback
	end     context.CancelFunc
}

// run runs the pod's containers in order and restarts them until ctx ends.
func (p *pod) run(ctx context.Context) {
	for _, c := range p.spec.Spec.InitContainers {
		if !p.again(ctx, c, true) {
			return
		}
	}
	for _, c := range p.spec.Spec.Containers {
		p.node.wait.Go(func() { p.again(ctx, c, false) })
	}
}

// again restarts a container whenever it ends. If once is set, it stops when the container has
// succeeded, and returns true then.
func (p *pod) again(ctx context.Context, c corev1.Container, once bool) bool {
	for {
		err := p.container(ctx, c)
		if ctx.Err() != nil {
			return false
		}
		if err == nil && once {
			return true
		}
		p.say(c, "%s has ended: %v", c.Name, err)
		select {
		case <-ctx.Done():
			return false
		case <-time.After(restartDelay):
		}
	}
}

// container runs a container once.
func (p *pod) container(ctx context.Context, c corev1.Container) error {
	root := filepath.Join(p.dir, c.Name)
	config, err := unpack(ctx, c.Image, root)
	if err != nil {
		return fmt.Errorf("cannot unpack the image: %w", err)
	}
	if err := p.mount(ctx, c, root); err != nil {
		return fmt.Errorf("cannot provide the volumes: %w", err)
	}
	p.node.mu.Lock()
	err = p.writeHosts(root, p.node.hosts())
	p.node.mu.Unlock()
	if err != nil {
		return err
	}
	env, err := p.environment(c, config)
	if err != nil {
		return err
	}
	log, err := p.log(c)
	if err != nil {
		return err
	}
	defer func() { _ = log.Close() }() // The process has ended.
	cmd := p.command(ctx, c, config)
	cmd.Env, cmd.Stdout, cmd.Stderr = env, log, log
	cmd.SysProcAttr.Chroot = root
	return cmd.Run()
}

// command returns the command of a container: Kubernetes combines those of the image and of the
// container in this way.
func (p *pod) command(ctx context.Context, c corev1.Container, config v1.Config) *exec.Cmd {
	words := slices.Concat(config.Entrypoint, config.Cmd)
	switch {
	case len(c.Command) > 0:
		words = slices.Concat(c.Command, c.Args)
	case len(c.Args) > 0:
		words = slices.Concat(config.Entrypoint, c.Args)
	}
	words = append(words, moved(p).args...)
	cmd := exec.CommandContext(ctx, words[0], words[1:]...) //nolint:gosec // What the pod asks for.
	cmd.Path, cmd.Err = words[0], nil                       // The path is in the image.
	cmd.Dir = "/"
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGTERM) }
	cmd.WaitDelay = graceful
	cmd.SysProcAttr = &syscall.SysProcAttr{}
	if user, group := p.user(c); sandbox.Root() && user != 0 {
		cmd.SysProcAttr.Credential = &syscall.Credential{Uid: user, Gid: group}
	}
	return cmd
}

// user returns the user and the group of a container, root by default.
func (p *pod) user(c corev1.Container) (uid, gid uint32) {
	if s := p.spec.Spec.SecurityContext; s != nil {
		uid, gid = uint32(ptr.Deref(s.RunAsUser, 0)), uint32(ptr.Deref(s.RunAsGroup, 0)) //nolint:gosec // IDs fit.
	}
	if s := c.SecurityContext; s != nil {
		uid, gid = uint32(ptr.Deref(s.RunAsUser, int64(uid))), uint32(ptr.Deref(s.RunAsGroup, int64(gid))) //nolint:gosec // IDs fit.
	}
	return uid, gid
}

func (p *pod) log(c corev1.Container) (*os.File, error) {
	f, err := os.OpenFile(filepath.Join(p.dir, c.Name+".log"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return nil, fmt.Errorf("cannot open the log: %w", err)
	}
	return f, nil
}

// say writes a line of the node into a container's log.
func (p *pod) say(c corev1.Container, format string, args ...any) {
	if err := os.MkdirAll(p.dir, 0o750); err != nil {
		return
	}
	f, err := p.log(c)
	if err != nil {
		return
	}
	_, _ = fmt.Fprintf(f, "node: "+format+"\n", args...)
	_ = f.Close()
}
