// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package connect

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"time"

	"github.com/crossplane/crossplane-runtime/v2/pkg/meta"
	"github.com/crossplane/crossplane-runtime/v2/pkg/resource"
	corev1 "k8s.io/api/core/v1"
	kerrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/apiutil"

	"github.com/provider-cloudflare/provider-cloudflare/internal/cloudflare"
	"github.com/provider-cloudflare/provider-cloudflare/internal/connect/limits"
)

// labelsAge is how long the labels of a namespace are used before they are read again.
const labelsAge = 30 * time.Second

// IsRefused reports whether err says that a provider config does not allow something.
func IsRefused(err error) bool { return errors.As(err, new(*limits.Error)) }

// Refuses reports whether the provider config of an object certainly does not allow its kind or its namespace. It does
// not check the zones and accounts that the config allows.
func (c *Connections) Refuses(ctx context.Context, mg resource.ModernManaged) bool {
	_, cfg, err := c.config(ctx, RefOf(mg))
	return err == nil && IsRefused(c.allow(ctx, cfg, mg))
}

// allow returns a *limits.Error if a config does not allow objects of that kind or namespace.
func (c *Connections) allow(ctx context.Context, cfg Config, mg resource.ModernManaged) error {
	if !cfg.Limits.Any() {
		return nil
	}
	gvk, err := apiutil.GVKForObject(mg, c.o.Kube.Scheme())
	if err != nil {
		return fmt.Errorf("cannot find the kind of the object: %w", err)
	}
	if err := cfg.Limits.Kind(gvk.Group, gvk.Kind); err != nil || cfg.Namespaces == nil || takesBack(ctx) {
		return err
	}
	selector, err := metav1.LabelSelectorAsSelector(cfg.Namespaces)
	if err != nil {
		return fmt.Errorf("cannot use %s of the %s: %w", limits.FieldNamespaces, cfg.Name, err)
	}
	has, err := c.labelsFor(ctx, selector, mg.GetNamespace())
	if kerrors.IsNotFound(err) && meta.WasDeleted(mg) {
		return nil // The namespace was allowed while it existed, and all that is left is the deletion.
	}
	if err != nil {
		return fmt.Errorf("cannot find out whether %s of the %s allows the namespace %s: %w", limits.FieldNamespaces, cfg.Name, mg.GetNamespace(), err)
	}
	if !selector.Matches(has) {
		return cfg.Limits.Namespace(mg.GetNamespace())
	}
	return nil
}

// limited returns the Session of an object. The limits of the config decide about its calls.
func (c *Connections) limited(ctx context.Context, cfg Config, mg resource.ModernManaged) (Session, error) {
	s, names, err := c.open(ctx, cfg, meta.WasDeleted(mg))
	if err != nil || !cfg.Limits.OnCalls() {
		return s, err
	}
	s = Limited(s, cfg.Limits, names)
	admit := s.admit
	s.admit = func(ctx context.Context, path string, says func(*limits.Error) error) error {
		err := admit(ctx, path, says)
		if IsRefused(err) && meta.WasDeleted(mg) {
			return c.stuck(mg, err)
		}
		return err
	}
	return s, nil
}

// Limited returns a Session whose calls the limits decide about. Its client shares the budget of s, but no permission.
func Limited(s Session, l limits.Limits, names *Names) Session {
	judge := l.Judge(names)
	guard := func(ctx context.Context, o cloudflare.Outgoing) error {
		return judge.Decide(ctx, limits.Call(o))
	}
	s.Client = s.Client.Guarded(guard)
	if reread := s.reread; reread != nil {
		s.reread = func(ctx context.Context) (*cloudflare.Client, error) {
			current, err := reread(ctx)
			if err != nil {
				return nil, err
			}
			return current.Guarded(guard), nil
		}
	}
	s.holds = judge.Holds
	s.admit = func(ctx context.Context, path string, says func(*limits.Error) error) error {
		err := judge.Admit(ctx, path)
		var refused *limits.Error
		if errors.As(err, &refused) {
			return says(refused)
		}
		return err
	}
	return s
}

// A labelled holds the labels of a namespace, and when they were read.
type labelled struct {
	labels labels.Set
	at     time.Time
}

// labelsFor returns the labels of a namespace that a selector needs. The label with the name of the
// namespace needs no read.
func (c *Connections) labelsFor(ctx context.Context, selector labels.Selector, namespace string) (labels.Set, error) {
	named := labels.Set{corev1.LabelMetadataName: namespace}
	requirements, _ := selector.Requirements()
	read := false
	for _, r := range requirements {
		read = read || r.Key() != corev1.LabelMetadataName
	}
	if !read {
		return named, nil
	}
	c.mu.Lock()
	known, ok := c.labels[namespace]
	c.mu.Unlock()
	if ok && c.o.Now().Sub(known.at) < labelsAge {
		return known.labels, nil
	}
	v, err, _ := c.reads.Do("namespace "+namespace, func() (any, error) {
		own, cancel := context.WithTimeout(context.WithoutCancel(ctx), readTimeout)
		defer cancel()
		ns := &corev1.Namespace{}
		if err := c.o.Secrets.Get(own, client.ObjectKey{Name: namespace}, ns); err != nil {
			return nil, fmt.Errorf("cannot read the labels of the namespace: %w", err)
		}
		c.mu.Lock()
		defer c.mu.Unlock()
		now := c.o.Now()
		maps.DeleteFunc(c.labels, func(_ string, l labelled) bool { return now.Sub(l.at) >= labelsAge })
		c.labels[namespace] = labelled{labels: ns.GetLabels(), at: now}
		return labels.Set(ns.GetLabels()), nil
	})
	has, _ := v.(labels.Set)
	return has, err
}
