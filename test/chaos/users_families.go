// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"slices"

	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"
	kerrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/provider-cloudflare/provider-cloudflare/test/rig"
)

// doResource carries out a step about a resource of a described kind. It returns false if the
// resource does not exist.
func (u *users) doResource(ctx context.Context, s step) (bool, error) {
	r := *s.Resource
	switch s.Do {
	case doKind:
		return true, u.createResource(ctx, r)
	case doKindLate:
		if err := u.createResource(ctx, r); err != nil {
			return true, err
		}
		wait(ctx, s.Pause)
		return true, u.removeResource(ctx, r)
	case doKindEdit:
		return true, u.editResource(ctx, r, s.Patch)
	case doKindDelete:
		return true, u.removeResource(ctx, r)
	case doKindAgain:
		if err := errors.Join(u.removeResource(ctx, r), u.resourceGone(ctx, r)); err != nil {
			return true, err
		}
		return true, u.createResource(ctx, r)
	case doKindOrphan:
		return true, u.orphanResource(ctx, r)
	case doKindDashEdit, doKindDashDelete:
		return u.dashResource(ctx, r, s.Do)
	case doStranger:
		return u.editStranger(ctx, r)
	}
	return false, fmt.Errorf("there is no %q", s.Do)
}

// empty returns an object for r without a spec.
func empty(r resource) *unstructured.Unstructured {
	o := &unstructured.Unstructured{}
	o.SetGroupVersionKind(familyOf(r.Family).gvk)
	o.SetNamespace(r.Namespace)
	o.SetName(r.Object)
	return o
}

// declared returns r as an object of its user.
func (u *users) declared(r resource) *unstructured.Unstructured {
	o, config := empty(r), configOf(r.Namespace)
	o.Object["spec"] = map[string]any{
		"forProvider":       familyOf(r.Family).params(u.place, r),
		"providerConfigRef": map[string]any{"kind": config.Kind, "name": config.Name},
	}
	return o
}

// createResource creates the object. An attempt without an answer may have created it.
func (u *users) createResource(ctx context.Context, r resource) error {
	o := u.declared(r)
	return u.patiently(ctx, func() error { return client.IgnoreAlreadyExists(u.kube.Create(ctx, o.DeepCopy())) })
}

// changeResource changes the object, as kubectl edit and kubectl patch do.
func (u *users) changeResource(ctx context.Context, r resource, patch bool, member string, value any) error {
	return u.patiently(ctx, func() error {
		o := empty(r)
		if err := u.kube.Get(ctx, client.ObjectKeyFromObject(o), o); err != nil {
			return err
		}
		was := o.DeepCopy()
		if err := unstructured.SetNestedField(o.Object, value, "spec", member); err != nil {
			return fmt.Errorf("cannot change the object: %w", err)
		}
		if patch {
			return u.kube.Patch(ctx, o, client.MergeFrom(was))
		}
		return u.kube.Update(ctx, o)
	})
}

func (u *users) editResource(ctx context.Context, r resource, patch bool) error {
	return u.changeResource(ctx, r, patch, "forProvider", familyOf(r.Family).params(u.place, r))
}

func (u *users) removeResource(ctx context.Context, r resource) error {
	return client.IgnoreNotFound(u.patiently(ctx, func() error { return u.kube.Delete(ctx, empty(r)) }))
}

func (u *users) resourceGone(ctx context.Context, r resource) error {
	return u.until(ctx, func() error {
		o := empty(r)
		switch err := u.kube.Get(ctx, client.ObjectKeyFromObject(o), o); {
		case err == nil:
			return errStillThere
		case kerrors.IsNotFound(err):
			return nil
		default:
			return err
		}
	})
}

// orphanResource deletes the object and leaves its resource, if it has one.
func (u *users) orphanResource(ctx context.Context, r resource) error {
	if err := u.changeResource(ctx, r, false, "deletionPolicy", string(xpv2.DeletionOrphan)); err != nil {
		return err
	}
	if err := errors.Join(u.removeResource(ctx, r), u.resourceGone(ctx, r)); err != nil {
		return err
	}
	u.mu.Lock()
	defer u.mu.Unlock()
	u.grants = append(u.grants, grant{Object: r.Namespace + "/" + r.Object, Zone: r.Family, Names: []string{r.Key}})
	return nil
}

// inDashboard returns the resource with that key, and false if it does not exist.
func (u *users) inDashboard(ctx context.Context, r resource) (liveResource, bool, error) {
	all, err := familyOf(r.Family).live(ctx, u.sim, u.place)
	if err != nil {
		return liveResource{}, false, err
	}
	i := slices.IndexFunc(all, func(l liveResource) bool { return l.Key == r.Key })
	if i < 0 {
		return liveResource{}, false, nil
	}
	return all[i], true, nil
}

// dashResource edits or deletes a resource in the dashboard.
func (u *users) dashResource(ctx context.Context, r resource, do deed) (bool, error) {
	f := familyOf(r.Family)
	l, found, err := u.inDashboard(ctx, r)
	if err != nil || !found {
		return false, err
	}
	if do == doKindDashDelete {
		err = f.remove(ctx, u.sim, u.place, l, 0)
	} else {
		err = f.edit(ctx, u.sim, u.place, l, r.Value)
	}
	var refused *rig.AdminError
	if errors.As(err, &refused) && refused.Status == http.StatusNotFound {
		return false, nil // already deleted
	}
	return err == nil, err
}

// editStranger edits a foreign resource in the dashboard. The resource must keep the new value.
func (u *users) editStranger(ctx context.Context, r resource) (bool, error) {
	l, found, err := u.inDashboard(ctx, r)
	if err != nil || !found {
		return false, err
	}
	u.mu.Lock()
	defer u.mu.Unlock()
	if err := familyOf(r.Family).edit(ctx, u.sim, u.place, l, r.Value); err != nil {
		return false, err
	}
	now, found, err := u.inDashboard(ctx, r)
	if found {
		u.strangers[l.id()] = now.raw
	}
	return found, err
}

// foreignResources returns the foreign resources as they must be.
func (u *users) foreignResources(before map[string]json.RawMessage) map[string]json.RawMessage {
	u.mu.Lock()
	defer u.mu.Unlock()
	out := maps.Clone(before)
	maps.Copy(out, u.strangers)
	return out
}
