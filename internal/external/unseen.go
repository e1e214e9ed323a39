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

// readyUnseen is for how many drift intervals an object stays Ready that nobody can look at: the
// rotation of a credential takes less, and what is composed of the object does not notice it.
const readyUnseen = 3

// An Unseen is an error which says that the external resource cannot be looked at where the object
// says that it is, and that this does not pass by itself.
type Unseen interface {
	error
	Unseen()
}

// Unseen says that nobody looks where the resource is.
func (*MovedError) Unseen() {}

// isUnseen reports whether an observation failed because nobody can look: there is no credential,
// Cloudflare refuses it or what it asks for, or nothing is where the object says that its resource
// is. A failure of the API's, which passes, is none: what was seen before it counts until the next look.
func isUnseen(err error) bool {
	var u Unseen
	return errors.As(err, &u) || connect.IsWithout(err) ||
		cloudflare.IsInvalidCredential(err) || cloudflare.IsForbidden(err) || cloudflare.IsZoneUnknown(err)
}

// showUnseen says on the conditions of mg that nobody can look at its external resource, for the
// reason of err. An edit that is not carried out is said to be pending, as before. After some
// intervals nobody knows either whether the resource is ready.
func showUnseen(mg resource.Managed, err error, now time.Time, interval time.Duration) {
	was := mg.GetCondition(xpv2.TypeUpToDate)
	since := was.LastTransitionTime
	if was.Reason != drift.ReasonPending {
		c := drift.Unknown(mg, err.Error())
		c.LastTransitionTime = metav1.NewTime(now)
		if was.Reason == drift.ReasonUnknown {
			c.LastTransitionTime = since // Another message is no other state.
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

// unconnected is err of an object that nobody can look at for it, and says so on its conditions
// where it has an external resource.
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
