// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package keypair

import (
	"crypto/ecdsa"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"math/big"
	"slices"
	"strings"
	"testing"
	"time"
)

// signed returns a certificate of key that key signs itself.
func signed(t *testing.T, key []byte, lifetime time.Duration) []byte {
	t.Helper()
	signer, err := parse(key)
	if err != nil {
		t.Fatal(err)
	}
	begin := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	template := &x509.Certificate{SerialNumber: big.NewInt(1), NotBefore: begin, NotAfter: begin.Add(lifetime)}
	der, err := x509.CreateCertificate(rand.Reader, template, template, signer.Public(), signer)
	if err != nil {
		t.Fatal(err)
	}
	return pem.EncodeToMemory(&pem.Block{Type: blockCertificate, Bytes: der})
}

func newKey(t *testing.T, a Algorithm) []byte {
	t.Helper()
	key, err := New(a)
	if err != nil {
		t.Fatal(err)
	}
	return key
}

func TestNew(t *testing.T) {
	signer, err := parse(newKey(t, ECDSA))
	if key, ok := signer.(*ecdsa.PrivateKey); err != nil || !ok || key.Params().BitSize != 256 {
		t.Errorf("ECDSA gives %T and %v, want a key on P-256", signer, err)
	}
	signer, err = parse(newKey(t, RSA))
	if key, ok := signer.(*rsa.PrivateKey); err != nil || !ok || key.N.BitLen() != rsaBits {
		t.Errorf("RSA gives %T and %v, want 2048 bits", signer, err)
	}
	var e *AlgorithmError
	if _, err := New("keyless"); !errors.As(err, &e) || e.Algorithm != "keyless" {
		t.Errorf("an unknown algorithm gives %v, want an *AlgorithmError", err)
	}
}

func TestRequest(t *testing.T) {
	key := newKey(t, ECDSA)
	text, err := Request(key, []string{"*.example.com", "bücher.example"})
	if err != nil {
		t.Fatal(err)
	}
	block, _ := pem.Decode(text)
	request, err := x509.ParseCertificateRequest(block.Bytes)
	if err != nil || request.CheckSignature() != nil {
		t.Fatalf("the request is not one: %v", err)
	}
	if want := []string{"*.example.com", "xn--bcher-kva.example"}; !slices.Equal(request.DNSNames, want) {
		t.Errorf("it is for %q, want %q", request.DNSNames, want)
	}
	signer, _ := parse(key)
	if public, ok := signer.Public().(*ecdsa.PublicKey); !ok || !public.Equal(request.PublicKey) {
		t.Error("it is of another key")
	}
	if _, err := Request([]byte("MII-secret"), nil); !errors.Is(err, ErrNoKey) || strings.Contains(err.Error(), "secret") {
		t.Errorf("what is no key gives %v, want ErrNoKey without the text", err)
	}
}

func TestFits(t *testing.T) {
	mine, other := newKey(t, ECDSA), newKey(t, RSA)
	certificate := signed(t, mine, time.Hour)
	for name, tc := range map[string]struct {
		reason           string
		key, certificate []byte
		want             bool
	}{
		"Mine":          {"the certificate of the key", mine, certificate, true},
		"Other":         {"another key of another type", other, certificate, false},
		"Another":       {"another key of the same type", newKey(t, ECDSA), certificate, false},
		"NoKey":         {"a Secret may lack it", nil, certificate, false},
		"NoCertificate": {"an answer may lack it", mine, nil, false},
		"Swapped":       {"a certificate is no key", certificate, mine, false},
	} {
		t.Run(name, func(t *testing.T) {
			if got := Fits(tc.key, tc.certificate); got != tc.want {
				t.Errorf("%s: got %t", tc.reason, got)
			}
		})
	}
}

func TestRequests(t *testing.T) {
	mine := newKey(t, ECDSA)
	request, err := Request(mine, []string{"example.com"})
	if err != nil {
		t.Fatal(err)
	}
	for _, tc := range []struct {
		reason       string
		key, request []byte
		want         bool
	}{
		{"the request of the key", mine, request, true},
		{"another key of the same type", newKey(t, ECDSA), request, false},
		{"another key of another type", newKey(t, RSA), request, false},
		{"a Secret may lack the key", nil, request, false},
		{"a Secret may lack the request", mine, nil, false},
		{"a certificate is no request", mine, signed(t, mine, time.Hour), false},
		{"a request is no key", request, mine, false},
	} {
		if got := Requests(tc.key, tc.request); got != tc.want {
			t.Errorf("%s: Requests(...) = %t", tc.reason, got)
		}
	}
}

func TestLifetime(t *testing.T) {
	if got := Lifetime(signed(t, newKey(t, ECDSA), 90*time.Hour)); got != 90*time.Hour {
		t.Errorf("got %s, want all of the 90 hours", got)
	}
	if got := Lifetime([]byte("x")); got != 0 {
		t.Errorf("what is no certificate gives %s", got)
	}
}
