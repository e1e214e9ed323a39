// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package behaviour

import (
	"encoding/hex"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/crossplane/crossplane-runtime/v2/pkg/meta"
	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"
	corev1 "k8s.io/api/core/v1"
	kerrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/utils/ptr"
	"sigs.k8s.io/controller-runtime/pkg/client"

	dnsv1alpha1 "github.com/provider-cloudflare/provider-cloudflare/apis/dns/v1alpha1"
	cfv1alpha1 "github.com/provider-cloudflare/provider-cloudflare/apis/v1alpha1"
	"github.com/provider-cloudflare/provider-cloudflare/test/simulator"
)

// fromEnv returns a number from the environment, or standard. It is for runs with
// more time.
func fromEnv(t *testing.T, name string, standard int) int {
	t.Helper()
	v, ok := os.LookupEnv(name)
	if !ok || v == "" {
		return standard
	}
	n, err := strconv.Atoi(v)
	if err != nil {
		t.Fatalf("%s is no number: %v", name, err)
	}
	return n
}

// TestAnySpec sends Records and ProviderConfigs of all shapes through the API server
// to the provider: SPECS of each, from the seed SPECS_SEED. Either the API server
// refuses an object with an error about its fault, or the object gets a condition
// from the provider. Cloudflare has only records of objects.
func TestAnySpec(t *testing.T) {
	inParallel(t, func(t *testing.T) {
		n, seed := fromEnv(t, "SPECS", 80), fromEnv(t, "SPECS_SEED", 1)
		w := newWorld(t)
		// The rate limit of the configs must not limit the credential of the Records.
		other := w.sim.AddToken(simulator.TokenOptions{Grants: []simulator.Grant{{Account: w.account.ID, Permission: simulator.ZoneRead}}})
		g := specs{world: w, other: other, rng: rand.New(rand.NewPCG(uint64(seed), 7))}
		var accepted []*unstructured.Unstructured
		for range n {
			for _, o := range []*unstructured.Unstructured{g.record(), g.config()} {
				if g.sent(o) {
					accepted = append(accepted, o)
				}
			}
		}
		for _, o := range accepted {
			w.saysSomething(o)
		}
		w.eventually(w.allClaimed) // A creation may be under way.
		for _, line := range w.logged() {
			if strings.Contains(strings.ToLower(line), "panic") && !strings.Contains(line, onPurpose) {
				t.Errorf("something panicked: %.2000s", line)
			}
		}
		t.Logf("%d of %d objects were accepted, %d records made", len(accepted), 2*n, len(w.sim.Records(w.zone.ID)))
		if len(accepted) == 0 || len(w.sim.Records(w.zone.ID)) == 0 {
			t.Error("nothing of it came through: the specs are too wild to show anything")
		}
	})
}

// allClaimed returns nil if every record in the zone of the world belongs to an
// object, and has the type that the object declares.
func (w *world) allClaimed() error {
	l := &dnsv1alpha1.RecordList{}
	if err := w.kube.List(w.t.Context(), l, client.InNamespace(w.ns)); err != nil {
		return err
	}
	types := map[string]string{}
	for i := range l.Items {
		types[meta.GetExternalName(&l.Items[i])] = ptr.Deref(l.Items[i].Spec.ForProvider.Type, "")
	}
	for _, r := range w.sim.Records(w.zone.ID) {
		if typ, ok := types[r.ID]; !ok || typ != r.Type {
			return fmt.Errorf("record %+v is no object's, or of another type than %q", r, typ)
		}
	}
	return nil
}

// specs makes specs: valid ones, with up to three members replaced by random values.
type specs struct {
	*world

	rng *rand.Rand
	// other is a token that the world does not use.
	other string
	n     int
}

func pick[T any](g *specs, of ...T) T { return of[g.rng.IntN(len(of))] }

// sent reports whether the API server accepted o. If not, its error has to be about
// o.
func (g *specs) sent(o *unstructured.Unstructured) bool {
	g.t.Helper()
	err := g.kube.Create(g.t.Context(), o)
	if err != nil && !kerrors.IsInvalid(err) && !kerrors.IsBadRequest(err) && !kerrors.IsRequestEntityTooLargeError(err) {
		g.t.Errorf("the API server refuses %.1000v: %v", o.Object, err)
	}
	return err == nil
}

