// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package scope

import (
	"errors"
	"slices"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/fake"
)

func TestNamespaces(t *testing.T) {
	tests := []struct {
		reason    string
		n         Namespaces
		namespace string
		want      bool
	}{
		{"without a limit, all namespaces are looked after", nil, "a", true},
		{"what is named is looked after", Namespaces{"a", "b"}, "b", true},
		{"and nothing else", Namespaces{"a", "b"}, "c", false},
		{"a name is no prefix", Namespaces{"a"}, "ab", false},
	}
	for _, tc := range tests {
		if got := tc.n.Cover(tc.namespace); got != tc.want {
			t.Errorf("%s: %q covers %s: %t, want %t", tc.reason, tc.n, tc.namespace, got, tc.want)
		}
	}
	if got := Namespaces(nil).Cache(); got != nil {
		t.Errorf("without a limit the cache has %v, want no limit", got)
	}
	if got := (Namespaces{"a", "b"}).Cache(); len(got) != 2 {
		t.Errorf("the cache has %v, want a and b", got)
	}
}

// managed is a manager of a fake cluster, in which all reads are past the cache.
type managed struct {
	ctrl.Manager

	kube client.Client
}

func (m managed) GetClient() client.Client    { return m.kube }
func (m managed) GetAPIReader() client.Reader { return m.kube }

func secret(namespace string) *corev1.Secret {
	return &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: "s"}}
}

func TestManager(t *testing.T) {
	kube := fake.NewClientBuilder().WithObjects(secret("a"), secret("b"), secret("c")).Build()
	whole := managed{kube: kube}
	if got := Manager(whole, nil); got != ctrl.Manager(whole) {
		t.Error("a manager of all namespaces is another one")
	}
	mgr := Manager(whole, Namespaces{"a", "b"})
	var elsewhere *NamespaceError
	if err := mgr.GetClient().Get(t.Context(), client.ObjectKey{Namespace: "c", Name: "s"}, &corev1.Secret{}); !errors.As(err, &elsewhere) || elsewhere.Namespace != "c" {
		t.Errorf("an object elsewhere: %v", err)
	}
	if err := mgr.GetClient().List(t.Context(), &corev1.SecretList{}, client.InNamespace("c")); !errors.As(err, &elsewhere) {
		t.Errorf("a list elsewhere: %v", err)
	}
	if err := mgr.GetClient().Get(t.Context(), client.ObjectKey{Namespace: "b", Name: "s"}, &corev1.Secret{}); err != nil {
		t.Errorf("an object within: %v", err)
	}
	for _, namespace := range []string{"", "a"} {
		l := &corev1.SecretList{}
		if err := mgr.GetAPIReader().List(t.Context(), l, client.InNamespace(namespace)); err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, s := range l.Items {
			got = append(got, s.Namespace)
		}
		want := []string{"a", "b"}
		if namespace != "" {
			want = []string{namespace}
		}
		if !slices.Equal(got, want) {
			t.Errorf("a list of namespace %q has %q, want %q", namespace, got, want)
		}
	}
	if err := mgr.GetAPIReader().List(t.Context(), &corev1.SecretList{}, client.Limit(1)); !errors.Is(err, errPages) {
		t.Errorf("a page of several namespaces: %v", err)
	}
}
