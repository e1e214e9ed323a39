// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package behaviour

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"testing"

	"k8s.io/client-go/rest"
)

// apiServerOfWorkers is the environment variable with the API server for fuzz
// workers. A worker may be killed at any time and must leave nothing running.
const apiServerOfWorkers = "BEHAVIOUR_API_SERVER"

// apiServer is the data that a client of the API server needs.
type apiServer struct {
	Host, Token string
	TLS         rest.TLSClientConfig
}

// ofCoordinator returns the configuration of the API server of the process that
// started this one.
func ofCoordinator() (*rest.Config, error) {
	var a apiServer
	if err := json.Unmarshal([]byte(os.Getenv(apiServerOfWorkers)), &a); err != nil {
		return nil, fmt.Errorf("cannot use %s: %w", apiServerOfWorkers, err)
	}
	return &rest.Config{Host: a.Host, BearerToken: a.Token, TLSClientConfig: a.TLS, QPS: -1, Burst: -1}, nil
}

// fuzzing reports whether the process is one of go test -fuzz.
func fuzzing() bool { return flag.Lookup("test.fuzz").Value.String() != "" }

// fuzzWorker reports whether the process is the one that runs the target.
func fuzzWorker() bool { return flag.Lookup("test.fuzzworker").Value.String() == "true" }

// fuzz runs the target in a worker, with a simulator and a provider of its own.
func fuzz(m *testing.M) (code int, err error) {
	s := &suite{}
	end, err := s.startAPIServer()
	if err != nil {
		return 1, err
	}
	defer func() { err = errors.Join(err, end()) }()
	if flag.Lookup("test.run").Value.String() != "^$" {
		return 1, errors.New("fuzz with -run '^$': there is no provider for tests beside the worker's")
	}
	raw, err := json.Marshal(apiServer{s.cfg.Host, s.cfg.BearerToken, s.cfg.TLSClientConfig})
	if err != nil {
		return 1, err
	}
	if err := os.Setenv(apiServerOfWorkers, string(raw)); err != nil {
		return 1, err
	}
	return m.Run(), nil
}
