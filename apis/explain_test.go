// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package apis_test

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
)

// An inheritance is fields whose texts are not ours, by the types that they are from.
type inheritance struct {
	fields *regexp.Regexp
	from   string
}

// inherited are those of Crossplane and of Kubernetes.
func inherited() []inheritance {
	of := func(fields, from string) inheritance { return inheritance{regexp.MustCompile(fields), from} }
	return []inheritance{
		of(`^\w+\.(apiVersion|kind|metadata)$`, "Kubernetes: TypeMeta and ObjectMeta"),
		of(`^\w+\.status\.(conditions|observedGeneration|lastHandledReconcileAt)\b`, "Crossplane: ConditionedStatus and ManagedResourceStatus"),
		of(`^\w*ProviderConfig\.status\.users$`, "Crossplane: ProviderConfigStatus"),
		of(`Refs?(\.\[\])?\.(name|namespace|policy)\b`, "Crossplane: NamespacedReference"),
		of(`Selector\.(matchControllerRef|matchLabels|namespace|policy)\b`, "Crossplane: NamespacedSelector"),
		of(`^ProviderConfigUsage\.(providerConfigRef|resourceRef)\b`, "Crossplane: TypedProviderConfigUsage"),
	}
}

// goType is how a text of a whole type begins, which kubectl explain shows for a field that has
// none of its own.
var goType = regexp.MustCompile(`^An? \w+(Spec|Status|Parameters|Observation) is `)

// explains reports what is wrong with the text of a field, "" for nothing. kubectl explain shows
// the field's name beside it, in another spelling than Go's.
func explains(path, text string) string {
	name := path[strings.LastIndex(path, ".")+1:]
	first, _, _ := strings.Cut(text, " ")
	switch {
	case text == "":
		return "it has no description"
	case strings.EqualFold(strings.TrimRight(first, ".,:"), name):
		return "its description begins with its name"
	case goType.MatchString(text):
		return "its description is that of its Go type"
	}
	return ""
}

func TestExplains(t *testing.T) {
	for _, tc := range []struct{ path, text, want string }{
		{"Record.spec.zoneId", "The ID of the zone.", ""},
		{"Record.spec.zoneId", "ZoneID is the ID of the zone.", "its description begins with its name"},
		{"AccountToken.spec.preset", "Preset: What the token is for.", "its description begins with its name"},
		{"Record.spec.name", "Name.", "its description begins with its name"},
		{"Record.spec", "A RecordSpec is the desired state of a Record.", "its description is that of its Go type"},
		{"Record.spec.tags", "", "it has no description"},
	} {
		if got := explains(tc.path, tc.text); got != tc.want {
			t.Errorf("%s with %q: %q, want %q", tc.path, tc.text, got, tc.want)
		}
	}
}

// TestEachFieldIsExplained holds the text of each field of each kind: it begins with what the field
// is or does.
func TestEachFieldIsExplained(t *testing.T) {
	theirs, used, own := inherited(), map[string]bool{}, 0
	for _, crd := range crds(t) {
		kind := crd.Spec.Names.Kind
		fields(kind, *crd.Spec.Versions[0].Schema.OpenAPIV3Schema, func(path string, p apiextensionsv1.JSONSchemaProps) {
			if path == kind || strings.HasSuffix(path, "[]") || strings.HasSuffix(path, "{}") {
				return
			}
			i := slices.IndexFunc(theirs, func(i inheritance) bool { return i.fields.MatchString(path) })
			// A field of ours may have a name of theirs: then its text is as it should be, and nothing is excused.
			wrong := explains(path, p.Description)
			switch {
			case wrong == "":
				own++
			case i < 0:
				t.Errorf("%s: %s: %q", path, wrong, p.Description)
			default:
				used[theirs[i].from] = true
			}
		})
	}
	for _, i := range theirs {
		if !used[i.from] {
			t.Errorf("no field of %s is excused any more", i.from)
		}
	}
	if own < 1000 {
		t.Errorf("%d fields were looked at", own)
	}
}
