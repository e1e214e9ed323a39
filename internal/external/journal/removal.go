// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package journal

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

const (
	// passes is the maximum number of passes of a removal while other processes write the
	// same ConfigMaps.
	passes = 3
	// atOnce is the number of ConfigMaps that are written concurrently.
	atOnce = 16
)

// failures are the records that may still be durable, and the reasons.
type failures map[*record]error

func (f failures) add(records []*record, err error) {
	for _, r := range records {
		f[r] = err
	}
}

// overtaken returns the records whose ConfigMap another process has written meanwhile.
func (f failures) overtaken() (out []*record) {
	for r, err := range f {
		if apierrors.IsConflict(err) || errors.Is(err, errOvertaken) {
			out = append(out, r)
		}
	}
	return out
}

// errOvertaken says that a ConfigMap was changed or deleted after it was listed.
var errOvertaken = errors.New("somebody else has written it meanwhile")

// remove removes records from the ConfigMaps. It deletes a ConfigMap in which no entry
// remains, and moves what remains of several ConfigMaps to one. An entry that another
// process has removed meanwhile stays removed. Only one removal is under way at a time.
func (s *store) remove(ctx context.Context, records []*record) failures {
	failed, rest := s.removeWhole(ctx, records)
	for range passes {
		if len(rest) == 0 {
			break
		}
		for _, r := range rest {
			delete(failed, r)
		}
		now := s.pass(ctx, rest)
		maps.Copy(failed, now)
		rest = now.overtaken()
	}
	return failed
}

// removeWhole deletes this process's ConfigMaps in which no entry remains, without reading
// them. It returns the other records that are still durable.
func (s *store) removeWhole(ctx context.Context, records []*record) (failed failures, rest []*record) {
	failed = failures{}
	var whole []source
	s.mu.Lock()
	for seg, ended := range s.bySegment(records) {
		if s.unclean || !seg.own || len(without(seg.entries, ended)) > 0 {
			rest = append(rest, ended...)
			continue
		}
		whole = append(whole, source{name: seg.name, seg: seg, ended: ended})
	}
	s.mu.Unlock()
	var mu sync.Mutex
	each(len(whole), func(i int) {
		if err := s.rewrite(ctx, whole[i]); err != nil {
			mu.Lock()
			defer mu.Unlock()
			failed.add(whole[i].ended, err)
		}
	})
	return failed, rest
}

// bySegment returns the records that are still durable, by their segment. s.mu is held.
func (s *store) bySegment(records []*record) map[*segment][]*record {
	out := map[*segment][]*record{}
	held := map[*segment]map[entryKey]bool{}
	for _, r := range records {
		seg := r.segment.current()
		if seg.own && held[seg] == nil {
			held[seg] = keys(seg.entries)
		}
		if !seg.own || held[seg][r.key()] {
			out[seg] = append(out[seg], r)
		}
	}
	return out
}

// A source is a ConfigMap from which entries have to be removed.
type source struct {
	name, version string
	// seg is nil if another process created the ConfigMap.
	seg *segment
	// left are the entries that stay. ended are the records that are removed.
	left  []Entry
	ended []*record
}

// pass lists the ConfigMaps and removes records from them.
func (s *store) pass(ctx context.Context, records []*record) failures {
	failed := failures{}
	var all []corev1.ConfigMap
	err := within(ctx, func(ctx context.Context) (err error) {
		all, err = s.list(ctx)
		return err
	})
	if err == nil {
		all, err = s.settle(ctx, all)
	}
	if err != nil {
		failed.add(records, err)
		return failed
	}
	var (
		mu    sync.Mutex
		clean = true
	)
	steps := group(s.sources(all, records), s.now())
	each(len(steps), func(i int) {
		f, ok := s.carryOut(ctx, steps[i])
		mu.Lock()
		defer mu.Unlock()
		maps.Copy(failed, f)
		clean = clean && ok
	})
	s.mu.Lock()
	defer s.mu.Unlock()
	s.unclean = !clean
	return failed
}

