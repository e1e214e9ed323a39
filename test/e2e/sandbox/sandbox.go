// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

// Package sandbox isolates the suite from the rest of the machine.
//
// Crossplane and Kubernetes listen on all interfaces, at fixed ports. Containers mount file
// systems. Processes that a test leaves behind would continue to run. In a network, a mount and
// a PID namespace of its own, the suite is not reachable from outside, has no conflicts, and
// ends with all of its processes.
package sandbox

import (
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"os/signal"
	"syscall"

	"github.com/vishvananda/netlink"
	"golang.org/x/sys/unix"
)

// Address is the address of the sandbox's processes: the API server, the registry and the
// simulator. It is private (RFC 1918), so that container tools use plain HTTP. It is on the
// loopback interface, so that it is not reachable from outside.
const Address = "10.99.0.1"

// inside is set in the second process, which is in the namespaces.
const inside = "PROVIDER_CLOUDFLARE_E2E_INSIDE"

// Run calls f in the sandbox and returns the exit code of the process. It starts this program
// again, with the same arguments, as the sandbox's first process. Without root it also creates
// a user namespace, in which f is root and no other user exists.
func Run(f func() int) int {
	if os.Getenv(inside) == "" {
		return enter()
	}
	if err := furnish(); err != nil {
		fmt.Fprintln(os.Stderr, "e2e: cannot prepare the sandbox:", err)
		return 1
	}
	return f()
}

// Root reports whether other users exist in the sandbox. Containers need them.
func Root() bool { return os.Getenv(inside) == "root" }

func enter() int {
	kind := "root"
	attr := &syscall.SysProcAttr{
		Cloneflags: unix.CLONE_NEWNET | unix.CLONE_NEWNS | unix.CLONE_NEWPID,
		Pdeathsig:  syscall.SIGKILL,
	}
	if os.Geteuid() != 0 {
		kind = "user"
		attr.Cloneflags |= unix.CLONE_NEWUSER
		attr.UidMappings = []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getuid(), Size: 1}}
		attr.GidMappings = []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getgid(), Size: 1}}
	}
	self, err := os.Executable()
	if err != nil {
		fmt.Fprintln(os.Stderr, "e2e:", err)
		return 1
	}
	cmd := exec.Command(self, os.Args[1:]...) //nolint:gosec,noctx // This very program, for as long as it runs.
	cmd.Env = append(os.Environ(), inside+"="+kind)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	cmd.SysProcAttr = attr
	return wait(cmd)
}

// wait runs the command and forwards signals to it.
func wait(cmd *exec.Cmd) int {
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, syscall.SIGINT, syscall.SIGTERM)
	defer signal.Stop(signals)
	if err := cmd.Start(); err != nil {
		fmt.Fprintln(os.Stderr, "e2e: cannot make namespaces; it takes root, or a kernel that lets users make them:", err)
		return 1
	}
	go func() {
		for s := range signals {
			_ = cmd.Process.Signal(s) // It may have ended a moment ago.
		}
	}()
	err := cmd.Wait()
	var exit *exec.ExitError
	switch {
	case errors.As(err, &exit) && exit.ExitCode() >= 0:
		return exit.ExitCode()
	case err != nil:
		fmt.Fprintln(os.Stderr, "e2e:", err)
		return 1
	}
	return 0
}

// furnish prepares the new namespaces.
func furnish() error {
	// Mounts from here on are visible only in the sandbox.
	if err := unix.Mount("", "/", "", unix.MS_PRIVATE|unix.MS_REC, ""); err != nil {
		return fmt.Errorf("cannot keep mounts to ourselves: %w", err)
	}
	if err := unix.Mount("proc", "/proc", "proc", 0, ""); err != nil {
		return fmt.Errorf("cannot mount /proc: %w", err)
	}
	loopback, err := netlink.LinkByName("lo")
	if err != nil {
		return fmt.Errorf("cannot find the loopback interface: %w", err)
	}
	if err := netlink.LinkSetUp(loopback); err != nil {
		return fmt.Errorf("cannot start the loopback interface: %w", err)
	}
	address := &netlink.Addr{IPNet: netlink.NewIPNet(net.ParseIP(Address))}
	if err := netlink.AddrAdd(loopback, address); err != nil {
		return fmt.Errorf("cannot have the address %s: %w", Address, err)
	}
	// The addresses of Services are translated only for packets that have a route.
	everywhere := &netlink.Route{LinkIndex: loopback.Attrs().Index, Dst: netlink.NewIPNet(net.IPv4zero), Src: net.ParseIP(Address)}
	everywhere.Dst.Mask = net.CIDRMask(0, 32)
	if err := netlink.RouteAdd(everywhere); err != nil {
		return fmt.Errorf("cannot route through the loopback interface: %w", err)
	}
	return nil
}
