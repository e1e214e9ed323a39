// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package external

import (
	"context"
	"time"

	"github.com/crossplane/crossplane-runtime/v2/pkg/reconciler/managed"
	"github.com/crossplane/crossplane-runtime/v2/pkg/resource"
	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"
	corev1 "k8s.io/api/core/v1"

	"github.com/provider-cloudflare/provider-cloudflare/internal/drift"
)

// explainedLate is the time after a drift within which its entry in the audit logs may appear.
const explainedLate = 10 * time.Minute

// explain adds to a drift who caused it, if the audit logs of the account say so and the condition
// of mg does not yet. gone is true if the external resource was deleted.
func (c *Client[L]) explain(ctx context.Context, mg resource.Managed, v drift.Verdict, id string, gone bool) drift.Verdict {
	a, ok := c.adapter.(Audited)
	if !v.Drift || v.Cause != "" || !ok || c.api == nil || c.deps.Trail == nil {
		return v
	}
	s := a.AuditSubject(id)
	was := mg.GetCondition(xpv2.TypeUpToDate)
	s.Gone, s.After = gone, c.asDeclared(mg)
	s.Looked = unchanged(s.Looked, was)
	if v.News && was.Reason == drift.ReasonDetected {
		// An earlier difference has its own explanation.
		s.After, s.Looked = was.LastTransitionTime.Truncate(time.Second), was.LastTransitionTime.Time
	}
	return v.By(c.deps.Trail.Who(ctx, c.api, s))
}

// unchanged returns the time of the last look at the parent before the change. For a drift that was
// reported before, looked is the time of a later sweep, so it uses a time before the condition
// changed.
func unchanged(looked time.Time, was xpv2.Condition) time.Time {
	before := was.LastTransitionTime.Add(-explainedLate)
	if was.Reason == drift.ReasonDetected && before.Before(looked) {
		return before
	}
	return looked
}

// asDeclared returns when the external resource of mg was last known to be as declared: when the
// provider wrote to it, or found that a drift was undone outside the provider. Both times have
// whole seconds, like the audit logs.
func (c *Client[L]) asDeclared(mg resource.Managed) time.Time {
	var out time.Time
	if t := c.adapter.LastWrite(); t != nil {
		out = t.Time
	}
	was := mg.GetCondition(xpv2.TypeUpToDate)
	if t := was.LastTransitionTime.Time; was.Status == corev1.ConditionTrue && t.After(out) {
		out = t
	}
	return out.Truncate(time.Second)
}

// pollUnexplained returns a hook that polls an object with an unexplained drift once a drift
// interval, because entries of the audit logs come late.
func (b *Builder) pollUnexplained(own managed.PollIntervalHook) managed.PollIntervalHook {
	if own == nil || b.shared.Trail == nil {
		return own
	}
	return func(mg resource.Managed, poll time.Duration) time.Duration {
		since := mg.GetCondition(xpv2.TypeUpToDate).LastTransitionTime.Time
		if drift.Unexplained(mg) && time.Since(since) < explainedLate {
			poll = min(poll, b.shared.DriftInterval)
		}
		return own(mg, poll)
	}
}