func (g *specs) object(kind string, spec map[string]any) *unstructured.Unstructured {
	g.n++
	o := &unstructured.Unstructured{Object: map[string]any{"spec": spec}}
	o.SetNamespace(g.ns)
	o.SetName(fmt.Sprintf("%s-%d", strings.ToLower(kind), g.n))
	o.SetKind(kind)
	return o
}

func (g *specs) record() *unstructured.Unstructured {
	valid := pick(g,
		map[string]any{"type": "A", "content": "192.0.2.1"}, map[string]any{"type": "AAAA", "content": "2001:DB8::1"},
		map[string]any{"type": "CNAME", "content": "example.net"}, map[string]any{"type": "TXT", "content": `v=spf1 "x" \200`},
		map[string]any{"type": "MX", "content": "mail.example.net", "priority": int64(10)}, map[string]any{"type": "SRV", "content": "10 5 5060 sip.example.net."},
		map[string]any{"type": "CAA", "data": map[string]any{"flags": int64(0), "tag": "issue", "value": "x"}},
		map[string]any{"type": "LOC", "content": "52 22 23 N 4 53 32 E -2m"}, map[string]any{"type": "HTTPS", "content": "1 . alpn=h2"},
	)
	p := map[string]any{"zoneId": g.zone.ID, "name": fmt.Sprint("r", g.n)}
	for k, v := range valid {
		p[k] = v
	}
	for range g.rng.IntN(4) {
		k := pick(g, "zoneId", "zoneName", "name", "type", "content", "data", "priority", "ttl", "proxied", "comment", "tags", "settings", "unknown", "zoneIdRef")
		p[k] = g.anything(k)
	}
	spec := map[string]any{"forProvider": p, "providerConfigRef": map[string]any{"kind": "ProviderConfig", "name": "default"}}
	for range g.rng.IntN(2) {
		k := pick(g, "managementPolicies", "deletionPolicy", "adoptionPolicy", "providerConfigRef", "writeConnectionSecretToRef")
		spec[k] = g.anything(k)
	}
	o := g.object(dnsv1alpha1.RecordKind, spec)
	o.SetAPIVersion(dnsv1alpha1.SchemeGroupVersion.String())
	if g.rng.IntN(6) == 0 {
		o.SetAnnotations(map[string]string{
			pick(g, meta.AnnotationKeyExternalName, dnsv1alpha1.Group+"/pending-record", meta.AnnotationKeyExternalCreatePending, "crossplane.io/poll-interval"): g.text(),
		})
	}
	return o
}

func (g *specs) config() *unstructured.Unstructured {
	name := fmt.Sprint("secret-", g.n)
	secret := &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Name: name, Namespace: g.ns}, Data: map[string][]byte{"token": []byte(pick(g, g.other, g.hidden(), `{"apiToken":"`+g.hidden()+`"}`, "\xff\x00"))}}
	g.create(secret)
	spec := map[string]any{"credentials": map[string]any{"source": "Secret", "secretRef": map[string]any{"name": name, "key": "token"}}}
	for range g.rng.IntN(3) {
		k := pick(g, "accountId", "rateLimit", "secretsForObservers", "credentials", "secretRef", "unknown")
		if k == "secretRef" {
			spec["credentials"] = map[string]any{"source": "Secret", k: g.anything(k)}
			continue
		}
		spec[k] = g.anything(k)
	}
	o := g.object(cfv1alpha1.ProviderConfigKind, spec)
	o.SetAPIVersion(cfv1alpha1.SchemeGroupVersion.String())
	return o
}

