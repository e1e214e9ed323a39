// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

// Package officialdoc reads Cloudflare's OpenAPI document from the module cache.
// Cloudflare's Go SDK has the document in its mock server script.
package officialdoc

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
)

// sdkModule is the module whose mock server script has the document.
const sdkModule = "github.com/cloudflare/cloudflare-go/v7"

// Read returns the official document of the SDK version in go.mod, as JSON. This repository
// has no copy of it.
func Read(ctx context.Context) ([]byte, error) {
	dir, err := moduleDir(ctx, sdkModule)
	if err != nil {
		return nil, fmt.Errorf("cannot find the module %s: %w", sdkModule, err)
	}
	return FromModule(dir)
}

// FromModule returns the document of the SDK in a directory, as JSON.
func FromModule(dir string) ([]byte, error) {
	script, err := os.ReadFile(filepath.Join(dir, "scripts", "mock"))
	if err != nil {
		return nil, fmt.Errorf("cannot read the mock server script: %w", err)
	}
	return unpack(script)
}

// moduleDir returns the directory of a module. It asks the go command, which knows the
// selected version and replacements, and downloads a module that is not in the module
// cache.
func moduleDir(ctx context.Context, module string) (string, error) {
	//nolint:gosec // The module is a constant of this package.
	cmd := exec.CommandContext(ctx, "go", "mod", "download", "-json", module)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	var is struct{ Dir, Error string }
	if jsonErr := json.Unmarshal(out, &is); jsonErr == nil && is.Error != "" {
		return "", errors.New(is.Error)
	}
	if err != nil {
		return "", fmt.Errorf("go mod download: %w: %s", err, bytes.TrimSpace(stderr.Bytes()))
	}
	if is.Dir == "" {
		return "", errors.New("go mod download names no folder")
	}
	return is.Dir, nil
}

// unpack returns the document in the script: a shell variable with base64 of gzip of JSON.
func unpack(script []byte) ([]byte, error) {
	const open = `EMBEDDED_SPEC="`
	_, rest, ok := bytes.Cut(script, []byte(open))
	if !ok {
		return nil, fmt.Errorf("cannot find %s in the mock server script", open)
	}
	blob, _, ok := bytes.Cut(rest, []byte(`"`))
	if !ok {
		return nil, errors.New("cannot find the end of the document in the mock server script")
	}
	zr, err := gzip.NewReader(base64.NewDecoder(base64.StdEncoding, bytes.NewReader(blob)))
	if err != nil {
		return nil, fmt.Errorf("cannot decompress the document: %w", err)
	}
	raw, err := io.ReadAll(zr)
	if err != nil {
		return nil, fmt.Errorf("cannot decompress the document: %w", err)
	}
	return raw, zr.Close()
}
