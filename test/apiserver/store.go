// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package apiserver

import (
	"bytes"
	"cmp"
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"

	kerrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/watch"
)

// A resource is a kind with its objects. The mutex of its server guards it.
type resource struct {
	schema.GroupVersionResource
	kind       schema.GroupVersionKind
	singular   string
	namespaced bool
	// status is true if the status is a subresource.
	status bool
	// unconditional is true if an update needs no resource version.
	unconditional bool
	rules         func() (rules, error)

	objects map[types.NamespacedName]*stored
	// changes are all changes since the start, in order. A watch starts after one of them.
	changes []change
	// changed is closed at the next change.
	changed chan struct{}
}

// A stored is an object in the store. It never changes.
type stored struct {
	content map[string]any
	raw     []byte
	version uint64
	labels  labels.Set
}

// A change is a change from one stored object to the next. before is nil for a creation. after is nil
// for a deletion: then gone is the last form of the object, with the version of the deletion.
type change struct {
	version       uint64
	before, after *stored
	gone          *stored
	namespace     string
}

func newStored(content map[string]any, version uint64) (*stored, error) {
	metadata(content)["resourceVersion"] = strconv.FormatUint(version, 10)
	raw, err := json.Marshal(content)
	if err != nil {
		return nil, err
	}
	s := &stored{content: content, raw: raw, version: version}
	if all, ok := metadata(content)["labels"].(map[string]any); ok {
		s.labels = labels.Set{}
		for k, v := range all {
			s.labels[k], _ = v.(string)
		}
	}
	return s, nil
}

// put stores an object under the next version. Nothing is stored if the object is unchanged, or in a dry
// run.
func (s *Server) put(r *resource, key types.NamespacedName, content map[string]any, dry bool) (*stored, error) {
	before := r.objects[key]
	if before != nil {
		setOrDelete(metadata(content), "resourceVersion", metadata(before.content))
		if same, err := newStored(content, before.version); err != nil || bytes.Equal(same.raw, before.raw) {
			return before, err
		}
	}
	after, err := newStored(content, s.version+1)
	if err != nil || dry {
		return after, err
	}
	s.version++
	r.objects[key] = after
	r.note(change{version: s.version, before: before, after: after, namespace: key.Namespace})
	return after, nil
}

// remove removes an object whose last form is content.
func (s *Server) remove(r *resource, key types.NamespacedName, content map[string]any, dry bool) (*stored, error) {
	gone, err := newStored(content, s.version+1)
	if err != nil || dry {
		return gone, err
	}
	s.version++
	before := r.objects[key]
	delete(r.objects, key)
	r.note(change{version: s.version, before: before, gone: gone, namespace: key.Namespace})
	return gone, nil
}

func (r *resource) note(c change) {
	r.changes = append(r.changes, c)
	close(r.changed)
	r.changed = make(chan struct{})
}

// History calls show for every form that every object has had, with the form in which it was deleted.
func (s *Server) History(show func(resource string, raw []byte)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for gvr, r := range s.resources {
		for _, c := range r.changes {
			for _, o := range []*stored{c.after, c.gone} {
				if o != nil {
					show(gvr.Resource, o.raw)
				}
			}
		}
	}
}

// list returns the selected objects of a namespace, sorted by name. With the namespace "", it returns
// those of all namespaces.
func (r *resource) list(namespace string, selects labels.Selector) []*stored {
	byName := func(a, b types.NamespacedName) int {
		return cmp.Or(strings.Compare(a.Namespace, b.Namespace), strings.Compare(a.Name, b.Name))
	}
	var out []*stored
	for _, key := range slices.SortedFunc(maps.Keys(r.objects), byName) {
		o := r.objects[key]
		if (namespace == "" || key.Namespace == namespace) && selects.Matches(o.labels) {
			out = append(out, o)
		}
	}
	return out
}

// since returns the changes after a version.
func (r *resource) since(version uint64) []change {
	i, _ := slices.BinarySearchFunc(r.changes, version+1, func(c change, v uint64) int { return cmp.Compare(c.version, v) })
	return slices.Clone(r.changes[i:])
}

// event returns the event that a watch with that selector shows for a change, or "" for no event.
func (c change) event(selects labels.Selector) (watch.EventType, *stored) {
	was := c.before != nil && selects.Matches(c.before.labels)
	is := c.after != nil && selects.Matches(c.after.labels)
	switch {
	case was && is:
		return watch.Modified, c.after
	case is:
		return watch.Added, c.after
	case was && c.after == nil:
		return watch.Deleted, c.gone
	case was: // It is no longer selected.
		return watch.Deleted, c.after
	}
	return "", nil
}

func (r *resource) notFound(name string) error { return kerrors.NewNotFound(r.GroupResource(), name) }

// meet returns an error if an object does not meet the preconditions of a client.
func (r *resource) meet(name string, o *stored, p *metav1.Preconditions) error {
	if p == nil {
		return nil
	}
	m := metadata(o.content)
	if p.UID != nil && string(*p.UID) != m["uid"] {
		return kerrors.NewConflict(r.GroupResource(), name, errPrecondition("UID", string(*p.UID), m["uid"]))
	}
	if p.ResourceVersion != nil && *p.ResourceVersion != m["resourceVersion"] {
		return kerrors.NewConflict(r.GroupResource(), name, errPrecondition("ResourceVersion", *p.ResourceVersion, m["resourceVersion"]))
	}
	return nil
}
