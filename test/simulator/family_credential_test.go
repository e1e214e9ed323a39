// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package simulator_test

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"encoding/json"
	"encoding/pem"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/provider-cloudflare/provider-cloudflare/test/simulator"
)

func TestAccountTokens(t *testing.T) {
	w := newResourceWorld(t)
	tokens := w.in("tokens")
	made := w.make(tokens, w.aToken("a", "Workers Routes Write"))
	id, value := textOf(made, "id"), textOf(made, "value")
	item := tokens + "/" + id
	if !strings.HasPrefix(value, "cfat_") || made["status"] != "active" {
		t.Fatalf("want a value once, got %v", made)
	}
	for name, a := range map[string]answer{"GET": w.must(http.MethodGet, item, nil), "list": w.must(http.MethodGet, tokens, nil)} {
		if strings.Contains(a.raw, value) {
			t.Errorf("the %s answers the value", name)
		}
	}
	if got := w.as(value, http.MethodGet, w.in("cfd_tunnel"), nil); got.status != http.StatusForbidden || got.code() != simulator.CodeAuthentication {
		t.Errorf("the token may read tunnels: %s", got.raw)
	}
	if got := w.as(value, http.MethodGet, w.path("workers/routes"), nil); got.status != http.StatusOK {
		t.Errorf("the token may not do what it is for: %s", got.raw)
	}
	put := w.object(w.must(http.MethodPut, item, w.aToken("b", "Workers KV Storage Write")))
	if put["name"] != "b" || put["value"] != nil {
		t.Errorf("want another name and no value, got %v", put)
	}
	if got := w.as(value, http.MethodGet, w.in("storage/kv/namespaces"), nil); got.status != http.StatusOK {
		t.Errorf("the same value has not the new permissions: %s", got.raw)
	}
	var rolled string
	if err := json.Unmarshal(w.must(http.MethodPut, item+"/value", object{}).Result, &rolled); err != nil || rolled == value {
		t.Fatalf("want another value as a string: %v", err)
	}
	if got := w.as(value, http.MethodGet, w.in("storage/kv/namespaces"), nil); got.status != http.StatusForbidden {
		t.Errorf("the former value still works: %s", got.raw)
	}
	w.must(http.MethodDelete, item, nil)
	if got := w.as(rolled, http.MethodGet, w.in("storage/kv/namespaces"), nil); got.status != http.StatusForbidden {
		t.Errorf("a revoked token works: %s", got.raw)
	}
}

// TestBucketPermissionGroups verifies the scopes of the permission groups of R2: those for the
// objects of single buckets have the scope of buckets, and the others have the scope of
// accounts.
func TestBucketPermissionGroups(t *testing.T) {
	w := newResourceWorld(t)
	for name, scope := range map[string]string{
		"Workers R2 Storage Bucket Item Read": "com.cloudflare.edge.r2.bucket", "Workers R2 Storage Bucket Item Write": "com.cloudflare.edge.r2.bucket",
		"Workers R2 Storage Write": "com.cloudflare.api.account",
	} {
		groups := w.list(w.must(http.MethodGet, w.in("tokens/permission_groups")+"?name="+strings.ReplaceAll(name, " ", "%20"), nil))
		if len(groups) != 1 || !slices.Equal(groups[0]["scopes"].([]any), []any{scope}) {
			t.Errorf("%s: got %v, want one group about %s", name, groups, scope)
		}
	}
}

// TestAccountTokenSets verifies that the API does not keep the order of a request.
func TestAccountTokenSets(t *testing.T) {
	w := newResourceWorld(t)
	var groups []any
	for _, g := range w.list(w.must(http.MethodGet, w.in("tokens/permission_groups"), nil)) {
		groups = append(groups, object{"id": g["id"]})
	}
	if len(groups) < 10 {
		t.Fatalf("want the groups of all that is served, got %d", len(groups))
	}
	slices.Reverse(groups)
	body := w.aToken("a", "Workers Routes Write")
	body["policies"].([]any)[0].(object)["permission_groups"] = groups
	policy := w.make(w.in("tokens"), body)["policies"].([]any)[0].(object)
	var ids []string
	for _, g := range policy["permission_groups"].([]any) {
		ids = append(ids, textOf(g.(object), "id"))
	}
	if !slices.IsSorted(ids) || len(ids) != len(groups) || textOf(policy, "id") == "" {
		t.Errorf("want all groups by ID in a policy with an ID, got %v", policy)
	}
}

// request returns a CSR in PEM form and its key.
func request(t *testing.T) (string, *ecdsa.PrivateKey) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatalf("cannot make a key: %v", err)
	}
	der, err := x509.CreateCertificateRequest(rand.Reader, &x509.CertificateRequest{}, key)
	if err != nil {
		t.Fatalf("cannot make a CSR: %v", err)
	}
	return string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE REQUEST", Bytes: der})), key
}

