// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package operations

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/envtest"
	"sigs.k8s.io/yaml"

	"github.com/provider-cloudflare/provider-cloudflare/test/manifest"
)

// crossplaneKinds returns the folder of the CRDs of Crossplane's core, in its module.
func crossplaneKinds(t *testing.T) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "go", "mod", "download", "-json", "github.com/crossplane/crossplane/v2")
	cmd.Dir, cmd.Env = filepath.Join(repository, "hack", "tools", "core"), append(os.Environ(), "GOWORK=off")
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	var module struct{ Dir string }
	if err := yaml.Unmarshal(out, &module); err != nil || module.Dir == "" {
		t.Fatalf("no module in %s: %v", out, err)
	}
	return filepath.Join(module.Dir, "cluster", "crds")
}

// manifestIn reads a manifest with one object.
func manifestIn(t *testing.T, file string) *unstructured.Unstructured {
	t.Helper()
	all, err := manifest.Read(file)
	if err != nil || len(all) != 1 {
		t.Fatalf("%s has %d objects: %v", file, len(all), err)
	}
	return all[0]
}

// examples returns the files of a folder of examples.
func examples(t *testing.T, folder string) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(repository, "examples", folder, "*.yaml"))
	if err != nil || len(files) == 0 {
		t.Fatalf("%d examples in %s: %v", len(files), folder, err)
	}
	return files
}

// TestCrossplaneTakesTheExamples applies the examples of Crossplane's kinds to an API server
// that has these kinds and refuses unknown fields.
func TestCrossplaneTakesTheExamples(t *testing.T) {
	var paths []string
	for _, kind := range []string{
		"pkg.crossplane.io_deploymentruntimeconfigs", "apiextensions.crossplane.io_managedresourceactivationpolicies",
		"protection.crossplane.io_clusterusages",
	} {
		paths = append(paths, filepath.Join(crossplaneKinds(t), kind+".yaml"))
	}
	if _, err := envtest.InstallCRDs(shared.cp.Config, envtest.CRDInstallOptions{Paths: paths, ErrorIfPathMissing: true, MaxTime: 3 * time.Minute}); err != nil {
		t.Fatal(err)
	}
	files := slices.Concat(examples(t, "activation"), examples(t, "protection"))
	for _, name := range []string{"changelogs.yaml", "deploymentruntimeconfig.yaml"} {
		files = append(files, filepath.Join(repository, "examples", "runtime", name))
	}
	for _, file := range files {
		if err := client.WithFieldValidation(shared.kube, "Strict").Create(t.Context(), manifestIn(t, file)); err != nil {
			t.Errorf("%s: %v", file, err)
		}
	}
}

// managed returns the package's kinds of managed resources.
func managed(t *testing.T) []*apiextensionsv1.CustomResourceDefinition {
	t.Helper()
	o := envtest.CRDInstallOptions{Paths: []string{filepath.Join(repository, "package", "crds")}, ErrorIfPathMissing: true}
	if err := envtest.ReadCRDFiles(&o); err != nil {
		t.Fatal(err)
	}
	return slices.DeleteFunc(o.CRDs, func(k *apiextensionsv1.CustomResourceDefinition) bool {
		return !slices.Contains(k.Spec.Names.Categories, "managed")
	})
}

// TestEachGroupHasItsActivation compares the policies of examples/activation with the kinds of
// the package: each group has one policy, which names all of its kinds.
func TestEachGroupHasItsActivation(t *testing.T) {
	kinds := map[string][]string{}
	for _, crd := range managed(t) {
		kinds[crd.Spec.Group] = append(kinds[crd.Spec.Group], crd.Spec.Names.Kind)
	}
	for _, file := range examples(t, "activation") {
		short := strings.TrimSuffix(filepath.Base(file), ".yaml")
		group := short + ".cloudflare.m.crossplane.io"
		patterns, _, err := unstructured.NestedStringSlice(manifestIn(t, file).Object, "spec", "activate")
		if err != nil || !slices.Equal(patterns, []string{"*." + group}) {
			t.Errorf("%s activates %q: %v", file, patterns, err)
		}
		raw, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		slices.Sort(kinds[group])
		if want := "# Serves " + strings.Join(kinds[group], ", ") + ".\n"; len(kinds[group]) == 0 || !strings.HasPrefix(string(raw), want) {
			t.Errorf("%s does not begin with %q", file, want)
		}
		delete(kinds, group)
	}
	for group := range kinds {
		t.Errorf("the group %s has no policy in examples/activation", group)
	}
}

// TestExampleIDs checks that each kind has an example with the annotation that names the kind.
// The marketplace and Uptest use the annotation.
func TestExampleIDs(t *testing.T) {
	missing, ids := map[string]bool{}, map[schema.GroupKind]string{}
	for _, crd := range managed(t) {
		short, _, _ := strings.Cut(crd.Spec.Group, ".")
		id := short + "/" + crd.Spec.Versions[0].Name + "/" + crd.Spec.Names.Singular
		missing[id], ids[schema.GroupKind{Group: crd.Spec.Group, Kind: crd.Spec.Names.Kind}] = true, id
	}
	err := filepath.WalkDir(filepath.Join(repository, "examples"), func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(path) != ".yaml" {
			return err
		}
		all, err := manifest.Read(path)
		for _, o := range all {
			id, ours := ids[o.GroupVersionKind().GroupKind()]
			if got := o.GetAnnotations()["meta.upbound.io/example-id"]; ours && got != id {
				t.Errorf("%s: the example-id of %s %s is %q, want %q", path, o.GetKind(), o.GetName(), got, id)
			}
			delete(missing, id)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for id := range missing {
		t.Errorf("no example has the id %s", id)
	}
}

// TestExternalSecretIsTheConfigs checks that the example of the External Secrets Operator
// writes the Secret that the example of a ProviderConfig reads.
func TestExternalSecretIsTheConfigs(t *testing.T) {
	written := manifestIn(t, filepath.Join(repository, "examples", "external-secrets", "externalsecret.yaml"))
	config := manifestIn(t, filepath.Join(repository, "examples", "providerconfig", "providerconfig.yaml"))
	text := func(o map[string]any, path ...string) string {
		v, _, err := unstructured.NestedString(o, path...)
		if err != nil {
			t.Error(err)
		}
		return v
	}
	data, _, err := unstructured.NestedSlice(written.Object, "spec", "data")
	if err != nil || len(data) != 1 {
		t.Fatalf("the Secret has %v: %v", data, err)
	}
	entry, _ := data[0].(map[string]any)
	name, key := text(config.Object, "spec", "credentials", "secretRef", "name"), text(config.Object, "spec", "credentials", "secretRef", "key")
	if got := text(written.Object, "spec", "target", "name"); got != name || name == "" || written.GetNamespace() != config.GetNamespace() {
		t.Errorf("the Secret %s/%s is written, and %s/%s is read", written.GetNamespace(), got, config.GetNamespace(), name)
	}
	if got := text(entry, "secretKey"); got != key || key == "" {
		t.Errorf("the key %q is written, and %q is read", got, key)
	}
}
