// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package docs

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/yaml"
)

// readersOfSecrets matches the sentence of securityPage that names the kinds whose users can
// read Secrets.
var readersOfSecrets = regexp.MustCompile(`\*\*Limit:\*\* Who can create an? (.+) can read Secrets of its namespace\.`)

// notRead are kinds that send a value of a Secret only to Cloudflare, which shows it to no
// other user, with the reason.
var notRead = map[string]string{
	"AuthenticatedOriginPullsCertificate": "Cloudflare takes only a private key that fits the certificate, and shows it to nobody",
	"MTLSCertificate":                     "Cloudflare takes only a private key that fits the certificate, and shows it to nobody",
	"Tunnel":                              "what Cloudflare shows of it is in a Secret of the namespace: the credentials of the tunnel",
	"ProviderConfig":                      "the value is sent to Cloudflare as a token, and no field says where that is",
	"ClusterProviderConfig":               "the value is sent to Cloudflare as a token, and no field says where that is",
}

// TestWhoReadsSecrets checks each kind with a field for a key of a Secret: the sentence names
// the kind, or notRead has the reason why it does not.
func TestWhoReadsSecrets(t *testing.T) {
	t.Parallel()
	m := readersOfSecrets.FindStringSubmatch(fileOf(t, "docs", "explanation", "security.md"))
	if m == nil {
		t.Fatalf("the page on security has no sentence like %s", readersOfSecrets)
	}
	named := map[string]bool{}
	for _, kind := range regexp.MustCompile(`, | or `).Split(m[1], -1) {
		named[kind] = true
	}
	crds, err := filepath.Glob(filepath.Join(root, "package", "crds", "*.yaml"))
	if err != nil || len(crds) == 0 {
		t.Fatalf("there are no kinds: %v", err)
	}
	takes := map[string]bool{}
	for _, path := range crds {
		raw, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		crd := &unstructured.Unstructured{}
		if err := yaml.Unmarshal(raw, &crd.Object); err != nil {
			t.Fatal(err)
		}
		kind, _, _ := unstructured.NestedString(crd.Object, "spec", "names", "kind")
		if !takesSecret(crd.Object["spec"]) {
			continue
		}
		takes[kind] = true
		if named[kind] == (notRead[kind] != "") {
			t.Errorf("%s has a field for a key of a Secret: it is in the sentence: %t, and has a reason not to be: %q", kind, named[kind], notRead[kind])
		}
	}
	for _, names := range []map[string]bool{named, keysOf(notRead)} {
		for kind := range names {
			if !takes[kind] {
				t.Errorf("%s has no field for a key of a Secret", kind)
			}
		}
	}
}

func keysOf(reasons map[string]string) map[string]bool {
	out := map[string]bool{}
	for kind := range reasons {
		out[kind] = true
	}
	return out
}

// takesSecret reports whether a schema has a field for a key of a Secret, at any depth.
func takesSecret(schema any) bool {
	switch v := schema.(type) {
	case []any:
		for _, e := range v {
			if takesSecret(e) {
				return true
			}
		}
	case map[string]any:
		fields, _ := v["properties"].(map[string]any)
		for name := range fields {
			if name = strings.ToLower(name); strings.HasSuffix(name, "secretref") || strings.HasSuffix(name, "secretkeyref") {
				return true
			}
		}
		for _, member := range v {
			if takesSecret(member) {
				return true
			}
		}
	}
	return false
}

func TestTakesSecret(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		reason, schema string
		want           bool
	}{
		{"a field", "properties: {tokenSecretRef: {type: object}}", true},
		{"below lists and maps", "properties: {a: {items: {additionalProperties: {properties: {secretKeyRef: {}}}}}}", true},
		{"a Secret that is written", "properties: {writeConnectionSecretToRef: {type: object}}", false},
		{"a ConfigMap", "properties: {configMapKeyRef: {type: object}}", false},
	} {
		var schema any
		if err := yaml.Unmarshal([]byte(tc.schema), &schema); err != nil {
			t.Fatal(err)
		}
		if got := takesSecret(schema); got != tc.want {
			t.Errorf("%s: %t", tc.reason, got)
		}
	}
}
