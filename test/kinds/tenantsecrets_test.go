// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package kinds

import (
	"bytes"
	"crypto/rand"
	"encoding/base64"
	"encoding/json"
	"regexp"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/provider-cloudflare/provider-cloudflare/test/leak"
)

// shareInput sets values in the Secret of B, and creates a Secret of that name with other values for A. A private key
// is the same for both, as it has to fit its certificate.
func (x *tenants) shareInput(s *corev1.Secret) {
	x.T.Helper()
	of := func(tenant string) map[string]string {
		out := map[string]string{}
		for key, v := range s.StringData {
			if strings.Contains(v, "-----BEGIN") {
				x.keys = append(x.keys, v)
				out[key] = v
				continue
			}
			out[key] = v + "-of-" + tenant + "-" + rand.Text()
		}
		return out
	}
	x.Objects.Create(&corev1.Secret{ObjectMeta: metav1.ObjectMeta{Name: s.Name, Namespace: x.a}, StringData: of("a")})
	s.StringData = of("b")
}

// pemLine is the length of the lines of a key.
const pemLine = 64

// secretMember matches the names of members of answers and requests whose values are secrets.
var secretMember = regexp.MustCompile(`(?i)(^|_|[a-z])(secret|password|private_key|token)$`)

// secretsOfB returns the values in the Secrets of B and in the credential. It adds the values that were sent to
// Cloudflare, or answered, in a member with the name of a secret.
func (x *tenants) secretsOfB() *leak.Secrets {
	x.T.Helper()
	known := append([]string{x.account.ID, x.zone.ID, x.zone.Name}, x.notes.names...)
	values := []string{x.token}
	for name, data := range x.mark.Secrets {
		for key, v := range data {
			if !x.shows(name, key) && !x.sharesKey(string(v)) {
				values = append(values, parts(string(v))...)
			}
		}
	}
	for _, r := range x.requests() {
		for _, body := range []string{r.RequestBody, r.ResponseBody} {
			var doc any
			if json.Unmarshal([]byte(body), &doc) == nil {
				values = append(values, secretsIn(doc, false)...)
			}
		}
	}
	out := &leak.Secrets{}
	for _, v := range values {
		if len(v) >= 8 && !slices.Contains(known, v) && !x.sharesKey(v) {
			out.AddWhole(v)
		}
	}
	return out
}

// shows reports whether a value of a connection secret is not secret.
func (x *tenants) shows(name, key string) bool {
	if slices.Contains(public(), key) {
		return true
	}
	for _, o := range append([]client.Object{x.object}, x.before...) {
		of, _, _ := unstructured.NestedString(x.untyped(o).Object, "spec", "writeConnectionSecretToRef", "name")
		alike := o == client.Object(x.object) && (name == rehearsal || strings.HasPrefix(name, observer+"-"))
		if of != name && !alike {
			continue
		}
		for _, d := range x.describes(o) {
			if d.Key == key {
				return d.Public
			}
		}
	}
	return false
}

// sharesKey reports whether a value is a private key that A has, too: see shareInput.
func (x *tenants) sharesKey(value string) bool {
	return slices.ContainsFunc(x.keys, func(key string) bool { return strings.TrimSpace(key) == strings.TrimSpace(value) })
}

// parts returns a text and the texts in it: members of JSON, plain or in base64, and lines of a key.
func parts(text string) []string {
	out := []string{text}
	for line := range strings.SplitSeq(text, "\n") {
		if strings.Contains(text, "-----BEGIN") && !strings.HasPrefix(line, "-----") && len(line) == pemLine {
			out = append(out, line)
		}
	}
	if raw, err := base64.StdEncoding.DecodeString(text); err == nil && json.Valid(raw) {
		text = string(raw)
	}
	var doc any
	if json.Unmarshal([]byte(text), &doc) != nil {
		return out
	}
	return append(out, secretsIn(doc, true)...)
}

// secretsIn returns the texts in a document: all of them, or those of members with the names of secrets.
func secretsIn(v any, all bool) []string {
	var out []string
	switch v := v.(type) {
	case string:
		if all {
			out = append(out, v)
		}
	case []any:
		for _, e := range v {
			out = append(out, secretsIn(e, all)...)
		}
	case map[string]any:
		for name, member := range v {
			_, isText := member.(string)
			out = append(out, secretsIn(member, all || isText && secretMember.MatchString(name))...)
		}
	}
	return out
}

// hasToldNoneOf fails if any form of an object of A, any event, the journal or the log shows one of the secrets.
func (x *tenants) hasToldNoneOf(secrets *leak.Secrets) {
	x.T.Helper()
	out := &leak.Record{}
	inA := []byte(`"namespace":"` + x.a + `"`)
	x.bubble.API.History(func(resource string, raw []byte) {
		if resource == "events" || resource == "configmaps" || bytes.Contains(raw, inA) {
			out.Keep(resource, string(raw))
		}
	})
	if size := out.Size(); size["events"] == 0 || len(size) < 2 {
		x.T.Errorf("what the API server has is not seen: %v", size)
	}
	for _, line := range x.logs.all() {
		out.Keep("log", line)
	}
	for _, r := range x.requests() {
		out.Keep("request", r.Path+"?"+r.Query)
	}
	said := map[string]bool{}
	for _, f := range out.Search(secrets) {
		if !said[f.Place] {
			x.T.Error(f)
		}
		said[f.Place] = true
	}
}
