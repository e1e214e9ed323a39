// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package reconciler

import (
	"github.com/crossplane/crossplane-runtime/v2/pkg/meta"
	"github.com/crossplane/crossplane-runtime/v2/pkg/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// LastSync returns when a write for mg last succeeded: the later of its creation and of
// the time in its status, was.
func LastSync(mg resource.Managed, was *metav1.Time) *metav1.Time {
	made := metav1.NewTime(meta.GetExternalCreateSucceeded(mg))
	if made.IsZero() || (was != nil && !was.Before(&made)) {
		return was
	}
	return &made
}
