// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/crossplane/crossplane-runtime/v2/pkg/meta"
	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"
	kerrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/ptr"
	"sigs.k8s.io/controller-runtime/pkg/client"

	zonev1alpha1 "github.com/provider-cloudflare/provider-cloudflare/apis/zone/v1alpha1"
	"github.com/provider-cloudflare/provider-cloudflare/test/rig"
	"github.com/provider-cloudflare/provider-cloudflare/test/simulator"
)

// doDomain carries out a step about a Zone.
func (u *users) doDomain(ctx context.Context, s step) error {
	d := *s.Domain
	switch s.Do {
	case doZone:
		return u.createZone(ctx, d, false)
	case doZoneAdopt:
		return u.adoptZone(ctx, d)
	case doZonePause:
		return u.changeZone(ctx, d, func(z *zonev1alpha1.Zone) { z.Spec.ForProvider.Paused = ptr.To(d.Paused) })
	case doZoneDelete:
		return u.deleteZone(ctx, d)
	case doZoneHold:
		return u.pauseDeletion(ctx, d)
	case doZoneOrphan:
		return u.orphanZone(ctx, d)
	case doZoneLate:
		if err := u.createZone(ctx, d, true); err != nil {
			return err
		}
		wait(ctx, s.Pause)
		return u.removeZone(ctx, d)
	case doZoneAgain:
		if err := u.deleteZone(ctx, d); err != nil {
			return err
		}
		return u.createZone(ctx, d, false)
	}
	return fmt.Errorf("there is no %q", s.Do)
}

func zoneKey(d domain) client.ObjectKey {
	return client.ObjectKey{Namespace: d.Namespace, Name: d.Object}
}

// createZone creates the object. An attempt without an answer may have created it.
func (u *users) createZone(ctx context.Context, d domain, allow bool) error {
	z := &zonev1alpha1.Zone{ObjectMeta: metav1.ObjectMeta{Namespace: d.Namespace, Name: d.Object}}
	z.Spec.ProviderConfigReference = configOf(d.Namespace)
	z.Spec.ForProvider = zonev1alpha1.ZoneParameters{Name: ptr.To(d.Name), AccountID: ptr.To(u.sim.Accounts[domainAccount]), Paused: ptr.To(d.Paused)}
	if allow {
		allowZone(z)
	}
	return u.patiently(ctx, func() error { return client.IgnoreAlreadyExists(u.kube.Create(ctx, z.DeepCopy())) })
}

// adoptZone makes the zone in the dashboard, then the object, and checks that the object adopts
// that zone.
func (u *users) adoptZone(ctx context.Context, d domain) error {
	id, err := u.sim.AddZone(ctx, u.sim.Accounts[domainAccount], d.Name)
	if err != nil {
		return err
	}
	if err := u.createZone(ctx, d, false); err != nil {
		return err
	}
	z := &zonev1alpha1.Zone{}
	err = u.until(ctx, func() error {
		if err := u.kube.Get(ctx, zoneKey(d), z); err != nil {
			return err
		}
		if meta.GetExternalName(z) == "" {
			return errNotAdopted
		}
		return nil
	})
	if got := meta.GetExternalName(z); err == nil && got != id {
		u.mu.Lock()
		defer u.mu.Unlock()
		u.wrong = append(u.wrong, about(z, vDuplicate, "it took zone %s rather than adopt %s", got, id))
	}
	return err
}

func (u *users) changeZone(ctx context.Context, d domain, change func(*zonev1alpha1.Zone)) error {
	return u.patiently(ctx, func() error {
		z := &zonev1alpha1.Zone{}
		if err := u.kube.Get(ctx, zoneKey(d), z); err != nil {
			return err
		}
		change(z)
		return u.kube.Update(ctx, z)
	})
}

// allowZone allows the deletion of the zone with all its records.
func allowZone(z *zonev1alpha1.Zone) {
	z.Spec.DeletionPolicy = xpv2.DeletionDelete
}

// deleteZone allows the deletion, deletes the object and waits until it no longer exists.
func (u *users) deleteZone(ctx context.Context, d domain) error {
	if err := u.changeZone(ctx, d, allowZone); err != nil {
		return err
	}
	if err := u.removeZone(ctx, d); err != nil {
		return err
	}
	return u.zoneGone(ctx, d)
}

