// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package kinds

import (
	"fmt"
	"slices"
	"testing"

	"k8s.io/utils/ptr"

	workersv1alpha1 "github.com/provider-cloudflare/provider-cloudflare/apis/workers/v1alpha1"
	"github.com/provider-cloudflare/provider-cloudflare/internal/kinds/workers"
	"github.com/provider-cloudflare/provider-cloudflare/test/harness"
)

// TestSchedules shows that a Worker has exactly the declared schedules, also after a change
// outside the provider. It has none once the object is deleted.
func TestSchedules(t *testing.T) {
	inParallel(t, func(t *testing.T) {
		w := newWorld(t, workers.WorkerCronTrigger())
		mg, ok := w.apply().(*workersv1alpha1.WorkerCronTrigger)
		if !ok {
			t.Fatalf("the example is a %T", w.example)
		}
		are := func(want ...string) {
			t.Helper()
			w.Eventually(func() error {
				var got []string
				schedules, _ := w.answer("")["schedules"].([]any)
				for _, v := range schedules {
					s, _ := v.(map[string]any)
					got = append(got, fmt.Sprint(s["cron"]))
				}
				slices.Sort(got)
				if !slices.Equal(got, want) {
					return fmt.Errorf("the Worker has the schedules %q, want %q", got, want)
				}
				return nil
			})
		}
		are("*/30 * * * *", "0 9 * * MON")
		harness.Edit(w.Objects, mg, func(mg *workersv1alpha1.WorkerCronTrigger) {
			mg.Spec.ForProvider.Schedules = []workersv1alpha1.WorkerCronTriggerSchedules{{Cron: ptr.To("0 0 1 * *")}}
		})
		are("0 0 1 * *")
		w.editStored("", func(doc map[string]any) {
			doc["schedules"] = []any{map[string]any{"cron": "0 0 1 * *"}, map[string]any{"cron": "* * * * *"}}
		})
		are("0 0 1 * *")
		w.editStored("", func(doc map[string]any) { doc["schedules"] = []any{} })
		are("0 0 1 * *")
		w.Settled(mg)
		w.Delete(mg)
		w.Gone(mg, func() string { return harness.Conditions(mg) })
		are()
	})
}

// TestSchedulesOfADeletedWorker shows that an object whose Worker is gone can be deleted.
func TestSchedulesOfADeletedWorker(t *testing.T) {
	inParallel(t, func(t *testing.T) {
		w := newWorld(t, workers.WorkerCronTrigger())
		mg, ok := w.apply().(*workersv1alpha1.WorkerCronTrigger)
		if !ok {
			t.Fatalf("the example is a %T", w.example)
		}
		if err := w.sim.DeleteResource("/accounts/" + w.account.ID + "/workers/scripts/" + *mg.Spec.ForProvider.ScriptName); err != nil {
			t.Fatal(err)
		}
		w.Delete(mg)
		w.Gone(mg, func() string { return harness.Conditions(mg) })
	})
}
