// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package plugin

import (
	"net/http"
	"path/filepath"
	"strings"
	"testing"

	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"
	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/provider-cloudflare/provider-cloudflare/internal/kind"
	"github.com/provider-cloudflare/provider-cloudflare/internal/kinds"
	"github.com/provider-cloudflare/provider-cloudflare/test/harness"
	"github.com/provider-cloudflare/provider-cloudflare/test/manifest"
)

// everyKind creates the resources of the examples of all kinds. It deletes the objects and keeps
// the resources.
func (w *world) everyKind() {
	w.T.Helper()
	ns := w.namespace()
	var names []string
	for _, d := range kinds.All() {
		names = append(names, d.Name)
	}
	all, err := manifest.Examples{Folder: filepath.Join("..", "..", "examples"), Zone: w.zone.Name, Namespace: ns}.All(names)
	if err != nil {
		w.T.Fatal(err)
	}
	for _, o := range all {
		w.Create(o)
	}
	for _, o := range all {
		if !managed(o) {
			continue
		}
		w.settled(o)
		harness.Edit(w.Objects, o, func(o *unstructured.Unstructured) {
			if err := unstructured.SetNestedField(o.Object, string(xpv2.DeletionOrphan), "spec", "deletionPolicy"); err != nil {
				w.T.Fatal(err)
			}
		})
	}
	for _, o := range all {
		if managed(o) {
			w.Delete(o)
		}
	}
	for _, o := range all {
		if managed(o) {
			w.Gone(o, func() string { return o.GetName() })
		}
	}
}

func managed(o client.Object) bool {
	return strings.HasSuffix(o.GetObjectKind().GroupVersionKind().Group, ".cloudflare.m.crossplane.io")
}

// TestExportedAccount exports an account with a resource of every kind. Applying the output
// changes nothing at Cloudflare, and each object becomes Ready and UpToDate.
func TestExportedAccount(t *testing.T) {
	w := newWorld(t)
	w.everyKind()
	token := []string{"CLOUDFLARE_API_TOKEN=" + w.token}
	ns := w.namespace()
	stdout, stderr := w.plugin(token, "export", "account", "--namespace", ns)
	if again, _ := w.plugin(token, "export", "account", "--namespace", ns); again != stdout {
		t.Errorf("the second export differs: %s", cmp.Diff(stdout, again))
	}
	if strings.Contains(stderr, "left out: kind ") {
		t.Errorf("a kind is left out: %s", stderr)
	}
	if strings.Contains(stdout, w.zone.ID+"\n    zone") || strings.Contains(stdout, "zoneId:") {
		t.Error("the zone is named by its ID, though there is an object of it")
	}
	has := map[string]bool{}
	for _, d := range kinds.All() {
		if d.Shape == kind.Fragment && d.Bulk == "" {
			continue
		}
		has[d.Name] = strings.Contains(stdout, "\nkind: "+d.Name+"\n")
		if !has[d.Name] {
			t.Errorf("there is no object of kind %s", d.Name)
		}
	}
	before := len(w.sim.Requests())
	for _, o := range w.objects(stdout) {
		w.settled(o)
	}
	for _, r := range w.sim.Requests()[before:] {
		if r.Method != http.MethodGet {
			t.Errorf("something was written: %s %s", r.Method, r.Path)
		}
	}
	stdout, _ = w.plugin(token, "export", "account", "--kind", "tunnelconfiguration")
	if n := strings.Count(stdout, "kind: TunnelConfiguration\n"); n == 0 || n != strings.Count(stdout, "apiVersion: ") {
		t.Errorf("the export of one kind has others: %s", stdout)
	}
	if _, stderr, err := w.try(token, "export", "account", "--kind", "Record"); err == nil || !strings.Contains(stderr, "Records are part of export zone") {
		t.Errorf("it says %q", stderr)
	}
}
