// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package rights

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/crossplane/crossplane-runtime/v2/pkg/meta"
	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"
	appsv1 "k8s.io/api/apps/v1"
	coordinationv1 "k8s.io/api/coordination/v1"
	corev1 "k8s.io/api/core/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/ptr"
	"sigs.k8s.io/controller-runtime/pkg/client"

	dnsv1alpha1 "github.com/provider-cloudflare/provider-cloudflare/apis/dns/v1alpha1"
	"github.com/provider-cloudflare/provider-cloudflare/internal/external/claim"
	"github.com/provider-cloudflare/provider-cloudflare/internal/provider"
	"github.com/provider-cloudflare/provider-cloudflare/test/simulator"
)

// team is the namespace of shard a, and other that of shard b.
const team, other = "team-a", "team-b"

func shard(name string) string { return filepath.Join("..", "..", "examples", "shards", name) }

// userOf returns the user of a shard.
func userOf(shard string) string { return "system:serviceaccount:" + own + ":" + account + "-" + shard }

// TestWatchedRights compares the rights in one namespace with those in all namespaces.
func TestWatchedRights(t *testing.T) {
	want := rights(rules(t, generatedKinds())...)
	for r := range rights(clusterRules(t, minimum())...) {
		if !strings.Contains(r.resource, "clusterproviderconfigs") && !strings.HasPrefix(r.resource, "apiextensions.k8s.io/") {
			want[r] = true
		}
	}
	got := rights(rulesOf(t, of(rendered(t, standalone("watched")), "Role"))...)
	if g, w := sorted(got), sorted(want); !slices.Equal(g, w) {
		t.Errorf("the rights are %q, want %q", g, w)
	}
	for _, name := range []string{"a", "b"} {
		for _, o := range rendered(t, shard(name)) {
			if strings.HasPrefix(o.GetKind(), "Cluster") || o.GetNamespace() == "" {
				t.Errorf("shard %s needs a right in the cluster for %s %s", name, o.GetKind(), o.GetName())
			}
		}
	}
}

// clusterRules returns the rules of the ClusterRoles in a manifest.
func clusterRules(t *testing.T, file string) []rbacv1.PolicyRule {
	t.Helper()
	return rulesOf(t, of(manifests(t, file), "ClusterRole"))
}

// TestShards runs providers that have only Roles, like those of examples/shards, in one world, one
// test after the other.
func TestShards(t *testing.T) {
	w := newShards(t)
	for _, test := range []struct {
		name string
		run  func(*shards)
	}{
		// It is first, because it looks for unused rights.
		{"Minimum", (*shards).minimum},
		{"SideBySide", (*shards).sideBySide},
		{"AClaimOutlivesItsProcess", (*shards).aClaimOutlivesItsProcess},
	} {
		t.Run(test.name, func(t *testing.T) {
			part := w.partOf(t)
			test.run(&shards{world: part, z: part.zone()})
		})
	}
}

// shards are two providers of examples/shards, with a zone for one test.
type shards struct {
	*world

	z simulator.Zone
}

// newShards creates the world in which they run.
func newShards(t *testing.T) *world {
	t.Helper()
	w := newWorld(t)
	for _, ns := range []string{own, team, other} {
		w.create(&corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: ns}})
	}
	w.serve()
	w.apply(secretsPolicy())
	for _, name := range []string{"a", "b"} {
		w.install(rendered(t, shard(name)))
		w.inForce(own, account+"-"+name)
	}
	return w
}

// leave deletes the credential of a namespace, which the next test creates again.
func (s *shards) leave(namespace string) {
	s.t.Helper()
	config, _ := configs(s.z.AccountID)
	config.Namespace = namespace
	s.delete(config)
	s.gone(config)
	s.delete(&corev1.Secret{ObjectMeta: in(namespace, "cloudflare")})
}

// start runs the shard of that name with the environment of its Deployment. No request may be
// refused.
func (s *shards) start(name string) (stop func()) {
	s.t.Helper()
	s.t.Cleanup(func() { s.notRefusedTo(userOf(name)) })
	env := map[string]string{}
	for _, e := range one[appsv1.Deployment](s.t, rendered(s.t, shard(name)), "Deployment").Spec.Template.Spec.Containers[0].Env {
		env[e.Name] = e.Value
	}
	return s.runAs(s.identity(own, account+"-"+name), func(o *provider.Options) {
		o.Namespace, o.WatchNamespaces, o.Shard = own, strings.Split(env["WATCH_NAMESPACES"], ","), env["SHARD"]
	})
}

// recordIn returns a Record in a namespace with the ProviderConfig "default".
func (s *shards) recordIn(namespace, name, content string) *dnsv1alpha1.Record {
	r := s.record(s.z, name, "A", content)
	r.Namespace = namespace
	return r
}

// sideBySide runs two providers that have only Roles. Each works in its own namespace only, and
// does not take what the other manages.
func (s *shards) sideBySide() {
	s.t.Helper()
	stopA, stopB := s.start("a"), s.start("b")
	for _, ns := range []string{team, other} {
		s.credential(ns, s.z)
	}
	first, second := s.recordIn(team, "first", "192.0.2.1"), s.recordIn(other, "second", "192.0.2.2")
	elsewhere := s.recordIn(tenant, "elsewhere", "192.0.2.3")
	for _, r := range []*dnsv1alpha1.Record{first, second, elsewhere} {
		s.create(r)
	}
	s.settled(first)
	s.settled(second)
	s.contends(first)
	s.namesTheCluster()

	if err := s.Get(elsewhere); err != nil || len(elsewhere.Finalizers)+len(elsewhere.Status.Conditions)+len(elsewhere.Annotations) > 0 {
		s.t.Errorf("an object of a namespace that nobody looks after was touched: %+v, %v", elsewhere, err)
	}
	s.delete(elsewhere)
	if live := s.sim.Records(s.z.ID); len(live) != 2 {
		s.t.Errorf("there are %+v, want one record of each shard", live)
	}
	for _, r := range []*dnsv1alpha1.Record{first, second} {
		s.delete(r)
		s.gone(r)
	}
	s.eventually(func() error {
		if n := s.claims(); n > 0 {
			return fmt.Errorf("%d claims are left of objects that are gone", n)
		}
		return nil
	})
	s.leave(team)
	s.leave(other)
	stopA()
	stopB()
	s.ownLeases()
}

