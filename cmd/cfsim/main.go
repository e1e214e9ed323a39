// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

// Command cfsim serves a simulated Cloudflare API, for demos and for tests in
// other processes. See package test/simulator for what it does.
package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/signal"
	"runtime/debug"
	"syscall"
	"time"

	"github.com/alecthomas/kong"

	"github.com/provider-cloudflare/provider-cloudflare/test/simulator"
)

// version is set by the linker.
var version = ""

const (
	headerTimeout = 10 * time.Second
	stopTimeout   = 5 * time.Second
)

type cli struct {
	Listen     string           `help:"Address to listen on. Its administration needs no credential: stay on loopback." default:"127.0.0.1:0"`
	Seed       string           `help:"JSON file of accounts, zones, records and tokens; without it there is one account with one zone." type:"existingfile"`
	Zone       string           `help:"Name of the zone, where there is no seed." default:"example.com"`
	Plan       string           `help:"Plan of the zone, where there is no seed." enum:"free,pro,business,enterprise" default:"free"`
	Fault      []string         `help:"Fault to switch on: KIND[,method=..][,path=..][,zone=..][,skip=N][,times=N|-1][,probability=P][,delay=D][,retry-after=D][,apart=D]." sep:"none"`
	RateLimit  int              `help:"Requests in five minutes for each credential; -1 is no limit." default:"1200"`
	MaxPerPage int              `help:"Largest page of record lists." default:"5000"`
	DNSSEC     time.Duration    `help:"How long DNSSEC takes to come and to go." name:"dnssec-delay" default:"5m"`
	Tenants    time.Duration    `help:"How long tenants take to publish what a custom hostname asks for; 0 is that they never do." name:"tenant-delay" default:"0"`
	RandomSeed uint64           `help:"Seed of IDs and tokens." default:"0"`
	Log        string           `help:"Print every request." enum:"text,json,none" default:"text"`
	Version    kong.VersionFlag `help:"Print the version and exit."`
}

func main() {
	var c cli
	kong.Parse(&c, kong.Name("cfsim"), kong.Description("A simulated Cloudflare API."), kong.Vars{"version": buildVersion()})
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := c.run(ctx, os.Stdout, os.Stderr)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "cfsim:", err)
		os.Exit(1)
	}
}

func buildVersion() string {
	if version != "" {
		return version
	}
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" {
		return info.Main.Version
	}
	return "unknown"
}

// ready is the line on stdout after the start of the simulator. It has its addresses
// and its seed.
type ready struct {
	URL      string `json:"url"` // of the API
	AdminURL string `json:"admin_url"`
	simulator.Seeded
}

// run serves until ctx is done. The ready line goes to stdout, the request log to
// stderr.
func (c *cli) run(ctx context.Context, stdout, stderr io.Writer) error {
	sim, made, err := c.simulator()
	if err != nil {
		return err
	}
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", c.Listen)
	if err != nil {
		return fmt.Errorf("cannot listen: %w", err)
	}
	if c.Log != "none" {
		sim.OnRequest(c.printer(stderr))
	}
	server := &http.Server{Handler: sim, ReadHeaderTimeout: headerTimeout}
	failed := make(chan error, 1)
	go func() { failed <- server.Serve(listener) }()

	base := "http://" + listener.Addr().String()
	if err := json.NewEncoder(stdout).Encode(ready{URL: base + simulator.BasePath, AdminURL: base + simulator.AdminPath, Seeded: made}); err != nil {
		return fmt.Errorf("cannot print the ready line: %w", err)
	}
	select {
	case err := <-failed:
		return fmt.Errorf("cannot serve: %w", err)
	case <-ctx.Done():
	}
	stopping, cancel := context.WithTimeout(context.WithoutCancel(ctx), stopTimeout)
	defer cancel()
	if err := server.Shutdown(stopping); err != nil && !errors.Is(err, context.DeadlineExceeded) {
		return fmt.Errorf("cannot stop: %w", err)
	}
	return nil
}

func (c *cli) simulator() (*simulator.Server, simulator.Seeded, error) {
	options := simulator.Options{
		Seed: c.RandomSeed, MaxPerPage: c.MaxPerPage, DNSSECDelay: cmp.Or(c.DNSSEC, -1), TenantDelay: c.Tenants,
		RateLimit: simulator.RateLimit{Requests: c.RateLimit, Window: 5 * time.Minute},
	}
	for _, text := range c.Fault {
		fault, err := simulator.ParseFault(text)
		if err != nil {
			return nil, simulator.Seeded{}, err
		}
		options.Faults = append(options.Faults, fault)
	}
	seed, err := c.seed()
	if err != nil {
		return nil, simulator.Seeded{}, err
	}
	sim := simulator.New(options)
	made, err := sim.Apply(seed)
	return sim, made, err
}

func (c *cli) seed() (simulator.Seed, error) {
	if c.Seed == "" {
		zone := simulator.SeedZone{Name: c.Zone}
		zone.Plan = simulator.Plan(c.Plan)
		return simulator.Seed{
			Accounts: []simulator.SeedAccount{{Name: "Example Inc", Zones: []simulator.SeedZone{zone}}},
			Tokens:   []simulator.TokenOptions{{Grants: []simulator.Grant{{Permission: simulator.Everything}}}},
		}, nil
	}
	file, err := os.Open(c.Seed)
	if err != nil {
		return simulator.Seed{}, fmt.Errorf("cannot read the seed: %w", err)
	}
	defer func() { _ = file.Close() }() // It was only read.
	var seed simulator.Seed
	dec := json.NewDecoder(file)
	dec.DisallowUnknownFields()
	if err := dec.Decode(&seed); err != nil {
		return simulator.Seed{}, fmt.Errorf("cannot read the seed %s: %w", c.Seed, err)
	}
	return seed, nil
}

// printer prints requests as they are logged.
func (c *cli) printer(w io.Writer) func(simulator.LoggedRequest) {
	if c.Log == "json" {
		enc := json.NewEncoder(w)
		return func(l simulator.LoggedRequest) { _ = enc.Encode(l) } // A broken stderr can be reported nowhere.
	}
	return func(l simulator.LoggedRequest) {
		_, _ = fmt.Fprintln(w, l.Time.Format(time.TimeOnly), l) // as above
	}
}
