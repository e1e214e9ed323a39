// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

// Command dns is a Crossplane composition function: what takes judgement to make
// Records of. See internal/website and internal/endpoint for what it makes, and
// input/v1alpha1 for what a Composition tells it.
package main

import (
	"github.com/alecthomas/kong"
	function "github.com/crossplane/function-sdk-go"

	"github.com/provider-cloudflare/provider-cloudflare/functions/dns/internal/runner"
)

// The flags are those which Crossplane and its CLI expect of every function.
type cli struct {
	Debug          bool   `short:"d" help:"Log more."`
	Network        string `default:"tcp" help:"Network to listen on."`
	Address        string `default:":9443" help:"Address to listen at."`
	MetricsAddress string `default:":8080" help:"Address to serve metrics at; empty is not to serve them."`
	TLSCertsDir    string `env:"TLS_SERVER_CERTS_DIR" help:"Folder with tls.crt, tls.key and the ca.crt that clients are verified by."`
	Insecure       bool   `help:"Serve without TLS, for crossplane composition render."`
}

// serve until it fails or the process ends.
func (c *cli) serve() error {
	log, err := function.NewLogger(c.Debug)
	if err != nil {
		return err
	}
	return function.Serve(runner.New(log),
		function.Listen(c.Network, c.Address),
		function.MTLSCertificates(c.TLSCertsDir),
		function.Insecure(c.Insecure),
		function.WithMetricsServer(c.MetricsAddress))
}

func main() {
	c := &cli{}
	ctx := kong.Parse(c, kong.Name("dns"), kong.Description("A Crossplane composition function that makes Cloudflare DNS Records."))
	// Called here and not by kong: by reflection, make scan would not see what is reached.
	ctx.FatalIfErrorf(c.serve())
}
