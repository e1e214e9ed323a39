// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package claim

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"
	"time"

	coordinationv1 "k8s.io/api/coordination/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/utils/ptr"
)

const (
	// LedgerLabel is on each Lease of a ledger.
	LedgerLabel = "cloudflare.m.crossplane.io/ledger"
	// ledgerValue is the value of LedgerLabel.
	ledgerValue = "claims"
	// claimedKind and claimedKey are annotations with the kind and the key of the claimed resource.
	claimedKind = "cloudflare.m.crossplane.io/claimed-kind"
	claimedKey  = "cloudflare.m.crossplane.io/claimed"
	leasePrefix = "provider-cloudflare-claim-"
)

// A subject is what a Lease is about: an external resource of a kind, by its key in the registry.
type subject struct{ kind, key string }

// lease returns the name of the Lease.
func (s subject) lease() string {
	sum := sha256.Sum256([]byte(s.kind + "\n" + s.key))
	return leasePrefix + hex.EncodeToString(sum[:16])
}

// toLease returns the Lease that names h. It does not expire: the object's own process deletes it.
func (s subject) toLease(namespace string, h holder) *coordinationv1.Lease {
	return &coordinationv1.Lease{
		ObjectMeta: metav1.ObjectMeta{
			Namespace: namespace, Name: s.lease(), Labels: map[string]string{LedgerLabel: ledgerValue},
			Annotations: map[string]string{claimedKind: s.kind, claimedKey: s.key},
		},
		Spec: coordinationv1.LeaseSpec{
			HolderIdentity: ptr.To(h.name.String() + "/" + string(h.uid)), RenewTime: ptr.To(metav1.NewMicroTime(time.Now())),
		},
	}
}

// holderIn returns the object that a Lease names.
func holderIn(l *coordinationv1.Lease) (holder, error) {
	parts := strings.Split(ptr.Deref(l.Spec.HolderIdentity, ""), "/")
	if len(parts) != 3 || parts[0] == "" || parts[1] == "" || parts[2] == "" {
		return holder{}, fmt.Errorf("the Lease %s does not name the object that claims %s: delete the Lease", l.Name, l.Annotations[claimedKey])
	}
	return holder{name: types.NamespacedName{Namespace: parts[0], Name: parts[1]}, uid: types.UID(parts[2])}, nil
}

// subjectOf returns what a Lease is about.
func subjectOf(l *coordinationv1.Lease) subject {
	return subject{kind: l.Annotations[claimedKind], key: l.Annotations[claimedKey]}
}
