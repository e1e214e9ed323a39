// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/provider-cloudflare/provider-cloudflare/test/rig"
)

// A fleet is the provider's replicas. It restarts a process that ends by itself, as a kubelet
// does.
type fleet struct {
	binary, kubeconfig, api string
	args                    []string
	logPath                 func(name string) string
	fail                    context.CancelCauseFunc

	mu       sync.Mutex
	replicas []*replica
	known    map[string]bool // addresses of all processes so far
	kills    int
	leaders  int // kills of a leader
	exits    int // by themselves
	starts   int
}

// A replica runs one process of the provider after the other.
type replica struct {
	name            string
	metrics, probes string // addresses, the same each time
	log             *os.File
	provider        *rig.Provider
	forward         *rig.Forwarder
	startedAt       time.Time
	down            bool // on purpose
}

// addReplica starts another replica.
func (f *fleet) addReplica(ctx context.Context, args ...string) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.args = args
	r := &replica{name: fmt.Sprintf("provider-%d", len(f.replicas))}
	for _, a := range []*string{&r.metrics, &r.probes} {
		var err error
		if *a, err = rig.FreeAddress(ctx); err != nil {
			return err
		}
	}
	var err error
	if r.log, err = os.OpenFile(f.logPath(r.name+".log"), os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600); err != nil {
		return fmt.Errorf("cannot log: %w", err)
	}
	f.replicas = append(f.replicas, r)
	return f.start(ctx, r)
}

// start starts a process for r, which has none. The caller holds the lock.
func (f *fleet) start(ctx context.Context, r *replica) error {
	url, forward, err := f.forward(ctx)
	if err != nil {
		return err
	}
	f.starts++
	fmt.Fprintf(r.log, "=== %s start %d as %s\n", time.Now().UTC().Format("15:04:05.000"), f.starts, forward.Address())
	r.forward, r.startedAt, r.down = forward, time.Now(), false
	r.provider, err = rig.StartProvider(ctx, rig.ProviderSpec{
		Binary: f.binary, Kubeconfig: f.kubeconfig, APIURL: url, Metrics: r.metrics, Probes: r.probes, Args: f.args, Log: r.log,
		// The namespace of the provider's persistent state: the same for each process.
		Env: []string{"POD_NAMESPACE=" + home},
	}, func(error) { go f.again(ctx, r) })
	return err
}

// forward returns an address of the API that no earlier process had. The address identifies the
// process that writes.
func (f *fleet) forward(ctx context.Context) (string, *rig.Forwarder, error) {
	url, forward, err := rig.ForwardURL(ctx, f.api)
	if err != nil || !f.known[forward.Address()] {
		if err == nil {
			f.known[forward.Address()] = true
		}
		return url, forward, err
	}
	defer func() { _ = forward.Close() }() // closed after the next one is open, or the same address would come again
	return f.forward(ctx)
}

// restartPause is the time before a replica that ended by itself is restarted.
const restartPause = 500 * time.Millisecond

// again restarts r after its process has ended by itself.
func (f *fleet) again(ctx context.Context, r *replica) {
	wait(ctx, restartPause)
	f.mu.Lock()
	defer f.mu.Unlock()
	if r.down || ctx.Err() != nil {
		return
	}
	select {
	case <-r.provider.Done():
	default:
		return // It was killed and restarted in the meantime.
	}
	f.exits++
	_ = r.forward.Close() // unused from now on
	if err := f.start(ctx, r); err != nil {
		f.fail(err)
	}
}

// kill kills the process of r and starts the next one at once.
func (f *fleet) kill(ctx context.Context, r *replica, leader bool) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if r.down {
		return nil
	}
	select {
	case <-r.provider.Done():
		return nil // It has ended by itself, and again restarts it.
	default:
	}
	r.provider.Kill()
	f.kills++
	if leader {
		f.leaders++
	}
	fmt.Fprintf(r.log, "=== %s killed (leader: %t)\n", time.Now().UTC().Format("15:04:05.000"), leader)
	_ = r.forward.Close() // unused from now on
	return f.start(ctx, r)
}

// stop ends all replicas.
func (f *fleet) stop() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	var errs []error
	for _, r := range f.replicas {
		r.down = true
		if r.provider != nil {
			errs = append(errs, r.provider.Stop(), r.forward.Close())
		}
		errs = append(errs, r.log.Close())
	}
	f.replicas = nil
	return errors.Join(errs...)
}

// alone stops all replicas and starts one with these flags.
func (f *fleet) alone(ctx context.Context, args ...string) error {
	if err := f.stop(); err != nil {
		return err
	}
	return f.addReplica(ctx, args...)
}

// killed returns the number of kills.
func (f *fleet) killed() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.kills
}

// all returns all replicas.
func (f *fleet) all() []*replica {
	f.mu.Lock()
	defer f.mu.Unlock()
	return append([]*replica{}, f.replicas...)
}

const metricLeads = "leader_election_master_status"

// leads reports whether r's metrics say that it is the leader.
func (f *fleet) leads(ctx context.Context, r *replica) bool {
	for line := range metricLines(ctx, "http://"+r.metrics+"/metrics") {
		if strings.HasPrefix(line, metricLeads) && strings.HasSuffix(line, " 1") {
			return true
		}
	}
	return false
}

// metricLines yields the lines at the URL, none if the request fails.
func metricLines(ctx context.Context, url string) func(yield func(string) bool) {
	return func(yield func(string) bool) {
		ctx, cancel := context.WithTimeout(ctx, time.Second)
		defer cancel()
		req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, http.NoBody)
		if err != nil {
			return
		}
		resp, err := http.DefaultClient.Do(req)
		if err != nil {
			return
		}
		defer func() { _ = resp.Body.Close() }() // for reading only
		for s := bufio.NewScanner(resp.Body); s.Scan(); {
			if !yield(s.Text()) {
				return
			}
		}
	}
}
