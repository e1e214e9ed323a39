// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package rights

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/crossplane/crossplane-runtime/v2/pkg/resource"
	coordinationv1 "k8s.io/api/coordination/v1"
	corev1 "k8s.io/api/core/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/rest"
	"k8s.io/utils/ptr"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/provider-cloudflare/provider-cloudflare/internal/kinds"
	"github.com/provider-cloudflare/provider-cloudflare/test/harness"
)

// secretsPolicy returns the path of the policy that limits what the provider writes.
func secretsPolicy() string { return filepath.Join("..", "..", "cluster", "admission", "secrets.yaml") }

const (
	refusedSecret = "ValidatingAdmissionPolicy 'provider-cloudflare-secrets'"
	keySecret     = "provider-cloudflare-key"
	typeOfKey     = corev1.SecretType("cloudflare.m.crossplane.io/key")
	tunnelGroup   = "tunnel.cloudflare.m.crossplane.io/v1alpha1"
)

// A taken is a stolen service account of a provider, with every right in the cluster.
type taken struct {
	*world

	kube client.Client
	// namespace is the provider's.
	namespace string
}

// takeOver grants every right to a service account, and waits until the policy is in force for it.
func (w *world) takeOver(namespace, account string) taken {
	w.t.Helper()
	w.create(&rbacv1.ClusterRoleBinding{
		ObjectMeta: metav1.ObjectMeta{Name: namespace + "-" + account + "-may-everything"},
		RoleRef:    rbacv1.RoleRef{APIGroup: rbacv1.GroupName, Kind: "ClusterRole", Name: "cluster-admin"},
		Subjects:   []rbacv1.Subject{{Kind: rbacv1.ServiceAccountKind, Namespace: namespace, Name: account}},
	})
	kube, err := harness.Client(w.identity(namespace, account))
	if err != nil {
		w.t.Fatal(err)
	}
	w.inForce(namespace, account)
	return taken{w, kube, namespace}
}

// inForce waits until the policy is in force for a service account. An administrator impersonates
// the account, so that the audit log has no refusal of the account itself.
func (w *world) inForce(namespace, account string) {
	w.t.Helper()
	cfg := rest.CopyConfig(w.cfg)
	cfg.Impersonate = rest.ImpersonationConfig{UserName: "system:serviceaccount:" + namespace + ":" + account, Groups: []string{"system:authenticated"}}
	kube, err := harness.Client(cfg)
	if err != nil {
		w.t.Fatal(err)
	}
	opaque := secretOf("opaque", corev1.SecretTypeOpaque)
	opaque.Namespace = namespace // each provider may create its key there
	w.eventually(func() error {
		if err := kube.Create(w.t.Context(), opaque.DeepCopy(), client.DryRunAll); !refusesSecret(err) {
			return fmt.Errorf("creating an opaque Secret gives %w, want that the policy refuses it", err)
		}
		return nil
	})
}

func refusesSecret(err error) bool { return err != nil && strings.Contains(err.Error(), refusedSecret) }

// secretOf returns a Secret of that type. For the types of certificates and of service account
// tokens, it has what the API server requires.
func secretOf(name string, typ corev1.SecretType, owners ...metav1.OwnerReference) *corev1.Secret {
	s := &corev1.Secret{ObjectMeta: in(tenant, name), Type: typ}
	s.OwnerReferences = owners
	switch typ {
	case corev1.SecretTypeTLS:
		s.Data = map[string][]byte{corev1.TLSCertKey: {}, corev1.TLSPrivateKeyKey: {}}
	case corev1.SecretTypeServiceAccountToken:
		s.Annotations = map[string]string{corev1.ServiceAccountNameKey: "default"}
	}
	return s
}

func ownedBy(apiVersion string, controller bool) metav1.OwnerReference {
	return metav1.OwnerReference{APIVersion: apiVersion, Kind: "Tunnel", Name: "app", UID: "1", Controller: ptr.To(controller)}
}

// TestSecretsPolicy checks what the policy of secrets.yaml promises, for a provider with every
// right: it can create, change and delete its own Secrets, but no token of a service account, and
// it can write no ConfigMap and no Lease that is not its own.
func TestSecretsPolicy(t *testing.T) {
	w := newWorld(t)
	w.apply(minimum())
	w.apply(secretsPolicy())
	w.takeOver(namespace, account).isConfined()
	for _, row := range []struct{ reason, namespace, name string }{
		{"a shard", own, account + "-a"},
		{"a revision of a Provider without a DeploymentRuntimeConfig", "crossplane", account + "-0123456789ab"},
		{"Crossplane in another namespace", "upbound-system", account},
	} {
		t.Run(row.reason, func(t *testing.T) {
			w := w.partOf(t)
			w.create(&corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: row.namespace}})
			w.create(&corev1.ServiceAccount{ObjectMeta: in(row.namespace, row.name)})
			w.takeOver(row.namespace, row.name).isConfined()
		})
	}
	if err := w.kube.Create(t.Context(), secretOf("others", corev1.SecretTypeServiceAccountToken), client.DryRunAll); err != nil {
		t.Errorf("the policy is for the provider alone, and others are refused: %v", err)
	}
	// Otherwise no test with the policy would detect that it refuses a request of the provider.
	if len(audit(t, w.log, user).refused) == 0 {
		t.Errorf("the audit log shows nothing that the policy refused")
	}
}

// isConfined checks everything that the policy promises.
func (p taken) isConfined() {
	p.t.Helper()
	p.creates()
	p.changes()
	p.staysHome()
}

