// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package journal

import (
	"context"
	"fmt"
	"slices"
	"time"

	"k8s.io/apimachinery/pkg/types"
)

// A request has entries that become durable together.
type request struct {
	entries []Entry
	// done is closed once err is the outcome. left is true once the caller does not wait
	// any more. Journal.mu guards both.
	done chan struct{}
	err  error
	left bool
}

// settle sets the outcome of a request. Journal.mu is held.
func (r *request) settle(err error) {
	r.err = err
	close(r.done)
}

// about reports whether an entry of the request is about that object.
func (r *request) about(uid types.UID) bool {
	return slices.ContainsFunc(r.entries, func(e Entry) bool { return e.UID == uid })
}

// knowledge is what is known about the attempts at a creation.
type knowledge struct {
	void             bool
	resultID         string
	lastBegun, ended time.Time
}

// Begin returns when all entries are durable. Only then may the caller create what they are
// about. After an error nothing may be created, and the entries stand only for what they
// stood for before.
func (j *Journal) Begin(ctx context.Context, entries ...Entry) error {
	j.mu.Lock()
	fresh := slices.DeleteFunc(slices.Clone(entries), j.known)
	if len(fresh) == 0 {
		j.mu.Unlock()
		return nil
	}
	r := &request{entries: fresh, done: make(chan struct{})}
	j.queue = append(j.queue, r)
	if !j.writing {
		j.writing = true
		go j.write(context.WithoutCancel(ctx))
	}
	j.mu.Unlock()
	select {
	case <-r.done:
	case <-ctx.Done():
	}
	return j.begun(ctx, r, entries)
}

// begun returns the outcome of a request so far. The outcome and the leaving of the caller
// are settled under one lock, so that the first of the two counts for both sides.
func (j *Journal) begun(ctx context.Context, r *request, entries []Entry) (err error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	select {
	case <-r.done:
		err = r.err
	default:
		r.left = true
		err = fmt.Errorf("cannot note what is about to be created: %w", context.Cause(ctx))
		if i := slices.Index(j.queue, r); i >= 0 { // It need not be written.
			j.queue = slices.Delete(j.queue, i, i+1)
			r.settle(err)
		}
	}
	if err != nil {
		for _, e := range entries {
			j.retract(e)
		}
	}
	return err
}

// known reports whether an entry of an earlier attempt at the same creation is durable. If
// so, the outcome of the creation is open again. j.mu is held.
func (j *Journal) known(e Entry) bool {
	r := j.latest(e)
	// An entry does not count if it is being taken back or removed. It does not count
	// either if it is so old that its resource could be taken for one of another origin.
	if r == nil || !r.durable || r.busy || r.ending > 0 || r.stored || r.Leave != e.Leave || j.o.Now().Sub(r.Begun) >= j.o.Retention {
		return false
	}
	r.before = knowledge{r.void, r.ResultID, r.LastBegun, r.Ended}
	r.void, r.ResultID, r.Ended, r.LastBegun = false, "", time.Time{}, e.Begun
	return true
}

// retract undoes known for an attempt that is not made, unless something is known of a
// later attempt. j.mu is held.
func (j *Journal) retract(e Entry) {
	r := j.latest(e)
	if r == nil || r.LastBegun.IsZero() || !r.LastBegun.Equal(e.Begun) || r.ResultID != "" || !r.Ended.IsZero() {
		return
	}
	r.void, r.ResultID, r.LastBegun, r.Ended = r.before.void, r.before.resultID, r.before.lastBegun, r.before.ended
}

// write makes the queue durable, in as few requests as it can, until the queue is empty.
func (j *Journal) write(ctx context.Context) {
	for {
		j.mu.Lock()
		group := j.queue
		j.queue, j.group = nil, group
		if len(group) == 0 {
			j.writing = false
			j.mu.Unlock()
			return
		}
		j.mu.Unlock()
		j.writeGroup(ctx, group)
	}
}

func (j *Journal) writeGroup(ctx context.Context, group []*request) {
	ctx, cancel := context.WithTimeout(ctx, writeTimeout)
	defer cancel()
	var entries []Entry
	for _, r := range group {
		entries = append(entries, r.entries...)
	}
	records, err := j.store.add(ctx, entries)
	if err != nil {
		err = fmt.Errorf("cannot note what is about to be created: %w", err)
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	j.group = nil
	for _, r := range records {
		r.void = true // It stays void unless a caller still waits for it.
		j.open[r.UID] = append(j.open[r.UID], r)
	}
	for _, r := range group {
		r.settle(err)
		for _, e := range r.entries {
			// If two requests are for one creation, one with a waiting caller counts.
			if o := j.latest(e); o != nil && !r.left && err == nil {
				o.void = false
			}
		}
	}
}
