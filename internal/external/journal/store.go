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
	// Annotation has, on an object, the ID of the journal that has the entry of a creation whose
	// outcome the object does not know.
	Annotation = "cloudflare.m.crossplane.io/creation-journal"
	// Label is on each ConfigMap of a journal.
	Label = "cloudflare.m.crossplane.io/journal"
	// labelValue says what is in it.
	labelValue = "creations"
	// labelLost is the label of what cannot be relied on. Nobody reads it again.
	labelLost  = "lost"
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
	now       func() time.Time

	mu sync.Mutex
	// own are the ConfigMaps that this process made, by their names. Nobody else adds to
	// them. A process that leads later may take entries out of them.
	own map[string]*segment
	// moves are under way, or it is not certain how they ended.
	moves []*move
	// unclean is true while a ConfigMap of our own may hold copies of what is in another.
	unclean bool
}

// A segment is one ConfigMap.
type segment struct {
	name string
	// own is true where this process made it. entries are then what is to be in it, and
	// next is where they have gone, nil where they are still here. store.mu guards both.
	own     bool
	entries []Entry
	next    *segment
}

// current is where the entries of seg are now. store.mu is held.
func (seg *segment) current() *segment {
	for seg.next != nil {
		seg = seg.next
	}
	return seg
}

// ours notes a ConfigMap that is about to be made.
func (s *store) ours(entries []Entry) *segment {
	s.mu.Lock()
	defer s.mu.Unlock()
	seg := &segment{name: namePrefix + rand.String(10), own: true, entries: entries}
	s.own[seg.name] = seg
	return seg
}

// gone notes that a ConfigMap does not exist any more. s.mu is held.
func (s *store) gone(seg *segment) {
	seg.entries = nil
	delete(s.own, seg.name)
}

// add makes entries durable, in as few ConfigMaps as hold them. With an error it gives
// what may be durable: a ConfigMap whose writing got no answer may exist.
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

// size is about how many bytes an entry takes up.
func size(e Entry) int {
	const frame = 512 // What an entry has beside its subject, names included.
	return len(e.Subject) + frame
}

// split divides entries so that each part fits into a ConfigMap.
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

// read gives a ConfigMap as it is now, and its entries: none where it does not exist.
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

// headerName is the name of the ConfigMap by whose UID a journal is known.
const headerName = "provider-cloudflare-journal"

// id tells the journal from one that was lost, and from its copy in a backup: it is the UID of a
// ConfigMap that the first process makes, and that goes with the others or comes back as another. A
// journal of which parts are lost is another one from then on. Those parts are set aside after that, where
// people find them.
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

// makeHeader makes the ConfigMap by whose UID the journal is known, and reads it where another process was faster.
func (s *store) makeHeader(ctx context.Context, header *corev1.ConfigMap) error {
	*header = corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Namespace: s.namespace, Name: headerName}, Immutable: ptr.To(true)}
	err := s.kube.Create(ctx, header)
	if apierrors.IsAlreadyExists(err) {
		err = s.api.Get(ctx, client.ObjectKeyFromObject(header), header)
	}
	return err
}

// list gives all ConfigMaps of the journal.
func (s *store) list(ctx context.Context) ([]corev1.ConfigMap, error) {
	l := &corev1.ConfigMapList{}
	if err := s.api.List(ctx, l, client.InNamespace(s.namespace), client.MatchingLabels{Label: labelValue}); err != nil {
		return nil, fmt.Errorf("cannot list the journal's ConfigMaps: %w", err)
	}
	return l.Items, nil
}

// A lostPart is a ConfigMap of the journal that cannot be relied on, and why.
type lostPart struct {
	cm  *corev1.ConfigMap
	why error
}

// load gives what earlier processes have left. A ConfigMap that cannot be read, or that looks like one
// from a backup, is lost, beside what the others hold.
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
		if s.isOwn(all[i].Name) { // What this process wrote it knows by itself.
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
