// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package config

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/crossplane/crossplane-runtime/v2/pkg/event"
	"github.com/crossplane/crossplane-runtime/v2/pkg/logging"
	"github.com/crossplane/crossplane-runtime/v2/pkg/resource"
	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/fake"
	"sigs.k8s.io/controller-runtime/pkg/client/interceptor"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"github.com/provider-cloudflare/provider-cloudflare/apis"
	"github.com/provider-cloudflare/provider-cloudflare/apis/v1alpha1"
	"github.com/provider-cloudflare/provider-cloudflare/internal/cloudflare"
	"github.com/provider-cloudflare/provider-cloudflare/internal/connect"
)

const verified = `{"result":{"status":"active"},"success":true,"errors":[]}`

// cloud returns the same answer to every verification, and counts the calls.
type cloud struct {
	url    string
	calls  atomic.Int64
	status atomic.Int64
	body   atomic.Value
}

func newCloud(t *testing.T) *cloud {
	t.Helper()
	c := &cloud{}
	c.say(200, verified)
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		c.calls.Add(1)
		w.WriteHeader(int(c.status.Load()))
		_, _ = fmt.Fprint(w, c.body.Load())
	}))
	t.Cleanup(s.Close)
	c.url = s.URL
	return c
}

func (c *cloud) say(status int, body string) {
	c.status.Store(int64(status))
	c.body.Store(body)
}

// opener opens sessions with one token. All else is as in Connections.
type opener struct {
	*connect.Connections

	client *cloudflare.Client
	err    error
}

func (o *opener) Open(_ context.Context, cfg connect.Config) (connect.Session, error) {
	return connect.Session{Client: o.client, AccountID: cfg.AccountID}, o.err
}

// events keeps the messages of events.
type events struct{ messages []string }

func (e *events) Event(_ runtime.Object, ev event.Event) { e.messages = append(e.messages, ev.Message) }

func (e *events) WithAnnotations(...string) event.Recorder { return e }

// bench is a reconciler with a cluster in memory and a clock of its own.
type bench struct {
	*configReconciler

	kube    client.WithWatch
	events  *events
	patches int
	clock   time.Time
	updates int
	opener  *opener
}

func newBench(t *testing.T, c *cloud, objs ...client.Object) *bench {
	t.Helper()
	s := runtime.NewScheme()
	if err := apis.AddToScheme(s); err != nil {
		t.Fatal(err)
	}
	b := &bench{events: &events{}, clock: time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)}
	b.kube = interceptor.NewClient(
		fake.NewClientBuilder().WithScheme(s).WithObjects(objs...).WithStatusSubresource(&v1alpha1.ProviderConfig{}).Build(),
		interceptor.Funcs{Update: func(ctx context.Context, c client.WithWatch, o client.Object, opts ...client.UpdateOption) error {
			b.updates++
			return c.Update(ctx, o, opts...)
		}, SubResourcePatch: func(ctx context.Context, c client.Client, sub string, o client.Object, p client.Patch, opts ...client.SubResourcePatchOption) error {
			b.patches++
			return c.SubResource(sub).Patch(ctx, o, p, opts...)
		}},
	)
	b.opener = &opener{Connections: connect.New(connect.Options{Kube: b.kube, Secrets: b.kube}), client: cloudflare.New(cloudflare.NewToken("x"), cloudflare.Options{BaseURL: c.url, Now: func() time.Time { return b.clock }})}
	b.configReconciler = &configReconciler{
		kube: b.kube, log: logging.NewNopLogger(), record: b.events, reverify: reverify, verdicts: map[string]verdict{},
		using: map[types.NamespacedName]string{}, limits: map[types.NamespacedName]string{},
		api: b.kube, users: NewUsers(recordKind()), mapper: meta.NewDefaultRESTMapper(nil), kind: v1alpha1.ProviderConfigKind,
		sessions: b.opener,
		now:      func() time.Time { return b.clock },
		new:      func() resource.ProviderConfig { return &v1alpha1.ProviderConfig{} },
		config: func(pc resource.ProviderConfig) connect.Config {
			return connect.Config{Name: pc.GetName(), AccountID: ""}
		},
	}
	return b
}

func pc() *v1alpha1.ProviderConfig {
	return &v1alpha1.ProviderConfig{ObjectMeta: metav1.ObjectMeta{Namespace: "ns", Name: "own", Generation: 1}}
}

func (b *bench) reconcile(t *testing.T) (reconcile.Result, xpv2.Condition) {
	t.Helper()
	key := types.NamespacedName{Namespace: "ns", Name: "own"}
	res, err := b.Reconcile(t.Context(), reconcile.Request{NamespacedName: key})
	if err != nil {
		t.Fatal(err)
	}
	got := &v1alpha1.ProviderConfig{}
	if err := client.IgnoreNotFound(b.kube.Get(t.Context(), key, got)); err != nil {
		t.Fatal(err)
	}
	return res, got.GetCondition(xpv2.TypeReady)
}

