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

// create makes the object. One of that name that is about to go is waited for; one
// that is there after an attempt whose answer was lost is ours.
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

// object is t as its user writes it.
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

// declare writes what of t may be edited.
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

// edit makes the object's spec that of t, as kubectl edit or kubectl patch do.
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

// remove asks for the deletion, at whatever moment, and does not wait for its end.
//
// The API server decides how to delete an object from what it read a moment earlier:
// one that gets its finalizer in between goes at once, finalizer or not. What the
// provider makes for such an object it has to take back, also if it is killed before
// it could.
func (u *users) remove(ctx context.Context, t thing) error {
	return client.IgnoreNotFound(u.patiently(ctx, func() error {
		return u.kube.Delete(ctx, &dnsv1alpha1.Record{ObjectMeta: metav1.ObjectMeta{Namespace: t.Namespace, Name: t.Object}})
	}))
}

// fleeting creates objects and deletes each after a moment: many at once, so that for
// some it is the moment in which they get their finalizer.
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

// gone waits until the object is no more.
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

// orphan deletes the object so that its record is left, where it has one. Who had the
// record before has to be gone by then: for as long as one of its creations is open, it may
// delete a record like it, and nothing at Cloudflare says which of the two made it.
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
