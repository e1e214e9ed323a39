// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package setup

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"testing"

	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"
	kerrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/fake"
	"sigs.k8s.io/controller-runtime/pkg/client/interceptor"

	"github.com/provider-cloudflare/provider-cloudflare/apis"
	"github.com/provider-cloudflare/provider-cloudflare/apis/dns/v1alpha1"
	"github.com/provider-cloudflare/provider-cloudflare/internal/reconcilestate"
)

func newScheme(t *testing.T) *runtime.Scheme {
	t.Helper()
	s := runtime.NewScheme()
	if err := apis.AddToScheme(s); err != nil {
		t.Fatal(err)
	}
	return s
}

// named is a Record that is not created yet.
func named(name string) *v1alpha1.Record {
	return &v1alpha1.Record{
		TypeMeta:   metav1.TypeMeta{APIVersion: v1alpha1.Group + "/v1alpha1", Kind: "Record"},
		ObjectMeta: metav1.ObjectMeta{Namespace: "ns", Name: name, UID: types.UID("uid-" + name), Generation: 1},
	}
}

// A cluster holds Records and says what was asked of it.
type cluster struct {
	client.WithWatch

	asked []string
	// fail, unless nil, is asked before each write, with its name.
	fail func(verb string) error
}

func newCluster(t *testing.T, objects ...client.Object) *cluster {
	t.Helper()
	c := &cluster{}
	ask := func(verb string) error {
		c.asked = append(c.asked, verb)
		if c.fail != nil {
			return c.fail(verb)
		}
		return nil
	}
	c.WithWatch = interceptor.NewClient(
		fake.NewClientBuilder().WithScheme(newScheme(t)).WithStatusSubresource(&v1alpha1.Record{}).WithObjects(objects...).Build(),
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

// immutableUID is the API server's refusal of a patch that names another UID.
func immutableUID(ctx context.Context, k client.Client, o client.Object, p client.Patch) error {
	body, err := p.Data(o)
	if err != nil {
		return err
	}
	sent, now := &metav1.PartialObjectMetadata{}, named("")
	if err := json.Unmarshal(body, sent); err != nil {
		return err
	}
	if err := k.Get(ctx, client.ObjectKeyFromObject(o), now); err != nil || sent.UID == "" || sent.UID == now.UID {
		return err
	}
	return kerrors.NewInvalid(v1alpha1.RecordGroupVersionKind.GroupKind(), o.GetName(), nil)
}

func (c *cluster) read(t *testing.T, name string) *v1alpha1.Record {
	t.Helper()
	r := named(name)
	if err := c.Get(t.Context(), client.ObjectKeyFromObject(r), r); err != nil {
		t.Fatal(err)
	}
	r.SetGroupVersionKind(v1alpha1.RecordGroupVersionKind)
	return r
}

func (c *cluster) took(t *testing.T, reason string, want ...string) {
	t.Helper()
	if fmt.Sprint(c.asked) != fmt.Sprint(want) {
		t.Errorf("%s: it took %q, want %q", reason, c.asked, want)
	}
	c.asked = nil
}

// creations is a journal that keeps what it hears.
type creations struct {
	lost, forgotten []types.UID
	err             error
}

func (c *creations) Lost(uid types.UID) { c.lost = append(c.lost, uid) }

func (c *creations) Forget(_ context.Context, uid types.UID) error {
	c.forgotten = append(c.forgotten, uid)
	return c.err
}

// about is a context of a reconcile of o, with its state.
func about(t *testing.T, o client.Object) (context.Context, *reconcilestate.State) {
	t.Helper()
	state := &reconcilestate.State{Object: client.ObjectKeyFromObject(o)}
	return reconcilestate.With(t.Context(), state), state
}

func condition(mg *v1alpha1.Record, t xpv2.ConditionType) string {
	c := mg.GetCondition(t)
	return fmt.Sprintf("%s/%s/%d", c.Status, c.Reason, c.ObservedGeneration)
}

func clientKey(name string) client.ObjectKey { return client.ObjectKey{Namespace: "ns", Name: name} }
