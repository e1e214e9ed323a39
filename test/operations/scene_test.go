// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package operations

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"

	"github.com/crossplane/crossplane-runtime/v2/pkg/meta"
	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"
	corev1 "k8s.io/api/core/v1"
	kerrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	dnsv1alpha1 "github.com/provider-cloudflare/provider-cloudflare/apis/dns/v1alpha1"
	cfv1alpha1 "github.com/provider-cloudflare/provider-cloudflare/apis/v1alpha1"
	workersv1alpha1 "github.com/provider-cloudflare/provider-cloudflare/apis/workers/v1alpha1"
	zonev1alpha1 "github.com/provider-cloudflare/provider-cloudflare/apis/zone/v1alpha1"
	"github.com/provider-cloudflare/provider-cloudflare/test/rig"
	"github.com/provider-cloudflare/provider-cloudflare/test/simulator"
)

// hold is a foreign finalizer that keeps an object in deletion.
const hold = "example.com/hold"

func named(name string) metav1.ObjectMeta {
	return metav1.ObjectMeta{Name: name, Namespace: "default", Labels: map[string]string{"app": "operations"}}
}

func (w *world) record(name, content string, edits ...func(*dnsv1alpha1.Record)) *dnsv1alpha1.Record {
	r := &dnsv1alpha1.Record{ObjectMeta: named(name), Spec: dnsv1alpha1.RecordSpec{ForProvider: dnsv1alpha1.RecordParameters{
		ZoneID: new(w.zone.ID), Name: new(name), Type: new("A"), Content: new(content),
	}}}
	r.Spec.ProviderConfigReference = &xpv2.ProviderConfigReference{Kind: cfv1alpha1.ProviderConfigKind, Name: "default"}
	for _, f := range edits {
		f(r)
	}
	return r
}

func (w *world) zoneObject(name, zone string) *zonev1alpha1.Zone {
	z := &zonev1alpha1.Zone{ObjectMeta: named(name), Spec: zonev1alpha1.ZoneSpec{ForProvider: zonev1alpha1.ZoneParameters{Name: new(zone)}}}
	z.Spec.ProviderConfigReference = &xpv2.ProviderConfigReference{Kind: cfv1alpha1.ProviderConfigKind, Name: "default"}
	return z
}

func config(name, secret string) *cfv1alpha1.ProviderConfig {
	return &cfv1alpha1.ProviderConfig{ObjectMeta: named(name), Spec: cfv1alpha1.ProviderConfigSpec{
		Credentials: cfv1alpha1.Credentials{SecretRef: cfv1alpha1.LocalSecretKeySelector{Name: secret, Key: "token"}},
	}}
}

// play creates the objects, lets the provider work on them, and keeps the results.
func (w *world) play(ctx context.Context) error {
	for _, act := range []func(context.Context) error{w.declare, w.begin, w.drift, w.depart, w.hang, w.measure, w.rest} {
		if err := act(ctx); err != nil {
			return err
		}
	}
	return nil
}

// declare creates objects before the provider runs.
func (w *world) declare(ctx context.Context) error {
	account := w.sim.AddAccount("operations")
	var err error
	if w.zone, err = w.sim.AddZone(account.ID, "operations.example", simulator.ZoneOptions{Plan: simulator.PlanPro}); err != nil {
		return err
	}
	if _, err := w.sim.AddZone(account.ID, "pending.example", simulator.ZoneOptions{Status: simulator.ZonePending}); err != nil {
		return err
	}
	observed, err := w.sim.CreateRecord(w.zone.ID, map[string]any{"type": "A", "name": "observed", "content": "192.0.2.5", "ttl": 60})
	if err != nil {
		return err
	}
	if _, err := w.sim.CreateRecord(w.zone.ID, map[string]any{"type": "CNAME", "name": "refused", "content": "example.net", "ttl": 60}); err != nil {
		return err
	}
	w.token = w.sim.AddToken(simulator.TokenOptions{Grants: []simulator.Grant{
		{Account: account.ID, Permission: simulator.ZoneRead},
		{Account: account.ID, Permission: simulator.ZoneWrite},
		{Account: account.ID, Permission: simulator.DNSWrite},
		{Account: account.ID, Permission: "Workers KV Storage Write"},
	}})
	for _, o := range []client.Object{
		secret("good", w.token), secret("bad", "nobodys-token"),
		config("default", "good"), config("refused", "bad"), config("unreadable", "absent"),
		w.zoneObject("active", "operations.example"), w.zoneObject("pending", "pending.example"),
		kvNamespace("described", account.ID),
		w.record("ready", "192.0.2.1"), w.record("second", "192.0.2.2"), w.record("third", "192.0.2.3"), w.record("leaving", "192.0.2.4"),
		w.record("reverting", "192.0.2.9"), w.record("refused", "192.0.2.7"),
		w.record("observed", "192.0.2.5", func(r *dnsv1alpha1.Record) {
			meta.SetExternalName(r, observed.ID)
			r.Spec.ManagementPolicies = xpv2.ManagementPolicies{xpv2.ManagementActionObserve}
		}),
		w.record("paused", "192.0.2.6", func(r *dnsv1alpha1.Record) {
			meta.AddAnnotations(r, map[string]string{meta.AnnotationKeyReconciliationPaused: "true"})
		}),
		w.record("deleting", "192.0.2.8", func(r *dnsv1alpha1.Record) { r.Finalizers = []string{hold} }),
	} {
		if err := w.kube.Create(ctx, o); err != nil {
			return fmt.Errorf("cannot create %s: %w", o.GetName(), err)
		}
	}
	return errors.Join(
		w.keep(ctx, "Record new", w.record("ready", "")),
		w.keep(ctx, "Zone new", w.zoneObject("active", "")),
		w.keep(ctx, "ProviderConfig new", config("default", "")),
	)
}

