// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package described

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/crossplane/crossplane-runtime/v2/pkg/meta"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	cfv1alpha1 "github.com/provider-cloudflare/provider-cloudflare/apis/v1alpha1"
	"github.com/provider-cloudflare/provider-cloudflare/internal/keyed"
	"github.com/provider-cloudflare/provider-cloudflare/internal/kind"
)

// A keeper is an object that is well and whose status has hashes of secrets.
type keeper struct {
	*stage

	e entry
}

// keepers runs test for each kind whose status has hashes after the object's first looks. The object has a connection
// secret if the kind has details.
func keepers(t *testing.T, test func(k *keeper)) {
	t.Helper()
	var n atomic.Int32
	t.Run("kinds", func(t *testing.T) {
		for _, e := range roster() {
			names := []string{e.GVK.Kind}
			if e.GVK.Kind == "Tunnel" {
				names = append(names, withPassword)
			}
			for _, name := range names {
				t.Run(name, func(t *testing.T) {
					t.Parallel()
					if k := newKeeper(t, e, name == withPassword); len(k.hashes()) > 0 {
						n.Add(1)
						test(k)
					}
				})
			}
		}
	})
	if n.Load() < 10 {
		t.Errorf("the statuses of %d kinds have hashes, fewer than there were", n.Load())
	}
}

// withPassword names a Tunnel that has both an input and details.
const withPassword = "Tunnel with a password"

func newKeeper(t *testing.T, e entry, password bool) *keeper {
	t.Helper()
	s := newStage(t, e)
	edits := []string{`{"spec":{"secretPolicy":"RollIfMissing"}}`, `{"spec":{"writeConnectionSecretToRef":{"name":"` + outSecret + `"}}}`}
	if password {
		edits = append(edits, `{"spec":{"forProvider":{"configSrc":"local","tunnelSecretRef":{"name":"password","key":"value"}}}}`)
		must(t, s.server.Create(t.Context(), &corev1.Secret{
			ObjectMeta: metav1.ObjectMeta{Namespace: s.key.Namespace, Name: "password"},
			Data:       map[string][]byte{"value": []byte("dGhlIHBhc3N3b3JkIG9mIHRoaXMgdHVubmVsLCBpbiBiYXNlNjQ=")},
		}))
	}
	mg := s.read(s.kind, s.key)
	for _, edit := range edits {
		must(t, json.Unmarshal([]byte(edit), mg))
	}
	must(t, s.server.Update(t.Context(), mg))
	s.settle(s.kind, s.key)
	for range 2 {
		s.reconcile(s.kind, s.key)
	}
	return &keeper{s, e}
}

// hashes returns the hashes of secrets on the status.
func (k *keeper) hashes() []cfv1alpha1.FieldHash {
	sync := k.read(k.kind, k.key).GetSync()
	return slices.DeleteFunc(slices.Concat(sync.Secrets, sync.Details), func(h cfv1alpha1.FieldHash) bool { return k.digest(h.Path) })
}

func (k *keeper) digest(path string) bool {
	u := k.e.Description.Upload
	return u != nil && u.Digest == path
}

// sealedBy fails the test if a hash on the status is not sealed with that key.
func (k *keeper) sealedBy(key keyed.Key) {
	k.t.Helper()
	for _, h := range k.hashes() {
		if !strings.HasPrefix(h.Hash, key.ID()+".") {
			k.t.Errorf("the hash of %s is %s, which has another seal", h.Path, h.Hash)
		}
	}
}

// out returns the data of the connection secret.
func (k *keeper) out(name string) map[string][]byte {
	k.t.Helper()
	s := &corev1.Secret{}
	must(k.t, client.IgnoreNotFound(k.server.Get(k.t.Context(), client.ObjectKey{Namespace: k.key.Namespace, Name: name}, s)))
	return s.Data
}

// restart restarts the provider and looks at the object a few times. It returns what each look sent, and how many
// calls fetched a value for the connection secret that no look returns.
func (k *keeper) restart() (sent [][]string, fetched int) {
	k.t.Helper()
	k.inner[k.kind] = k.reconciler(k.e)
	for range 4 {
		k.reconcile(k.kind, k.key)
		var calls []string
		for _, a := range k.log {
			if a.writes() {
				calls = append(calls, a.what)
			}
			for _, d := range k.e.Description.Details {
				if d.From != "" && d.From != k.e.Description.Read && strings.HasSuffix(a.what, lastSegment(d.From)) {
					fetched++
				}
			}
		}
		sent = append(sent, calls)
	}
	return sent, fetched
}

// lastSegment returns the last segment of the path of an operation.
func lastSegment(operation string) string { return operation[strings.LastIndex(operation, "/")+1:] }

// earlierHash returns a hash in the form of versions before this one.
func earlierHash(salt, path, value string) string {
	sum := sha256.Sum256([]byte(salt + "\x00" + path + "\x00" + value))
	return base64.RawURLEncoding.EncodeToString(sum[:])
}