// sources returns the ConfigMaps from which entries have to be removed. These are the
// records, and in ConfigMaps of this process also copies, which the memory of this process
// does not have there.
func (s *store) sources(all []corev1.ConfigMap, records []*record) (out []source) {
	s.mu.Lock()
	defer s.mu.Unlock()
	ended := s.bySegment(records)
	var others []*record // In ConfigMaps of other processes, which may have moved them.
	for seg, rs := range ended {
		if !seg.own {
			others = append(others, rs...)
		}
	}
	for i := range all {
		entries, err := decode(&all[i])
		if err != nil {
			continue // It stays as it is.
		}
		src := source{name: all[i].Name, version: all[i].ResourceVersion, seg: s.own[all[i].Name]}
		if src.seg != nil {
			src.ended = ended[src.seg]
			src.left = without(both(entries, src.seg.entries), src.ended)
		} else {
			src.ended = holding(entries, others)
			src.left = without(entries, src.ended)
		}
		if len(src.left) < len(entries) {
			out = append(out, src)
		}
	}
	return out
}

// group divides sources into those that are written one by one, and groups whose remaining
// entries are moved to one ConfigMap. It moves only entries of this process's ConfigMaps,
// to which no other process adds. It moves only young entries, because a ConfigMap that is
// much younger than its entries looks like one from a backup.
func group(sources []source, now time.Time) (steps [][]source) {
	total := maxBytes
	last := -1 // The step to which another source may be added.
	for _, src := range sources {
		n, young := 0, true
		for _, e := range src.left {
			n += size(e)
			young = young && now.Sub(e.Begun) < DefaultRetention
		}
		if src.seg == nil || n == 0 || !young {
			steps = append(steps, []source{src})
			continue
		}
		if total += n; total > maxBytes {
			steps, last, total = append(steps, nil), len(steps), n
		}
		steps[last] = append(steps[last], src)
	}
	return steps
}

// carryOut writes the remaining entries of the sources of a step. ok reports whether no
// copies are left.
func (s *store) carryOut(ctx context.Context, step []source) (failed failures, ok bool) {
	if len(step) > 1 {
		return s.merge(ctx, step)
	}
	failed = failures{}
	err := s.rewrite(ctx, step[0])
	if err != nil {
		failed.add(step[0].ended, err)
	}
	return failed, err == nil
}

// rewrite replaces the entries of a ConfigMap by the remaining ones, or deletes it if none
// remains. It fails if another process has written the ConfigMap since it was listed.
func (s *store) rewrite(ctx context.Context, src source) error {
	cm := s.configMap(src.name, src.left)
	cm.ResourceVersion = src.version
	err := within(ctx, func(ctx context.Context) error {
		switch {
		case len(src.left) > 0:
			return s.kube.Update(ctx, cm)
		case src.version == "":
			return s.kube.Delete(ctx, cm)
		}
		return s.kube.Delete(ctx, cm, client.Preconditions{ResourceVersion: &cm.ResourceVersion})
	})
	missing := apierrors.IsNotFound(err)
	if err != nil && !missing {
		return fmt.Errorf("cannot remove entries from the journal's ConfigMap %s: %w", src.name, err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case src.seg == nil:
	case missing || len(src.left) == 0:
		s.gone(src.seg)
	default:
		src.seg.entries = src.left
	}
	return nil
}

// within runs do, which is one write or one read, with a timeout of its own.
func within(ctx context.Context, do func(context.Context) error) error {
	ctx, cancel := context.WithTimeout(ctx, writeTimeout)
	defer cancel()
	return do(ctx)
}

// each calls do for each of n, several at a time.
func each(n int, do func(int)) {
	var g errgroup.Group
	g.SetLimit(atOnce)
	for i := range n {
		g.Go(func() error {
			do(i)
			return nil
		})
	}
	_ = g.Wait() // None of them fails.
}
