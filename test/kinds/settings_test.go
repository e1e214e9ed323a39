// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package kinds

import (
	"encoding/json"
	"net/http"
	"testing"

	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/utils/ptr"

	zonev1alpha1 "github.com/provider-cloudflare/provider-cloudflare/apis/zone/v1alpha1"
	"github.com/provider-cloudflare/provider-cloudflare/internal/external/claim"
	"github.com/provider-cloudflare/provider-cloudflare/internal/kind"
	"github.com/provider-cloudflare/provider-cloudflare/internal/kinds/zone"
	"github.com/provider-cloudflare/provider-cloudflare/test/harness"
)

// settingWorld returns a world for one setting. Its value is JSON, or "" for none.
func settingWorld(t *testing.T, id, value string) (*world, *zonev1alpha1.ZoneSetting) {
	t.Helper()
	w := newWorld(t, zone.ZoneSetting())
	mg, ok := w.example.(*zonev1alpha1.ZoneSetting)
	if !ok {
		t.Fatalf("the example is %T", w.example)
	}
	mg.Spec.ForProvider.SettingID, mg.Spec.ForProvider.Value = &id, nil
	if value != "" {
		mg.Spec.ForProvider.Value = &apiextensionsv1.JSON{Raw: []byte(value)}
	}
	return w, mg
}

// setting returns the setting at Cloudflare.
func (w *world) setting() kind.Document {
	w.T.Helper()
	out, err := w.call(http.MethodGet, w.item(""), nil)
	if err != nil {
		w.T.Fatal(err)
	}
	return out
}

// set changes the setting as another client.
func (w *world) set(value string) {
	w.T.Helper()
	if _, err := w.call(http.MethodPatch, w.item(""), map[string]any{"value": decoded(w.T, value)}); err != nil {
		w.T.Fatal(err)
	}
}

// TestSettingOfAnotherType shows that a value that the document does not allow is refused
// before any call. The message says what to write instead.
func TestSettingOfAnotherType(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		id, value string
		says      []string
		right     string
	}{
		"YAMLReadsABoolean": {"always_use_https", "true", []string{"the boolean true", `one of "on", "off"`, "put it in quotes"}, `"on"`},
		"YAMLReadsANumber":  {"min_tls_version", "1.2", []string{"the number 1.2", `"1.2"`, "put it in quotes"}, `"1.2"`},
		"OutOfBounds":       {"browser_cache_ttl", "-1", []string{"an integer from 0 to 31536000"}, "0"},
		"Member":            {"nel", `{"enable":true}`, []string{"spec.forProvider.value.enable does not exist", "enabled (a boolean)"}, `{"enabled":true}`},
		"NoValue":           {"ssl", "", []string{"spec.forProvider.value is required"}, `"full"`},
	} {
		t.Run(name, func(t *testing.T) {
			inParallel(t, func(t *testing.T) {
				w, mg := settingWorld(t, tc.id, tc.value)
				w.prepare()
				w.Create(mg)
				w.Says(mg, xpv2.TypeSynced, tc.says...)
				if n := w.writes(); n > 0 {
					t.Errorf("something was written %d times", n)
				}
				harness.Edit(w.Objects, mg, func(mg *zonev1alpha1.ZoneSetting) {
					mg.Spec.ForProvider.Value = &apiextensionsv1.JSON{Raw: []byte(tc.right)}
				})
				w.Settled(mg)
				if got := w.setting()["value"]; !same(got, decoded(t, tc.right)) {
					t.Errorf("Cloudflare has %v, want %s", got, tc.right)
				}
			})
		})
	}
}

// TestSettingThatIsOnOrOff is about the only setting without a value.
func TestSettingThatIsOnOrOff(t *testing.T) {
	inParallel(t, func(t *testing.T) {
		w, mg := settingWorld(t, "ssl_recommender", `"on"`)
		w.prepare()
		w.Create(mg)
		w.Says(mg, xpv2.TypeSynced, "spec.forProvider.value does not apply to ssl_recommender: set enabled instead")
		harness.Edit(w.Objects, mg, func(mg *zonev1alpha1.ZoneSetting) {
			mg.Spec.ForProvider.Value, mg.Spec.ForProvider.Enabled = nil, ptr.To(true)
		})
		w.Settled(mg)
		if got := w.setting()["enabled"]; got != true {
			t.Errorf("it is enabled: %v", got)
		}
	})
}

// TestCiphersAreASet shows that another order of the ciphers is no drift.
func TestCiphersAreASet(t *testing.T) {
	inParallel(t, func(t *testing.T) {
		w, mg := settingWorld(t, "ciphers", `["AES128-SHA","ECDHE-RSA-AES128-GCM-SHA256"]`)
		w.apply()
		if _, err := w.call(http.MethodPatch, w.item(""), map[string]any{"value": []string{"ECDHE-RSA-AES128-GCM-SHA256", "AES128-SHA"}}); err != nil {
			t.Fatal(err)
		}
		from := w.writes()
		w.lists(3)
		w.Settled(mg)
		if n := w.writes() - from; n > 0 {
			t.Errorf("another order was undone by %d writes", n)
		}
	})
}

// TestPartOfASetting shows that undeclared members of an object keep their values. The event
// about the adoption shows the values that it replaces.
func TestPartOfASetting(t *testing.T) {
	inParallel(t, func(t *testing.T) {
		w, mg := settingWorld(t, "security_header", `{"strict_transport_security":{"enabled":true}}`)
		w.prepare()
		header := map[string]any{"enabled": false, "include_subdomains": true, "max_age": 3600, "nosniff": true, "preload": false}
		if _, err := w.call(http.MethodPatch, w.item(""), map[string]any{"value": map[string]any{"strict_transport_security": header}}); err != nil {
			t.Fatal(err)
		}
		w.Create(mg)
		w.Settled(mg)
		w.Eventually(func() error { return w.event(mg, string(claim.EventAdopted), "enabled: live false, desired true") })
		want := decoded(t, `{"strict_transport_security":{"enabled":true,"include_subdomains":true,"max_age":3600,"nosniff":true,"preload":false}}`)
		if got := w.setting()["value"]; !same(got, want) {
			t.Errorf("the value is %v, want %v", got, want)
		}
	})
}

// decoded returns the value of a JSON text.
func decoded(t *testing.T, text string) any {
	t.Helper()
	var v any
	if err := json.Unmarshal([]byte(text), &v); err != nil {
		t.Fatal(err)
	}
	return v
}
