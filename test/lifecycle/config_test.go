// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package lifecycle

import (
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"

	"github.com/crossplane/crossplane-runtime/v2/pkg/resource"
	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"
	kerrors "k8s.io/apimachinery/pkg/api/errors"
	"sigs.k8s.io/controller-runtime/pkg/client"

	dnsv1alpha1 "github.com/provider-cloudflare/provider-cloudflare/apis/dns/v1alpha1"
	cfv1alpha1 "github.com/provider-cloudflare/provider-cloudflare/apis/v1alpha1"
	"github.com/provider-cloudflare/provider-cloudflare/internal/connect"
)

// users waits until a config shows that many users, and checks that it has no usage
// objects.
func (w *world) users(pc resource.ProviderConfig, want int64) {
	w.t.Helper()
	w.eventually(func() error {
		if err := w.get(pc); err != nil {
			return err
		}
		if n := pc.GetUsers(); n != want {
			return fmt.Errorf("%s has %d users, want %d", pc.GetName(), n, want)
		}
		return nil
	})
	l := &cfv1alpha1.ProviderConfigUsageList{}
	if err := w.kube.List(w.t.Context(), l, client.InNamespace(w.ns)); err != nil || len(l.Items) != 0 {
		w.t.Errorf("there are %d usage objects (%v), want none", len(l.Items), err)
	}
}

// TestClusterConfigIsUsedFromSeveralNamespaces deletes a config that objects of two
// namespaces use.
func TestClusterConfigIsUsedFromSeveralNamespaces(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	pc := w.clusterConfig(w.ns)
	w.create(pc)
	ref := &xpv2.ProviderConfigReference{Kind: cfv1alpha1.ClusterProviderConfigKind, Name: pc.Name}
	here, there := w.record("here"), w.record("there")
	there.Namespace = w.namespace()
	for _, r := range []*dnsv1alpha1.Record{here, there} {
		r.Spec.ProviderConfigReference = ref
		w.create(r)
		w.settled(r)
	}
	w.users(pc, 2)
	w.users(w.config(), 0)
	w.delete(pc)
	w.says(pc, xpv2.TypeReady, "deletion waits for 2 managed resources")
	w.delete(here)
	w.gone(here)
	w.says(pc, xpv2.TypeReady, "deletion waits for 1 managed resources", there.Namespace+"/there")
	w.delete(there)
	w.gone(there, pc)
	w.count(0)
}

// TestObjectsThatComeTooLateAreRefused creates an object whose config is being deleted.
func TestObjectsThatComeTooLateAreRefused(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	first := w.made("first")
	w.delete(w.config())
	w.says(w.config(), xpv2.TypeReady, "deletion waits for 1 managed resources")
	late := w.record("late")
	w.create(late)
	w.says(late, xpv2.TypeSynced, "ProviderConfig "+w.ns+"/default is being deleted and serves no further object", "name another config")
	w.count(1)
	w.delete(first)
	w.gone(first, w.config()) // A refused object does not block its deletion.
	w.create(w.config())
	w.settled(late)
	w.count(1)
	w.delete(late)
	w.gone(late)
	w.users(w.config(), 0)
	w.count(0)
}

// TestConfigIsDeletedAsObjectsCome creates objects and deletes their configs at the same
// time, in either order. Each object either is served and blocks the deletion of its
// config, or has nothing at Cloudflare.
func TestConfigIsDeletedAsObjectsCome(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	const pairs = 20
	var configs, objects []client.Object
	for i := range pairs {
		pc := w.config()
		pc.Name = fmt.Sprintf("config-%d", i)
		w.create(pc)
		r := w.record(fmt.Sprintf("r-%d", i))
		r.Spec.ProviderConfigReference.Name = pc.Name
		configs, objects = append(configs, pc), append(objects, r)
	}
	// A config that is deleted during the update that adds its finalizer is gone in
	// spite of it.
	for _, pc := range configs {
		w.eventually(func() error {
			if err := w.get(pc); err != nil || !slices.Contains(pc.GetFinalizers(), connect.Finalizer) {
				return fmt.Errorf("%s has no finalizer (%w)", pc.GetName(), err)
			}
			return nil
		})
	}
	var wg sync.WaitGroup
	failed := make(chan error, 2*pairs)
	for i := range pairs {
		create := func() error { return w.kube.Create(t.Context(), objects[i]) }
		remove := func() error { return w.kube.Delete(t.Context(), configs[i]) }
		steps := []func() error{create, remove}
		if i%4 == 0 { // One after the other, with no time between.
			steps = []func() error{func() error { return errors.Join(create(), remove()) }}
		}
		for _, step := range steps {
			wg.Go(func() { failed <- step() })
		}
	}
	wg.Wait()
	close(failed)
	for err := range failed {
		if err != nil {
			t.Fatal(err)
		}
	}
	served := 0
	for i, r := range objects {
		mg, ok := r.(*dnsv1alpha1.Record)
		if !ok {
			t.Fatalf("it is a %T", r)
		}
		w.eventually(func() error {
			config := w.get(configs[i])
			if err := w.get(mg); err != nil || client.IgnoreNotFound(config) != nil {
				return errors.Join(err, config)
			}
			if kept := config == nil && mg.GetCondition(xpv2.TypeReady).Status == "True"; kept {
				served++
				return nil
			}
			if kerrors.IsNotFound(config) && mg.GetCondition(xpv2.TypeSynced).Status == "False" {
				if connect.MayOwn(mg) {
					t.Errorf("%s may have something at Cloudflare, and its config is gone", mg.Name)
				}
				return nil
			}
			return fmt.Errorf("%s is neither served nor refused: %s (config: %w)", mg.Name, conditions(mg), config)
		})
	}
	w.count(served)
	t.Logf("%d of %d were served", served, pairs)
	for _, r := range objects {
		w.delete(r)
	}
	w.gone(slices.Concat(objects, configs)...)
	w.count(0)
}

// TestConfigIsDeletedWhileTheProviderIsDown starts the provider after the deletion of a
// config that is in use. It is not parallel.
func TestConfigIsDeletedWhileTheProviderIsDown(t *testing.T) {
	w := newWorld(t)
	r := w.made("www")
	w.users(w.config(), 1)
	fresh := w.record("fresh")
	w.without(t, func() {
		w.delete(w.config())
		w.create(fresh)
	})
	w.says(w.config(), xpv2.TypeReady, "deletion waits for 1 managed resources", w.ns+"/www")
	w.says(fresh, xpv2.TypeSynced, "serves no further object")
	w.delete(r)
	w.gone(r, w.config())
	w.delete(fresh)
	w.gone(fresh)
	w.count(0)
}
