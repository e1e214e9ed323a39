// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package kinds

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/crossplane/crossplane-runtime/v2/pkg/meta"
	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/ptr"
	"sigs.k8s.io/controller-runtime/pkg/client"

	iamv1alpha1 "github.com/provider-cloudflare/provider-cloudflare/apis/iam/v1alpha1"
	cfv1alpha1 "github.com/provider-cloudflare/provider-cloudflare/apis/v1alpha1"
	"github.com/provider-cloudflare/provider-cloudflare/internal/kind"
	"github.com/provider-cloudflare/provider-cloudflare/internal/kinds/iam"
	"github.com/provider-cloudflare/provider-cloudflare/test/harness"
	"github.com/provider-cloudflare/provider-cloudflare/test/leak"
	"github.com/provider-cloudflare/provider-cloudflare/test/simulator"
)

// tokenWorld returns a world for a token whose connection secret is not restored after its
// loss.
func tokenWorld(t *testing.T) (*world, *iamv1alpha1.AccountToken) {
	t.Helper()
	w := newWorld(t, iam.AccountToken())
	mg, ok := w.example.(*iamv1alpha1.AccountToken)
	if !ok {
		t.Fatalf("the example is %T", w.example)
	}
	mg.Spec.SecretPolicy = cfv1alpha1.KeepSecret
	return w, mg
}

func TestTokenSecretHasTheKeysOfS3(t *testing.T) {
	inParallel(t, func(t *testing.T) {
		w, mg := tokenWorld(t)
		mg.Spec.Preset = ptr.To("r2-eu")
		w.apply()
		s := w.secret(mg.GetConnectionSecretName())
		sum := sha256.Sum256(s.Data["token"])
		for key, want := range map[string]string{
			"accessKeyId":     meta.GetExternalName(mg),
			"secretAccessKey": hex.EncodeToString(sum[:]),
			"endpoint":        "https://" + w.account.ID + ".eu.r2.cloudflarestorage.com",
			"credentials":     "[default]\naws_access_key_id=" + meta.GetExternalName(mg) + "\naws_secret_access_key=" + hex.EncodeToString(sum[:]) + "\n",
		} {
			if got := string(s.Data[key]); got != want {
				t.Errorf("%s has %d bytes and is not what is wanted", key, len(got))
			}
		}
		if got := w.status(string(s.Data["token"])); got != "active" {
			t.Errorf("the token in the Secret is %q", got)
		}
		w.nowhere(string(s.Data["token"]), string(s.Data["secretAccessKey"]))
	})
}

func TestSecretOfSomebodyElse(t *testing.T) {
	inParallel(t, func(t *testing.T) {
		w, mg := tokenWorld(t)
		mg.Spec.SecretPolicy = cfv1alpha1.RollSecretIfMissing
		theirs := &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Namespace: w.ns, Name: mg.GetConnectionSecretName()}, StringData: map[string]string{"token": "theirs-and-no-token"}}
		w.Create(theirs)
		w.Create(mg)
		w.Says(mg, xpv2.TypeSynced, w.ns+"/"+theirs.Name, "does not belong to this object")
		w.is(0)
		if got := string(w.secret(theirs.Name).Data["token"]); got != "theirs-and-no-token" {
			t.Error("the Secret of somebody else was overwritten")
		}
		w.Delete(theirs)
		w.Settled(mg)
		w.is(1)
		w.putBack(mg, "theirs-and-no-token")
	})
}

// putBack replaces the Secret of the object by a Secret that the object does not control.
// The token is not rolled.
func (w *world) putBack(mg *iamv1alpha1.AccountToken, value string) {
	w.T.Helper()
	w.Delete(w.secret(mg.GetConnectionSecretName()))
	rolls := w.rolls()
	w.Create(&corev1.Secret{ObjectMeta: metav1.ObjectMeta{Namespace: w.ns, Name: mg.GetConnectionSecretName()}, StringData: map[string]string{"token": value}})
	w.Eventually(func() error {
		if got := w.secret(mg.GetConnectionSecretName()).Data["token"]; string(got) != value && w.rolls() == rolls {
			return errors.New("the Secret is neither theirs nor a new one")
		}
		return nil
	})
}

func TestLostAnswerOfAToken(t *testing.T) {
	inParallel(t, func(t *testing.T) {
		w, mg := tokenWorld(t)
		w.sim.AddFault(simulator.Fault{Kind: simulator.FaultResetAfter, Method: http.MethodPost, Path: w.collection(), Token: w.token})
		w.Create(mg)
		w.Says(mg, xpv2.TypeReady, "only once", "spec.secretPolicy", "RollIfMissing")
		w.is(1)
		w.lists(3)
		if n := w.rolls(); n != 0 {
			t.Errorf("the token was rolled %d times under Keep", n)
		}
		harness.Edit(w.Objects, client.Object(mg), func(o client.Object) { setSecretPolicy(w, o) })
		w.Settled(mg)
		token := string(w.secret(mg.GetConnectionSecretName()).Data["token"])
		if got := w.status(token); got != "active" {
			t.Errorf("the token in the Secret is %q", got)
		}
		w.lists(3)
		if n := w.rolls(); n != 1 {
			t.Errorf("the token was rolled %d times, want 1", n)
		}
		w.is(1)
		w.nowhere(token)
	})
}