// contends creates objects of shard b that declare the record of shard a, one by its content and
// one by its ID. Both are refused with the name of the first object, and their deletion leaves its
// record.
func (s *shards) contends(first *dnsv1alpha1.Record) {
	s.t.Helper()
	id := meta.GetExternalName(first)
	same := s.recordIn(other, "same", *first.Spec.ForProvider.Content)
	same.Spec.ForProvider.Name = first.Spec.ForProvider.Name
	byID := s.recordIn(other, "by-id", "192.0.2.9")
	byID.Spec.ForProvider.Name = first.Spec.ForProvider.Name
	byID.Spec.AdoptionPolicy = dnsv1alpha1.AdoptNameAndType
	meta.SetExternalName(byID, id)
	for _, r := range []*dnsv1alpha1.Record{same, byID} {
		s.create(r)
		s.Says(r, xpv2.TypeSynced, id+" is already managed by "+team+"/first, which another provider looks after", "delete the Lease "+own+"/")
		s.delete(r)
		s.gone(r)
	}
	if live, ok := s.sim.Record(s.z.ID, id); !ok || live.Content != *first.Spec.ForProvider.Content {
		s.t.Errorf("the record of the first object is %+v (there: %t)", live, ok)
	}
	s.settled(first)
}

// namesTheCluster creates an object with a ClusterProviderConfig, and checks that it is refused.
func (s *shards) namesTheCluster() {
	s.t.Helper()
	r := s.recordIn(other, "cluster", "192.0.2.8")
	r.Spec.ProviderConfigReference = &xpv2.ProviderConfigReference{Kind: "ClusterProviderConfig", Name: "default"}
	s.create(r)
	s.Says(r, xpv2.TypeSynced, "a provider with --watch-namespaces reads no ClusterProviderConfigs")
	s.delete(r)
	s.gone(r)
}

// claims returns the number of claims.
func (s *shards) claims() int {
	s.t.Helper()
	l := &coordinationv1.LeaseList{}
	if err := s.kube.List(s.t.Context(), l, client.InNamespace(own), client.HasLabels{claim.LedgerLabel}); err != nil {
		s.t.Fatal(err)
	}
	return len(l.Items)
}

// ownLeases checks that each shard has used a lease of its own for leader election.
func (s *shards) ownLeases() {
	s.t.Helper()
	for _, name := range []string{"a", "b"} {
		if err := s.kube.Get(s.t.Context(), client.ObjectKey{Namespace: own, Name: lease + "-" + name}, &coordinationv1.Lease{}); err != nil {
			s.t.Errorf("shard %s: %v", name, err)
		}
	}
}

// aClaimOutlivesItsProcess stops the shard that manages a record, and checks that the other shard
// still cannot take the record. After the first shard has restarted and its object is deleted, the
// claim ends.
func (s *shards) aClaimOutlivesItsProcess() {
	s.t.Helper()
	stopA, stopB := s.start("a"), s.start("b")
	for _, ns := range []string{team, other} {
		s.credential(ns, s.z)
	}
	first := s.recordIn(team, "first", "192.0.2.1")
	s.create(first)
	s.settled(first)
	stopA()
	stopB()
	stopB = s.start("b")
	same := s.recordIn(other, "first", "192.0.2.1")
	s.create(same)
	s.Says(same, xpv2.TypeSynced, "is already managed by "+team+"/first")

	stopA = s.start("a")
	edit(s.world, first, func(r *dnsv1alpha1.Record) { r.Spec.ForProvider.Comment = ptr.To("still here") })
	s.settled(first)
	s.delete(first)
	s.gone(first)
	s.settled(same)
	if n := len(s.sim.Records(s.z.ID)); n != 1 {
		s.t.Errorf("there are %d records, want that of the second object", n)
	}
	s.delete(same)
	s.gone(same)
	s.leave(team)
	s.leave(other)
	stopA()
	stopB()
}

// minimum runs a provider of one namespace, makes it revert drift and deletes its config. No
// request is refused, and each right on Leases is used.
func (s *shards) minimum() {
	s.t.Helper()
	stop := s.start("a")
	s.credential(team, s.z)
	r := s.recordIn(team, "www", "192.0.2.1")
	s.create(r)
	s.settled(r)
	if _, err := s.sim.PatchRecord(s.z.ID, meta.GetExternalName(r), map[string]any{"content": "203.0.113.1"}); err != nil {
		s.t.Fatal(err)
	}
	s.content(s.z, r, "192.0.2.1")
	s.settled(r)
	s.delete(r)
	s.gone(r)
	s.leave(team)
	stop()
	did := audit(s.t, s.log, userOf("a"))
	for r := range rights(rulesOf(s.t, of(manifests(s.t, standalone("namespaced", "rights.yaml")), "Role"))...) {
		if strings.HasPrefix(r.resource, "coordination") && did.used[r] == 0 {
			s.t.Errorf("not used: %s", r)
		}
	}
}
