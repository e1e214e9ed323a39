// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package harness

import (
	"fmt"
	"os"
	"testing"
)

// Main runs all tests of a package, and ends the process. It is called by TestMain. An error of
// run belongs to no test, so a second run of the failed tests would not show it. hack/test.sh
// finds its line by the first words, and fails even if a second run passes.
func Main(m *testing.M, run func(*testing.M) (code int, err error)) {
	code, err := run(m)
	if err != nil {
		fmt.Fprintln(os.Stderr, "outside of the tests:", err)
		code = 1
	}
	os.Exit(code)
}
