// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package openapi

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// sdkModule is the module whose mock server script carries the document.
const sdkModule = "github.com/cloudflare/cloudflare-go/v7"

// locateTimeout bounds the call of the go command. It reads the module cache
// only, which takes about a tenth of a second.
const locateTimeout = time.Minute

// readOfficial returns the official document, as JSON, out of the module
// cache. Nothing of it is copied into this repository, so it always belongs
// to the SDK version that go.mod asks for.
func readOfficial() ([]byte, error) {
	dir, err := moduleDir(sdkModule)
	if err != nil {
		return nil, fmt.Errorf("cannot locate the module %s: %w", sdkModule, err)
	}
	script, err := os.ReadFile(filepath.Join(dir, "scripts", "mock"))
	if err != nil {
		return nil, fmt.Errorf("cannot read the mock server script: %w", err)
	}
	return unpack(script)
}

// moduleDir asks the go command, because only that knows replacements and the
// version chosen for the module that the test runs in.
func moduleDir(module string) (string, error) {
	ctx, cancel := context.WithTimeout(context.Background(), locateTimeout)
	defer cancel()
	//nolint:gosec // The module is a constant of this package.
	cmd := exec.CommandContext(ctx, "go", "list", "-m", "-f", "{{.Dir}}", module)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("go list -m: %w: %s", err, bytes.TrimSpace(stderr.Bytes()))
	}
	dir := strings.TrimSpace(string(out))
	if dir == "" {
		return "", errors.New("it is not in the module cache: run go mod download " + module)
	}
	return dir, nil
}

// unpack takes the document out of the script: a shell variable that holds
// base64 of gzip of JSON.
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
