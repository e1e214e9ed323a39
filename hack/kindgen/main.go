// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

// Command kindgen generates files from the descriptions of kinds and Cloudflare's
// OpenAPI document: Go types, the rosters, the documentation's tables, rights.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/provider-cloudflare/provider-cloudflare/hack/kindgen/document"
	"github.com/provider-cloudflare/provider-cloudflare/hack/kindgen/model"
	"github.com/provider-cloudflare/provider-cloudflare/internal/kind"
	"github.com/provider-cloudflare/provider-cloudflare/internal/kinds"
)

func main() {
	root := flag.String("root", ".", "the repository")
	sdk := flag.String("sdk", "", "a folder with another version of the SDK, whose document is taken")
	flag.Parse()
	if err := run(context.Background(), *root, *sdk); err != nil {
		fmt.Fprintln(os.Stderr, "kindgen:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, root, sdk string) error {
	doc, err := read(ctx, sdk)
	if err != nil {
		return err
	}
	models, err := build(doc, kinds.All())
	if err != nil {
		return err
	}
	out := newOutput(root)
	if err := write(out, models); err != nil {
		return err
	}
	return out.finish()
}

func read(ctx context.Context, sdk string) (*document.Document, error) {
	if sdk != "" {
		return document.FromModule(sdk)
	}
	return document.Official(ctx)
}

// build returns the models, by group and name, and checks the references between them.
func build(doc *document.Document, all []kind.Description) ([]*model.Kind, error) {
	var out []*model.Kind
	var problems []error
	known := []string{"zone.Zone", "dns.Record"}
	for _, d := range all {
		known = append(known, d.Group+"."+d.Name)
		k, err := model.Build(doc, d)
		if err != nil {
			problems = append(problems, err)
			continue
		}
		out = append(out, k)
	}
	for _, k := range out {
		for _, ref := range k.Refs() {
			if !slices.Contains(known, ref) {
				problems = append(problems, fmt.Errorf("%s: there is no kind %s to refer to", k.Name, ref))
			}
		}
	}
	slices.SortFunc(out, func(a, b *model.Kind) int { return strings.Compare(a.Group+"."+a.Name, b.Group+"."+b.Name) })
	return out, errors.Join(problems...)
}
