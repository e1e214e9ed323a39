// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"slices"

	"github.com/spf13/cobra"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/provider-cloudflare/provider-cloudflare/apis"
	"github.com/provider-cloudflare/provider-cloudflare/internal/cloudflare"
	"github.com/provider-cloudflare/provider-cloudflare/internal/export"
	"github.com/provider-cloudflare/provider-cloudflare/internal/export/inventory"
	"github.com/provider-cloudflare/provider-cloudflare/internal/export/terraform"
	"github.com/provider-cloudflare/provider-cloudflare/internal/kind"
	"github.com/provider-cloudflare/provider-cloudflare/internal/kinds"
)

const terraformExample = `  # See what Terraform manages as objects that only observe
  terraform show -json >state.json
  kubectl cloudflare import terraform state.json

  # Take it over, one file for each object
  kubectl cloudflare import terraform state.json --manage --output-dir cloudflare`

func newImport(c *connection, s streams) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "import",
		Short: "Write manifests of what another tool manages at Cloudflare",
	}
	cmd.AddCommand(newImportTerraform(c, s))
	return cmd
}

func newImportTerraform(c *connection, s streams) *cobra.Command {
	e := &exporting{to: output{streams: s}}
	cmd := &cobra.Command{
		Use:   "terraform FILE...",
		Short: "Write manifests of the resources in a state of Terraform or OpenTofu",
		Long: "Write manifests of the resources in a state of Terraform or OpenTofu: a state file, or the output of terraform show -json. " +
			"The state says which resources, of version 4 or 5 of Cloudflare's Terraform provider. What they are now is read at Cloudflare, " +
			"so that to apply the manifests changes nothing there. What has no kind here is left out and listed. No manifest has a value that Cloudflare conceals.",
		Example: terraformExample,
		Args:    cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return e.terraform(cmd.Context(), c, args)
		},
	}
	f := cmd.Flags()
	f.BoolVar(&e.manage, "manage", false, "make objects that manage what they stand for")
	e.to.flags(f)
	return cmd
}

func (e *exporting) terraform(ctx context.Context, c *connection, paths []string) error {
	if err := e.to.validate(); err != nil {
		return err
	}
	o, err := e.options(c)
	if err != nil {
		return err
	}
	states, err := readStates(paths)
	if err != nil {
		return err
	}
	a, err := c.cloudflare(ctx)
	if err != nil {
		return err
	}
	i := &importing{account: a, wanted: states, matched: map[string]bool{}}
	result, err := i.run(ctx, o)
	if err != nil {
		return err
	}
	return e.write(result)
}

func readStates(paths []string) ([]terraform.Resource, error) {
	var out []terraform.Resource
	for _, path := range paths {
		some, err := readState(path)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		out = append(out, some...)
	}
	return out, nil
}

func readState(path string) ([]terraform.Resource, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }() // It is only read.
	return terraform.Read(f)
}

// An importing finds the resources of states at Cloudflare.
type importing struct {
	account account
	wanted  []terraform.Resource
	// matched has the addresses of resources that were found or are left out.
	matched map[string]bool
	leftOut []export.LeftOut
}

func (i *importing) run(ctx context.Context, o export.Options) (export.Result, error) {
	zones, err := inventory.Zones(ctx, i.account.client, i.account.id)
	if err != nil {
		return export.Result{}, err
	}
	if i.account.id == "" {
		if i.account.id, err = accountOf(zones); err != nil {
			return export.Result{}, err
		}
	}
	scheme := runtime.NewScheme()
	if err := apis.AddToScheme(scheme); err != nil {
		return export.Result{}, err
	}
	zones = i.inUse(zones)
	records, err := i.records(ctx, zones)
	if err != nil {
		return export.Result{}, err
	}
	found, err := i.others(ctx, zones)
	if err != nil {
		return export.Result{}, err
	}
	result, err := o.Import(i.zones(zones), records, found, func(d kind.Description) (export.Described, error) { return empty(scheme, d) })
	if err != nil {
		return result, err
	}
	for _, r := range i.wanted {
		if !i.matched[r.Address] {
			i.leaveOut(r, "the credential sees no such resource in the account "+i.account.id)
		}
	}
	result.LeftOut = append(result.LeftOut, i.leftOut...)
	return result, nil
}

