// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/crossplane/crossplane-runtime/v2/pkg/resource"
	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"
	"golang.org/x/sync/errgroup"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/utils/ptr"
	"sigs.k8s.io/controller-runtime/pkg/client"

	cfv1alpha1 "github.com/provider-cloudflare/provider-cloudflare/apis/v1alpha1"
	"github.com/provider-cloudflare/provider-cloudflare/internal/controller/described"
	"github.com/provider-cloudflare/provider-cloudflare/internal/kind"
	"github.com/provider-cloudflare/provider-cloudflare/test/manifest"
)

// A mixture is the example of every kind of managed resource and the objects that it
// refers to, once for each namespace.
type mixture struct {
	kinds []schema.GroupVersionKind
	// objects are those of each namespace, in an order in which none refers to a later one.
	objects [][]*unstructured.Unstructured
}

// newMixture reads the examples of the kinds, in a folder, for n namespaces.
func newMixture(folder string, kinds []schema.GroupVersionKind, n int) (mixture, error) {
	m := mixture{kinds: kinds}
	for i := range n {
		objects, err := manifest.Examples{Folder: folder, Zone: mixedZone(i), Namespace: accountName(i)}.All(names(kinds))
		if err != nil {
			return mixture{}, err
		}
		m.objects = append(m.objects, objects)
	}
	return m, nil
}

func names(kinds []schema.GroupVersionKind) []string {
	out := make([]string, len(kinds))
	for i, k := range kinds {
		out[i] = k.Kind
	}
	return out
}

// managed returns the number of managed resources in a namespace.
func (m mixture) managed() int {
	n := 0
	for _, gvk := range m.kinds {
		n += m.of(gvk)
	}
	return n
}

// of returns the number of objects of a kind in a namespace.
func (m mixture) of(gvk schema.GroupVersionKind) int {
	n := 0
	for _, o := range m.objects[0] {
		if o.GroupVersionKind().GroupKind() == gvk.GroupKind() {
			n++
		}
	}
	return n
}

// configureNamespaces makes the namespaces, each with the ProviderConfig that the examples name.
func (w *world) configureNamespaces(ctx context.Context) error {
	for i, token := range w.sim.Tokens {
		ns := accountName(i)
		c := &cfv1alpha1.ProviderConfig{ObjectMeta: metav1.ObjectMeta{Name: "default", Namespace: ns}}
		c.Spec.Credentials.SecretRef = cfv1alpha1.LocalSecretKeySelector{Name: "cloudflare", Key: "token"}
		c.Spec.AccountID = ptr.To(accountID(i))
		for _, o := range []client.Object{
			&corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: ns}},
			&corev1.Secret{ObjectMeta: metav1.ObjectMeta{Name: "cloudflare", Namespace: ns}, StringData: map[string]string{"token": token}},
			c,
		} {
			if err := w.kube.Create(ctx, o); err != nil {
				return fmt.Errorf("cannot set up namespace %s: %w", ns, err)
			}
		}
	}
	return nil
}

// createMixture creates all objects. Those of one namespace are created in order, as one
// user does.
func (w *world) createMixture(ctx context.Context, m mixture) error {
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(creators)
	for _, objects := range m.objects {
		g.Go(func() error {
			for _, o := range objects {
				if err := w.kube.Create(ctx, o); err != nil {
					return fmt.Errorf("cannot create the example of %s: %w", o.GetKind(), err)
				}
			}
			return nil
		})
	}
	return g.Wait()
}

// managedOf returns the objects of a kind in all namespaces.
func (w *world) managedOf(ctx context.Context, gvk schema.GroupVersionKind) ([]resource.Managed, error) {
	o, err := w.kube.Scheme().New(gvk.GroupVersion().WithKind(gvk.Kind + "List"))
	if err != nil {
		return nil, fmt.Errorf("cannot list kind %s: %w", gvk.Kind, err)
	}
	l, ok := o.(resource.ManagedList)
	if !ok {
		return nil, fmt.Errorf("%T is no list of managed resources", o)
	}
	if err := w.kube.List(ctx, l); err != nil {
		return nil, fmt.Errorf("cannot list kind %s: %w", gvk.Kind, err)
	}
	return l.GetItems(), nil
}

// mixtureSettled reports whether all objects are as declared. The error names those that are not.
func (w *world) mixtureSettled(ctx context.Context, m mixture) (bool, error) {
	var errs []error
	for _, gvk := range m.kinds {
		all, err := w.managedOf(ctx, gvk)
		if err != nil {
			return false, err
		}
		errs = append(errs, unsettled(gvk.Kind, all, m.of(gvk)*len(m.objects)))
	}
	err := errors.Join(errs...)
	return err == nil, err
}

// unsettled returns an error with the number of objects of a kind that are not Ready,
// Synced and UpToDate, and the reason of the first. It returns nil if all are, and if
// their number is want.
func unsettled(name string, all []resource.Managed, want int) error {
	settled, why := 0, ""
	for _, mg := range all {
		i := slices.IndexFunc(conditionTypes(), func(t xpv2.ConditionType) bool { return mg.GetCondition(t).Status != corev1.ConditionTrue })
		if i < 0 {
			settled++
			continue
		}
		if why == "" {
			c := mg.GetCondition(conditionTypes()[i])
			why = fmt.Sprintf(": %s of %s/%s is %q because of %q: %s", conditionTypes()[i], mg.GetNamespace(), mg.GetName(), c.Status, c.Reason, c.Message)
		}
	}
	if settled == want {
		return nil
	}
	return fmt.Errorf("%d of %d objects of kind %s are Ready%s", settled, want, name, why)
}

// conditionTypes returns the conditions that are True if an object is as declared. The
// one that explains most is first.
func conditionTypes() []xpv2.ConditionType {
	return []xpv2.ConditionType{xpv2.TypeSynced, xpv2.TypeReady, xpv2.TypeUpToDate}
}

// examples returns the current objects of a mixture, with their resolved references.
func (w *world) examples(ctx context.Context, m mixture) ([]example, error) {
	var out []example
	for _, gvk := range m.kinds {
		all, err := w.managedOf(ctx, gvk)
		if err != nil {
			return nil, err
		}
		for _, mg := range all {
			out = append(out, exampleOf(gvk.Kind, mg))
		}
	}
	return out, nil
}

func exampleOf(name string, mg resource.Managed) example {
	e := example{kind: name, name: mg.GetName(), account: mg.GetNamespace()}
	if o, ok := mg.(described.Object); ok {
		e.params = kind.Parameters(o.GetForProvider())
		e.zoned = e.params["zone_id"] != ""
	}
	return e
}
