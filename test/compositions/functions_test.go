// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package compositions

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/util/wait"

	"github.com/provider-cloudflare/provider-cloudflare/test/rig"
)

// functionManifest is the manifest of a function that already runs locally.
const functionManifest = `---
apiVersion: pkg.crossplane.io/v1
kind: Function
metadata:
  name: %s
  annotations:
    render.crossplane.io/runtime: Development
    render.crossplane.io/runtime-development-target: %s
spec:
  package: example.org/unused:v1
`

// startFunctions runs the functions of the examples and writes manifests with their addresses. stop
// ends them.
func startFunctions(ctx context.Context, dir, manifests string) (stop func(), err error) {
	var running []*exec.Cmd
	stop = func() {
		for _, cmd := range running {
			_ = cmd.Process.Kill() // fails for a process that has ended
			_ = cmd.Wait()
		}
	}
	defer func() {
		if err != nil {
			stop()
		}
	}()
	own := filepath.Join(dir, "dns")
	if err := buildFunction(ctx, own); err != nil {
		return nil, err
	}
	patches, err := tool(ctx, "patchandtransform/function-patch-and-transform")
	if err != nil {
		return nil, err
	}
	var all strings.Builder
	for name, command := range map[string][]string{
		"function-cloudflare-dns":      {own, "--metrics-address="},
		"function-patch-and-transform": {patches},
	} {
		address, err := rig.FreeAddress(ctx)
		if err != nil {
			return nil, err
		}
		cmd := exec.CommandContext(ctx, command[0], append(command[1:], "--insecure", "--address", address)...)
		if err := cmd.Start(); err != nil {
			return nil, err
		}
		running = append(running, cmd)
		if err := awaitServer(ctx, address); err != nil {
			return nil, fmt.Errorf("%s does not serve: %w", name, err)
		}
		fmt.Fprintf(&all, functionManifest, name, address)
	}
	return stop, os.WriteFile(manifests, []byte(all.String()), 0o600)
}

func buildFunction(ctx context.Context, to string) error {
	cmd := exec.CommandContext(ctx, "go", "build", "-o", to, ".")
	cmd.Dir = filepath.Join(root(), "functions", "dns")
	cmd.Env = append(os.Environ(), "GOWORK=off", "CGO_ENABLED=0")
	_, err := output(cmd)
	return err
}

func awaitServer(ctx context.Context, address string) error {
	return wait.PollUntilContextTimeout(ctx, 50*time.Millisecond, time.Minute, true, func(ctx context.Context) (bool, error) {
		c, err := (&net.Dialer{}).DialContext(ctx, "tcp", address)
		if err != nil {
			return false, nil //nolint:nilerr // Not yet; the deadline tells when never.
		}
		return true, errors.Join(c.Close())
	})
}
