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
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/rand"
	"k8s.io/utils/ptr"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

const (
	// Annotation is on an object that does not know the outcome of a creation. It has the
	// ID of the journal with the entry.
	Annotation = "cloudflare.m.crossplane.io/creation-journal"
	// Label is on each ConfigMap with entries of a journal.
	Label = "cloudflare.m.crossplane.io/journal"
	// labelValue is the value of Label.
	labelValue = "creations"
	// labelLost is the value of Label for a part that cannot be relied on. No process reads
	// it again.
	labelLost  = "lost"
	namePrefix = "provider-cloudflare-journal-"
	// dataKey is the key of a ConfigMap under which it has its entries, as a JSON array.
	dataKey = "entries"
	// maxBytes is the maximum size of the entries of one ConfigMap, which may have 1 MiB.
	maxBytes = 512 << 10
	// writeTimeout is the timeout of one write. The contexts of the callers do not shorten
	// it.
	writeTimeout = 30 * time.Second
)

// A store keeps entries in ConfigMaps.
type store struct {
	kube      client.Client
	api       client.Reader
	namespace string
	now       func() time.Time

	mu sync.Mutex
	// own are the ConfigMaps that this process created, by name. No other process adds to
	// them. A later leader may remove entries from them.
	own map[string]*segment
	// moves are under way, or their outcome is unknown.
	moves []*move
	// unclean is true while a ConfigMap of this process may have copies of entries in
	// another one.
	unclean bool
}

// A segment is one ConfigMap.
type segment struct {
	name string
	// own is true if this process created the ConfigMap. entries are then the entries that
	// it should have, and next is the segment to which they were moved, nil if they are
	// still here. store.mu guards both.
	own     bool
	entries []Entry
	next    *segment
}

// current returns the segment that has the entries of seg now. store.mu is held.
func (seg *segment) current() *segment {
	for seg.next != nil {
		seg = seg.next
	}
	return seg
}

// ours records a ConfigMap that is about to be created.
func (s *store) ours(entries []Entry) *segment {
	s.mu.Lock()
	defer s.mu.Unlock()
	seg := &segment{name: namePrefix + rand.String(10), own: true, entries: entries}
	s.own[seg.name] = seg
	return seg
}

// gone records that a ConfigMap does not exist any more. s.mu is held.
func (s *store) gone(seg *segment) {
	seg.entries = nil
	delete(s.own, seg.name)
}

