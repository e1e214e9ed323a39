// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package simulator

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"math/big"
	"net/http"
	"slices"
	"strings"
	"time"
)

// originCA signs the certificates of one simulator. It exists as long as the simulator.
type originCA struct {
	key         *ecdsa.PrivateKey
	certificate *x509.Certificate
}

// CodeCertificateNotFound is the code for an unknown certificate. It has only one weak
// source.
const CodeCertificateNotFound = 1001

// certificateFamily returns the certificates of the origin CA. A token needs the
// permission for certificates. The only other way in the document is the header of a
// service key. The API refuses the global key (Terraform provider, issue 1361).
func certificateFamily() *family {
	return &family{
		list: "/certificates", parameter: "certificate_id", shape: idHex,
		groups: []string{"SSL and Certificates Write"},
		missing: func() *Error {
			return refuse(http.StatusNotFound, CodeCertificateNotFound, "The certificate does not exist.")
		},
		prepare: signCertificate,
		show:    func(_ *resourceCall, _ *resource, shown map[string]any) { delete(shown, "zone_id") },
		filters: map[string]filter{
			"zone_id": func(r *resource, value string) bool { return r.text("zone_id") == value && r.doc["revoked_at"] == nil },
			"limit":   func(*resource, string) bool { return true },
			"offset":  func(*resource, string) bool { return true },
		},
		more: map[string]handler{
			"GET /certificates":                     (*resourceCall).listCertificates,
			"DELETE /certificates/{certificate_id}": (*resourceCall).revokeCertificate,
		},
	}
}

// listCertificates lists certificates. It requires the parameter zone_id.
func (c *resourceCall) listCertificates() (reply, *Error) {
	if !c.r.URL.Query().Has("zone_id") {
		return reply{}, invalid(CodeBadParameter, "The parameter zone_id is required.")
	}
	return c.listAll()
}

// signCertificate signs the CSR of the request. All host names must be in zones that the
// credential reaches.
func signCertificate(c *resourceCall, _ *resource, doc map[string]any) *Error {
	text, _ := doc["csr"].(string)
	block, _ := pem.Decode([]byte(text))
	if block == nil {
		return invalid(CodeResourceInvalid, "The CSR must be in PEM form.")
	}
	request, err := x509.ParseCertificateRequest(block.Bytes)
	if err != nil || request.CheckSignature() != nil {
		return invalid(CodeResourceInvalid, "The CSR is invalid.")
	}
	names, err2 := c.hostNames(doc)
	if err2 != nil {
		return err2
	}
	validity, _ := number(doc["requested_validity"])
	expires := c.now.Add(time.Duration(validity) * 24 * time.Hour).Truncate(time.Second)
	template := &x509.Certificate{
		SerialNumber: big.NewInt(int64(c.s.resourceSeq) + 2), Subject: pkix.Name{CommonName: "CloudFlare Origin Certificate"},
		NotBefore: c.now.Add(-time.Minute), NotAfter: expires, DNSNames: names,
		KeyUsage: x509.KeyUsageDigitalSignature, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
	}
	ca := c.s.originCA()
	der, err := x509.CreateCertificate(rand.Reader, template, ca.certificate, request.PublicKey, ca.key)
	if err != nil {
		return invalid(CodeResourceInvalid, "The CSR's key cannot be signed.")
	}
	doc["certificate"] = string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}))
	doc["expires_on"] = expires.UTC().Format("2006-01-02 15:04:05 +0000 UTC")
	return nil
}

// hostNames returns the host names of the request in lower case, sorted and without
// duplicates. It sets them in the document, together with the ID of the zone of the last
// one.
func (c *resourceCall) hostNames(doc map[string]any) ([]string, *Error) {
	list, _ := doc["hostnames"].([]any)
	var names []string
	for _, e := range list {
		name, _ := e.(string)
		name = strings.ToLower(name)
		z := c.zoneOver(strings.TrimPrefix(name, "*."))
		if z == nil {
			return nil, errAuthentication()
		}
		doc["zone_id"] = z.id
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	if len(names) == 0 {
		return nil, invalid(CodeResourceInvalid, "A certificate must have a host name.")
	}
	slices.Sort(names)
	sorted := make([]any, 0, len(names))
	for _, name := range names {
		sorted = append(sorted, name)
	}
	doc["hostnames"] = sorted
	return names, nil
}

// zoneOver returns the longest zone that a name is in, among those for which the
// credential may order certificates. It returns nil if there is none. Several accounts
// may have zones of the same name.
func (c *resourceCall) zoneOver(name string) *zone {
	return c.s.closestZone(name, func(z *zone) bool {
		return c.cred == nil || c.cred.reach(z, z.id, "SSL and Certificates Write") == here
	})
}

// closestZone returns the longest zone that a name is in, among the eligible ones. It returns
// nil if there is none. Of several zones of that name, it returns the one with the first ID.
func (s *Server) closestZone(name string, eligible func(*zone) bool) *zone {
	var closest *zone
	for _, z := range s.zones {
		if !atOrBelow(name, z.name) || !eligible(z) {
			continue
		}
		if closest == nil || len(z.name) > len(closest.name) || (len(z.name) == len(closest.name) && z.id < closest.id) {
			closest = z
		}
	}
	return closest
}

// originCA returns the CA, and generates it for the first certificate.
func (s *Server) originCA() *originCA {
	if s.ca != nil {
		return s.ca
	}
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		panic("simulator: cannot make a key: " + err.Error())
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "Simulated Origin CA"},
		NotBefore: s.now().Add(-time.Hour), NotAfter: s.now().Add(30 * 365 * 24 * time.Hour),
		IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign,
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		panic("simulator: cannot make a CA: " + err.Error())
	}
	certificate, err := x509.ParseCertificate(der)
	if err != nil {
		panic("simulator: cannot read the CA: " + err.Error())
	}
	s.ca = &originCA{key: key, certificate: certificate}
	return s.ca
}

// OriginCA returns the certificate, in PEM form, that signs origin certificates.
func (s *Server) OriginCA() []byte {
	s.mu.Lock()
	defer s.mu.Unlock()
	return pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: s.originCA().certificate.Raw})
}

// revokeCertificate sets the time of the revocation. The certificate itself stays.
func (c *resourceCall) revokeCertificate() (reply, *Error) {
	r, err := c.find()
	if err != nil {
		return reply{}, err
	}
	if r.doc["revoked_at"] != nil {
		return reply{}, c.f.unknown()
	}
	if err := c.mayDelete(r); err != nil {
		return reply{}, err
	}
	doc := copyOf(r.doc)
	doc["revoked_at"] = timestamp(c.now)
	r.set(doc, c.now)
	return reply{result: map[string]any{"id": r.id, "revoked_at": doc["revoked_at"]}}, nil
}
