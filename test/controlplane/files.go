// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"net"
	"os"
	"path/filepath"
	"time"

	"k8s.io/client-go/tools/clientcmd"
	clientcmdapi "k8s.io/client-go/tools/clientcmd/api"
)

// certLifetime is longer than any test. Each "up" creates new certificates.
const certLifetime = 10 * 365 * 24 * time.Hour

// files are the absolute paths of the files of the components.
type files struct {
	etcdDir, log                       string
	ca, serverCert, serverKey          string
	serviceAccountKey                  string
	adminKubeconfig, managerKubeconfig string
	schedulerKubeconfig                string
}

// writeFiles writes the certificates and kubeconfigs of a control plane that serves url at
// address. It does not store the key of the CA, which signs nothing after the start.
func writeFiles(dir, kubeconfig, url string, address net.IP) (files, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return files{}, err
	}
	if kubeconfig, err = filepath.Abs(kubeconfig); err != nil {
		return files{}, err
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return files{}, err
	}
	in := func(name string) string { return filepath.Join(dir, name) }
	f := files{
		etcdDir: in("etcd"), log: in("controlplane.log"),
		ca: in("ca.crt"), serverCert: in("apiserver.crt"), serverKey: in("apiserver.key"),
		serviceAccountKey: in("serviceaccount.key"),
		adminKubeconfig:   kubeconfig, managerKubeconfig: in("controller-manager.kubeconfig"),
		schedulerKubeconfig: in("scheduler.kubeconfig"),
	}

	authority, err := newPair(nil, x509.Certificate{
		Subject: pkix.Name{CommonName: "controlplane-ca"}, IsCA: true, BasicConstraintsValid: true,
		KeyUsage: x509.KeyUsageCertSign | x509.KeyUsageDigitalSignature,
	})
	if err != nil {
		return f, err
	}
	server, err := newPair(authority, x509.Certificate{
		Subject:     pkix.Name{CommonName: "kube-apiserver"},
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
		DNSNames:    []string{"localhost", "kubernetes", "kubernetes.default", "kubernetes.default.svc"},
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1), net.IPv4(10, 0, 0, 1), address},
	})
	if err != nil {
		return f, err
	}
	accounts, err := newPair(authority, x509.Certificate{Subject: pkix.Name{CommonName: "service-accounts"}})
	if err != nil {
		return f, err
	}

	for path, data := range map[string][]byte{
		f.ca: authority.certPEM(), f.serverCert: server.certPEM(),
		f.serverKey: server.keyPEM, f.serviceAccountKey: accounts.keyPEM,
	} {
		if err := os.WriteFile(path, data, 0o600); err != nil {
			return f, err
		}
	}
	// A member of system:masters passes every authorization check.
	if err := writeKubeconfig(f.adminKubeconfig, url, authority, pkix.Name{CommonName: "admin", Organization: []string{"system:masters"}}); err != nil {
		return f, err
	}
	if err := writeKubeconfig(f.managerKubeconfig, url, authority, pkix.Name{CommonName: "system:kube-controller-manager"}); err != nil {
		return f, err
	}
	return f, writeKubeconfig(f.schedulerKubeconfig, url, authority, pkix.Name{CommonName: "system:kube-scheduler"})
}

func writeKubeconfig(path, url string, authority *pair, user pkix.Name) error {
	client, err := newPair(authority, x509.Certificate{Subject: user, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageClientAuth}})
	if err != nil {
		return err
	}
	const name = "controlplane"
	cfg := clientcmdapi.NewConfig()
	cfg.Clusters[name] = &clientcmdapi.Cluster{Server: url, CertificateAuthorityData: authority.certPEM()}
	cfg.AuthInfos[name] = &clientcmdapi.AuthInfo{ClientCertificateData: client.certPEM(), ClientKeyData: client.keyPEM}
	cfg.Contexts[name] = &clientcmdapi.Context{Cluster: name, AuthInfo: name}
	cfg.CurrentContext = name
	return clientcmd.WriteToFile(*cfg, path) // With mode 0600.
}

// pair is a certificate and its private key.
type pair struct {
	cert   *x509.Certificate
	key    crypto.Signer
	keyPEM []byte
}

func (p *pair) certPEM() []byte {
	return pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: p.cert.Raw})
}

// newPair creates a key and its certificate. parent signs the certificate, or the certificate
// signs itself if parent is nil.
func newPair(parent *pair, template x509.Certificate) (*pair, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, err
	}
	// The hour before now is for clocks that differ. crypto/x509 chooses the missing serial
	// number.
	template.NotBefore = time.Now().Add(-time.Hour)
	template.NotAfter = time.Now().Add(certLifetime)
	if template.KeyUsage == 0 {
		template.KeyUsage = x509.KeyUsageDigitalSignature
	}
	signer := &pair{cert: &template, key: key}
	if parent != nil {
		signer = parent
	}
	der, err := x509.CreateCertificate(rand.Reader, &template, signer.cert, key.Public(), signer.key)
	if err != nil {
		return nil, err
	}
	cert, err := x509.ParseCertificate(der)
	if err != nil {
		return nil, err
	}
	keyDER, err := x509.MarshalECPrivateKey(key)
	if err != nil {
		return nil, err
	}
	keyPEM := pem.EncodeToMemory(&pem.Block{Type: "EC PRIVATE KEY", Bytes: keyDER})
	return &pair{cert: cert, key: key, keyPEM: keyPEM}, nil
}