// TestLostAnswerOfASecondToken deletes a token as another client, and loses the answer to
// the creation of the next one. The value in the Secret is that of the first token.
func TestLostAnswerOfASecondToken(t *testing.T) {
	inParallel(t, func(t *testing.T) {
		w, mg := tokenWorld(t)
		w.apply()
		first, id := w.secret(mg.GetConnectionSecretName()), meta.GetExternalName(mg)
		w.sim.AddFault(simulator.Fault{Kind: simulator.FaultResetAfter, Method: http.MethodPost, Path: w.collection(), Token: w.token})
		w.editStored(id, nil)
		w.Says(mg, xpv2.TypeReady, "only once", "spec.secretPolicy", "RollIfMissing")
		if meta.GetExternalName(mg) == id {
			t.Error("the object has the ID of the first token")
		}
		harness.Edit(w.Objects, client.Object(mg), func(o client.Object) { setSecretPolicy(w, o) })
		w.Settled(mg)
		second := w.secret(mg.GetConnectionSecretName())
		if bytes.Equal(second.Data["token"], first.Data["token"]) || w.status(string(second.Data["token"])) != "active" {
			t.Error("the Secret does not have the value of the second token")
		}
		w.is(1)
	})
}

// TestRenamedSecretRollsNothing changes the name of the connection secret. The token is
// not rolled, and its value stays valid.
func TestRenamedSecretRollsNothing(t *testing.T) {
	inParallel(t, func(t *testing.T) {
		w, mg := tokenWorld(t)
		mg.Spec.SecretPolicy = cfv1alpha1.RollSecretIfMissing
		w.apply()
		first := w.secret(mg.GetConnectionSecretName())
		harness.Edit(w.Objects, mg, func(mg *iamv1alpha1.AccountToken) { mg.Spec.WriteConnectionSecretToReference.Name = "another" })
		w.Eventually(func() error {
			if got := w.secret("another").Data["token"]; !bytes.Equal(got, first.Data["token"]) {
				return fmt.Errorf("the new Secret has %d bytes", len(got))
			}
			return nil
		})
		w.Settled(mg)
		w.lists(2)
		if n := w.rolls(); n != 0 {
			t.Errorf("the token was rolled %d times", n)
		}
	})
}

func TestDeletedSecretOfAToken(t *testing.T) {
	inParallel(t, func(t *testing.T) {
		w, mg := tokenWorld(t)
		w.apply()
		first := w.secret(mg.GetConnectionSecretName())
		w.Delete(first)
		w.Says(mg, xpv2.TypeReady, "only once", "token")
		if n := w.rolls(); n != 0 {
			t.Errorf("the token was rolled %d times under Keep", n)
		}
		harness.Edit(w.Objects, client.Object(mg), func(o client.Object) { setSecretPolicy(w, o) })
		w.Settled(mg)
		second := w.secret(mg.GetConnectionSecretName())
		if bytes.Equal(second.Data["token"], first.Data["token"]) || w.status(string(second.Data["token"])) != "active" {
			t.Error("the Secret does not have a new token that works")
		}
		if bytes.Equal(second.Data["secretAccessKey"], first.Data["secretAccessKey"]) {
			t.Error("the S3 key is that of the old token")
		}
		w.lists(3)
		if n := w.rolls(); n != 1 {
			t.Errorf("the token was rolled %d times, want 1", n)
		}
		w.nowhere(string(first.Data["token"]), string(second.Data["token"]))
	})
}

func TestWrongNameOfAPermissionGroup(t *testing.T) {
	inParallel(t, func(t *testing.T) {
		w, mg := tokenWorld(t)
		mg.Spec.ForProvider.Policies[0].PermissionGroups[0].Name = ptr.To("Workers R2 Storage Writ")
		w.Create(mg)
		w.Says(mg, xpv2.TypeSynced, `there is no permission group with name "Workers R2 Storage Writ"`, `"Workers R2 Storage Write"`)
		w.is(0)
		harness.Edit(w.Objects, mg, func(mg *iamv1alpha1.AccountToken) {
			mg.Spec.ForProvider.Policies[0].PermissionGroups[0].Name = ptr.To("Workers R2 Storage Write")
		})
		w.Settled(mg)
		lists := w.asked(func(r simulator.LoggedRequest) bool { return strings.HasSuffix(r.Path, "/permission_groups") })
		if lists != 1 {
			t.Errorf("the permission groups were listed %d times, want once for all", lists)
		}
	})
}

