// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package kind

import (
	"fmt"
	"slices"
	"strings"
)

// An Upload says how a body with files is sent: as multipart/form-data, with a part for each
// file. No answer has the files.
type Upload struct {
	// Metadata is the part that holds the rest of the body, as JSON. Paths of fields begin in it.
	Metadata string
	// Files is the member that lists the files. In the spec it is a set whose elements have a
	// name, a type and a content. Fields has its name in the spec and its text.
	Files string
	// Types are the media types of files, by their names in the spec.
	Types map[string]string
	// Entries are the fields that name a file. A spec must have exactly one of them.
	Entries []string
	// Digest is the path of a value in an answer that changes when the files change.
	Digest string
}

// The members of a file. FileName is the key of the set.
const (
	FileName    = "name"
	FileType    = "type"
	FileContent = "content"
)

// A File is a file of a body.
type File struct {
	Name, MediaType, Content string
}

// Split returns the files of a body, and the rest of the body as the metadata.
func (u Upload) Split(body Document) (metadata Document, files []File) {
	metadata, _ = clone(body).(Document)
	delete(metadata, u.Files)
	for _, e := range values(body[u.Files]) {
		files = append(files, File{Name: Text(e, FileName), MediaType: u.Types[Text(e, FileType)], Content: Text(e, FileContent)})
	}
	return metadata, files
}

// CheckEntry returns an error about the fields that name a file. names are the field names of the spec.
func (u Upload) CheckEntry(want Document, names map[string]string) error {
	var files, fields []string
	for _, e := range values(want[u.Files]) {
		files = append(files, Text(e, FileName))
	}
	set := 0
	for _, path := range u.Entries {
		field := "spec.forProvider." + names[path]
		fields = append(fields, field)
		entry := Text(want, path)
		if entry == "" {
			continue
		}
		set++
		if !slices.Contains(files, entry) {
			return fmt.Errorf("%s is %q, which is the name of none of spec.forProvider.%s: set it to one of %s", field, entry, names[u.Files], strings.Join(files, ", "))
		}
	}
	if set != 1 {
		return fmt.Errorf("exactly one of %s is needed: it names the file that runs", strings.Join(fields, " and "))
	}
	return nil
}

// CheckContent returns an error for a file that has no content, or more than one. refs are the references of the spec.
func (u Upload) CheckContent(want Document, refs []KeyField, names map[string]string) error {
	for i, e := range values(want[u.Files]) {
		at := fmt.Sprintf("%s[%d].%s", u.Files, i, FileContent)
		from := 0
		if Text(e, FileContent) != "" {
			from++
		}
		for _, r := range refs {
			if r.Path == at {
				from++
			}
		}
		if from != 1 {
			return fmt.Errorf("spec.forProvider.%s[%s] needs exactly one of content, configMapKeyRef and secretKeyRef", names[u.Files], Text(e, FileName))
		}
	}
	return nil
}
