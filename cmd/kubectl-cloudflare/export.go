// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/provider-cloudflare/provider-cloudflare/internal/export"
	"github.com/provider-cloudflare/provider-cloudflare/internal/export/inventory"
)

const zoneExample = `  # See what the zone would be as objects that only observe
  kubectl cloudflare export zone example.com

  # Manage the TXT records, one file for each
  kubectl cloudflare export zone example.com --manage --type TXT --output-dir records`

type exporting struct {
	filter export.Filter
	manage bool
	to     output
}

func newExport(c *connection, s streams) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "export",
		Short: "Write manifests of what Cloudflare has",
		Long: "Write manifests of what Cloudflare has. The objects have the IDs of their resources, and only observe them unless --manage " +
			"is set. To apply them changes nothing at Cloudflare. What belongs to another controller, or to another product of Cloudflare, is left " +
			"out and listed.",
	}
	cmd.AddCommand(newExportZone(c, s), newExportAccount(c, s))
	return cmd
}

func newExportZone(c *connection, s streams) *cobra.Command {
	e := &exporting{to: output{streams: s}}
	cmd := &cobra.Command{
		Use:     "zone NAME",
		Short:   "Write manifests of a zone and its DNS records",
		Example: zoneExample,
		Args:    cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return e.zone(cmd.Context(), c, args[0])
		},
	}
	f := cmd.Flags()
	f.StringSliceVar(&e.filter.Types, "type", nil, "types of records, such as A,TXT; by default all")
	f.StringSliceVar(&e.filter.Names, "name", nil, "patterns of records' names, such as www or '*.dev'; by default all")
	f.BoolVar(&e.manage, "manage", false, "make objects that manage what they stand for")
	e.to.flags(f)
	return cmd
}

func (e *exporting) zone(ctx context.Context, c *connection, name string) error {
	if err := errors.Join(e.filter.Validate(), e.to.validate()); err != nil {
		return err
	}
	o, err := e.options(c)
	if err != nil {
		return err
	}
	a, err := c.cloudflare(ctx)
	if err != nil {
		return err
	}
	zone, err := inventory.Zone(ctx, a.client, name, a.id)
	if err != nil {
		return err
	}
	records, err := inventory.Records(ctx, a.client, zone.ID)
	if err != nil {
		return err
	}
	return e.write(o.WholeZone(zone, records, e.filter))
}

func (e *exporting) write(result export.Result) error {
	if err := e.to.write(result.Objects); err != nil {
		return err
	}
	for _, l := range result.LeftOut {
		fmt.Fprintf(e.to.err, "left out: %s: %s\n", l.What, l.Why)
	}
	for _, l := range result.Observed {
		fmt.Fprintf(e.to.err, "only observed: %s: %s\n", l.What, l.Why)
	}
	fmt.Fprintf(e.to.err, "%d objects, %d left out\n", len(result.Objects), len(result.LeftOut))
	return nil
}

func (e *exporting) options(c *connection) (export.Options, error) {
	namespace, err := c.manifestNamespace()
	return export.Options{Namespace: namespace, Config: c.reference(), Manage: e.manage}, err
}
