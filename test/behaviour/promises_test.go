// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package behaviour

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/crossplane/crossplane-runtime/v2/pkg/meta"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	kerrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/yaml"

	cfv1alpha1 "github.com/provider-cloudflare/provider-cloudflare/apis/v1alpha1"
)

// A promise is one rule by which a CRD refuses a manifest.
type promise struct {
	kind string
	// field is the path of the field, with [] for the elements of a list.
	field string
	// keyword is that of the schema, or "rule" for a CEL rule.
	keyword string
	// message is that of a rule, or the name of a required field.
	message string
}

// keywords returns the keywords of promises, with the type of the cause that the
// API server then returns.
func keywords() map[string]metav1.CauseType {
	return map[string]metav1.CauseType{
		"enum": metav1.CauseTypeFieldValueNotSupported, "pattern": metav1.CauseTypeFieldValueInvalid,
		"minLength": metav1.CauseTypeFieldValueInvalid, "maxLength": metav1.CauseTypeTooLong,
		"minimum": metav1.CauseTypeFieldValueInvalid, "maximum": metav1.CauseTypeFieldValueInvalid,
		"minItems": metav1.CauseTypeFieldValueInvalid, "maxItems": metav1.CauseTypeTooMany, "set": metav1.CauseTypeFieldValueDuplicate,
		"minProperties": metav1.CauseTypeFieldValueInvalid, "maxProperties": metav1.CauseTypeTooMany, "map": metav1.CauseTypeFieldValueDuplicate,
		"required": metav1.CauseTypeFieldValueRequired, "rule": metav1.CauseTypeFieldValueInvalid,
	}
}

// promises returns the promises of a schema and of the schemas below it.
func promises(kind, field string, s apiextensionsv1.JSONSchemaProps) []promise {
	var out []promise
	for keyword, there := range map[string]bool{
		"enum": len(s.Enum) > 0, "pattern": s.Pattern != "", "minLength": s.MinLength != nil, "maxLength": s.MaxLength != nil,
		"minimum": s.Minimum != nil, "maximum": s.Maximum != nil, "maxItems": s.MaxItems != nil, "minItems": s.MinItems != nil,
		"minProperties": s.MinProperties != nil, "maxProperties": s.MaxProperties != nil,
		"map": s.XListType != nil && *s.XListType == "map",
	} {
		if there {
			out = append(out, promise{kind, field, keyword, ""})
		}
	}
	if s.XListType != nil && *s.XListType == "set" {
		out = append(out, promise{kind, field + "[]", "set", ""})
	}
	for _, name := range s.Required {
		out = append(out, promise{kind, join(field, name), "required", ""})
	}
	for _, rule := range s.XValidations {
		out = append(out, promise{kind, field, "rule", rule.Message})
	}
	for name, child := range s.Properties {
		if field != "" || name == "spec" { // Users do not write other fields.
			out = append(out, promises(kind, join(field, name), child)...)
		}
	}
	if s.Items != nil && s.Items.Schema != nil {
		out = append(out, promises(kind, field+"[]", *s.Items.Schema)...)
	}
	return out
}

func join(field, name string) string { return strings.TrimPrefix(field+"."+name, ".") }

// promised returns the promises of the kinds without a description that users
// write.
func promised(t *testing.T) []promise {
	t.Helper()
	var out []promise
	for _, crd := range written(t) {
		for _, v := range crd.Spec.Versions {
			out = append(out, promises(crd.Spec.Names.Kind, "", *v.Schema.OpenAPIV3Schema)...)
		}
	}
	return slices.DeleteFunc(out, func(p promise) bool { return isDescribed(p.kind) })
}

