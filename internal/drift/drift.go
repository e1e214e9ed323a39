// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

// Package drift says on an object's conditions how the external resource differs
// from what the object declares.
package drift

import (
	"strings"

	"github.com/crossplane/crossplane-runtime/v2/pkg/event"
	"github.com/crossplane/crossplane-runtime/v2/pkg/resource"
	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Reasons of the UpToDate condition.
const (
	// ReasonSynced: the external resource is what the object declares.
	ReasonSynced xpv2.ConditionReason = "RecordSynced"
	// ReasonObserved: the object declares nothing to compare with.
	ReasonObserved xpv2.ConditionReason = "Observed"
	// ReasonDetected: the external resource was changed outside the provider.
	ReasonDetected xpv2.ConditionReason = "DriftDetected"
	// ReasonUnknown: the external resource cannot be looked at.
	ReasonUnknown xpv2.ConditionReason = "NotObserved"
	// ReasonPending: the object's spec was changed and not carried out yet.
	ReasonPending xpv2.ConditionReason = "UpdatePending"
)

// Reasons of the events about a drift.
const (
	EventDetected event.Reason = "DriftDetected"
	EventReverted event.Reason = "DriftReverted"
)

// Differences are what differs, one field each, in words.
type Differences []string

func (d Differences) String() string { return strings.Join(d, "; ") }

// A Verdict is what an observation found.
type Verdict struct {
	Condition xpv2.Condition
	// Drift is true when the external resource was changed outside the provider.
	Drift bool
	// News is true when this drift was not reported before.
	News bool
}

// Judge compares what was found with what the object's UpToDate condition says.
// A difference is drift if the object's generation has been synced before (a
// spec that was just changed is no drift). updates tells whether the management
// policies let the difference be undone.
func Judge(mg resource.Managed, diff Differences, updates bool) Verdict {
	was := mg.GetCondition(xpv2.TypeUpToDate)
	if len(diff) == 0 {
		return Verdict{Condition: Synced(mg)}
	}
	synced := was.ObservedGeneration == mg.GetGeneration() && was.Reason != ReasonPending
	if !synced && updates {
		return Verdict{Condition: condition(mg, corev1.ConditionFalse, ReasonPending, diff.String())}
	}
	msg := diff.String()
	if !updates {
		msg += " (left alone: managementPolicies does not let it be undone)"
	}
	c := condition(mg, corev1.ConditionFalse, ReasonDetected, msg)
	return Verdict{Condition: c, Drift: true, News: !was.Equal(c)}
}

// Pending is the condition of an object whose spec was changed and cannot be
// carried out, for the reason of err.
func Pending(mg resource.Managed, err error) xpv2.Condition {
	return condition(mg, corev1.ConditionFalse, ReasonPending, err.Error())
}

// Unknown is the condition of an object whose external resource cannot be looked at.
func Unknown(mg resource.Managed, why string) xpv2.Condition {
	return condition(mg, corev1.ConditionUnknown, ReasonUnknown, why)
}

// Synced is the condition of an object whose external resource is as declared.
func Synced(mg resource.Managed) xpv2.Condition {
	return condition(mg, corev1.ConditionTrue, ReasonSynced, "")
}

// Observed is the condition of an object that declares nothing to compare with.
func Observed(mg resource.Managed) xpv2.Condition {
	return condition(mg, corev1.ConditionTrue, ReasonObserved, "")
}

func condition(mg resource.Managed, s corev1.ConditionStatus, r xpv2.ConditionReason, msg string) xpv2.Condition {
	return xpv2.Condition{
		Type:               xpv2.TypeUpToDate,
		Status:             s,
		Reason:             r,
		Message:            msg,
		LastTransitionTime: metav1.Now(),
		ObservedGeneration: mg.GetGeneration(),
	}
}