func (i *importing) leaveOut(r terraform.Resource, why string) {
	i.matched[r.Address] = true
	i.leftOut = append(i.leftOut, export.LeftOut{What: r.Address, Why: why})
}

// inUse returns the zones that the states refer to, sorted by name. No other zone is
// looked at.
func (i *importing) inUse(all []cloudflare.Zone) []cloudflare.Zone {
	named := map[string]bool{}
	for _, r := range i.wanted {
		named[r.ID], named[r.Attributes["zone_id"]] = true, true
	}
	out := slices.DeleteFunc(slices.Clone(all), func(z cloudflare.Zone) bool { return !named[z.ID] })
	slices.SortFunc(out, func(a, b cloudflare.Zone) int { return cmp.Compare(a.Name, b.Name) })
	return out
}

// zones returns the zones that are in the states.
func (i *importing) zones(all []cloudflare.Zone) []cloudflare.Zone {
	var out []cloudflare.Zone
	for _, r := range i.wanted {
		at := slices.IndexFunc(all, func(z cloudflare.Zone) bool { return z.ID == r.ID })
		if r.Type == terraform.TypeZone && at >= 0 {
			i.matched[r.Address] = true
			out = append(out, all[at])
		}
	}
	return out
}

// records lists each zone of which the states have records.
func (i *importing) records(ctx context.Context, zones []cloudflare.Zone) ([]export.ZoneRecords, error) {
	var out []export.ZoneRecords
	for _, z := range zones {
		ids := map[string]bool{}
		for _, r := range i.wanted {
			if r.Type == terraform.TypeRecord && r.Attributes["zone_id"] == z.ID {
				ids[r.ID] = true
			}
		}
		if len(ids) == 0 {
			continue
		}
		records, err := inventory.Records(ctx, i.account.client, z.ID)
		if err != nil {
			return nil, err
		}
		there := inventory.IDs(records)
		for _, r := range i.wanted {
			if r.Type == terraform.TypeRecord && there[r.ID] {
				i.matched[r.Address] = true
			}
		}
		out = append(out, export.ZoneRecords{Zone: z, Records: records, IDs: ids})
	}
	return out, nil
}

// others lists the kinds of which the states have resources, and keeps those resources.
func (i *importing) others(ctx context.Context, zones []cloudflare.Zone) ([]export.Found, error) {
	of := map[string][]terraform.Resource{}
	for _, r := range i.wanted {
		if r.Type == terraform.TypeRecord || r.Type == terraform.TypeZone {
			continue
		}
		d, ok := r.Kind(kinds.All())
		if !ok {
			i.leaveOut(r, "there is no kind for it")
			continue
		}
		of[d.Group+"."+d.Name] = append(of[d.Group+"."+d.Name], r)
	}
	all, err := inventory.Resources(ctx, i.account.client, inventory.Account{ID: i.account.id, Zones: zones}, kinds.All(), func(kind string) bool { return len(of[kind]) > 0 })
	if err != nil {
		return nil, err
	}
	var out []export.Found
	for _, l := range all {
		rows := of[l.Kind.Group+"."+l.Kind.Name]
		out = append(out, export.Found{Kind: l.Kind, Resources: i.matching(l, rows)})
		for _, r := range rows {
			if !i.matched[r.Address] && len(l.Refused) > 0 {
				i.leaveOut(r, errors.Join(l.Refused...).Error())
			}
		}
	}
	return out, nil
}

// matching returns the resources of a listing that are in the states.
func (i *importing) matching(l inventory.Listing, rows []terraform.Resource) []kind.Resource {
	return slices.DeleteFunc(l.Resources, func(live kind.Resource) bool {
		at := slices.IndexFunc(rows, func(r terraform.Resource) bool { return r.Is(l.Kind, live) })
		if at >= 0 {
			i.matched[rows[at].Address] = true
		}
		return at < 0
	})
}
