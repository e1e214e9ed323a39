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
	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	apiwatch "k8s.io/apimachinery/pkg/watch"
	"k8s.io/utils/ptr"
	"sigs.k8s.io/controller-runtime/pkg/client"

	dnsv1alpha1 "github.com/provider-cloudflare/provider-cloudflare/apis/dns/v1alpha1"
	zonev1alpha1 "github.com/provider-cloudflare/provider-cloudflare/apis/zone/v1alpha1"
)

// A history records each version of each object in one line. It misses what happens while the
// API server is down or restarts.
type history struct {
	out io.Writer

	mu    sync.Mutex
	lines map[string][]string // by the name that the object declares
}

// follow watches the objects of a kind until ctx ends.
func (h *history) follow(ctx context.Context, kube client.WithWatch, kind client.ObjectList) {
	for ctx.Err() == nil {
		if w, err := kube.Watch(ctx, kind); err == nil {
			for e := range w.ResultChan() {
				h.note(e)
			}
			w.Stop()
		}
		wait(ctx, retryPause)
	}
}

func (h *history) note(e apiwatch.Event) {
	var l, name string
	switch o := e.Object.(type) {
	case *dnsv1alpha1.Record:
		l = version(string(e.Type), o, ptr.Deref(o.Spec.ForProvider.Content, ""), o.Status.Conditions)
		name = nameAtCloudflare(o)
	case *zonev1alpha1.Zone:
		l = version(string(e.Type), o, string(o.Spec.DeletionPolicy), o.Status.Conditions)
		name = nameAtCloudflare(o)
	case *unstructured.Unstructured:
		d := described{o}
		key, value := declaredBy(d)
		l, name = version(string(e.Type), d, o.GetKind()+" "+value, d.status().Conditions), key
	}
	if name == "" || e.Type == apiwatch.Bookmark {
		return
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	fmt.Fprintln(h.out, l)
	h.lines[name] = append(h.lines[name], l)
}

// version returns a line about the current state of an object, with what it declares.
func version(what string, r client.Object, wants string, conditions []xpv2.Condition) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s %-8s %s v%s g%d %q", time.Now().UTC().Format("15:04:05.000"), what, nameOf(r), r.GetResourceVersion(), r.GetGeneration(), wants)
	if !meta.FinalizerExists(r, managed.FinalizerName) {
		b.WriteString(" no-finalizer")
	}
	if r.GetDeletionTimestamp() != nil {
		b.WriteString(" deleting")
	}
	fmt.Fprintf(&b, " id=%s", meta.GetExternalName(r))
	for _, note := range []struct{ name, annotation string }{
		{"pending", meta.AnnotationKeyExternalCreatePending},
		{"succeeded", meta.AnnotationKeyExternalCreateSucceeded},
		{"failed", meta.AnnotationKeyExternalCreateFailed},
		{"key", pendingAnnotation},
		{"key", pendingZoneAnnotation},
		{"deleting", deletingZoneAnnotation},
		{"deleted", deletedZoneAnnotation},
	} {
		if v := r.GetAnnotations()[note.annotation]; v != "" {
			fmt.Fprintf(&b, " %s=%s", note.name, v)
		}
	}
	for _, c := range conditions {
		fmt.Fprintf(&b, " %s=%s", c.Type, c.Status)
		if c.Status != "True" {
			fmt.Fprintf(&b, "(%s)", c.Message)
		}
	}
	return b.String()
}

// story returns the lines of the objects that declare one of these names.
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
