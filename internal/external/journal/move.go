// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package journal

import (
	"context"
	"errors"
	"fmt"
	"slices"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// A move moves the remaining entries of a ConfigMap, the source, to another one, the
// target. It writes the target first. Then it deletes the source, unless another process
// has written the source since it was read. Until that deletion, the entries count in the
// source, and the target has copies that do not count. After it, they count in the target.
// So an entry always counts in one of the two.
type move struct {
	from, to *segment
	// version is the version of from that was read.
	version string
	entries []Entry
	// sent is true once a deletion of from may have been carried out.
	sent bool
}

// merge moves the remaining entries of several ConfigMaps to one. ok reports whether no
// copies are left.
func (s *store) merge(ctx context.Context, sources []source) (failed failures, ok bool) {
	failed = failures{}
	to := s.ours(nil)
	var entries []Entry
	moves := make([]*move, len(sources))
	for i, src := range sources {
		entries = append(entries, src.left...)
		moves[i] = &move{from: src.seg, to: to, version: src.version, entries: src.left}
	}
	s.mu.Lock()
	s.moves, s.unclean = append(s.moves, moves...), true
	s.mu.Unlock()
	err := within(ctx, func(ctx context.Context) error { return s.kube.Create(ctx, s.configMap(to.name, entries)) })
	if err != nil {
		for _, src := range sources {
			failed.add(src.ended, fmt.Errorf("cannot write the journal's ConfigMap %s: %w", to.name, err))
		}
		return failed, false
	}
	errs := make([]error, len(moves))
	each(len(moves), func(i int) { errs[i] = s.finish(ctx, moves[i]) })
	for i, err := range errs {
		if err != nil {
			failed.add(sources[i].ended, err)
		}
	}
	return failed, errors.Join(errs...) == nil
}

// finish deletes the source of a move.
func (s *store) finish(ctx context.Context, m *move) error {
	s.mu.Lock()
	m.sent = true
	s.mu.Unlock()
	err := within(ctx, func(ctx context.Context) error {
		return s.kube.Delete(ctx, s.configMap(m.from.name, nil), client.Preconditions{ResourceVersion: &m.version})
	})
	s.mu.Lock()
	defer s.mu.Unlock()
	missing := apierrors.IsNotFound(err)
	switch {
	case err == nil:
		s.end(m, true)
		return nil
	case missing || apierrors.IsConflict(err): // The source as it is now counts, not the copies.
		s.end(m, false)
		if missing {
			s.gone(m.from)
		}
		err = errOvertaken
	}
	return fmt.Errorf("cannot delete the journal's ConfigMap %s: %w", m.from.name, err)
}

// end records whether a move was carried out. s.mu is held.
func (s *store) end(m *move, moved bool) {
	s.moves = slices.DeleteFunc(s.moves, func(o *move) bool { return o == m })
	if moved {
		m.to.entries = append(slices.Clone(m.to.entries), m.entries...)
		m.from.next = m.to
		s.gone(m.from)
	}
}

// settle ends the moves of unknown outcome, by the ConfigMaps that exist now. It returns
// the ConfigMaps that exist after that.
func (s *store) settle(ctx context.Context, all []corev1.ConfigMap) ([]corev1.ConfigMap, error) {
	s.mu.Lock()
	moves := slices.Clone(s.moves)
	s.mu.Unlock()
	for _, m := range moves {
		i := slices.IndexFunc(all, func(cm corev1.ConfigMap) bool { return cm.Name == m.from.name })
		if i >= 0 && m.sent && all[i].ResourceVersion == m.version {
			// A deletion without an answer may still be carried out, so it is sent again.
			if err := s.finish(ctx, m); err != nil {
				return nil, err
			}
			all = slices.Delete(all, i, i+1)
			continue
		}
		s.mu.Lock()
		s.end(m, i < 0 && m.sent)
		if i < 0 {
			s.gone(m.from)
		}
		s.mu.Unlock()
	}
	return all, nil
}

// errMoving says that a record is being moved.
var errMoving = errors.New("the journal's entry is being moved to another ConfigMap")

// holds reports whether a record is still durable.
func (s *store) holds(ctx context.Context, r *record) (bool, error) {
	for {
		s.mu.Lock()
		seg := r.segment.current()
		s.mu.Unlock()
		_, entries, err := s.read(ctx, seg.name)
		if err != nil || keys(entries)[r.key()] {
			return err == nil, err
		}
		if !seg.own {
			return s.holdsAnywhere(ctx, r)
		}
		s.mu.Lock()
		moved := r.segment.current() != seg
		moving := slices.ContainsFunc(s.moves, func(m *move) bool { return m.from == seg })
		s.mu.Unlock()
		if !moved && moving {
			return false, errMoving
		}
		if !moved {
			return false, nil
		}
	}
}

// holdsAnywhere reports whether any ConfigMap has a record. The process that created the
// record's ConfigMap may have moved it.
func (s *store) holdsAnywhere(ctx context.Context, r *record) (bool, error) {
	all, err := s.list(ctx)
	if err != nil {
		return false, err
	}
	for i := range all {
		if entries, err := decode(&all[i]); err == nil && keys(entries)[r.key()] {
			return true, nil
		}
	}
	return false, nil
}
