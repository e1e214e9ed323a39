// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package simulator

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"regexp"
	"slices"

	"github.com/provider-cloudflare/provider-cloudflare/test/simulator/apidoc"
)

// uploadScript handles PUT: it creates or replaces a script. Values that the form leaves out
// return to their defaults, except the bindings that it asks to keep.
func (c *resourceCall) uploadScript() (reply, *Error) {
	if !regexp.MustCompile(`^[a-z0-9_][a-z0-9-_]*$`).MatchString(c.id) {
		return reply{}, invalid(CodeScriptInvalid, "The name of a Worker has lower case letters, digits, hyphens and underscores.")
	}
	metadata, files, err := c.scriptForm("metadata")
	if err != nil {
		return reply{}, err
	}
	if err := checkFiles(metadata, files); err != nil {
		return reply{}, err
	}
	doc, _ := c.op.Body.Members(nil)["metadata"].Fill(metadata).(map[string]any)
	before := c.shelf.items[c.id]
	if err := c.bind(before, doc, metadata["keep_bindings"]); err != nil {
		return reply{}, err
	}
	doc["etag"], doc["has_modules"] = etagOf(files), doc["main_module"] != nil
	for _, name := range []string{"keep_bindings", "keep_assets", "main_module", "body_part", "migrations", "exports"} {
		delete(doc, name)
	}
	stampScript(doc, c.id, before, handlersIn(files), c.now)
	shown := c.shown(c.s.put(c.shelf, c.id, doc))
	shown["startup_time_ms"] = 5
	return reply{result: shown}, nil
}

// patchScriptSettings handles the PATCH of the settings. A member of the part replaces the
// former one.
func (c *resourceCall) patchScriptSettings() (reply, *Error) {
	r, err := c.find()
	if err != nil {
		return reply{}, err
	}
	settings, _, err := c.scriptForm("settings")
	if err != nil {
		return reply{}, err
	}
	doc := copyOf(r.doc)
	maps.Copy(doc, settings)
	if _, given := settings["bindings"]; given {
		if err := c.bind(r, doc, nil); err != nil {
			return reply{}, err
		}
	}
	doc["modified_on"] = timestamp(c.now)
	r.set(doc, c.now)
	return c.scriptSettings()
}

// scriptForm decodes a form: the JSON part, which it checks against the document, and the
// files. An edit of the dashboard has only the JSON part as its body.
func (c *resourceCall) scriptForm(part string) (map[string]any, []formPart, *Error) {
	var object map[string]any
	var files []formPart
	if c.r.Header.Get("Content-Type") == "" {
		decoded, err := decodeObject(c.body)
		if err != nil {
			return nil, nil, err
		}
		object = decoded
	} else {
		parts, err := c.form()
		if err != nil {
			return nil, nil, err
		}
		for _, p := range parts {
			if p.name != part {
				files = append(files, p)
				continue
			}
			if object, err = decodeObject(p.content); err != nil {
				return nil, nil, err
			}
		}
	}
	schema := c.op.Body.Members(nil)[part]
	if object == nil || schema.Check(object) != nil {
		return nil, nil, invalid(CodeScriptInvalid, "The part %s is invalid: %s.", part, schema.Check(object))
	}
	stripped, _ := schema.Strip(object).(map[string]any)
	return stripped, files, c.entitled(stripped)
}

// checkFiles refuses an upload without the main file, and one that is too large. The name of a
// file is its file name, or that of its part if it has none.
func checkFiles(metadata map[string]any, files []formPart) *Error {
	main, _ := metadata["main_module"].(string)
	body, _ := metadata["body_part"].(string)
	if (main == "") == (body == "") {
		return invalid(CodeScriptInvalid, "The metadata must have either main_module or body_part.")
	}
	size := 0
	for _, f := range files {
		size += len(f.content)
	}
	if size > largestScript {
		return invalid(CodeScriptTooLarge, "Your Worker exceeded the size limit of 10 MiB.")
	}
	runs := slices.IndexFunc(files, func(f formPart) bool { return cmp.Or(f.fileName, f.name) == cmp.Or(main, body) })
	if runs < 0 {
		return invalid(CodeScriptInvalid, "Uncaught Error: No such module %q.", cmp.Or(main, body))
	}
	if module := files[runs].mediaType; main != "" && !regexp.MustCompile(`\+module$|^text/x-python$`).MatchString(module) {
		return invalid(CodeScriptInvalid, "The main module has the type %s, which is that of no module.", module)
	}
	return nil
}

// handlersIn returns the handlers of the code. It finds them by their names in the text.
func handlersIn(files []formPart) []any {
	found := []any{}
	for _, name := range []string{"email", "fetch", "queue", "scheduled", "tail"} {
		written := regexp.MustCompile(`\b` + name + `\b\s*[(:]`)
		if slices.ContainsFunc(files, func(f formPart) bool { return written.Match(f.content) }) {
			found = append(found, name)
		}
	}
	return found
}