// written returns the CRDs of the kinds that users write.
func written(t *testing.T) []apiextensionsv1.CustomResourceDefinition {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("..", "..", "package", "crds", "*.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	var out []apiextensionsv1.CustomResourceDefinition
	for _, file := range files {
		raw, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var crd apiextensionsv1.CustomResourceDefinition
		if err := yaml.Unmarshal(raw, &crd); err != nil {
			t.Fatal(err)
		}
		if crd.Spec.Names.Kind == cfv1alpha1.ProviderConfigUsageKind {
			continue // The provider writes it.
		}
		out = append(out, crd)
	}
	return out
}

// TestEveryPromiseHasARow compares the CRDs with the rows of TestCRDRefusals.
func TestEveryPromiseHasARow(t *testing.T) {
	t.Parallel()
	rows := map[promise]bool{}
	for _, r := range refusals() {
		rows[r.promise()] = false
	}
	all := promised(t)
	if len(all) < 60 {
		t.Errorf("only %d promises were found in the CRDs", len(all))
	}
	for _, p := range all {
		if _, ok := rows[p]; !ok {
			t.Errorf("a refusal that a CRD promises has no row in refusals(): %+v", p)
		}
		rows[p] = true
	}
	for p, made := range rows {
		if !made {
			t.Errorf("no CRD promises what a row in refusals() tests: %+v", p)
		}
	}
}

// A refusal is a manifest that a CRD refuses.
type refusal struct {
	kind, field, keyword string
	// says is a part of the message of the cause. For a rule, it is the whole
	// message.
	says string
	// was are changes to the valid manifest for an object that exists before. It
	// is for rules about updates, and nil for a refused creation.
	was map[string]any
	// change is the refused change: paths in the manifest, and their values. nil
	// removes a path.
	change map[string]any
	// instead is a similar change that is accepted.
	instead map[string]any
	reason  string
}

func (r refusal) promise() promise {
	p := promise{r.kind, r.field, r.keyword, ""}
	if r.keyword == "rule" {
		p.message = r.says
	}
	return p
}

// index matches the index of an element in the field of a cause.
var index = regexp.MustCompile(`\[\d+\]`)

// in returns nil if an error of the API server is that refusal.
func (r refusal) in(err error) error {
	var status kerrors.APIStatus
	if err == nil || !kerrors.IsInvalid(err) || !errors.As(err, &status) {
		return errors.New("it is not refused as invalid")
	}
	for _, c := range status.Status().Details.Causes {
		field := index.ReplaceAllString(c.Field, "[]")
		if field == r.field && c.Type == keywords()[r.keyword] && strings.Contains(c.Message, r.says) {
			return nil
		}
	}
	return errors.New("no cause names the field, the type of error and the message")
}

// TestCRDRefusals sends each manifest that a CRD promises to refuse to the API
// server, and a similar one that it has to accept.
func TestCRDRefusals(t *testing.T) {
	t.Parallel()
	onReal(t)
	w := newWorld(t)
	for i, r := range refusals() {
		send := func(change map[string]any) error {
			o := valid(t, w.ns, r.kind)
			if r.was == nil {
				set(t, o, change)
				return w.kube.Create(t.Context(), o, client.DryRunAll)
			}
			set(t, o, r.was)
			w.create(o)
			was := o.DeepCopy()
			set(t, o, change)
			return w.kube.Patch(t.Context(), o, client.MergeFrom(was), client.DryRunAll)
		}
		got := send(r.change)
		if err := r.in(got); err != nil {
			t.Errorf("row %d, %s: %v: want a %s of %s that says %q, got %v", i, r.reason, err, keywords()[r.keyword], r.field, r.says, got)
		}
		if r.instead == nil {
			continue
		}
		if err := send(r.instead); err != nil {
			t.Errorf("row %d, %s: what is to be accepted is not: %v", i, r.reason, err)
		}
	}
}

// valid returns a manifest that is accepted, and that the provider does not
// reconcile.
func valid(t *testing.T, namespace, kind string) *unstructured.Unstructured {
	t.Helper()
	specs := map[string]string{
		"Record":                `{forProvider: {zoneId: "00000000000000000000000000000001", name: www, type: A, content: 192.0.2.1}}`,
		"Zone":                  `{forProvider: {name: example.org}}`,
		"ProviderConfig":        `{credentials: {secretRef: {name: cloudflare, key: token}}}`,
		"ClusterProviderConfig": `{credentials: {secretRef: {name: cloudflare, key: token, namespace: default}}}`,
	}
	groups := map[string]string{"Record": "dns.cloudflare.m.crossplane.io", "Zone": "zone.cloudflare.m.crossplane.io"}
	group, ok := groups[kind]
	if !ok {
		group = "cloudflare.m.crossplane.io"
	}
	o := &unstructured.Unstructured{}
	text := fmt.Sprintf(`{apiVersion: %s/v1alpha1, kind: %s, spec: %s}`, group, kind, specs[kind])
	if err := yaml.Unmarshal([]byte(text), &o.Object); err != nil {
		t.Fatal(err)
	}
	o.SetGenerateName("promise-")
	o.SetAnnotations(map[string]string{meta.AnnotationKeyReconciliationPaused: "true"})
	if kind != "ClusterProviderConfig" {
		o.SetNamespace(namespace)
	}
	return o
}

// set changes a manifest, by path.
func set(t *testing.T, o *unstructured.Unstructured, change map[string]any) {
	t.Helper()
	for _, path := range slices.Sorted(maps.Keys(change)) {
		fields := strings.Split(path, ".")
		if change[path] == nil {
			unstructured.RemoveNestedField(o.Object, fields...)
			continue
		}
		if err := unstructured.SetNestedField(o.Object, runtime.DeepCopyJSONValue(change[path]), fields...); err != nil {
			t.Fatal(err)
		}
	}
}
