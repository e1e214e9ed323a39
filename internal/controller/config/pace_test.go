// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package config

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/crossplane/crossplane-runtime/v2/pkg/resource"
	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/util/workqueue"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"github.com/provider-cloudflare/provider-cloudflare/apis/v1alpha1"
	"github.com/provider-cloudflare/provider-cloudflare/internal/cloudflare"
	"github.com/provider-cloudflare/provider-cloudflare/internal/connect"
)

// status returns the config as it is stored.
func (b *bench) status(t *testing.T) *v1alpha1.ProviderConfig {
	t.Helper()
	got := &v1alpha1.ProviderConfig{}
	if err := b.kube.Get(t.Context(), types.NamespacedName{Namespace: "ns", Name: "own"}, got); err != nil {
		t.Fatal(err)
	}
	return got
}

// conditionTypes returns the types of the config's conditions, in order.
func (b *bench) conditionTypes(t *testing.T) []string {
	t.Helper()
	var out []string
	for _, c := range b.status(t).Status.Conditions {
		out = append(out, string(c.Type))
	}
	slices.Sort(out)
	return out
}

func TestPacing(t *testing.T) {
	tests := []struct {
		reason string
		pacing Pacing
		status string
		why    xpv2.ConditionReason
		says   string
	}{
		{"as wanted", Pacing{12, 40, time.Minute, time.Minute, false}, "True", ReasonBudgetSufficient, ""},
		{
			"stretched",
			Pacing{12, 40, time.Minute, 100 * time.Second, false},
			"False", ReasonIntervalStretched,
			"12 zones need 40 calls a sweep; this credential's budget lets them be listed every 1m40s instead of every 1m0s",
		},
		{
			"one huge zone, and a time nobody wants to read in full",
			Pacing{1, 900, time.Minute, 10*time.Minute + 1234*time.Microsecond, false},
			"False", ReasonIntervalStretched,
			"1 zone needs 900 calls a sweep; this credential's budget lets them be listed every 10m0s instead of every 1m0s",
		},
		{
			"held up, which matters more than that it is stretched",
			Pacing{12, 40, time.Minute, 100 * time.Second, true},
			"False", ReasonHeldUp,
			"12 zones need 40 calls a sweep, which takes much longer than the 1m40s in which it is to end: " +
				"users' changes go first and leave it too little of this credential's budget, or Cloudflare is slow",
		},
		{"faster than wanted", Pacing{1, 1, time.Minute, time.Second, false}, "True", ReasonBudgetSufficient, ""},
	}
	for _, tc := range tests {
		c := tc.pacing.condition()
		if c.Type != "SweepsOnTime" || string(c.Status) != tc.status || c.Reason != tc.why || c.Message != tc.says {
			t.Errorf("%s: got %+v", tc.reason, c)
		}
	}
}

func TestThePaceIsShownAndFollowed(t *testing.T) {
	b := newBench(t, newCloud(t), pc())
	fp := b.opener.client.Fingerprint()
	pace, known := Pacing{}, false
	b.pace = func(fingerprint string) (Pacing, bool) {
		if fingerprint != fp {
			t.Errorf("asked for the pace of %s, want that of the config's own credential %s", fingerprint, fp)
		}
		return pace, known
	}
	stretched := Pacing{12, 40, time.Minute, 100 * time.Second, false}
	on := []string{"Ready", "SweepsOnTime"}
	steps := []struct {
		reason  string
		pace    Pacing
		known   bool
		open    error
		types   []string
		why     xpv2.ConditionReason
		patches int
	}{
		{"nothing is swept", Pacing{}, false, nil, on[:1], "", 1},
		{"sweeps begin", Pacing{12, 40, time.Minute, time.Minute, false}, true, nil, on, ReasonBudgetSufficient, 2},
		{"nothing new is not written", Pacing{12, 40, time.Minute, time.Minute, false}, true, nil, on, ReasonBudgetSufficient, 2},
		{"nor are numbers while they fit", Pacing{14, 50, time.Minute, time.Minute, false}, true, nil, on, ReasonBudgetSufficient, 2},
		{"too many zones", stretched, true, nil, on, ReasonIntervalStretched, 3},
		{"nothing new of that is not written either", stretched, true, nil, on, ReasonIntervalStretched, 3},
		{"fewer zones", Pacing{2, 2, time.Minute, time.Minute, false}, true, nil, on, ReasonBudgetSufficient, 4},
		{"none", Pacing{}, false, nil, on[:1], "", 5},
		{"some again", stretched, true, nil, on, ReasonIntervalStretched, 6},
		{"the credential is gone", stretched, true, errors.New("no Secret"), on[:1], "", 7},
	}
	for _, s := range steps {
		pace, known, b.opener.err = s.pace, s.known, s.open
		b.reconcile(t)
		if got := b.conditionTypes(t); !slices.Equal(got, s.types) {
			t.Errorf("%s: conditions are %v, want %v", s.reason, got, s.types)
		}
		c := b.status(t).GetCondition(TypeSweepsOnTime)
		if c.Reason != s.why || b.patches != s.patches {
			t.Errorf("%s: %+v after %d patches, want %s after %d", s.reason, c, b.patches, s.why, s.patches)
		}
		if s.why != "" && (c.ObservedGeneration != 1 || c.LastTransitionTime.IsZero()) {
			t.Errorf("%s: %+v does not say of what and since when", s.reason, c)
		}
	}
}

