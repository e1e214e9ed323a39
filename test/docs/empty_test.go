// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package docs

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"

	"github.com/provider-cloudflare/provider-cloudflare/test/page"
)

// listens matches the addresses at which a page's simulator listens.
var listens = regexp.MustCompile(`--listen (127\.0\.0\.1:\d+)`)

// beginEmpty provides an empty cluster for the page, and the output of make build. Processes
// that the page leaves running end with the test.
func (r *reader) beginEmpty() {
	r.t.Helper()
	dir := r.t.TempDir()
	r.makeCluster(dir)
	r.enter(filepath.Join(dir, "kubeconfig"))
	groups := filepath.Join(r.t.TempDir(), "groups")
	r.env = append(r.env, "PAGE_GROUPS="+groups)
	guard(r.t, groups)
	var err error
	if r.setup.replace, err = ports(r.page); err != nil {
		r.t.Fatal(err)
	}
}

// makeCluster runs make cluster until the test ends.
func (r *reader) makeCluster(dir string) {
	r.t.Helper()
	group := filepath.Join(dir, "group")
	guard(r.t, group)
	cmd := exec.CommandContext(context.Background(), "make", "--no-print-directory", "-C", root, "cluster", "CLUSTER_DIR="+dir)
	cmd.Env = append(os.Environ(), "MAKEFLAGS=")
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} // A signal also reaches the control plane.
	said := &bytes.Buffer{}
	cmd.Stderr = said
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		r.t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		r.t.Fatal(err)
	}
	if err := os.WriteFile(group, fmt.Appendln(nil, cmd.Process.Pid), 0o600); err != nil {
		r.t.Fatal(err)
	}
	r.t.Cleanup(func() {
		if err := syscall.Kill(-cmd.Process.Pid, syscall.SIGTERM); err != nil {
			r.t.Errorf("make cluster has ended before: %v: %s", err, said)
		}
		_ = cmd.Wait() // make reports the signal that ended it.
		if err := os.Remove(group); err != nil {
			r.t.Error(err)
		}
	})
	line, err := bufio.NewReader(stdout).ReadString('\n')
	if err != nil || !strings.HasPrefix(line, "ready in ") {
		r.t.Fatalf("make cluster says %q (%v): %s", line, err, said)
	}
}

// ports returns a free port for each address at which the page listens.
func ports(p page.Page) (map[string]string, error) {
	out := map[string]string{}
	for _, b := range p.Blocks {
		for _, m := range listens.FindAllStringSubmatch(b.Text(), -1) {
			l, err := net.Listen("tcp", "127.0.0.1:0")
			if err != nil {
				return nil, fmt.Errorf("cannot find a free port: %w", err)
			}
			out[m[1]] = l.Addr().String()
			if err := l.Close(); err != nil {
				return nil, fmt.Errorf("cannot find a free port: %w", err)
			}
		}
	}
	return out, nil
}
