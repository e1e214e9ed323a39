// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package kinds

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/crossplane/crossplane-runtime/v2/pkg/meta"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/ptr"

	tunnelv1alpha1 "github.com/provider-cloudflare/provider-cloudflare/apis/tunnel/v1alpha1"
	cfv1alpha1 "github.com/provider-cloudflare/provider-cloudflare/apis/v1alpha1"
	"github.com/provider-cloudflare/provider-cloudflare/internal/controller/described"
	"github.com/provider-cloudflare/provider-cloudflare/internal/kind"
	"github.com/provider-cloudflare/provider-cloudflare/internal/kinds"
	"github.com/provider-cloudflare/provider-cloudflare/internal/kinds/tunnel"
	"github.com/provider-cloudflare/provider-cloudflare/internal/kinds/turnstile"
	"github.com/provider-cloudflare/provider-cloudflare/test/harness"
	"github.com/provider-cloudflare/provider-cloudflare/test/simulator"
)

// TestInputFromASecret changes the Secret that a value comes from. The provider has to watch it: a sweep does
// not requeue an object whose resource is unchanged, and the next poll is an hour away.
func TestInputFromASecret(t *testing.T) {
	inParallel(t, func(t *testing.T) {
		w := newWorld(t, tunnel.Tunnel())
		mg, ok := w.example.(*tunnelv1alpha1.Tunnel)
		if !ok {
			t.Fatalf("the example is %T", w.example)
		}
		first := base64.StdEncoding.EncodeToString([]byte("the first password of this tunnel"))
		second := base64.StdEncoding.EncodeToString([]byte("the second password of this tunnel"))
		s := &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Namespace: w.ns, Name: "password"}, StringData: map[string]string{"value": first}}
		w.Create(s)
		mg.Spec.ForProvider.ConfigSrc = ptr.To("local")
		mg.Spec.ForProvider.TunnelSecretRef = &cfv1alpha1.SecretKeyReference{Name: "password", Key: "value"}
		w.apply()
		w.lists(3)
		if n := w.sent(http.MethodPatch); n != 0 {
			t.Errorf("a password that was sent by the creation was sent again %d times", n)
		}
		harness.Edit(w.Objects, s, func(s *corev1.Secret) { s.Data["value"] = []byte(second) })
		w.Eventually(func() error {
			if n := w.sent(http.MethodPatch); n != 1 {
				return fmt.Errorf("the new password was sent %d times", n)
			}
			return nil
		})
		w.Settled(mg)
		w.lists(3)
		if n := w.sent(http.MethodPatch); n != 1 {
			t.Errorf("the new password was sent %d times, want once", n)
		}
		if got := tunnelPassword(w); got != second {
			t.Errorf("the connection secret has another password than the new one, of %d bytes", len(got))
		}
		w.publishesLive(mg)
		w.nowhere(first, second)
	})
}

// tunnelPassword returns the password in the connection secret of a tunnel.
func tunnelPassword(w *world) string {
	w.T.Helper()
	var file struct{ TunnelSecret string }
	if err := json.Unmarshal(w.secret(w.example.GetConnectionSecretName()).Data["credentials.json"], &file); err != nil {
		w.T.Fatal(err)
	}
	return file.TunnelSecret
}

// TestConnectionSecretStays observes a resource repeatedly. Its connection secret is complete at once, and is
// not written again.
func TestConnectionSecretStays(t *testing.T) {
	t.Parallel()
	for _, d := range kinds.All() {
		if len(d.Details) == 0 {
			continue
		}
		t.Run(d.Name, func(t *testing.T) {
			inParallel(t, func(t *testing.T) {
				w := newWorld(t, d)
				name := w.apply().GetConnectionSecretName()
				if name == "" {
					return // The example has none.
				}
				before := w.secret(name)
				w.lists(3)
				w.Settled(w.example)
				if after := w.secret(name); after.ResourceVersion != before.ResourceVersion {
					t.Errorf("the Secret had %d keys and has %d, after looks at a resource that nobody changed", len(before.Data), len(after.Data))
				}
			})
		})
	}
}