// TestThePaceIsShownBesideARefusal has a bad token: the sweeps with the old one have a
// condition of their own.
func TestThePaceIsShownBesideARefusal(t *testing.T) {
	c := newCloud(t)
	c.say(403, `{"success":false,"errors":[{"code":1000,"message":"Invalid API Token"}]}`)
	b := newBench(t, c, pc())
	b.pace = func(string) (Pacing, bool) { return Pacing{1, 1, time.Minute, time.Minute, false}, true }
	_, ready := b.reconcile(t)
	if got := b.status(t).GetCondition(TypeSweepsOnTime); ready.Status != "False" || got.Status != "True" || b.patches != 1 {
		t.Errorf("Ready is %s and SweepsOnTime %s after %d patches", ready.Status, got.Status, b.patches)
	}
}

func TestThePaceOfAClusterConfig(t *testing.T) {
	cluster := &v1alpha1.ClusterProviderConfig{ObjectMeta: metav1.ObjectMeta{Name: "own", Generation: 3}}
	r := &configReconciler{pace: func(string) (Pacing, bool) { return Pacing{1, 1, time.Minute, time.Minute, false}, true }}
	r.showPace(conditions(cluster), "fp", cluster.Generation)
	if c := cluster.GetCondition(TypeSweepsOnTime); c.Status != "True" || c.ObservedGeneration != 3 {
		t.Errorf("got %+v", c)
	}
}

type requests = workqueue.TypedRateLimitingInterface[reconcile.Request]

func newQueue(t *testing.T) requests {
	t.Helper()
	q := workqueue.NewTypedRateLimitingQueue(workqueue.DefaultTypedControllerRateLimiter[reconcile.Request]())
	t.Cleanup(q.ShutDown)
	return q
}

// drain returns what is in the queue, in order.
func drain(q requests) string {
	var out []string
	for q.Len() > 0 {
		r, _ := q.Get()
		q.Done(r)
		out = append(out, r.String())
	}
	slices.Sort(out)
	return strings.Join(out, " ")
}

