// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/crossplane/crossplane-runtime/v2/pkg/resource"
	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"
	"golang.org/x/sync/errgroup"
	corev1 "k8s.io/api/core/v1"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/provider-cloudflare/provider-cloudflare/test/simulator"
)

// kindsWorld runs the cases of the kinds that have a description. First all are active
// without an object. Then some have many objects in many accounts, each account with a
// credential of its own.
func (b *bench) kindsWorld(ctx context.Context) (err error) {
	w, ctx, err := b.newWorld(ctx, caseKinds, worldSpec{seed: accountsSeed(b.size.accounts)})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, w.stop()) }()
	tokens := map[string]string{}
	for i, token := range w.sim.Tokens {
		tokens[accountName(i)] = token
	}
	if err := w.configure(ctx, tokens); err != nil {
		return err
	}
	if err := w.ours(ctx, "--resource-interval", b.size.interval.String()); err != nil {
		return err
	}
	b.do(ctx, caseIdle, w.idleKinds)
	b.do(ctx, caseKinds, w.kinds)
	return nil
}

// accountsSeed returns a seed of n accounts with a token for each.
func accountsSeed(n int) simulator.Seed {
	var s simulator.Seed
	for i := range n {
		s.Accounts = append(s.Accounts, simulator.SeedAccount{ID: accountID(i), Name: accountName(i)})
		s.Tokens = append(s.Tokens, simulator.TokenOptions{Grants: []simulator.Grant{{Account: accountID(i), Permission: simulator.Everything}}})
	}
	return s
}

// The most that an idle process may need with all planned kinds active. With fewer kinds,
// the limit shrinks in proportion, down to what the process needs with none.
const (
	longestStart = 10 * time.Second
	mostKindsRSS = 100e6
	allKinds     = 70
)

// idleKinds waits until the controller of every kind runs, and reads the memory after an
// idle time.
func (w *world) idleKinds(ctx context.Context) error {
	kinds, err := w.managedKinds(ctx)
	if err != nil {
		return err
	}
	want := len(kinds)
	err = w.until(ctx, 50*time.Millisecond, "the controllers of all kinds run", func(ctx context.Context) (bool, error) {
		s, err := scrape(ctx, http.DefaultClient, w.provider.MetricsURL, metricActive)
		return len(controllersOf(s)) >= want, err
	})
	if err != nil {
		return err
	}
	took := time.Since(w.startedAt)
	w.table.judge(caseIdle, fmt.Sprintf("from the start of the process until the controllers of %d kinds run", want), "<= "+seconds(longestStart), seconds(took), took <= longestStart)
	if err := wait(ctx, w.size.idle); err != nil {
		return err
	}
	m, err := memoryOf(w.provider.PID())
	if err != nil {
		return err
	}
	most := mostIdleRSS + (mostKindsRSS-mostIdleRSS)*int64(want)/allKinds
	judgeMemory(&w.table, caseIdle, fmt.Sprintf("RSS with %d kinds active and no object, after %s", want, span(w.size.idle)), m, most)
	return nil
}

// managedKinds returns the kinds of managed resources that the API server serves, by
// name.
func (w *world) managedKinds(ctx context.Context) ([]schema.GroupVersionKind, error) {
	crds := &apiextensionsv1.CustomResourceDefinitionList{}
	if err := w.kube.List(ctx, crds); err != nil {
		return nil, fmt.Errorf("cannot list the kinds: %w", err)
	}
	var out []schema.GroupVersionKind
	for i := range crds.Items {
		if s := crds.Items[i].Spec; slices.Contains(s.Names.Categories, "managed") {
			out = append(out, schema.GroupVersionKind{Group: s.Group, Version: s.Versions[0].Name, Kind: s.Names.Kind})
		}
	}
	slices.SortFunc(out, func(a, b schema.GroupVersionKind) int { return strings.Compare(a.Kind, b.Kind) })
	return out, nil
}

// controllersOf returns the controllers of managed resources that a scrape names.
func controllersOf(s samples) map[string]bool {
	out := map[string]bool{}
	for _, x := range s[metricActive] {
		if name := x.labels["controller"]; isManaged(name) {
			out[name] = true
		}
	}
	return out
}

