// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package config

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"sync"
	"time"

	"github.com/crossplane/crossplane-runtime/v2/pkg/event"
	"github.com/crossplane/crossplane-runtime/v2/pkg/logging"
	"github.com/crossplane/crossplane-runtime/v2/pkg/meta"
	"github.com/crossplane/crossplane-runtime/v2/pkg/resource"
	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"
	corev1 "k8s.io/api/core/v1"
	kerrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"github.com/provider-cloudflare/provider-cloudflare/apis/v1alpha1"
	"github.com/provider-cloudflare/provider-cloudflare/internal/cloudflare"
	"github.com/provider-cloudflare/provider-cloudflare/internal/connect"
)

// Reasons of the Ready condition.
const (
	reasonVerified   xpv2.ConditionReason = "CredentialsVerified"
	reasonUnverified xpv2.ConditionReason = "CredentialsNotVerified"
	reasonInUse      xpv2.ConditionReason = "InUse"
	eventNotVerified event.Reason         = "CredentialsNotVerified"

	// retryVerification is how soon bad credentials are verified again.
	retryVerification = 30 * time.Second
	// retryReplaced is how soon a config is looked at whose credential was replaced
	// while it was verified.
	retryReplaced = time.Second
	// retryRelease is how soon a config that is in use is looked at again.
	retryRelease = 5 * time.Second
)

// Sessions opens a session for a provider config.
type Sessions interface {
	Open(ctx context.Context, cfg connect.Config) (connect.Session, error)
}

// reconciler verifies the credentials of one kind of config and wraps the
// runtime's reconciler, which counts users.
type reconciler struct {
	kube     client.Client
	counter  reconcile.Reconciler
	sessions Sessions
	log      logging.Logger
	record   event.Recorder
	// reverify is how often good credentials are verified again.
	reverify time.Duration
	now      func() time.Time

	new    func() resource.ProviderConfig
	config func(resource.ProviderConfig) connect.Config
	// managed lists the managed resources that name the config.
	managed func(context.Context, resource.ProviderConfig) ([]string, error)
	// pace of the sweeps with a credential, false where there are none. May be nil.
	pace func(fingerprint string) (Pacing, bool)
	// kind of config, and the metrics of all kinds. Nil measures nothing.
	kind    string
	metrics *Metrics

	mu       sync.Mutex
	verdicts map[string]verdict
	// using are the fingerprints of what configs use.
	using map[types.NamespacedName]string
}

// A verdict is the outcome of a verification, so that a thousand usages do not
// make a thousand calls.
type verdict struct {
	err error
	at  time.Time
}

// Reconcile one provider config.
func (r *reconciler) Reconcile(ctx context.Context, req reconcile.Request) (reconcile.Result, error) {
	pc := r.new()
	if err := r.kube.Get(ctx, req.NamespacedName, pc); err != nil {
		if kerrors.IsNotFound(err) {
			r.use(req.NamespacedName, "")
			r.metrics.forget(configKey{r.kind, req.NamespacedName})
		}
		return reconcile.Result{}, client.IgnoreNotFound(err)
	}
	if meta.WasDeleted(pc) {
		return r.release(ctx, req, pc)
	}
	res, err := r.counter.Reconcile(ctx, req)
	if err != nil || res.RequeueAfter > 0 {
		return res, err
	}
	if err := r.kube.Get(ctx, req.NamespacedName, pc); err != nil {
		return reconcile.Result{}, client.IgnoreNotFound(err)
	}
	return r.verify(ctx, pc)
}

// release lets a config go when nothing names it any more. The runtime looks at
// usages, but the garbage collector may take those before their owners.
func (r *reconciler) release(ctx context.Context, req reconcile.Request, pc resource.ProviderConfig) (reconcile.Result, error) {
	users, err := r.managed(ctx, pc)
	if err != nil {
		return reconcile.Result{}, err
	}
	if len(users) == 0 {
		return r.counter.Reconcile(ctx, req)
	}
	msg := fmt.Sprintf("deletion waits for %d managed resources that use this config, %s among them: "+
		"delete them, or name another config in their spec.providerConfigRef", len(users), users[0])
	return reconcile.Result{RequeueAfter: retryRelease}, r.show(ctx, pc, func(s *xpv2.ConditionedStatus) {
		s.SetConditions(ready(pc, corev1.ConditionFalse, reasonInUse, msg))
	})
}