func TestTheFeedWakesTheConfigsOfACredential(t *testing.T) {
	c := newCloud(t)
	config := func(name string) *v1alpha1.ProviderConfig {
		return &v1alpha1.ProviderConfig{ObjectMeta: metav1.ObjectMeta{Namespace: "ns", Name: name}}
	}
	b := newBench(t, c, config("a"), config("b"), config("other"))
	byName := map[string]*cloudflare.Client{}
	for name, token := range map[string]string{"a": "shared", "b": "shared", "other": "other"} {
		byName[name] = cloudflare.New(cloudflare.NewToken(token), cloudflare.Options{BaseURL: c.url})
	}
	b.sessions = sessionsFunc{b.opener.Connections, func(cfg connect.Config) (connect.Session, error) {
		return connect.Session{Client: byName[cfg.Name]}, b.opener.err
	}}
	look := func(name string) {
		t.Helper()
		if _, err := b.Reconcile(t.Context(), reconcile.Request{NamespacedName: types.NamespacedName{Namespace: "ns", Name: name}}); err != nil {
			t.Fatal(err)
		}
	}
	shared, other := byName["a"].Fingerprint(), byName["other"].Fingerprint()
	f := &Notifier{}
	f.SweepsChanged(shared) // No controller listens yet.
	q, cluster := newQueue(t), newQueue(t)
	for _, start := range []struct {
		q     requests
		users func(string) []types.NamespacedName
	}{
		{q, b.configsOf},
		{cluster, func(string) []types.NamespacedName { return []types.NamespacedName{{Name: "everywhere"}} }},
	} {
		if err := f.source(start.users, b.doubt).Start(t.Context(), start.q); err != nil {
			t.Fatal(err)
		}
	}
	tell := func(reason, fingerprint, want string) {
		t.Helper()
		f.SweepsChanged(fingerprint)
		if got := drain(q); got != want {
			t.Errorf("%s: %q is looked at, want %q", reason, got, want)
		}
		if got := drain(cluster); got != "/everywhere" {
			t.Errorf("%s: %q of the other kind is looked at", reason, got)
		}
	}
	tell("no config was looked at yet", shared, "")
	for name := range byName {
		look(name)
	}
	tell("those of the credential", shared, "ns/a ns/b")
	tell("and of no other", other, "ns/other")
	tell("a credential nobody has", "0000000000000000", "")

	byName["b"] = byName["other"]
	look("b")
	tell("a config that got another credential", shared, "ns/a")
	tell("is one of that", other, "ns/b ns/other")

	if err := b.kube.Delete(t.Context(), config("a")); err != nil {
		t.Fatal(err)
	}
	look("a") // It loses its finalizer.
	look("a")
	tell("a config that is gone", shared, "")

	b.opener.err = errors.New("no Secret")
	look("b")
	tell("a config that cannot be opened", other, "ns/other")
}

// TestARefusalCastsDoubt has Cloudflare refuse a call with a credential that was
// verified before.
func TestARefusalCastsDoubt(t *testing.T) {
	c := newCloud(t)
	b := newBench(t, c, pc())
	f, q := &Notifier{}, newQueue(t)
	if err := f.source(b.configsOf, b.doubt).Start(t.Context(), q); err != nil {
		t.Fatal(err)
	}
	fingerprint := b.opener.client.Fingerprint()
	doubt := func(reason, fingerprint, want string) {
		t.Helper()
		f.Refused(fingerprint)
		if got := drain(q); got != want {
			t.Errorf("%s: %q is looked at, want %q", reason, got, want)
		}
	}
	doubt("nothing is known of the credential yet", fingerprint, "")
	b.reconcile(t)
	doubt("it was found good a moment ago: what it lacks is a permission", fingerprint, "")
	b.clock = b.clock.Add(retryVerification)
	doubt("another credential", "0000000000000000", "")
	c.say(401, `{"success":false,"errors":[{"code":1000,"message":"Invalid API Token"}]}`)
	doubt("it was found good a while ago", fingerprint, "ns/own")
	doubt("that is to be found out already", fingerprint, "")
	if _, ready := b.reconcile(t); ready.Status != "False" {
		t.Errorf("Ready is %+v, want what Cloudflare says by now", ready)
	}
	b.clock = b.clock.Add(retryVerification)
	doubt("that it is bad is no news", fingerprint, "")
}

// TestAReplacedCredentialIsNoVerdict changes the Secret between its read and the
// verification.
func TestAReplacedCredentialIsNoVerdict(t *testing.T) {
	c := newCloud(t)
	b := newBench(t, c, pc())
	b.opener.client.SetCredentialState(cloudflare.Replaced)
	res, ready := b.reconcile(t)
	if ready.Status == "False" || res.RequeueAfter != retryReplaced || len(b.events.messages) != 0 {
		t.Errorf("Ready is %+v, again after %v, with events %v", ready, res.RequeueAfter, b.events.messages)
	}
	b.opener.client = cloudflare.New(cloudflare.NewToken("next"), cloudflare.Options{BaseURL: c.url})
	if _, ready = b.reconcile(t); ready.Status != "True" {
		t.Errorf("Ready is %+v with the credential that took its place", ready)
	}
}

// sessionsFunc is Sessions with a function that opens them.
type sessionsFunc struct {
	*connect.Connections

	open func(connect.Config) (connect.Session, error)
}

func (f sessionsFunc) Open(_ context.Context, cfg connect.Config) (connect.Session, error) {
	return f.open(cfg)
}

// other is a config of another kind.
type other struct{ resource.ProviderConfig }

func TestConditionsOfAnotherKind(t *testing.T) {
	if c := conditions(other{}); c == nil || len(c.Conditions) != 0 {
		t.Errorf("got %+v, want none", c)
	}
}
