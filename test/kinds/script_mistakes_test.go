// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package kinds

import (
	"strings"
	"testing"

	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"
	"k8s.io/utils/ptr"

	workersv1alpha1 "github.com/provider-cloudflare/provider-cloudflare/apis/workers/v1alpha1"
)

// TestMistakesOfScripts shows that each message names the field and what to do.
func TestMistakesOfScripts(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		mistake func(p *workersv1alpha1.WorkerScriptParameters)
		says    []string
	}{
		"NoSuchModule": {func(p *workersv1alpha1.WorkerScriptParameters) { p.MainModule = ptr.To("index.js") }, []string{`spec.forProvider.mainModule is "index.js"`, "spec.forProvider.modules", "worker.js"}},
		"NoEntry":      {func(p *workersv1alpha1.WorkerScriptParameters) { p.MainModule = nil }, []string{"spec.forProvider.mainModule", "spec.forProvider.bodyPart"}},
		"TwoContents":  {func(p *workersv1alpha1.WorkerScriptParameters) { p.Modules[0].Content = ptr.To("x") }, []string{"spec.forProvider.modules[worker.js] needs exactly one of"}},
		"NoContent":    {func(p *workersv1alpha1.WorkerScriptParameters) { p.Modules[1].Content = nil }, []string{"spec.forProvider.modules[fallback.js] needs exactly one of"}},
		"NoConfigMap":  {func(p *workersv1alpha1.WorkerScriptParameters) { p.Modules[0].ConfigMapKeyRef.Name = "nowhere" }, []string{"spec.forProvider.modules[0].configMapKeyRef", `"nowhere" not found`}},
		"NoKey":        {func(p *workersv1alpha1.WorkerScriptParameters) { p.Modules[0].ConfigMapKeyRef.Key = "index.js" }, []string{"spec.forProvider.modules[0].configMapKeyRef", `no value under the key "index.js"`}},
		"PlainSecret":  {func(p *workersv1alpha1.WorkerScriptParameters) { p.Bindings[1].Type = ptr.To("secret_text") }, []string{"spec.forProvider.bindings[NAME].text is a secret", "textSecretRef"}},
		"SecretInPlain": {func(p *workersv1alpha1.WorkerScriptParameters) {
			p.Bindings[1] = secretBinding("NAME", "x")
			p.Bindings[1].Type = ptr.To("plain_text")
		}, []string{"spec.forProvider.bindings[NAME].textSecretRef", "Cloudflare shows"}},
		"NoNamespace": {func(p *workersv1alpha1.WorkerScriptParameters) {
			p.Bindings[0].NamespaceIDRef, p.Bindings[0].NamespaceID = nil, ptr.To(strings.Repeat("0", 32))
		}, []string{"BindingTargetNotFound", "KV namespace", "spec.forProvider.bindings"}},
	} {
		t.Run(name, func(t *testing.T) {
			inParallel(t, func(t *testing.T) {
				w, mg := scriptWorld(t)
				w.prepare()
				tc.mistake(&mg.Spec.ForProvider)
				w.Create(mg)
				w.Says(mg, xpv2.TypeSynced, tc.says...)
				w.is(0)
			})
		})
	}
}
