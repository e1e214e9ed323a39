// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package controller

import (
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/manager"
)

// withheld is a manager that runs what is added to it only when release is called. A controller that
// starts before it has all of its watches keeps those that follow waiting for the caches of the first,
// and one whose setup fails in between would run with some of them.
type withheld struct {
	ctrl.Manager
	runnables []manager.Runnable
}

// Add keeps r.
func (w *withheld) Add(r manager.Runnable) error {
	w.runnables = append(w.runnables, r)
	return nil
}

// release adds all that was kept to the manager, in order.
func (w *withheld) release() error {
	for _, r := range w.runnables {
		if err := w.Manager.Add(r); err != nil {
			return err
		}
	}
	w.runnables = nil
	return nil
}
