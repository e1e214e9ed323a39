// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package journal

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"k8s.io/apimachinery/pkg/types"
)

const (
	// A removal begins at once if the last one ended more than idle ago. Otherwise it waits
	// for others to join it, until none has joined for quiet, and not longer than longest.
	// Workers whose deletions shared a call to the Cloudflare API come shortly after one
	// another.
	idle    = 10 * time.Second
	quiet   = 100 * time.Millisecond
	longest = time.Second
)

// errNotLoaded says that the entries of earlier processes are not known yet.
var errNotLoaded = errors.New("the journal of creations is not loaded yet")

// An ending has records that are removed for one caller.
type ending struct {
	records []*record
	// alone is true if the removal does not wait for others.
	alone bool
	// done is closed once err is the outcome. Journal.mu guards err.
	done chan struct{}
	err  error
}

// Forget removes all entries of the object, and returns when none is durable any more. It
// has to be called before the object's finalizer is removed. By then it is decided what
// happens to the external resource.
func (j *Journal) Forget(ctx context.Context, uid types.UID) error {
	if !j.isLoaded() {
		return errNotLoaded
	}
	err := j.noted(ctx, uid)
	if err == nil {
		j.mu.Lock()
		all := slices.Clone(j.open[uid])
		j.mu.Unlock()
		err = j.endTogether(ctx, &ending{records: all})
	}
	if err != nil {
		return fmt.Errorf("cannot forget the creations of an object that is done: %w", err)
	}
	return nil
}

// noted returns when no entry of the object is being written. The caller that began the
// write may have left.
func (j *Journal) noted(ctx context.Context, uid types.UID) error {
	for {
		j.mu.Lock()
		all := slices.Concat(j.queue, j.group)
		i := slices.IndexFunc(all, func(r *request) bool { return r.about(uid) })
		j.mu.Unlock()
		if i < 0 {
			return nil
		}
		select {
		case <-all[i].done:
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

// end removes records from the ConfigMaps, and then from j.
func (j *Journal) end(ctx context.Context, records []*record) error {
	return j.endTogether(ctx, &ending{records: records, alone: true})
}

// endTogether removes the records of e together with those of other callers. Calls during a
// removal share the next one. A removal continues when its callers leave.
func (j *Journal) endTogether(ctx context.Context, e *ending) error {
	if len(e.records) == 0 {
		return nil
	}
	e.done = make(chan struct{})
	j.mu.Lock()
	for _, r := range e.records {
		r.ending++
	}
	j.endings = append(j.endings, e)
	select {
	case j.joined <- struct{}{}:
	default:
	}
	if j.removing == nil {
		j.removing = make(chan struct{})
		go j.endAll(context.WithoutCancel(ctx))
	}
	j.mu.Unlock()
	select {
	case <-e.done:
	case <-ctx.Done():
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	select {
	case <-e.done:
		return e.err
	default:
		return context.Cause(ctx)
	}
}

// endAll removes all endings, in as few writes as it can, until none is left.
func (j *Journal) endAll(ctx context.Context) {
	for {
		j.mu.Lock()
		if len(j.endings) == 0 {
			close(j.removing)
			j.removing = nil
			j.mu.Unlock()
			return
		}
		j.mu.Unlock()
		j.gather()
		j.mu.Lock()
		group := j.endings
		j.endings = nil
		j.mu.Unlock()
		j.endGroup(ctx, group)
	}
}

// drain returns when no removal is under way any more. The next leader then finds no
// unfinished move.
func (j *Journal) drain() {
	j.mu.Lock()
	removing := j.removing
	j.mu.Unlock()
	if removing != nil {
		<-removing
	}
}

// goes reports whether the next removal begins without waiting for others.
func (j *Journal) goes() bool {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.o.Now().Sub(j.removed) >= idle || slices.ContainsFunc(j.endings, func(e *ending) bool { return e.alone })
}

// gather returns when the next removal should begin.
func (j *Journal) gather() {
	still, enough := time.NewTimer(quiet), time.NewTimer(longest)
	defer still.Stop()
	defer enough.Stop()
	for !j.goes() {
		select {
		case <-j.joined:
			still.Reset(quiet)
		case <-still.C:
			return
		case <-enough.C:
			return
		}
	}
}

// endGroup removes the records of a group, and sets the outcome for each caller.
func (j *Journal) endGroup(ctx context.Context, group []*ending) {
	all := map[*record]bool{}
	var records []*record
	for _, e := range group {
		for _, r := range e.records {
			if !all[r] {
				all[r] = true
				records = append(records, r)
			}
		}
	}
	failed := j.store.remove(ctx, records)
	j.mu.Lock()
	defer j.mu.Unlock()
	j.removed = j.o.Now()
	for _, r := range records {
		if failed[r] == nil {
			j.drop(r)
		}
	}
	for _, e := range group {
		for _, r := range e.records {
			r.ending--
			if err := failed[r]; err != nil {
				e.err = err
			}
		}
		close(e.done)
	}
}

// drop removes a record from j. j.mu is held.
func (j *Journal) drop(r *record) {
	left := slices.DeleteFunc(j.open[r.UID], func(o *record) bool { return o == r })
	if j.open[r.UID] = left; len(left) == 0 {
		delete(j.open, r.UID)
	}
}
