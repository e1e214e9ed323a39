// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

// Command extract writes the part of the official OpenAPI document that package apidoc
// embeds. It reads the document with the corrections of package openapi.
package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"

	"github.com/provider-cloudflare/provider-cloudflare/test/simulator/apidoc"
	"github.com/provider-cloudflare/provider-cloudflare/test/simulator/openapi"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: extract FILE")
		os.Exit(2)
	}
	if err := run(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, "extract:", err)
		os.Exit(1)
	}
}

func run(file string) error {
	doc, err := openapi.Corrected()
	if err != nil {
		return fmt.Errorf("cannot read the document: %w", err)
	}
	cut, err := cut(doc, apidoc.Paths())
	if err != nil {
		return fmt.Errorf("cannot cut the document: %w", err)
	}
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", " ")
	if err := enc.Encode(cut); err != nil {
		return fmt.Errorf("cannot encode the extract: %w", err)
	}
	if err := os.WriteFile(filepath.Clean(file), out.Bytes(), 0o600); err != nil {
		return fmt.Errorf("cannot write the extract: %w", err)
	}
	return nil
}
