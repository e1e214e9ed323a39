// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package xpkg

import (
	"archive/tar"
	"bytes"
	stdcmp "cmp"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/empty"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
	"github.com/google/go-containerregistry/pkg/v1/tarball"
	"sigs.k8s.io/yaml"
)

const root = "../../.."

// crossplane runs Crossplane's command line, which is built on first use.
func crossplane(t *testing.T, args ...string) (string, error) {
	t.Helper()
	out, err := exec.CommandContext(t.Context(), filepath.Join(root, "hack", "tool.sh"), append([]string{"cli/crossplane"}, args...)...).CombinedOutput()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return string(out), err
}

// runtime returns an image that stands for one with a program.
func runtime(t *testing.T) (img v1.Image, path string) {
	t.Helper()
	img, err := mutate.ConfigFile(empty.Image, &v1.ConfigFile{
		OS: "linux", Architecture: "arm64", RootFS: v1.RootFS{Type: "layers"},
		Config: v1.Config{Entrypoint: []string{"/provider"}, User: "2000:2000", Labels: map[string]string{"kept": "yes"}},
	})
	if err != nil {
		t.Fatal(err)
	}
	path = filepath.Join(t.TempDir(), "runtime.tar")
	if err := tarball.WriteToFile(path, nil, img); err != nil {
		t.Fatal(err)
	}
	return img, path
}

// layers returns the layers of a package by their labels: the path of the file in each,
// and the objects in it.
func layers(t *testing.T, img v1.Image) map[string]map[string][]map[string]any {
	t.Helper()
	cfg, err := img.ConfigFile()
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]map[string][]map[string]any{}
	all, err := img.Layers()
	if err != nil {
		t.Fatal(err)
	}
	for _, layer := range all {
		digest, err := layer.Digest()
		if err != nil {
			t.Fatal(err)
		}
		r, err := layer.Uncompressed()
		if err != nil {
			t.Fatal(err)
		}
		files := map[string][]map[string]any{}
		for archive := tar.NewReader(r); ; {
			h, err := archive.Next()
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				t.Fatal(err)
			}
			if h.Typeflag != tar.TypeReg {
				continue
			}
			if h.Mode != 0o644 {
				t.Errorf("%s has mode %o", h.Name, h.Mode)
			}
			content, err := io.ReadAll(archive)
			if err != nil {
				t.Fatal(err)
			}
			files[h.Name] = documents(t, content)
		}
		found[cfg.Config.Labels[Label(digest)]] = files
	}
	return found
}

// documents returns the objects in a stream. It removes the empty status that
// Crossplane's command line adds to each when it writes it again.
func documents(t *testing.T, stream []byte) []map[string]any {
	t.Helper()
	objects, err := parse("stream", stream)
	if err != nil {
		t.Fatal(err)
	}
	out := make([]map[string]any, 0, len(objects))
	for _, o := range objects {
		var m map[string]any
		if err := yaml.Unmarshal(o.text, &m); err != nil {
			t.Fatal(err)
		}
		delete(m, "status")
		out = append(out, m)
	}
	return out
}

// TestLikeCrossplane builds the provider's package and one of a function, and compares
// each with the package that Crossplane's own command line builds from the same
// sources.
func TestLikeCrossplane(t *testing.T) {
	cases := map[string]struct{ root, examples string }{
		"Provider": {filepath.Join(root, "package"), filepath.Join(root, "examples", "record")},
		"Function": {function(t), ""},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			base, path := runtime(t)
			theirs := filepath.Join(t.TempDir(), "theirs.xpkg")
			// For them, a folder that does not exist has no examples.
			if out, err := crossplane(t, "xpkg", "build", "--package-root="+tc.root, "--examples-root="+stdcmp.Or(tc.examples, filepath.Join(t.TempDir(), "none")),
				"--embed-runtime-image-tarball="+path, "-o", theirs); err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
			var folders []string
			if tc.examples != "" {
				folders = append(folders, tc.examples)
			}
			want, err := tarball.ImageFromPath(theirs, nil)
			if err != nil {
				t.Fatal(err)
			}
			got := built(t, base, tc.root, folders...)
			if diff := cmp.Diff(layers(t, want), layers(t, got)); diff != "" {
				t.Errorf("the layers (-theirs +ours):\n%s", diff)
			}
			if diff := cmp.Diff(config(t, want), config(t, got)); diff != "" {
				t.Errorf("the configuration (-theirs +ours):\n%s", diff)
			}
		})
	}
}