// TestNoValueCanBeTried checks, for each kind, that a user who can read an object but not its Secrets can try no
// value against a hash on its status: neither with the salt, nor with an object of the user's own that has the same
// salt.
func TestNoValueCanBeTried(t *testing.T) {
	t.Parallel()
	keepers(t, func(k *keeper) {
		k.sealedBy(k.seals)
		mg := k.read(k.kind, k.key)
		status, err := json.Marshal(mg.GetSync())
		must(t, err)
		all := &corev1.SecretList{}
		must(k.t, k.server.List(k.t.Context(), all))
		for _, h := range k.hashes() {
			path, _, _ := strings.Cut(h.Path, "/")
			for i := range all.Items {
				for key, v := range all.Items[i].Data {
					for _, about := range []string{"", meta.GetExternalName(mg) + "\x00", "\x00"} {
						if guess := earlierHash(mg.GetSync().Salt, path, about+string(v)); strings.Contains(string(status), guess) {
							k.t.Errorf("the hash of %s shows that its value is that of %s", h.Path, key)
						}
					}
				}
			}
		}
		own, other := &adapter{described: &described{key: k.seals}, mg: mg}, &adapter{described: &described{key: k.seals}, mg: k.e.New()}
		if own.sealed("hash") == other.sealed("hash") {
			k.t.Error("the same value has the same hash on another object: whoever makes one can try values")
		}
	})
}

// asEarlier returns the status as the version before the seal left it.
func (k *keeper) asEarlier() *cfv1alpha1.SyncStatus {
	k.t.Helper()
	mg := k.read(k.kind, k.key)
	a := &adapter{described: k.described(k.e), mg: mg, session: k.session.Session, made: map[string]bool{}}
	must(k.t, a.Prepare(k.t.Context()))
	out := mg.GetSync().DeepCopy()
	var l Live
	if len(out.Details) > 0 {
		var err error
		l, err = a.coll.Look(k.t.Context(), meta.GetExternalName(mg))
		must(k.t, err)
	}
	about := l.id
	if at := l.changedOn(); at != "" {
		about += "\x00" + at
	}
	for i, h := range out.Secrets {
		for _, in := range a.inputs {
			if in.path == h.Path {
				out.Secrets[i].Hash = earlierHash(out.Salt, in.path, in.value)
			}
		}
		about += "\x00" + h.Path + "\x00" + out.Secrets[i].Hash
	}
	details := map[string]kind.Detail{}
	for _, d := range k.e.Description.Details {
		details[d.Key] = d
	}
	for i, h := range out.Details {
		key, alone := strings.CutSuffix(h.Path, valueAlone)
		of := about
		switch {
		case alone:
			of = ""
		case details[key].Once:
			of = l.id
		}
		out.Details[i].Hash = earlierHash(out.Salt, key, of+"\x00"+string(a.published[key]))
	}
	return out
}

// TestUpgradeSealsHashes checks that the hashes of an earlier version stay valid, and are sealed. Nothing is sent,
// and no value is fetched again.
func TestUpgradeSealsHashes(t *testing.T) {
	t.Parallel()
	keepers(t, func(k *keeper) {
		earlier, before := k.asEarlier(), k.out(outSecret)
		mg := k.read(k.kind, k.key)
		*mg.GetSync() = *earlier
		must(k.t, k.server.Status().Update(k.t.Context(), mg))
		if k.hashes()[0].Hash == "" || strings.Contains(k.hashes()[0].Hash, ".") {
			k.t.Fatalf("the status is not that of an earlier version: %v", k.hashes())
		}
		sent, fetched := k.restart()
		if calls := slices.Concat(sent...); len(calls) > 0 || fetched > 0 {
			k.t.Errorf("the upgrade sends %v, and fetches values %d times", calls, fetched)
		}
		k.sealedBy(k.seals)
		if after := k.out(outSecret); !maps.EqualFunc(before, after, bytes.Equal) {
			k.t.Errorf("the connection secret had %d keys, and has %d", len(before), len(after))
		}
		now := k.read(k.kind, k.key).GetSync()
		for i, h := range earlier.Secrets {
			if k.digest(h.Path) && now.Secrets[i] != h {
				k.t.Errorf("the digest of files was %v and is %v", h, now.Secrets[i])
			}
		}
	})
}

// TestLostKey checks that after the loss of the provider's key, inputs are sent once, and no value that is shown once
// is made again.
func TestLostKey(t *testing.T) {
	t.Parallel()
	keepers(t, func(k *keeper) {
		inputs := len(k.asEarlier().Secrets)
		k.seals = keyed.New([]byte("another key, for the first is lost"))
		before, name := k.out(outSecret), outSecret
		for _, rename := range []bool{false, true} {
			if rename {
				k.seals, name = keyed.New([]byte("a third key, for that is lost, too")), "renamed"
				mg := k.read(k.kind, k.key)
				must(k.t, json.Unmarshal([]byte(`{"spec":{"writeConnectionSecretToRef":{"name":"renamed"}}}`), mg))
				must(k.t, k.server.Update(k.t.Context(), mg))
			}
			looks, roll := 0, lastSegment(k.e.Description.Roll)
			sent, _ := k.restart()
			for _, calls := range sent {
				if len(calls) > 0 {
					looks++
				}
				if roll != "" && slices.ContainsFunc(calls, func(call string) bool { return strings.HasSuffix(call, "/"+roll) }) {
					k.t.Errorf("what is shown once is made again: %v", calls)
				}
			}
			if looks > min(inputs, 1) {
				k.t.Errorf("%d inputs are sent by %d looks", inputs, looks)
			}
			if d := k.e.Description; d.Shape != kind.Collection || d.Update != "" { // Only a creation sends the rest.
				k.sealedBy(k.seals)
			}
			if after := k.out(name); !maps.EqualFunc(before, after, bytes.Equal) {
				k.t.Errorf("the connection secret had %d keys, and has %d under the name %s", len(before), len(after), name)
			}
		}
	})
}
