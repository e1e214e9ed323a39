// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package journal

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/rand"
	"k8s.io/utils/ptr"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

const (
	// Label is on each ConfigMap of a journal.
	Label = "cloudflare.m.crossplane.io/journal"
	// labelValue says what is in it.
	labelValue = "creations"
	namePrefix = "provider-cloudflare-journal-"
	// dataKey is the key of a ConfigMap that holds its entries, as a JSON array.
	dataKey = "entries"
	// maxBytes bounds the entries of one ConfigMap, which may have 1 MiB.
	maxBytes = 512 << 10
	// writeTimeout bounds one write, whoever waits for it.
	writeTimeout = 30 * time.Second
)

// A store keeps entries in ConfigMaps.
type store struct {
	kube      client.Client
	api       client.Reader
	namespace string
}

// A segment is one ConfigMap.
type segment struct {
	name string

	mu sync.Mutex
	// entries that are in it.
	entries []Entry
}

// add makes entries durable, in as few ConfigMaps as hold them. With an error it gives
// what may be durable: a ConfigMap whose writing got no answer may exist.
func (s store) add(ctx context.Context, entries []Entry) ([]*record, error) {
	var out []*record
	for _, part := range split(entries) {
		seg := &segment{name: namePrefix + rand.String(10), entries: part}
		err := s.kube.Create(ctx, s.configMap(seg.name, part))
		for _, e := range part {
			out = append(out, &record{Entry: e, segment: seg, durable: err == nil})
		}
		if err != nil {
			return out, err
		}
	}
	return out, nil
}

// split divides entries so that each part fits into a ConfigMap.
func split(entries []Entry) [][]Entry {
	const frame = 512 // What an entry has beside its subject, names included.
	var out [][]Entry
	size := maxBytes
	for _, e := range entries {
		n := len(e.Subject) + frame
		if size += n; size > maxBytes {
			out = append(out, nil)
			size = n
		}
		out[len(out)-1] = append(out[len(out)-1], e)
	}
	return out
}

// remove makes a ConfigMap forget records, and removes it where nothing is left in it.
func (s store) remove(ctx context.Context, seg *segment, records []*record) error {
	seg.mu.Lock()
	defer seg.mu.Unlock()
	ended := func(e Entry) bool {
		return slices.ContainsFunc(records, func(r *record) bool { return r.same(e) })
	}
	left := slices.DeleteFunc(slices.Clone(seg.entries), ended)
	if len(left) == len(seg.entries) {
		return nil // Somebody else was faster.
	}
	if err := s.rewrite(ctx, seg.name, len(left) == 0, ended); err != nil {
		return err
	}
	seg.entries = left
	return nil
}

// rewrite takes entries out of a ConfigMap, or removes it. What another process has
// taken out of it meanwhile stays out.
func (s store) rewrite(ctx context.Context, name string, empty bool, ended func(Entry) bool) error {
	if empty {
		if err := client.IgnoreNotFound(s.kube.Delete(ctx, s.configMap(name, nil))); err != nil {
			return fmt.Errorf("cannot delete the journal's ConfigMap %s: %w", name, err)
		}
		return nil
	}
	now, entries, err := s.read(ctx, name)
	if err != nil || len(entries) == 0 {
		return err
	}
	left := slices.DeleteFunc(entries, ended)
	cm := s.configMap(name, left)
	cm.ResourceVersion = now.ResourceVersion
	if len(left) == 0 { // Other processes have taken theirs out.
		return s.discard(ctx, cm)
	}
	if err := s.kube.Update(ctx, cm); err != nil {
		return fmt.Errorf("cannot update the journal's ConfigMap %s: %w", name, err)
	}
	return nil
}

// discard removes a ConfigMap unless somebody has written it meanwhile.
func (s store) discard(ctx context.Context, cm *corev1.ConfigMap) error {
	err := s.kube.Delete(ctx, cm, client.Preconditions{ResourceVersion: &cm.ResourceVersion})
	if client.IgnoreNotFound(err) != nil {
		return fmt.Errorf("cannot delete the journal's ConfigMap %s: %w", cm.Name, err)
	}
	return nil
}

// holds reports whether a record is durable still.
func (s store) holds(ctx context.Context, seg *segment, e Entry) (bool, error) {
	_, entries, err := s.read(ctx, seg.name)
	return slices.ContainsFunc(entries, e.same), err
}

// read gives a ConfigMap as it is now, and its entries: none where it does not exist.
func (s store) read(ctx context.Context, name string) (*corev1.ConfigMap, []Entry, error) {
	cm := &corev1.ConfigMap{}
	if err := s.api.Get(ctx, client.ObjectKey{Namespace: s.namespace, Name: name}, cm); err != nil {
		if client.IgnoreNotFound(err) == nil {
			return cm, nil, nil
		}
		return nil, nil, fmt.Errorf("cannot read the journal's ConfigMap %s: %w", name, err)
	}
	entries, err := decode(cm)
	return cm, entries, err
}

func decode(cm *corev1.ConfigMap) ([]Entry, error) {
	var entries []Entry
	if err := json.Unmarshal([]byte(cm.Data[dataKey]), &entries); err != nil {
		return nil, fmt.Errorf("cannot read the journal's ConfigMap %s: %w", cm.Name, err)
	}
	return entries, nil
}

func (s store) configMap(name string, entries []Entry) *corev1.ConfigMap {
	raw, err := json.Marshal(entries)
	if err != nil {
		panic(err) // Entries are of what can be encoded, a valid subject included.
	}
	return &corev1.ConfigMap{
		ObjectMeta: metav1.ObjectMeta{Namespace: s.namespace, Name: name, Labels: map[string]string{Label: labelValue}},
		Immutable:  ptr.To(false),
		Data:       map[string]string{dataKey: string(raw)},
	}
}

// restored reports whether a ConfigMap is a copy from a backup: its objects may be
// copies, too, which have other UIDs and look as if they had vanished.
func restored(cm *corev1.ConfigMap, entries []Entry) bool {
	const late = 5 * time.Minute // More than clocks differ.
	return slices.ContainsFunc(entries, func(e Entry) bool { return cm.CreationTimestamp.After(e.Begun.Add(late)) })
}

// load gives what earlier processes have left. A ConfigMap that cannot be read is an
// error of its own, beside what the others hold.
func (s store) load(ctx context.Context) ([]*record, []error, error) {
	l := &corev1.ConfigMapList{}
	if err := s.api.List(ctx, l, client.InNamespace(s.namespace), client.MatchingLabels{Label: labelValue}); err != nil {
		return nil, nil, fmt.Errorf("cannot list the journal's ConfigMaps: %w", err)
	}
	var (
		out []*record
		bad []error
	)
	for i := range l.Items {
		entries, err := decode(&l.Items[i])
		if err == nil && restored(&l.Items[i], entries) {
			err = fmt.Errorf("the journal's ConfigMap %s is much younger than what it is about, as one from a backup is: delete it", l.Items[i].Name)
		}
		if err != nil {
			bad = append(bad, err)
			continue
		}
		seg := &segment{name: l.Items[i].Name, entries: entries}
		for _, e := range seg.entries {
			out = append(out, &record{Entry: e, segment: seg, durable: true})
		}
	}
	return out, bad, nil
}