// etagOf returns a hash of the files.
func etagOf(files []formPart) string {
	files = slices.SortedFunc(slices.Values(files), func(a, b formPart) int { return cmp.Compare(a.fileName, b.fileName) })
	sum := sha256.New()
	for _, f := range files {
		fmt.Fprintf(sum, "%q %q %d ", cmp.Or(f.fileName, f.name), f.mediaType, len(f.content))
		sum.Write(f.content)
	}
	return hex.EncodeToString(sum.Sum(nil))
}

// bind sets the bindings of a script. It resolves inherited bindings, adds the bindings to
// keep, and checks that the targets exist. A binding that is neither sent nor kept goes, also a
// secret that was set alone: keep_bindings lists what an upload keeps, says the document, and a
// list of a PATCH is the whole list (cloudflare/workers-sdk, pull request 4179).
func (c *resourceCall) bind(before *resource, doc map[string]any, keep any) *Error {
	var had []map[string]any
	alone := c.s.known(c.shelf.path + "/" + c.id + "/secrets")
	if before != nil {
		had = bindingsOf(before.doc)
		for _, r := range alone.sorted() {
			had = append(had, r.doc)
		}
	}
	named := map[string]bool{}
	bound := []any{}
	for i, b := range bindingsOf(doc) {
		name, _ := b["name"].(string)
		if name == "" || named[name] {
			return invalid(CodeBindingInvalid, "Binding at index %d must have a name of its own.", i)
		}
		named[name] = true
		if b["type"] == "inherit" {
			old, err := c.inherited(b, had)
			if err != nil {
				return err
			}
			if old == nil {
				continue
			}
			b = old
		}
		if err := c.checkTarget(b); err != nil {
			return err
		}
		bound = append(bound, b)
	}
	types, _ := keep.([]any)
	for _, b := range had {
		if name, _ := b["name"].(string); !named[name] && slices.Contains(types, b["type"]) {
			bound = append(bound, b)
		}
	}
	clear(alone.items) // They are bindings of the script from now on.
	doc["bindings"] = bound
	return nil
}

// inherited returns the existing binding of a script, or nil if there is none. A strict upload
// gets an error instead.
func (c *resourceCall) inherited(b map[string]any, had []map[string]any) (map[string]any, *Error) {
	old := cmp.Or(textOf(b, "old_name"), textOf(b, "name"))
	for _, h := range had {
		if h["name"] == old {
			found, _ := apidoc.Copy(h).(map[string]any)
			found["name"] = b["name"]
			return found, nil
		}
	}
	if c.r.URL.Query().Get("bindings_inherit") == "strict" {
		return nil, invalid(CodeBindingNotFound, "Binding %s not found.", old)
	}
	return nil, nil // There is none, which is allowed.
}

// checkTarget refuses a binding to a resource that does not exist. It checks only simulated
// resources.
func (c *resourceCall) checkTarget(b map[string]any) *Error {
	exists := func(below, member, value string) bool {
		for _, r := range c.beside(below).sorted() {
			if r.doc[member] == value {
				return true
			}
		}
		return false
	}
	switch b["type"] {
	case "kv_namespace":
		if id := textOf(b, "namespace_id"); !exists("/storage/kv/namespaces", "id", id) {
			return invalid(CodeBoundKVNotFound, "KV namespace '%s' not found.", id)
		}
	case "r2_bucket":
		shelf := "/r2/buckets"
		if j := textOf(b, "jurisdiction"); j != "" {
			shelf += ";jurisdiction=" + j
		}
		if name := textOf(b, "bucket_name"); !exists(shelf, "name", name) {
			return invalid(CodeBoundBucketNotFound, "R2 bucket '%s' not found.", name)
		}
	case "d1":
		if id := textOf(b, "database_id"); !exists("/d1/database", "uuid", id) {
			return invalid(CodeBoundDatabaseNotFound, "D1 database '%s' not found.", id)
		}
	case "queue":
		if name := textOf(b, "queue_name"); !exists("/queues", "queue_name", name) {
			return invalid(CodeQueueNotFound, "Queue '%s' does not exist.", name)
		}
	case "service":
		if name := textOf(b, "service"); name != c.id && !exists("/workers/scripts", "id", name) {
			return invalid(CodeBoundScriptNotFound, "Could not resolve service binding '%s': the Worker '%s' was not found.", b["name"], name)
		}
	}
	return nil
}

func bindingsOf(doc map[string]any) []map[string]any { return objects(doc["bindings"]) }

func secretTypes(b map[string]any) bool {
	return b["type"] == "secret_text" || b["type"] == "secret_key"
}
