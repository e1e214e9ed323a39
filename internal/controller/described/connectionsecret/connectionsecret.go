// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

// Package connectionsecret writes connection secrets of any type. crossplane-runtime writes only those of its own
// type, and writes an empty one for an object without connection details.
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

// A Secret is a connection secret to write.
type Secret struct {
	Name string
	// Type is the type of the Secret. The default is Crossplane's own type.
	Type corev1.SecretType
	// Owner is the kind of the object that the secret belongs to.
	Owner schema.GroupVersionKind
	// Data is added to the data of the Secret. The keys in Drop are removed from it.
	Data map[string][]byte
	Drop []string
}

// A NotOwnedError reports that a Secret exists and does not belong to the object.
type NotOwnedError struct{ Secret types.NamespacedName }

func (e *NotOwnedError) Error() string {
	return fmt.Sprintf("Secret %s exists and does not belong to this object: delete it, or name another in spec.writeConnectionSecretToRef", e.Secret)
}

// A TypeError reports that a Secret of this object has another type. The type of a Secret cannot change.
type TypeError struct {
	Secret     types.NamespacedName
	Have, Want corev1.SecretType
}

func (e *TypeError) Error() string {
	return fmt.Sprintf("Secret %s is of type %s and has to be of type %s: delete it", e.Secret, e.Have, e.Want)
}

// A Publisher writes connection secrets.
type Publisher struct {
	// Kube writes. API reads past the cache.
	Kube client.Client
	API  client.Reader
}

// Owned reports whether s belongs to owner.
func Owned(s *corev1.Secret, owner metav1.Object) bool { return metav1.IsControlledBy(s, owner) }

// Publish writes the secret of owner in its namespace. It returns a *NotOwnedError if the Secret does not belong to
// owner, and a *TypeError if it has another type.
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
