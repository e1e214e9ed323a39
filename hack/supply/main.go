// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

// Command supply reports the parts of the provider.
//
//	supply licences --out docs/reference/licences.md [--check] [--texts FILE] [--of FOLDER]
//	supply sbom --binary provider --version v1.2.3 --revision COMMIT --created SECONDS --out sbom.cdx.json
//
// The first reads the licences of all modules that are linked into the provider, and fails if one is not
// permitted. The second writes a CycloneDX bill of materials for a binary, from what the compiler
// recorded in it.
package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"time"
)

func main() {
	if err := run(context.Background(), os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "supply:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string) error {
	if len(args) == 0 {
		return errors.New("say licences or sbom")
	}
	fs := flag.NewFlagSet(args[0], flag.ContinueOnError)
	root := fs.String("root", "../..", "folder of the module")
	pkg := fs.String("package", "./cmd/provider", "package of the command")
	out := fs.String("out", "", "file to write")
	switch args[0] {
	case "licences":
		of := fs.String("of", "", "folder of the module in the repository, where it is not the provider's")
		check := fs.Bool("check", false, "only compare --out with what would be written")
		texts := fs.String("texts", "", "file to write the texts of the licences to")
		if err := fs.Parse(args[1:]); err != nil {
			return err
		}
		return licences(ctx, *root, *pkg, *out, *texts, *of, *check)
	case "sbom":
		binary := fs.String("binary", "", "binary to describe")
		version := fs.String("version", "", "its version")
		revision := fs.String("revision", "", "commit it is built from, where git did not stamp it")
		created := fs.Int64("created", 0, "time of that commit, in seconds since 1970")
		if err := fs.Parse(args[1:]); err != nil {
			return err
		}
		return sbom(ctx, *root, *pkg, *binary, *out, origin{*version, *revision, time.Unix(*created, 0)})
	}
	return fmt.Errorf("unknown command %q: say licences or sbom", args[0])
}

// licences writes the table to out, or compares it with the existing file.
func licences(ctx context.Context, root, pkg, out, texts, of string, check bool) error {
	modules, err := linked(ctx, root, pkg)
	if err != nil {
		return err
	}
	if err := permitted(modules); err != nil {
		return err
	}
	if texts != "" {
		if err := write(texts, licenceTexts(modules)); err != nil {
			return err
		}
	}
	table := licenceTable(modules, of)
	if !check {
		return write(out, table)
	}
	have, err := os.ReadFile(out)
	if err != nil {
		return err
	}
	if !bytes.Equal(have, table) {
		return fmt.Errorf("%s is not what would be written: run make licences, and commit its result", out)
	}
	return nil
}

func write(path string, content []byte) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o750); err != nil {
		return err
	}
	return os.WriteFile(path, content, 0o644) //nolint:gosec // To be read by everyone.
}
