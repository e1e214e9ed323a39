// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package safestart

import (
	"errors"
	"fmt"
	"net/http"
	"slices"
	"testing"
	"time"

	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/rest"
	"k8s.io/utils/ptr"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/envtest"

	dnsv1alpha1 "github.com/provider-cloudflare/provider-cloudflare/apis/dns/v1alpha1"
	"github.com/provider-cloudflare/provider-cloudflare/internal/provider"
	"github.com/provider-cloudflare/provider-cloudflare/test/harness"
	"github.com/provider-cloudflare/provider-cloudflare/test/simulator"
)

// start starts an API server and a simulator that end with the test.
func start(t *testing.T) (*rest.Config, client.Client, *harness.Cloud) {
	t.Helper()
	cfg, endAPIServer, err := harness.StartAPIServer(&envtest.Environment{})
	if err != nil {
		t.Fatal(err)
	}
	cloud, err := harness.StartCloud(simulator.Options{})
	if err != nil {
		t.Fatal(errors.Join(err, endAPIServer()))
	}
	t.Cleanup(func() {
		if err := errors.Join(cloud.End(), endAPIServer()); err != nil {
			t.Error(err)
		}
	})
	kube, err := harness.Client(cfg)
	if err != nil {
		t.Fatal(err)
	}
	return cfg, kube, cloud
}

// run runs a provider until the test ends, or until it is stopped.
func run(t *testing.T, cfg *rest.Config, o provider.Options) (stop func() error) {
	t.Helper()
	stop = harness.StartProvider(cfg, o)
	t.Cleanup(func() {
		if err := stop(); err != nil {
			t.Errorf("the provider %s did not end well: %v", o.Version, err)
		}
	})
	return stop
}

// ready waits until the Record is Ready and Synced at its generation.
func ready(t *testing.T, kube client.Client, r *dnsv1alpha1.Record) {
	t.Helper()
	harness.Until(harness.Objects{T: t, Kube: kube, Patience: patience}, r, func(r *dnsv1alpha1.Record) error {
		for _, kind := range []xpv2.ConditionType{xpv2.TypeReady, xpv2.TypeSynced} {
			if c := r.GetCondition(kind); c.Status != corev1.ConditionTrue || c.ObservedGeneration != r.Generation {
				return fmt.Errorf("%s is not so at generation %d: %s", kind, r.Generation, harness.Conditions(r))
			}
		}
		return nil
	})
}

// TestHandover stops the leader during a call that changes a Record, and changes the Record
// again. Cloudflare carries the call out late. No write of the old leader arrives after the
// first write of the new one.
func TestHandover(t *testing.T) {
	cfg, kube, cloud := start(t)
	sim := cloud.Sim
	install(t, cfg,
		"cloudflare.m.crossplane.io_providerconfigs.yaml",
		"cloudflare.m.crossplane.io_clusterproviderconfigs.yaml",
		"dns.cloudflare.m.crossplane.io_records.yaml")
	of := func(version string) provider.Options {
		o := harness.Options(cloud.URL)
		o.Version, o.LeaderElection, o.Namespace = version, true, "default"
		o.Lease = provider.Lease{Duration: 60 * time.Second, RenewDeadline: 50 * time.Second, RetryPeriod: 100 * time.Millisecond}
		return o
	}
	r, _, _ := objects(t, kube, sim)
	stop := run(t, cfg, of("old"))
	ready(t, kube, r)
	run(t, cfg, of("new"))

	// The answer takes longer than the next leader needs to write.
	slow := sim.AddFault(simulator.Fault{Kind: simulator.FaultSlowBefore, Method: http.MethodPatch, Delay: 10 * time.Second})
	edit := func(content string) {
		harness.Edit(harness.Objects{T: t, Kube: kube, Patience: patience}, r, func(r *dnsv1alpha1.Record) {
			r.Spec.ForProvider.Content = ptr.To(content)
		})
	}
	edit("192.0.2.2")
	harness.Eventually(t, patience, func() error {
		if sim.Fired(slow) == 0 {
			return errors.New("the change is not under way")
		}
		return nil
	})
	stopped := make(chan error, 1)
	go func() { stopped <- stop() }()
	edit("192.0.2.3")
	ready(t, kube, r)
	if err := <-stopped; err != nil {
		t.Errorf("the old leader did not end well: %v", err)
	}

	var writers []string
	for _, l := range sim.Requests() {
		if l.Writes() {
			writers = append(writers, l.UserAgent)
		}
	}
	const before, after = "provider-cloudflare/old", "provider-cloudflare/new"
	first := slices.Index(writers, after)
	if first < 2 || slices.Contains(writers[first:], before) {
		t.Errorf("the writes are by %q, want two or more of the old leader and then those of the new one", writers)
	}
	if got := sim.Records(*r.Spec.ForProvider.ZoneID); len(got) != 1 || got[0].Content != "192.0.2.3" {
		t.Errorf("the zone has %+v, want what was declared last", got)
	}
}
