// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package rig

import (
	"context"
	"io"
)

// A ProviderSpec describes a provider to start.
type ProviderSpec struct {
	Binary     string
	Kubeconfig string
	// APIURL is the base URL of the Cloudflare API.
	APIURL string
	// Metrics and Probes are the addresses of their servers; "" is a free one.
	Metrics, Probes string
	Args, Env       []string
	Log             io.Writer
}

// A Provider is a running provider.
type Provider struct {
	*Process
	MetricsURL, ReadyURL string
}

// StartProvider starts a provider and does not wait until it is ready.
func StartProvider(ctx context.Context, s ProviderSpec, ended func(error)) (*Provider, error) {
	for _, address := range []*string{&s.Metrics, &s.Probes} {
		if *address != "" {
			continue
		}
		var err error
		if *address, err = FreeAddress(ctx); err != nil {
			return nil, err
		}
	}
	p, err := Start(ctx, Command{
		Path: s.Binary,
		Args: append([]string{
			"--cloudflare-api-url", s.APIURL, "--metrics-bind-address", s.Metrics, "--health-probe-bind-address", s.Probes,
		}, s.Args...),
		Env: append([]string{"KUBECONFIG=" + s.Kubeconfig}, s.Env...), Stdout: s.Log, Stderr: s.Log,
	}, ended)
	if err != nil {
		return nil, err
	}
	return &Provider{Process: p, MetricsURL: "http://" + s.Metrics + "/metrics", ReadyURL: "http://" + s.Probes + "/readyz"}, nil
}
