// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package connectionsecret

import (
	"context"
	"errors"
	"maps"
	"testing"

	"github.com/crossplane/crossplane-runtime/v2/pkg/resource"
	corev1 "k8s.io/api/core/v1"
	kerrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/utils/ptr"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/fake"
	"sigs.k8s.io/controller-runtime/pkg/client/interceptor"
)

// errBroken is the error of a client that fails.
var errBroken = errors.New("broken")

func owner() *corev1.ConfigMap {
	return &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Namespace: "team", Name: "owner", UID: "u1"}}
}

// secret returns a Secret of the object of that UID, or of no object if that is "".
func secret(uid types.UID, kind corev1.SecretType, data map[string]string) *corev1.Secret {
	s := &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Namespace: "team", Name: "out"}, Type: kind, Data: map[string][]byte{}}
	for k, v := range data {
		s.Data[k] = []byte(v)
	}
	if uid != "" {
		s.OwnerReferences = []metav1.OwnerReference{{APIVersion: "v1", Kind: "ConfigMap", Name: "owner", UID: uid, Controller: ptr.To(true)}}
	}
	return s
}

func want(kind corev1.SecretType, data map[string]string) Secret {
	out := Secret{Name: "out", Type: kind, Owner: schema.GroupVersionKind{Version: "v1", Kind: "ConfigMap"}, Data: map[string][]byte{}}
	for k, v := range data {
		out.Data[k] = []byte(v)
	}
	return out
}

func TestPublish(t *testing.T) {
	const tls = corev1.SecretTypeTLS
	ours := resource.SecretTypeConnection
	cases := map[string]struct {
		reason string
		have   *corev1.Secret
		want   Secret
		data   map[string]string
		kind   corev1.SecretType
		writes int
	}{
		"New": {
			"a Secret that does not exist is created with Crossplane's own type",
			nil, want("", map[string]string{"a": "1"}),
			map[string]string{"a": "1"},
			ours, 1,
		},
		"NewOfAType": {
			"the kind chooses the type",
			nil, want(tls, map[string]string{"tls.crt": "c", "tls.key": "k"}),
			map[string]string{"tls.crt": "c", "tls.key": "k"},
			tls, 1,
		},
		"Added": {
			"what the Secret has beside that stays: it may be a value that is shown once",
			secret("u1", ours, map[string]string{"a": "1"}), want("", map[string]string{"b": "2"}),
			map[string]string{"a": "1", "b": "2"},
			ours, 1,
		},
		"Changed": {
			"a new value replaces the old one",
			secret("u1", ours, map[string]string{"a": "1"}), want("", map[string]string{"a": "2"}),
			map[string]string{"a": "2"},
			ours, 1,
		},
		"Same": {
			"nothing is written where nothing changes",
			secret("u1", ours, map[string]string{"a": "1"}), want("", map[string]string{"a": "1"}),
			map[string]string{"a": "1"},
			ours, 0,
		},
		"Empty": {
			"a Secret without data takes values",
			secret("u1", ours, nil), want("", map[string]string{"a": "1"}),
			map[string]string{"a": "1"},
			ours, 1,
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			writes := 0
			p := publisher(&writes, tc.have)
			if err := p.Publish(t.Context(), owner(), tc.want); err != nil {
				t.Fatalf("%s: %v", tc.reason, err)
			}
			got := read(t, p)
			if !Owned(got, owner()) || got.Type != tc.kind {
				t.Errorf("%s: the Secret is of type %s and belongs to %v", tc.reason, got.Type, got.OwnerReferences)
			}
			data := map[string]string{}
			for k, v := range got.Data {
				data[k] = string(v)
			}
			if !maps.Equal(data, tc.data) || writes != tc.writes {
				t.Errorf("%s: got %v after %d writes, want %v after %d", tc.reason, data, writes, tc.data, tc.writes)
			}
		})
	}
}

func TestPublishRefuses(t *testing.T) {
	cases := map[string]struct {
		reason string
		have   *corev1.Secret
		kind   corev1.SecretType
		is     func(error) bool
	}{
		"NobodysOwn": {
			"a Secret that a person made is not overwritten",
			secret("", resource.SecretTypeConnection, map[string]string{"a": "1"}), "",
			func(err error) bool { var e *NotOwnedError; return errors.As(err, &e) && e.Secret.Name == "out" },
		},
		"AnothersOwn": {
			"nor is one of another object",
			secret("u2", resource.SecretTypeConnection, map[string]string{"a": "1"}), "",
			func(err error) bool { var e *NotOwnedError; return errors.As(err, &e) },
		},
		"OfAnotherType": {
			"the API server refuses another type of a Secret that exists",
			secret("u1", resource.SecretTypeConnection, nil), corev1.SecretTypeTLS,
			func(err error) bool {
				var e *TypeError
				return errors.As(err, &e) && e.Have == resource.SecretTypeConnection && e.Want == corev1.SecretTypeTLS
			},
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			writes := 0
			p := publisher(&writes, tc.have)
			err := p.Publish(t.Context(), owner(), want(tc.kind, map[string]string{"a": "2"}))
			if !tc.is(err) || writes != 0 {
				t.Errorf("%s: got %v after %d writes", tc.reason, err, writes)
			}
		})
	}
}

// TestPublishUnreadable checks that a Secret that cannot be read is not taken for absent.
func TestPublishUnreadable(t *testing.T) {
	writes := 0
	p := publisher(&writes, nil)
	p.API = interceptor.NewClient(fake.NewClientBuilder().Build(), interceptor.Funcs{
		Get: func(context.Context, client.WithWatch, client.ObjectKey, client.Object, ...client.GetOption) error {
			return errBroken
		},
	})
	if err := p.Publish(t.Context(), owner(), want("", map[string]string{"a": "1"})); !errors.Is(err, errBroken) || writes != 0 {
		t.Errorf("got %v after %d writes, want what the API server said and no write", err, writes)
	}
	if err := p.Kube.Get(t.Context(), client.ObjectKey{Namespace: "team", Name: "out"}, &corev1.Secret{}); !kerrors.IsNotFound(err) {
		t.Errorf("there is a Secret: %v", err)
	}
}

// publisher returns a Publisher with a fake API server, and counts its writes.
func publisher(writes *int, have *corev1.Secret) Publisher {
	b := fake.NewClientBuilder()
	if have != nil {
		b = b.WithObjects(have)
	}
	kube := interceptor.NewClient(b.Build(), interceptor.Funcs{
		Create: func(ctx context.Context, c client.WithWatch, o client.Object, opts ...client.CreateOption) error {
			*writes++
			return c.Create(ctx, o, opts...)
		},
		Update: func(ctx context.Context, c client.WithWatch, o client.Object, opts ...client.UpdateOption) error {
			*writes++
			return c.Update(ctx, o, opts...)
		},
	})
	return Publisher{Kube: kube, API: kube}
}

func read(t *testing.T, p Publisher) *corev1.Secret {
	t.Helper()
	s := &corev1.Secret{}
	if err := p.Kube.Get(t.Context(), client.ObjectKey{Namespace: "team", Name: "out"}, s); err != nil {
		t.Fatal(err)
	}
	return s
}
