// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package safestart

import (
	"os"
	"testing"

	"github.com/crossplane/crossplane-runtime/v2/pkg/logging"
	ctrl "sigs.k8s.io/controller-runtime"

	"github.com/provider-cloudflare/provider-cloudflare/test/leak"
)

// logged is the output of the providers and their libraries, in all tests.
var logged = &leak.Output{}

// TestMain sets the global loggers before any provider starts: a manager that stops
// may still read them.
func TestMain(m *testing.M) {
	ctrl.SetLogger(logged.Logger())
	logging.SetFilteredKlogLogger(logged.Logger())
	os.Exit(m.Run())
}
