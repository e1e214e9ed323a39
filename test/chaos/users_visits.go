// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"fmt"
	"strings"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// doVisit carries out a step about a namespace that comes and goes. Its credential is in
// another namespace: if the Secret were deleted with the namespace, the provider could not
// delete the resources.
func (u *users) doVisit(ctx context.Context, s step) error {
	ns := s.Things[0].Namespace
	switch s.Do {
	case doVisit:
		return u.arrive(ctx, ns, s.Things)
	case doVisitEdit:
		return u.all(ctx, s.Things, func(ctx context.Context, t thing) error { return u.edit(ctx, t, s.Patch) })
	case doLateLeave:
		if err := u.arrive(ctx, ns, s.Things); err != nil {
			return err
		}
		wait(ctx, s.Pause)
		return u.leave(ctx, ns)
	case doLeave:
		return u.leave(ctx, ns)
	}
	return fmt.Errorf("there is no %q", s.Do)
}

// mostLeaving is the most namespaces in deletion when another one is created. More would make
// only a longer queue, because Cloudflare's rate limit bounds the deletions.
const mostLeaving = 12

// arrive creates a namespace and its objects.
func (u *users) arrive(ctx context.Context, ns string, things []thing) error {
	if err := u.awaitLeaving(ctx); err != nil {
		return err
	}
	err := u.patiently(ctx, func() error {
		// A namespace that exists after an attempt without an answer is the user's own.
		return client.IgnoreAlreadyExists(u.kube.Create(ctx, &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: ns}}))
	})
	if err != nil {
		return err
	}
	return u.all(ctx, things, u.create)
}

// awaitLeaving waits until few namespaces are in deletion.
func (u *users) awaitLeaving(ctx context.Context) error {
	return u.until(ctx, func() error {
		var all corev1.NamespaceList
		if err := u.kube.List(ctx, &all); err != nil {
			return err
		}
		leaving := 0
		for _, ns := range all.Items {
			if ns.DeletionTimestamp != nil && strings.HasPrefix(ns.Name, visitPrefix) {
				leaving++
			}
		}
		if leaving >= mostLeaving {
			return fmt.Errorf("%d namespaces are on their way out", leaving)
		}
		return nil
	})
}

// leave deletes the namespace and does not wait until it is gone.
func (u *users) leave(ctx context.Context, ns string) error {
	return client.IgnoreNotFound(u.patiently(ctx, func() error {
		return u.kube.Delete(ctx, &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: ns}})
	}))
}
