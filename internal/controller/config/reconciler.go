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
	apimeta "k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"github.com/provider-cloudflare/provider-cloudflare/apis/v1alpha1"
	"github.com/provider-cloudflare/provider-cloudflare/internal/cloudflare"
	"github.com/provider-cloudflare/provider-cloudflare/internal/connect"
	"github.com/provider-cloudflare/provider-cloudflare/internal/external/journal"
	"github.com/provider-cloudflare/provider-cloudflare/internal/workers"
)

// Reasons of the Ready condition.
const (
	reasonVerified   xpv2.ConditionReason = "CredentialsVerified"
	reasonUnverified xpv2.ConditionReason = "CredentialsNotVerified"
	reasonInUse      xpv2.ConditionReason = "InUse"
	eventNotVerified event.Reason         = "CredentialsNotVerified"

	// retryVerification is how soon bad credentials are verified again.
	retryVerification = 30 * time.Second
	// retryReplaced is how soon a config is reconciled again whose credential was
	// replaced during its verification.
	retryReplaced = time.Second
	// retryRelease is how soon a config in use is reconciled again, apart from changes of
	// its users.
	retryRelease = 5 * time.Second
	// retrySessions is the same if only open sessions keep the config.
	retrySessions = 200 * time.Millisecond
)

// Sessions opens sessions to verify configs, and controls the sessions of managed
// resources.
type Sessions interface {
	Open(ctx context.Context, cfg connect.Config) (connect.Session, error)
	Protect(ctx context.Context, ref connect.ConfigRef, pc resource.ProviderConfig) error
	Close(ref connect.ConfigRef, uid types.UID) (open int)
	Reopen(ref connect.ConfigRef)
	ForgetConfig(ref connect.ConfigRef)
	Refuses(ctx context.Context, mg resource.ModernManaged) bool
}

// configReconciler verifies the credentials of one kind of config, counts the users of
// each config, and keeps a config while it has users.
type configReconciler struct {
	kube client.Client
	// api reads past the cache.
	api      client.Reader
	users    *Users
	orphans  func(connect.ConfigRef) (n int, known bool)
	mapper   apimeta.RESTMapper
	sessions Sessions
	log      logging.Logger
	record   event.Recorder
	// reverify is how often good credentials are verified again.
	reverify time.Duration
	now      func() time.Time

	new    func() resource.ProviderConfig
	config func(resource.ProviderConfig) connect.Config
	// pace returns the pace of the sweeps with a credential, and false if there are none.
	// It may be nil.
	pace func(fingerprint string) (Pacing, bool)
	// wake enqueues objects. outdate ends the validity of everything that was seen with
	// the credential of a fingerprint. Each may be nil.
	wake    func(...workers.Request)
	outdate func(fingerprint string)
	// kind is the kind of config. metrics are the metrics of all kinds; nil measures
	// nothing.
	kind    string
	metrics *Metrics

	mu       sync.Mutex
	verdicts map[string]verdict
	// using are the fingerprints of the credentials that configs use.
	using map[types.NamespacedName]string
	// limits are the limits of the configs at their last reconcile.
	limits map[types.NamespacedName]string
}

// A verdict is the outcome of a verification. It is kept, so that a thousand users do not
// cause a thousand calls.
type verdict struct {
	err error
	at  time.Time
}

// Reconcile reconciles one provider config.
func (r *configReconciler) Reconcile(ctx context.Context, req reconcile.Request) (reconcile.Result, error) {
	ref := connect.ConfigRef{Kind: r.kind, NamespacedName: req.NamespacedName}
	pc := r.new()
	if err := r.kube.Get(ctx, req.NamespacedName, pc); err != nil {
		if kerrors.IsNotFound(err) {
			r.use(req.NamespacedName, "")
			r.unlimited(req.NamespacedName)
			r.metrics.forget(configKey{r.kind, req.NamespacedName})
			r.sessions.ForgetConfig(ref)
		}
		return reconcile.Result{}, client.IgnoreNotFound(err)
	}
	if meta.WasDeleted(pc) {
		return r.release(ctx, ref, pc)
	}
	if err := r.sessions.Protect(ctx, ref, pc); err != nil {
		return reconcile.Result{}, client.IgnoreNotFound(err)
	}
	return r.verify(ctx, ref, pc)
}

// release removes a config's finalizer when no managed resource needs the config any
// more. The cache suffices only to keep the config.
func (r *configReconciler) release(ctx context.Context, ref connect.ConfigRef, pc resource.ProviderConfig) (reconcile.Result, error) {
	if !meta.FinalizerExists(pc, connect.Finalizer) {
		return reconcile.Result{}, nil // Another finalizer keeps it.
	}
	if waits := r.users.blocking(ctx, ref, r.sessions.Refuses); waits.n > 0 {
		return r.wait(ctx, pc, waits)
	}
	if n, known := r.orphansOf(ref); n > 0 || !known {
		return r.waitForOrphans(ctx, pc, n) // The exact count is a list of each kind.
	}
	// From here on no object gets a session. The writes of earlier sessions are in the
	// API server when these sessions have ended, so that a count after that is exact.
	if open := r.sessions.Close(ref, pc.GetUID()); open > 0 {
		r.sessions.Reopen(ref)
		return reconcile.Result{RequeueAfter: retrySessions}, r.show(ctx, pc, 0, func(s *xpv2.ConditionedStatus) {
			s.SetConditions(ready(pc, corev1.ConditionFalse, reasonInUse, "deletion waits for the end of what was begun with this config"))
		})
	}
	waits, err := r.users.listed(ctx, r.api, ref, r.sessions.Refuses)
	if err != nil {
		r.sessions.Reopen(ref)
		return reconcile.Result{}, err
	}
	if waits.n > 0 {
		r.sessions.Reopen(ref)
		return r.wait(ctx, pc, waits)
	}
	if n, known := r.orphansOf(ref); n > 0 || !known {
		r.sessions.Reopen(ref)
		return r.waitForOrphans(ctx, pc, n)
	}
	// The config stays closed even if the update fails: the API server may have applied
	// it.
	meta.RemoveFinalizer(pc, connect.Finalizer)
	if err := client.IgnoreNotFound(r.kube.Update(ctx, pc)); err != nil {
		return reconcile.Result{}, fmt.Errorf("cannot remove the finalizer of %s: %w", ref, err)
	}
	return reconcile.Result{}, nil
}