func TestOriginCertificates(t *testing.T) {
	w := newResourceWorld(t)
	csr, key := request(t)
	body := object{"csr": csr, "hostnames": []any{"www.example.com", "*.Example.com"}, "request_type": "origin-ecc", "requested_validity": 7}
	made := w.make("/certificates", body)
	block, _ := pem.Decode([]byte(textOf(made, "certificate")))
	if block == nil {
		t.Fatalf("want a certificate, got %v", made)
	}
	certificate, err := x509.ParseCertificate(block.Bytes)
	if err != nil || !key.PublicKey.Equal(certificate.PublicKey) {
		t.Fatalf("the certificate is not for the key of the CSR: %v", err)
	}
	roots := x509.NewCertPool()
	roots.AppendCertsFromPEM(w.sim.OriginCA())
	options := x509.VerifyOptions{Roots: roots, DNSName: "other.example.com", CurrentTime: start().Add(6 * 24 * time.Hour)}
	if _, err := certificate.Verify(options); err != nil {
		t.Errorf("the CA did not sign the certificate: %v", err)
	}
	options.CurrentTime = start().Add(8 * 24 * time.Hour)
	if _, err := certificate.Verify(options); err == nil {
		t.Error("the certificate is valid for longer than was asked for")
	}
	w.refused(http.MethodGet, "/certificates", nil, http.StatusBadRequest, simulator.CodeBadParameter)
	list := "/certificates?zone_id=" + w.zone.ID
	if n := len(w.listed(list)); n != 1 {
		t.Errorf("want one certificate of the zone, got %d", n)
	}
	item := "/certificates/" + textOf(made, "id")
	if got := w.object(w.must(http.MethodDelete, item, nil)); got["revoked_at"] == nil {
		t.Errorf("want the time of the revocation, got %v", got)
	}
	if n := len(w.listed(list)); n != 0 {
		t.Errorf("want no certificate of the zone, got %d", n)
	}
	w.refused(http.MethodDelete, item, nil, http.StatusNotFound, simulator.CodeCertificateNotFound)
}

// TestOriginCertificateOfOneOfTwoAccounts has zones of the same name in several accounts. A
// certificate belongs to the zone that the credential reaches.
func TestOriginCertificateOfOneOfTwoAccounts(t *testing.T) {
	w := newResourceWorld(t)
	csr, _ := request(t)
	body := object{"csr": csr, "hostnames": []any{"www.example.com"}, "request_type": "origin-ecc", "requested_validity": 7}
	for range 8 {
		account := w.sim.AddAccount("another")
		z, err := w.sim.AddZone(account.ID, w.zone.Name, simulator.ZoneOptions{})
		if err != nil {
			t.Fatal(err)
		}
		token := w.sim.AddToken(simulator.TokenOptions{Grants: []simulator.Grant{{Account: account.ID, Permission: simulator.Everything}}})
		if a := w.as(token, http.MethodPost, "/certificates", body); a.status != http.StatusOK {
			t.Fatalf("want a certificate, got status %d", a.status)
		}
		if n := len(w.listed("/certificates?zone_id=" + z.ID)); n != 1 {
			t.Errorf("want the certificate in the zone of the token's account, got %d", n)
		}
	}
}

func TestOriginCertificateRefusals(t *testing.T) {
	w := newResourceWorld(t)
	csr, _ := request(t)
	body := object{"csr": csr, "hostnames": []any{"example.com"}, "request_type": "origin-ecc"}
	cases := map[string]struct {
		reason       string
		body         object
		status, code int
	}{
		"CSR":      {"no PEM", with(body, object{"csr": "x"}), http.StatusBadRequest, simulator.CodeResourceInvalid},
		"Hosts":    {"no name", with(body, object{"hostnames": []any{}}), http.StatusBadRequest, simulator.CodeResourceInvalid},
		"Foreign":  {"a name of nobody's zone", with(body, object{"hostnames": []any{"example.org"}}), http.StatusForbidden, simulator.CodeAuthentication},
		"Validity": {"one of some numbers of days", with(body, object{"requested_validity": 8}), http.StatusBadRequest, simulator.CodeResourceInvalid},
		"Type":     {"one of three", with(body, object{"request_type": "rsa"}), http.StatusBadRequest, simulator.CodeResourceInvalid},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			w.T = t
			w.refused(http.MethodPost, "/certificates", tc.body, tc.status, tc.code)
			if t.Failed() {
				t.Log(tc.reason)
			}
		})
	}
}
