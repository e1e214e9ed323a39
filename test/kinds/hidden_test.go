// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package kinds

import (
	"context"
	"crypto/rand"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/crossplane/crossplane-runtime/v2/pkg/meta"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	cfv1alpha1 "github.com/provider-cloudflare/provider-cloudflare/apis/v1alpha1"
	"github.com/provider-cloudflare/provider-cloudflare/internal/controller/described"
	"github.com/provider-cloudflare/provider-cloudflare/internal/kind"
	"github.com/provider-cloudflare/provider-cloudflare/internal/kinds"
	"github.com/provider-cloudflare/provider-cloudflare/test/leak"
	"github.com/provider-cloudflare/provider-cloudflare/test/simulator"
)

// secretsHidden shows that no output of the provider shows a secret that goes in or comes out.
func secretsHidden(w *world) {
	inputs := w.secretInputs()
	w.prepare()
	var quoted int
	if inputs {
		quoted = w.sim.AddFault(simulator.Fault{Kind: simulator.FaultFalseSuccess, Method: w.creates(), Path: w.created(), Token: w.token})
	}
	mg := w.example
	w.Create(mg)
	w.Settled(mg)
	if inputs && w.sim.Fired(quoted) == 0 {
		w.T.Error("no refusal has quoted what was sent")
	}
	id := meta.GetExternalName(mg)
	for _, l := range w.leaves()[:min(1, len(w.leaves()))] {
		w.tamper(id, l)
		w.Eventually(func() error { return w.asDeclared(id) })
	}
	w.Settled(mg)
	values, err := w.secrets(w.T.Context())
	if err != nil || len(values) == 0 {
		w.T.Fatalf("there is no secret to look for: %v", err)
	}
	w.tellsNoneOf(values...)
}

// tellsNoneOf fails if an output of the provider shows one of the values.
func (w *world) tellsNoneOf(values ...string) {
	w.T.Helper()
	secrets := &leak.Secrets{}
	secrets.Add(values...)
	said := w.said()
	said.Public(w.zone.Name) // A secret URL contains it.
	if said.Size()["objects"] == 0 || said.Size()["log"] == 0 {
		w.T.Errorf("what the provider said is not seen: %v", said.Size())
	}
	for _, f := range said.Search(secrets) {
		w.T.Error(f)
	}
}

// secretInputs sets each field that refers to a Secret, and reports whether there is such a field.
func (w *world) secretInputs() bool {
	w.T.Helper()
	given := false
	spec := reflect.Indirect(reflect.ValueOf(w.example.GetForProvider()))
	for i := range spec.NumField() {
		if spec.Field(i).Type() != reflect.TypeFor[*cfv1alpha1.SecretKeyReference]() {
			continue
		}
		raw := make([]byte, 32)
		if _, err := rand.Read(raw); err != nil {
			w.T.Fatal(err)
		}
		name, value := strings.ToLower(spec.Type().Field(i).Name), base64.StdEncoding.EncodeToString(raw)
		if strings.HasPrefix(name, "url") || strings.HasPrefix(name, "destination") {
			value = "https://receiver." + w.zone.Name + "/" + base64.RawURLEncoding.EncodeToString(raw)
		}
		w.Create(&corev1.Secret{
			ObjectMeta: metav1.ObjectMeta{Name: name, Namespace: w.ns}, StringData: map[string]string{"value": value},
		})
		spec.Field(i).Set(reflect.ValueOf(&cfv1alpha1.SecretKeyReference{Name: name, Key: "value"}))
		given = true
	}
	return given
}

// secrets returns the values in the Secrets of this world, except values that the API shows elsewhere.
func (w *world) secrets(ctx context.Context) ([]string, error) {
	list := &corev1.SecretList{}
	if err := w.kube.List(ctx, list, client.InNamespace(w.ns)); err != nil {
		return nil, err
	}
	var out []string
	for _, s := range list.Items {
		for key, v := range s.Data {
			var members map[string]string
			switch {
			case w.isPublic(s.Name, key) || slices.Contains(public(), key):
			case key == "credentials": // The value is a file with accessKeyId and secretAccessKey. Only the latter is searched for.
			case key == corev1.TLSPrivateKeyKey: // issue_test.go searches for the secret part of the key.
			case json.Unmarshal(v, &members) == nil: // Credentials of a tunnel.
				out = append(out, members["TunnelSecret"])
			default:
				out = append(out, string(v))
			}
		}
	}
	return out, nil
}

