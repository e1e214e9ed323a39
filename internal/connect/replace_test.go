// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package connect

import (
	"context"
	"errors"
	"testing"

	corev1 "k8s.io/api/core/v1"
	kerrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/interceptor"

	"github.com/provider-cloudflare/provider-cloudflare/apis/v1alpha1"
	"github.com/provider-cloudflare/provider-cloudflare/internal/cloudflare"
)

// ownSecret returns the name of the Secret that providerConfig("a", "own") reads.
func ownSecret() types.NamespacedName { return types.NamespacedName{Namespace: "a", Name: "own"} }

func (b *bench) rotate(t *testing.T, value string) {
	t.Helper()
	if err := b.kube.Update(t.Context(), secret("a", "own", value)); err != nil {
		t.Fatal(err)
	}
}

// forsake deletes the Secret and reports the deletion.
func (b *bench) forsake(t *testing.T) {
	t.Helper()
	if err := b.kube.Delete(t.Context(), secret("a", "own", "")); err != nil {
		t.Fatal(err)
	}
	b.Forget(ownSecret())
}

// slow makes reads of Secrets report what they found, and holds them until they are let go.
type slow struct {
	found chan string
	let   chan struct{}
}

func (s slow) reader(kube client.WithWatch) client.Reader {
	return interceptor.NewClient(kube, interceptor.Funcs{
		Get: func(ctx context.Context, c client.WithWatch, k client.ObjectKey, o client.Object, opts ...client.GetOption) error {
			err := c.Get(ctx, k, o, opts...)
			if sec, ok := o.(*corev1.Secret); ok {
				s.found <- string(sec.Data["credentials"])
				<-s.let
			}
			return err
		},
	})
}

// TestAReadThatAChangeOvertook changes a Secret between a read of it and the use of that read. A
// caller that comes after the change must not get the old credential.
func TestAReadThatAChangeOvertook(t *testing.T) {
	b := newBench(t, secret("a", "own", "old-token"))
	s := slow{make(chan string), make(chan struct{})}
	b.o.Secrets = s.reader(b.kube)
	open := func() <-chan string {
		got := make(chan string, 1)
		go func() {
			session, err := b.Open(t.Context(), FromProviderConfig(providerConfig("a", "own")))
			if err != nil {
				t.Error(err)
				got <- ""
				return
			}
			got <- session.Client.Fingerprint()
		}()
		return got
	}
	is := cloudflare.NewToken("new-token").Fingerprint(nil)

	before := open()
	if v := <-s.found; v != "old-token" {
		t.Fatalf("the first read found %q", v)
	}
	b.rotate(t, "new-token")
	b.Forget(ownSecret())
	after := open()
	if v := <-s.found; v != "new-token" {
		t.Fatalf("who came after the change shares a read that found %q", v)
	}
	// Both reads end. The one that began later may end first or last.
	s.let <- struct{}{}
	s.let <- struct{}{}
	<-before
	if got := <-after; got != is {
		t.Error("who came after the change got the old credential")
	}
	select {
	case got := <-open():
		if got != is {
			t.Error("the read that was overtaken replaced the one that was not")
		}
	case <-s.found:
		t.Error("a credential that is up to date is read again")
	}
}

// TestAnOvertakenReadIsNotKept is the same without a caller in between.
func TestAnOvertakenReadIsNotKept(t *testing.T) {
	b := newBench(t, secret("a", "own", "old-token"))
	s := slow{make(chan string), make(chan struct{})}
	fast := b.o.Secrets
	b.o.Secrets = s.reader(b.kube)
	done := make(chan struct{})
	go func() {
		defer close(done)
		_, _ = b.Open(t.Context(), FromProviderConfig(providerConfig("a", "own")))
	}()
	<-s.found
	b.rotate(t, "new-token")
	b.Forget(ownSecret())
	s.let <- struct{}{}
	<-done
	b.o.Secrets = fast
	if got := b.open(t, providerConfig("a", "own")).Fingerprint(); got != cloudflare.NewToken("new-token").Fingerprint(nil) {
		t.Error("what was read before the change is used for 30 seconds")
	}
}

// standing returns why a client makes no calls for users, and why it makes none for sweeps.
func standing(t *testing.T, c *cloudflare.Client) (users, sweeps error) {
	t.Helper()
	call := func(ctx context.Context) error {
		_, err := c.FindZones(ctx, "example.com", "", false)
		for _, known := range []error{cloudflare.ErrReplaced, cloudflare.ErrWithdrawn} {
			if errors.Is(err, known) {
				return known
			}
		}
		return err
	}
	return call(t.Context()), call(cloudflare.ForSweep(t.Context()))
}

// generation returns a config at that generation.
func generation(pc *v1alpha1.ProviderConfig, g int64, secretName string) *v1alpha1.ProviderConfig {
	pc.UID, pc.Generation = "uid", g
	pc.Spec.Credentials.SecretRef.Name = secretName
	return pc
}

