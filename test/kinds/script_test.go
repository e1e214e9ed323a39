// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package kinds

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/crossplane/crossplane-runtime/v2/pkg/meta"
	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/ptr"
	"sigs.k8s.io/controller-runtime/pkg/client"

	cfv1alpha1 "github.com/provider-cloudflare/provider-cloudflare/apis/v1alpha1"
	workersv1alpha1 "github.com/provider-cloudflare/provider-cloudflare/apis/workers/v1alpha1"
	"github.com/provider-cloudflare/provider-cloudflare/internal/kind"
	"github.com/provider-cloudflare/provider-cloudflare/internal/kinds/workers"
	"github.com/provider-cloudflare/provider-cloudflare/test/harness"
	"github.com/provider-cloudflare/provider-cloudflare/test/simulator"
)

// The tests of this file are about bugs of Workers that users of other clients reported.
// Numbers with # are issues of Cloudflare's Terraform provider.

// scriptWorld returns a world for a Worker.
func scriptWorld(t *testing.T) (*world, *workersv1alpha1.WorkerScript) {
	t.Helper()
	w := newWorld(t, workers.WorkerScript())
	mg, ok := w.example.(*workersv1alpha1.WorkerScript)
	if !ok {
		t.Fatalf("the example is %T", w.example)
	}
	return w, mg
}

// uploads counts the uploads of Workers that the API carried out.
func (w *world) uploads() int {
	return w.asked(func(r simulator.LoggedRequest) bool { return r.Method == http.MethodPut && r.Status == http.StatusOK })
}

// bindings returns the bindings at Cloudflare by their names, with the values of secrets.
func (w *world) bindings(id string) map[string]map[string]any {
	w.T.Helper()
	out := map[string]map[string]any{}
	list, _ := parsed(w.raw(id))["bindings"].([]any)
	for _, e := range list {
		if b, ok := e.(map[string]any); ok {
			out[fmt.Sprint(b["name"])] = b
		}
	}
	return out
}

func (w *world) secretOf(name, value string) *corev1.Secret {
	return &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Namespace: w.ns, Name: name}, StringData: map[string]string{"value": value}}
}

// secretBinding returns a binding that takes the value of a variable from a Secret.
func secretBinding(variable, secret string) workersv1alpha1.WorkerScriptBindings {
	return workersv1alpha1.WorkerScriptBindings{
		Name: ptr.To(variable), Type: ptr.To("secret_text"), TextSecretRef: &cfv1alpha1.SecretKeyReference{Name: secret, Key: "value"},
	}
}

// TestSecretsOfOthersStay shows that an upload keeps the secrets that others added to the
// Worker. Other clients removed them (#5892). A secret that this object sent is removed when
// it is not declared any more.
func TestSecretsOfOthersStay(t *testing.T) {
	inParallel(t, func(t *testing.T) {
		w, mg := scriptWorld(t)
		ours := w.secretOf("ours", "the-first-value-of-our-secret")
		w.Create(ours)
		mg.Spec.ForProvider.Bindings = append(mg.Spec.ForProvider.Bindings, secretBinding("OURS", "ours"), secretBinding("BOTH", "ours"))
		w.apply()
		id := meta.GetExternalName(mg)
		w.editStored(id, func(doc map[string]any) {
			list, _ := doc["bindings"].([]any)
			doc["bindings"] = append(list, map[string]any{"name": "THEIRS", "type": "secret_text", "text": "what-others-put-there"})
		})
		settled := w.uploads()
		w.lists(4)
		if n := w.uploads() - settled; n > 0 {
			t.Errorf("there were %d uploads because of the secret of somebody else, and of secrets that did not change", n)
		}

		harness.Edit(w.Objects, ours, func(s *corev1.Secret) { s.StringData = map[string]string{"value": "the-second-value-of-our-secret"} })
		w.has(id, map[string]string{"OURS": "the-second-value-of-our-secret", "THEIRS": "what-others-put-there"})

		harness.Edit(w.Objects, mg, func(mg *workersv1alpha1.WorkerScript) {
			mg.Spec.ForProvider.Bindings = mg.Spec.ForProvider.Bindings[:len(mg.Spec.ForProvider.Bindings)-2]
		})
		w.has(id, map[string]string{"OURS": "", "BOTH": "", "THEIRS": "what-others-put-there"})
		w.Settled(mg)
		w.nowhere("the-first-value-of-our-secret", "the-second-value-of-our-secret", "what-others-put-there")
	})
}

