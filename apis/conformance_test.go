// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package apis_test

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/crossplane/crossplane-runtime/v2/pkg/resource"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/yaml"

	"github.com/provider-cloudflare/provider-cloudflare/apis"
)

// reconcileTracker is what the runtime expects of a managed resource to note that
// a requested reconcile was handled.
type reconcileTracker interface {
	GetLastHandledReconcileAt() string
	SetLastHandledReconcileAt(token string)
}

func crds(t *testing.T) []apiextensionsv1.CustomResourceDefinition {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("..", "package", "crds", "*.yaml"))
	if err != nil || len(files) == 0 {
		t.Fatalf("there are %d CRDs: %v", len(files), err)
	}
	out := make([]apiextensionsv1.CustomResourceDefinition, len(files))
	for i, f := range files {
		raw, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		if err := yaml.UnmarshalStrict(raw, &out[i]); err != nil {
			t.Fatalf("%s: %v", f, err)
		}
	}
	return out
}

func object(t *testing.T, s *runtime.Scheme, crd apiextensionsv1.CustomResourceDefinition, kind string) runtime.Object {
	t.Helper()
	gvk := schema.GroupVersionKind{Group: crd.Spec.Group, Version: crd.Spec.Versions[0].Name, Kind: kind}
	o, err := s.New(gvk)
	if err != nil {
		t.Fatalf("%s is in package/crds, but not in the scheme: %v", gvk, err)
	}
	return o
}

// TestConventions holds each kind against Crossplane's conventions.
func TestConventions(t *testing.T) {
	s := runtime.NewScheme()
	if err := apis.AddToScheme(s); err != nil {
		t.Fatal(err)
	}
	managed := 0
	for _, crd := range crds(t) {
		t.Run(crd.Spec.Names.Kind, func(t *testing.T) {
			names := crd.Spec.Names
			for _, c := range []string{"crossplane", "cloudflare"} {
				if !slices.Contains(names.Categories, c) {
					t.Errorf("it is not in the category %s", c)
				}
			}
			if !strings.HasSuffix(crd.Spec.Group, "cloudflare.m.crossplane.io") {
				t.Errorf("its group is %s", crd.Spec.Group)
			}
			o := object(t, s, crd, names.Kind)
			if _, ok := o.(resource.ModernManaged); !ok {
				if slices.Contains(names.Categories, "managed") {
					t.Error("it is in the category managed, but no managed resource")
				}
				return
			}
			managed++
			conventionsOfManaged(t, s, crd, o)
		})
	}
	if managed != 2 {
		t.Errorf("there are %d managed kinds, want Record and Zone", managed)
	}
}

func conventionsOfManaged(t *testing.T, s *runtime.Scheme, crd apiextensionsv1.CustomResourceDefinition, o runtime.Object) {
	t.Helper()
	names, v := crd.Spec.Names, crd.Spec.Versions[0]
	if !slices.Contains(names.Categories, "managed") || crd.Spec.Scope != apiextensionsv1.NamespaceScoped || len(names.ShortNames) == 0 {
		t.Errorf("categories %v, scope %s, short names %v", names.Categories, crd.Spec.Scope, names.ShortNames)
	}
	if _, ok := o.(reconcileTracker); !ok {
		t.Error("it does not note which requested reconcile was handled")
	}
	if _, ok := object(t, s, crd, names.ListKind).(resource.ManagedList); !ok {
		t.Error("its list is no list of managed resources")
	}
	if v.Subresources == nil || v.Subresources.Status == nil {
		t.Error("it has no status subresource")
	}
	var columns []string
	for _, c := range v.AdditionalPrinterColumns {
		columns = append(columns, c.Name)
	}
	for _, want := range []string{"READY", "SYNCED", "EXTERNAL-NAME", "LAST-SYNC", "AGE"} {
		if !slices.Contains(columns, want) {
			t.Errorf("it has no column %s, only %v", want, columns)
		}
	}
	described(t, names.Kind, v.Schema.OpenAPIV3Schema.Properties["spec"].Properties["forProvider"])
}

// described expects a description of every field a user can set.
func described(t *testing.T, path string, p apiextensionsv1.JSONSchemaProps) {
	t.Helper()
	if p.Description == "" {
		t.Errorf("%s has no description", path)
	}
	for name, f := range p.Properties {
		described(t, path+"."+name, f)
	}
}

// elsewhere are names of fields that could say where the API is, or what leads
// there. The base URL belongs to the process: whoever could set it would be sent
// the token.
var elsewhere = regexp.MustCompile(`(?i)(url|uri|endpoint|host|server|proxy$|address|port$|scheme|insecure|tls|cabundle)`)

// TestNoFieldSaysWhereTheAPIIs looks at every field a tenant can set.
func TestNoFieldSaysWhereTheAPIIs(t *testing.T) {
	// These are data of DNS.
	known := []string{"Record.spec.forProvider.data.port", "Zone.spec.forProvider.vanityNameServers"}
	seen := 0
	for _, crd := range crds(t) {
		kind := crd.Spec.Names.Kind
		for name, p := range crd.Spec.Versions[0].Schema.OpenAPIV3Schema.Properties {
			if name == "apiVersion" || name == "kind" || name == "metadata" || name == "status" {
				continue
			}
			fields(kind+"."+name, p, func(path string, p apiextensionsv1.JSONSchemaProps) {
				seen++
				last := path[strings.LastIndex(path, ".")+1:]
				if elsewhere.MatchString(last) && !slices.Contains(known, path) {
					t.Errorf("%s may say where the API is", path)
				}
				if p.XPreserveUnknownFields != nil && *p.XPreserveUnknownFields {
					t.Errorf("%s keeps fields that nobody knows", path)
				}
			})
		}
	}
	if seen < 100 {
		t.Errorf("%d fields were looked at", seen)
	}
}

// TestSecretsAreOfTheConfigsNamespace has just one field name a Secret's namespace.
func TestSecretsAreOfTheConfigsNamespace(t *testing.T) {
	var got []string
	for _, crd := range crds(t) {
		kind := crd.Spec.Names.Kind
		fields(kind+".spec", crd.Spec.Versions[0].Schema.OpenAPIV3Schema.Properties["spec"], func(path string, _ apiextensionsv1.JSONSchemaProps) {
			if strings.HasSuffix(path, ".namespace") {
				got = append(got, path)
			}
		})
	}
	slices.Sort(got)
	// The last two lead to a Zone's ID and nothing else.
	want := []string{
		"ClusterProviderConfig.spec.credentials.secretRef.namespace",
		"Record.spec.forProvider.zoneIdRef.namespace",
		"Record.spec.forProvider.zoneIdSelector.namespace",
	}
	if !slices.Equal(got, want) {
		t.Errorf("these fields name a namespace: %q, want %q", got, want)
	}
}

// fields visits a field and all below it.
func fields(path string, p apiextensionsv1.JSONSchemaProps, visit func(string, apiextensionsv1.JSONSchemaProps)) {
	visit(path, p)
	for name, f := range p.Properties {
		fields(path+"."+name, f, visit)
	}
	if p.Items != nil && p.Items.Schema != nil {
		fields(path+".[]", *p.Items.Schema, visit)
	}
	if p.AdditionalProperties != nil && p.AdditionalProperties.Schema != nil {
		fields(path+".{}", *p.AdditionalProperties.Schema, visit)
	}
}
