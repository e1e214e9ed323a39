// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package described

import (
	"context"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/source"

	cfv1alpha1 "github.com/provider-cloudflare/provider-cloudflare/apis/v1alpha1"
	"github.com/provider-cloudflare/provider-cloudflare/internal/kind"
	"github.com/provider-cloudflare/provider-cloudflare/internal/workers"
)

// The cache indexes of objects by the Secrets whose values they send, or that they write, and by the ConfigMaps whose
// values they send.
const (
	indexSecrets    = "spec.forProvider.secretRefs"
	indexConfigMaps = "spec.forProvider.configMapRefs"
)

func secretsOf(o client.Object) []string {
	mg, ok := o.(Object)
	if !ok {
		return nil
	}
	var out []string
	if name := mg.GetConnectionSecretName(); name != "" {
		out = append(out, name)
	}
	for _, f := range kind.KeyFields(mg.GetForProvider()) {
		if ref, ok := f.Value.(cfv1alpha1.SecretKeyReference); ok {
			out = append(out, ref.Name)
		}
	}
	return out
}

func configMapsOf(o client.Object) []string {
	mg, ok := o.(Object)
	if !ok {
		return nil
	}
	var out []string
	for _, f := range kind.KeyFields(mg.GetForProvider()) {
		if ref, ok := f.Value.(cfv1alpha1.ConfigMapKeyReference); ok {
			out = append(out, ref.Name)
		}
	}
	return out
}

// watches returns sources that enqueue the objects that send a value of a changed Secret or ConfigMap, or that write
// a changed Secret. ConfigMaps are watched only for kinds that send files.
func watches(mgr ctrl.Manager, e entry) ([]workers.Source, error) {
	all := []struct {
		of, index string
		names     client.IndexerFunc
	}{{"Secret", indexSecrets, secretsOf}}
	if e.Description.Upload != nil {
		all = append(all, all[0])
		all[1].of, all[1].index, all[1].names = "ConfigMap", indexConfigMaps, configMapsOf
	}
	var out []workers.Source
	for _, w := range all {
		if err := mgr.GetFieldIndexer().IndexField(context.Background(), e.New(), w.index, w.names); err != nil {
			return nil, fmt.Errorf("cannot index objects of kind %s by %s: %w", e.GVK.Kind, w.of, err)
		}
		out = append(out, watch(mgr, e, w.of, w.index))
	}
	return out, nil
}

// watch returns a source that enqueues the objects that the index has under the name of a changed object, in its
// namespace. Only metadata is watched.
func watch(mgr ctrl.Manager, e entry, of, index string) workers.Source {
	s := &metav1.PartialObjectMetadata{}
	s.SetGroupVersionKind(corev1.SchemeGroupVersion.WithKind(of))
	return source.TypedKind(mgr.GetCache(), s, handler.TypedEnqueueRequestsFromMapFunc(func(ctx context.Context, changed *metav1.PartialObjectMetadata) []workers.Request {
		l := e.NewList()
		err := mgr.GetClient().List(ctx, l, client.InNamespace(changed.Namespace), client.MatchingFields{index: changed.Name}, client.UnsafeDisableDeepCopy)
		if err != nil {
			return nil // The next poll finds out.
		}
		var out []workers.Request
		for _, mg := range l.GetItems() {
			out = append(out, workers.Request{Kind: e.GVK.GroupKind(), NamespacedName: client.ObjectKeyFromObject(mg)})
		}
		return out
	}))
}
