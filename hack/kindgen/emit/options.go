// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package emit

import (
	"fmt"
	"strings"

	"github.com/provider-cloudflare/provider-cloudflare/hack/kindgen/model"
)

// durations is the pattern of Go's durations without a sign.
const durations = `^([0-9]+(\.[0-9]+)?(ms|s|m|h))+$`

// options writes the fields of the spec that Cloudflare does not have.
func options(b *strings.Builder, k *model.Kind) {
	for _, o := range k.Options {
		comment(b, model.Clean(o.Doc))
		fmt.Fprintf(b, "// +optional\n")
		if o.Default != "" {
			fmt.Fprintf(b, "// +kubebuilder:default=%q\n", o.Default)
		}
		if len(o.Enum) == 0 {
			// A text, not a Duration: that would be written back in another form than the user's,
			// 24h0m0s for 24h, which is a change of the spec.
			fmt.Fprintf(b, "// +kubebuilder:validation:Pattern=`%s`\n", durations)
			fmt.Fprintf(b, "%s *string `json:%q`\n\n", goName(o.Name), o.Name+",omitempty")
			continue
		}
		fmt.Fprintf(b, "// +kubebuilder:validation:Enum=%s\n", enum(&model.Node{Type: model.String, Enum: o.Enum}))
		fmt.Fprintf(b, "%s *string `json:%q`\n\n", goName(o.Name), o.Name+",omitempty")
	}
}

// optionsBody returns the body of the method that returns these fields as texts.
func optionsBody(k *model.Kind) string {
	var b strings.Builder
	fmt.Fprintf(&b, "out := map[string]string{}\n")
	for _, o := range k.Options {
		fmt.Fprintf(&b, "if v := mg.Spec.%s; v != nil {\nout[%q] = *v\n}\n", goName(o.Name), o.Name)
	}
	b.WriteString("return out")
	return b.String()
}
