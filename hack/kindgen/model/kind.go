// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package model

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/provider-cloudflare/provider-cloudflare/hack/kindgen/document"
	"github.com/provider-cloudflare/provider-cloudflare/internal/kind"
)

// A Kind is a description with its fields.
type Kind struct {
	kind.Description
	// Params are the fields of path parameters and headers. Spec has the fields of the body.
	// Observed has the fields of the answer that the status shows, and Answer all of its fields.
	Params                 []*Node
	Spec, Answer, Observed *Node
	// Variants are the variants of the parameter VariantBy, in the order of their values.
	Variants []Variant
	// removed is the answer to a deletion.
	removed *Node
}

// Build returns the model of a description. Its error names each field that is wrong.
func Build(d *document.Document, desc kind.Description) (*Kind, error) {
	k := &Kind{Description: desc}
	ops, err := operations(d, desc)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", desc.Name, err)
	}
	k.Answer = k.answer(d, ops)
	known := k.spec(d, ops)
	if ops.remove != nil {
		k.removed = flatten(d, ops.remove.Result(), 0)
	}
	k.params(d, ops)
	k.Variants = k.variants(d, ops)
	problems := known.problems(k)
	k.observe()
	problems = append(problems, k.faults(d, ops)...)
	for i, p := range problems {
		problems[i] = fmt.Errorf("%s: %w", desc.Name, p)
	}
	return k, errors.Join(problems...)
}

// An operationSet has the operations that a description names.
type operationSet struct{ list, create, read, update, remove *document.Operation }

func operations(d *document.Document, desc kind.Description) (operationSet, error) {
	var set operationSet
	var problems []error
	for _, one := range []struct {
		name string
		into **document.Operation
	}{
		{desc.List, &set.list},
		{desc.Create, &set.create},
		{desc.Read, &set.read},
		{desc.Update, &set.update},
		{desc.Delete, &set.remove},
	} {
		if one.name == "" {
			continue
		}
		op, err := d.Operation(one.name)
		if err != nil {
			problems = append(problems, err)
			continue
		}
		*one.into = op
	}
	more := append(slices.Clone(desc.BeforeDelete), desc.Holders, desc.Roll, desc.OnDelete.Verb, desc.Bulk)
	if desc.Make != nil {
		more = append(more, desc.Make.Operation)
	}
	if desc.Refresh != nil {
		more = append(more, desc.Refresh.Do)
	}
	for _, apart := range desc.Apart {
		more = append(more, apart.Operation)
	}
	for _, f := range desc.Fields {
		more = append(more, f.On, f.Off, f.Alone)
	}
	if desc.Choice != nil {
		more = append(more, desc.Choice.Parents)
	}
	for _, name := range more {
		if name == "" {
			continue
		}
		if _, err := d.Operation(name); err != nil {
			problems = append(problems, err)
		}
	}
	for _, detail := range desc.Details {
		if detail.From == "" {
			continue
		}
		if _, err := d.Operation(detail.From); err != nil {
			problems = append(problems, err)
		}
	}
	return set, errors.Join(problems...)
}

// answer returns the fields of the operations' answers.
func (k *Kind) answer(d *document.Document, ops operationSet) *Node {
	var out *Node
	read := ops.read
	if read == nil && k.Bulk != "" {
		read = ops.list
	}
	for _, op := range []*document.Operation{read, ops.create, ops.update} {
		if op == nil || (k.Shape == kind.Fragment && op != read && k.Part != "") {
			continue
		}
		n := flatten(d, op.Result(), 0)
		if k.Shape == kind.Fragment && k.Part != "" {
			n = n.At(k.Part)
		}
		if n == nil || n.Type != Object {
			continue
		}
		if out == nil {
			out = n
			continue
		}
		addMembers(out, n)
	}
	if out == nil {
		out = &Node{Type: Object}
	}
	k.choose(out)
	out.place("")
	out.visit(func(n *Node) {
		n.Field = k.Fields[n.Path]
		if n.Type == Undecided {
			n.Type, n.Variants = Any, nil
		}
	})
	return out
}

// addMembers adds the members of n that out lacks.
func addMembers(out, n *Node) {
	for _, m := range n.Members {
		if out.Member(m.Name) == nil {
			out.Members = append(out.Members, m)
		}
	}
	sortMembers(out)
}