// kvNamespace returns an object of a described kind.
func kvNamespace(name, account string) *workersv1alpha1.KVNamespace {
	o := &workersv1alpha1.KVNamespace{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: name}}
	o.Spec.ForProvider = workersv1alpha1.KVNamespaceParameters{AccountID: &account, Title: &name}
	o.SetProviderConfigReference(&xpv2.ProviderConfigReference{Kind: "ProviderConfig", Name: "default"})
	return o
}

// begin starts the provider, and waits until it has done what it can.
func (w *world) begin(ctx context.Context) error {
	if err := w.startProvider(ctx); err != nil {
		return err
	}
	if err := w.until(ctx, config("default", ""), xpv2.TypeReady, corev1.ConditionTrue, ""); err != nil {
		return err
	}
	for _, name := range []string{"ready", "second", "third", "leaving", "reverting", "deleting", "observed"} {
		if err := w.until(ctx, w.record(name, ""), xpv2.TypeReady, corev1.ConditionTrue, ""); err != nil {
			return err
		}
	}
	if err := w.first(ctx); err != nil {
		return err
	}
	for _, s := range []struct {
		state     string
		o         client.Object
		condition xpv2.ConditionType
		status    corev1.ConditionStatus
		reason    xpv2.ConditionReason
	}{
		{"ProviderConfig ready", config("default", ""), "SweepsOnTime", corev1.ConditionTrue, ""},
		{"ProviderConfig refused", config("refused", ""), xpv2.TypeReady, corev1.ConditionFalse, ""},
		{"ProviderConfig unreadable", config("unreadable", ""), xpv2.TypeReady, corev1.ConditionFalse, ""},
		{"Zone active", w.zoneObject("active", ""), xpv2.TypeReady, corev1.ConditionTrue, ""},
		{"Zone pending", w.zoneObject("pending", ""), xpv2.TypeReady, corev1.ConditionFalse, ""},
		{"Record ready", w.record("ready", ""), xpv2.TypeUpToDate, corev1.ConditionTrue, ""},
		{"Record refused", w.record("refused", ""), xpv2.TypeSynced, corev1.ConditionFalse, xpv2.ReasonReconcileError},
		{"Record observed, different", w.record("observed", ""), xpv2.TypeUpToDate, corev1.ConditionFalse, ""},
		{"Record paused", w.record("paused", ""), xpv2.TypeSynced, corev1.ConditionFalse, xpv2.ReasonReconcilePaused},
	} {
		if err := w.until(ctx, s.o, s.condition, s.status, s.reason); err != nil {
			return fmt.Errorf("%s: %w", s.state, err)
		}
		if err := w.keep(ctx, s.state, s.o); err != nil {
			return err
		}
	}
	return nil
}

// first scrapes before there is any drift. Then it causes drift that stays, of a record that is
// only observed.
func (w *world) first(ctx context.Context) error {
	var err error
	if w.before, err = w.scrape(ctx); err != nil {
		return err
	}
	if err := beginsAtNothing(w.before); err != nil {
		return err
	}
	observed := w.record("observed", "")
	if err := w.kube.Get(ctx, client.ObjectKeyFromObject(observed), observed); err != nil {
		return err
	}
	_, err = w.sim.PatchRecord(w.zone.ID, meta.GetExternalName(observed), map[string]any{"content": "203.0.113.5"})
	return err
}

