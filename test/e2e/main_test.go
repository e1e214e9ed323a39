// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package e2e

import (
	"flag"
	"fmt"
	"os"
	"testing"

	"github.com/provider-cloudflare/provider-cloudflare/test/e2e/sandbox"
)

//nolint:gochecknoglobals // Flags are the test binary's.
var (
	bin      = flag.String("bin", "../../_output/e2e/bin", "folder of programs and packages, as prepare.sh fills it")
	full     = flag.Bool("full", false, "with containers: kubelet, containerd and all that Crossplane's chart installs (needs root)")
	previous = flag.String("previous", "", "version of the previous package")
	current  = flag.String("current", "", "version of the package under test")
)

func TestMain(m *testing.M) {
	flag.Parse()
	if *previous == "" || *current == "" {
		fmt.Fprintln(os.Stderr, "e2e: run it with make e2e or make e2e-full")
		os.Exit(2)
	}
	os.Exit(sandbox.Run(m.Run))
}
