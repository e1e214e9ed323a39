// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

// Package drift says on an object's conditions how the external resource differs
// from what the object declares.
package drift

import (
	"strings"
	"time"

	"github.com/crossplane/crossplane-runtime/v2/pkg/event"
	"github.com/crossplane/crossplane-runtime/v2/pkg/meta"
	"github.com/crossplane/crossplane-runtime/v2/pkg/resource"
	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Reasons of the UpToDate condition.
const (
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

// ReasonSynced is the reason of an object of that kind whose external resource is what the
// object declares: RecordSynced, ZoneSynced.
func ReasonSynced(kind string) xpv2.ConditionReason { return xpv2.ConditionReason(kind + "Synced") }

// A Verdict is what an observation found.
type Verdict struct {
	Condition xpv2.Condition
	// Drift is true when the external resource was changed outside the provider.
	Drift bool
	// News is true when this drift was not reported before.
	News bool
	// Differences are what differs, and Undone is true where the management policies let the
	// provider undo it.
	Differences Differences
	Undone      bool
	// Cause is who caused the drift, and how and when; "" where that is not known.
	Cause string
}

// By is the verdict with who caused the drift, and how and when, "" for nobody knows. What
// that adds to a drift that was reported before is no news.
func (v Verdict) By(who string) Verdict {
	if who == "" || !v.Drift {
		return v
	}
	v.Cause, v.Condition.Message = who, v.Differences.String()+"; "+who+v.after()
	return v
}

// after is what follows the differences in the message.
func (v Verdict) after() string {
	if v.Undone {
		return ""
	}
	return leftAlone
}

// isExplanation reports whether a part of a message is what By adds: "changed by somebody at
// 2026-11-23T12:00:00Z".
func isExplanation(part string) bool {
	at := strings.LastIndex(part, " at ")
	if at < 0 || !strings.HasPrefix(part, "changed") && !strings.HasPrefix(part, "deleted") {
		return false
	}
	_, err := time.Parse(time.RFC3339, part[at+len(" at "):])
	return err == nil
}

// Unexplained reports whether the object has drifted and its condition does not say who
// caused that.
func Unexplained(mg resource.Managed) bool {
	c := mg.GetCondition(xpv2.TypeUpToDate)
	if c.Reason != ReasonDetected {
		return false
	}
	said := strings.TrimSuffix(c.Message, leftAlone)
	last := max(strings.LastIndex(said, "; changed "), strings.LastIndex(said, "; deleted "))
	return last < 0 || !isExplanation(said[last+len("; "):])
}

// explained is who caused a drift as the object's condition has it, "" where that is about
// another drift or does not say.
func (v Verdict) explained(was xpv2.Condition) string {
	if was.Reason != ReasonDetected || was.ObservedGeneration != v.Condition.ObservedGeneration {
		return ""
	}
	who, ok := strings.CutPrefix(strings.TrimSuffix(was.Message, v.after()), v.Differences.String()+"; ")
	if !ok || !isExplanation(who) {
		return ""
	}
	return who
}

// leftAlone says why a drift is not undone.
const leftAlone = " (left alone: managementPolicies does not let it be undone)"

// Judge compares what was found with what the UpToDate condition of an object of that kind says.
// A difference is drift if the object's generation has been synced before (a
// spec that was just changed is no drift). updates tells whether the management
// policies let the difference be undone.
func Judge(mg resource.Managed, kind string, diff Differences, updates bool) Verdict {
	was := mg.GetCondition(xpv2.TypeUpToDate)
	if len(diff) == 0 {
		return Verdict{Condition: Synced(mg, kind)}
	}
	synced := was.ObservedGeneration == mg.GetGeneration() && was.Reason != ReasonPending
	if !synced && updates {
		return Verdict{Condition: condition(mg, corev1.ConditionFalse, ReasonPending, diff.String())}
	}
	v := Verdict{Drift: true, Differences: diff, Undone: updates}
	v.Condition = condition(mg, corev1.ConditionFalse, ReasonDetected, v.Differences.String()+v.after())
	v = v.By(v.explained(was))
	v.News = !was.Equal(v.Condition)
	return v
}

// Looked reports whether the external resource of an object was looked at, as the object's, since the
// object was last edited. A deletion counts the generation up, too.
func Looked(mg resource.Managed) bool {
	was, edited := mg.GetCondition(xpv2.TypeUpToDate), mg.GetGeneration()
	if meta.WasDeleted(mg) && was.ObservedGeneration != edited {
		edited--
	}
	return was.ObservedGeneration == edited && was.Reason != ReasonPending && was.Reason != ReasonUnknown
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

// Synced is the condition of an object of that kind whose external resource is as declared.
func Synced(mg resource.Managed, kind string) xpv2.Condition {
	return condition(mg, corev1.ConditionTrue, ReasonSynced(kind), "")
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