func (u *users) removeZone(ctx context.Context, d domain) error {
	return client.IgnoreNotFound(u.patiently(ctx, func() error {
		return u.kube.Delete(ctx, &zonev1alpha1.Zone{ObjectMeta: metav1.ObjectMeta{Namespace: d.Namespace, Name: d.Object}})
	}))
}

func (u *users) zoneGone(ctx context.Context, d domain) error {
	return u.until(ctx, func() error {
		switch err := u.kube.Get(ctx, zoneKey(d), &zonev1alpha1.Zone{}); {
		case err == nil:
			return errStillThere
		case kerrors.IsNotFound(err):
			return nil
		default:
			return err
		}
	})
}

// pauseDeletion deletes the object while it is paused, and checks that the zone stays during
// the pause. Then it ends the pause.
func (u *users) pauseDeletion(ctx context.Context, d domain) error {
	err := u.changeZone(ctx, d, func(z *zonev1alpha1.Zone) {
		allowZone(z)
		meta.AddAnnotations(z, map[string]string{meta.AnnotationKeyReconciliationPaused: "true"})
	})
	if err != nil {
		return err
	}
	live, err := u.zoneOf(ctx, d)
	if err != nil {
		return err
	}
	if err := u.removeZone(ctx, d); err != nil {
		return err
	}
	wait(ctx, pauseLasts)
	if live != "" {
		if now, err := u.zoneOf(ctx, d); err != nil {
			return err
		} else if now != live {
			u.mu.Lock()
			u.wrong = append(u.wrong, violation{
				Kind: vLost, Object: zoneKey(d).String(), Record: live, Detail: "the zone was deleted while its object was paused", names: []string{firstLabel(d.Name)},
			})
			u.mu.Unlock()
		}
	}
	err = u.changeZone(ctx, d, func(z *zonev1alpha1.Zone) {
		meta.RemoveAnnotations(z, meta.AnnotationKeyReconciliationPaused)
	})
	if err != nil {
		return client.IgnoreNotFound(err) // It had no zone yet.
	}
	return u.zoneGone(ctx, d)
}

// pauseLasts is the length of a pause of a deletion.
const pauseLasts = 2 * time.Second

// orphanZone deletes the object and leaves its zone, if it has one.
func (u *users) orphanZone(ctx context.Context, d domain) error {
	var id string
	err := u.changeZone(ctx, d, func(z *zonev1alpha1.Zone) {
		z.Spec.DeletionPolicy = xpv2.DeletionOrphan
		id = meta.GetExternalName(z)
	})
	if err != nil {
		return err
	}
	if err := u.removeZone(ctx, d); err != nil {
		return err
	}
	if err := u.zoneGone(ctx, d); err != nil {
		return err
	}
	u.mu.Lock()
	defer u.mu.Unlock()
	u.grants = append(u.grants, grant{Object: zoneKey(d).String(), Zone: d.Name, ID: id})
	return nil
}

// zoneOf returns the ID of the live zone with that name, "" if there is none.
func (u *users) zoneOf(ctx context.Context, d domain) (string, error) {
	all, err := u.sim.AllZones(ctx)
	if err != nil {
		return "", err
	}
	i := slices.IndexFunc(all, func(z simulator.Zone) bool { return z.Name == d.Name })
	if i < 0 {
		return "", nil
	}
	return all[i].ID, nil
}

// firstLabel returns the first label of a zone's name, which the log is searched for.
func firstLabel(name string) string {
	first, _, _ := strings.Cut(name, ".")
	return first
}

// registrar delegates new zones to their name servers until ctx ends, as their owners do.
func registrar(ctx context.Context, sim *rig.Simulator) error {
	for !over(ctx) {
		all, err := sim.AllZones(ctx)
		for _, z := range all {
			if z.Status != simulator.ZoneActive {
				err = errors.Join(err, gone(sim.Admin(ctx, http.MethodPost, "/zones/"+z.ID+"/activate", nil, nil)))
			}
		}
		if err != nil && !over(ctx) {
			return fmt.Errorf("cannot delegate a zone: %w", err)
		}
		wait(ctx, time.Second)
	}
	return nil
}

// gone returns nil for the error that the requested resource no longer exists.
func gone(err error) error {
	var refused *rig.AdminError
	if errors.As(err, &refused) && refused.Status == http.StatusNotFound {
		return nil
	}
	return err
}