func TestAReplacedCredentialIsUsedNoMore(t *testing.T) {
	own, other := func() *v1alpha1.ProviderConfig { return providerConfig("a", "own") }, func() *v1alpha1.ProviderConfig { return limited("a", "other", 300) }
	forward := func(t *testing.T, b *bench) {
		t.Helper()
		b.rotate(t, "new-token")
		b.Forget(ownSecret())
		b.open(t, own())
	}
	cases := []struct {
		reason string
		act    func(t *testing.T, b *bench)
		users  error
		sweeps error
	}{
		{"nothing happened", func(*testing.T, *bench) {}, nil, nil},
		{"the Secret holds another, and its config uses that", forward, cloudflare.ErrReplaced, cloudflare.ErrReplaced},
		{"the Secret is changed to what it was: white space is no change", func(t *testing.T, b *bench) {
			t.Helper()
			b.rotate(t, " "+token+"\n")
			b.Forget(ownSecret())
			b.open(t, own())
		}, nil, nil},
		{"another config uses the same credential", func(t *testing.T, b *bench) {
			t.Helper()
			b.open(t, other())
			forward(t, b)
		}, nil, nil},
		{"and leaves it, too", func(t *testing.T, b *bench) {
			t.Helper()
			b.open(t, other())
			forward(t, b)
			if err := b.kube.Update(t.Context(), secret("a", "other", "new-token")); err != nil {
				t.Fatal(err)
			}
			b.Forget(types.NamespacedName{Namespace: "a", Name: "other"})
			b.open(t, other())
		}, cloudflare.ErrReplaced, cloudflare.ErrReplaced},
		{"the old credential is put back", func(t *testing.T, b *bench) {
			t.Helper()
			forward(t, b)
			b.rotate(t, token)
			b.Forget(ownSecret())
			b.open(t, own())
		}, nil, nil},
		{"the Secret is deleted", func(t *testing.T, b *bench) {
			t.Helper()
			b.forsake(t)
			_, err := b.Open(t.Context(), FromProviderConfig(own()))
			if !kerrors.IsNotFound(err) {
				t.Errorf("got %v", err)
			}
		}, nil, cloudflare.ErrWithdrawn},
		{"the Secret is deleted, and an object of the config is", func(t *testing.T, b *bench) {
			t.Helper()
			b.forsake(t)
			_, _ = b.Open(t.Context(), FromProviderConfig(own()))
			if _, err := b.For(t.Context(), deleted(record("a", "ProviderConfig", "own"))); err != nil {
				t.Errorf("the object cannot be cleaned up: %v", err)
			}
		}, nil, cloudflare.ErrWithdrawn},
		{"the Secret is deleted and made again", func(t *testing.T, b *bench) {
			t.Helper()
			b.forsake(t)
			_, _ = b.Open(t.Context(), FromProviderConfig(own()))
			if err := b.kube.Create(t.Context(), secret("a", "own", token)); err != nil {
				t.Fatal(err)
			}
			b.open(t, own())
		}, nil, nil},
		{"the Secret cannot be read for the moment", func(t *testing.T, b *bench) {
			t.Helper()
			b.Forget(ownSecret())
			b.failRead = errors.New("down")
			_, _ = b.Open(t.Context(), FromProviderConfig(own()))
		}, nil, nil},
		{"the Secret has another key", func(t *testing.T, b *bench) {
			t.Helper()
			sec := secret("a", "own", "")
			sec.Data = map[string][]byte{"another": []byte(token)}
			if err := b.kube.Update(t.Context(), sec); err != nil {
				t.Fatal(err)
			}
			b.Forget(ownSecret())
			_, _ = b.Open(t.Context(), FromProviderConfig(own()))
		}, nil, cloudflare.ErrWithdrawn},
		{"the Secret is broken", func(t *testing.T, b *bench) {
			t.Helper()
			b.rotate(t, "not a token")
			b.Forget(ownSecret())
			if _, err := b.Open(t.Context(), FromProviderConfig(own())); err == nil {
				t.Error("a broken credential was used")
			}
		}, nil, cloudflare.ErrWithdrawn},
		{"the config names another Secret", func(t *testing.T, b *bench) {
			t.Helper()
			b.open(t, generation(own(), 1, "own"))
			b.open(t, generation(own(), 2, "next"))
		}, cloudflare.ErrReplaced, cloudflare.ErrReplaced},
		{"and somebody comes with the config as it was before", func(t *testing.T, b *bench) {
			t.Helper()
			b.open(t, generation(own(), 1, "own"))
			next := b.open(t, generation(own(), 2, "next"))
			b.open(t, generation(own(), 1, "own"))
			if users, sweeps := standing(t, next); users != nil || sweeps != nil {
				t.Errorf("the credential in use was given up: %v, %v", users, sweeps)
			}
		}, cloudflare.ErrReplaced, cloudflare.ErrReplaced},
		{"the config was deleted and made again", func(t *testing.T, b *bench) {
			t.Helper()
			b.open(t, generation(own(), 7, "next"))
			again := generation(own(), 1, "own")
			again.UID = "another"
			b.open(t, again)
		}, nil, nil},
	}
	for _, tc := range cases {
		t.Run(tc.reason, func(t *testing.T) {
			b := newBench(t, own(), secret("a", "own", token), secret("a", "other", token), secret("a", "next", "next-token"))
			b.o.Client.Transport = cloud{status: 200, body: `{"success":true,"result":[]}`}
			c := b.open(t, own())
			tc.act(t, b)
			//nolint:errorlint // These very errors, or none.
			if users, sweeps := standing(t, c); users != tc.users || sweeps != tc.sweeps {
				t.Errorf("%s: the old credential gives users %v and sweeps %v, want %v and %v", tc.reason, users, sweeps, tc.users, tc.sweeps)
			}
		})
	}
}