// spec sets the fields of the request bodies, and returns all paths that the bodies have.
func (k *Kind) spec(d *document.Document, ops operationSet) paths {
	create, update := k.body(d, ops.create), k.body(d, ops.update)
	n := union(create, update, false)
	if n == nil || n.Type != Object {
		n = &Node{Type: Object}
	}
	if update == nil {
		for _, m := range n.Members {
			m.Immutable = !k.inUpdateHeader(m.Name)
		}
	}
	n.OneOf = false
	k.name(d, n, ops)
	k.files(d, n, ops)
	k.choose(n)
	n.place("")
	known := paths{}
	n.visit(func(m *Node) { known[m.Path] = m })
	n.drop(func(m *Node) bool { return m.ReadOnly || m.Deprecated || slices.Contains(k.Hide, m.Path) || k.left(m) })
	n.visit(func(m *Node) { k.apply(m) })
	k.Spec = n
	return known
}

// left reports whether a node's parent may have other members only.
func (k *Kind) left(n *Node) bool {
	members := k.Fields[parentOf(n.Path)].Members
	return n.Name != "" && len(members) > 0 && !slices.Contains(members, n.Name)
}

// inUpdateHeader reports whether an update sends a field in a header.
func (k *Kind) inUpdateHeader(name string) bool {
	for _, path := range k.UpdateHeaders {
		if path == name {
			return true
		}
	}
	return false
}

func (k *Kind) body(d *document.Document, op *document.Operation) *Node {
	if op == nil {
		return nil
	}
	n := flatten(d, op.Body(), 0)
	if k.Bare != "" && n != nil {
		n.Name, n.Required = k.Bare, true
		return &Node{Type: Object, Members: []*Node{n}}
	}
	if k.Upload != nil {
		if n = n.Member(k.Upload.Metadata); n != nil {
			n.Name, n.Required = "", false // It is the body now.
		}
	}
	if k.Part == "" || n == nil {
		return n
	}
	if part := n.At(k.Part); part != nil {
		return part
	}
	return n
}

// union returns the fields of both bodies. A field that only the creation takes is immutable.
func union(create, update *Node, within bool) *Node {
	switch {
	case create == nil:
		return update
	case update == nil:
		return create
	case create.Type == Object && update.Type == Object:
		for _, m := range create.Members {
			other := update.Member(m.Name)
			if other == nil {
				m.Immutable = !within
				continue
			}
			union(m, other, within)
		}
		for _, m := range update.Members {
			if create.Member(m.Name) == nil {
				m.Required = false
				create.Members = append(create.Members, m)
			}
		}
		sortMembers(create)
	case create.Elem != nil && update.Elem != nil:
		create.Elem = union(create.Elem, update.Elem, true)
	}
	create.Set = create.Set || update.Set
	return create
}

// observe keeps the fields of the answer that the status shows. Their text comes from the
// description or, if it has none, from the document or the field of the spec.
func (k *Kind) observe() {
	keep := map[string]bool{}
	for _, path := range k.Observe {
		keep[path] = true
	}
	k.Observed = prune(k.Answer, keep, false)
	k.Observed.Walk(func(n *Node) {
		declared := k.Spec.At(n.Path)
		switch doc := k.Fields[n.Path].Doc; {
		case n.Path == "":
		case doc != "" && (declared == nil || n.Doc == "" || slices.Equal(n.Enum, declared.Enum)): // Else it has values that no spec has.
			n.Doc = doc
		case n.Doc == "" && declared != nil:
			n.Doc = declared.Doc
		}
	})
}

// prune copies n with the members that are kept, and those that lead to one.
func prune(n *Node, keep map[string]bool, within bool) *Node {
	out := *n
	out.Members = nil
	for _, m := range n.Members {
		named := keep[m.Path]
		switch {
		case within && (m.Deprecated || m.Sensitive):
		case within || named || leads(m.Path, keep):
			out.Members = append(out.Members, prune(m, keep, within || named))
		}
	}
	if n.Elem != nil {
		out.Elem = prune(n.Elem, keep, within)
	}
	return &out
}

func leads(path string, keep map[string]bool) bool {
	for one := range keep {
		if rest, ok := strings.CutPrefix(one, path); ok && (strings.HasPrefix(rest, ".") || strings.HasPrefix(rest, "[") || strings.HasPrefix(rest, "{")) {
			return true
		}
	}
	return false
}
