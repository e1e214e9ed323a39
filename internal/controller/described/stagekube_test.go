// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package described

import (
	"context"
	"fmt"
	"reflect"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	"k8s.io/apimachinery/pkg/types"
	clientgotesting "k8s.io/client-go/testing"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/fake"
	"sigs.k8s.io/controller-runtime/pkg/client/interceptor"

	"github.com/provider-cloudflare/provider-cloudflare/internal/external/claim"
	"github.com/provider-cloudflare/provider-cloudflare/internal/kind"
	"github.com/provider-cloudflare/provider-cloudflare/internal/reconciler/reconcilertest"
)

// server returns an API server without objects.
func server(t *testing.T, entries []entry) client.WithWatch {
	t.Helper()
	scheme := reconcilertest.Scheme(t)
	must(t, corev1.AddToScheme(scheme))
	// This tracker keeps no managed fields, which would take most of the test's time.
	tracker := clientgotesting.NewObjectTracker(scheme, serializer.NewCodecFactory(scheme).UniversalDecoder())
	b := fake.NewClientBuilder().WithScheme(scheme).WithObjectTracker(tracker)
	for _, e := range entries {
		b = b.WithStatusSubresource(e.New()).WithIndex(e.New(), claim.Index, claimKind(e).ExternalNames).
			WithIndex(e.New(), indexParent, parentsOf)
	}
	return b.Build()
}

// identifying returns kube with the fields that a real API server sets on each object.
func identifying(kube client.WithWatch) client.Client {
	return interceptor.NewClient(kube, interceptor.Funcs{
		Create: func(ctx context.Context, k client.WithWatch, o client.Object, opts ...client.CreateOption) error {
			o.SetUID(types.UID(o.GetName()))
			return k.Create(ctx, o, opts...)
		},
	})
}

// about reports whether a request is about the object.
func (s *stage) about(o client.Object) bool {
	_, ok := o.(Object)
	return ok && client.ObjectKeyFromObject(o) == s.key && o.GetObjectKind().GroupVersionKind().Kind == s.kind
}

// write carries out a write of the provider.
func (s *stage) write(o client.Object, verb string, send func() error) error {
	var err error
	switch _, secret := o.(*corev1.Secret); {
	case s.about(o):
		err = s.request(asked{"server", verb})
	case secret:
		err = s.alive()
	}
	if err != nil {
		return err
	}
	return keepingKind(o, send)
}

// movesNothing returns an error for a write that changes a parameter from one value to another: the rules of the API
// server refuse that.
func (s *stage) movesNothing(o client.Object) error {
	now, ok := o.(Object)
	if !ok || !s.about(o) {
		return nil
	}
	before := kind.Parameters(s.read(s.kind, s.key).GetForProvider())
	for name, v := range kind.Parameters(now.GetForProvider()) {
		if was := before[name]; was != "" && v != "" && v != was {
			return fmt.Errorf("%s is immutable", name)
		}
	}
	return nil
}

// provider returns the provider's client: its reads show the cache.
func (s *stage) provider() client.WithWatch {
	return interceptor.NewClient(s.server, interceptor.Funcs{
		Get: func(ctx context.Context, k client.WithWatch, at client.ObjectKey, o client.Object, opts ...client.GetOption) error {
			if s.cached != nil && at == s.key && reflect.TypeOf(o) == reflect.TypeOf(s.cached) {
				reflect.ValueOf(o).Elem().Set(reflect.ValueOf(s.cached.DeepCopyObject()).Elem())
				return nil
			}
			return k.Get(ctx, at, o, opts...)
		},
		Create: func(ctx context.Context, k client.WithWatch, o client.Object, opts ...client.CreateOption) error {
			return s.write(o, "create", func() error { return k.Create(ctx, o, opts...) })
		},
		Update: func(ctx context.Context, k client.WithWatch, o client.Object, opts ...client.UpdateOption) error {
			return s.write(o, "update", func() error { return k.Update(ctx, o, opts...) })
		},
		Patch: func(ctx context.Context, k client.WithWatch, o client.Object, p client.Patch, opts ...client.PatchOption) error {
			if err := s.movesNothing(o); err != nil {
				return err
			}
			return s.write(o, "patch", func() error { return k.Patch(ctx, o, p, opts...) })
		},
		SubResourceUpdate: func(ctx context.Context, k client.Client, sub string, o client.Object, opts ...client.SubResourceUpdateOption) error {
			return s.write(o, "update "+sub, func() error { return k.SubResource(sub).Update(ctx, o, opts...) })
		},
		SubResourcePatch: func(ctx context.Context, k client.Client, sub string, o client.Object, p client.Patch, opts ...client.SubResourcePatchOption) error {
			return s.write(o, "patch "+sub, func() error { return k.SubResource(sub).Patch(ctx, o, p, opts...) })
		},
	})
}

// keepingKind sends o like the real client, which leaves its kind on it.
func keepingKind(o client.Object, send func() error) error {
	gvk := o.GetObjectKind().GroupVersionKind()
	defer o.GetObjectKind().SetGroupVersionKind(gvk)
	return send()
}

// api returns a client that reads past the cache.
func (s *stage) api() client.Reader {
	return interceptor.NewClient(s.server, interceptor.Funcs{
		Get: func(ctx context.Context, k client.WithWatch, at client.ObjectKey, o client.Object, opts ...client.GetOption) error {
			if at == s.key && o.GetObjectKind().GroupVersionKind().Kind == s.kind {
				if err := s.request(asked{"server", "get"}); err != nil {
					return err
				}
			}
			return k.Get(ctx, at, o, opts...)
		},
	})
}
