// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"

	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	clientgoscheme "k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/tools/clientcmd"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/provider-cloudflare/provider-cloudflare/apis"
	cfv1alpha1 "github.com/provider-cloudflare/provider-cloudflare/apis/v1alpha1"
	"github.com/provider-cloudflare/provider-cloudflare/internal/cloudflare"
	"github.com/provider-cloudflare/provider-cloudflare/internal/connect"
)

// tokenVariable is the environment variable with an API token.
const tokenVariable = "CLOUDFLARE_API_TOKEN" //nolint:gosec // A name.

// defaultName is the provider config of objects without a providerConfigRef.
const defaultName = "default"

// A connection has the settings to reach Cloudflare and the cluster.
type connection struct {
	kubeconfig, context, namespace string
	tokenFile                      string
	config, clusterConfig          string
	accountID, apiURL              string
}

// An account is a client of the Cloudflare API, with the account that it is limited to, or ""
// if it is not limited.
type account struct {
	client *cloudflare.Client
	id     string
}

// cloudflare connects with the credential of the file, of the environment, or of the provider
// config: the first of these that is set. A provider config that is set by a flag takes
// precedence over the environment.
func (c *connection) cloudflare(ctx context.Context) (account, error) {
	if err := cloudflare.CheckBaseURL(c.apiURL); err != nil {
		return account{}, fmt.Errorf("--cloudflare-api-url: %w", err)
	}
	cred, id, err := c.credential(ctx)
	if err != nil {
		return account{}, err
	}
	return account{
		client: cloudflare.New(cred, cloudflare.Options{BaseURL: c.apiURL, UserAgent: "kubectl-cloudflare/" + version}),
		id:     cmp.Or(c.accountID, id),
	}, nil
}

func (c *connection) credential(ctx context.Context) (cred cloudflare.Credential, accountID string, err error) {
	token, ok := os.LookupEnv(tokenVariable)
	switch {
	case c.tokenFile != "":
		raw, err := os.ReadFile(c.tokenFile)
		if err != nil {
			return cred, "", fmt.Errorf("cannot read the API token: %w", err)
		}
		cred, err = parse(raw, "file "+c.tokenFile)
		return cred, "", err
	case ok && c.config == "" && c.clusterConfig == "":
		cred, err = parse([]byte(token), "environment variable "+tokenVariable)
		return cred, "", err
	}
	return c.ofCluster(ctx)
}

func parse(raw []byte, of string) (cloudflare.Credential, error) {
	cred, err := cloudflare.ParseCredential(raw)
	if err != nil {
		return cred, fmt.Errorf("cannot use the API token of the %s: %w", of, err)
	}
	return cred, nil
}

// ofCluster returns the credential and the account of the provider config.
func (c *connection) ofCluster(ctx context.Context) (cred cloudflare.Credential, accountID string, err error) {
	kube, namespace, err := c.kubernetes()
	if err != nil {
		return cred, "", fmt.Errorf("cannot read the provider config (set --token-file or %s to do without a cluster): %w", tokenVariable, err)
	}
	cfg, err := c.read(ctx, kube, namespace)
	if err != nil {
		return cred, "", err
	}
	s := &corev1.Secret{}
	if err := kube.Get(ctx, cfg.Secret.NamespacedName, s); err != nil {
		return cred, "", fmt.Errorf("cannot read the credentials Secret %s: %w", cfg.Secret.NamespacedName, err)
	}
	raw, ok := s.Data[cfg.Secret.Key]
	if !ok {
		return cred, "", fmt.Errorf("cannot read the credentials: Secret %s has no key %q", cfg.Secret.NamespacedName, cfg.Secret.Key)
	}
	cred, err = parse(raw, "Secret "+cfg.Secret.String())
	return cred, cfg.AccountID, err
}

func (c *connection) read(ctx context.Context, kube client.Reader, namespace string) (connect.Config, error) {
	ref := c.reference()
	if ref.Kind == cfv1alpha1.ClusterProviderConfigKind {
		pc := &cfv1alpha1.ClusterProviderConfig{}
		if err := kube.Get(ctx, types.NamespacedName{Name: ref.Name}, pc); err != nil {
			return connect.Config{}, fmt.Errorf("cannot get the ClusterProviderConfig %s: %w", ref.Name, err)
		}
		return connect.FromClusterProviderConfig(pc), nil
	}
	pc := &cfv1alpha1.ProviderConfig{}
	if err := kube.Get(ctx, types.NamespacedName{Namespace: namespace, Name: ref.Name}, pc); err != nil {
		return connect.Config{}, fmt.Errorf("cannot get the ProviderConfig %s in namespace %s: %w", ref.Name, namespace, err)
	}
	return connect.FromProviderConfig(pc), nil
}

// reference returns the provider config of manifests.
func (c *connection) reference() xpv2.ProviderConfigReference {
	if c.clusterConfig != "" {
		return xpv2.ProviderConfigReference{Kind: cfv1alpha1.ClusterProviderConfigKind, Name: c.clusterConfig}
	}
	return xpv2.ProviderConfigReference{Kind: cfv1alpha1.ProviderConfigKind, Name: cmp.Or(c.config, defaultName)}
}

func (c *connection) loader() clientcmd.ClientConfig {
	rules := clientcmd.NewDefaultClientConfigLoadingRules()
	rules.ExplicitPath = c.kubeconfig
	overrides := &clientcmd.ConfigOverrides{CurrentContext: c.context}
	overrides.Context.Namespace = c.namespace
	return clientcmd.NewNonInteractiveDeferredLoadingClientConfig(rules, overrides)
}

// kubernetes connects to the cluster, and returns the namespace to work in.
func (c *connection) kubernetes() (client.Client, string, error) {
	loader := c.loader()
	cfg, err := loader.ClientConfig()
	if err != nil {
		return nil, "", err
	}
	namespace, _, err := loader.Namespace()
	if err != nil {
		return nil, "", err
	}
	scheme := runtime.NewScheme()
	if err := errors.Join(clientgoscheme.AddToScheme(scheme), apis.AddToScheme(scheme)); err != nil {
		return nil, "", err
	}
	kube, err := client.New(cfg, client.Options{Scheme: scheme})
	return kube, namespace, err
}

// manifestNamespace returns the namespace of manifests. It needs no cluster.
func (c *connection) manifestNamespace() (string, error) {
	if c.namespace != "" {
		return c.namespace, nil
	}
	namespace, _, err := c.loader().Namespace()
	switch {
	case clientcmd.IsEmptyConfig(err):
		return metav1.NamespaceDefault, nil
	case err != nil:
		return "", fmt.Errorf("cannot read the kubeconfig file: %w", err)
	}
	return namespace, nil
}
