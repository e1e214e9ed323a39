// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package described

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"testing"

	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"
	corev1 "k8s.io/api/core/v1"
	kerrors "k8s.io/apimachinery/pkg/api/errors"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/provider-cloudflare/provider-cloudflare/internal/kind"
)

// harmless returns, by kind, the keys of connection secrets that each user who may see the resource may see.
func harmless() map[string][]string {
	return map[string][]string{
		"AccessApplication":   {"aud", "clientId"},
		"AccessServiceToken":  {"clientId"},
		"AccountToken":        {"accessKeyId", "endpoint"},
		"DNSSEC":              {"algorithm", "digest", "digestType", "ds", "keyTag"},
		"OriginCACertificate": {"tls.crt"},
		"Tunnel":              {"accountId", "id"},
		"TurnstileWidget":     {"sitekey"},
		"UserToken":           {"accessKeyId", "endpoint"},
	}
}

// lookedUp returns, by kind, the secrets that a look at the resource shows to each observer.
func lookedUp() map[string][]string {
	return map[string][]string{"Tunnel": {"credentials.json", "token"}, "TurnstileWidget": {"secret"}}
}

// TestHarmlessDetails checks that the descriptions call public what this file lists as harmless.
func TestHarmlessDetails(t *testing.T) {
	got := map[string][]string{}
	for _, e := range roster() {
		for _, d := range e.Description.Details {
			if d.Public {
				got[e.GVK.Kind] = append(got[e.GVK.Kind], d.Key)
			}
		}
		slices.Sort(got[e.GVK.Kind])
		if len(e.Description.Details) > 0 && len(got[e.GVK.Kind]) == 0 {
			t.Errorf("%s: nothing of its connection secret is public", e.GVK.Kind)
		}
	}
	maps.DeleteFunc(got, func(_ string, keys []string) bool { return len(keys) == 0 })
	if want := harmless(); !maps.EqualFunc(got, want, slices.Equal) {
		t.Errorf("public are %v, want %v", got, want)
	}
}

// An observation is a second object beside one that has a resource. It has a connection secret and only observes.
type observation struct {
	*second

	owner client.ObjectKey
}

const outSecret = "out"

// observes runs test for each kind with connection details, with an object that observes the resource by its ID or
// its name.
func observes(t *testing.T, test func(o *observation)) {
	t.Helper()
	for _, e := range roster() {
		if len(e.Description.Details) == 0 {
			continue
		}
		_, never := e.Description.Excused["Adopted"]
		byName := e.Description.Shape == kind.Singleton || !never && len(e.Description.Natural) > 0
		for _, by := range []string{"ID", "name"} {
			if by == "name" && !byName {
				continue
			}
			t.Run(e.GVK.Kind+"/"+by, func(t *testing.T) {
				t.Parallel()
				o := &observation{second: newSecond(t, e)}
				o.owner = o.key
				owner := o.read(o.kind, o.key)
				for _, mg := range []Object{owner, o.own} {
					must(t, json.Unmarshal([]byte(`{"spec":{"writeConnectionSecretToRef":{"name":"`+outSecret+`"}}}`), mg))
				}
				must(t, o.server.Update(t.Context(), owner))
				o.look(false)
				var sp spelling
				if by == "ID" {
					sp.name = o.id
				}
				o.begin(1, sp, xpv2.ManagementPolicies{xpv2.ManagementActionObserve})
				test(o)
			})
		}
	}
}

// look restarts the provider and looks at the object. allowed is the setting of the provider config.
func (o *observation) look(allowed bool) {
	o.t.Helper()
	o.session.SecretsForObservers = allowed
	o.inner[o.kind], o.said = o.reconciler(o.e), nil
	for range 3 {
		o.reconcile(o.kind, o.key)
	}
	if said := o.read(o.kind, o.key).GetCondition(xpv2.TypeSynced); said.Status != corev1.ConditionTrue {
		o.t.Fatalf("the object of %s says %v", o.key, said.Message)
	}
}

// published returns the data of the connection secret in a namespace.
func (o *observation) published(namespace string) map[string][]byte {
	o.t.Helper()
	s := &corev1.Secret{}
	err := o.server.Get(o.t.Context(), client.ObjectKey{Namespace: namespace, Name: outSecret}, s)
	if !kerrors.IsNotFound(err) {
		must(o.t, err)
	}
	return s.Data
}