// add makes entries durable, in as few ConfigMaps as can hold them. With an error it
// returns the records that may be durable: a ConfigMap whose creation got no answer may
// exist.
func (s *store) add(ctx context.Context, entries []Entry) ([]*record, error) {
	var out []*record
	for _, part := range split(entries) {
		seg := s.ours(part)
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

// size returns the approximate size of an entry in bytes.
func size(e Entry) int {
	const frame = 512 // The size of an entry without its subject, names included.
	return len(e.Subject) + frame
}

// split divides entries into parts that each fit into a ConfigMap.
func split(entries []Entry) [][]Entry {
	var out [][]Entry
	total := maxBytes
	for _, e := range entries {
		if total += size(e); total > maxBytes {
			out = append(out, nil)
			total = size(e)
		}
		out[len(out)-1] = append(out[len(out)-1], e)
	}
	return out
}

// read returns the current ConfigMap and its entries. There are none if it does not exist.
func (s *store) read(ctx context.Context, name string) (*corev1.ConfigMap, []Entry, error) {
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

func (s *store) configMap(name string, entries []Entry) *corev1.ConfigMap {
	raw, err := json.Marshal(entries)
	if err != nil {
		panic(err) // Entries can be encoded, because their subjects are valid JSON.
	}
	return &corev1.ConfigMap{
		ObjectMeta: metav1.ObjectMeta{Namespace: s.namespace, Name: name, Labels: map[string]string{Label: labelValue}},
		Immutable:  ptr.To(false),
		Data:       map[string]string{dataKey: string(raw)},
	}
}

// restored reports whether a ConfigMap was restored from a backup. Its objects may be
// copies as well, with other UIDs, and would look as if they had vanished.
func restored(cm *corev1.ConfigMap, entries []Entry) bool {
	const late = 5 * time.Minute // Clocks differ by less.
	return slices.ContainsFunc(entries, func(e Entry) bool { return cm.CreationTimestamp.After(e.Begun.Add(late)) })
}

// headerName is the name of the ConfigMap whose UID is the ID of the journal.
const headerName = "provider-cloudflare-journal"

// id returns the ID of the journal: the UID of a ConfigMap that the first process creates.
// The UID differs after the ConfigMaps were lost or restored from a backup. If parts of the
// journal are lost, id replaces that ConfigMap. After that it labels the lost parts, so
// that people can find them.
func (s *store) id(ctx context.Context, lost []lostPart) (string, error) {
	header := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Namespace: s.namespace, Name: headerName}}
	if err := client.IgnoreNotFound(s.api.Get(ctx, client.ObjectKeyFromObject(header), header)); err != nil {
		return "", fmt.Errorf("cannot read the journal's ConfigMap %s: %w", headerName, err)
	}
	if len(lost) > 0 && header.UID != "" {
		if err := client.IgnoreNotFound(s.kube.Delete(ctx, header, client.Preconditions{UID: &header.UID})); err != nil {
			return "", fmt.Errorf("cannot replace the journal's ConfigMap %s: %w", headerName, err)
		}
		header.UID = ""
	}
	if header.UID == "" {
		if err := s.makeHeader(ctx, header); err != nil {
			return "", fmt.Errorf("cannot make the journal's ConfigMap %s: %w", headerName, err)
		}
	}
	for _, part := range lost {
		part.cm.Labels[Label] = labelLost
		if err := client.IgnoreNotFound(s.kube.Update(ctx, part.cm)); err != nil {
			return "", fmt.Errorf("cannot set the journal's ConfigMap %s aside: %w", part.cm.Name, err)
		}
	}
	return string(header.UID), nil
}

// makeHeader creates the ConfigMap whose UID is the ID of the journal. It reads it if
// another process was faster.
func (s *store) makeHeader(ctx context.Context, header *corev1.ConfigMap) error {
	*header = corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Namespace: s.namespace, Name: headerName}, Immutable: ptr.To(true)}
	err := s.kube.Create(ctx, header)
	if apierrors.IsAlreadyExists(err) {
		err = s.api.Get(ctx, client.ObjectKeyFromObject(header), header)
	}
	return err
}

// list returns all ConfigMaps of the journal.
func (s *store) list(ctx context.Context) ([]corev1.ConfigMap, error) {
	l := &corev1.ConfigMapList{}
	if err := s.api.List(ctx, l, client.InNamespace(s.namespace), client.MatchingLabels{Label: labelValue}); err != nil {
		return nil, fmt.Errorf("cannot list the journal's ConfigMaps: %w", err)
	}
	return l.Items, nil
}

// A lostPart is a ConfigMap of the journal that cannot be relied on, and the reason.
type lostPart struct {
	cm  *corev1.ConfigMap
	why error
}

// load returns the entries of earlier processes. A ConfigMap that cannot be read, or that
// looks like one from a backup, is lost. The other ConfigMaps stay valid.
func (s *store) load(ctx context.Context) ([]*record, []lostPart, error) {
	all, err := s.list(ctx)
	if err != nil {
		return nil, nil, err
	}
	var (
		out  []*record
		lost []lostPart
	)
	for i := range all {
		if s.isOwn(all[i].Name) { // This process knows the entries that it wrote.
			continue
		}
		entries, err := decode(&all[i])
		if err == nil && restored(&all[i], entries) {
			err = fmt.Errorf("the journal's ConfigMap %s is much younger than what it is about, as one from a backup is", all[i].Name)
		}
		if err != nil {
			lost = append(lost, lostPart{cm: &all[i], why: err})
			continue
		}
		seg := &segment{name: all[i].Name}
		for _, e := range entries {
			out = append(out, &record{Entry: e, segment: seg, durable: true})
		}
	}
	return out, lost, nil
}

func (s *store) isOwn(name string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.own[name] != nil
}