func (r *reconciler) verify(ctx context.Context, pc resource.ProviderConfig) (reconcile.Result, error) {
	cfg := r.config(pc)
	fingerprint, err := r.check(ctx, cfg)
	if errors.Is(err, cloudflare.ErrReplaced) {
		// Between the read of the Secret and the call: that is no verdict.
		return reconcile.Result{RequeueAfter: retryReplaced}, nil
	}
	// Before the pace is read: of what changes after that, the feed tells.
	r.use(client.ObjectKeyFromObject(pc), fingerprint)
	r.metrics.set(configKey{r.kind, client.ObjectKeyFromObject(pc)},
		verification{credential: cloudflare.CredentialLabel(fingerprint), result: resultOf(err, fingerprint != "")})
	wait, verdict := r.reverify, ready(pc, corev1.ConditionTrue, reasonVerified, "")
	if err != nil {
		if pc.GetCondition(xpv2.TypeReady).Message != err.Error() {
			r.record.Event(pc, event.Warning(eventNotVerified, err))
			r.log.Info("cannot verify credentials", "config", cfg.Name, "error", err)
		}
		wait = max(retryVerification, cloudflare.RetryAfter(err))
		verdict = ready(pc, corev1.ConditionFalse, reasonUnverified, err.Error())
	}
	return reconcile.Result{RequeueAfter: wait}, r.show(ctx, pc, func(s *xpv2.ConditionedStatus) {
		s.SetConditions(verdict)
		r.showPace(s, fingerprint, pc.GetGeneration())
	})
}

// check asks Cloudflare about the config's credentials, or remembers its answer.
// It gives their fingerprint, "" where they cannot be read.
func (r *reconciler) check(ctx context.Context, cfg connect.Config) (string, error) {
	s, err := r.sessions.Open(ctx, cfg)
	if err != nil {
		return "", err
	}
	return s.Client.Fingerprint(), r.judge(ctx, s)
}

func (r *reconciler) judge(ctx context.Context, s connect.Session) error {
	key := s.Client.Fingerprint() + "/" + s.AccountID
	r.mu.Lock()
	v, ok := r.verdicts[key]
	r.mu.Unlock()
	valid := r.reverify
	if v.err != nil {
		valid = retryVerification
	}
	if ok && r.now().Sub(v.at) < valid {
		return v.err
	}
	if err := s.Client.Verify(ctx, s.AccountID); err != nil {
		v.err = cloudflare.Explain(fmt.Errorf("cannot verify the credentials with Cloudflare: %w", err))
	} else {
		v.err = nil
	}
	v.at = r.now()
	if errors.Is(v.err, context.Canceled) || errors.Is(v.err, cloudflare.ErrReplaced) {
		return v.err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	maps.DeleteFunc(r.verdicts, func(_ string, old verdict) bool { return r.now().Sub(old.at) >= r.reverify })
	r.verdicts[key] = v
	return v.err
}

func ready(pc resource.ProviderConfig, s corev1.ConditionStatus, reason xpv2.ConditionReason, msg string) xpv2.Condition {
	return xpv2.Condition{
		Type: xpv2.TypeReady, Status: s, Reason: reason, Message: msg,
		LastTransitionTime: metav1.Now(), ObservedGeneration: pc.GetGeneration(),
	}
}

// show edits the conditions of a config and writes its status, if that changes it.
func (r *reconciler) show(ctx context.Context, pc resource.ProviderConfig, edit func(*xpv2.ConditionedStatus)) error {
	was, ok := pc.DeepCopyObject().(resource.ProviderConfig)
	if !ok {
		return fmt.Errorf("cannot copy %T", pc)
	}
	edit(conditions(pc))
	if conditions(pc).Equal(conditions(was)) {
		return nil
	}
	if err := client.IgnoreNotFound(r.kube.Status().Patch(ctx, pc, client.MergeFrom(was))); err != nil {
		return fmt.Errorf("cannot set the conditions: %w", err)
	}
	return nil
}

// conditions of a config of either kind.
func conditions(pc resource.ProviderConfig) *xpv2.ConditionedStatus {
	switch pc := pc.(type) {
	case *v1alpha1.ProviderConfig:
		return &pc.Status.ConditionedStatus
	case *v1alpha1.ClusterProviderConfig:
		return &pc.Status.ConditionedStatus
	}
	return &xpv2.ConditionedStatus{}
}