// has waits until Cloudflare has these texts of bindings. The text "" stands for no binding
// of that name.
func (w *world) has(id string, texts map[string]string) {
	w.T.Helper()
	w.Eventually(func() error {
		have := w.bindings(id)
		for name, want := range texts {
			got, _ := have[name]["text"].(string)
			if got != want || (want == "") != (have[name] == nil) {
				return fmt.Errorf("the binding %s is there: %t, with the wanted text: %t: %s", name, have[name] != nil, got == want, harness.Conditions(w.example))
			}
		}
		return nil
	})
}

// TestCodeThatChanges shows that the code is uploaded when its ConfigMap changes, and when
// another client uploads other code. Other clients missed a change of the code, or reported
// it without end (#5439).
func TestCodeThatChanges(t *testing.T) {
	inParallel(t, func(t *testing.T) {
		w, mg := scriptWorld(t)
		w.apply()
		id := meta.GetExternalName(mg)
		first, from := w.raw(id)["etag"], w.uploads()
		code := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Namespace: w.ns, Name: "example-greeter"}}
		harness.Edit(w.Objects, code, func(m *corev1.ConfigMap) { m.Data["worker.js"] += "// changed\n" })
		w.Eventually(func() error {
			if w.raw(id)["etag"] == first {
				return fmt.Errorf("the code is the old one: %s", harness.Conditions(mg))
			}
			return nil
		})
		w.Settled(mg)
		second := w.raw(id)["etag"]
		if n := w.uploads() - from; n != 1 {
			t.Errorf("one change of the ConfigMap made %d uploads", n)
		}

		w.editStored(id, func(doc map[string]any) { doc["etag"] = strings.Repeat("0", 64) })
		w.Eventually(func() error {
			return w.event(mg, "DriftDetected", "modules: Cloudflare has others than those that were sent last")
		})
		w.Eventually(func() error {
			if got := w.raw(id)["etag"]; got != second {
				return fmt.Errorf("the code of somebody else is still there: %s", harness.Conditions(mg))
			}
			return nil
		})
		w.Settled(mg)
		if n := w.uploads() - from; n != 2 {
			t.Errorf("there were %d uploads, want one of the user's code and one against that of somebody else", n)
		}
	})
}

// TestFilesComeAndGo shows that a file that is not declared any more is not in the next
// upload. The order of files has no meaning.
func TestFilesComeAndGo(t *testing.T) {
	inParallel(t, func(t *testing.T) {
		w, mg := scriptWorld(t)
		w.apply()
		id := meta.GetExternalName(mg)
		first, from := w.raw(id)["etag"], w.uploads()
		harness.Edit(w.Objects, mg, func(mg *workersv1alpha1.WorkerScript) {
			m := mg.Spec.ForProvider.Modules
			m[0], m[1] = m[1], m[0]
		})
		w.Settled(mg)
		if n := w.uploads() - from; n > 0 {
			t.Errorf("another order of the modules made %d uploads", n)
		}
		harness.Edit(w.Objects, mg, func(mg *workersv1alpha1.WorkerScript) { mg.Spec.ForProvider.Modules = mg.Spec.ForProvider.Modules[1:] })
		w.Eventually(func() error {
			if w.raw(id)["etag"] == first {
				return fmt.Errorf("the file is still there: %s", harness.Conditions(mg))
			}
			return nil
		})
		w.Settled(mg)
	})
}

