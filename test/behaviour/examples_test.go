// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package behaviour

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/yaml"

	dnsv1alpha1 "github.com/provider-cloudflare/provider-cloudflare/apis/dns/v1alpha1"
	zonev1alpha1 "github.com/provider-cloudflare/provider-cloudflare/apis/zone/v1alpha1"
	"github.com/provider-cloudflare/provider-cloudflare/test/simulator"
)

// TestExamples creates every example of a managed resource, in any order, and
// waits until it is Ready, Synced and UpToDate.
func TestExamples(t *testing.T) {
	inParallel(t, func(t *testing.T) {
		w := newWorld(t)
		const name = "example.com"
		z, err := w.sim.AddZone(w.account.ID, name, simulator.ZoneOptions{Plan: simulator.PlanPro})
		if err != nil {
			t.Fatal(err)
		}
		// The examples of adoption and observation need these records.
		for _, body := range []map[string]any{
			{"type": "A", "name": "legacy", "content": "192.0.2.200", "ttl": 300},
			{"type": "TXT", "name": "_acme-challenge", "content": "made by another tool", "ttl": 300},
		} {
			if _, err := w.sim.CreateRecord(z.ID, body); err != nil {
				t.Fatal(err)
			}
		}
		kinds := map[string]bool{}
		for _, dir := range []string{"record", "zone"} {
			for _, o := range manifests(t, filepath.Join("..", "..", "examples", dir)) {
				o.SetNamespace(w.ns)
				w.create(o)
				if typ, ok, _ := unstructured.NestedString(o.Object, "spec", "forProvider", "type"); ok {
					kinds[typ] = true
				}
			}
		}
		w.eventually(func() error { return allSettled(w) })
		for _, typ := range recordTypes() {
			if !kinds[typ] {
				t.Errorf("no example shows a record of type %s", typ)
			}
		}
	})
}

// recordTypes returns the record types of the API.
func recordTypes() []string {
	return strings.Fields("A AAAA CAA CERT CNAME DNSKEY DS HTTPS LOC MX NAPTR NS OPENPGPKEY PTR SMIMEA SRV SSHFP SVCB TLSA TXT URI")
}

func allSettled(w *world) error {
	rs, zs := &dnsv1alpha1.RecordList{}, &zonev1alpha1.ZoneList{}
	if err := w.kube.List(w.t.Context(), rs, client.InNamespace(w.ns)); err != nil {
		return err
	}
	if err := w.kube.List(w.t.Context(), zs, client.InNamespace(w.ns)); err != nil {
		return err
	}
	for _, mg := range append(rs.GetItems(), zs.GetItems()...) {
		for _, c := range []xpv2.ConditionType{xpv2.TypeReady, xpv2.TypeSynced, xpv2.TypeUpToDate} {
			if mg.GetCondition(c).Status != corev1.ConditionTrue {
				return fmt.Errorf("%T %s: %s", mg, mg.GetName(), conditions(mg))
			}
		}
	}
	return nil
}

// manifests returns the objects in all YAML files of a folder.
func manifests(t *testing.T, dir string) []*unstructured.Unstructured {
	t.Helper()
	var out []*unstructured.Unstructured
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(path) != ".yaml" {
			return err
		}
		raw, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		for doc := range strings.SplitSeq(string(raw), "\n---\n") {
			o := &unstructured.Unstructured{}
			if err := yaml.Unmarshal([]byte(doc), &o.Object); err != nil {
				return fmt.Errorf("%s: %w", path, err)
			}
			out = append(out, o)
		}
		return nil
	})
	if err != nil || len(out) == 0 {
		t.Fatalf("%d manifests in %s: %v", len(out), dir, err)
	}
	return out
}

// TestConfigExamplesAreAccepted checks the examples of configs against their
// schemas. Their Secret is only a template.
func TestConfigExamplesAreAccepted(t *testing.T) {
	t.Parallel()
	onReal(t)
	w := newWorld(t)
	for _, o := range manifests(t, filepath.Join("..", "..", "examples", "providerconfig")) {
		if o.GetNamespace() != "" {
			o.SetNamespace(w.ns)
		}
		o.SetName("dry-run-" + o.GetName())
		if err := w.kube.Create(t.Context(), o, client.DryRunAll, client.FieldValidation(metav1.FieldValidationStrict)); err != nil {
			t.Errorf("%s %s: %v", o.GetKind(), o.GetName(), err)
		}
	}
}
