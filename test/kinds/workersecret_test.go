// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package kinds

import (
	"fmt"
	"slices"
	"testing"

	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"

	workersv1alpha1 "github.com/provider-cloudflare/provider-cloudflare/apis/workers/v1alpha1"
	"github.com/provider-cloudflare/provider-cloudflare/internal/kinds/workers"
	"github.com/provider-cloudflare/provider-cloudflare/test/harness"
)

// TestValueOfAWorkerSecret shows that a Worker has the value in the Secret, also after a change of the
// Secret, and after a new upload of the code.
func TestValueOfAWorkerSecret(t *testing.T) {
	inParallel(t, func(t *testing.T) {
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
	})
}

// TestSecretOfADeletedWorker shows that the object of a secret whose Worker is gone can be deleted.
func TestSecretOfADeletedWorker(t *testing.T) {
	inParallel(t, func(t *testing.T) {
		w := newWorld(t, workers.WorkerSecret())
		mg, ok := w.apply().(*workersv1alpha1.WorkerSecret)
		if !ok {
			t.Fatalf("the example is a %T", w.example)
		}
		w.withoutScript(*mg.Spec.ForProvider.ScriptName)
		w.lists(2)
		w.Delete(mg)
		w.Gone(mg, func() string { return harness.Conditions(mg) })
	})
}

// withoutScript deletes the Worker of that name as another client. Its object stays.
func (w *world) withoutScript(name string) {
	w.T.Helper()
	for _, o := range w.before {
		if script, ok := o.(*workersv1alpha1.WorkerScript); ok {
			harness.Edit(w.Objects, script, func(script *workersv1alpha1.WorkerScript) {
				script.SetManagementPolicies(xpv2.ManagementPolicies{xpv2.ManagementActionObserve})
			})
		}
	}
	if err := w.sim.DeleteResource("/accounts/" + w.account.ID + "/workers/scripts/" + name); err != nil {
		w.T.Fatal(err)
	}
}

// TestSecretIsNoOtherBinding shows that a binding that is no text stays unchanged, and the object
// reports the reason.
func TestSecretIsNoOtherBinding(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		binding map[string]any
		says    string
	}{
		{map[string]any{"type": "secret_key", "algorithm": map[string]any{"name": "HMAC"}, "format": "raw", "usages": []any{"sign"}}, "cannot be changed"},
		{map[string]any{"type": "plain_text", "text": "there"}, "BindingExists"},
	} {
		t.Run(fmt.Sprint(tc.binding["type"]), func(t *testing.T) {
			inParallel(t, func(t *testing.T) {
				w := newWorld(t, workers.WorkerSecret())
				mg, ok := w.example.(*workersv1alpha1.WorkerSecret)
				if !ok {
					t.Fatalf("the example is a %T", w.example)
				}
				w.prepare()
				path := "/accounts/" + w.account.ID + "/workers/scripts/" + w.params()["script_name"]
				tc.binding["name"] = *mg.Spec.ForProvider.Name
				err := w.sim.EditResource(path, func(doc map[string]any) {
					list, _ := doc["bindings"].([]any)
					doc["bindings"] = append(slices.Clone(list), tc.binding)
				})
				if err != nil {
					t.Fatal(err)
				}
				w.Create(mg)
				w.Says(mg, xpv2.TypeSynced, tc.says)
				script, err := w.sim.Resource(path)
				if err != nil {
					t.Fatal(err)
				}
				list, _ := script["bindings"].([]any)
				left := slices.ContainsFunc(list, func(v any) bool {
					b, _ := v.(map[string]any)
					return b["type"] == tc.binding["type"] && b["name"] == tc.binding["name"]
				})
				if !left {
					t.Errorf("the binding is gone: %d bindings", len(list))
				}
			})
		})
	}
}