// beginsAtNothing returns an error unless the counters of drift exist with the value 0 before
// any drift: Prometheus sees no increase from a missing series to 1.
func beginsAtNothing(scrape string) error {
	for _, metric := range []string{"cloudflare_drift_detected_total", "cloudflare_drift_reverted_total"} {
		for _, kind := range []string{"Record", "Zone"} {
			if series := fmt.Sprintf("\n%s{kind=%q} 0\n", metric, kind); !strings.Contains(scrape, series) {
				return fmt.Errorf("%q is not among the metrics of a provider that has found no drift", strings.TrimSpace(series))
			}
		}
	}
	return nil
}

// drift changes a record without the provider. The provider's revert is held back for a while.
func (w *world) drift(ctx context.Context) error {
	r := w.record("reverting", "")
	if err := w.until(ctx, r, xpv2.TypeUpToDate, corev1.ConditionTrue, ""); err != nil {
		return err
	}
	held, open := w.holdBack(http.MethodPatch)
	defer open()
	if _, err := w.sim.PatchRecord(w.zone.ID, meta.GetExternalName(r), map[string]any{"content": "203.0.113.66"}); err != nil {
		return err
	}
	if err := w.until(ctx, r, xpv2.TypeUpToDate, corev1.ConditionFalse, "DriftDetected"); err != nil {
		return err
	}
	if err := w.keep(ctx, "Record reverting", r); err != nil {
		return err
	}
	if err := w.holds(ctx, held); err != nil {
		return err
	}
	open()
	return w.until(ctx, r, xpv2.TypeUpToDate, corev1.ConditionTrue, "")
}

// depart deletes two objects. A finalizer keeps one of them.
func (w *world) depart(ctx context.Context) error {
	leaving, deleting := w.record("leaving", ""), w.record("deleting", "")
	if err := errors.Join(w.kube.Delete(ctx, leaving), w.kube.Delete(ctx, deleting)); err != nil {
		return err
	}
	if err := w.keep(ctx, "Record deleting", deleting); err != nil {
		return err
	}
	return rig.Until(ctx, tick, func(ctx context.Context) error {
		err := w.kube.Get(ctx, client.ObjectKeyFromObject(leaving), leaving)
		if kerrors.IsNotFound(err) {
			return nil
		}
		return fmt.Errorf("%s is still there: %w", leaving.Name, errors.Join(err, errPresent))
	})
}

var errPresent = errors.New("it was deleted")

// hang creates an object while the answer to its creation is held back.
func (w *world) hang(ctx context.Context) error {
	held, open := w.holdBack(http.MethodPost)
	defer open()
	r := w.record("creating", "192.0.2.10")
	if err := w.kube.Create(ctx, r); err != nil {
		return err
	}
	err := rig.Until(ctx, tick, func(ctx context.Context) error {
		if err := w.kube.Get(ctx, client.ObjectKeyFromObject(r), r); err != nil || !meta.GetExternalCreatePending(r).IsZero() {
			return err
		}
		return errors.New("its creation has not begun")
	})
	if err := errors.Join(err, w.holds(ctx, held)); err != nil {
		return err
	}
	return w.keep(ctx, "Record creating", r)
}

// holds waits until the gate holds a call back.
func (w *world) holds(ctx context.Context, g *gate) error {
	return rig.Until(ctx, tick, func(context.Context) error {
		if !g.held.Load() {
			return fmt.Errorf("no %s was held back", g.method)
		}
		return nil
	})
}

// measure scrapes when the metrics show everything that happened.
func (w *world) measure(ctx context.Context) error {
	return rig.Until(ctx, tick, func(ctx context.Context) error {
		var err error
		if w.after, err = w.scrape(ctx); err != nil {
			return err
		}
		for _, series := range []string{
			`cloudflare_drift_reverted_total{kind="Record"} 1`, "crossplane_managed_resource_deletion_seconds_count", "crossplane_managed_resource_drift_seconds_count",
			`cloudflare_dns_sweeps_total{result="ok"} `, "cloudflare_dns_sweep_interval_seconds{", "cloudflare_resource_sweep_interval_seconds{", `reason="Unreadable"} 0`, `reason="Refused"} 0`,
		} {
			if !strings.Contains(w.after, series) {
				return fmt.Errorf("%q is not among the metrics", series)
			}
		}
		return nil
	})
}

// rest stops the provider, and edits an object that no controller reconciles then.
func (w *world) rest(ctx context.Context) error {
	if err := w.applyTwice(ctx); err != nil {
		return err
	}
	if err := w.provider.Stop(); err != nil {
		return err
	}
	r := w.record("ready", "")
	if err := w.kube.Get(ctx, client.ObjectKeyFromObject(r), r); err != nil {
		return err
	}
	r.Spec.ForProvider.Content = new("192.0.2.100")
	if err := w.kube.Update(ctx, r); err != nil {
		return err
	}
	return w.keep(ctx, "Record edited", r)
}