// creates checks which Secrets can be created.
func (p taken) creates() {
	p.t.Helper()
	mine := ownedBy(tunnelGroup, true)
	for _, row := range []struct {
		reason string
		secret *corev1.Secret
		fine   bool
	}{
		{"a connection secret", secretOf("mine", resource.SecretTypeConnection, mine), true},
		{"the key of the hashes", secretOf(keySecret, typeOfKey), true},
		{"a token of a service account", secretOf("token", corev1.SecretTypeServiceAccountToken), false},
		{"a token of a service account, as of an object", secretOf("token", corev1.SecretTypeServiceAccountToken, mine), false},
		{"a token that lets a node join", secretOf("bootstrap-token-abcdef", corev1.SecretTypeBootstrapToken, mine), false},
		{"a Secret of no type", secretOf("opaque", "", mine), false},
		{"a certificate of nobody", secretOf("tls", corev1.SecretTypeTLS), false},
		{"a connection secret of another provider's object", secretOf("foreign", resource.SecretTypeConnection, ownedBy("example.org/v1", true)), false},
		{"a group that only begins as ours", secretOf("foreign", resource.SecretTypeConnection, ownedBy("tunnel.cloudflare.m.crossplane.io.example.org/v1", true)), false},
		{"a group that only ends as ours", secretOf("foreign", resource.SecretTypeConnection, ownedBy("notcloudflare.m.crossplane.io/v1", true)), false},
		{"an owner that is not the controller", secretOf("shared", resource.SecretTypeConnection, ownedBy(tunnelGroup, false)), false},
		{"a key of another name", secretOf("key", typeOfKey), false},
	} {
		p.admits("creating "+row.reason, p.kube.Create(p.t.Context(), row.secret, client.DryRunAll), row.fine)
	}
	for _, d := range kinds.All() {
		if d.SecretType == "" {
			continue
		}
		s := secretOf("described", corev1.SecretType(d.SecretType), ownedBy(d.Group+".cloudflare.m.crossplane.io/v1alpha1", true))
		p.admits("creating the connection secret of a "+d.Name, p.kube.Create(p.t.Context(), s, client.DryRunAll), true)
	}
}

// changes checks which Secrets can be changed and deleted.
func (p taken) changes() {
	p.t.Helper()
	for _, row := range []struct {
		reason string
		secret *corev1.Secret
		fine   bool
	}{
		{"a connection secret of its own", secretOf("changed", resource.SecretTypeConnection, ownedBy(tunnelGroup, true)), true},
		{"a certificate of somebody else", secretOf("changed", corev1.SecretTypeTLS), false},
		{"a connection secret of somebody else", secretOf("changed", resource.SecretTypeConnection, ownedBy("example.org/v1", true)), false},
		{"a Secret of a person", secretOf("changed", corev1.SecretTypeOpaque), false},
		{"the key of the hashes", secretOf(keySecret, typeOfKey), false},
	} {
		p.create(row.secret)
		next := row.secret.DeepCopy()
		next.Data = map[string][]byte{corev1.TLSCertKey: {1}, corev1.TLSPrivateKeyKey: {1}}
		p.admits("changing "+row.reason, p.kube.Update(p.t.Context(), next, client.DryRunAll), row.fine)
		next.OwnerReferences = []metav1.OwnerReference{ownedBy(tunnelGroup, true)}
		p.admits("making its own "+row.reason, p.kube.Update(p.t.Context(), next, client.DryRunAll), row.fine)
		p.admits("deleting "+row.reason, p.kube.Delete(p.t.Context(), row.secret.DeepCopy(), client.DryRunAll), row.fine)
		p.delete(row.secret)
	}
}

// staysHome checks which ConfigMaps and Leases can be written: the provider's own, in its
// namespace.
func (p taken) staysHome() {
	p.t.Helper()
	for _, row := range []struct {
		reason, namespace, name string
		fine                    bool
	}{
		{"its journal, or one of its claims", p.namespace, "provider-cloudflare-journal-1", true},
		{"its election", p.namespace, lease, true},
		{"the election of a shard", p.namespace, lease + "-a", true},
		{"what the cluster's DNS is configured by", metav1.NamespaceSystem, "coredns", false},
		{"its name in a tenant's namespace", tenant, "provider-cloudflare-journal-1", false},
		{"Crossplane's own, in the same namespace", p.namespace, "crossplane-leader-election-core", false},
		{"a name that only begins as its own", p.namespace, "provider-cloudflared", false},
	} {
		for _, o := range []client.Object{
			&corev1.ConfigMap{ObjectMeta: in(row.namespace, row.name)}, &coordinationv1.Lease{ObjectMeta: in(row.namespace, row.name)},
		} {
			what := fmt.Sprintf("%s (%T)", row.reason, o)
			p.create(o)
			o.SetLabels(map[string]string{"changed": "yes"})
			p.admits("changing "+what, p.kube.Update(p.t.Context(), o, client.DryRunAll), row.fine)
			p.admits("deleting "+what, p.kube.Delete(p.t.Context(), o, client.DryRunAll), row.fine)
			p.delete(o)
			o.SetResourceVersion("")
			p.admits("creating "+what, p.kube.Create(p.t.Context(), o, client.DryRunAll), row.fine)
		}
	}
}

// admits checks that the policy admits or refuses a request.
func (p taken) admits(what string, err error, fine bool) {
	p.t.Helper()
	if fine && err != nil || !fine && !refusesSecret(err) {
		p.t.Errorf("%s gives %v, want it admitted: %t", what, err, fine)
	}
}