// public returns the keys of values that are not secret, although no path of an answer shows them: the ID of a
// token, the endpoint of the buckets of an account, and a certificate.
func public() []string { return []string{"accessKeyId", "endpoint", corev1.TLSCertKey} }

// isPublic reports whether every answer to a client that may read shows the value of a key of a connection secret.
func (w *world) isPublic(name, key string) bool {
	for _, o := range append([]client.Object{w.example}, w.before...) {
		mg, ok := o.(described.Object)
		if !ok || mg.GetConnectionSecretName() != name {
			continue
		}
		return shownIn(w.describes(o), key)
	}
	return shownIn(w.d.Details, key) // It is the Secret of a copy of the example, as far as is known.
}

// shownIn reports whether each answer shows the value of a key.
func shownIn(details []kind.Detail, key string) bool {
	return slices.ContainsFunc(details, func(d kind.Detail) bool { return d.Key == key && d.Path != "" && !d.Once })
}

// describes returns the keys of the connection secrets of the kind of an object.
func (w *world) describes(o client.Object) []kind.Detail {
	w.T.Helper()
	gvks, _, err := w.kube.Scheme().ObjectKinds(o)
	if err != nil {
		w.T.Fatal(err)
	}
	for _, d := range kinds.All() {
		if d.Name == gvks[0].Kind {
			return d.Details
		}
	}
	return nil
}

// said returns all output of the provider about this world.
func (w *world) said() *leak.Record {
	w.T.Helper()
	out := &leak.Record{}
	for _, line := range w.logs.all() {
		if strings.Contains(line, w.ns) || strings.Contains(line, w.account.ID) {
			out.Keep("log", line)
		}
	}
	for _, r := range w.requests() {
		out.Keep("request", r.Path+"?"+r.Query+" "+r.UserAgent)
	}
	events := &corev1.EventList{}
	if err := w.kube.List(w.T.Context(), events, client.InNamespace(w.ns)); err != nil {
		w.T.Fatal(err)
	}
	for _, e := range events.Items {
		out.Keep("events", e.Reason+" "+e.Message)
	}
	for _, o := range append([]client.Object{w.example}, w.before...) {
		if _, isSecret := o.(*corev1.Secret); isSecret { // A Secret may contain secrets.
			continue
		}
		if err := w.Get(o); err != nil {
			w.T.Fatal(err)
		}
		if _, ok := o.(*corev1.Secret); ok {
			continue // It is a Secret of the user with input values.
		}
		raw, err := json.Marshal(o)
		if err != nil {
			w.T.Fatal(err)
		}
		out.Keep("objects", string(raw))
	}
	return out
}

// events returns the messages of the events of an object with that reason, each as often as it was recorded.
func (w *world) events(o client.Object, reason string) []string {
	w.T.Helper()
	var out []string
	for _, e := range w.recorded(o) {
		if e.reason == reason {
			out = append(out, e.message)
		}
	}
	return out
}

// recordedEvent is the reason and the message of an event.
type recordedEvent struct{ reason, message string }

// recorded returns the events of an object. An event that is sent to a real API server may get lost while the
// machine is busy. With a real API server, recorded returns the events in the log of the provider.
func (w *world) recorded(o client.Object) []recordedEvent {
	w.T.Helper()
	if w.bubble == nil {
		return w.logs.events(w.d.Name, w.ns, o.GetName())
	}
	list := &corev1.EventList{}
	if err := w.kube.List(w.T.Context(), list, client.InNamespace(w.ns)); err != nil {
		w.T.Fatal(err)
	}
	var out []recordedEvent
	for _, e := range list.Items {
		if e.InvolvedObject.Name == o.GetName() && e.InvolvedObject.Kind == w.d.Name {
			out = append(out, slices.Repeat([]recordedEvent{{e.Reason, e.Message}}, int(max(1, e.Count)))...)
		}
	}
	return out
}

// logged matches an event in the log of the provider. Its groups are the quoted message and the reason.
var logged = regexp.MustCompile(`^events "level"=1 "msg"=("(?:[^"\\]|\\.)*") .*"reason"="(\w+)"$`)

// events returns the events about an object that the provider has sent.
func (b *logBook) events(ofKind, namespace, name string) []recordedEvent {
	about := fmt.Sprintf(`"object"={"kind"=%q "namespace"=%q "name"=%q `, ofKind, namespace, name)
	var out []recordedEvent
	for _, line := range b.all() {
		m := logged.FindStringSubmatch(line)
		if m == nil || !strings.Contains(line, about) {
			continue
		}
		if message, err := strconv.Unquote(m[1]); err == nil {
			out = append(out, recordedEvent{m[2], message})
		}
	}
	return out
}
