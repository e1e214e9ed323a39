// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package model

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/provider-cloudflare/provider-cloudflare/hack/kindgen/document"
	"github.com/provider-cloudflare/provider-cloudflare/internal/kind"
)

// paths are all fields of the request bodies, including those that the spec does not offer.
type paths map[string]*Node

// problems returns an error for each path of a description that does not exist, and for each required field
// that is hidden.
func (p paths) problems(k *Kind) []error {
	var out []error
	for _, path := range sortedKeys(k.Fields) {
		if p[path] == nil && !k.has(path) && !p.within(path) {
			out = append(out, fmt.Errorf("%s is in Fields and in no body, answer or path", path))
		}
	}
	for _, path := range k.Hide {
		n := p[path]
		switch {
		case n == nil:
			out = append(out, fmt.Errorf("%s is in Hide, and in no body", path))
		case n.Required && !n.ReadOnly && k.Spec.At(parentOf(path)) != nil && !k.Fields[path].Optional:
			out = append(out, fmt.Errorf("%s is in Hide, and the document requires it", path))
		}
	}
	return out
}

// within reports whether a path leads into a value of any type.
func (p paths) within(path string) bool {
	for at := parentOf(path); at != ""; at = parentOf(at) {
		if n := p[at]; n != nil {
			return n.Type == Any
		}
	}
	return false
}

func (k *Kind) has(path string) bool {
	return k.Answer.At(path) != nil || k.Param(path) != nil
}

// Param returns the field of a path parameter or header, or nil.
func (k *Kind) Param(name string) *Node {
	i := slices.IndexFunc(k.Params, func(n *Node) bool { return n.Name == name })
	if i < 0 {
		return nil
	}
	return k.Params[i]
}

// faults returns the errors in the model of a kind.
func (k *Kind) faults(d *document.Document, ops operationSet) []error {
	var out []error
	for _, n := range append(slices.Clone(k.Params), k.Spec) {
		n.Walk(func(m *Node) { out = append(out, faultsOf(m)...) })
	}
	for _, path := range k.named() {
		if k.Answer.At(path) == nil && k.Spec.At(path) == nil && k.Param(path) == nil {
			out = append(out, fmt.Errorf("%s is in no answer and no body", path))
		}
	}
	if gone := k.SoftDeleted; gone != "" && k.Answer.At(gone) == nil && k.removed.At(gone) == nil {
		out = append(out, fmt.Errorf("%s is in no answer", gone))
	}
	out = append(out, k.observedFaults()...)
	if (len(k.BeforeDelete) > 0) != (len(k.FreedBy) > 0) {
		out = append(out, errFreedBy)
	}
	if len(k.Apart) > 0 && len(k.ReadLacks)+len(k.WriteLacks) > 0 {
		out = append(out, errApart)
	}
	out = append(out, k.goneFaults()...)
	out = append(out, k.mergeFaults(d, ops)...)
	out = append(out, k.detailFaults()...)
	out = append(out, k.variantFaults()...)
	out = append(out, k.uploadFaults(d, ops)...)
	out = append(out, k.headerFaults(ops)...)
	return append(out, k.permissionFaults(ops)...)
}

// errFreedBy reports an operation that no answer requires, or an answer that leads to no operation.
var errFreedBy = errors.New("BeforeDelete and FreedBy say nothing without each other")

// errApart reports two ways to complete an answer, of which only one would be used.
var errApart = errors.New("the field Apart does not go together with ReadLacks and WriteLacks")

// errGone reports a resource whose absence no answer could prove.
var errGone = errors.New("the field Gone is empty: say which answers prove that the resource does not exist")

func (k *Kind) goneFaults() []error {
	if k.Shape == kind.Collection && k.Read != "" && len(k.Gone) == 0 && k.SoftDeleted == "" {
		return []error{errGone}
	}
	return nil
}

// mergeFaults returns an error for each field that only Cloudflare writes and an update would send back.
func (k *Kind) mergeFaults(d *document.Document, ops operationSet) []error {
	body := k.body(d, ops.update)
	if k.Mode != kind.Merge || body == nil {
		return nil
	}
	var out []error
	body.place("")
	body.visit(func(n *Node) {
		if n.ReadOnly && k.Answer.At(n.Path) != nil && !slices.Contains(k.ReadOnly, n.Path) {
			out = append(out, fmt.Errorf("%s is read-only in the document, and an update sends it back: name it in ReadOnly", n.Path))
		}
	})
	return out
}

