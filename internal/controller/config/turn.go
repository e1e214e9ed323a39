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

// turns reports whether a verdict differs from the one that the config shows. The first verdict
// is no turn: objects that existed before it find out by themselves.
func turns(was, is corev1.ConditionStatus) bool {
	return was != is && (was == corev1.ConditionTrue || was == corev1.ConditionFalse)
}

// turn enqueues the users of a config if the verdict differs from the one that the config shows.
// Nothing else would enqueue them before the next sweep. What was seen with an invalid
// credential is outdated, because it would show that all is well.
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

// limit enqueues the users of a config after its limits changed: forbidden work has to end, and
// allowed work can begin. The first reconcile of a config is no change, because each object
// reads the limits itself.
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

// unlimited forgets the limits of a config that does not exist any more.
func (r *configReconciler) unlimited(name types.NamespacedName) {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.limits, name)
}

// of returns the objects that use a config, as the cache shows them.
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