// wait shows how many objects a config under deletion waits for.
func (r *configReconciler) wait(ctx context.Context, pc resource.ProviderConfig, waits tally) (reconcile.Result, error) {
	msg := fmt.Sprintf("deletion waits for %d managed resources that use this config, %s among them: "+
		"delete them, or name another config in their spec.providerConfigRef", waits.n, waits.least)
	return reconcile.Result{RequeueAfter: retryRelease}, r.show(ctx, pc, waits.n, func(s *xpv2.ConditionedStatus) {
		s.SetConditions(ready(pc, corev1.ConditionFalse, reasonInUse, msg))
	})
}

// waitForOrphans shows for how many objects the journal has entries with this config.
// This includes an object that moved to another config right after its creation.
func (r *configReconciler) waitForOrphans(ctx context.Context, pc resource.ProviderConfig, n int) (reconcile.Result, error) {
	return reconcile.Result{RequeueAfter: retryRelease}, r.show(ctx, pc, 0, func(s *xpv2.ConditionedStatus) {
		s.SetConditions(ready(pc, corev1.ConditionFalse, reasonInUse, fmt.Sprintf("deletion waits until the provider knows the outcome of "+
			"what it created for %d objects that are deleted or use another config now; to leave that at Cloudflare, delete the ConfigMaps with the label %s in the provider's namespace", n, journal.Label)))
	})
}

// orphansOf returns how many creations with a config may have to be removed.
func (r *configReconciler) orphansOf(ref connect.ConfigRef) (n int, known bool) {
	if r.orphans == nil {
		return 0, true
	}
	return r.orphans(ref)
}

// count returns the number of users of a config to show. After a start, an incomplete
// count does not replace a greater one.
func (r *configReconciler) count(ref connect.ConfigRef, pc resource.ProviderConfig) (n int, complete bool) {
	n, shown := r.users.count(ref), int(pc.GetUsers())
	if n < shown && !r.users.complete(r.mapper) {
		return shown, false
	}
	return n, true
}

func (r *configReconciler) verify(ctx context.Context, ref connect.ConfigRef, pc resource.ProviderConfig) (reconcile.Result, error) {
	cfg := r.config(pc)
	r.limit(ref, cfg)
	fingerprint, err := r.check(ctx, cfg)
	if errors.Is(err, cloudflare.ErrReplaced) {
		// The Secret changed between its read and the call: there is no verdict.
		return reconcile.Result{RequeueAfter: retryReplaced}, nil
	}
	// This is before the pace is read: the Notifier reports later changes of the pace.
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
	r.turn(ref, pc, verdict, fingerprint, err)
	users, complete := r.count(ref, pc)
	if !complete {
		wait = recount
	}
	return reconcile.Result{RequeueAfter: wait}, r.show(ctx, pc, users, func(s *xpv2.ConditionedStatus) {
		s.SetConditions(verdict)
		r.showPace(s, fingerprint, pc.GetGeneration())
	})
}

// check verifies the config's credentials with Cloudflare, or uses a recent verdict. It
// returns their fingerprint, or "" if they cannot be read.
func (r *configReconciler) check(ctx context.Context, cfg connect.Config) (string, error) {
	s, err := r.sessions.Open(ctx, cfg)
	if err != nil {
		return "", err
	}
	return s.Client.Fingerprint(), r.judge(ctx, s)
}

func (r *configReconciler) judge(ctx context.Context, s connect.Session) error {
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

// show edits the conditions of a config, sets its users and writes its status if that
// changed.
func (r *configReconciler) show(ctx context.Context, pc resource.ProviderConfig, users int, edit func(*xpv2.ConditionedStatus)) error {
	was, ok := pc.DeepCopyObject().(resource.ProviderConfig)
	if !ok {
		return fmt.Errorf("cannot copy %T", pc)
	}
	edit(conditions(pc))
	pc.SetUsers(int64(users))
	if conditions(pc).Equal(conditions(was)) && pc.GetUsers() == was.GetUsers() {
		return nil
	}
	if err := client.IgnoreNotFound(r.kube.Status().Patch(ctx, pc, client.MergeFrom(was))); err != nil {
		return fmt.Errorf("cannot set the status: %w", err)
	}
	return nil
}

// conditions returns the conditions of a config of either kind.
func conditions(pc resource.ProviderConfig) *xpv2.ConditionedStatus {
	switch pc := pc.(type) {
	case *v1alpha1.ProviderConfig:
		return &pc.Status.ConditionedStatus
	case *v1alpha1.ClusterProviderConfig:
		return &pc.Status.ConditionedStatus
	}
	return &xpv2.ConditionedStatus{}
}
