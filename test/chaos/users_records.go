// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/crossplane/crossplane-runtime/v2/pkg/meta"
	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"
	kerrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/ptr"
	"sigs.k8s.io/controller-runtime/pkg/client"

	dnsv1alpha1 "github.com/provider-cloudflare/provider-cloudflare/apis/dns/v1alpha1"
)

func key(t thing) client.ObjectKey {
	return client.ObjectKey{Namespace: t.Namespace, Name: t.Object}
}

// create creates the object. It waits while an object with that name is being deleted. An
// object that exists after an attempt without an answer is the user's own.
func (u *users) create(ctx context.Context, t thing) error {
	tried := false
	for {
		err := u.patiently(ctx, func() error {
			err := u.kube.Create(ctx, u.object(t))
			tried = tried || err != nil && !kerrors.IsAlreadyExists(err)
			return err
		})
		if !kerrors.IsAlreadyExists(err) {
			return err
		}
		r := &dnsv1alpha1.Record{}
		switch err := u.patiently(ctx, func() error { return u.kube.Get(ctx, key(t), r) }); {
		case err == nil && r.DeletionTimestamp == nil && tried:
			return nil
		case err == nil && r.DeletionTimestamp == nil:
			return fmt.Errorf("there is a Record %s already", key(t))
		case err != nil && !kerrors.IsNotFound(err):
			return err
		}
		wait(ctx, retryPause)
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
	}
}

// object returns t as an object of its user.
func (u *users) object(t thing) *dnsv1alpha1.Record {
	r := &dnsv1alpha1.Record{ObjectMeta: metav1.ObjectMeta{
		Namespace: t.Namespace, Name: t.Object, Labels: map[string]string{roleLabel: string(t.Role)},
	}}
	r.Spec.ProviderConfigReference = configOf(t.Namespace)
	r.Spec.AdoptionPolicy = dnsv1alpha1.AdoptionPolicy(t.Adoption)
	if t.Role == roleObserve {
		r.Spec.ManagementPolicies = xpv2.ManagementPolicies{xpv2.ManagementActionObserve}
	}
	p := &r.Spec.ForProvider
	if t.ByName {
		p.ZoneName = ptr.To(t.Zone)
	} else {
		p.ZoneID = ptr.To(u.sim.Zones[t.Zone])
	}
	p.Type = ptr.To(t.Value.Type)
	declare(p, t)
	return r
}

// declare sets the mutable parameters of t.
func declare(p *dnsv1alpha1.RecordParameters, t thing) {
	p.Name, p.Content = ptr.To(t.Name), ptr.To(t.Value.content())
	if t.Value.Type == "MX" {
		p.Priority = ptr.To[int64](mxPriority)
	}
	if t.TTL != 0 {
		p.TTL = ptr.To(t.TTL)
	}
	if t.Comment != "" {
		p.Comment = ptr.To(t.Comment)
	}
	if t.Value.Type == "A" && (t.Proxied || p.Proxied != nil) {
		p.Proxied = ptr.To(t.Proxied)
	}
}

// edit sets the object's spec to that of t, as kubectl edit and kubectl patch do.
func (u *users) edit(ctx context.Context, t thing, patch bool) error {
	return u.patiently(ctx, func() error {
		r := &dnsv1alpha1.Record{}
		if err := u.kube.Get(ctx, key(t), r); err != nil {
			return err
		}
		was := r.DeepCopy()
		declare(&r.Spec.ForProvider, t)
		if patch {
			return u.kube.Patch(ctx, r, client.MergeFrom(was))
		}
		return u.kube.Update(ctx, r)
	})
}

// remove deletes the object and does not wait until it is gone.
//
// The API server decides how to delete an object from a version that it read a moment before.
// An object that gets its finalizer in between is removed at once, in spite of the finalizer.
// The provider has to delete what it creates for such an object, also after it was killed.
func (u *users) remove(ctx context.Context, t thing) error {
	return client.IgnoreNotFound(u.patiently(ctx, func() error {
		return u.kube.Delete(ctx, &dnsv1alpha1.Record{ObjectMeta: metav1.ObjectMeta{Namespace: t.Namespace, Name: t.Object}})
	}))
}

// fleeting creates objects and deletes each after a moment. There are many at once, so that
// some get their finalizer at that moment.
func (u *users) fleeting(ctx context.Context, things []thing, pause time.Duration) error {
	return u.all(ctx, things, func(ctx context.Context, t thing) error {
		if err := u.create(ctx, t); err != nil {
			return err
		}
		wait(ctx, pause)
		return u.remove(ctx, t)
	})
}

func (u *users) removeAndWait(ctx context.Context, t thing) error {
	if err := u.remove(ctx, t); err != nil {
		return err
	}
	return u.gone(ctx, t)
}

var errStillThere = errors.New("the object is still there")

// gone waits until the object no longer exists.
func (u *users) gone(ctx context.Context, t thing) error {
	return u.until(ctx, func() error {
		err := u.kube.Get(ctx, key(t), &dnsv1alpha1.Record{})
		switch {
		case err == nil:
			return errStillThere
		case kerrors.IsNotFound(err):
			return nil
		}
		return err
	})
}

// orphan deletes the object and leaves its record, if it has one. The predecessor has to be
// gone by then: while one of its creations is open, it may delete an equal record, and nothing
// at Cloudflare shows which object created a record.
func (u *users) orphan(ctx context.Context, t thing) error {
	if t.Predecessor != "" {
		if err := u.gone(ctx, thing{Namespace: t.Namespace, Object: t.Predecessor}); err != nil {
			return err
		}
	}
	g := grant{Object: key(t).String(), Zone: t.Zone, Names: append(slices.Clone(t.Earlier), t.Name)}
	r := &dnsv1alpha1.Record{}
	err := u.patiently(ctx, func() error {
		if err := u.kube.Get(ctx, key(t), r); err != nil {
			return err
		}
		r.Spec.DeletionPolicy = xpv2.DeletionOrphan
		return u.kube.Update(ctx, r)
	})
	if err != nil {
		return err
	}
	if id := meta.GetExternalName(r); id != "" && u.isLive(ctx, t.Zone, id) {
		g.ID = id
	}
	if err := u.removeAndWait(ctx, t); err != nil {
		return err
	}
	u.mu.Lock()
	defer u.mu.Unlock()
	u.grants = append(u.grants, g)
	return nil
}

func (u *users) records(ctx context.Context, zone string) ([]liveRecord, error) {
	return liveRecords(ctx, u.sim, zone)
}

func (u *users) isLive(ctx context.Context, zone, id string) bool {
	all, err := u.records(ctx, zone)
	return err == nil && slices.ContainsFunc(all, func(l liveRecord) bool { return l.ID == id })
}
