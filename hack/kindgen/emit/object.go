// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package emit

import (
	"fmt"
	"strings"

	"github.com/provider-cloudflare/provider-cloudflare/hack/kindgen/model"
	"github.com/provider-cloudflare/provider-cloudflare/internal/kind"
)

// root writes the object, its list, and the markers of both.
func root(b *strings.Builder, k *model.Kind) {
	fmt.Fprintf(b, "// +kubebuilder:object:root=true\n// +kubebuilder:subresource:status\n// +kubebuilder:storageversion\n")
	fmt.Fprintf(b, "// +kubebuilder:resource:scope=Namespaced,path=%s,categories={crossplane,managed,cloudflare},shortName=%s\n", Plural(k.Name), k.Short)
	for _, c := range columns(k) {
		fmt.Fprintf(b, "// +kubebuilder:printcolumn:name=%q,type=%q,JSONPath=\"%s\"", c.title, c.typ, c.path)
		if c.wide {
			fmt.Fprintf(b, ",priority=1")
		}
		fmt.Fprintln(b)
	}
	fmt.Fprintf(b, "\n// %s\ntype %s struct {\nmetav1.TypeMeta `json:\",inline\"`\n// +optional\nmetav1.ObjectMeta `json:\"metadata,omitempty\"`\n\n", model.Clean(k.Doc), k.Name)
	fmt.Fprintf(b, "// The desired state of this %s.\n// +required\nSpec %sSpec `json:\"spec\"`\n// The observed state of this %s.\n// +optional\nStatus %sStatus `json:\"status,omitempty\"`\n}\n\n", k.Name, k.Name, k.Name, k.Name)
	fmt.Fprintf(b, "// +kubebuilder:object:root=true\n\n// %sList is a list of objects of kind %s.\ntype %sList struct {\n", k.Name, k.Name, k.Name)
	fmt.Fprintf(b, "metav1.TypeMeta `json:\",inline\"`\nmetav1.ListMeta `json:\"metadata,omitempty\"`\nItems []%s `json:\"items\"`\n}\n\n", k.Name)
}

// printed is a column of kubectl get. wide is true if it is shown with -o wide only.
type printed struct {
	title, typ, path string
	wide             bool
}

// columns returns the columns of kubectl get for a kind.
func columns(k *model.Kind) []printed {
	out := []printed{
		{title: "READY", typ: "string", path: ".status.conditions[?(@.type=='Ready')].status"},
		{title: "SYNCED", typ: "string", path: ".status.conditions[?(@.type=='Synced')].status"},
		{title: "UPTODATE", typ: "string", path: ".status.conditions[?(@.type=='UpToDate')].status"},
	}
	out = append(out, parents(k, false)...)
	var wide []printed
	for _, c := range k.Columns {
		title, path, _ := strings.Cut(c, "=")
		bare, isWide := strings.CutPrefix(title, "-")
		p := printed{title: bare, typ: columnType(k, path), path: ".status.atProvider" + jsonPath(k.Observed, path), wide: isWide}
		if isWide {
			wide = append(wide, p)
			continue
		}
		out = append(out, p)
	}
	if k.Scope.InZone() {
		// The zone as the object names it: the first of several paths that has a value.
		out = append(out, printed{title: "ZONE", typ: "string", path: "..['spec.forProvider.zoneName','spec.forProvider.zoneIdRef.name','spec.forProvider.zoneId']"})
		wide = append(wide, printed{title: "ZONE-ID", typ: "string", path: ".spec.forProvider.zoneId", wide: true})
	}
	out = append(out, wide...)
	out = append(out, parents(k, true)...)
	return append(out,
		printed{title: "EXTERNAL-NAME", typ: "string", path: `.metadata.annotations.crossplane\\.io/external-name`, wide: true},
		printed{title: "LAST-WRITE", typ: "date", path: ".status.sync.lastSyncedAt", wide: true},
		printed{title: "AGE", typ: "date", path: ".metadata.creationTimestamp"},
	)
}

// parents returns the columns for the parents of a resource. Without ids these are parents that
// users name, such as a phase. With ids they are parents known by ID, which -o wide shows.
func parents(k *model.Kind, ids bool) []printed {
	var out []printed
	for _, n := range k.Params {
		if id := n.Field.Ref != ""; n.Origin == model.Path && id == ids {
			out = append(out, printed{
				title: strings.ToUpper(strings.TrimSuffix(jsonName(n), "Id")), typ: "string", path: ".spec.forProvider." + jsonName(n), wide: ids,
			})
		}
	}
	return out
}

