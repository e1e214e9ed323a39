// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package config

import (
	"fmt"

	"github.com/crossplane/crossplane-runtime/v2/pkg/resource"
	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"

	"github.com/provider-cloudflare/provider-cloudflare/internal/cloudflare"
	"github.com/provider-cloudflare/provider-cloudflare/internal/connect"
	"github.com/provider-cloudflare/provider-cloudflare/internal/workers"
)

// turns reports whether a verdict is not what the config said before. The first verdict is no
// turn: objects that were there before it find it out by themselves.
func turns(was, is corev1.ConditionStatus) bool {
	return was != is && (was == corev1.ConditionTrue || was == corev1.ConditionFalse)
}

// turn has the users of a config looked at whose verdict is not what the config says yet: nobody
// else tells them before the next sweep. What was seen with a credential that is refused answers
// no question any more, for it would say that all is well.
func (r *configReconciler) turn(ref connect.ConfigRef, pc resource.ProviderConfig, verdict xpv2.Condition, fingerprint string, err error) {
	if !turns(pc.GetCondition(xpv2.TypeReady).Status, verdict.Status) {
		return
	}
	if r.outdate != nil && cloudflare.IsInvalidCredential(err) && fingerprint != "" {
		r.outdate(fingerprint)
	}
	if r.wake != nil {
		r.wake(r.users.of(ref)...)
	}
}

// limit wakes the users of a config whose limits have changed: what it no longer allows has to end, and what it allows now can
// begin. The first look is no change: each object reads the limits by itself.
func (r *configReconciler) limit(ref connect.ConfigRef, cfg connect.Config) {
	is := fmt.Sprintf("%#v %s %s", cfg.Limits, cfg.AccountID, metav1.FormatLabelSelector(cfg.Namespaces))
	r.mu.Lock()
	was, known := r.limits[ref.NamespacedName]
	r.limits[ref.NamespacedName] = is
	r.mu.Unlock()
	if known && was != is && r.wake != nil {
		r.wake(r.users.of(ref)...)
	}
}

// unlimited forgets what a config allowed that does not exist any more.
func (r *configReconciler) unlimited(name types.NamespacedName) {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.limits, name)
}

// of gives the objects that use a config, as the cache shows them.
func (u *Users) of(ref connect.ConfigRef) []workers.Request {
	kinds := make(map[string]schema.GroupKind, len(u.kinds))
	for _, k := range u.kinds {
		kinds[k.GVK.Kind] = k.GVK.GroupKind()
	}
	u.mu.Lock()
	defer u.mu.Unlock()
	out := make([]workers.Request, 0, len(u.using[ref]))
	for by := range u.using[ref] {
		out = append(out, workers.Request{Kind: kinds[by.kind], NamespacedName: by.NamespacedName})
	}
	return out
}
