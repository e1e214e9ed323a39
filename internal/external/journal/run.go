// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package journal

import (
	"context"
	"sync"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

const (
	// takeBackTimeout bounds one attempt to take something back.
	takeBackTimeout = 2 * time.Minute
	// firstRetry is the pause before a failed attempt is made again. It doubles up to
	// lastRetry.
	firstRetry = time.Second
	lastRetry  = 30 * time.Second
	// perConfig is the maximum number of entries of one provider config that are taken back
	// at a time. They share calls, and a config whose calls hang blocks no more than these.
	perConfig = 64
)

// Start loads the entries of earlier processes. Then it looks at the entries until ctx
// ends: it takes back what was created for objects that are gone, and removes entries that
// are old enough. It is the method of a manager's Runnable, which needs leader election.
func (j *Journal) Start(ctx context.Context) error {
	defer j.drain()
	var under sync.WaitGroup
	defer under.Wait()
	t := time.NewTicker(j.o.Interval)
	defer t.Stop()
	retry := time.NewTimer(0)
	defer retry.Stop()
	for {
		loaded := j.load(ctx)
		next := j.look(ctx, &under, loaded)
		if !loaded {
			next = min(next, firstRetry)
		}
		retry.Reset(next)
		select {
		case <-ctx.Done():
			return nil
		case <-t.C:
		case <-j.wake:
		case <-retry.C:
		}
	}
}

// load loads the entries of earlier processes, once, and reports whether they are loaded.
func (j *Journal) load(ctx context.Context) bool {
	if j.isLoaded() {
		return true
	}
	records, bad, err := j.store.load(ctx)
	if err != nil {
		j.o.Log.Info("cannot load the journal of creations, trying again", "error", err)
		return false
	}
	for _, part := range bad {
		j.o.Log.Info("a part of the journal of creations is lost: objects with the note of a creation that no other part has wait, and say what to do", "error", part.why)
	}
	id, err := j.store.id(ctx, bad)
	if err != nil {
		j.o.Log.Info("cannot find out which journal of creations this is, trying again", "error", err)
		return false
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	for _, r := range records {
		if j.o.Covers(r.Namespace) {
			j.open[r.UID] = append(j.open[r.UID], r)
		}
	}
	j.id = id
	close(j.loaded)
	return true
}

// look looks at each entry once, and returns the time until the next one is due. It does
// not wait until entries are taken back.
func (j *Journal) look(ctx context.Context, under *sync.WaitGroup, loaded bool) time.Duration {
	now := j.o.Now()
	due, old, next := j.due(ctx, now)
	for _, r := range due {
		under.Go(func() { j.takeBack(ctx, r) })
	}
	if len(old) > 0 && loaded {
		if err := j.end(ctx, old); err != nil && ctx.Err() == nil {
			j.o.Log.Info("cannot delete entries of the journal of creations that are no longer needed", "error", err)
		}
	}
	return next
}

// due returns the entries to take back now, which it marks as busy, the entries to remove,
// and the time until the next entry is due.
func (j *Journal) due(ctx context.Context, now time.Time) (due, old []*record, next time.Duration) {
	next = j.o.Interval
	shown, gone := j.states(ctx)
	j.mu.Lock()
	defer j.mu.Unlock()
	busy := map[configKey]int{}
	for _, rs := range j.open {
		for _, r := range rs {
			if r.busy {
				busy[keyOf(r.Entry)]++
			}
		}
	}
	for _, r := range shown {
		if !r.busy && !r.lost && (r.void || r.stored) && now.Sub(r.Begun) >= j.o.Retention {
			old = append(old, r)
		}
	}
	for _, r := range gone {
		switch wait := r.retryAt.Sub(now); {
		case r.busy:
		case wait > 0:
			next = min(next, wait)
		case busy[keyOf(r.Entry)] < perConfig:
			r.busy = true
			busy[keyOf(r.Entry)]++
			due = append(due, r)
		}
	}
	return due, old, next
}

// states returns the records whose objects the cache shows, and those whose objects may be
// gone. It omits busy records, and those of unknown state: their kind is not registered
// yet, or the cache of the kind does not answer.
func (j *Journal) states(ctx context.Context) (shown, gone []*record) {
	type idle struct {
		r     *record
		entry Entry
		kind  Kind
	}
	var all []idle
	j.mu.Lock()
	for _, rs := range j.open {
		for _, r := range rs {
			switch k, known := j.kinds[r.Kind]; {
			case !known || r.busy:
			case r.lost:
				gone = append(gone, r)
			default:
				all = append(all, idle{r, r.Entry, k})
			}
		}
	}
	j.mu.Unlock()
	silent := map[string]bool{}
	for _, i := range all {
		if silent[i.entry.Kind] {
			continue
		}
		there, stored, err := j.cached(ctx, i.kind, i.entry)
		switch {
		case err != nil:
			silent[i.entry.Kind] = true
		case there:
			if stored {
				j.Stored(i.entry)
			}
			shown = append(shown, i.r)
		default:
			gone = append(gone, i.r)
		}
	}
	return shown, gone
}

// cached reports whether the cache shows the object of an entry, and whether the object's
// status has what was created.
func (j *Journal) cached(ctx context.Context, k Kind, e Entry) (there, stored bool, err error) {
	ctx, cancel := context.WithTimeout(ctx, time.Second)
	defer cancel()
	o := k.New()
	// The object is only read, so it need not be a copy.
	err = j.o.Kube.Get(ctx, e.Object(), o, client.UnsafeDisableDeepCopy)
	there = err == nil && o.GetUID() == e.UID
	return there, there && e.ResultID != "" && k.Has(o, e.ResultID), client.IgnoreNotFound(err)
}

type configKey struct{ namespace, kind, name string }

func keyOf(e Entry) configKey { return configKey{e.Namespace, e.Config.Kind, e.Config.Name} }

// takeBack removes what was created for an object, if the object does not exist any more.
func (j *Journal) takeBack(ctx context.Context, r *record) {
	ctx, cancel := context.WithTimeout(ctx, takeBackTimeout)
	defer cancel()
	j.mu.Lock()
	k, e, void := j.kinds[r.Kind], r.Entry, r.void
	j.mu.Unlock()
	exists, err := j.exists(ctx, k, e)
	if err == nil && !exists {
		err = j.remove(ctx, k, r, e, void)
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	r.busy = false
	switch {
	case err != nil:
		r.failures++
		r.retryAt = j.o.Now().Add(min(firstRetry<<min(r.failures-1, 10), lastRetry))
		if ctx.Err() == nil {
			j.o.Log.Info("cannot remove what was created for an object that does not exist any more, trying again",
				"kind", e.Kind, "object", e.Object(), "uid", e.UID, "error", err)
		}
	case exists:
		r.lost, r.failures, r.retryAt = false, 0, j.o.Now().Add(firstRetry)
	}
	j.poke()
}

func (j *Journal) remove(ctx context.Context, k Kind, r *record, e Entry, void bool) error {
	j.mu.Lock()
	r.lost = true
	j.mu.Unlock()
	// Another process that ended while this one began may have removed the entry.
	held, err := j.store.holds(ctx, r)
	if err != nil {
		return err
	}
	if held && !void && !e.Leave {
		if err := k.TakeBack(ctx, e); err != nil {
			return err
		}
	}
	return j.end(ctx, []*record{r})
}

// exists asks the API server whether the object of an entry exists.
func (j *Journal) exists(ctx context.Context, k Kind, e Entry) (bool, error) {
	gvk, err := j.o.Kube.GroupVersionKindFor(k.New())
	if err != nil {
		return false, err
	}
	now := &metav1.PartialObjectMetadata{}
	now.SetGroupVersionKind(gvk)
	err = j.o.API.Get(ctx, e.Object(), now)
	return err == nil && now.GetUID() == e.UID, client.IgnoreNotFound(err)
}