func TestVerdictsAreRemembered(t *testing.T) {
	c := newCloud(t)
	b := newBench(t, c)
	check := func(cfg connect.Config) error {
		_, err := b.check(t.Context(), cfg)
		return err
	}
	for range 1000 {
		if err := check(connect.Config{}); err != nil {
			t.Fatal(err)
		}
	}
	if n := c.calls.Load(); n != 1 {
		t.Errorf("%d calls for a thousand questions at once, want 1", n)
	}
	b.clock = b.clock.Add(reverify - 1)
	_ = check(connect.Config{})
	if n := c.calls.Load(); n != 1 {
		t.Errorf("%d calls within ten minutes, want 1", n)
	}
	// The verdict expires. Now the token is bad, which is remembered for 30 s.
	b.clock = b.clock.Add(1)
	c.say(401, `{"success":false,"errors":[{"code":1000,"message":"Invalid API Token"}]}`)
	first := check(connect.Config{})
	bad := c.calls.Load()
	if !cloudflare.IsInvalidCredential(first) || !strings.Contains(first.Error(), "put a valid API token into the Secret") {
		t.Errorf("got %v, want that the token is not known, and what to do", first)
	}
	b.clock = b.clock.Add(retryVerification - 1)
	if err := check(connect.Config{}); !errors.Is(err, first) || c.calls.Load() != bad {
		t.Errorf("got %v with %d more calls, want the same verdict", err, c.calls.Load()-bad)
	}
	b.clock = b.clock.Add(1)
	c.say(200, verified)
	if err := check(connect.Config{}); err != nil || c.calls.Load() != bad+1 {
		t.Errorf("got %v with %d more calls, want a new verdict after 30 s", err, c.calls.Load()-bad)
	}
	// Another account needs a verification of its own, and so does another credential.
	_ = check(connect.Config{AccountID: "01a7362d577a6c3019a474fd6f485823"})
	b.opener.client = cloudflare.New(cloudflare.NewToken("y"), cloudflare.Options{BaseURL: c.url})
	_ = check(connect.Config{})
	if n := c.calls.Load(); n != bad+3 {
		t.Errorf("%d more calls, want one each for another account and another token", n-bad-1)
	}
}

func TestAShutdownIsNoVerdict(t *testing.T) {
	c := newCloud(t)
	b := newBench(t, c)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := b.check(ctx, connect.Config{}); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want that it was cancelled", err)
	}
	if _, err := b.check(t.Context(), connect.Config{}); err != nil {
		t.Errorf("the shutdown was remembered as a verdict: %v", err)
	}
}

func TestReadySaysWhetherTheTokenIsGood(t *testing.T) {
	c := newCloud(t)
	b := newBench(t, c, pc())
	res, ready := b.reconcile(t)
	if ready.Status != "True" || ready.Reason != reasonVerified || ready.ObservedGeneration != 1 || res.RequeueAfter != reverify {
		t.Errorf("Ready is %+v, again after %v", ready, res.RequeueAfter)
	}
	// An unchanged status is not written.
	b.reconcile(t)
	if b.patches != 1 || len(b.events.messages) != 0 || b.updates != 1 {
		t.Errorf("%d patches, events %v, %d updates, want one each of the status and the finalizer", b.patches, b.events.messages, b.updates)
	}

	b.clock = b.clock.Add(reverify)
	c.say(403, `{"success":false,"errors":[{"code":1000,"message":"Invalid API Token"}]}`)
	for range 2 {
		res, ready = b.reconcile(t)
		if ready.Status != "False" || ready.Reason != reasonUnverified || !strings.Contains(ready.Message, "Invalid API Token") || res.RequeueAfter != retryVerification {
			t.Errorf("Ready is %+v, again after %v", ready, res.RequeueAfter)
		}
	}
	if b.patches != 2 || len(b.events.messages) != 1 {
		t.Errorf("%d patches and %d events, want one more and one", b.patches, len(b.events.messages))
	}

	b.opener.err = errors.New("Secret ns/own has no key")
	if _, ready = b.reconcile(t); ready.Message != "Secret ns/own has no key" {
		t.Errorf("Ready is %+v, want what is wrong with the Secret", ready)
	}
}

func TestAThrottleIsWaitedFor(t *testing.T) {
	c := newCloud(t)
	b := newBench(t, c, pc())
	throttled := &cloudflare.Error{Status: 429, RetryAfter: 4 * time.Minute}
	b.opener.err = throttled
	if res, ready := b.reconcile(t); res.RequeueAfter != 4*time.Minute || ready.Status != "False" {
		t.Errorf("again after %v, Ready %s; want as long as Cloudflare said", res.RequeueAfter, ready.Status)
	}
}

func TestAConfigThatIsGone(t *testing.T) {
	b := newBench(t, newCloud(t))
	if res, _ := b.reconcile(t); res != (reconcile.Result{}) || b.updates != 0 {
		t.Errorf("got %+v for a config that does not exist", res)
	}
}
