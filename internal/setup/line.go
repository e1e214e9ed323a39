// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package setup

import (
	"container/list"
	"maps"
	"slices"

	"sigs.k8s.io/controller-runtime/pkg/reconcile"
)

// A line is objects that wait, the most urgent first, and those of one priority in
// the order of their coming. It is not safe for concurrent use.
type line struct {
	// by priority: a handful. None is empty.
	by map[int]*list.List
	at map[reconcile.Request]*list.Element
}

type waiter struct {
	item     reconcile.Request
	priority int
}

func newLine() *line {
	return &line{by: map[int]*list.List{}, at: map[reconcile.Request]*list.Element{}}
}

// add puts item into the line. One that is in it already keeps the higher of its
// priorities, and its place if that is the one it had.
func (l *line) add(item reconcile.Request, priority int) {
	if e, ok := l.at[item]; ok {
		if waiting(e).priority >= priority {
			return
		}
		l.remove(item)
	}
	if l.by[priority] == nil {
		l.by[priority] = list.New()
	}
	l.at[item] = l.by[priority].PushBack(waiter{item, priority})
}

// remove takes item out of the line, if it is in it.
func (l *line) remove(item reconcile.Request) {
	e, ok := l.at[item]
	if !ok {
		return
	}
	priority := waiting(e).priority
	delete(l.at, item)
	l.by[priority].Remove(e)
	if l.by[priority].Len() == 0 {
		delete(l.by, priority)
	}
}

// next takes out who is next. The line must not be empty.
func (l *line) next() waiter {
	w := waiting(l.by[slices.Max(slices.Collect(maps.Keys(l.by)))].Front())
	l.remove(w.item)
	return w
}

func waiting(e *list.Element) waiter {
	w, _ := e.Value.(waiter) // nothing else is in a line
	return w
}
