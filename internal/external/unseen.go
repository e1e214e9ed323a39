// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package external

import (
	"errors"
	"time"

	"github.com/crossplane/crossplane-runtime/v2/pkg/meta"
	"github.com/crossplane/crossplane-runtime/v2/pkg/resource"
	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/provider-cloudflare/provider-cloudflare/internal/cloudflare"
	"github.com/provider-cloudflare/provider-cloudflare/internal/connect"
	"github.com/provider-cloudflare/provider-cloudflare/internal/drift"
)

// readyUnseen is the number of drift intervals for which an object stays Ready without a look at
// its resource. The rotation of a credential takes less time, so a composite resource of the object
// stays ready.
const readyUnseen = 3

// An Unseen is an error that says that the external resource cannot be looked at in the place that
// the object names, and that this does not pass by itself.
type Unseen interface {
	error
	Unseen()
}

// Unseen marks the error: the provider does not look in the place of the resource.
func (*MovedError) Unseen() {}

// isUnseen reports whether an observation failed because no look is possible: there is no
// credential, Cloudflare refuses the credential or the request, or the object refers to a place
// where the provider does not look. A temporary failure of the API does not count: until the next
// look, the last one stays valid.
func isUnseen(err error) bool {
	var u Unseen
	return errors.As(err, &u) || connect.IsWithout(err) ||
		cloudflare.IsInvalidCredential(err) || cloudflare.IsForbidden(err) || cloudflare.IsZoneUnknown(err)
}

// showUnseen says on the conditions of mg that its external resource cannot be looked at, and why.
// An edit that is not carried out stays pending. After some intervals it is unknown as well whether
// the resource is ready.
func showUnseen(mg resource.Managed, err error, now time.Time, interval time.Duration) {
	was := mg.GetCondition(xpv2.TypeUpToDate)
	since := was.LastTransitionTime
	if was.Reason != drift.ReasonPending {
		c := drift.Unknown(mg, err.Error())
		c.LastTransitionTime = metav1.NewTime(now)
		if was.Reason == drift.ReasonUnknown {
			c.LastTransitionTime = since // A new message does not change the state.
		}
		since = c.LastTransitionTime
		mg.SetConditions(c)
	}
	if now.Sub(since.Time) < readyUnseen*interval {
		return
	}
	mg.SetConditions(xpv2.Condition{
		Type: xpv2.TypeReady, Status: corev1.ConditionUnknown, Reason: drift.ReasonUnknown, Message: err.Error(),
		LastTransitionTime: metav1.NewTime(now), ObservedGeneration: mg.GetGeneration(),
	})
}

// unconnected returns err, which prevents every look at the external resource of mg. If mg has one,
// it says so on the conditions of mg.
func (c *Connector[L]) unconnected(mg resource.Managed, err error) error {
	switch {
	case meta.WasDeleted(mg) || !isUnseen(err) || c.Kind.SeenID(mg) == "":
	case mg.GetCondition(xpv2.TypeUpToDate).ObservedGeneration != mg.GetGeneration():
		mg.SetConditions(drift.Pending(mg, err))
	default:
		showUnseen(mg, err, c.Deps.Now(), c.Deps.Interval)
	}
	return err
}