func columnType(k *model.Kind, path string) string {
	switch n := k.Observed.At(kind.General(path)); {
	case n.Format == "date-time":
		return "date"
	case n.Type == model.Boolean, n.Type == model.Integer, n.Type == model.Number:
		return string(n.Type)
	}
	return "string"
}

// jsonPath returns the path of a node with the names that users see, each after a dot.
func jsonPath(n *model.Node, path string) string {
	name, rest, more := strings.Cut(path, ".")
	list, position, within := strings.Cut(name, "[")
	out := "." + jsonName(n.At(list))
	if within {
		out += "[" + position
	}
	if more {
		out += jsonPath(n.At(kind.General(name)), rest)
	}
	return out
}

// methods writes the methods of an object that the controllers use and angryjet does not write.
func methods(b *strings.Builder, k *model.Kind) {
	method := func(doc, signature, body string) {
		fmt.Fprintf(b, "// %s\nfunc (mg *%s) %s {\n%s\n}\n\n", doc, k.Name, signature, body)
	}
	method(fmt.Sprintf("GetManagementPolicies of this %s: those of its spec, without deletion where its deletion policy is Orphan.", k.Name),
		"GetManagementPolicies() xpv2.ManagementPolicies",
		"return apisv1alpha1.EffectivePolicies(mg.Spec.ManagementPolicies, mg.Spec.DeletionPolicy)")
	method(fmt.Sprintf("GetLastHandledReconcileAt of this %s.", k.Name),
		"GetLastHandledReconcileAt() string", "return mg.Status.GetLastHandledReconcileAt()")
	method(fmt.Sprintf("SetLastHandledReconcileAt of this %s.", k.Name),
		"SetLastHandledReconcileAt(token string)", "mg.Status.SetLastHandledReconcileAt(token)")
	method("GetForProvider gives the desired state, to be read and changed.",
		"GetForProvider() any", "return &mg.Spec.ForProvider")
	method("GetAtProvider gives the observed state, to be read and changed.",
		"GetAtProvider() any", "return &mg.Status.AtProvider")
	method("GetSync gives what the provider remembers of its own writes, to be read and changed.",
		"GetSync() *apisv1alpha1.SyncStatus", "return &mg.Status.Sync")
	method(fmt.Sprintf("GetOwnership of this %s: Own or Observed, empty where nothing says so yet.", k.Name),
		"GetOwnership() string", "return string(mg.Status.Ownership)")
	method(fmt.Sprintf("SetOwnership of this %s.", k.Name), "SetOwnership(o string)", "mg.Status.Ownership = apisv1alpha1.Ownership(o)")
	if Adopts(k) {
		method(fmt.Sprintf("GetAdoptionPolicy of this %s.", k.Name),
			"GetAdoptionPolicy() apisv1alpha1.AdoptionPolicy", "return mg.Spec.AdoptionPolicy")
	} else {
		method(fmt.Sprintf("GetAdoptionPolicy gives none: no name tells one %s from another.", people(k)),
			"GetAdoptionPolicy() apisv1alpha1.AdoptionPolicy", `return ""`)
	}
	if k.Rolls() {
		method(fmt.Sprintf("GetSecretPolicy of this %s.", k.Name),
			"GetSecretPolicy() apisv1alpha1.SecretPolicy", "return mg.Spec.SecretPolicy")
	} else {
		method(fmt.Sprintf("GetSecretPolicy gives Keep: no secret of %s can be made again.", kind.WithArticle(people(k))),
			"GetSecretPolicy() apisv1alpha1.SecretPolicy", "return apisv1alpha1.KeepSecret")
	}
	if len(k.Options) > 0 {
		method("GetOptions gives the fields of the spec that Cloudflare does not have.", "GetOptions() map[string]string", optionsBody(k))
	}
	method("GetWriteConnectionSecretToReference gives none, whatever the spec says: the provider writes connection secrets itself, of the type that each kind needs.",
		"GetWriteConnectionSecretToReference() *xpv2.LocalSecretReference", "return nil")
	if len(k.Details) == 0 {
		method(fmt.Sprintf("GetConnectionSecretName gives none: %s has no connection details.", kind.WithArticle(k.Name)),
			"GetConnectionSecretName() string", `return ""`)
		return
	}
	b.WriteString("\n")
	comment(b, "GetConnectionSecretName is the name of the connection secret, empty for none.")
	fmt.Fprintf(b, "func (mg *%s) GetConnectionSecretName() string {\n\tif ref := mg.Spec.WriteConnectionSecretToReference; ref != nil {\n\t\treturn ref.Name\n\t}\n\treturn \"\"\n}\n", k.Name)
}