func TestOwnTokenIsNotDeleted(t *testing.T) {
	inParallel(t, func(t *testing.T) {
		w, mg := tokenWorld(t)
		group := mg.Spec.ForProvider.Policies[0].PermissionGroups[0]
		for _, name := range []string{"Account API Tokens Write", "Account API Tokens Read"} {
			g := group
			g.Name = ptr.To(name)
			mg.Spec.ForProvider.Policies[0].PermissionGroups = append(mg.Spec.ForProvider.Policies[0].PermissionGroups, g)
		}
		mg.Spec.ForProvider.Policies[0].Resources = nil
		raw := fmt.Sprintf(`{"com.cloudflare.api.account.%s":"*"}`, w.account.ID)
		if err := json.Unmarshal([]byte(raw), &mg.Spec.ForProvider.Policies[0].Resources); err != nil {
			t.Fatal(err)
		}
		w.apply()
		token := w.secret(mg.GetConnectionSecretName()).Data["token"]
		credential := w.secret("cloudflare")
		old := credential.Data["token"]
		harness.Edit(w.Objects, credential, func(s *corev1.Secret) { s.Data["token"] = token })
		w.Delete(mg)
		w.Says(mg, xpv2.TypeSynced, "is the one that the provider config uses")
		w.is(1)
		harness.Edit(w.Objects, credential, func(s *corev1.Secret) { s.Data["token"] = old })
		w.Gone(mg, func() string { return harness.Conditions(mg) })
		w.is(0)
	})
}

// secret returns a Secret of this world.
func (w *world) secret(name string) *corev1.Secret {
	w.T.Helper()
	s := &corev1.Secret{}
	w.Eventually(func() error { return w.kube.Get(w.T.Context(), client.ObjectKey{Namespace: w.ns, Name: name}, s) })
	return s
}

// rolls counts the calls that make a new value of a token.
func (w *world) rolls() int {
	return w.asked(func(r simulator.LoggedRequest) bool {
		return r.Method == http.MethodPut && strings.HasSuffix(r.Path, "/value")
	})
}

// status returns the status that the API shows for a token of an account.
func (w *world) status(token string) string {
	w.T.Helper()
	return kind.Text(w.callAs(token, http.MethodGet, "/accounts/"+w.account.ID+"/tokens/verify"), "result.status")
}

func setSecretPolicy(w *world, o client.Object) {
	w.T.Helper()
	mg, ok := o.(*iamv1alpha1.AccountToken)
	if !ok {
		w.T.Fatalf("%T has no such field", o)
	}
	mg.Spec.SecretPolicy = cfv1alpha1.RollSecretIfMissing
}

// nowhere fails the test if a secret is in the object, an event or the log.
func (w *world) nowhere(secrets ...string) {
	w.T.Helper()
	known, out := &leak.Secrets{}, &leak.Record{}
	for _, s := range secrets {
		if s == "" {
			w.T.Error("there is no secret to look for")
			continue
		}
		known.AddCredential(s)
	}
	if err := w.Get(w.example); err != nil {
		w.T.Fatal(err)
	}
	events := &corev1.EventList{}
	if err := w.kube.List(w.T.Context(), events, client.InNamespace(w.ns)); err != nil {
		w.T.Fatal(err)
	}
	for place, v := range map[string]any{"object": w.example, "events": events} {
		raw, err := json.Marshal(v)
		if err != nil {
			w.T.Fatal(err)
		}
		out.Keep(place, string(raw))
	}
	for _, line := range w.logs.all() {
		out.Keep("log", line)
	}
	for _, found := range out.Search(known) {
		w.T.Error(found.String())
	}
}

// resolved returns a document with the IDs of the resources that it names.
func (w *world) resolved(doc kind.Document) kind.Document {
	w.T.Helper()
	for path, l := range w.d.Lookups(doc) {
		op, _ := kind.ParseOperation(l.Operation)
		at, err := op.Expand(w.params())
		if err != nil {
			w.T.Fatal(err)
		}
		if w.rows[l.Operation] == nil { // The API limits the rate of these requests.
			rows, _ := w.callAs(w.token, op.Method, at)["result"].([]any)
			w.rows = map[string][]any{l.Operation: rows}
		}
		if err := l.Resolve(doc, path, w.rows[l.Operation]); err != nil {
			w.T.Fatal(err)
		}
	}
	return doc
}

// callAs makes a call at the simulator with a token, and returns its answer.
func (w *world) callAs(token, method, path string) map[string]any {
	w.T.Helper()
	r, err := http.NewRequestWithContext(w.T.Context(), method, w.url+path, http.NoBody)
	if err != nil {
		w.T.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer "+token)
	resp, err := w.client().Do(r)
	if err != nil {
		w.T.Fatal(err)
	}
	defer func() { _ = resp.Body.Close() }()
	out := map[string]any{}
	if err := json.NewDecoder(resp.Body).Decode(&out); err != nil {
		w.T.Fatal(err)
	}
	return out
}
