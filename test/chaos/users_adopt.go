// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"encoding/json"
	"errors"
	"maps"
	"net/http"
	"slices"
	"time"

	"github.com/crossplane/crossplane-runtime/v2/pkg/meta"

	dnsv1alpha1 "github.com/provider-cloudflare/provider-cloudflare/apis/dns/v1alpha1"
	"github.com/provider-cloudflare/provider-cloudflare/test/rig"
)

// adopt makes the record in the dashboard, then the object, and checks that the object adopts
// that record.
func (u *users) adopt(ctx context.Context, t thing, s step) error {
	made, err := u.makeRecord(ctx, t, t.Value)
	if err != nil {
		return err
	}
	wait(ctx, s.Pause)
	return u.createOver(ctx, t, made.ID)
}

// prepare makes a record in the dashboard without an object.
func (u *users) prepare(ctx context.Context, t thing, v value) error {
	made, err := u.makeRecord(ctx, t, v)
	if err != nil {
		return err
	}
	all, err := u.records(ctx, t.Zone)
	if err != nil {
		return err
	}
	i := slices.IndexFunc(all, func(l liveRecord) bool { return l.ID == made.ID })
	u.mu.Lock()
	defer u.mu.Unlock()
	u.prepared[t.Zone+" "+t.Name] = waiting{live: all[i], made: time.Now()}
	return nil
}

// takeOver creates the object that adopts a prepared record by name and type. That adoption
// believes lists, so the record must be older than the lag of any list.
func (u *users) takeOver(ctx context.Context, t thing) error {
	k := t.Zone + " " + t.Name
	u.mu.Lock()
	p := u.prepared[k]
	delete(u.prepared, k)
	u.mu.Unlock()
	wait(ctx, time.Until(p.made.Add(maxLag+time.Second)))
	return u.createOver(ctx, t, p.live.ID)
}

// untouched returns the foreign records, and the prepared records that no object has adopted
// yet.
func (u *users) untouched(foreign map[string]json.RawMessage) map[string]json.RawMessage {
	u.mu.Lock()
	defer u.mu.Unlock()
	out := maps.Clone(foreign)
	for _, p := range u.prepared {
		out[p.live.ID] = p.live.raw
	}
	return out
}

func (u *users) makeRecord(ctx context.Context, t thing, v value) (made liveRecord, err error) {
	err = u.sim.Admin(ctx, http.MethodPost, u.sim.RecordsPath(t.Zone), v.body(t.Name, 1), &made)
	return made, err
}

var errNotAdopted = errors.New("the object has not adopted its record yet")

// createOver creates the object and waits until it has a record. It reports a violation if that
// is not the record with the ID.
func (u *users) createOver(ctx context.Context, t thing, id string) error {
	if err := u.create(ctx, t); err != nil {
		return err
	}
	r := &dnsv1alpha1.Record{}
	err := u.until(ctx, func() error {
		if err := u.kube.Get(ctx, key(t), r); err != nil {
			return err
		}
		if meta.GetExternalName(r) == "" {
			return errNotAdopted
		}
		return nil
	})
	if got := meta.GetExternalName(r); err == nil && got != id {
		u.mu.Lock()
		defer u.mu.Unlock()
		u.wrong = append(u.wrong, about(r, vDuplicate, "it took %s rather than adopt %s", got, id))
	}
	return err
}

// dashboard changes or deletes the record of an object, if the object has an external name.
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
		return false, nil // already deleted
	}
	return err == nil, err
}
