// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package provider

import (
	"context"
	"errors"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/ptr"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/fake"
	"sigs.k8s.io/controller-runtime/pkg/client/interceptor"

	"github.com/provider-cloudflare/provider-cloudflare/internal/keyed"
)

func keySecret(t *testing.T, kube client.Reader) *corev1.Secret {
	t.Helper()
	s := &corev1.Secret{}
	if err := kube.Get(t.Context(), client.ObjectKey{Namespace: "own", Name: keyName}, s); err != nil {
		t.Fatal(err)
	}
	return s
}

// TestKeyIsKept: the first start makes the key, and later starts in the same namespace have the same key.
func TestKeyIsKept(t *testing.T) {
	kube := fake.NewClientBuilder().Build()
	load := func(namespace string) keyed.Key {
		t.Helper()
		k, err := loadKey(t.Context(), kube, kube, namespace)
		if err != nil {
			t.Fatal(err)
		}
		return k
	}
	first := load("own")
	s := keySecret(t, kube)
	if s.Type != keyType || !ptr.Deref(s.Immutable, false) || len(s.Data[keyData]) != keyed.Size {
		t.Errorf("the Secret is of type %s with %d bytes, immutable: %t", s.Type, len(s.Data[keyData]), ptr.Deref(s.Immutable, false))
	}
	if load("own") != first {
		t.Error("a restart has another key")
	}
	if load("other") == first {
		t.Error("a provider in another namespace has the same key")
	}
}

// TestKeyOfTheFirst: of two processes that find no key at the same time, both have the key of the one that makes
// it first.
func TestKeyOfTheFirst(t *testing.T) {
	kube := fake.NewClientBuilder().Build()
	var first keyed.Key
	late := interceptor.NewClient(kube, interceptor.Funcs{
		Create: func(ctx context.Context, k client.WithWatch, o client.Object, opts ...client.CreateOption) error {
			var err error
			if first, err = loadKey(ctx, kube, kube, "own"); err != nil {
				return err
			}
			return k.Create(ctx, o, opts...)
		},
	})
	second, err := loadKey(t.Context(), late, late, "own")
	if err != nil || second != first || first == (keyed.Key{}) {
		t.Errorf("two processes that start at once have two keys (%v)", err)
	}
}

func TestNoKey(t *testing.T) {
	down := errors.New("down")
	kube := fake.NewClientBuilder().WithObjects(&corev1.Secret{
		ObjectMeta: metav1.ObjectMeta{Namespace: "own", Name: keyName}, Data: map[string][]byte{keyData: []byte("short")},
	}).Build()
	for _, row := range []struct {
		reason string
		funcs  interceptor.Funcs
		says   string
	}{
		{"what is too short is no key, and is not replaced: somebody may have a backup", interceptor.Funcs{}, "the Secret own/provider-cloudflare-key has no key of 32 bytes"},
		{"that it cannot be read does not mean that there is none", interceptor.Funcs{
			Get: func(context.Context, client.WithWatch, client.ObjectKey, client.Object, ...client.GetOption) error {
				return down
			},
			Create: func(context.Context, client.WithWatch, client.Object, ...client.CreateOption) error {
				t.Error("another key is made")
				return nil
			},
		}, "cannot read or make the provider's key in the Secret own/provider-cloudflare-key: down"},
	} {
		k := interceptor.NewClient(kube, row.funcs)
		if got, err := loadKey(t.Context(), k, k, "own"); err == nil || !strings.Contains(err.Error(), row.says) || got != (keyed.Key{}) {
			t.Errorf("%s: got %v", row.reason, err)
		}
	}
}
