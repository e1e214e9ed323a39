// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// A mutant is a deliberate fault in the engine. In file, old occurs once, and new replaces it.
type mutant struct {
	name, file, old, new string
}

// mutants returns faults that would break a promise for many kinds. The name of each says what it does
// wrong.
func mutants() []mutant {
	return []mutant{
		{"takes what another object manages", "internal/external/locate.go", "err := c.deps.Claims.Hold(ctx, mg, id)", "err := error(nil)"},
		{"takes a creation without an answer for one that was refused", "internal/external/create.go", "\t\tc.deps.Journal.Unanswered(entry)", "\t\tc.deps.Journal.Void(entry)\n\t\tmeta.RemoveAnnotations(mg, c.kind.Notes.creation()...)"},
		{"writes no creation down", "internal/external/create.go", "if err := c.deps.Journal.Begin(ctx, entry); err != nil {", "if err := error(nil); err != nil {"},
		{"takes each failed read for an absence", "internal/external/locate.go", "return decision.Answer{Result: decision.Failed, Err: err}", "return decision.Answer{Result: decision.Absent}"},
		{"adopts nothing that it finds by its key", "internal/external/decision/choose.go", "case !l.Alike:", "case l.Alike || !l.Alike:"},
		{"deletes under the policy Orphan", "apis/v1alpha1/policies.go", "if dp != xpv2.DeletionOrphan {", "if dp != xpv2.DeletionOrphan || len(mp) > 0 {"},
		{"undoes no drift", "internal/external/decision/decide.go", "case l.Differs && o.Updates:", "case l.Differs && o.Updates && o.Deleting:"},
		{"writes for who only observes", "internal/external/policy/policy.go", "return slices.Contains(p, a) || slices.Contains(p, xpv2.ManagementActionAll)", "return len(p) > 0 && a != \"\""},
		{"keeps the finalizer", "internal/reconciler/finalizer.go", "return f.Finalizer.RemoveFinalizer(ctx, obj)", "return nil"},
		{"takes every difference for an echo", "internal/kind/difference.go", "found := false", "found := true"},
		{"takes no difference for an echo", "internal/kind/difference.go", "found = found || k == echo", "found = found && k == echo"},
		{"compares sets in order", "internal/kind/compare.go", "if !f.Set {\n\t\treturn inOrder(d, general, f, want, live).elements()", "if f.Set || !f.Set {\n\t\treturn inOrder(d, general, f, want, live).elements()"},
		{"sends what only Cloudflare writes", "internal/kind/body.go", "for _, path := range d.ReadOnly {\n\t\tWithout(body, path)", "for _, path := range d.ReadOnly {\n\t\tWithout(Document{}, path)"},
		{"takes what an answer leaves out for another value", "internal/kind/compare.go", "if f.KeepZero {\n\t\treturn v == nil", "if f.KeepZero || !f.KeepZero {\n\t\treturn v == nil"},
		{"believes one answer that a resource is gone", "internal/parent/snapshot.go", "case known, shown, v.began.Logical == 0:\n\t\treturn true, now", "case known, shown, v.began.Logical == 0:\n\t\treturn false, now"},
		{"believes a document that is older than its last write", "internal/controller/described/known.go", "case versioned && b.versioned && v < b.version:", "case versioned && b.versioned && v < 0:"},
		{"has each credential write to a document by itself", "internal/controller/described/document.go", "key := to.document.path", "key := to.credential + to.document.path"},
		{"sends back what an older copy shows", "internal/controller/described/write.go", "return a.newer(read, l, began)", "return a.newer(read, read, began)"},
		{"shows secrets in errors", "internal/kind/kindapi/upload.go", "req.Secrets = secrets", "req.Secrets = secrets[:0]"},
	}
}

// named reports whether the name of the mutant contains one of these words, or there are no words.
func (m mutant) named(words []string) bool {
	return len(words) == 0 || slices.ContainsFunc(words, func(w string) bool { return strings.Contains(m.name, w) })
}

// changed returns the file with the fault.
func (m mutant) changed(root string) ([]byte, error) {
	raw, err := os.ReadFile(filepath.Join(root, m.file))
	if err != nil {
		return nil, err
	}
	if n := strings.Count(string(raw), m.old); n != 1 {
		return nil, fmt.Errorf("%s has %d places like %q, want one: write the mutant %q anew", m.file, n, m.old, m.name)
	}
	return []byte(strings.Replace(string(raw), m.old, m.new, 1)), nil
}

// overlay writes the file for go test -overlay into dir, and returns its path.
func (m mutant) overlay(root, dir string) (string, error) {
	changed, err := m.changed(root)
	if err != nil {
		return "", err
	}
	file, list := filepath.Join(dir, "mutant.go"), filepath.Join(dir, "overlay.json")
	if err := os.WriteFile(file, changed, 0o600); err != nil {
		return "", err
	}
	raw, err := json.Marshal(map[string]map[string]string{"Replace": {filepath.Join(root, m.file): file}})
	if err != nil {
		return "", err
	}
	return list, os.WriteFile(list, raw, 0o600)
}
