// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package v1alpha1_test

import (
	"encoding/json"
	"testing"

	"k8s.io/apimachinery/pkg/runtime"

	"github.com/provider-cloudflare/provider-cloudflare/apis/v1alpha1"
)

// holder has a Decimal as generated types have it.
type holder struct {
	D *v1alpha1.Decimal `json:"d,omitempty"`
}

func TestDecimal(t *testing.T) {
	for _, row := range []struct {
		text   string
		ok     bool
		reason string
	}{
		{"0.1", true, "a fraction that no float has"},
		{"-12.50", true, "its zeros stay"},
		{"1e3", true, "an exponent"},
		{"18446744073709551617", true, "more than 64 bits"},
		{`"1"`, false, "a text is no number"},
		{"null", false, "nor is null"},
		{"01", false, "JSON has no leading zeros"},
		{"", false, "nothing"},
		{"1 2", false, "two numbers"},
	} {
		d, err := v1alpha1.ParseDecimal(row.text)
		if (err == nil) != row.ok {
			t.Errorf("%s: ParseDecimal(%q) gives %v", row.reason, row.text, err)
			continue
		}
		if raw, _ := json.Marshal(d); row.ok && string(raw) != row.text {
			t.Errorf("%s: %q becomes %s", row.reason, row.text, raw)
		}
	}
	var zero v1alpha1.Decimal
	if raw, err := json.Marshal(zero); err != nil || string(raw) != "0" {
		t.Errorf("the zero value is %s, %v", raw, err)
	}
}

// TestDecimalThroughUnstructured takes numbers the way of Kubernetes' clients.
func TestDecimalThroughUnstructured(t *testing.T) {
	for _, want := range []float64{0, 1, -1, 0.1, -0.25, 1e-9, 1e21, 1 << 53, 123456.789} {
		var in holder
		if err := runtime.DefaultUnstructuredConverter.FromUnstructured(map[string]any{"d": want}, &in); err != nil {
			t.Fatal(err)
		}
		out, err := runtime.DefaultUnstructuredConverter.ToUnstructured(&in)
		if err != nil {
			t.Fatal(err)
		}
		switch got := out["d"].(type) {
		case float64:
			if got != want {
				t.Errorf("%v became %v", want, got)
			}
		case int64:
			if float64(got) != want {
				t.Errorf("%v became %v", want, got)
			}
		default:
			t.Errorf("%v became a %T", want, got)
		}
	}
}
