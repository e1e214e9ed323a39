// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/crossplane/crossplane-runtime/v2/pkg/meta"
	"github.com/crossplane/crossplane-runtime/v2/pkg/reconciler/managed"
	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"
	kerrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/ptr"
	"sigs.k8s.io/controller-runtime/pkg/client"

	dnsv1alpha1 "github.com/provider-cloudflare/provider-cloudflare/apis/dns/v1alpha1"
	cfv1alpha1 "github.com/provider-cloudflare/provider-cloudflare/apis/v1alpha1"
	"github.com/provider-cloudflare/provider-cloudflare/test/rig"
)

// users carry out what their plans say. They are as patient as people: what fails
// because a server is away or somebody else was faster is tried again.
type users struct {
	kube client.Client
	sim  *rig.Simulator

	// lethal is true while providers are killed, or soon will be.
	lethal atomic.Bool

	mu     sync.Mutex
	grants []grant
	done   map[deed]int
	missed map[deed]int // of which there was nothing to do
	wrong  []violation  // seen by users
}

// run is the life of one user, until halt is closed: the step under way is ended.
func (u *users) run(ctx context.Context, a *actor, halt <-chan struct{}) error {
	for {
		s := a.next()
		select {
		case <-halt:
			return nil
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-time.After(s.After):
		}
		did, err := u.do(ctx, s)
		if err != nil {
			return fmt.Errorf("user %d cannot %s %s/%s: %w", a.number, s.Do, s.Things[0].Namespace, s.Things[0].Object, err)
		}
		u.mu.Lock()
		if did {
			u.done[s.Do]++
		} else {
			u.missed[s.Do]++
		}
		u.mu.Unlock()
	}
}

// do carries out a step. It gives false where there was nothing to do it to.
func (u *users) do(ctx context.Context, s step) (bool, error) {
	if len(s.Things) == 0 {
		return false, nil
	}
	t := s.Things[0]
	switch s.Do {
	case doCreate, doBurst, doContend, doRefuse, doObserve:
		return true, u.all(ctx, s.Things, u.create)
	case doEdit, doEditBurst, doRename:
		return true, u.all(ctx, s.Things, func(ctx context.Context, t thing) error { return u.edit(ctx, t, s.Patch) })
	case doEarlyEdit:
		first := t
		first.Value = s.Value
		if err := u.create(ctx, first); err != nil {
			return false, err
		}
		wait(ctx, s.Pause)
		return true, u.edit(ctx, t, s.Patch)
	case doDelete, doDeleteBurst:
		return true, u.all(ctx, s.Things, u.remove)
	case doLateDelete:
		if err := u.create(ctx, t); err != nil {
			return false, err
		}
		wait(ctx, s.Pause)
		return true, u.remove(ctx, t)
	case doReplace:
		if err := u.removeAndWait(ctx, t); err != nil {
			return false, err
		}
		return true, u.create(ctx, t)
	case doHandOver:
		return true, errors.Join(u.remove(ctx, *s.Before), u.create(ctx, t))
	case doOrphan:
		return true, u.orphan(ctx, t)
	case doAdopt, doTakeOver:
		return true, u.adopt(ctx, t, s)
	case doDashEdit, doDashDelete:
		return u.dashboard(ctx, t, s)
	}
	return false, fmt.Errorf("there is no %q", s.Do)
}

// all does the same to many, a few at a time.
func (u *users) all(ctx context.Context, things []thing, f func(context.Context, thing) error) error {
	var (
		wg   sync.WaitGroup
		mu   sync.Mutex
		errs []error
	)
	limit := make(chan struct{}, 8)
	for _, t := range things {
		limit <- struct{}{}
		wg.Go(func() {
			defer func() { <-limit }()
			if err := f(ctx, t); err != nil {
				mu.Lock()
				defer mu.Unlock()
				errs = append(errs, err)
			}
		})
	}
	wg.Wait()
	return errors.Join(errs...)
}

// retryPause is how long a user waits before trying again.
const retryPause = 150 * time.Millisecond

