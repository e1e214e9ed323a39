// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package kinds

import (
	"fmt"
	"testing"

	r2v1alpha1 "github.com/provider-cloudflare/provider-cloudflare/apis/r2/v1alpha1"
	"github.com/provider-cloudflare/provider-cloudflare/internal/kinds/r2"
	"github.com/provider-cloudflare/provider-cloudflare/test/harness"
)

// TestDeletionOfObjectsEnds shows that a rule that stops declaring the deletion of objects
// has no such deletion any more. A rule that another client adds is removed. Either would
// delete objects against the declared rules.
func TestDeletionOfObjectsEnds(t *testing.T) {
	inParallel(t, func(t *testing.T) {
		w := newWorld(t, r2.R2BucketLifecycle())
		mg, ok := w.apply().(*r2v1alpha1.R2BucketLifecycle)
		if !ok {
			t.Fatalf("the example is a %T", w.example)
		}
		deletes := func() bool {
			rules, _ := w.answer("")["rules"].([]any)
			for _, v := range rules {
				rule, _ := v.(map[string]any)
				transition, _ := rule["deleteObjectsTransition"].(map[string]any)
				if len(transition) > 0 {
					return true
				}
			}
			return false
		}
		none := func() error {
			if deletes() {
				return fmt.Errorf("objects are deleted: %v", w.answer(""))
			}
			return nil
		}
		if !deletes() {
			t.Fatal("the example deletes nothing: this shows nothing")
		}
		harness.Edit(w.Objects, mg, func(mg *r2v1alpha1.R2BucketLifecycle) { mg.Spec.ForProvider.Rules[0].DeleteObjectsTransition = nil })
		w.Settled(mg)
		w.Eventually(none)
		w.editStored("", func(doc map[string]any) {
			rules, _ := doc["rules"].([]any)
			rule, _ := rules[0].(map[string]any)
			rule["deleteObjectsTransition"] = map[string]any{"condition": map[string]any{"type": "Age", "maxAge": 60}}
		})
		w.Eventually(none)
		w.Settled(mg)
	})
}