// headerFaults returns an error for each header whose default differs from the description's. With a wrong
// default, two objects could have one resource, one with the header and one without.
func (k *Kind) headerFaults(ops operationSet) []error {
	var out []error
	for _, header := range slices.Sorted(maps.Keys(k.Headers)) {
		if ops.read == nil {
			continue
		}
		want, _ := ops.read.Parameter("header", header)["default"].(string)
		if got := k.HeaderDefaults[header]; got != want {
			out = append(out, fmt.Errorf("the document's default of the header %s is %q, and HeaderDefaults has %q", header, want, got))
		}
	}
	return out
}

// observedFaults returns the errors in the fields of the status and the columns.
func (k *Kind) observedFaults() []error {
	var out []error
	for _, path := range k.Observe {
		switch n := k.Answer.At(path); {
		case n == nil:
			out = append(out, fmt.Errorf("%s is in Observe, and in no answer", path))
		case n.Sensitive && n.Field.NotSecret == "":
			out = append(out, fmt.Errorf("%s is in Observe, and the document marks it as sensitive", path))
		}
	}
	for _, column := range k.Columns {
		title, path, ok := strings.Cut(column, "=")
		if !ok || title == "" || k.Observed.At(kind.General(path)) == nil {
			out = append(out, fmt.Errorf("the column %s shows nothing of Observe", column))
		}
	}
	return out
}

// detailFaults returns the errors in the connection secret. A value that is shown only once needs a remedy
// for its loss.
func (k *Kind) detailFaults() []error {
	var out []error
	for _, d := range k.Details {
		switch {
		case d.Once && !k.Rolls() && d.Remedy == "":
			out = append(out, fmt.Errorf("the detail %s is shown once, and no Roll or Issue makes another: say Remedy", d.Key))
		case d.Remedy != "" && (!d.Once || k.Rolls()):
			out = append(out, fmt.Errorf("the detail %s can be read or made again: Remedy says nothing", d.Key))
		case d.Public && (d.Once || d.From != ""):
			out = append(out, fmt.Errorf("the detail %s is shown once, or by a call of its own: that is a secret, and not Public", d.Key))
		}
		for path := range d.Where {
			if k.Answer.At(path) == nil {
				out = append(out, fmt.Errorf("%s is in Where of the detail %s, and in no answer", path, d.Key))
			}
		}
	}
	return out
}

// named returns the paths in the engine's fields.
func (k *Kind) named() []string {
	out := slices.Concat(k.ReadOnly, k.ReadLacks, k.WriteLacks)
	for _, path := range k.Natural {
		out = append(out, kind.General(path))
	}
	more := append([]string{k.ID, k.Contents, k.Revision}, k.ListOmits...)
	more = slices.AppendSeq(more, maps.Keys(k.Apart))
	if k.Refresh != nil {
		more = append(more, k.Refresh.Expires, k.Refresh.Duration)
	}
	for _, path := range more {
		if path != "" {
			out = append(out, path)
		}
	}
	for _, s := range k.Status {
		out = append(out, s.Path)
	}
	for _, f := range k.Fields {
		if f.By != "" {
			out = append(out, f.By)
		}
	}
	for _, d := range k.Details {
		if d.Path != "" {
			out = append(out, d.Path)
		}
	}
	if k.Choice != nil {
		out = append(out, k.Choice.Members...)
	}
	return out
}

// A check is a possible error in a field, with its text.
type check struct {
	wrong bool
	text  string
}

// faultsOf returns the errors in one field.
func faultsOf(n *Node) []error {
	var out []error
	for _, one := range slices.Concat(typeChecks(n), setChecks(n), textChecks(n)) {
		if one.wrong {
			out = append(out, fmt.Errorf("%s %s", n.Path, one.text))
		}
	}
	return out
}

