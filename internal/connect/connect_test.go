// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package connect

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/crossplane/crossplane-runtime/v2/pkg/meta"
	"github.com/crossplane/crossplane-runtime/v2/pkg/resource"
	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"
	corev1 "k8s.io/api/core/v1"
	kerrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/fake"
	"sigs.k8s.io/controller-runtime/pkg/client/interceptor"

	"github.com/provider-cloudflare/provider-cloudflare/apis"
	dnsv1alpha1 "github.com/provider-cloudflare/provider-cloudflare/apis/dns/v1alpha1"
	"github.com/provider-cloudflare/provider-cloudflare/apis/v1alpha1"
	"github.com/provider-cloudflare/provider-cloudflare/internal/cloudflare"
)

const (
	token   = "cfut_s3cretTokenThatNobodyMaySee00000000"
	account = "01a7362d577a6c3019a474fd6f485823"
)

// bench is Connections over a cluster in memory, with a clock of its own.
type bench struct {
	*Connections

	kube client.WithWatch
	// reads are the Secrets that were read. writes counts the updates of configs.
	reads, writes int
	// failRead and failWrite are the errors of such reads and writes.
	failRead, failWrite error

	mu  sync.Mutex
	now time.Time
}

// For returns a session for a reconcile that ends at once.
func (b *bench) For(ctx context.Context, mg resource.ModernManaged) (Session, error) {
	ctx, end := Begin(ctx)
	defer end()
	return b.Connections.For(ctx, mg)
}

func (b *bench) pass(d time.Duration) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.now = b.now.Add(d)
}

func newBench(t *testing.T, objs ...client.Object) *bench {
	t.Helper()
	s := runtime.NewScheme()
	for _, add := range []func(*runtime.Scheme) error{apis.AddToScheme, corev1.AddToScheme} {
		if err := add(s); err != nil {
			t.Fatal(err)
		}
	}
	b := &bench{now: time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)}
	b.kube = interceptor.NewClient(fake.NewClientBuilder().WithScheme(s).WithObjects(objs...).Build(), interceptor.Funcs{
		Get: func(ctx context.Context, c client.WithWatch, k client.ObjectKey, o client.Object, opts ...client.GetOption) error {
			if _, ok := o.(*corev1.Secret); ok {
				b.mu.Lock()
				b.reads++
				fail := b.failRead
				b.mu.Unlock()
				if fail != nil {
					return fail
				}
			}
			return c.Get(ctx, k, o, opts...)
		},
		Update: func(ctx context.Context, c client.WithWatch, o client.Object, opts ...client.UpdateOption) error {
			if _, ok := o.(*corev1.Secret); !ok {
				b.mu.Lock()
				b.writes++
				fail := b.failWrite
				b.mu.Unlock()
				if fail != nil {
					return fail
				}
			}
			return c.Update(ctx, o, opts...)
		},
	})
	b.Connections = New(Options{Kube: b.kube, Secrets: b.kube, Now: func() time.Time {
		b.mu.Lock()
		defer b.mu.Unlock()
		return b.now
	}})
	return b
}

func secret(namespace, name, value string) *corev1.Secret {
	return &corev1.Secret{
		ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: name},
		Data:       map[string][]byte{"credentials": []byte(value)},
	}
}

// providerConfig returns a ProviderConfig that reads the Secret of its own name in its own namespace.
func providerConfig(namespace, name string) *v1alpha1.ProviderConfig {
	pc := &v1alpha1.ProviderConfig{ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: name}}
	pc.Spec.Credentials.SecretRef = v1alpha1.LocalSecretKeySelector{Name: name, Key: "credentials"}
	return pc
}

// clusterConfig returns a ClusterProviderConfig that reads the Secret of its own name in the namespace system.
func clusterConfig(name string) *v1alpha1.ClusterProviderConfig {
	pc := &v1alpha1.ClusterProviderConfig{ObjectMeta: metav1.ObjectMeta{Name: name}}
	pc.Spec.Credentials.SecretRef = v1alpha1.SecretKeySelector{
		LocalSecretKeySelector: v1alpha1.LocalSecretKeySelector{Name: name, Key: "credentials"}, Namespace: "system",
	}
	return pc
}

