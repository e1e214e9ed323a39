// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package kinds

import (
	"fmt"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"

	workersv1alpha1 "github.com/provider-cloudflare/provider-cloudflare/apis/workers/v1alpha1"
	"github.com/provider-cloudflare/provider-cloudflare/internal/kinds/workers"
	"github.com/provider-cloudflare/provider-cloudflare/test/harness"
)

// TestValueOfAWorkerSecret: a Worker has the value that the Secret has, also after the Secret has another
// one, and after a new upload of the code.
func TestValueOfAWorkerSecret(t *testing.T) {
	t.Parallel()
	w := newWorld(t, workers.WorkerSecret())
	mg, ok := w.apply().(*workersv1alpha1.WorkerSecret)
	if !ok {
		t.Fatalf("the example is a %T", w.example)
	}
	has := func(value string) {
		t.Helper()
		w.Eventually(func() error {
			if got := w.raw(*mg.Spec.ForProvider.Name)["text"]; got != value {
				return fmt.Errorf("the Worker has another value than %q", value)
			}
			return nil
		})
	}
	ref := mg.Spec.ForProvider.TextSecretRef
	s := &corev1.Secret{}
	if err := w.kube.Get(t.Context(), types.NamespacedName{Namespace: w.ns, Name: ref.Name}, s); err != nil {
		t.Fatal(err)
	}
	has(string(s.Data[ref.Key]))
	changed := s.DeepCopy()
	changed.Data[ref.Key] = []byte("the-second-value")
	if err := w.kube.Patch(t.Context(), changed, client.MergeFrom(s)); err != nil {
		t.Fatal(err)
	}
	has("the-second-value")

	for _, o := range w.before {
		script, ok := o.(*workersv1alpha1.WorkerScript)
		if !ok {
			continue
		}
		harness.Edit(w.Objects, script, func(script *workersv1alpha1.WorkerScript) { script.Spec.ForProvider.Tags = []string{"uploaded-again"} })
		w.Settled(script)
	}
	w.Settled(mg)
	bindings := 0
	settings, err := w.sim.Resource("/accounts/" + w.account.ID + "/workers/scripts/" + *mg.Spec.ForProvider.ScriptName)
	if err != nil {
		t.Fatal(err)
	}
	list, _ := settings["bindings"].([]any)
	for _, v := range list {
		if b, _ := v.(map[string]any); b["name"] == *mg.Spec.ForProvider.Name && b["text"] == "the-second-value" {
			bindings++
		}
	}
	if bindings != 1 {
		t.Errorf("after an upload the Worker has the secret %d times: %v", bindings, len(list))
	}
}
