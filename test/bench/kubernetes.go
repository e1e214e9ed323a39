// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"golang.org/x/sync/errgroup"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	dnsv1alpha1 "github.com/provider-cloudflare/provider-cloudflare/apis/dns/v1alpha1"
	cfv1alpha1 "github.com/provider-cloudflare/provider-cloudflare/apis/v1alpha1"
)

// creators is how many Records are applied at the same time.
const creators = 16

// configure makes a ClusterProviderConfig for each token. The keys of tokens are the
// names of the configs.
func (w *world) configure(ctx context.Context, tokens map[string]string) error {
	if err := w.kube.Create(ctx, &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: namespace}}); err != nil {
		return fmt.Errorf("cannot make the namespace: %w", err)
	}
	for name, token := range tokens {
		s := &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Name: name, Namespace: namespace}, StringData: map[string]string{"token": token}}
		c := &cfv1alpha1.ClusterProviderConfig{ObjectMeta: metav1.ObjectMeta{Name: name}}
		c.Spec.Credentials.Source = cfv1alpha1.CredentialsSourceSecret
		c.Spec.Credentials.SecretRef = cfv1alpha1.SecretKeySelector{
			LocalSecretKeySelector: cfv1alpha1.LocalSecretKeySelector{Name: name, Key: "token"}, Namespace: namespace,
		}
		if err := errors.Join(w.kube.Create(ctx, s), w.kube.Create(ctx, c)); err != nil {
			return fmt.Errorf("cannot make the provider config: %w", err)
		}
	}
	return nil
}

// apply creates Records, several at once and in their order.
func (w *world) apply(ctx context.Context, records []*dnsv1alpha1.Record) error {
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(creators)
	for _, r := range records {
		if ctx.Err() != nil {
			break
		}
		g.Go(func() error { return w.kube.Create(ctx, r) })
	}
	if err := g.Wait(); err != nil {
		return fmt.Errorf("cannot create the Records: %w", err)
	}
	return nil
}

// setContent edits the content of one Record, as a user does.
func (w *world) setContent(ctx context.Context, name, content string) error {
	r := &dnsv1alpha1.Record{ObjectMeta: metav1.ObjectMeta{Name: name, Namespace: namespace}}
	patch := fmt.Sprintf(`{"spec":{"forProvider":{"content":%q}}}`, content)
	if err := w.kube.Patch(ctx, r, client.RawPatch("application/merge-patch+json", []byte(patch))); err != nil {
		return fmt.Errorf("cannot edit Record %s: %w", name, err)
	}
	return nil
}

// waitReady waits until n Records of a group are Ready, at most for limit. It returns how
// many were Ready, and when the last became so.
func (w *world) waitReady(ctx context.Context, group string, n int, limit time.Duration) (ready int, last time.Time, err error) {
	deadline := time.Now().Add(limit)
	said := time.Now()
	err = w.until(ctx, 20*time.Millisecond, "all Records are Ready", func(context.Context) (bool, error) {
		ready, last = w.ready.of(group)
		if time.Since(said) > 15*time.Second {
			said = time.Now()
			w.log.say("%s: %d of %d are Ready", w.name, ready, n)
		}
		return ready >= n || time.Now().After(deadline), nil
	})
	return ready, last, err
}

// settle waits until the provider's controller of Records is idle.
func (w *world) settle(ctx context.Context) error { return w.rests(ctx, ofRecords) }

// rests waits until the controllers that match are idle: no reconcile for a while, and an
// empty queue.
func (w *world) rests(ctx context.Context, match func(map[string]string) bool) error {
	before, since := -1.0, time.Now()
	return w.until(ctx, 500*time.Millisecond, "nothing is reconciled any more", func(ctx context.Context) (bool, error) {
		s, err := scrape(ctx, http.DefaultClient, w.provider.MetricsURL, metricReconciles, metricDepth, metricActive)
		if err != nil {
			return false, err
		}
		if n := s.sum(metricReconciles, match); n != before || busy(s, match) {
			before, since = n, time.Now()
		}
		return time.Since(since) >= w.size.quiet, nil
	})
}

// busy reports whether the controllers that match have objects in the queue or in a
// reconcile.
func busy(s samples, match func(map[string]string) bool) bool {
	return s.sum(metricDepth, match)+s.sum(metricActive, match) > 0
}
