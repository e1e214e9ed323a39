// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/crossplane/crossplane-runtime/v2/pkg/meta"
	"github.com/crossplane/crossplane-runtime/v2/pkg/reconciler/managed"
	apiwatch "k8s.io/apimachinery/pkg/watch"
	"k8s.io/utils/ptr"
	"sigs.k8s.io/controller-runtime/pkg/client"

	dnsv1alpha1 "github.com/provider-cloudflare/provider-cloudflare/apis/dns/v1alpha1"
)

// A history keeps what became of each object, in a line a version. What happens
// while the API server is away or comes back is not in it.
type history struct {
	out io.Writer

	mu    sync.Mutex
	lines map[string][]string // by the name of the object's record
}

// follow watches Records until ctx ends.
func (h *history) follow(ctx context.Context, kube client.WithWatch) {
	for ctx.Err() == nil {
		if w, err := kube.Watch(ctx, &dnsv1alpha1.RecordList{}); err == nil {
			for e := range w.ResultChan() {
				h.note(e)
			}
			w.Stop()
		}
		wait(ctx, retryPause)
	}
}

func (h *history) note(e apiwatch.Event) {
	r, ok := e.Object.(*dnsv1alpha1.Record)
	if !ok || e.Type == apiwatch.Bookmark {
		return
	}
	l := version(string(e.Type), r)
	fmt.Fprintln(h.out, l)
	name := ptr.Deref(r.Spec.ForProvider.Name, "")
	h.mu.Lock()
	defer h.mu.Unlock()
	h.lines[name] = append(h.lines[name], l)
}

// version is a line about an object as it is now.
func version(what string, r *dnsv1alpha1.Record) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s %-8s %s v%s g%d %q", time.Now().UTC().Format("15:04:05.000"), what, nameOf(r), r.ResourceVersion, r.Generation,
		ptr.Deref(r.Spec.ForProvider.Content, ""))
	if !meta.FinalizerExists(r, managed.FinalizerName) {
		b.WriteString(" no-finalizer")
	}
	if r.DeletionTimestamp != nil {
		b.WriteString(" deleting")
	}
	fmt.Fprintf(&b, " id=%s", meta.GetExternalName(r))
	for k, v := range map[string]string{
		"pending": r.Annotations[meta.AnnotationKeyExternalCreatePending], "succeeded": r.Annotations[meta.AnnotationKeyExternalCreateSucceeded],
		"failed": r.Annotations[meta.AnnotationKeyExternalCreateFailed], "key": r.Annotations[pendingAnnotation],
	} {
		if v != "" {
			fmt.Fprintf(&b, " %s=%s", k, v)
		}
	}
	for _, c := range r.Status.Conditions {
		fmt.Fprintf(&b, " %s=%s", c.Type, c.Status)
		if c.Status != "True" {
			fmt.Fprintf(&b, "(%s)", c.Message)
		}
	}
	return b.String()
}

// story is what became of the objects of records of these names.
func (h *history) story(names []string) []string {
	h.mu.Lock()
	defer h.mu.Unlock()
	var out []string
	for _, n := range names {
		out = append(out, h.lines[n]...)
	}
	slices.Sort(out)
	return out
}
