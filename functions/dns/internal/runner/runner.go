// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

// Package runner answers Crossplane's calls: it reads a request, has one of the tasks
// decide, and writes what it decided.
//
// What a team asks for and cannot have leaves the Records that exist as they are: a name
// mistyped today must not take down what was right yesterday. The composite resource is
// not ready then, and its conditions say why. A request that cannot be understood, which
// is an error of the platform, ends in a fatal result: Crossplane then leaves everything
// alone, Ready included.
package runner

import (
	"context"
	"fmt"

	"github.com/crossplane/function-sdk-go/logging"
	fnv1 "github.com/crossplane/function-sdk-go/proto/v1"
	"github.com/crossplane/function-sdk-go/response"

	"github.com/provider-cloudflare/provider-cloudflare/functions/dns/input/v1alpha1"
)

// A Runner is the function.
type Runner struct {
	fnv1.UnimplementedFunctionRunnerServiceServer

	log logging.Logger
}

// New makes one.
func New(log logging.Logger) *Runner {
	return &Runner{log: log}
}

// RunFunction does the task that the input names. It never returns an error: what goes
// wrong is a result, which the user of the composite resource sees.
func (r *Runner) RunFunction(_ context.Context, req *fnv1.RunFunctionRequest) (*fnv1.RunFunctionResponse, error) {
	rsp := response.To(req, response.DefaultTTL)
	if err := run(req, rsp); err != nil {
		r.log.Info("Refused", "tag", req.GetMeta().GetTag(), "error", err)
		response.Fatal(rsp, err)
	}
	return rsp, nil
}

func run(req *fnv1.RunFunctionRequest, rsp *fnv1.RunFunctionResponse) error {
	in := req.GetInput().GetFields()
	version, kind := in["apiVersion"].GetStringValue(), in["kind"].GetStringValue()
	if version != v1alpha1.GroupVersion {
		return fmt.Errorf("the function's input has apiVersion %q, which must be %s", version, v1alpha1.GroupVersion)
	}
	switch kind {
	case v1alpha1.KindWebsite:
		return runWebsite(req, rsp)
	case v1alpha1.KindEndpoint:
		return runEndpoint(req, rsp)
	default:
		return fmt.Errorf("the function's input has kind %q, which must be %s or %s", kind, v1alpha1.KindWebsite, v1alpha1.KindEndpoint)
	}
}
