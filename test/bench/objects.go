// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"strings"

	"github.com/crossplane/crossplane-runtime/v2/pkg/resource"
	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/ptr"
	"sigs.k8s.io/controller-runtime/pkg/client"

	loadbalancerv1alpha1 "github.com/provider-cloudflare/provider-cloudflare/apis/loadbalancer/v1alpha1"
	cfv1alpha1 "github.com/provider-cloudflare/provider-cloudflare/apis/v1alpha1"
	workersv1alpha1 "github.com/provider-cloudflare/provider-cloudflare/apis/workers/v1alpha1"
)

func accountName(i int) string { return fmt.Sprintf("account-%02d", i) }

func accountID(i int) string { return fmt.Sprintf("%032x", i+1) }

// kindsMeasured returns empty lists of the kinds of which the case [kinds] makes objects.
func kindsMeasured() []resource.ManagedList {
	return []resource.ManagedList{&workersv1alpha1.KVNamespaceList{}, &loadbalancerv1alpha1.LoadBalancerMonitorList{}}
}

// accountObjects returns perKind objects of each kind in each account.
func accountObjects(accounts, perKind int) []client.Object {
	var out []client.Object
	for a := range accounts {
		ref := &xpv2.ProviderConfigReference{Kind: cfv1alpha1.ClusterProviderConfigKind, Name: accountName(a)}
		for i := range perKind {
			name := objectName(accountName(a), i)
			kv := &workersv1alpha1.KVNamespace{ObjectMeta: metav1.ObjectMeta{Name: name, Namespace: namespace}}
			kv.Spec.ForProvider = workersv1alpha1.KVNamespaceParameters{AccountID: ptr.To(accountID(a)), Title: ptr.To(name)}
			kv.Spec.ProviderConfigReference = ref
			lb := &loadbalancerv1alpha1.LoadBalancerMonitor{ObjectMeta: metav1.ObjectMeta{Name: name, Namespace: namespace}}
			lb.Spec.ForProvider = loadbalancerv1alpha1.LoadBalancerMonitorParameters{
				AccountID: ptr.To(accountID(a)), Description: ptr.To(name), Path: ptr.To("/healthz"), ExpectedCodes: ptr.To("2xx"), Interval: ptr.To[int64](60),
			}
			lb.Spec.ProviderConfigReference = ref
			out = append(out, kv, lb)
		}
	}
	return out
}

// everything matches all controllers except the shared pool.
func everything(l map[string]string) bool {
	return l["controller"] != wholePool && l["name"] != wholePool
}

// isManaged reports whether a controller is that of a kind of managed resource.
func isManaged(controller string) bool {
	return strings.HasPrefix(controller, wholePool+"/")
}