// anything returns a value for a member, usually of the right type.
func (g *specs) anything(member string) any {
	if g.rng.IntN(5) == 0 {
		return pick[any](g, nil, "", int64(-1), 1.5, true, []any{}, []any{nil, "x"}, map[string]any{}, map[string]any{"x": []any{map[string]any{}}})
	}
	switch member {
	case "zoneId":
		return pick[any](g, g.zone.ID, strings.Repeat("0", 32), "../accounts", strings.ToUpper(g.zone.ID))
	case "zoneName":
		return pick[any](g, g.zone.Name, g.text())
	case "type":
		return pick[any](g, "A", "NS", "PTR", "NAPTR", "TLSA", "SVCB", "URI", "OPENPGPKEY", "DS", "CERT", "SSHFP", "a", "BOGUS", g.text())
	case "data":
		return g.data()
	case "priority", "ttl":
		return pick[any](g, int64(0), int64(1), int64(60), int64(65535), int64(65536), int64(-1), int64(1)<<62)
	case "proxied":
		return g.rng.IntN(2) == 0
	case "tags":
		return pick[any](g, []any{"a:b", "A:B", "a:b"}, []any{g.text()}, g.many(50))
	case "settings":
		return pick[any](g, map[string]any{"flattenCname": true}, map[string]any{"ipv4Only": true, "ipv6Only": true}, map[string]any{g.text(): true})
	case "managementPolicies":
		return pick[any](g, []any{"*"}, []any{"Observe"}, []any{"Create", "Delete"}, []any{"Nonsense"}, []any{"Observe", "Update", "LateInitialize"})
	case "deletionPolicy", "adoptionPolicy":
		return pick[any](g, "Delete", "Orphan", "Never", "NameAndType", "Identical", g.text())
	case "zoneIdRef", "providerConfigRef", "secretRef":
		return map[string]any{"kind": pick(g, "ProviderConfig", "ClusterProviderConfig", "Secret", g.text()), "name": pick(g, "default", "nobody", g.text()), "key": g.text()}
	case "secretsForObservers":
		return pick(g, "Withhold", "Publish", g.text())
	case "rateLimit":
		return map[string]any{"requestsPerFiveMinutes": pick[any](g, int64(1), int64(1200), int64(0), int64(-5), int64(1)<<40, "7")}
	}
	return g.text()
}

func (g *specs) data() map[string]any {
	d := map[string]any{}
	for range g.rng.IntN(5) {
		d[pick(g, "flags", "tag", "value", "port", "target", "weight", "priority", "latDegrees", "altitude", "certificate", g.text())] = pick[any](g, g.text(), int64(-1), int64(1)<<40, 0.5, true)
	}
	if g.rng.IntN(10) == 0 {
		for i := range 5000 {
			d[fmt.Sprint("x", i)] = "y"
		}
	}
	return d
}

func (g *specs) many(n int) []any {
	var out []any
	for range n {
		out = append(out, g.text())
	}
	return out
}

// text returns a short text, or an unusual one.
func (g *specs) text() string {
	return pick(g, "x", "@", "*", "", " ", "a..b", "-", "www."+g.zone.Name, "elsewhere.test.", "bücher", "🦄", "a b", "\x00", "\u202egnp.exe", "a\nb\r\n", `"`, `\`, "${x}",
		"%s%n", strings.Repeat("a", 300), strings.Repeat("ä.", 100), strings.Repeat("9", 5000), strings.Repeat("z", 100_000), "' OR 1=1", "../../x", "1 2 3 4 5 6 7", "192.0.2.1", `{"Name":"`+g.zone.Name+`","Type":"A"}`)
}

// saysSomething waits until an object has a condition that says whether it works,
// with a message of readable length.
func (w *world) saysSomething(o *unstructured.Unstructured) {
	w.t.Helper()
	until(w, o, func(o *unstructured.Unstructured) error {
		conditions, _, err := unstructured.NestedSlice(o.Object, "status", "conditions")
		if err != nil {
			return err
		}
		says := slices.IndexFunc(conditions, func(c any) bool {
			m, _ := c.(map[string]any)
			return m["type"] == "Synced" || (o.GetKind() == cfv1alpha1.ProviderConfigKind && m["type"] == "Ready")
		})
		if says < 0 {
			return fmt.Errorf("%s %s has no condition that says anything: %.2000v", o.GetKind(), o.GetName(), o.Object)
		}
		for _, c := range conditions {
			m, _ := c.(map[string]any)
			text, _ := m["message"].(string)
			if strings.Contains(text, w.token) || len(text) > 4000 || (m["type"] == "Synced" && m["status"] == "False" && text == "" && m["reason"] != string(xpv2.ReasonReconcilePaused)) {
				w.t.Errorf("%s %s says %s=%s/%s in %d bytes: %.300q", o.GetKind(), o.GetName(), m["type"], m["status"], m["reason"], len(text), text)
			}
		}
		return nil
	})
}

// hidden returns a value for a Secret. The value must not occur elsewhere, as the
// search for the values of Secrets would find it there.
func (g *specs) hidden() string {
	raw := make([]byte, g.rng.IntN(60))
	for i := range raw {
		raw[i] = byte(g.rng.Uint32())
	}
	return pick(g, "", " ", "x", string(raw), hex.EncodeToString(raw), strings.Repeat(hex.EncodeToString(raw), 900))
}