func built(t *testing.T, base v1.Image, root string, examples ...string) v1.Image {
	t.Helper()
	p, err := Read(root)
	if err != nil {
		t.Fatal(err)
	}
	shown, err := Examples(examples...)
	if err != nil {
		t.Fatal(err)
	}
	img, err := Build(base, p, shown)
	if err != nil {
		t.Fatal(err)
	}
	return img
}

// config returns an image's configuration without the digests of its layers, whose
// bytes differ; layers compares their content.
func config(t *testing.T, img v1.Image) *v1.ConfigFile {
	t.Helper()
	cfg, err := img.ConfigFile()
	if err != nil {
		t.Fatal(err)
	}
	cfg = cfg.DeepCopy()
	cfg.RootFS.DiffIDs = nil
	maps.DeleteFunc(cfg.Config.Labels, func(name, _ string) bool { return strings.HasPrefix(name, Annotation) })
	return cfg
}

// TestConfigurationLikeCrossplane compares our Configuration with the package that
// Crossplane's own command line builds from the same objects in one folder.
func TestConfigurationLikeCrossplane(t *testing.T) {
	dir := t.TempDir()
	files := append(configurationFiles(t), filepath.Join(root, "configuration", "crossplane.yaml"))
	for _, file := range files {
		content, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		// The order of the objects is that of the paths.
		to := strings.ReplaceAll(strings.TrimPrefix(file, root), string(filepath.Separator), "-")
		if err := os.WriteFile(filepath.Join(dir, filepath.Base(to)), content, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	theirs := filepath.Join(t.TempDir(), "theirs.xpkg")
	if out, err := crossplane(t, "xpkg", "build", "--package-root="+dir, "--examples-root="+filepath.Join(dir, "none"), "-o", theirs); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	want, err := tarball.ImageFromPath(theirs, nil)
	if err != nil {
		t.Fatal(err)
	}
	p, err := Read(filepath.Join(root, "configuration"), configurationFiles(t)...)
	if err != nil {
		t.Fatal(err)
	}
	got, err := Build(empty.Image, p, nil)
	if err != nil {
		t.Fatal(err)
	}
	byName := cmpopts.SortSlices(func(a, b map[string]any) bool {
		return fmt.Sprint(a["kind"], a["metadata"]) < fmt.Sprint(b["kind"], b["metadata"])
	})
	if diff := cmp.Diff(layers(t, want), layers(t, got), byName); diff != "" {
		t.Errorf("the layers (-theirs +ours):\n%s", diff)
	}
}

// TestCrossplaneExtracts makes Crossplane's command line read a package of ours.
func TestCrossplaneExtracts(t *testing.T) {
	base, _ := runtime(t)
	dir := t.TempDir()
	ours, out := filepath.Join(dir, "ours.xpkg"), filepath.Join(dir, "out.gz")
	if err := tarball.WriteToFile(ours, nil, built(t, base, filepath.Join(root, "package"), filepath.Join(root, "examples", "zone"))); err != nil {
		t.Fatal(err)
	}
	if said, err := crossplane(t, "xpkg", "extract", "--from-xpkg", ours, "-o", out); err != nil {
		t.Fatalf("%v\n%s", err, said)
	}
	raw, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	r, err := gzip.NewReader(bytes.NewReader(raw))
	if err != nil {
		t.Fatal(err)
	}
	content, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	p, err := Read(filepath.Join(root, "package"))
	if err != nil {
		t.Fatal(err)
	}
	if want := stream(append([]Object{p.Meta}, p.Objects...)); !bytes.Equal(content, want) {
		t.Errorf("it found %d bytes, want the %d of the package", len(content), len(want))
	}
}

// function returns the package root of a function with a kind for its input.
func function(t *testing.T) string {
	t.Helper()
	return folder(t, map[string]string{
		"crossplane.yaml":  "apiVersion: meta.pkg.crossplane.io/v1beta1\nkind: Function\nmetadata:\n  name: function-example\nspec: {}\n",
		"input/input.yaml": crd("inputs.example.org"),
	})
}

// crd returns a definition of a kind that the API server would accept.
func crd(name string) string {
	plural, group, _ := strings.Cut(name, ".")
	return `---
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: ` + name + `
spec:
  group: ` + group + `
  names: {kind: Example, plural: ` + plural + `}
  scope: Namespaced
  versions:
  - name: v1
    served: true
    storage: true
    schema: {openAPIV3Schema: {type: object}}
`
}

func folder(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for _, name := range slices.Sorted(maps.Keys(files)) {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o750); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(files[name]), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}
