// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package apis_test

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
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

// describedObject is an object of a kind whose types are generated.
type describedObject interface{ GetForProvider() any }

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
	var byHand []string
	described := 0
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
			if _, ok := o.(describedObject); ok {
				described++
			} else {
				byHand = append(byHand, names.Kind)
			}
			conventionsOfManaged(t, s, crd, o)
		})
	}
	if want := []string{"Record", "Zone"}; !slices.Equal(byHand, want) || described == 0 {
		t.Errorf("the managed kinds made by hand are %q, want %q; there are %d described ones", byHand, want, described)
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
	for _, want := range []string{"READY", "SYNCED", "UPTODATE", "EXTERNAL-NAME", "LAST-WRITE", "AGE"} {
		if !slices.Contains(columns, want) {
			t.Errorf("it has no column %s, only %v", want, columns)
		}
	}
	if want := []string{"READY", "SYNCED", "UPTODATE"}; len(columns) < 3 || !slices.Equal(columns[:3], want) || columns[len(columns)-1] != "AGE" {
		t.Errorf("its columns are %v: they begin with %v and end with AGE", columns, want)
	}
}

// elsewhere are names of fields that could say where the API is, or what leads
// there. The base URL belongs to the process: whoever could set it would be sent
// the token.
var elsewhere = regexp.MustCompile(`(?i)(url|uri|endpoint|host|server|proxy$|address|port$|scheme|insecure|tls|cabundle)`)

// TestNoFieldSaysWhereTheAPIIs looks at every field a tenant can set. Those of described
// kinds' forProvider are data: TestDescribedFieldsAreData shows it.
func TestNoFieldSaysWhereTheAPIIs(t *testing.T) {
	s := runtime.NewScheme()
	if err := apis.AddToScheme(s); err != nil {
		t.Fatal(err)
	}
	// These are data of DNS.
	known := []string{"Record.spec.forProvider.data.port", "Zone.spec.forProvider.vanityNameServers"}
	known = append(known, "ProviderConfig.spec.secretsForObservers", "ClusterProviderConfig.spec.secretsForObservers") // A choice of two words.
	// The values of these are of any type, by Cloudflare's document.
	untyped := []string{
		"AccountToken.spec.forProvider.policies.[].resources.{}", "ZoneSetting.spec.forProvider.value",
		"UserToken.spec.forProvider.policies.[].resources.{}",
		"WorkerScript.spec.forProvider.bindings.[].algorithm", "WorkerScript.spec.forProvider.bindings.[].json",
	}
	seen := 0
	for _, crd := range crds(t) {
		kind := crd.Spec.Names.Kind
		_, data := object(t, s, crd, kind).(describedObject)
		for name, p := range crd.Spec.Versions[0].Schema.OpenAPIV3Schema.Properties {
			if name == "apiVersion" || name == "kind" || name == "metadata" || name == "status" {
				continue
			}
			fields(kind+"."+name, p, func(path string, p apiextensionsv1.JSONSchemaProps) {
				seen++
				last := path[strings.LastIndex(path, ".")+1:]
				isData := data && strings.HasPrefix(path, kind+".spec.forProvider.")
				if elsewhere.MatchString(last) && !slices.Contains(known, path) && !isData {
					t.Errorf("%s may say where the API is", path)
				}
				if p.XPreserveUnknownFields != nil && *p.XPreserveUnknownFields && !slices.Contains(untyped, path) {
					t.Errorf("%s keeps fields that nobody knows", path)
				}
			})
		}
	}
	if seen < 100 {
		t.Errorf("%d fields were looked at", seen)
	}
}

// TestNumbersOrTextsAreBounded: the API server takes any number of 64 bits for a field that is a
// number or a text, and Go's type holds 32. One object with more would keep every informer of its
// kind from starting.
func TestNumbersOrTextsAreBounded(t *testing.T) {
	seen := 0
	for _, crd := range crds(t) {
		kind := crd.Spec.Names.Kind
		fields(kind+".spec", crd.Spec.Versions[0].Schema.OpenAPIV3Schema.Properties["spec"], func(path string, p apiextensionsv1.JSONSchemaProps) {
			if !p.XIntOrString {
				return
			}
			seen++
			if !slices.ContainsFunc(p.XValidations, func(r apiextensionsv1.ValidationRule) bool { return boundsInt32(r.Rule) }) {
				t.Errorf("%s takes numbers of more than 32 bits", path)
			}
		})
	}
	if seen == 0 {
		t.Error("no field is a number or a text")
	}
}

// boundsInt32 reports whether a rule lets no whole number pass that has more than 32 bits.
func boundsInt32(rule string) bool {
	bound := func(operator string) (int64, error) {
		_, after, _ := strings.Cut(rule, "self "+operator+" ")
		return strconv.ParseInt(regexp.MustCompile(`^-?\d+`).FindString(after), 10, 32)
	}
	_, least := bound(">=")
	_, most := bound("<=")
	return strings.Contains(rule, "type(self)") && least == nil && most == nil
}

// TestSecretsAreOfTheConfigsNamespace has just one field name a Secret's namespace.
func TestSecretsAreOfTheConfigsNamespace(t *testing.T) {
	var got []string
	for _, crd := range crds(t) {
		kind := crd.Spec.Names.Kind
		fields(kind+".spec", crd.Spec.Versions[0].Schema.OpenAPIV3Schema.Properties["spec"], func(path string, p apiextensionsv1.JSONSchemaProps) {
			if _, ok := p.Properties["namespace"]; ok && !reference(p) {
				got = append(got, path+".namespace")
			}
		})
	}
	slices.Sort(got)
	want := []string{
		"ClusterProviderConfig.spec.credentials.secretRef.namespace",
		// Namespaces at Cloudflare, of Workers for Platforms.
		"WorkerScript.spec.forProvider.bindings.[].namespace", "WorkerScript.spec.forProvider.tailConsumers.[].namespace",
	}
	if !slices.Equal(got, want) {
		t.Errorf("these fields name a namespace: %q, want %q", got, want)
	}
}

// reference tells whether a field has the shape of Crossplane's references and selectors,
// which lead to an ID and nothing else.
func reference(p apiextensionsv1.JSONSchemaProps) bool {
	var names []string
	for name := range p.Properties {
		names = append(names, name)
	}
	slices.Sort(names)
	return slices.Equal(names, []string{"name", "namespace", "policy"}) ||
		slices.Equal(names, []string{"matchControllerRef", "matchLabels", "namespace", "policy"})
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