func record(namespace, kind, config string) *dnsv1alpha1.Record {
	mg := &dnsv1alpha1.Record{ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: "r", UID: types.UID("uid-" + namespace)}}
	mg.SetGroupVersionKind(dnsv1alpha1.RecordGroupVersionKind)
	mg.SetProviderConfigReference(&xpv2.ProviderConfigReference{Kind: kind, Name: config})
	return mg
}

func deleted(mg *dnsv1alpha1.Record) *dnsv1alpha1.Record {
	mg.SetDeletionTimestamp(&metav1.Time{Time: time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)})
	return mg
}

func TestFor(t *testing.T) {
	limited := providerConfig("a", "limited")
	limited.Spec.RateLimit = &v1alpha1.RateLimit{RequestsPerFiveMinutes: 2}
	limited.Spec.AccountID = new(string)
	*limited.Spec.AccountID = account
	objs := []client.Object{
		providerConfig("a", "own"), secret("a", "own", token),
		providerConfig("b", "other"), secret("b", "other", "other-token"),
		// This one has the name of the other namespace's config, and no Secret of its own.
		providerConfig("a", "other"),
		limited, secret("a", "limited", "limited-token"),
		clusterConfig("shared"), secret("system", "shared", "shared-token"),
		clusterConfig("bare"),
	}
	tests := []struct {
		reason  string
		mg      *dnsv1alpha1.Record
		token   string
		account string
		says    string
	}{
		{"the config of its own namespace", record("a", "ProviderConfig", "own"), token, "", ""},
		{"a config with an account", record("a", "ProviderConfig", "limited"), "limited-token", account, ""},
		{"a config of the cluster", record("a", "ClusterProviderConfig", "shared"), "shared-token", "", ""},
		{"a config of the cluster, from anywhere", record("b", "ClusterProviderConfig", "shared"), "shared-token", "", ""},
		{"a config of another namespace", record("b", "ProviderConfig", "own"), "", "", "cannot get the ProviderConfig own in namespace b"},
		{"a Secret of another namespace is never read", record("a", "ProviderConfig", "other"), "", "", "cannot read the credentials Secret a/other"},
		{"no such config", record("a", "ProviderConfig", "none"), "", "", "cannot get the ProviderConfig none in namespace a"},
		{"no such config of the cluster", record("a", "ClusterProviderConfig", "own"), "", "", "cannot get the ClusterProviderConfig own"},
		{"a config without its Secret", record("a", "ClusterProviderConfig", "bare"), "", "", "ClusterProviderConfig bare: cannot read the credentials Secret system/bare"},
		{"a kind that is none", record("a", "Secret", "own"), "", "", `"Secret" is not a kind of provider config`},
	}
	for _, tc := range tests {
		t.Run(tc.reason, func(t *testing.T) {
			s, err := newBench(t, objs...).For(t.Context(), tc.mg)
			if tc.says != "" {
				if err == nil || !strings.Contains(err.Error(), tc.says) || s.Client != nil {
					t.Errorf("%s: got %v, want an error that says %q", tc.reason, err, tc.says)
				}
				return
			}
			if err != nil {
				t.Fatalf("%s: %v", tc.reason, err)
			}
			if s.Client.Fingerprint() != cloudflare.NewToken(tc.token).Fingerprint(nil) || s.AccountID != tc.account {
				t.Errorf("%s: got the client %s with account %q", tc.reason, s.Client, s.AccountID)
			}
		})
	}
}

func TestForWithoutReference(t *testing.T) {
	mg := record("a", "", "")
	mg.SetProviderConfigReference(nil)
	b := newBench(t, clusterConfig("default"), secret("system", "default", token))
	if s, err := b.For(t.Context(), mg); err != nil || s.Client.Fingerprint() != cloudflare.NewToken(token).Fingerprint(nil) {
		t.Errorf("got %v, want the credential of the default config", err)
	}
}

