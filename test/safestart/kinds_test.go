// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package safestart

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/crossplane/crossplane-runtime/v2/pkg/meta"
	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"
	"github.com/prometheus/client_golang/prometheus"
	corev1 "k8s.io/api/core/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/rest"
	"k8s.io/utils/ptr"
	"sigs.k8s.io/controller-runtime/pkg/client"

	dnsv1alpha1 "github.com/provider-cloudflare/provider-cloudflare/apis/dns/v1alpha1"
	cfv1alpha1 "github.com/provider-cloudflare/provider-cloudflare/apis/v1alpha1"
	zonev1alpha1 "github.com/provider-cloudflare/provider-cloudflare/apis/zone/v1alpha1"
	"github.com/provider-cloudflare/provider-cloudflare/test/harness"
)

// A subject is a user of the API server whose rights tests change.
type subject struct {
	harness.Objects

	name string
}

// may grants the subject all rights in these API groups.
func (s subject) may(name string, groups ...string) client.Object {
	s.T.Helper()
	of := metav1.ObjectMeta{Name: s.name + "-" + name}
	role := &rbacv1.ClusterRole{ObjectMeta: of, Rules: []rbacv1.PolicyRule{{APIGroups: groups, Resources: []string{"*"}, Verbs: []string{"*"}}}}
	binding := &rbacv1.ClusterRoleBinding{
		ObjectMeta: of, RoleRef: rbacv1.RoleRef{APIGroup: rbacv1.GroupName, Kind: "ClusterRole", Name: of.Name},
		Subjects: []rbacv1.Subject{{APIGroup: rbacv1.GroupName, Kind: rbacv1.UserKind, Name: s.name}},
	}
	s.Create(role)
	s.Create(binding)
	return binding
}

// as returns cfg with the subject as its user.
func (s subject) as(cfg *rest.Config) *rest.Config {
	cfg = rest.CopyConfig(cfg)
	cfg.Impersonate = rest.ImpersonationConfig{UserName: s.name, Groups: []string{"system:authenticated"}}
	return cfg
}

// runs returns nil if the metrics show that the controller of a kind runs, or does not: want
// is 1 or 0.
func runs(registry prometheus.Gatherer, kind string, want float64) error {
	families, err := registry.Gather()
	if err != nil {
		return harness.Stop(err)
	}
	for _, f := range families {
		for _, m := range f.GetMetric() {
			if f.GetName() == "cloudflare_kind_started" && m.GetLabel()[0].GetValue() == kind && m.GetGauge().GetValue() == want {
				return nil
			}
		}
	}
	return fmt.Errorf("cloudflare_kind_started of %s is not %v", kind, want)
}

// TestAKindWithoutRights runs a provider that may not list Zones. The provider works on
// Records, and reports what is wrong. It works on Zones once it may list them, without a
// restart. A provider that may not list CRDs either starts all kinds at once, and does the
// same.
func TestAKindWithoutRights(t *testing.T) {
	cfg, kube, cloud := start(t)
	install(t, cfg,
		"cloudflare.m.crossplane.io_providerconfigs.yaml",
		"cloudflare.m.crossplane.io_clusterproviderconfigs.yaml",
		"dns.cloudflare.m.crossplane.io_records.yaml",
		"zone.cloudflare.m.crossplane.io_zones.yaml")
	w := harness.Objects{T: t, Kube: kube, Patience: patience}
	r, pc, _ := objects(t, kube, cloud.Sim)
	for i, user := range []subject{{w, "gated"}, {w, "ungated"}} {
		user.may("most", "", "events.k8s.io", "coordination.k8s.io", "authorization.k8s.io", cfv1alpha1.Group, dnsv1alpha1.Group)
		if user.name == "gated" {
			user.may("kinds", "apiextensions.k8s.io")
		}
		o, registry := harness.Options(cloud.URL), prometheus.NewRegistry()
		o.Version, o.Registry = user.name, registry
		stop := run(t, user.as(cfg), o)
		harness.Edit(w, r, func(r *dnsv1alpha1.Record) { r.Spec.ForProvider.Content = ptr.To(fmt.Sprint("192.0.2.", 10+i)) })
		ready(t, kube, r)
		for kind, want := range map[string]float64{"Record": 1, "Zone": 0} {
			w.Eventually(func() error { return runs(registry, kind, want) })
		}
		if user.name == "gated" {
			w.Eventually(func() error { return reported(t, kube) })
		}

		user.may("zones", zonev1alpha1.Group)
		w.Eventually(func() error { return runs(registry, "Zone", 1) })
		z := zoneOf(r, pc, user.name)
		w.Create(z)
		harness.Until(w, z, func(z *zonev1alpha1.Zone) error {
			if c := z.GetCondition(xpv2.TypeReady); c.Status != corev1.ConditionTrue {
				return fmt.Errorf("the Zone is not Ready: %s", harness.Conditions(z))
			}
			return nil
		})
		w.Delete(z)
		w.Gone(z, func() string { return harness.Conditions(z) })
		if err := stop(); err != nil {
			t.Errorf("the provider %s did not end well: %v", user.name, err)
		}
	}
}

// zoneOf returns a Zone that observes the zone of a Record.
func zoneOf(r *dnsv1alpha1.Record, pc *cfv1alpha1.ProviderConfig, name string) *zonev1alpha1.Zone {
	z := &zonev1alpha1.Zone{ObjectMeta: metav1.ObjectMeta{Name: name, Namespace: r.Namespace}}
	meta.SetExternalName(z, *r.Spec.ForProvider.ZoneID)
	z.Spec.ManagementPolicies = xpv2.ManagementPolicies{xpv2.ManagementActionObserve}
	z.Spec.ProviderConfigReference = &xpv2.ProviderConfigReference{Kind: "ProviderConfig", Name: pc.Name}
	return z
}

// reported returns nil if an event on the CRD of Zones reports what is wrong.
func reported(t *testing.T, kube client.Client) error {
	t.Helper()
	l := &corev1.EventList{}
	if err := kube.List(t.Context(), l); err != nil {
		return err
	}
	for _, e := range l.Items {
		if e.Reason == "CannotStartKind" && strings.HasPrefix(e.InvolvedObject.Name, "zones.") && strings.Contains(e.Message, "forbidden") {
			return nil
		}
	}
	return errors.New("no event on the CRD of Zones says that they may not be listed")
}
