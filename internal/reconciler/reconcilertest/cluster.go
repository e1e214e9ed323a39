// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

// Package reconcilertest provides a cluster with Records, for tests of code that writes
// to them.
package reconcilertest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"testing"

	kerrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/fake"
	"sigs.k8s.io/controller-runtime/pkg/client/interceptor"

	"github.com/provider-cloudflare/provider-cloudflare/apis"
	"github.com/provider-cloudflare/provider-cloudflare/apis/dns/v1alpha1"
)

// Scheme returns a scheme with the kinds of the provider.
func Scheme(t *testing.T) *runtime.Scheme {
	t.Helper()
	s := runtime.NewScheme()
	if err := apis.AddToScheme(s); err != nil {
		t.Fatal(err)
	}
	return s
}

// Record returns a Record that is not created yet.
func Record(name string) *v1alpha1.Record {
	return &v1alpha1.Record{
		TypeMeta:   metav1.TypeMeta{APIVersion: v1alpha1.Group + "/v1alpha1", Kind: "Record"},
		ObjectMeta: metav1.ObjectMeta{Namespace: "ns", Name: name, UID: types.UID("uid-" + name), Generation: 1},
	}
}

// A Cluster holds Records and records the writes to it.
type Cluster struct {
	client.WithWatch

	// Asked are the writes.
	Asked []string
	// Fail is called before each write with the write's name. It may be nil.
	Fail func(verb string) error
}

// NewCluster returns a Cluster with those objects.
func NewCluster(t *testing.T, objects ...client.Object) *Cluster {
	t.Helper()
	c := &Cluster{}
	ask := func(verb string) error {
		c.Asked = append(c.Asked, verb)
		if c.Fail != nil {
			return c.Fail(verb)
		}
		return nil
	}
	c.WithWatch = interceptor.NewClient(
		fake.NewClientBuilder().WithScheme(Scheme(t)).WithStatusSubresource(&v1alpha1.Record{}).WithObjects(objects...).Build(),
		interceptor.Funcs{
			Update: func(ctx context.Context, k client.WithWatch, o client.Object, opts ...client.UpdateOption) error {
				if err := ask("update"); err != nil {
					return err
				}
				return k.Update(ctx, o, opts...)
			},
			Patch: func(ctx context.Context, k client.WithWatch, o client.Object, p client.Patch, opts ...client.PatchOption) error {
				if err := errors.Join(ask("patch"), immutableUID(ctx, k, o, p)); err != nil {
					return err
				}
				return k.Patch(ctx, o, p, opts...)
			},
			SubResourceUpdate: func(ctx context.Context, k client.Client, sub string, o client.Object, opts ...client.SubResourceUpdateOption) error {
				if err := ask("update " + sub); err != nil {
					return err
				}
				return k.SubResource(sub).Update(ctx, o, opts...)
			},
		})
	return c
}

// immutableUID refuses a patch that names another UID, as the API server does.
func immutableUID(ctx context.Context, k client.Client, o client.Object, p client.Patch) error {
	body, err := p.Data(o)
	if err != nil {
		return err
	}
	sent, now := &metav1.PartialObjectMetadata{}, Record("")
	if err := json.Unmarshal(body, sent); err != nil {
		return err
	}
	if err := k.Get(ctx, client.ObjectKeyFromObject(o), now); err != nil || sent.UID == "" || sent.UID == now.UID {
		return err
	}
	return kerrors.NewInvalid(v1alpha1.RecordGroupVersionKind.GroupKind(), o.GetName(), nil)
}

// Read returns the Record of that name.
func (c *Cluster) Read(t *testing.T, name string) *v1alpha1.Record {
	t.Helper()
	r := Record(name)
	if err := c.Get(t.Context(), client.ObjectKeyFromObject(r), r); err != nil {
		t.Fatal(err)
	}
	r.SetGroupVersionKind(v1alpha1.RecordGroupVersionKind)
	return r
}

// Took compares the writes since the last call with want.
func (c *Cluster) Took(t *testing.T, reason string, want ...string) {
	t.Helper()
	if fmt.Sprint(c.Asked) != fmt.Sprint(want) {
		t.Errorf("%s: it took %q, want %q", reason, c.Asked, want)
	}
	c.Asked = nil
}

// Key returns the key of the Record of that name.
func Key(name string) client.ObjectKey { return client.ObjectKey{Namespace: "ns", Name: name} }
