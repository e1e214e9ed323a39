// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	clientgoscheme "k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/rest"
	"k8s.io/utils/ptr"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/provider-cloudflare/provider-cloudflare/apis"
	dnsv1alpha1 "github.com/provider-cloudflare/provider-cloudflare/apis/dns/v1alpha1"
	cfv1alpha1 "github.com/provider-cloudflare/provider-cloudflare/apis/v1alpha1"
	zonev1alpha1 "github.com/provider-cloudflare/provider-cloudflare/apis/zone/v1alpha1"
	"github.com/provider-cloudflare/provider-cloudflare/test/rig"
	"github.com/provider-cloudflare/provider-cloudflare/test/simulator"
)

// startPatience is the most time that the API server may take to start.
const startPatience = 2 * time.Minute

// A world is every process except the providers.
type world struct {
	dir     string
	stage   stage
	cp      *rig.ControlPlane
	sim     *rig.Simulator
	watch   *watch
	kube    client.Client
	history *history
	foreign map[string]json.RawMessage
	// place has the parents of the resources of described kinds. strangers are the foreign
	// resources at the start.
	place     place
	strangers map[string]json.RawMessage
	stops     []func() error
}

// newWorld starts a control plane and a simulator with foreign records, and creates namespaces
// with a credential each.
func newWorld(ctx context.Context, f *flags, dir string, seed uint64, fail func(error)) (*world, error) {
	w := &world{dir: dir, stage: newStage(), watch: newWatch(), foreign: map[string]json.RawMessage{}, strangers: map[string]json.RawMessage{}}
	if err := w.start(ctx, f, seed, fail); err != nil {
		return nil, errors.Join(err, w.stop())
	}
	return w, nil
}

func (w *world) path(name string) string { return filepath.Join(w.dir, name) }

func (w *world) start(ctx context.Context, f *flags, seed uint64, fail func(error)) error {
	var err error
	w.cp, err = rig.StartControlPlane(ctx, rig.ControlPlaneSpec{
		Assets: os.Getenv("KUBEBUILDER_ASSETS"), Dir: w.path("controlplane"), Kinds: []string{filepath.Join("package", "crds")}, Patience: startPatience,
		Controllers: []string{"namespace-controller"},
	}, fail)
	if err != nil {
		return err
	}
	w.stops = append(w.stops, w.cp.Stop)
	if err := w.startSimulator(ctx, f, seed, fail); err != nil {
		return err
	}
	s := runtime.NewScheme()
	if err := errors.Join(clientgoscheme.AddToScheme(s), apis.AddToScheme(s)); err != nil {
		return fmt.Errorf("cannot register the kinds: %w", err)
	}
	cfg := rest.CopyConfig(w.cp.Config)
	cfg.Timeout = 10 * time.Second
	if w.kube, err = client.New(cfg, client.Options{Scheme: s}); err != nil {
		return fmt.Errorf("cannot make a client: %w", err)
	}
	if err := w.follow(ctx, s); err != nil {
		return err
	}
	if err := w.configure(ctx); err != nil {
		return err
	}
	w.delegate(ctx, fail)
	return nil
}

// delegate delegates new zones until the world ends.
func (w *world) delegate(ctx context.Context, fail func(error)) {
	ctx, cancel := context.WithCancel(ctx)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		if err := registrar(ctx, w.sim); err != nil {
			fail(err)
		}
	}()
	w.stops = append(w.stops, func() error { cancel(); <-ended; return nil })
}

// follow writes the history of objects to a log.
func (w *world) follow(ctx context.Context, s *runtime.Scheme) error {
	text, err := os.Create(w.path("objects.log"))
	if err != nil {
		return fmt.Errorf("cannot log: %w", err)
	}
	kube, err := client.NewWithWatch(w.cp.Config, client.Options{Scheme: s})
	if err != nil {
		return errors.Join(fmt.Errorf("cannot make a client: %w", err), text.Close())
	}
	ctx, cancel := context.WithCancel(ctx)
	var following sync.WaitGroup
	w.history = &history{out: text, lines: map[string][]string{}}
	lists := []client.ObjectList{&dnsv1alpha1.RecordList{}, &zonev1alpha1.ZoneList{}}
	for _, f := range families() {
		lists = append(lists, f.objects())
	}
	for _, kind := range lists {
		following.Go(func() { w.history.follow(ctx, kube, kind) })
	}
	w.stops = append(w.stops, func() error {
		cancel()
		following.Wait()
		return text.Close()
	})
	return nil
}

const (
	// requestsAllowed is Cloudflare's limit of requests for a credential in five minutes.
	// Exceeding it blocks the credential for as long.
	requestsAllowed = 1200
	// perPage makes lists of the larger zones have several pages.
	perPage = 200
)

