// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package emit

import (
	"fmt"
	"go/format"
	"strings"

	"github.com/provider-cloudflare/provider-cloudflare/hack/kindgen/model"
)

// Group writes the registration of a group whose package is completely generated.
func Group(group string) ([]byte, error) {
	return source(fmt.Sprintf(`// Package v1alpha1 holds the %[1]s kinds of provider-cloudflare.
//
// +kubebuilder:object:generate=true
// +groupName=%[1]s.cloudflare.m.crossplane.io
// +versionName=v1alpha1
package v1alpha1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// API group and version of this package.
const (
	Group   = "%[1]s.cloudflare.m.crossplane.io"
	Version = "v1alpha1"
)

var (
	// SchemeGroupVersion is the group and version of this package's kinds.
	SchemeGroupVersion = schema.GroupVersion{Group: Group, Version: Version}

	// SchemeBuilder collects this package's kinds.
	SchemeBuilder = runtime.NewSchemeBuilder(func(s *runtime.Scheme) error {
		s.AddKnownTypes(SchemeGroupVersion, described()...)
		metav1.AddToGroupVersion(s, SchemeGroupVersion)
		return nil
	})
)
`, group))
}

// Kinds writes the names of a group's kinds, and their objects for its scheme.
func Kinds(kinds []*model.Kind) ([]byte, error) {
	var b, objects strings.Builder
	fmt.Fprintf(&b, "package v1alpha1\n\nimport \"k8s.io/apimachinery/pkg/runtime\"\n\n// Kinds of this package that have a description.\nconst (\n")
	for _, k := range kinds {
		fmt.Fprintf(&b, "%sKind = %q\n", k.Name, k.Name)
		fmt.Fprintf(&objects, "&%s{}, &%sList{},\n", k.Name, k.Name)
	}
	fmt.Fprintf(&b, ")\n\n// GroupVersionKinds of these.\nvar (\n")
	for _, k := range kinds {
		fmt.Fprintf(&b, "%sGroupVersionKind = SchemeGroupVersion.WithKind(%sKind)\n", k.Name, k.Name)
	}
	fmt.Fprintf(&b, ")\n\n// described are the objects of these kinds.\nfunc described() []runtime.Object {\nreturn []runtime.Object{\n%s}\n}\n", objects.String())
	return source(b.String())
}

// Groups writes the registration in the scheme of the groups that are completely
// generated.
func Groups(groups []string) ([]byte, error) {
	var b, add strings.Builder
	fmt.Fprintf(&b, "package apis\n\nimport (\n\"k8s.io/apimachinery/pkg/runtime\"\n\n")
	for _, g := range groups {
		fmt.Fprintf(&b, "%[1]sv1alpha1 %[2]q\n", g, module+"/apis/"+g+"/v1alpha1")
		fmt.Fprintf(&add, "%sv1alpha1.SchemeBuilder.AddToScheme,\n", g)
	}
	fmt.Fprintf(&b, ")\n\n// described are the groups all of whose kinds have a description.\nfunc described() []func(*runtime.Scheme) error {\nreturn []func(*runtime.Scheme) error{\n%s}\n}\n", add.String())
	return source(b.String())
}

// Roster writes the list of described kinds for their controllers.
func Roster(kinds []*model.Kind) ([]byte, error) {
	var b, rows, functions strings.Builder
	kindPackage := ""
	fmt.Fprintf(&b, "package described\n\nimport (\n\"github.com/crossplane/crossplane-runtime/v2/pkg/resource\"\n\n")
	last := ""
	var imports []string
	for _, k := range kinds {
		if k.Group != last {
			imports = append(imports, fmt.Sprintf("%[1]sv1alpha1 %[2]q\n", k.Group, module+"/apis/"+k.Group+"/v1alpha1"))
			last = k.Group
		}
		g := k.Group + "v1alpha1."
		variants := ""
		if len(k.Variants) > 0 {
			variants = "Variants: " + variantsOf(k) + "(),\n"
			functions.WriteString(variantTable(k))
			kindPackage = fmt.Sprintf("%q\n", module+"/internal/kind")
		}
		fmt.Fprintf(&rows, "{\nDescription: %[1]s.%[2]s(),\n%[4]sGVK: %[3]s%[2]sGroupVersionKind,\nNew: func() Object { return &%[3]s%[2]s{} },\nNewList: func() resource.ManagedList { return &%[3]s%[2]sList{} },\n},\n", k.Group, k.Name, g, variants)
	}
	b.WriteString(strings.Join(imports, "") + kindPackage)
	last = ""
	for _, k := range kinds {
		if k.Group != last {
			fmt.Fprintf(&b, "%q\n", module+"/internal/kinds/"+k.Group)
			last = k.Group
		}
	}
	fmt.Fprintf(&b, ")\n\n// roster are the described kinds.\nfunc roster() []entry {\nreturn []entry{\n%s}\n}\n%s", rows.String(), functions.String())
	return source(b.String())
}

func source(code string) ([]byte, error) {
	out, err := format.Source([]byte(generated + code))
	if err != nil {
		return nil, fmt.Errorf("cannot format what is generated: %w", err)
	}
	return out, nil
}