func TestBadSecrets(t *testing.T) {
	const hidden = "s3cret-part"
	tests := []struct{ reason, value, says string }{
		{"empty", "", "the value is empty"},
		{"blank", " \n", "the value is empty"},
		{"two lines", hidden + "\n" + hidden, "white space or characters"},
		{"a header", "Bearer " + hidden, "white space or characters"},
		{"binary", hidden + "\x00\xff", "white space or characters"},
		{"broken JSON", `{"apiToken":"` + hidden, "not a JSON object"},
		{"JSON of something else", `{"token":"` + hidden + `"}`, "neither apiToken nor apiKey"},
		{"a key without a user", `{"apiKey":"` + hidden + `"}`, "no email"},
		{"both", `{"apiToken":"` + hidden + `","apiKey":"` + hidden + `","email":"a@example.com"}`, "both apiToken and apiKey"},
	}
	for _, tc := range tests {
		t.Run(tc.reason, func(t *testing.T) {
			b := newBench(t, providerConfig("a", "own"), secret("a", "own", tc.value))
			_, err := b.For(t.Context(), record("a", "ProviderConfig", "own"))
			if !errors.Is(err, cloudflare.ErrCredential) || !strings.Contains(err.Error(), tc.says) {
				t.Fatalf("%s: got %v, want an error that says %q", tc.reason, err, tc.says)
			}
			for _, part := range []string{"ProviderConfig a/own", "Secret a/own", `"credentials"`} {
				if !strings.Contains(err.Error(), part) {
					t.Errorf("%s: %q does not say where: %s", tc.reason, err, part)
				}
			}
			if strings.Contains(fmt.Sprintf("%v %+v %#v", err, err, err), hidden) {
				t.Errorf("%s: the error shows the value", tc.reason)
			}
		})
	}
}

func TestSecretWithoutTheKey(t *testing.T) {
	s := secret("a", "own", token)
	s.Data = map[string][]byte{"token": []byte(token)}
	_, err := newBench(t, providerConfig("a", "own"), s).For(t.Context(), record("a", "ProviderConfig", "own"))
	if err == nil || !strings.Contains(err.Error(), `Secret a/own has no key "credentials"`) || strings.Contains(err.Error(), token) {
		t.Errorf("got %v, want an error that names the Secret and the key", err)
	}
}

func TestCredentialIsReadAgainAfterAWhile(t *testing.T) {
	b := newBench(t, providerConfig("a", "own"), secret("a", "own", token))
	open := func() string {
		t.Helper()
		s, err := b.For(t.Context(), record("a", "ProviderConfig", "own"))
		if err != nil {
			t.Fatal(err)
		}
		return s.Client.Fingerprint()
	}
	was, is := cloudflare.NewToken(token).Fingerprint(nil), cloudflare.NewToken("rotated").Fingerprint(nil)
	open()
	if err := b.kube.Update(t.Context(), secret("a", "own", "rotated")); err != nil {
		t.Fatal(err)
	}
	b.pass(30*time.Second - 1)
	if got := open(); got != was || b.reads != 1 {
		t.Errorf("after less than 30 s: %d reads", b.reads)
	}
	b.pass(1)
	if got := open(); got != is || b.reads != 2 {
		t.Errorf("after 30 s the new token is not used (%d reads)", b.reads)
	}

	// A reported change needs no wait, and does not affect other Secrets.
	if err := b.kube.Update(t.Context(), secret("a", "own", token)); err != nil {
		t.Fatal(err)
	}
	b.Forget(types.NamespacedName{Namespace: "b", Name: "own"})
	if got := open(); got != is || b.reads != 2 {
		t.Errorf("the change of another namespace's Secret counted (%d reads)", b.reads)
	}
	b.Forget(types.NamespacedName{Namespace: "a", Name: "own"})
	if got := open(); got != was || b.reads != 3 {
		t.Errorf("a change that was reported was not read (%d reads)", b.reads)
	}
}

