// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package apiserver

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"time"

	kerrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/watch"
)

// A watcher writes the changes of a resource to one client.
type watcher struct {
	call
	byLabel labels.Selector
	named   func(string) bool
	out     *io.PipeWriter
	// behind is the version of the last change that was written.
	behind uint64
	// first are the objects that come before any change. bookmark is true if a bookmark follows them.
	first    []*stored
	bookmark bool
	// number is the number of this watch on the server.
	number uint64
}

// Silence makes the current watches show nothing more, as if their clients were dead. Later watches are
// not silenced.
//
// A client that ends while an event arrives may leave a goroutine of package watch behind, which waits
// forever to pass the event on. A bubble of testing/synctest does not end while a goroutine is left.
func (s *Server) Silence() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.silenced = s.watches
}

// watch answers with the changes from now on, until the client disconnects or its timeout is over.
// Existing objects come first if the request has no version, or if the client asks for them.
func (c call) watch() (answer, error) {
	byLabel, named, err := c.selector()
	if err != nil {
		return answer{}, err
	}
	from, err := versionOf(c.query.Get("resourceVersion"))
	if err != nil {
		return answer{}, err
	}
	if from > c.version {
		return answer{}, kerrors.NewTimeoutError(fmt.Sprintf("Too large resource version: %d, current: %d", from, c.version), 1)
	}
	in, out := io.Pipe()
	c.watches++
	w := &watcher{call: c, byLabel: byLabel, named: named, out: out, behind: from, number: c.watches}
	w.bookmark = c.query.Get("sendInitialEvents") == "true"
	if w.bookmark || from == 0 {
		w.first, w.behind = c.list(c.Namespace, byLabel), c.version
	}
	ctx, cancel := c.request.Context(), func() {}
	if s, err := strconv.Atoi(c.query.Get("timeoutSeconds")); err == nil && s > 0 {
		ctx, cancel = context.WithTimeout(ctx, time.Duration(s)*time.Second)
	}
	go func() {
		defer cancel()
		out.CloseWithError(w.run(ctx))
	}()
	return answer{code: http.StatusOK, body: stream{in}}, nil
}

// A stream is the body of an answer. It ends for the client that closes it, instead of failing: with a
// failure, package watch at times leaves a goroutine that waits forever.
type stream struct{ *io.PipeReader }

func (s stream) Read(p []byte) (int, error) {
	n, err := s.PipeReader.Read(p)
	if errors.Is(err, io.ErrClosedPipe) {
		err = io.EOF
	}
	return n, err
}

// run writes the changes. It returns when the client disconnects, or nil when the time of the watch is
// over.
func (w *watcher) run(ctx context.Context) error {
	stop := context.AfterFunc(ctx, func() { _ = w.out.CloseWithError(io.EOF) }) // It ends a write that no client reads.
	defer stop()
	for _, o := range w.first {
		if err := w.show(watch.Added, o); err != nil {
			return err
		}
	}
	if w.bookmark {
		if err := w.mark(); err != nil {
			return err
		}
	}
	for {
		changes, next := w.next()
		for _, c := range changes {
			if err := w.pass(c); err != nil {
				return err
			}
		}
		if len(changes) > 0 {
			continue
		}
		select {
		case <-ctx.Done():
			return nil
		case <-next:
		}
	}
}

// next returns the changes that were not written yet, and a channel that is closed at the next change.
func (w *watcher) next() ([]change, <-chan struct{}) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.number <= w.silenced {
		return nil, w.changed
	}
	all := w.since(w.behind)
	if len(all) > 0 {
		w.behind = all[len(all)-1].version
	}
	return all, w.changed
}

// pass writes a change if the client selects it.
func (w *watcher) pass(c change) error {
	if w.Namespace != "" && c.namespace != w.Namespace {
		return nil
	}
	if t, o := c.event(w.byLabel); o != nil {
		return w.show(t, o)
	}
	return nil
}

func (w *watcher) show(t watch.EventType, o *stored) error {
	if !w.named(nameOf(o)) {
		return nil
	}
	raw, err := w.shown(o)
	if err != nil {
		return err
	}
	return w.write(t, raw)
}

// mark writes the bookmark that follows the existing objects.
func (w *watcher) mark() error {
	meta := map[string]any{"resourceVersion": strconv.FormatUint(w.behind, 10), "annotations": map[string]any{metav1.InitialEventsAnnotationKey: "true"}}
	gv, kind := w.kind.GroupVersion().String(), w.kind.Kind
	if w.partial {
		gv, kind = "meta.k8s.io/v1", "PartialObjectMetadata"
	}
	raw, err := json.Marshal(map[string]any{"apiVersion": gv, "kind": kind, "metadata": meta})
	if err != nil {
		return err
	}
	return w.write(watch.Bookmark, raw)
}

func (w *watcher) write(t watch.EventType, raw json.RawMessage) error {
	_, err := fmt.Fprintf(w.out, `{"type":%q,"object":%s}`+"\n", t, raw)
	return err
}
