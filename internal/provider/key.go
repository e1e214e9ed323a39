// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package provider

import (
	"cmp"
	"context"
	"crypto/rand"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	kerrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/ptr"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/provider-cloudflare/provider-cloudflare/internal/keyed"
)

const (
	// keyName is the name of the Secret with the key of the hashes in statuses and metrics.
	keyName = "provider-cloudflare-key"
	// keyType is the type of that Secret.
	keyType corev1.SecretType = "cloudflare.m.crossplane.io/key"
	// keyData is the key in the Secret's data.
	keyData = "key"
)

// newKey returns the provider's key. It is in the provider's own namespace, so that restarts and shards find the same
// key.
func newKey(ctx context.Context, mgr ctrl.Manager, o Options) (keyed.Key, error) {
	return loadKey(ctx, mgr.GetClient(), mgr.GetAPIReader(), cmp.Or(o.Namespace, defaultNamespace))
}

// loadKey reads the key, or creates it if there is none. If several processes start at once, all use the key of the
// first.
func loadKey(ctx context.Context, kube client.Writer, api client.Reader, namespace string) (keyed.Key, error) {
	s := &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: keyName}}
	at := client.ObjectKeyFromObject(s)
	err := api.Get(ctx, at, s)
	if kerrors.IsNotFound(err) {
		err = makeKey(ctx, kube, s)
		if kerrors.IsAlreadyExists(err) {
			err = api.Get(ctx, at, s)
		}
	}
	if err != nil {
		return keyed.Key{}, fmt.Errorf("cannot read or make the provider's key in the Secret %s: %w", at, err)
	}
	if len(s.Data[keyData]) < keyed.Size {
		return keyed.Key{}, fmt.Errorf("the Secret %s has no key of %d bytes under %q: restore it; or delete it to have the provider make another, and send the values of Secrets once more", at, keyed.Size, keyData)
	}
	return keyed.New(s.Data[keyData]), nil
}

func makeKey(ctx context.Context, kube client.Writer, s *corev1.Secret) error {
	secret := make([]byte, keyed.Size)
	_, _ = rand.Read(secret) // It never fails.
	s.Type, s.Immutable, s.Data = keyType, ptr.To(true), map[string][]byte{keyData: secret}
	return kube.Create(ctx, s)
}