// TestReread expects the credential that the Secret holds now, without a report of the change.
func TestReread(t *testing.T) {
	b := newBench(t, providerConfig("a", "own"), secret("a", "own", token))
	s, err := b.For(t.Context(), record("a", "ProviderConfig", "own"))
	if err != nil {
		t.Fatal(err)
	}
	if err := b.kube.Update(t.Context(), secret("a", "own", "rotated")); err != nil {
		t.Fatal(err)
	}
	c, err := s.Reread(t.Context())
	if err != nil || c.Fingerprint() != cloudflare.NewToken("rotated").Fingerprint(nil) {
		t.Errorf("it is not the client of the new credential (%v)", err)
	}
	b.failRead = errors.New("down")
	if _, err := s.Reread(t.Context()); !errors.Is(err, b.failRead) {
		t.Errorf("got %v, want that the Secret cannot be read", err)
	}
}

func TestLastKnownCredentialServesDeletionsOnly(t *testing.T) {
	notFound := kerrors.NewNotFound(schema.GroupResource{Resource: "secrets"}, "own")
	forbidden := kerrors.NewForbidden(schema.GroupResource{Resource: "secrets"}, "own", errors.New("no"))
	tests := []struct {
		reason string
		mg     *dnsv1alpha1.Record
		known  bool
		fail   error
		ok     bool
	}{
		{"being deleted, the Secret gone before it", deleted(record("a", "ProviderConfig", "own")), true, notFound, true},
		{"being deleted, the Secret never seen", deleted(record("a", "ProviderConfig", "own")), false, notFound, false},
		{"being deleted, but the Secret is there and may not be read", deleted(record("a", "ProviderConfig", "own")), true, forbidden, false},
		{"being deleted, but nobody knows about the Secret", deleted(record("a", "ProviderConfig", "own")), true, errors.New("down"), false},
		{"a live object must not go on with what its owner took away", record("a", "ProviderConfig", "own"), true, notFound, false},
	}
	for _, tc := range tests {
		t.Run(tc.reason, func(t *testing.T) {
			b := newBench(t, providerConfig("a", "own"), secret("a", "own", token))
			if tc.known {
				if _, err := b.For(t.Context(), record("a", "ProviderConfig", "own")); err != nil {
					t.Fatal(err)
				}
			}
			b.Forget(types.NamespacedName{Namespace: "a", Name: "own"}) // The watch reports the deletion.
			b.pass(time.Hour)
			b.failRead = tc.fail
			s, err := b.For(t.Context(), tc.mg)
			switch {
			case tc.ok && (err != nil || s.Client.Fingerprint() != cloudflare.NewToken(token).Fingerprint(nil)):
				t.Errorf("%s: got %v, want the credential as it was last read", tc.reason, err)
			case !tc.ok && !errors.Is(err, tc.fail):
				t.Errorf("%s: got %v, want %v wrapped", tc.reason, err, tc.fail)
			}
			var stuck *DeletionBlockedError
			if says, want := errors.As(err, &stuck), !tc.ok && meta.WasDeleted(tc.mg); says != want {
				t.Errorf("%s: the error says how to let it go: %t, want %t: %v", tc.reason, says, want, err)
			}
			const command = `kubectl patch record.dns.cloudflare.m.crossplane.io r -n a --type=merge -p '{"spec":{"deletionPolicy":"Orphan"}}'`
			ready := tc.mg.GetCondition(xpv2.TypeReady)
			if stuck != nil && (stuck.Command != command || ready.Status != "False" || ready.Reason != ReasonDeletionBlocked || !strings.HasSuffix(ready.Message, "run: "+command)) {
				t.Errorf("%s: Ready is %+v, want the command %q", tc.reason, ready, command)
			}
			if stuck == nil && ready.Reason != "" {
				t.Errorf("%s: Ready is %+v", tc.reason, ready)
			}
		})
	}
}