// TestSecretRotatedElsewhere rotates the secret of a widget outside the provider. The connection secret has
// the new one, once a sweep shows that the widget was changed.
func TestSecretRotatedElsewhere(t *testing.T) {
	inParallel(t, func(t *testing.T) {
		w := newWorld(t, turnstile.TurnstileWidget())
		mg := w.apply()
		s := mg.GetConnectionSecretName()
		if s == "" {
			t.Fatal("the example has no connection secret")
		}
		first := string(w.secret(s).Data["secret"])
		w.editStored(meta.GetExternalName(mg), func(doc map[string]any) {
			doc["secret"], doc["modified_on"] = "0x-rotated-elsewhere", time.Now().Add(time.Minute).UTC().Format(time.RFC3339)
		})
		w.Eventually(func() error {
			if got := string(w.secret(s).Data["secret"]); got == first || got != "0x-rotated-elsewhere" {
				return errors.New("the connection secret has the secret of before")
			}
			return nil
		})
		w.Settled(mg)
	})
}

func TestEditedConnectionSecret(t *testing.T) {
	t.Parallel()
	for name, edit := range map[string]func(s *corev1.Secret){
		"Nonsense": func(s *corev1.Secret) { s.Data["token"] = []byte("bm9uc2Vuc2U=") },
		"NoBase64": func(s *corev1.Secret) { s.Data["token"] = []byte("%nothing that could be decoded%") },
		"Empty":    func(s *corev1.Secret) { delete(s.Data, "token") },
		"Derived": func(s *corev1.Secret) {
			s.Data["credentials.json"] = []byte(`{"TunnelSecret":"not-the-one-of-this-tunnel"}`)
		},
	} {
		t.Run(name, func(t *testing.T) {
			inParallel(t, func(t *testing.T) {
				w := newWorld(t, tunnel.Tunnel())
				mg := w.apply()
				w.publishesLive(mg)
				before := w.fetches()
				s := w.secret(mg.GetConnectionSecretName())
				harness.Edit(w.Objects, s, edit)
				w.publishesLive(mg)
				w.Settled(mg)
				w.lists(3)
				if n := w.fetches() - before; n > 1 {
					t.Errorf("the token was fetched %d times to repair one edit", n)
				}
			})
		})
	}
}

// publishesLive waits until the connection secret has the values that Cloudflare shows now.
func (w *world) publishesLive(mg described.Object) {
	w.T.Helper()
	if mg.GetConnectionSecretName() == "" {
		return
	}
	w.Eventually(func() error {
		if err := w.Get(mg); err != nil {
			return err
		}
		id := meta.GetExternalName(mg)
		have := w.secret(mg.GetConnectionSecretName()).Data
		for _, d := range w.d.Details {
			want := kind.Text(w.raw(id), d.Path)
			if d.From != "" {
				want = w.fetch(d.From, id)
			}
			if !d.Once && want != "" && string(have[d.Key]) != want {
				return fmt.Errorf("%s in the connection secret is not what Cloudflare shows: %s", d.Key, harness.Conditions(mg))
			}
		}
		return nil
	})
}

// fetch returns the text that an operation on a resource returns to another client.
func (w *world) fetch(operation, id string) string {
	w.T.Helper()
	op, _ := kind.ParseOperation(operation)
	params := w.params()
	params[op.Parameters()[len(op.Parameters())-1]] = id
	at, err := op.Expand(params)
	if err != nil {
		w.T.Fatal(err)
	}
	if w.reader == "" {
		w.reader = w.sim.AddToken(simulator.TokenOptions{Grants: []simulator.Grant{{Account: w.account.ID, Permission: simulator.Everything}}})
	}
	return kind.Text(w.callAs(w.reader, op.Method, at), "result")
}

// fetches counts the calls that get a value for the connection secret.
func (w *world) fetches() int {
	return w.asked(func(r simulator.LoggedRequest) bool {
		return r.Method == http.MethodGet && strings.HasSuffix(r.Path, "/token")
	})
}
