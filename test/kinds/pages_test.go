// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package kinds

import (
	"encoding/json"
	"fmt"
	"net/http"
	"testing"

	"github.com/crossplane/crossplane-runtime/v2/pkg/meta"
	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/ptr"

	pagesv1alpha1 "github.com/provider-cloudflare/provider-cloudflare/apis/pages/v1alpha1"
	"github.com/provider-cloudflare/provider-cloudflare/internal/kind"
	"github.com/provider-cloudflare/provider-cloudflare/internal/kinds/pages"
	"github.com/provider-cloudflare/provider-cloudflare/test/harness"
	"github.com/provider-cloudflare/provider-cloudflare/test/simulator"
)

// The tests of this file are about bugs of Pages that users of other clients reported. Numbers
// with # are issues of Cloudflare's Terraform provider.

// pagesWorld returns a world for a project.
func pagesWorld(t *testing.T) (*world, *pagesv1alpha1.PagesProject) {
	t.Helper()
	w := newWorld(t, pages.PagesProject())
	mg, ok := w.example.(*pagesv1alpha1.PagesProject)
	if !ok {
		t.Fatalf("the example is %T", w.example)
	}
	return w, mg
}

// variables returns the variables for production at Cloudflare by their names, with the values
// of secrets.
func (w *world) variables(id string) map[string]any {
	w.T.Helper()
	v, _ := kind.At(parsed(w.raw(id)), "deployment_configs.production.env_vars")
	out, _ := v.(map[string]any)
	return out
}

// hasVariable waits until Cloudflare has that value of a variable. If the value is nil, it waits
// until the variable is gone.
func (w *world) hasVariable(id, name string, value any) {
	w.T.Helper()
	w.Eventually(func() error {
		got, there := kind.At(w.variables(id), name+".value")
		if there != (value != nil) || there && got != value {
			return fmt.Errorf("the variable %s is there: %t, and not as it is wanted: %s", name, there, harness.Conditions(w.example))
		}
		return nil
	})
}

// TestVariablesThatAreSecrets is about bugs of other clients: a secret drifted without end
// (#2479), its mask was sent back (#6526), or an undeclared variable stayed (#5632, #2639).
func TestVariablesThatAreSecrets(t *testing.T) {
	inParallel(t, func(t *testing.T) {
		const first, second = "the-token-of-an-api", "the-second-token-of-an-api"
		w, mg := pagesWorld(t)
		w.apply()
		id := meta.GetExternalName(mg)
		w.hasVariable(id, "API_TOKEN", first)
		trap := w.trap(simulator.Trap{Kind: simulator.TrapConcealedSecret, Field: "deployment_configs.production.env_vars.API_TOKEN.value"})
		from := w.writes()
		w.lists(4)
		if n := w.writes() - from; n > 0 || w.sim.Sprung(trap) == 0 {
			t.Errorf("there were %d writes without a change", n)
		}

		w.edit("deploymentConfigs.production.envVars.LOG_LEVEL.value", func(any) any { return "debug" })
		w.hasVariable(id, "LOG_LEVEL", "debug")
		w.hasVariable(id, "API_TOKEN", first)
		w.Settled(mg)
		harness.Edit(w.Objects, &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Namespace: w.ns, Name: "example-site-api"}}, func(s *corev1.Secret) {
			s.StringData = map[string]string{"token": second}
		})
		w.hasVariable(id, "API_TOKEN", second)
		w.Settled(mg)
		if n := w.writes() - from; n != 2 {
			t.Errorf("two changes made %d writes", n)
		}

		w.editStored(id, func(doc map[string]any) { // Another client makes the variable readable.
			change(doc, "deployment_configs.production.env_vars.API_TOKEN", func(any) any { return map[string]any{"type": "plain_text", "value": "x"} })
		})
		w.hasVariable(id, "API_TOKEN", second)
		harness.Edit(w.Objects, mg, func(mg *pagesv1alpha1.PagesProject) {
			delete(mg.Spec.ForProvider.DeploymentConfigs.Production.EnvVars, "API_TOKEN")
		})
		w.hasVariable(id, "API_TOKEN", nil)
		w.hasVariable(id, "LOG_LEVEL", "debug")
		w.Settled(mg)
		w.nowhere(first, second)
	})
}

// TestVariableInTheWrongPlace shows that a secret in the spec is refused before any call. So is
// a value from a Secret for a variable that is readable.
func TestVariableInTheWrongPlace(t *testing.T) {
	inParallel(t, func(t *testing.T) {
		w, mg := pagesWorld(t)
		vars := mg.Spec.ForProvider.DeploymentConfigs.Production.EnvVars
		token := vars["API_TOKEN"]
		token.Type = ptr.To("plain_text")
		vars["API_TOKEN"] = token
		w.prepare()
		w.Create(mg)
		w.Says(mg, xpv2.TypeSynced, "spec.forProvider.deploymentConfigs.production.envVars.API_TOKEN.valueSecretRef is set where type is plain_text")
		w.is(0)
	})
}

// TestSourceIsSentWhole shows that a change of a source is sent with its type, which the API
// requires. The members that the API adds are no difference (#6069).
func TestSourceIsSentWhole(t *testing.T) {
	inParallel(t, func(t *testing.T) {
		w, mg := pagesWorld(t)
		source := `{"type":"github","config":{"owner":"an-owner","repoName":"a-site","previewBranchIncludes":["a","b"]}}`
		if err := json.Unmarshal([]byte(source), &mg.Spec.ForProvider.Source); err != nil {
			t.Fatal(err)
		}
		w.apply()
		id := meta.GetExternalName(mg)
		from := w.writes()
		w.lists(3)
		w.edit("source.config.prCommentsEnabled", func(any) any { return false })
		w.Eventually(func() error {
			if v, _ := kind.At(parsed(w.raw(id)), "source.config.pr_comments_enabled"); v != false {
				return fmt.Errorf("it is %v: %s", v, harness.Conditions(mg))
			}
			return nil
		})
		w.Settled(mg)
		if n := w.writes() - from; n != 1 {
			t.Errorf("one change made %d writes", n)
		}
	})
}

// TestProjectWithDomains shows that a project is not deleted before its domains.
func TestProjectWithDomains(t *testing.T) {
	inParallel(t, func(t *testing.T) {
		w, mg := pagesWorld(t)
		w.apply()
		domains := w.collection() + "/" + meta.GetExternalName(mg) + "/domains"
		if _, err := w.sim.PostResource(domains, map[string]any{"name": "theirs.example.com"}); err != nil {
			t.Fatal(err)
		}
		w.Delete(mg)
		w.Says(mg, xpv2.TypeSynced, "the Pages project is still in use at Cloudflare", "custom domains")
		w.bounded(http.MethodDelete)
		if err := w.sim.DeleteResource(domains + "/theirs.example.com"); err != nil {
			t.Fatal(err)
		}
		w.Gone(mg, func() string { return harness.Conditions(mg) })
	})
}
