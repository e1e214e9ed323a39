// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

// Package keypair makes private keys and the requests for their certificates, and reports which certificate belongs
// to which key. All of them are text in PEM form.
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
	// ECDSA keys are on the curve P-256. RSA keys have 2048 bits.
	ECDSA Algorithm = "ECDSA"
	RSA   Algorithm = "RSA"
)

const (
	rsaBits = 2048

	blockKey         = "PRIVATE KEY"
	blockRequest     = "CERTIFICATE REQUEST"
	blockCertificate = "CERTIFICATE"
)

// ErrNoKey reports that a text is not a private key in the form that New returns.
var ErrNoKey = errors.New("it is not a private key in PEM form (PKCS #8)")

// An AlgorithmError reports that no keys of an algorithm can be made.
type AlgorithmError struct{ Algorithm Algorithm }

func (e *AlgorithmError) Error() string {
	return fmt.Sprintf("there are no keys of type %q", e.Algorithm)
}

// New returns a new private key (PKCS #8).
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

// Request returns a request for a certificate of that key for host names, which may be international. The error never
// contains the key.
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

// Fits reports whether a certificate is for that key. It returns false if a text is no key or no certificate.
func Fits(key, certificate []byte) bool {
	c, err := certificateOf(certificate)
	return err == nil && isOf(key, c.PublicKey)
}

// Requests reports whether a certificate request is of that key. It returns false if a text is no key or no request.
func Requests(key, request []byte) bool {
	block, _ := pem.Decode(request)
	if block == nil || block.Type != blockRequest {
		return false
	}
	r, err := x509.ParseCertificateRequest(block.Bytes)
	return err == nil && isOf(key, r.PublicKey)
}

// isOf reports whether a public key belongs to a private one.
func isOf(key []byte, public crypto.PublicKey) bool {
	signer, err := parse(key)
	if err != nil {
		return false
	}
	ours, ok := signer.Public().(interface{ Equal(crypto.PublicKey) bool })
	return ok && ours.Equal(public)
}

// Lifetime returns how long a certificate is valid in all, 0 if the text is no certificate.
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
		return nil, ErrNoKey // The parser's error may contain parts of the key.
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
