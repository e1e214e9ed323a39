// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package kinds

import (
	"fmt"
	"testing"

	"github.com/crossplane/crossplane-runtime/v2/pkg/meta"
	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/utils/ptr"

	zonev1alpha1 "github.com/provider-cloudflare/provider-cloudflare/apis/zone/v1alpha1"
	"github.com/provider-cloudflare/provider-cloudflare/internal/external/claim"
	"github.com/provider-cloudflare/provider-cloudflare/internal/kind"
	"github.com/provider-cloudflare/provider-cloudflare/test/harness"
)

// TestOnDeleteOfASetting shows the value of a setting after the deletion of its object. A
// restored value is the one from before the object, and neither the first declared value nor a
// later one.
func TestOnDeleteOfASetting(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		reason, setting, before, first, later string
		onDelete                              string
		want                                  string
	}{
		"Left": {
			"its last state stays", "min_tls_version", `"1.1"`, `"1.2"`, `"1.3"`, kind.Leave, `"1.3"`,
		},
		"Restored": {
			"it gets the value back that it had", "min_tls_version", `"1.1"`, `"1.2"`, `"1.3"`, kind.Restore, `"1.1"`,
		},
		"RestoredList": {
			"a value of any type is kept", "ciphers", `["AES128-SHA"]`, `["AES256-SHA"]`, `[]`, kind.Restore, `["AES128-SHA"]`,
		},
		"NeverChanged": {
			"the value that it had is the declared one", "min_tls_version", `"1.2"`, `"1.2"`, `"1.2"`, kind.Restore, `"1.2"`,
		},
		"Reset": {
			"it gets the default of the document", "min_tls_version", `"1.1"`, `"1.2"`, `"1.3"`, kind.Reset, `"1.0"`,
		},
	} {
		t.Run(name, func(t *testing.T) {
			inParallel(t, func(t *testing.T) {
				w, mg := settingWorld(t, tc.setting, tc.first)
				mg.Spec.OnDelete = &tc.onDelete
				w.prepare()
				w.set(tc.before)
				w.Create(mg)
				w.Settled(mg)
				harness.Edit(w.Objects, mg, func(mg *zonev1alpha1.ZoneSetting) {
					mg.Spec.ForProvider.Value = &apiextensionsv1.JSON{Raw: []byte(tc.later)}
				})
				w.Settled(mg)
				w.set(tc.first) // Another client sets it, which is reverted.
				w.Eventually(func() error {
					if got := w.setting()["value"]; !same(got, decoded(t, tc.later)) {
						return fmt.Errorf("the value is %v", got)
					}
					return nil
				})
				from := w.writes()
				w.Delete(mg)
				w.Gone(mg, func() string { return harness.Conditions(mg) })
				if got := w.setting()["value"]; !same(got, decoded(t, tc.want)) {
					t.Errorf("%s: the value after the deletion is %v, want %s", tc.reason, got, tc.want)
				}
				changes := 1
				if same(decoded(t, tc.later), decoded(t, tc.want)) {
					changes = 0
				}
				if n := w.writes() - from; n != changes {
					t.Errorf("%s: the deletion writes %d times, want %d", tc.reason, n, changes)
				}
			})
		})
	}
}

// TestResetToNothing shows that a setting cannot be reset if the document states no default for
// it. This is refused before the setting is changed.
func TestResetToNothing(t *testing.T) {
	inParallel(t, func(t *testing.T) {
		w, mg := settingWorld(t, "aegis", `{"enabled":true}`)
		mg.Spec.OnDelete = ptr.To(kind.Reset)
		w.prepare()
		w.Create(mg)
		w.Says(mg, xpv2.TypeSynced, "spec.onDelete is not usable: Cloudflare's document has no default of aegis: set Restore or Leave")
		if n := w.writes(); n > 0 {
			t.Errorf("something was written %d times", n)
		}
		harness.Edit(w.Objects, mg, func(mg *zonev1alpha1.ZoneSetting) { mg.Spec.OnDelete = ptr.To(kind.Restore) })
		w.Settled(mg)
	})
}

// TestForgedNoteOfWhatItWas shows that the value of a setting from before is restored from the
// status. The annotation of earlier versions for that value has no effect.
func TestForgedNoteOfWhatItWas(t *testing.T) {
	inParallel(t, func(t *testing.T) {
		const note = "cloudflare.m.crossplane.io/resource-before"
		w, mg := settingWorld(t, "min_tls_version", `"1.2"`)
		mg.Spec.OnDelete = ptr.To(kind.Restore)
		w.prepare()
		w.set(`"1.1"`)
		w.Create(mg)
		w.Settled(mg)
		if got := mg.Status.Sync.Before; got != `{"value":"1.1"}` {
			t.Errorf("the status says that it was %s", got)
		}
		for _, forged := range []string{`{"value":"1.3"}`, "{"} {
			harness.Edit(w.Objects, mg, func(mg *zonev1alpha1.ZoneSetting) {
				meta.AddAnnotations(mg, map[string]string{note: forged})
			})
			w.Settled(mg)
		}
		w.Delete(mg)
		w.Gone(mg, func() string { return harness.Conditions(mg) })
		if got := w.setting()["value"]; got != "1.1" {
			t.Errorf("the value after the deletion is %v", got)
		}
	})
}

// TestSettingThatThePlanLacks has an answer say that a setting must not be changed. The
// provider does not try it, and the condition has the reason.
func TestSettingThatThePlanLacks(t *testing.T) {
	inParallel(t, func(t *testing.T) {
		w, mg := settingWorld(t, "cname_flattening", `"flatten_all"`)
		mg.Spec.OnDelete = ptr.To(kind.Restore)
		w.prepare()
		w.Create(mg)
		w.Says(mg, xpv2.TypeSynced, "cannot change the setting", "the zone's plan does not include it, or Cloudflare has frozen it")
		w.Says(mg, "UpToDate", `live flatten_at_root, desired flatten_all`)
		w.lists(2)
		w.Delete(mg)
		w.Gone(mg, func() string { return harness.Conditions(mg) })
		w.Eventually(func() error { return w.event(mg, string(claim.EventLeft), "stays as it is") })
		if n := w.writes(); n > 0 {
			t.Errorf("something was written %d times", n)
		}
	})
}
