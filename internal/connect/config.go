// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package connect

import (
	"context"
	"fmt"

	"github.com/crossplane/crossplane-runtime/v2/pkg/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/utils/ptr"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/provider-cloudflare/provider-cloudflare/apis/v1alpha1"
	"github.com/provider-cloudflare/provider-cloudflare/internal/connect/limits"
)

// A Config holds what the two kinds of provider config have in common.
type Config struct {
	// Name is the name of the config with its kind, for messages.
	Name string
	// UID and Generation tell which of two reads of the config is the later one.
	UID        types.UID
	Generation int64
	// Secret is the key of the Secret that holds its credential.
	Secret SecretKey
	// AccountID is its default account, "" if it has none.
	AccountID string
	// Requests is how many requests it may make in five minutes, 0 for as many as the API allows.
	Requests int
	// SecretsForObservers is true if objects that only observe a resource get its secrets.
	SecretsForObservers bool
	// Limits are the limits that it sets. Namespaces, unless nil, selects the namespaces whose objects may use it.
	Limits     limits.Limits
	Namespaces *metav1.LabelSelector
}

// A ClusterScopeError says that an object names a ClusterProviderConfig although the provider watches some namespaces only.
type ClusterScopeError struct{ Config ConfigRef }

func (e *ClusterScopeError) Error() string {
	return fmt.Sprintf("cannot use the %s: a provider with --watch-namespaces reads no ClusterProviderConfigs; "+
		"name a ProviderConfig of this namespace in spec.providerConfigRef", e.Config)
}

// config reads a provider config. It looks up a ProviderConfig only in the namespace of the
// managed resource that names it: see RefOf.
func (c *Connections) config(ctx context.Context, ref ConfigRef) (resource.ProviderConfig, Config, error) {
	switch ref.Kind {
	case v1alpha1.ProviderConfigKind:
		pc := &v1alpha1.ProviderConfig{}
		if err := c.o.Kube.Get(ctx, ref.NamespacedName, pc); err != nil {
			return nil, Config{}, fmt.Errorf("cannot get the ProviderConfig %s in namespace %s: %w", ref.Name, ref.Namespace, missing(err))
		}
		return pc, FromProviderConfig(pc), nil
	case v1alpha1.ClusterProviderConfigKind:
		if c.o.Scoped {
			return nil, Config{}, &ClusterScopeError{Config: ref}
		}
		pc := &v1alpha1.ClusterProviderConfig{}
		if err := c.o.Kube.Get(ctx, ref.NamespacedName, pc); err != nil {
			return nil, Config{}, fmt.Errorf("cannot get the ClusterProviderConfig %s: %w", ref.Name, missing(err))
		}
		return pc, FromClusterProviderConfig(pc), nil
	}
	return nil, Config{}, fmt.Errorf("spec.providerConfigRef.kind: %q is not a kind of provider config: use %s or %s",
		ref.Kind, v1alpha1.ProviderConfigKind, v1alpha1.ClusterProviderConfigKind)
}

// FromProviderConfig returns the Config of a ProviderConfig.
func FromProviderConfig(pc *v1alpha1.ProviderConfig) Config {
	ref := pc.Spec.Credentials.SecretRef
	return common(pc.Spec.CommonSpec, Config{
		Name: ConfigRef{v1alpha1.ProviderConfigKind, client.ObjectKeyFromObject(pc)}.String(),
		UID:  pc.GetUID(), Generation: pc.GetGeneration(),
		Secret: SecretKey{
			NamespacedName: types.NamespacedName{Namespace: pc.GetNamespace(), Name: ref.Name},
			Key:            ref.Key,
		},
	})
}

// FromClusterProviderConfig returns the Config of a ClusterProviderConfig.
func FromClusterProviderConfig(pc *v1alpha1.ClusterProviderConfig) Config {
	ref := pc.Spec.Credentials.SecretRef
	return common(pc.Spec.CommonSpec, Config{
		Name: ConfigRef{v1alpha1.ClusterProviderConfigKind, client.ObjectKeyFromObject(pc)}.String(),
		UID:  pc.GetUID(), Generation: pc.GetGeneration(),
		Secret: SecretKey{
			NamespacedName: types.NamespacedName{Namespace: ref.Namespace, Name: ref.Name},
			Key:            ref.Key,
		},
		Namespaces: pc.Spec.AllowedNamespaces,
	})
}

func common(s v1alpha1.CommonSpec, cfg Config) Config {
	cfg.AccountID = ptr.Deref(s.AccountID, "")
	if s.RateLimit != nil {
		cfg.Requests = int(s.RateLimit.RequestsPerFiveMinutes)
	}
	cfg.SecretsForObservers = s.SecretsForObservers == v1alpha1.PublishSecrets
	cfg.Limits = limits.Limits{
		Config: cfg.Name, Namespaces: cfg.Namespaces != nil,
		Kinds: s.AllowedKinds, Zones: s.AllowedZones, Accounts: s.AllowedAccounts,
	}
	return cfg
}
