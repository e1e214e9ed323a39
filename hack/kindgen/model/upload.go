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

// maxFiles bounds the number of files of an object, and longestFile the length of a
// file's name.
const (
	maxFiles    = 256
	longestFile = 253
)

// name adds the identity of a resource that the user names.
func (k *Kind) name(d *document.Document, n *Node, ops operationSet) {
	if !k.Named() {
		return
	}
	id := &Node{Type: String}
	if p := flatten(d, ops.create.Parameter("path", k.IDParameter()), 0); p != nil {
		id = p
	}
	id.Name, id.Origin, id.Required, id.Immutable = k.IDPath(), Name, true, true
	id.ReadOnly = false
	n.Members = append(n.Members, id)
	sortMembers(n)
}

// files adds the list of an upload's files.
func (k *Kind) files(d *document.Document, n *Node, ops operationSet) {
	if k.Upload == nil {
		return
	}
	doc := ""
	if form := flatten(d, ops.create.Body(), 0); form.Member(k.Upload.Files) != nil {
		doc = form.Member(k.Upload.Files).Doc
	}
	n.Members = append(n.Members, &Node{
		Name: k.Upload.Files, Type: List, Doc: doc, Set: true, MaxItems: maxFiles, Elem: &Node{Type: Object, Members: []*Node{
			{Name: kind.FileContent, Type: String, Content: true, Doc: "The content of the file."},
			{Name: kind.FileName, Type: String, Required: true, MinLen: 1, MaxLen: longestFile, Doc: "The name of the file, by which other files import it."},
			{Name: kind.FileType, Type: String, Required: true, Enum: slices.Sorted(maps.Keys(k.Upload.Types)), Doc: "What the file is."},
		}},
	})
	sortMembers(n)
}

// uploadFaults returns the errors in the form in which a body is sent.
func (k *Kind) uploadFaults(d *document.Document, ops operationSet) []error {
	if k.Named() && k.Fields[k.IDPath()].Name == "" {
		return []error{fmt.Errorf("the user names the resource: say the Name of %s in Fields", k.IDPath())}
	}
	if k.Upload == nil {
		return nil
	}
	form := flatten(d, ops.create.Body(), 0)
	files := form.Member(k.Upload.Files)
	if files == nil || form.Member(k.Upload.Metadata) == nil {
		return []error{fmt.Errorf("the body of %s has no part %s, or no %s", k.Create, k.Upload.Metadata, k.Upload.Files)}
	}
	var out []error
	for name, media := range k.Upload.Types {
		if !strings.Contains(files.Doc, media) {
			out = append(out, fmt.Errorf("the document has no files of the type %s, for %s in Upload", media, name))
		}
	}
	for _, path := range k.Upload.Entries {
		if k.Spec.At(path) == nil {
			out = append(out, fmt.Errorf("%s is in Entries of Upload, and in no body", path))
		}
	}
	if k.Answer.At(k.Upload.Digest) == nil {
		out = append(out, fmt.Errorf("%s is the Digest of Upload, and in no answer", k.Upload.Digest))
	}
	if !k.Fields[k.Upload.Files].WriteOnly {
		out = append(out, errors.New("no answer has the files of Upload: say WriteOnly"))
	}
	return out
}
