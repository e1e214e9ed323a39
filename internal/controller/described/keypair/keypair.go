// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

// Package keypair makes private keys and the requests for their certificates, and tells
// which certificate belongs to which key. Everything is text in PEM form.
package keypair

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"errors"
	"fmt"
	"time"

	"golang.org/x/net/idna"
)

// An Algorithm is a type of private key.
type Algorithm string

// The algorithms.
const (
	// ECDSA is on the curve P-256, RSA has 2048 bits.
	ECDSA Algorithm = "ECDSA"
	RSA   Algorithm = "RSA"
)

const (
	rsaBits = 2048

	blockKey         = "PRIVATE KEY"
	blockRequest     = "CERTIFICATE REQUEST"
	blockCertificate = "CERTIFICATE"
)

// ErrNoKey says that a text is not a private key in the form that New gives.
var ErrNoKey = errors.New("it is not a private key in PEM form (PKCS #8)")

// An AlgorithmError says that there are no keys of an algorithm.
type AlgorithmError struct{ Algorithm Algorithm }

func (e *AlgorithmError) Error() string {
	return fmt.Sprintf("there are no keys of type %q", e.Algorithm)
}

// New makes a private key (PKCS #8).
func New(a Algorithm) ([]byte, error) {
	var key any
	var err error
	switch a {
	case ECDSA:
		key, err = ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	case RSA:
		key, err = rsa.GenerateKey(rand.Reader, rsaBits)
	default:
		return nil, &AlgorithmError{Algorithm: a}
	}
	if err != nil {
		return nil, fmt.Errorf("cannot make a private key: %w", err)
	}
	der, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		return nil, fmt.Errorf("cannot encode a private key: %w", err)
	}
	return pem.EncodeToMemory(&pem.Block{Type: blockKey, Bytes: der}), nil
}

// Request makes a request for a certificate of that key for host names, which may be
// international. The error never has the key.
func Request(key []byte, hosts []string) ([]byte, error) {
	signer, err := parse(key)
	if err != nil {
		return nil, err
	}
	template := &x509.CertificateRequest{}
	for _, host := range hosts {
		ascii, err := idna.Punycode.ToASCII(host)
		if err != nil {
			return nil, fmt.Errorf("cannot encode the host name %q: %w", host, err)
		}
		template.DNSNames = append(template.DNSNames, ascii)
	}
	if len(template.DNSNames) > 0 {
		template.Subject = pkix.Name{CommonName: template.DNSNames[0]}
	}
	der, err := x509.CreateCertificateRequest(rand.Reader, template, signer)
	if err != nil {
		return nil, fmt.Errorf("cannot make a certificate request: %w", err)
	}
	return pem.EncodeToMemory(&pem.Block{Type: blockRequest, Bytes: der}), nil
}

// Fits reports whether a certificate is for that key. What is neither fits nothing.
func Fits(key, certificate []byte) bool {
	c, err := certificateOf(certificate)
	return err == nil && isOf(key, c.PublicKey)
}

// Requests reports whether a request for a certificate is of that key. What is neither is of nothing.
func Requests(key, request []byte) bool {
	block, _ := pem.Decode(request)
	if block == nil || block.Type != blockRequest {
		return false
	}
	r, err := x509.ParseCertificateRequest(block.Bytes)
	return err == nil && isOf(key, r.PublicKey)
}

// isOf reports whether a public key is that of a private one.
func isOf(key []byte, public crypto.PublicKey) bool {
	signer, err := parse(key)
	if err != nil {
		return false
	}
	ours, ok := signer.Public().(interface{ Equal(crypto.PublicKey) bool })
	return ok && ours.Equal(public)
}

// Lifetime is for how long a certificate is valid in all, 0 where the text is none.
func Lifetime(certificate []byte) time.Duration {
	c, err := certificateOf(certificate)
	if err != nil {
		return 0
	}
	return c.NotAfter.Sub(c.NotBefore)
}

func parse(key []byte) (crypto.Signer, error) {
	block, _ := pem.Decode(key)
	if block == nil || block.Type != blockKey {
		return nil, ErrNoKey
	}
	v, err := x509.ParsePKCS8PrivateKey(block.Bytes)
	signer, ok := v.(crypto.Signer)
	if err != nil || !ok {
		return nil, ErrNoKey // What the parser says may have parts of the key.
	}
	return signer, nil
}

func certificateOf(text []byte) (*x509.Certificate, error) {
	block, _ := pem.Decode(text)
	if block == nil || block.Type != blockCertificate {
		return nil, errors.New("it is not a certificate in PEM form")
	}
	return x509.ParseCertificate(block.Bytes)
}