// harmless fails the test if the observer has a key, or a value of the owner, that is not harmless.
func (o *observation) harmless() {
	o.t.Helper()
	for key, v := range o.published(otherNamespace) {
		if !slices.Contains(harmless()[o.kind], key) {
			o.t.Errorf("who only observes gets %s", key)
		}
		for name, secret := range o.published(o.owner.Namespace) {
			if !slices.Contains(harmless()[o.kind], name) && len(secret) > 0 && bytes.Contains(v, secret) {
				o.t.Errorf("who only observes gets %s under %s", name, key)
			}
		}
	}
}

// heard reports whether an event with all of those words was seen since the last look.
func (o *observation) heard(words ...string) bool {
	return slices.ContainsFunc(o.said, func(said string) bool {
		return !slices.ContainsFunc(words, func(w string) bool { return !strings.Contains(said, w) })
	})
}

// TestSecretsAreForTheOwner checks, for each kind, that an object that only observes a resource gets none of its
// secrets, by its ID and by its name. If the provider config allows it, the object gets what a look shows. It loses
// that once the config does not allow it any more. What an earlier version published is removed at the upgrade. An
// event says so, once.
func TestSecretsAreForTheOwner(t *testing.T) {
	t.Parallel()
	observes(t, func(o *observation) {
		o.look(false)
		o.harmless()
		if got, want := o.heard(string(EventWithheld), "set spec.secretsForObservers to Publish"), len(lookedUp()[o.kind]) > 0; got != want {
			o.t.Errorf("an event says what is withheld: %t, want %t: %v", got, want, o.said)
		}
		o.look(true)
		for _, key := range lookedUp()[o.kind] {
			if got, want := o.published(otherNamespace)[key], o.published(o.owner.Namespace)[key]; len(want) == 0 || !bytes.Equal(got, want) {
				o.t.Errorf("where the provider config allows it, the observer has %d bytes of %s, the owner %d", len(got), key, len(want))
			}
		}
		o.look(false)
		o.harmless()
		withdrawn := len(lookedUp()[o.kind]) > 0
		if got := o.heard(string(EventWithdrawn), "make new ones at Cloudflare"); got != withdrawn {
			o.t.Errorf("an event says that secrets were removed: %t, want %t: %v", got, withdrawn, o.said)
		}
		if notes := o.read(o.kind, o.key).GetSync().Details; withdrawn && len(notes) > 0 {
			o.t.Errorf("the status still has hashes of what was removed: %v", notes)
		}
		before := o.published(otherNamespace)
		o.look(false)
		if o.heard(string(EventWithdrawn)) || !maps.EqualFunc(before, o.published(otherNamespace), bytes.Equal) {
			o.t.Errorf("a second look removes something again: %v", o.said)
		}
	})
}

// TestOwnSecretsStay checks an object that managed its resource and only observes from now on. It keeps what its
// connection secret has. A value that is shown once and that a person put there stays, too.
func TestOwnSecretsStay(t *testing.T) {
	t.Parallel()
	observes(t, func(o *observation) {
		observer := o.key
		o.key = o.owner
		before := o.published(o.key.Namespace)
		mg := o.read(o.kind, o.key)
		mg.SetManagementPolicies(xpv2.ManagementPolicies{xpv2.ManagementActionObserve})
		must(o.t, o.server.Update(o.t.Context(), mg))
		o.look(false)
		if after := o.published(o.key.Namespace); !maps.EqualFunc(before, after, bytes.Equal) || o.heard(string(EventWithdrawn)) {
			o.t.Errorf("the connection secret had %d keys, and has %d: %v", len(before), len(after), o.said)
		}
		o.key = observer
		o.look(false)
		o.paste()
	})
}

// paste puts a value that is shown once into the observer's connection secret, as a person does.
func (o *observation) paste() {
	o.t.Helper()
	for _, d := range o.e.Description.Details {
		s := &corev1.Secret{}
		if o.server.Get(o.t.Context(), client.ObjectKey{Namespace: otherNamespace, Name: outSecret}, s) != nil || !d.Once {
			continue
		}
		s.Data[d.Key] = []byte("pasted")
		must(o.t, o.server.Update(o.t.Context(), s))
		o.look(false)
		if got := o.published(otherNamespace)[d.Key]; string(got) != "pasted" {
			o.t.Errorf("what a person put under %s is %q", d.Key, got)
		}
	}
}
