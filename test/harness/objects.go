// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package harness

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/crossplane/crossplane-runtime/v2/pkg/resource"
	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"
	corev1 "k8s.io/api/core/v1"
	kerrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/util/wait"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// Tick is the first interval between two looks at what a test waits for.
const Tick = 25 * time.Millisecond

// looks returns how long to wait before each next look: first one tick, and at most five. The
// looks of many tests at once keep an API server busy.
func looks() wait.DelayFunc {
	return wait.Backoff{Duration: Tick, Factor: 1.25, Cap: 5 * Tick, Steps: math.MaxInt}.DelayFunc()
}

// Objects reads and writes the objects of an API server for one test.
type Objects struct {
	T    *testing.T
	Kube client.Client
	// Patience is the longest time to wait for a condition.
	Patience time.Duration
}

// Create creates an object. It fails the test if the object is refused.
func (o Objects) Create(obj client.Object) {
	o.T.Helper()
	if err := o.Kube.Create(o.T.Context(), obj); err != nil {
		o.T.Fatalf("cannot create %s: %v", name(obj), err)
	}
}

// Delete deletes an object. It fails the test if the object cannot be deleted.
func (o Objects) Delete(obj client.Object, opts ...client.DeleteOption) {
	o.T.Helper()
	if err := o.Kube.Delete(o.T.Context(), obj, opts...); err != nil {
		o.T.Fatalf("cannot delete %s: %v", name(obj), err)
	}
}

// Get reads the object again.
func (o Objects) Get(obj client.Object) error {
	return o.Kube.Get(o.T.Context(), client.ObjectKeyFromObject(obj), obj)
}

// Edit changes the object as the API server has it. It tries again after a conflict.
func Edit[T client.Object](o Objects, obj T, change func(T)) {
	o.T.Helper()
	o.Eventually(func() error {
		if err := o.Get(obj); err != nil {
			return Stop(err)
		}
		change(obj)
		err := o.Kube.Update(o.T.Context(), obj)
		if err == nil || kerrors.IsConflict(err) {
			return err
		}
		return Stop(fmt.Errorf("cannot edit %s: %w", name(obj), err))
	})
}

// stop is an error that ends the wait of a test.
type stop struct{ error }

func (s stop) Unwrap() error { return s.error }

// Stop marks an error that ends the wait at once.
func Stop(err error) error { return stop{err} }

// Eventually waits until f returns nil.
func (o Objects) Eventually(f func() error) {
	o.T.Helper()
	Eventually(o.T, o.Patience, f)
}

// Eventually waits until f returns nil. It fails the test after patience, or when f returns
// an error that Stop marks.
func Eventually(tb testing.TB, patience time.Duration, f func() error) {
	tb.Helper()
	if err := Poll(tb.Context(), patience, f); err != nil {
		tb.Fatal(err)
	}
}

// Poll is Eventually without a test. It returns the last error of f.
func Poll(ctx context.Context, patience time.Duration, f func() error) error {
	var last error
	stopped := false
	limited, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	err := looks().Until(limited, true, true, func(context.Context) (bool, error) {
		last = f()
		var mark stop
		stopped = errors.As(last, &mark)
		return last == nil || stopped, nil
	})
	if err == nil || stopped {
		return last
	}
	return fmt.Errorf("still not after %s: %w", patience, last)
}

// Until reads the object until f returns nil for it.
func Until[T client.Object](o Objects, obj T, f func(T) error) {
	o.T.Helper()
	o.Eventually(func() error {
		if err := o.Get(obj); err != nil {
			return err
		}
		return f(obj)
	})
}

// Gone waits until the object does not exist. why returns why it may still exist.
func (o Objects) Gone(obj client.Object, why func() string) {
	o.T.Helper()
	o.Eventually(func() error {
		err := o.Get(obj)
		switch {
		case kerrors.IsNotFound(err):
			return nil
		case err != nil:
			return err
		}
		return fmt.Errorf("%s is still there: %s", name(obj), why())
	})
}

// Settled waits until a managed resource is Ready, Synced and UpToDate at its current
// generation. Synced says that the last attempt succeeded.
func (o Objects) Settled(mg resource.Managed) {
	o.T.Helper()
	Until(o, mg, func(mg resource.Managed) error {
		for _, t := range types() {
			c := mg.GetCondition(t)
			if c.Status != corev1.ConditionTrue || c.ObservedGeneration != mg.GetGeneration() {
				return fmt.Errorf("%s is not settled at generation %d: %s", name(mg), mg.GetGeneration(), Conditions(mg))
			}
		}
		return nil
	})
	if c := mg.GetCondition(xpv2.TypeSynced); c.Reason != xpv2.ReasonReconcileSuccess || c.Message != "" {
		o.T.Errorf("Synced of %s is True because of %s %q, want %s", name(mg), c.Reason, c.Message, xpv2.ReasonReconcileSuccess)
	}
}

// A Conditioned object has conditions.
type Conditioned interface {
	client.Object
	resource.Conditioned
}

// Says waits until a condition of an object is False and its message contains all texts. It
// returns the condition.
func (o Objects) Says(obj Conditioned, t xpv2.ConditionType, texts ...string) xpv2.Condition {
	o.T.Helper()
	Until(o, obj, func(obj Conditioned) error {
		c := obj.GetCondition(t)
		if c.Status != corev1.ConditionFalse {
			return fmt.Errorf("%s of %s is not False: %s", t, name(obj), Conditions(obj))
		}
		for _, s := range texts {
			if !strings.Contains(c.Message, s) {
				return fmt.Errorf("%s of %s does not say %q: %s", t, name(obj), s, Conditions(obj))
			}
		}
		return nil
	})
	return obj.GetCondition(t)
}

// Conditions returns the conditions of an object as text for messages. It returns "" if the
// object has none.
func Conditions(obj any) string {
	o, ok := obj.(resource.Conditioned)
	if !ok {
		return ""
	}
	var b strings.Builder
	for _, t := range types() {
		c := o.GetCondition(t)
		fmt.Fprintf(&b, "%s=%s/%s %q; ", t, c.Status, c.Reason, c.Message)
	}
	return b.String()
}

// types returns the types of the conditions of a managed resource.
func types() []xpv2.ConditionType {
	return []xpv2.ConditionType{xpv2.TypeReady, xpv2.TypeSynced, xpv2.TypeUpToDate}
}

func name(obj client.Object) string { return fmt.Sprintf("%T %s", obj, obj.GetName()) }
