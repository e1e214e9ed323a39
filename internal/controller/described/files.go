// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package described

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	cfv1alpha1 "github.com/provider-cloudflare/provider-cloudflare/apis/v1alpha1"
	"github.com/provider-cloudflare/provider-cloudflare/internal/drift"
	"github.com/provider-cloudflare/provider-cloudflare/internal/kind"
)

// misfitFiles returns what is wrong with the files that the spec declares, and with the values beside those of
// Secrets.
func (a *adapter) misfitFiles() error {
	refs := kind.KeyFields(a.mg.GetForProvider())
	if err := a.Description.CheckPlain(a.want, refs, a.names); err != nil {
		return err
	}
	u := a.Description.Upload
	if u == nil {
		return nil
	}
	if err := u.CheckEntry(a.want, a.names); err != nil {
		return err
	}
	return u.CheckContent(a.want, refs, a.names)
}

// listsFiles reports whether a path is that of an upload's files, or of a part of one.
func (a *adapter) listsFiles(path string) bool {
	u := a.Description.Upload
	return u != nil && (path == u.Files || strings.HasPrefix(path, u.Files+"["))
}

// files returns what the spec says about files. No answer has it.
func (a *adapter) files() []input {
	u := a.Description.Upload
	if u == nil {
		return nil
	}
	var out []input
	list, _ := a.want[u.Files].([]any)
	for i, file := range list {
		for _, member := range []string{kind.FileContent, kind.FileType} {
			at := fmt.Sprintf("%s[%d].%s", u.Files, i, member)
			path := a.Description.Keyed(at, a.want)
			read := slices.ContainsFunc(a.inputs, func(in input) bool { return in.path == path })
			if v := kind.Text(file, member); v != "" && !read {
				out = append(out, input{path: path, at: at, name: kind.Difference{Path: path}.Name(a.names), value: v, plain: true})
			}
		}
	}
	return out
}

// rememberFiles records what Cloudflare shows of the files that were sent.
func (a *adapter) rememberFiles(l Live) {
	if digest, ok := a.digest(l); ok {
		a.salted()
		a.sync.Secrets = append(a.sync.Secrets, cfv1alpha1.FieldHash{Path: digest.path, Hash: saltedHash(a.sync.Salt, digest)})
	}
}

// digest returns the value in an answer that changes with the files.
func (a *adapter) digest(l Live) (input, bool) {
	u := a.Description.Upload
	if u == nil {
		return input{}, false
	}
	v := kind.Text(l.doc, u.Digest)
	return input{path: u.Digest, value: v}, v != ""
}

// fileDifferences reports whether another client changed the files. It returns nothing if it is unknown what was
// sent, or if Cloudflare does not show what exists.
func (a *adapter) fileDifferences(l Live) drift.Differences {
	digest, ok := a.digest(l)
	if !ok || len(a.inputs) == 0 {
		return nil
	}
	for _, h := range a.sync.Secrets {
		if h.Path == digest.path && h.Hash != saltedHash(a.sync.Salt, digest) {
			return drift.Differences{{Field: a.names[a.Description.Upload.Files], Says: "Cloudflare has others than those that were sent last"}}
		}
	}
	return nil
}

// leftOver returns, by the path of a set, the keys of elements that were sent with a value of a Secret, that the spec
// does not declare any more, and that Cloudflare still has. Without the record of what was sent, they could be the
// elements of another client.
func (a *adapter) leftOver(l Live) map[string][]string {
	out := map[string][]string{}
	for path := range a.Description.Fields {
		for _, key := range a.Description.OthersAt(path, a.want, l.doc) {
			if a.sent(path + "[" + key + "]") {
				out[path] = append(out[path], key)
			}
		}
	}
	return out
}

// sent reports whether the last write had a value within an element.
func (a *adapter) sent(element string) bool {
	return slices.ContainsFunc(a.sync.Secrets, func(h cfv1alpha1.FieldHash) bool { return strings.HasPrefix(h.Path, element+".") })
}

// drop makes an update remove what is left over.
func (a *adapter) drop(body kind.Document, l Live) {
	for path, keys := range a.leftOver(l) {
		a.Description.Drop(body, a.want, l.doc, path, keys)
	}
}

// leftDifferences returns what is left over, and the files that were sent and are not declared any more.
func (a *adapter) leftDifferences(l Live) drift.Differences {
	const says = "it was sent, and is not declared any more"
	var out drift.Differences
	left := a.leftOver(l)
	for _, path := range slices.Sorted(maps.Keys(left)) {
		for _, key := range left[path] {
			out = append(out, drift.Difference{Field: fmt.Sprintf("%s[%s]", a.names[path], key), Says: says})
		}
	}
	for _, h := range a.sync.Secrets {
		declared := slices.ContainsFunc(a.inputs, func(in input) bool { return in.path == h.Path })
		if a.listsFiles(h.Path) && !declared {
			out = append(out, drift.Difference{Field: kind.Difference{Path: h.Path}.Name(a.names), Says: says})
		}
	}
	return out
}
