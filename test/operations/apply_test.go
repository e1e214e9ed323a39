// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package operations

import (
	"context"
	"testing"

	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"
	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// applied is an object that was applied from a manifest, as Argo CD (server-side) and Flux do,
// before and after a second apply.
type applied struct{ live, dry, again *unstructured.Unstructured }

// manifest returns a manifest as a user has it in Git, with the least fields. One has the
// zone's ID, and the other one a reference to the Zone.
func (w *world) manifest(manager string) *unstructured.Unstructured {
	parameters := map[string]any{"zoneId": w.zone.ID, "name": manager, "type": "A", "content": "192.0.2.20"}
	if manager == referring {
		delete(parameters, "zoneId")
		parameters["zoneIdRef"] = map[string]any{"name": "active"}
	}
	return &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "dns.cloudflare.m.crossplane.io/v1alpha1", "kind": "Record",
		"metadata": map[string]any{"name": "applied-by-" + manager, "namespace": "default"},
		"spec": map[string]any{
			"forProvider":       parameters,
			"providerConfigRef": map[string]any{"kind": "ProviderConfig", "name": "default"},
		},
	}}
}

// referring is the field manager whose manifest refers to the Zone.
const referring = "kustomize-controller"

// applyTwice applies a manifest, waits until the provider has filled in what the manifest
// leaves open, and applies it again.
func (w *world) applyTwice(ctx context.Context) error {
	for _, manager := range []string{"argocd-controller", referring} {
		apply := func(o *unstructured.Unstructured, options ...client.ApplyOption) error {
			return w.kube.Apply(ctx, client.ApplyConfigurationFromUnstructured(o), append(options, client.FieldOwner(manager), client.ForceOwnership)...)
		}
		if err := apply(w.manifest(manager)); err != nil {
			return err
		}
		r := w.record("applied-by-"+manager, "")
		if err := w.until(ctx, r, xpv2.TypeUpToDate, corev1.ConditionTrue, ""); err != nil {
			return err
		}
		a := applied{live: w.manifest(manager), dry: w.manifest(manager), again: w.manifest(manager)}
		if err := w.kube.Get(ctx, client.ObjectKeyFromObject(a.live), a.live); err != nil {
			return err
		}
		if err := apply(a.dry, client.DryRunAll); err != nil {
			return err
		}
		if err := apply(a.again); err != nil {
			return err
		}
		w.applied = append(w.applied, a)
	}
	return nil
}

func TestApplyingAgainChangesNothing(t *testing.T) {
	if len(shared.applied) != 2 {
		t.Fatalf("%d objects were applied", len(shared.applied))
	}
	for _, a := range shared.applied {
		spec, _, _ := unstructured.NestedMap(a.live.Object, "spec", "forProvider")
		if spec["ttl"] == nil || spec["proxied"] == nil || spec["zoneId"] != shared.zone.ID {
			t.Errorf("%s: %v: want that the provider filled in ttl, proxied and the zone's ID", a.live.GetName(), spec)
		}
		if a.again.GetResourceVersion() != a.live.GetResourceVersion() {
			t.Errorf("%s: it was written again", a.live.GetName())
		}
		// Both tools show the changes of a dry run as a difference.
		for _, o := range []*unstructured.Unstructured{a.live, a.dry} {
			o.SetManagedFields(nil)
		}
		if diff := cmp.Diff(a.live.Object, a.dry.Object); diff != "" {
			t.Errorf("%s: a difference for ever (-live +applied):\n%s", a.live.GetName(), diff)
		}
	}
}
