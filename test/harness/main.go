// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package harness

import (
	"fmt"
	"os"
	"testing"
)

// Main is a TestMain: it runs all that a package tests, and ends the process. An error of run is
// of no test, so a second run of the tests that failed does not show it: by the first words of
// its line, hack/test.sh fails for good.
func Main(m *testing.M, run func(*testing.M) (code int, err error)) {
	code, err := run(m)
	if err != nil {
		fmt.Fprintln(os.Stderr, "outside of the tests:", err)
		code = 1
	}
	os.Exit(code)
}