func TestOpenNeverFallsBack(t *testing.T) {
	b := newBench(t, secret("a", "own", token))
	cfg := FromProviderConfig(providerConfig("a", "own"))
	if s, err := b.Open(t.Context(), cfg); err != nil || s.Client == nil {
		t.Fatalf("got %v", err)
	}
	if b.writes != 0 {
		t.Error("opening a config for itself was recorded as a use of it")
	}
	if err := b.kube.Delete(t.Context(), secret("a", "own", "")); err != nil {
		t.Fatal(err)
	}
	b.pass(time.Hour)
	if _, err := b.Open(t.Context(), cfg); !kerrors.IsNotFound(err) {
		t.Errorf("got %v: a config is not Ready without its Secret", err)
	}
}

func TestOneClientForEachCredential(t *testing.T) {
	b := newBench(
		t,
		providerConfig("a", "own"), secret("a", "own", token),
		providerConfig("b", "same"), secret("b", "same", "  "+token+"\n"),
		clusterConfig("json"), secret("system", "json", `{"apiToken":"`+token+`"}`),
		providerConfig("c", "other"), secret("c", "other", "other-token"),
	)
	open := func(mg *dnsv1alpha1.Record) *cloudflare.Client {
		t.Helper()
		s, err := b.For(t.Context(), mg)
		if err != nil {
			t.Fatal(err)
		}
		return s.Client
	}
	first := open(record("a", "ProviderConfig", "own"))
	for _, mg := range []*dnsv1alpha1.Record{
		record("a", "ProviderConfig", "own"), record("b", "ProviderConfig", "same"), record("c", "ClusterProviderConfig", "json"),
	} {
		if open(mg) != first {
			t.Errorf("%s uses another client for the same token, and so another budget", mg.GetProviderConfigReference().Name)
		}
	}
	if open(record("c", "ProviderConfig", "other")) == first {
		t.Error("two tokens share a client")
	}
}

func TestConcurrentUse(t *testing.T) {
	b := newBench(t, clusterConfig("shared"), secret("system", "shared", token))
	var wg sync.WaitGroup
	clients := make(chan *cloudflare.Client, 64)
	for i := range cap(clients) {
		wg.Go(func() {
			if i%8 == 0 {
				b.Forget(types.NamespacedName{Namespace: "system", Name: "shared"})
			}
			s, err := b.For(t.Context(), record(fmt.Sprint("ns", i), "ClusterProviderConfig", "shared"))
			if err != nil {
				t.Error(err)
			}
			clients <- s.Client
		})
	}
	wg.Wait()
	close(clients)
	first := <-clients
	for c := range clients {
		if c != first {
			t.Fatal("one credential got two clients, and so two budgets")
		}
	}
}

func TestBudgetOfAConfig(t *testing.T) {
	pc := providerConfig("a", "own")
	if cfg := FromProviderConfig(pc); cfg.Requests != 0 || cfg.AccountID != "" || cfg.Name != "ProviderConfig a/own" {
		t.Errorf("got %+v", cfg)
	}
	pc.Spec.RateLimit = &v1alpha1.RateLimit{RequestsPerFiveMinutes: 300}
	if cfg := FromProviderConfig(pc); cfg.Requests != 300 {
		t.Errorf("got %+v, want a budget of 300", cfg)
	}
	if cfg := FromClusterProviderConfig(clusterConfig("c")); cfg.Requests != 0 || cfg.Name != "ClusterProviderConfig c" || cfg.Secret.Namespace != "system" {
		t.Errorf("got %+v", cfg)
	}
}

func TestDefaultClock(t *testing.T) {
	c := New(Options{})
	for whose, now := range map[string]func() time.Time{"own": c.o.Now, "clients'": c.o.Client.Now} {
		if time.Since(now()).Abs() > time.Minute {
			t.Errorf("the default of the %s clock is not the time of day", whose)
		}
	}
}
