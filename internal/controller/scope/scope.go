// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

// Package scope has the namespaces that the provider watches, and restricts a manager's clients to
// them.
package scope

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// Namespaces are the namespaces that the provider watches. An empty list means all.
type Namespaces []string

// Cover reports whether the provider watches a namespace.
func (n Namespaces) Cover(namespace string) bool { return n.All() || slices.Contains(n, namespace) }

// All reports whether the provider watches all namespaces.
func (n Namespaces) All() bool { return len(n) == 0 }

// Cache returns the configuration of a cache of these namespaces. Nil configures a cache of all.
func (n Namespaces) Cache() map[string]cache.Config {
	if n.All() {
		return nil
	}
	out := make(map[string]cache.Config, len(n))
	for _, name := range n {
		out[name] = cache.Config{}
	}
	return out
}

// A NamespaceError says that an object is in a namespace that the provider does not watch.
type NamespaceError struct{ Namespace string }

func (e *NamespaceError) Error() string {
	return fmt.Sprintf("this provider does not look after the namespace %s: refer to objects in a namespace of its --watch-namespaces", e.Namespace)
}

// Manager returns mgr with clients that are restricted to the namespaces of its cache. A read of
// another namespace through the cache returns a *NamespaceError. A list past the cache without a
// namespace lists each of the namespaces.
func Manager(mgr ctrl.Manager, n Namespaces) ctrl.Manager {
	if n.All() {
		return mgr
	}
	return manager{Manager: mgr, kube: cached{mgr.GetClient(), n}, api: reader{mgr.GetAPIReader(), n}}
}

type manager struct {
	ctrl.Manager

	kube client.Client
	api  client.Reader
}

func (m manager) GetClient() client.Client    { return m.kube }
func (m manager) GetAPIReader() client.Reader { return m.api }

// cached is a client that returns an error for reads of other namespaces.
type cached struct {
	client.Client

	namespaces Namespaces
}

func (c cached) Get(ctx context.Context, key client.ObjectKey, o client.Object, opts ...client.GetOption) error {
	if key.Namespace != "" && !c.namespaces.Cover(key.Namespace) {
		return &NamespaceError{Namespace: key.Namespace}
	}
	return c.Client.Get(ctx, key, o, opts...)
}

func (c cached) List(ctx context.Context, l client.ObjectList, opts ...client.ListOption) error {
	o := (&client.ListOptions{}).ApplyOptions(opts)
	if o.Namespace != "" && !c.namespaces.Cover(o.Namespace) {
		return &NamespaceError{Namespace: o.Namespace}
	}
	return c.Client.List(ctx, l, opts...)
}

// reader reads past the cache.
type reader struct {
	client.Reader

	namespaces Namespaces
}

// errPages says that a page cannot be read from several namespaces.
var errPages = errors.New("cannot list the objects of several namespaces in pages")

// List lists objects. If opts name no namespace, it lists each of the namespaces, because the process
// may not be allowed to list all.
func (r reader) List(ctx context.Context, l client.ObjectList, opts ...client.ListOption) error {
	o := (&client.ListOptions{}).ApplyOptions(opts)
	switch {
	case o.Namespace != "":
		return r.Reader.List(ctx, l, opts...)
	case o.Limit > 0 || o.Continue != "":
		return errPages
	}
	var all []runtime.Object
	for _, namespace := range r.namespaces {
		part, ok := l.DeepCopyObject().(client.ObjectList)
		if !ok {
			return fmt.Errorf("cannot copy %T", l)
		}
		if err := r.Reader.List(ctx, part, append(slices.Clone(opts), client.InNamespace(namespace))...); err != nil {
			return err
		}
		items, err := meta.ExtractList(part)
		if err != nil {
			return err
		}
		all = append(all, items...)
	}
	return meta.SetList(l, all)
}