// typeChecks are about the values of a field.
func typeChecks(n *Node) []check {
	f := n.Field
	var types []string
	for _, v := range n.Variants {
		types = append(types, string(v.Type))
	}
	return []check{
		{n.Type == Undecided, "may be " + strings.Join(types, ", ") + ": choose one with Variant"},
		{n.Type != Undecided && n.Secret() && n.Type != String, "is secret and no text: say why it is none with NotSecret, or hide it"},
		{f.NotSecret != "" && !n.Sensitive, "is not marked as sensitive: NotSecret says nothing"},
		{len(f.PlainToo) > 0 && (!n.Sensitive || n.Type != String), "is no text that is a secret: PlainToo says nothing"},
		{f.Entitled && f.Default == nil, "has no Default: Entitled says nothing"},
	}
}

// setChecks are about the elements of a list.
func setChecks(n *Node) []check {
	f := n.Field
	return []check{
		{n.Set && !f.Set, "is a set by the document: say Set"},
		{n.Set && n.Type != List && n.Type != Any, "is no list: Set says nothing"},
		{f.Ordinal && (n.Type != Integer && n.Type != Number || !strings.Contains(n.Path, "[].")), "is no number of a list's element: Ordinal says nothing"},
		{f.Others != nil && (!n.Set || f.Key == ""), "is no set with a key: Others says nothing"},
		{f.Key != "" && n.Type == List && n.Elem.Member(f.Key) == nil, "has elements without the member that Key names"},
	}
}

// textChecks are about the texts for readers.
func textChecks(n *Node) []check {
	return []check{
		{n.Name != "" && Clean(n.Doc) == "", "has no text: say Doc"},
		{n.Field.Because == "" && overrules(n.Field), "overrules the document: say Because"},
	}
}

// overrules reports whether a field contradicts the document.
func overrules(f kind.Field) bool {
	return f.Variant != "" || f.Optional || f.NotSecret != "" || f.Pattern != ""
}

// permissionFaults compares the permissions with those of the operations that write.
func (k *Kind) permissionFaults(ops operationSet) []error {
	var want []string
	for _, op := range []*document.Operation{ops.create, ops.update, ops.remove} {
		if op != nil {
			want = append(want, op.Permissions...)
		}
	}
	slices.Sort(want)
	want = slices.Compact(want)
	got := slices.Sorted(slices.Values(k.Permissions))
	var out []error
	if len(want) > 0 && !slices.Equal(got, want) {
		out = append(out, fmt.Errorf("the field Permissions is %q, in the document it is %q", got, want))
	}
	if len(k.Permissions) == 0 {
		out = append(out, errors.New("the field Permissions is empty"))
	}
	return append(out, k.planFault(ops)...)
}

// planFault compares the plan with the document: the text begins with All plans exactly if the plan Free is included.
func (k *Kind) planFault(ops operationSet) []error {
	if k.Plan == "" {
		return []error{errors.New("the field Plan is empty")}
	}
	op := ops.update
	if ops.create != nil {
		op = ops.create
	}
	if op == nil || op.Plans == nil || planErrs(k.Name) != "" {
		return nil
	}
	if everyone := strings.HasPrefix(k.Plan, "All plans"); everyone != op.Plans["free"] {
		return []error{fmt.Errorf("the field Plan is %q, but in the document the plan Free has it: %t", k.Plan, op.Plans["free"])}
	}
	return nil
}

// planErrs returns why the document's plans of a kind are wrong, or "" if they are not.
func planErrs(name string) string {
	if name == "ZoneSetting" {
		return "the plans are those of one setting: the others have plans of their own"
	}
	return ""
}

// Refs returns the kinds that fields refer to, as group.Name.
func (k *Kind) Refs() []string {
	var out []string
	for _, n := range append(slices.Clone(k.Params), k.Spec) {
		n.visit(func(m *Node) {
			if ref := Ref(k.Description, m); ref != "" {
				out = append(out, ref)
			}
		})
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// Ref returns the kind that a field refers to, as group.Name, or "".
func Ref(d kind.Description, n *Node) string {
	if n.Field.Ref == "" || strings.Contains(n.Field.Ref, ".") {
		return n.Field.Ref
	}
	return d.Group + "." + n.Field.Ref
}

func parentOf(path string) string {
	i := strings.LastIndex(path, ".")
	if i < 0 {
		return ""
	}
	return path[:i]
}

func sortedKeys(m map[string]kind.Field) []string {
	var out []string
	for k := range m {
		out = append(out, k)
	}
	slices.Sort(out)
	return out
}