// patiently does f again while what is wrong may pass.
func (u *users) patiently(ctx context.Context, f func() error) error {
	for {
		err := f()
		var status *kerrors.StatusError
		final := errors.As(err, &status) && (kerrors.IsInvalid(err) || kerrors.IsBadRequest(err) || kerrors.IsForbidden(err) ||
			kerrors.IsNotFound(err) || kerrors.IsAlreadyExists(err) || kerrors.IsMethodNotSupported(err))
		if err == nil || final {
			return err
		}
		select {
		case <-ctx.Done():
			return errors.Join(context.Cause(ctx), err)
		case <-time.After(retryPause):
		}
	}
}

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

// remove asks for the deletion and does not wait for its end.
//
// The API server decides how to delete an object from what it read a moment
// earlier: one that gets its finalizer in between goes at once, finalizer or not.
// The provider takes back what it makes for such an object, but cannot if it is
// killed before it could. So but for the calm phase an object that has no finalizer
// yet is deleted only as it was seen.
func (u *users) remove(ctx context.Context, t thing) error {
	return client.IgnoreNotFound(u.patiently(ctx, func() error {
		r := &dnsv1alpha1.Record{}
		if err := u.kube.Get(ctx, key(t), r); err != nil {
			return err
		}
		var opts []client.DeleteOption
		if u.lethal.Load() && !meta.FinalizerExists(r, managed.FinalizerName) {
			opts = append(opts, client.Preconditions{ResourceVersion: &r.ResourceVersion})
		}
		return u.kube.Delete(ctx, r, opts...)
	}))
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
	return u.patiently(ctx, func() error {
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

// orphan deletes the object so that its record is left, where it has one.
func (u *users) orphan(ctx context.Context, t thing) error {
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

// adopt makes the record in the dashboard, then the object, and sees that it takes
// that very record. What takes over by name and type believes lists, so the record
// is made before the lag of any list.
func (u *users) adopt(ctx context.Context, t thing, s step) error {
	v, age := t.Value, s.Pause
	if s.Do == doTakeOver {
		v, age = s.Value, s.Pause+maxLag
	}
	var made liveRecord
	if err := u.sim.Admin(ctx, http.MethodPost, u.sim.RecordsPath(t.Zone), v.body(t.Name, 1), &made); err != nil {
		return err
	}
	wait(ctx, age)
	if err := u.create(ctx, t); err != nil {
		return err
	}
	r := &dnsv1alpha1.Record{}
	err := u.patiently(ctx, func() error {
		if err := u.kube.Get(ctx, key(t), r); err != nil {
			return err
		}
		if meta.GetExternalName(r) == "" {
			return errNotAdopted
		}
		return nil
	})
	if id := meta.GetExternalName(r); err == nil && id != made.ID {
		u.mu.Lock()
		defer u.mu.Unlock()
		u.wrong = append(u.wrong, about(r, vDuplicate, "it took %s rather than adopt %s", id, made.ID))
	}
	return err
}

var errNotAdopted = errors.New("the object has not adopted its record yet")

// dashboard changes or deletes the record of an object, if that is known to have
// one.
func (u *users) dashboard(ctx context.Context, t thing, s step) (bool, error) {
	r := &dnsv1alpha1.Record{}
	if err := u.patiently(ctx, func() error { return u.kube.Get(ctx, key(t), r) }); err != nil {
		return false, err
	}
	id := meta.GetExternalName(r)
	if id == "" {
		return false, nil
	}
	var err error
	if s.Do == doDashDelete {
		err = u.sim.Admin(ctx, http.MethodDelete, u.sim.RecordsPath(t.Zone, id), nil, nil)
	} else {
		change := s.Value.body(t.Name, 1)
		delete(change, "type")
		delete(change, "name")
		err = u.sim.Edit(ctx, t.Zone, id, change)
	}
	var refused *rig.AdminError
	if errors.As(err, &refused) && refused.Status == http.StatusNotFound {
		return false, nil // Deleted before.
	}
	return err == nil, err
}

func configOf(namespace string) *xpv2.ProviderConfigReference {
	if namespace == "team-c" {
		return &xpv2.ProviderConfigReference{Kind: cfv1alpha1.ClusterProviderConfigKind, Name: "shared"}
	}
	return &xpv2.ProviderConfigReference{Kind: cfv1alpha1.ProviderConfigKind, Name: "main"}
}

// wait waits, for as long as ctx lasts.
func wait(ctx context.Context, d time.Duration) {
	select {
	case <-ctx.Done():
	case <-time.After(d):
	}
}
