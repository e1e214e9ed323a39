// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

// Package connectionsecret writes connection secrets of any type. The runtime writes those
// of its own type only, and an empty one for an object that has nothing to say.
package connectionsecret

import (
	"context"
	"fmt"
	"maps"

	"github.com/crossplane/crossplane-runtime/v2/pkg/meta"
	"github.com/crossplane/crossplane-runtime/v2/pkg/resource"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	kerrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// A Secret is what is to be written.
type Secret struct {
	Name string
	// Type is Crossplane's own where it is "".
	Type corev1.SecretType
	// Owner is the kind of the object that the secret belongs to.
	Owner schema.GroupVersionKind
	// Data is added to what the secret has, and the keys in Drop are removed from it.
	Data map[string][]byte
	Drop []string
}

// A NotOwnedError says that a Secret exists that belongs to something else.
type NotOwnedError struct{ Secret types.NamespacedName }

func (e *NotOwnedError) Error() string {
	return fmt.Sprintf("Secret %s exists and does not belong to this object: delete it, or name another in spec.writeConnectionSecretToRef", e.Secret)
}

// A TypeError says that a Secret of this object is of another type, which cannot change.
type TypeError struct {
	Secret     types.NamespacedName
	Have, Want corev1.SecretType
}

func (e *TypeError) Error() string {
	return fmt.Sprintf("Secret %s is of type %s and has to be of type %s: delete it", e.Secret, e.Have, e.Want)
}

// A Publisher writes connection secrets.
type Publisher struct {
	// Kube writes, and API reads past the cache.
	Kube client.Client
	API  client.Reader
}

// Owned reports whether s belongs to owner.
func Owned(s *corev1.Secret, owner metav1.Object) bool { return metav1.IsControlledBy(s, owner) }

// Publish writes the secret of owner in its namespace. It gives a *NotOwnedError for a
// Secret that belongs to something else, and a *TypeError for one of another type.
func (p Publisher) Publish(ctx context.Context, owner client.Object, want Secret) error {
	if want.Type == "" {
		want.Type = resource.SecretTypeConnection
	}
	at := types.NamespacedName{Namespace: owner.GetNamespace(), Name: want.Name}
	have := &corev1.Secret{}
	err := p.API.Get(ctx, at, have)
	if kerrors.IsNotFound(err) {
		return p.Kube.Create(ctx, &corev1.Secret{
			ObjectMeta: metav1.ObjectMeta{
				Namespace: at.Namespace, Name: at.Name,
				OwnerReferences: []metav1.OwnerReference{meta.AsController(meta.TypedReferenceTo(owner, want.Owner))},
			},
			Type: want.Type, Data: want.Data,
		})
	}
	switch {
	case err != nil:
		return err
	case !Owned(have, owner):
		return &NotOwnedError{Secret: at}
	case have.Type != want.Type:
		return &TypeError{Secret: at, Have: have.Type, Want: want.Type}
	}
	next := have.DeepCopy()
	if next.Data == nil {
		next.Data = map[string][]byte{}
	}
	maps.Copy(next.Data, want.Data)
	for _, key := range want.Drop {
		delete(next.Data, key)
	}
	if equality.Semantic.DeepEqual(have.Data, next.Data) {
		return nil
	}
	return p.Kube.Update(ctx, next)
}