// TestScriptInUse shows that a Worker that another one binds is not deleted before the other
// one.
func TestScriptInUse(t *testing.T) {
	inParallel(t, func(t *testing.T) {
		w, first := scriptWorld(t)
		w.apply()
		second, _ := copyOf(first, "caller").(*workersv1alpha1.WorkerScript)
		p := &second.Spec.ForProvider
		p.ScriptName = ptr.To("example-caller")
		p.Bindings = []workersv1alpha1.WorkerScriptBindings{{Name: ptr.To("GREETER"), Type: ptr.To("service"), ServiceRef: &xpv2.NamespacedReference{Name: first.Name}}}
		w.Create(second)
		w.Settled(second)
		if got := w.bindings("example-caller")["GREETER"]["service"]; got != "example-greeter" {
			t.Errorf("the second Worker is bound to %v", got)
		}
		w.Delete(first)
		w.Says(first, xpv2.TypeSynced, "the Worker is still in use at Cloudflare", "example-caller")
		w.bounded(http.MethodDelete)
		w.Delete(second)
		w.Gone(second, func() string { return harness.Conditions(second) })
		w.Gone(first, func() string { return harness.Conditions(first) })
		for _, r := range w.requests() {
			if r.Method == http.MethodDelete && r.Query != "" {
				t.Errorf("a deletion has parameters: %s?%s", r, r.Query)
			}
		}
	})
}

// TestUnentitledDefaultIsNotSentBack shows that a default in an answer is not sent back.
// Other clients sent it, and the API refused it for accounts that may not set it (#7192).
// Other undeclared settings are kept.
func TestUnentitledDefaultIsNotSentBack(t *testing.T) {
	inParallel(t, func(t *testing.T) {
		w, mg := scriptWorld(t)
		w.apply()
		id := meta.GetExternalName(mg)
		w.editStored(id, func(doc map[string]any) {
			doc["logpush"] = true
			doc["observability"] = map[string]any{"enabled": true, "traces": map[string]any{"enabled": true, "propagation_policy": "authenticated"}}
		})
		w.trap(simulator.Trap{Kind: simulator.TrapEntitlementRefusal, Field: "observability.traces.propagation_policy"})
		harness.Edit(w.Objects, mg, func(mg *workersv1alpha1.WorkerScript) { mg.Spec.ForProvider.Tags = []string{"greetings", "more"} })
		w.Eventually(func() error {
			doc := parsed(w.raw(id))
			if tags, _ := kind.At(doc, "tags"); !same(tags, []string{"greetings", "more"}) {
				return fmt.Errorf("the tags are %v: %s", tags, harness.Conditions(mg))
			}
			return nil
		})
		doc := parsed(w.raw(id))
		for _, path := range []string{"logpush", "observability.traces.enabled"} {
			if v, _ := kind.At(doc, path); v != true {
				t.Errorf("%s is %v after an update, and nobody declares it", path, v)
			}
		}
		w.Settled(mg)
	})
}

// TestRoundsShareOneList shows that the observation of many Workers needs one list, and a
// read of the settings of each.
func TestRoundsShareOneList(t *testing.T) {
	inParallel(t, func(t *testing.T) {
		const several = 8
		w, mg := scriptWorld(t)
		w.prepare()
		path := w.naturalText()
		for i := range several {
			o := w.numbered(i, path)
			w.Create(o)
			w.Settled(o)
		}
		from := len(w.requests())
		w.lists(5 * (several + 1))
		lists, reads := 0, 0
		for _, r := range w.requests()[from:] {
			switch {
			case r.Path == w.collection():
				lists++
			case strings.HasPrefix(r.Path, w.collection()+"/"):
				reads++
			}
		}
		if reads == 0 || lists > 2*(reads/several+1) {
			t.Errorf("there were %d lists for %d reads of %d Workers such as %s", lists, reads, several, mg.Name)
		}
	})
}

// TestNameOfScript shows that the external name is the name of the Worker, and does not
// change.
func TestNameOfScript(t *testing.T) {
	inParallel(t, func(t *testing.T) {
		w, mg := scriptWorld(t)
		w.apply()
		if got := meta.GetExternalName(mg); got != *mg.Spec.ForProvider.ScriptName {
			t.Errorf("the external name is %s", got)
		}
		again := copyOf(mg, "never")
		never, _ := again.(*workersv1alpha1.WorkerScript)
		never.Spec.AdoptionPolicy = cfv1alpha1.AdoptNever
		from := w.uploads()
		w.Create(never)
		w.Says(never, xpv2.TypeSynced, "exists")
		if n := w.uploads() - from; n > 0 {
			t.Errorf("a Worker that must not be adopted was uploaded %d times", n)
		}
		w.Delete(client.Object(never))
		w.Gone(never, func() string { return harness.Conditions(never) })
		w.is(1)
	})
}
