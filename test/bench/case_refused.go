// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	dnsv1alpha1 "github.com/provider-cloudflare/provider-cloudflare/apis/dns/v1alpha1"
	"github.com/provider-cloudflare/provider-cloudflare/test/simulator"
)

const (
	groupNeighbour     = "neighbour"
	neighbourNamespace = "neighbour"
	// neighbours is the number of Records that the neighbour makes, and longestDelay the
	// longest time until the last of them is Ready.
	neighbours   = 20
	longestDelay = 10 * time.Second
)

// refusedWorld runs [refused].
func (b *bench) refusedWorld(ctx context.Context) (err error) {
	taken := map[string]any{"type": "A", "name": takenName, "content": "192.0.2.1", "ttl": ttl}
	w, ctx, err := b.newWorld(ctx, caseRefused, worldSpec{seed: worldOf(1, onPlan(simulator.PlanPro, zoneBad, taken))})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, w.stop()) }()
	if err := w.configure(ctx, map[string]string{configBad: w.sim.Tokens[0]}); err != nil {
		return err
	}
	if err := w.ours(ctx); err != nil {
		return err
	}
	b.do(ctx, caseRefused, w.refused)
	return nil
}

// refused is the case [refused]: Cloudflare refuses many Records of one namespace. While
// the provider tries them, a namespace with the same credential makes a few Records.
func (w *world) refused(ctx context.Context) error {
	n, zone := w.size.refused, w.sim.Zones[zoneBad]
	if err := w.kube.Create(ctx, &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: neighbourNamespace}}); err != nil {
		return fmt.Errorf("cannot make the neighbour's namespace: %w", err)
	}
	bad := make([]*dnsv1alpha1.Record, n)
	for i := range bad {
		bad[i] = declared{typ: "CNAME", name: takenName, content: fmt.Sprintf("target-%d.example.net", i)}.object(objectName(caseRefused, i), zone, configBad)
	}
	good := objects(groupNeighbour, zone, configBad, neighbours)
	for _, r := range good {
		r.SetNamespace(neighbourNamespace)
	}
	began := time.Now()
	if err := w.apply(ctx, bad); err != nil {
		return err
	}
	// The provider knows all of them, and has not yet tried most of them.
	err := w.until(ctx, 50*time.Millisecond, "a tenth of the Records says why it is refused", func(context.Context) (bool, error) {
		return w.ready.refusals(fmt.Sprintf("code %d", simulator.CodeHostHasAddress)) >= n/10, nil
	})
	if err != nil {
		return err
	}
	before := time.Now()
	if err := w.apply(ctx, good); err != nil {
		return err
	}
	ready, last, err := w.waitReady(ctx, groupNeighbour, neighbours, w.size.createLimit)
	if err != nil {
		return err
	}
	took := max(last.Sub(before), 0)
	if ready < neighbours {
		took = time.Since(before)
	}
	w.table.judge(caseRefused, fmt.Sprintf("%d Records are refused; %d of a neighbour with the same credential, first apply to last Ready", n, neighbours),
		"under "+seconds(longestDelay), seconds(took), ready == neighbours && took < longestDelay)
	w.table.note(caseRefused, "When the neighbour began, %s after the first apply, %d of the %d said why they are refused. Calls until then: %s. Calls until the neighbour was done: %s.",
		seconds(before.Sub(began)), w.ready.refusals(""), n, w.requests.between(began, before).byRoute(), w.requests.between(before, time.Now()).byRoute())
	return nil
}

// refusals counts the objects whose Synced condition is False with that text in its
// message.
func (r *readiness) refusals(that string) int {
	r.mu.Lock()
	defer r.mu.Unlock()
	n := 0
	for _, says := range r.refused {
		if strings.Contains(says, that) {
			n++
		}
	}
	return n
}
