// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

// Package drift reports on an object's conditions how the external resource differs from what the
// object declares.
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
	// ReasonUnknown: the external resource cannot be observed.
	ReasonUnknown xpv2.ConditionReason = "NotObserved"
	// ReasonPending: the object's spec was changed and not applied yet.
	ReasonPending xpv2.ConditionReason = "UpdatePending"
)

// Reasons of the events about a drift.
const (
	EventDetected event.Reason = "DriftDetected"
	EventReverted event.Reason = "DriftReverted"
)

// ReasonUpToDate returns the reason for an object of that kind whose external resource is what the
// object declares: RecordSynced, ZoneSynced.
func ReasonUpToDate(kind string) xpv2.ConditionReason { return xpv2.ConditionReason(kind + "Synced") }

// A Verdict is the result of an observation.
type Verdict struct {
	Condition xpv2.Condition
	// Drift is true if the external resource was changed outside the provider.
	Drift bool
	// News is true if this drift was not reported before.
	News bool
	// Differences are the fields that differ. Undone is true if the management policies let the
	// provider undo them.
	Differences Differences
	Undone      bool
	// Cause says by whom, how and when the drift was caused. It is "" if that is not known.
	Cause string
}

// By returns the verdict with who as its cause, "" if the cause is not known. A cause that is added
// to a drift that was reported before is no news.
func (v Verdict) By(who string) Verdict {
	if who == "" || !v.Drift {
		return v
	}
	v.Cause, v.Condition.Message = who, v.Differences.String()+"; "+who+v.after()
	return v
}

// after returns what follows the differences in the message.
func (v Verdict) after() string {
	if v.Undone {
		return ""
	}
	return leftAlone
}

// isExplanation reports whether a part of a message is a cause that By added, such as "changed by
// jane@example.com at 2026-11-23T12:00:00Z".
func isExplanation(part string) bool {
	at := strings.LastIndex(part, " at ")
	if at < 0 || !strings.HasPrefix(part, "changed") && !strings.HasPrefix(part, "deleted") {
		return false
	}
	_, err := time.Parse(time.RFC3339, part[at+len(" at "):])
	return err == nil
}

// Unexplained reports whether the object has drifted and its condition does not state the cause.
func Unexplained(mg resource.Managed) bool {
	c := mg.GetCondition(xpv2.TypeUpToDate)
	if c.Reason != ReasonDetected {
		return false
	}
	said := strings.TrimSuffix(c.Message, leftAlone)
	last := max(strings.LastIndex(said, "; changed "), strings.LastIndex(said, "; deleted "))
	return last < 0 || !isExplanation(said[last+len("; "):])
}

// explained returns the cause of the drift from the object's condition. It returns "" if the
// condition is about another drift or does not state the cause.
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

// leftAlone states why a drift is not undone.
const leftAlone = " (left alone: managementPolicies does not let it be undone)"

// Judge compares what was found with the UpToDate condition of an object of that kind. A difference
// is drift if the object's generation has been synced before: the difference of a spec that was
// changed a moment ago is no drift. updates reports whether the management policies let the
// difference be undone.
func Judge(mg resource.Managed, kind string, diff Differences, updates bool) Verdict {
	was := mg.GetCondition(xpv2.TypeUpToDate)
	if len(diff) == 0 {
		return Verdict{Condition: UpToDate(mg, kind)}
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

// Looked reports whether the external resource has been observed as that of the object since the
// object was last edited. A deletion increments the generation, too.
func Looked(mg resource.Managed) bool {
	was, edited := mg.GetCondition(xpv2.TypeUpToDate), mg.GetGeneration()
	if meta.WasDeleted(mg) && was.ObservedGeneration != edited {
		edited--
	}
	return was.ObservedGeneration == edited && was.Reason != ReasonPending && was.Reason != ReasonUnknown
}

// Pending returns the condition of an object whose spec was changed and cannot be applied because of
// err.
func Pending(mg resource.Managed, err error) xpv2.Condition {
	return condition(mg, corev1.ConditionFalse, ReasonPending, err.Error())
}

// Unknown returns the condition of an object whose external resource cannot be observed.
func Unknown(mg resource.Managed, why string) xpv2.Condition {
	return condition(mg, corev1.ConditionUnknown, ReasonUnknown, why)
}

// UpToDate returns the condition of an object of that kind whose external resource is as declared.
func UpToDate(mg resource.Managed, kind string) xpv2.Condition {
	return condition(mg, corev1.ConditionTrue, ReasonUpToDate(kind), "")
}

// Observed returns the condition of an object that declares nothing to compare with.
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