// kinds makes objects of two kinds in each account, and then measures an idle time.
func (w *world) kinds(ctx context.Context) error {
	began := time.Now()
	if err := w.createAll(ctx, accountObjects(w.size.accounts, w.size.perKind)); err != nil {
		return err
	}
	n := len(kindsMeasured()) * w.size.accounts * w.size.perKind
	err := w.until(ctx, time.Second, "all objects are Ready", func(ctx context.Context) (bool, error) {
		ready, err := w.countReady(ctx)
		return ready >= n, err
	})
	if err != nil {
		return err
	}
	ready := time.Since(began)
	if err := w.rests(ctx, everything); err != nil {
		return err
	}
	w.table.note(caseKinds, "Set-up: %d objects of %d kinds in %d accounts; all Ready after %s (%.0f/s), with %d calls to Cloudflare.",
		n, len(kindsMeasured()), w.size.accounts, seconds(ready), perSecond(n, ready), len(w.requests.between(began, time.Now())))
	return w.steadyKinds(ctx)
}

func (w *world) steadyKinds(ctx context.Context) error {
	w.log.say("[%s] nothing is done for %s", caseKinds, span(w.size.steady))
	from, to, err := w.untouched(ctx, w.size.steady)
	if err != nil {
		return err
	}
	w.judgeKinds(from, to)
	return nil
}

// credentialChecks is the interval at which the provider checks whether a token is valid.
const credentialChecks = 10 * time.Minute

// judgeChecks compares the calls of a window that only check a token with the provider's
// interval of such checks.
func judgeChecks(t *table, kind string, checks, tokens int, window time.Duration) {
	most := tokens * (int(window/credentialChecks) + 1)
	t.judge(kind, "other calls: whether each token is valid", fmt.Sprintf("<= %d", most), fmt.Sprint(checks), checks <= most)
}

func (w *world) judgeKinds(from, to probe) {
	cs, s, t := w.requests.between(from.at, to.at), w.size, &w.table
	lists := s.accounts * len(kindsMeasured())
	objects := lists * s.perKind
	sweeps := float64(to.at.Sub(from.at)) / float64(s.interval)
	// A window has one sweep more than it has intervals, as in [steady].
	checks := cs.count(call.checks)
	about := len(cs) - checks
	t.judge(caseKinds, fmt.Sprintf("calls per %s, %d objects, %d parents x %d kinds, %s", span(s.interval), objects, s.accounts, len(kindsMeasured()), span(s.steady)),
		fmt.Sprintf("<= %d", lists), fmt.Sprintf("%.1f (%d in all)", float64(about)/sweeps, about), float64(about) <= (sweeps+1)*float64(lists))
	judgeChecks(t, caseKinds, checks, s.accounts, s.steady)
	judgeUntouched(t, caseKinds, from, to, fmt.Sprintf("RSS at %d objects, after %s", objects, span(s.steady)))
	t.note(caseKinds, "Calls: %s. Kubernetes API requests as the API server counts: %s.", cs.byRoute(), counts(kubeKinds(from, to, nil)))
	t.note(caseKinds, "Reconciles of all kinds: %s. CPU: %s.", reconcilesBy(from, to), cpu(from, to))
}

// judgeUntouched judges the costs of an idle time, except its calls to Cloudflare.
func judgeUntouched(t *table, name string, from, to probe, memory string) {
	changes := kubeWrites(kubeKinds(from, to, nil))
	t.judge(name, "writes of objects, events and Secrets", "0", fmt.Sprint(changes), changes == 0)
	// The journal keeps a creation for two minutes, so it still removes those of the
	// set-up.
	t.add(name, "other writes to the Kubernetes API: the journal forgets the creations of the set-up", fmt.Sprint(kubeRequests(from, to, writes)-changes))
	judgeMemory(t, name, memory, to.memory, mostRSS)
}

// createAll creates objects, several at once.
func (w *world) createAll(ctx context.Context, objects []client.Object) error {
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(creators)
	for _, o := range objects {
		g.Go(func() error { return w.kube.Create(ctx, o) })
	}
	if err := g.Wait(); err != nil {
		return fmt.Errorf("cannot create the objects: %w", err)
	}
	return nil
}

// countReady counts the Ready objects of the measured kinds.
func (w *world) countReady(ctx context.Context) (int, error) {
	n := 0
	for _, l := range kindsMeasured() {
		if err := w.kube.List(ctx, l, client.InNamespace(namespace)); err != nil {
			return 0, fmt.Errorf("cannot list the objects: %w", err)
		}
		n += readyIn(l)
	}
	return n, nil
}

func readyIn(l resource.ManagedList) int {
	n := 0
	for _, mg := range l.GetItems() {
		if mg.GetCondition(xpv2.TypeReady).Status == corev1.ConditionTrue {
			n++
		}
	}
	return n
}
