// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package connect

import (
	"fmt"
	"strings"

	"github.com/crossplane/crossplane-runtime/v2/pkg/resource"
	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client/apiutil"
)

// ReasonDeletionBlocked is the reason of the Ready condition of an object whose deletion waits
// for a credential, or for a call that its provider config does not allow.
const ReasonDeletionBlocked xpv2.ConditionReason = "DeletionBlocked"

// A DeletionBlockedError says that an object that is being deleted has no credential for the cleanup, or one that
// it may not use, and how to remove the object nevertheless. Waiting may not help: nothing can be
// created in a namespace that is being deleted, so a Secret that was deleted before this process read
// it cannot come back.
type DeletionBlockedError struct {
	Cause error
	// Command frees the object.
	Command string
}

func (e *DeletionBlockedError) Error() string {
	if e.refused() {
		return fmt.Sprintf("%v (this object is being deleted, and nothing at Cloudflare is: allow it for as long as that takes; "+
			"or let the object go and leave at Cloudflare what it stands for, with spec.deletionPolicy Orphan: %s)", e.Cause, e.Command)
	}
	return fmt.Sprintf("%v (this object is being deleted and needs a credential for that: bring it back; "+
		"or name another provider config in spec.providerConfigRef, which must be a ClusterProviderConfig where the namespace is being deleted too; "+
		"or let the object go and leave at Cloudflare what it stands for, with spec.deletionPolicy Orphan: %s)", e.Cause, e.Command)
}

// Unwrap returns the cause.
func (e *DeletionBlockedError) Unwrap() error { return e.Cause }

// refused reports whether a provider config does not allow what the deletion needs.
func (e *DeletionBlockedError) refused() bool { return IsRefused(e.Cause) }

func (e *DeletionBlockedError) condition() xpv2.Condition {
	waits := "deletion waits for a credential"
	if e.refused() {
		waits = "deletion waits for what the provider config does not allow"
	}
	return xpv2.Condition{
		Type: xpv2.TypeReady, Status: corev1.ConditionFalse, Reason: ReasonDeletionBlocked, LastTransitionTime: metav1.Now(),
		Message: fmt.Sprintf("%s: %v. To let this object go and leave at Cloudflare what it stands for, run: %s", waits, e.Cause, e.Command),
	}
}

// orphan returns the command that lets an object go without its credential. Names of objects need
// no quotes in a shell.
func (c *Connections) orphan(mg resource.ModernManaged) string {
	kind := "KIND"
	if gvk, err := apiutil.GVKForObject(mg, c.o.Kube.Scheme()); err == nil {
		kind = strings.ToLower(gvk.Kind) + "." + gvk.Group
	}
	return fmt.Sprintf(`kubectl patch %s %s -n %s --type=merge -p '{"spec":{"deletionPolicy":"Orphan"}}'`, kind, mg.GetName(), mg.GetNamespace())
}