func (w *world) startSimulator(ctx context.Context, f *flags, seed uint64, fail func(error)) error {
	raw, err := json.Marshal(w.seed())
	if err != nil {
		return fmt.Errorf("cannot write the simulator's seed: %w", err)
	}
	if err := os.WriteFile(w.path("seed.json"), raw, 0o600); err != nil {
		return fmt.Errorf("cannot write the simulator's seed: %w", err)
	}
	text, err := os.Create(w.path("cfsim.log"))
	if err != nil {
		return fmt.Errorf("cannot log: %w", err)
	}
	w.stops = append(w.stops, text.Close)
	log := rig.NewRequestLog(func(r simulator.LoggedRequest) {
		fmt.Fprintln(text, line(r))
		w.watch.take(r)
	}, func(line []byte) { fmt.Fprintf(text, "%s\n", line) })
	w.sim, err = rig.StartSimulator(ctx, filepath.Join(f.Bin, "cfsim"), []string{
		"--seed", w.path("seed.json"), "--log", "json", "--rate-limit", fmt.Sprint(requestsAllowed), "--random-seed", fmt.Sprint(seed),
		"--max-per-page", fmt.Sprint(perPage),
	}, log, fail)
	if err != nil {
		return err
	}
	w.stops = append(w.stops, w.sim.Stop)
	for _, zone := range zoneNames() {
		w.watch.protectZone(w.sim.Zones[zone])
		all, err := liveRecords(ctx, w.sim, zone)
		if err != nil {
			return err
		}
		for _, l := range all {
			w.foreign[l.ID] = l.raw
			w.watch.protect(l.ID)
		}
	}
	return w.settleTeams(ctx)
}

// seed returns zones with foreign records, and tokens: one for each namespace with a
// credential, in the order of tenants, and one more.
func (w *world) seed() simulator.Seed {
	plans := []simulator.Plan{simulator.PlanPro, simulator.PlanEnterprise, simulator.PlanBusiness}
	account := simulator.SeedAccount{Name: "Example Inc"}
	for i, name := range zoneNames() {
		z := simulator.SeedZone{Name: name, ZoneOptions: simulator.ZoneOptions{Plan: plans[i%len(plans)]}}
		for _, f := range w.stage.Foreign[name] {
			z.Records = append(z.Records, f.Value.body(f.Name, 3600))
		}
		account.Zones = append(account.Zones, z)
	}
	s := simulator.Seed{Accounts: []simulator.SeedAccount{account, {Name: domainAccount}, {
		Name: teamsAccount, Zones: []simulator.SeedZone{{Name: teamsZone, ZoneOptions: simulator.ZoneOptions{Plan: simulator.PlanEnterprise}}},
	}}}
	for _, t := range w.stage.tenants() {
		var token simulator.TokenOptions
		for _, zone := range t.zones {
			token.Grants = append(token.Grants, simulator.Grant{Zone: zone, Permission: simulator.ZoneRead}, simulator.Grant{Zone: zone, Permission: simulator.DNSWrite})
		}
		if t.account != "" {
			token.Grants = append(token.Grants, simulator.Grant{Account: t.account, Permission: simulator.ZoneWrite})
		}
		if t.families > 0 {
			token = teamsToken()
		}
		s.Tokens = append(s.Tokens, token)
	}
	s.Tokens = append(s.Tokens, teamsToken()) // no namespace's: see populateList
	return s
}

// configure creates the namespaces, and a Secret and a provider config for each tenant.
func (w *world) configure(ctx context.Context) error {
	objects := []client.Object{&corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: home}}}
	for i, t := range w.stage.tenants() {
		selector := cfv1alpha1.LocalSecretKeySelector{Name: "cloudflare", Key: "token"}
		objects = append(objects,
			&corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: t.namespace}},
			&corev1.Secret{ObjectMeta: metav1.ObjectMeta{Namespace: t.namespace, Name: selector.Name}, StringData: map[string]string{selector.Key: w.sim.Tokens[i]}},
			w.configured(t, selector))
	}
	for _, o := range objects {
		if err := w.kube.Create(ctx, o); err != nil {
			return fmt.Errorf("cannot create %T: %w", o, err)
		}
	}
	return nil
}

// configured returns the provider config of a tenant.
func (w *world) configured(t tenant, selector cfv1alpha1.LocalSecretKeySelector) client.Object {
	if t.config.Kind == cfv1alpha1.ClusterProviderConfigKind {
		c := &cfv1alpha1.ClusterProviderConfig{ObjectMeta: metav1.ObjectMeta{Name: t.config.Name}}
		c.Spec.Credentials.SecretRef = cfv1alpha1.SecretKeySelector{LocalSecretKeySelector: selector, Namespace: t.namespace}
		return c
	}
	c := &cfv1alpha1.ProviderConfig{ObjectMeta: metav1.ObjectMeta{Namespace: t.namespace, Name: t.config.Name}}
	c.Spec.Credentials.SecretRef = selector
	if t.families > 0 {
		c.Spec.AccountID = ptr.To(w.place.account)
	}
	return c
}

// stop stops everything in reverse order.
func (w *world) stop() error {
	var errs []error
	for i := len(w.stops) - 1; i >= 0; i-- {
		errs = append(errs, w.stops[i]())
	}
	w.stops = nil
	return errors.Join(errs...)
}

// liveRecords returns the current records of a zone.
func liveRecords(ctx context.Context, sim *rig.Simulator, zone string) ([]liveRecord, error) {
	var raw []json.RawMessage
	if err := sim.Admin(ctx, http.MethodGet, sim.RecordsPath(zone), nil, &raw); err != nil {
		return nil, err
	}
	out := make([]liveRecord, len(raw))
	for i := range raw {
		if err := json.Unmarshal(raw[i], &out[i]); err != nil {
			return nil, fmt.Errorf("cannot understand the simulator: %w", err)
		}
		out[i].raw = raw[i]
	}
	return out, nil
}
