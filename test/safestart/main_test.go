// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package safestart

import (
	"os"
	"testing"

	"github.com/crossplane/crossplane-runtime/v2/pkg/logging"
	"github.com/go-logr/logr"
	"github.com/go-logr/logr/funcr"
	ctrl "sigs.k8s.io/controller-runtime"

	"github.com/provider-cloudflare/provider-cloudflare/test/leak"
)

// logged is what the providers and their libraries log, in all tests.
var logged = &leak.Record{}

// TestMain sets the global loggers before any provider starts: a manager that stops
// may still read them.
func TestMain(m *testing.M) {
	log := logger()
	ctrl.SetLogger(log)
	logging.SetFilteredKlogLogger(log)
	os.Exit(m.Run())
}

// logger writes to what is logged.
func logger() logr.Logger {
	return funcr.New(func(prefix, args string) { logged.Keep("log", prefix+" "+args) }, funcr.Options{Verbosity: 1})
}
