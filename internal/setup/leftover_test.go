// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package setup

import (
	"context"
	"errors"
	"testing"

	"github.com/crossplane/crossplane-runtime/v2/pkg/meta"
	kerrors "k8s.io/apimachinery/pkg/api/errors"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"github.com/provider-cloudflare/provider-cloudflare/apis/dns/v1alpha1"
)

// TestTakesBack has a creation recorded on an object as it is by then.
func TestTakesBack(t *testing.T) {
	tests := []struct {
		reason string
		// meanwhile happens between the call and its recording.
		meanwhile func(t *testing.T, c *cluster)
		fails     int // of the attempts to take it back
		takes     int // how often that is tried, in two reconciles
		left      bool
	}{
		{"an object that is there keeps what was made", func(*testing.T, *cluster) {}, 0, 0, false},
		{"so does one that was edited", func(t *testing.T, c *cluster) {
			t.Helper()
			r := c.read(t, "r")
			meta.AddAnnotations(r, map[string]string{"a": "v"})
			c.must(t, c.Update(t.Context(), r))
		}, 0, 0, false},
		{"one that is gone does not", vanish, 0, 1, false},
		{"what cannot be taken back is tried again", vanish, 1, 2, false},
		{"for as long as it takes", vanish, 9, 2, true},
		{"another of its name does not get it", func(t *testing.T, c *cluster) {
			t.Helper()
			vanish(t, c)
			next := named("r")
			next.UID = "another"
			c.must(t, c.Create(t.Context(), next))
		}, 0, 1, false},
	}
	for _, tc := range tests {
		c := newCluster(t, named("r"))
		takes, reconciles := 0, 0
		r := &reconciler{inner: reconcile.Func(func(ctx context.Context, _ reconcile.Request) (reconcile.Result, error) {
			reconciles++
			if reconciles > 1 {
				return reconcile.Result{}, nil
			}
			o := c.read(t, "r")
			TakesBack(ctx, func(context.Context) error {
				takes++
				if takes <= tc.fails {
					return errors.New("down")
				}
				return nil
			})
			meta.SetExternalName(o, "id")
			tc.meanwhile(t, c)
			return reconcile.Result{}, newCriticalAnnotations(newKube(c), c).UpdateCriticalAnnotations(ctx, o)
		})}
		var err error
		for range 2 {
			_, err = r.Reconcile(t.Context(), reconcile.Request{NamespacedName: clientKey("r")})
		}
		if takes != tc.takes || (err != nil) != tc.left || (len(r.left.left) > 0) != tc.left {
			t.Errorf("%s: it was taken back %d times, %d are left, %v; want %d, left: %t", tc.reason, takes, len(r.left.left), err, tc.takes, tc.left)
		}
		now := &v1alpha1.Record{}
		switch err := c.Get(t.Context(), clientKey("r"), now); {
		case kerrors.IsNotFound(err) || now.UID == "another":
			if meta.GetExternalName(now) != "" {
				t.Errorf("%s: another object has the external name", tc.reason)
			}
		case err != nil || meta.GetExternalName(now) != "id":
			t.Errorf("%s: the external name was not recorded: %v", tc.reason, err)
		}
	}
}

func vanish(t *testing.T, c *cluster) {
	t.Helper()
	c.must(t, c.Delete(t.Context(), c.read(t, "r")))
}

func (c *cluster) must(t *testing.T, err error) {
	t.Helper()
	if client.IgnoreNotFound(err) != nil {
		t.Fatal(err)
	}
}

// TestTakesBackLater has an object vanish while its creation cannot be recorded for
// another reason: nobody knows then that it is gone.
func TestTakesBackLater(t *testing.T) {
	c := newCluster(t, named("r"))
	takes, n := 0, 0
	r := &reconciler{inner: reconcile.Func(func(ctx context.Context, _ reconcile.Request) (reconcile.Result, error) {
		n++
		if n > 1 {
			return reconcile.Result{}, nil // The runtime finds no object.
		}
		o := c.read(t, "r")
		TakesBack(ctx, func(context.Context) error { takes++; return nil })
		meta.SetExternalName(o, "id")
		vanish(t, c)
		c.fail = func(string) error { return errors.New("connection refused") }
		err := newCriticalAnnotations(newKube(c), c).UpdateCriticalAnnotations(ctx, o)
		c.fail = nil
		return reconcile.Result{}, err
	})}
	for range 3 {
		_, _ = r.Reconcile(t.Context(), reconcile.Request{NamespacedName: clientKey("r")}) // the first fails
	}
	if takes != 1 {
		t.Errorf("what was made for an object that is gone was taken back %d times, want 1", takes)
	}
}
